"""Retrieval: by identity, as a list, or by words and meaning; an outage is no empty result."""

from __future__ import annotations

import pytest
from tests.unit.small_world import DECISION, KNOWLEDGE, document, elsewhere, index, question

from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Aspect, Owner, Reference, Scope
from elysia_guard.domain.reading import Listing, Named, Search
from elysia_guard.stages import listing, retrieval
from elysia_guard.testing.fake_index import HashEmbedder


class TestFetch:
    async def fetch(
        self, number: int, kind: DocumentKind | None = DECISION, *, approval: bool = False
    ) -> Evidence:
        reference = Reference(number=number, written="x", kind=kind, approval=approval)
        return await retrieval.fetch(index(), Named(references=(reference,)), question("x"), ())

    async def test_the_record_is_another_document(self) -> None:
        """ADR-0012D, and not a word of ADR-0012; which comes whole, in reading order."""
        record, document = await self.fetch(12, approval=True), await self.fetch(12)
        assert {item.passage.document.id for item in record.hits} == {"ADR-0012D"}
        assert [item.passage.id for item in document.hits] == [f"ADR-0012#{n}" for n in range(4)]

    async def test_a_bare_number_of_two_kinds_is_undecided(self) -> None:
        """12 is a decision and a principle; 27 is a decision only."""
        both = await self.fetch(12, None)
        assert [item.id for item in both.undecided] == ["ADR-0012", "PCP-0012"]
        assert both.documents == ()
        one = await self.fetch(27, None)
        assert [item.id for item in one.documents] == ["ADR-0027"]
        assert one.looked_at == ("decision", "principle", "policy")


async def listed(owner: Owner, topic: str = "") -> Evidence:
    texts = ("Said of the data council.", "Said of security.", "Said by the data council.")
    knowledge = [
        passage
        for number, (name, text) in enumerate(
            zip(("Data Council", "Security Group", ""), texts, strict=True), start=61
        )
        for passage in document(DECISION, number, "T", (SectionRole.SUBSTANCE, text), owner=name)
    ]
    asked = Listing(kinds=(DECISION,), topic=topic, filters=Scope(owner=owner))
    return await listing.list_documents(index(knowledge), asked, question("x"), ())


async def test_what_may_be_an_owner_is_one_where_documents_name_it() -> None:
    """Else it is the topic, as it would be without owners."""
    named = await listed(Owner(written="Data Council", said=False, topic=""), "Data Council")
    assert [item.number for item in named.documents] == [61]
    beside = Owner(written="Security Group", said=False, topic="hydrogen")
    assert not (await listed(beside, "Security Group hydrogen")).documents
    subject = await listed(Owner(written="security", said=False, topic=""), "security")
    assert [item.number for item in subject.documents] == [62]
    assert (subject.owners, subject.other_owners) == ((), ())


class TestSearch:
    async def search(
        self, text: str, groups: tuple[tuple[str, ...], ...] = (), **values: object
    ) -> Evidence:
        asked = Search(topic=text, **values)  # type: ignore[arg-type]
        embedder = HashEmbedder()
        embedder.down = bool(groups) or text == "bode"
        return await retrieval.search(index(), embedder, question(text), asked, groups)

    async def test_every_hit_has_its_true_distance(self) -> None:
        """The gate needs one; no fallback is in force."""
        evidence = await self.search("CIM domain language")
        assert evidence.hits[0].passage.document.id == "ADR-0012"
        assert all(item.distance is not None for item in evidence.hits)
        assert evidence.fallbacks == ()

    async def test_a_record_comes_first_where_approval_is_asked_for(self) -> None:
        """Else it stands behind a document that is as near; the order is that of the scores."""
        ranks = {}
        for aspect in (Aspect.APPROVAL, Aspect.SUBSTANCE):
            evidence = await self.search("CIM domain language approved", aspect=aspect)
            found = [item.passage.document.id for item in evidence.hits]
            ranks[aspect] = found.index("ADR-0012D") - found.index("ADR-0012")
            scores = [item.score for item in evidence.hits]
            assert scores == sorted(scores, reverse=True)
        assert ranks[Aspect.APPROVAL] < 0 < ranks[Aspect.SUBSTANCE]

    async def test_a_synonym_finds_what_the_word_does_not(self) -> None:
        """The vocabulary's other name for it stands in the text; no distance is made up."""
        assert not (await self.search("bode")).hits
        evidence = await self.search("bode", (("bode", "courier"),))
        assert [item.passage.document.number for item in evidence.hits] == [3]
        assert evidence.fallbacks == ("bm25_only",)
        assert all(item.distance is None for item in evidence.hits)

    async def test_an_index_that_is_down_is_an_error(self) -> None:
        """Not an empty result."""
        broken = index(KNOWLEDGE)
        broken.down = True
        models = HashEmbedder()
        with pytest.raises(SourceUnavailableError):
            await retrieval.search(broken, models, question("x"), Search(topic="x"), ())


async def test_texts_from_elsewhere_get_true_distances() -> None:
    """Another tool's scores are not trusted; without a model nothing is let through."""
    texts = (
        elsewhere("Title", "Connections are encrypted with TLS."),
        elsewhere("Other", "Bananas are yellow."),
    )
    embedder, asked = HashEmbedder(), question("Are connections encrypted?")
    none = await retrieval.from_elsewhere(embedder, asked, (), source="query")
    assert (none.hits, embedder.calls) == ((), 0)
    near, far = (await retrieval.from_elsewhere(embedder, asked, texts, source="query")).hits
    assert near.distance is not None
    assert far.distance is not None
    assert near.distance < far.distance
    assert (near.passage.document.title, far.passage.document.title) == ("Title", "Other")
    embedder.down = True
    assert (await retrieval.from_elsewhere(embedder, asked, texts, source="query")).hits == ()
