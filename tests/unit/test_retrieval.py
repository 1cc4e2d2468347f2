"""Retrieval: by identity, as a list, or by words and meaning; an outage is no empty result."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import (
    DECISION,
    KNOWLEDGE,
    POLICY,
    PRINCIPLE,
    document,
    index,
    question,
)

from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Aspect, Owner, Reference, Scope
from elysia_guard.domain.reading import Listing, Named, Search
from elysia_guard.stages import listing, retrieval
from elysia_guard.stages.retrieval import Models
from elysia_guard.testing.fake_index import HashEmbedder


def reference(number: int, kind: DocumentKind | None = DECISION, **values: bool) -> Reference:
    return Reference(number=number, written=str(number), kind=kind, **values)


class TestFetch:
    async def fetch(self, *references: Reference, topic: str = "") -> Evidence:
        asked = Named(references=references, matter=topic)
        return await retrieval.fetch(index(), asked, question(topic or "x"), ())

    async def test_a_document_comes_whole_in_reading_order(self) -> None:
        """All its passages, none of its approval record."""
        evidence = await self.fetch(reference(12))
        assert [item.id for item in evidence.documents] == ["ADR-0012"]
        assert [item.passage.id for item in evidence.hits] == [f"ADR-0012#{n}" for n in range(4)]

    async def test_the_record_is_another_document(self) -> None:
        """ADR-0012D, and not a word of ADR-0012."""
        evidence = await self.fetch(reference(12, approval=True))
        assert {item.passage.document.id for item in evidence.hits} == {"ADR-0012D"}

    async def test_what_does_not_exist_is_absent(self) -> None:
        """ADR-0050 is not ADR-0012, however alike the question."""
        evidence = await self.fetch(reference(50), reference(27))
        assert [ref.number for ref in evidence.absent] == [50]
        assert [item.id for item in evidence.documents] == ["ADR-0027"]
        assert evidence.looked_at == ("decision",)

    async def test_a_bare_number_of_two_kinds_is_undecided(self) -> None:
        """12 is a decision and a principle; 27 is a decision only."""
        both = await self.fetch(reference(12, None))
        assert [item.id for item in both.undecided] == ["ADR-0012", "PCP-0012"]
        assert both.documents == ()
        one = await self.fetch(reference(27, None))
        assert [item.id for item in one.documents] == ["ADR-0027"]
        assert one.looked_at == ("decision", "principle", "policy")

    async def test_how_rare_the_words_are_comes_with_it(self) -> None:
        """What is asked of the document is weighed; nothing asked, nothing to weigh."""
        evidence = await self.fetch(reference(12), topic="CIM dialect")
        assert set(evidence.rarity) == {"cim", "dialect"}
        assert evidence.rarity["dialect"] > evidence.rarity["cim"]
        assert (await self.fetch(reference(12))).rarity == {}


class TestList:
    async def test_a_list_is_complete_and_in_order(self) -> None:
        """By number, without approval records, the same every time."""
        asked = Listing(kinds=(DECISION,))
        lists = [
            await listing.list_documents(index(), asked, question("List ADRs"), ())
            for _ in range(2)
        ]
        assert [item.number for item in lists[0].documents] == [3, 12, 27, 28, 34]
        assert lists[0] == lists[1]

    async def test_a_list_keeps_to_a_status(self) -> None:
        """Proposed ones only."""
        asked = Listing(kinds=(DECISION,), filters=Scope(statuses=("proposed",)))
        evidence = await listing.list_documents(index(), asked, question("x"), ())
        assert [item.number for item in evidence.documents] == [28]

    async def test_a_list_keeps_to_a_topic(self) -> None:
        """Documents whose title or substance speaks of it; nothing when none does."""
        asked = Listing(kinds=(DECISION,), topic="TLS")
        evidence = await listing.list_documents(index(), asked, question("x"), ())
        assert [item.number for item in evidence.documents] == [27]
        none = Listing(kinds=(DECISION,), topic="hydrogen")
        assert not (await listing.list_documents(index(), none, question("x"), ())).documents

    async def test_a_topic_of_two_words_needs_both(self) -> None:
        """'TLS for hydrogen' is not about TLS."""
        asked = Listing(kinds=(DECISION,), topic="TLS hydrogen")
        assert not (await listing.list_documents(index(), asked, question("x"), ())).documents
        asked = Listing(kinds=(DECISION,), topic="TLS connections")
        both = await listing.list_documents(index(), asked, question("x"), ())
        assert [item.number for item in both.documents] == [27]

    async def test_a_mention_counts_only_where_nothing_is_about_it(self) -> None:
        """'dialect' stands in a context only; with a decision about it that one is listed alone."""
        asked = Listing(kinds=(DECISION,), topic="dialect")
        mention = await listing.list_documents(index(), asked, question("x"), ())
        assert [item.number for item in mention.documents] == [12]
        about = document(DECISION, 40, "Rules", (SectionRole.SUBSTANCE, "Speak the dialect."))
        both = await listing.list_documents(index([*KNOWLEDGE, *about]), asked, question("x"), ())
        assert [item.number for item in both.documents] == [40]

    async def test_several_titles_on_a_topic_are_the_list(self) -> None:
        """Where two decisions bear it in their titles, one that applies it is not listed."""
        knowledge = [
            *document(DECISION, 41, "Quarantine devices", (SectionRole.SUBSTANCE, "They wait.")),
            *document(DECISION, 42, "Quarantine files", (SectionRole.SUBSTANCE, "They wait too.")),
            *document(DECISION, 43, "Scan", (SectionRole.SUBSTANCE, "It ends in quarantine.")),
        ]
        asked = Listing(kinds=(DECISION,), topic="quarantine")
        evidence = await listing.list_documents(index(knowledge), asked, question("x"), ())
        assert [item.number for item in evidence.documents] == [41, 42]
        one = [item for item in knowledge if item.document.number != 42]
        evidence = await listing.list_documents(index(one), asked, question("x"), ())
        assert [item.number for item in evidence.documents] == [41, 43]

    async def test_a_list_keeps_to_a_year(self) -> None:
        """By the documents' own dates."""
        dated = [
            replace(item, document=replace(item.document, date=date))
            for number, date in ((51, "2025-12-31"), (52, "2026-01-01"), (53, ""))
            for item in document(DECISION, number, "T", (SectionRole.SUBSTANCE, "Said."))
        ]
        asked = Listing(kinds=(DECISION,), filters=Scope(since="2026", until="2026"))
        evidence = await listing.list_documents(index(dated), asked, question("x"), ())
        assert [item.number for item in evidence.documents] == [52]

    async def owned(self, owner: Owner, *, topic: str = "") -> Evidence:
        """List decisions of two owners and one of none."""
        knowledge = [
            replace(item, document=replace(item.document, owner=name))
            for number, name, text in (
                (61, "Data Council", "Said of the data council."),
                (62, "Security Group", "Said of security."),
                (63, "", "Said by the data council."),
            )
            for item in document(DECISION, number, "T", (SectionRole.SUBSTANCE, text))
        ]
        asked = Listing(kinds=(DECISION,), topic=topic, filters=Scope(owner=owner))
        return await listing.list_documents(index(knowledge), asked, question("x"), ())

    async def test_a_list_keeps_to_an_owner(self) -> None:
        """By who it is; a document without one is nobody's."""
        evidence = await self.owned(Owner(written="the data council"))
        assert [item.number for item in evidence.documents] == [61]
        assert evidence.owners == ("Data Council",)

    async def test_an_owner_that_there_is_not_lists_nothing(self) -> None:
        """And those that there are come along."""
        evidence = await self.owned(Owner(written="the council"), topic="data")
        assert (evidence.documents, evidence.owners) == ((), ())
        assert evidence.other_owners == ("Data Council", "Security Group")

    async def test_what_may_be_an_owner_is_one_where_documents_name_it(self) -> None:
        """Else it is the topic, as it would be without owners."""
        named = await self.owned(
            Owner(written="Data Council", said=False, topic=""), topic="Data Council"
        )
        assert [item.number for item in named.documents] == [61]
        beside = Owner(written="Security Group", said=False, topic="hydrogen")
        assert not (await self.owned(beside, topic="Security Group hydrogen")).documents
        subject = await self.owned(
            Owner(written="security", said=False, topic=""), topic="security"
        )
        assert [item.number for item in subject.documents] == [62]
        assert (subject.owners, subject.other_owners) == ((), ())

    async def test_owners_of_other_kinds_are_named_where_the_kind_has_none(self) -> None:
        """So that there is a way on."""
        passages = [
            replace(item, document=replace(item.document, owner="Data Council"))
            for item in document(PRINCIPLE, 1, "T", (SectionRole.SUBSTANCE, "Said."))
        ]
        asked = Listing(kinds=(DECISION,), filters=Scope(owner=Owner(written="X")))
        evidence = await listing.list_documents(index(passages), asked, question("x"), ())
        assert evidence.other_owners == ("Data Council",)

    async def test_several_statuses_are_listed_together(self) -> None:
        """Not in force: whatever is not accepted."""
        scope = Scope(statuses=("proposed", "superseded"))
        asked = Listing(kinds=(DECISION,), filters=scope)
        evidence = await listing.list_documents(index(), asked, question("x"), ())
        assert {item.status for item in evidence.documents} == {"proposed", "superseded"}


class TestSearch:
    async def search(self, text: str, embedder: HashEmbedder | None = None, **values: object):
        return await retrieval.search(
            index(),
            Models(first=embedder or HashEmbedder()),
            question(text),
            Search(topic=text, **values),
            (),
        )

    async def test_every_hit_has_its_true_distance(self) -> None:
        """The gate needs one; no fallback is in force."""
        evidence = await self.search("CIM domain language")
        assert evidence.hits[0].passage.document.id == "ADR-0012"
        assert all(item.distance is not None for item in evidence.hits)
        assert evidence.fallbacks == ()

    async def test_without_the_model_words_must_do(self) -> None:
        """bm25_only, and no distance is made up."""
        embedder = HashEmbedder()
        embedder.down = True
        evidence = await self.search("CIM domain language", embedder)
        assert evidence.fallbacks == ("bm25_only",)
        assert evidence.hits
        assert all(item.distance is None for item in evidence.hits)

    async def test_what_stands_in_a_record_alone_is_found(self) -> None:
        """'Ada Lovelace' stands in an approval record only, whatever aspect is asked for."""
        for aspect in (Aspect.APPROVAL, Aspect.SUBSTANCE):
            evidence = await self.search("Ada Lovelace", aspect=aspect)
            assert evidence.hits[0].passage.document.id == "ADR-0012D"

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

    async def test_a_search_keeps_to_its_kinds(self) -> None:
        """A question about policies is answered by policies."""
        evidence = await self.search("measurements years", kinds=(POLICY, PRINCIPLE))
        assert {item.passage.document.kind for item in evidence.hits} <= {POLICY, PRINCIPLE}
        assert evidence.looked_at == ("policy", "principle")

    async def test_a_synonym_finds_what_the_word_does_not(self) -> None:
        """The vocabulary's other name for it stands in the text."""
        embedder = HashEmbedder()
        embedder.down = True
        asked, models = Search(topic="bode"), Models(first=embedder)
        assert not (await retrieval.search(index(), models, question("bode"), asked, ())).hits
        groups = (("bode", "courier"),)
        evidence = await retrieval.search(index(), models, question("bode"), asked, groups)
        assert [item.passage.document.number for item in evidence.hits] == [3]
        assert evidence.synonyms == groups

    async def test_an_index_that_is_down_is_an_error(self) -> None:
        """Not an empty result."""
        broken = index()
        broken.down = True
        models = Models(first=HashEmbedder())
        with pytest.raises(SourceUnavailableError):
            await retrieval.search(broken, models, question("x"), Search(topic="x"), ())


class TestTextsFromElsewhere:
    TEXTS = (("Title", "Connections are encrypted with TLS."), ("", "Bananas are yellow."))

    async def test_each_text_gets_its_true_distance(self) -> None:
        """Another tool's scores are not trusted; ours are measured, and the order is kept."""
        evidence = await retrieval.from_texts(
            HashEmbedder(), question("Are connections encrypted?"), self.TEXTS, source="query"
        )
        near, far = evidence.hits
        assert near.distance is not None
        assert far.distance is not None
        assert near.distance < far.distance
        assert (near.passage.document.title, far.passage.document.title) == ("Title", "query")
        assert evidence.looked_at == ("query",)

    async def test_without_a_model_nothing_is_let_through(self) -> None:
        """No distance can be had, so there is no hit."""
        embedder = HashEmbedder()
        embedder.down = True
        evidence = await retrieval.from_texts(embedder, question("x"), self.TEXTS, source="query")
        assert evidence.hits == ()

    async def test_no_texts_are_no_hits(self) -> None:
        """And the model is not asked."""
        embedder = HashEmbedder()
        evidence = await retrieval.from_texts(embedder, question("x"), (), source="query")
        assert (evidence.hits, embedder.calls) == ((), 0)
