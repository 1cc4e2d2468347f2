"""What every ``PassageIndex`` must do; inherit it in a test class and say how an index is made."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from itertools import combinations
from typing import Any, TypeVar

from elysia_guard.domain.document import Approval, Document, DocumentKind, Filters, Hit, Passage
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.ports import PassageIndex, Vector
from elysia_guard.scoping import ScopedIndex
from elysia_guard.testing.fake_index import HashEmbedder

_T = TypeVar("_T")
EVERYTHING = Filters(approval=None)
_APPROVAL = Approval(
    section="Approval",
    version="1.0",
    decision="Accepted",
    date="2026-01-01",
    driver="Board",
    approvers=("Name: Ada; Role: Chair", "Name: Bob"),
)


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end."""
    return asyncio.run(work)


def sample_passages() -> list[Passage]:
    """Seven small documents: two kinds with one number, an approval record, three languages."""
    decision, principle, policy = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY
    return [
        *_document(
            decision, 12, "Use CIM", "We use CIM as the domain language.", "Models are exchanged."
        ),
        *_document(
            decision, 12, "Use CIM", "Decision: Accepted. CIM approved by Ada.", approval=True
        ),
        *_document(
            decision, 27, "Use TLS", "Connections are encrypted with TLS.", status="proposed"
        ),
        *_document(
            decision, 3, "Old rules", "Use the first transport.", status="Superseded by ADR-0027"
        ),
        *_document(principle, 12, "Eigenaarschap", "Gegevens hebben een eigenaar.", lang="nl"),
        *_document(policy, 1, "Löschung", "Daten werden gelöscht.", lang="de"),
        *_document(DocumentKind.DOCUMENT, None, "Notes", "A network of hydrants.", status=""),
    ]


def _document(
    kind: DocumentKind,
    number: int | None,
    title: str,
    *texts: str,
    approval: bool = False,
    status: str = "accepted",
    lang: str = "en",
) -> list[Passage]:
    id_ = f"{kind.prefix}-{number or 0:04d}{'D' if approval else ''}"
    document = Document(
        id=id_, kind=kind, number=number, approval=approval, title=title, status=status, lang=lang,
        path=f"{id_}.md", sha256="0" * 64, identifier=id_, date="2026-01-01", owner="Board",
        superseded_by="", supersedes="", root="/handbook", stamp="1-2-3",
        version="1.0", record="" if approval else f"{id_}D",
        own_status="proposed", own_date="2025-12-31", apart="north",
        approvals=(_APPROVAL,) if number == 12 else (), links=("ADR-0027", "PCP-0012"),
    )  # fmt: skip
    return [
        Passage(
            id=f"{id_}#{i:03d}",
            document=document,
            section="Decision",
            text=text,
            position=i,
            role="substance",
        )
        for i, text in enumerate(texts)
    ]


class PassageIndexContract:
    """Give ``make`` an index of some passages, built with the embedder."""

    def make(
        self, passages: Sequence[Passage], vectors: Sequence[Vector], embedder: HashEmbedder
    ) -> PassageIndex:
        """Build the index under test."""
        raise NotImplementedError

    def build(self) -> PassageIndex:
        """The index of the sample passages."""
        embedder, passages = HashEmbedder(), sample_passages()
        texts = [
            f"{passage.document.title}\n{passage.section}\n{passage.text}" for passage in passages
        ]
        return self.make(passages, run(embedder.embed(texts)), embedder)

    def search(
        self, query: str, *, filters: Filters = EVERYTHING, limit: int = 10, by_meaning: bool = True
    ) -> Sequence[Hit]:
        """Search the sample passages."""
        vector = run(HashEmbedder().embed([query]))[0] if by_meaning else None
        return run(self.build().search(query, vector, filters=filters, limit=limit))

    def test_finds_by_word(self) -> None:
        """The passage that holds the rare word comes first."""
        assert self.search("TLS")[0].passage.document.id == "ADR-0027"

    def test_finds_inflected_words(self) -> None:
        """A word is found by its stem, in each language."""
        for query, found in [
            ("connection", "ADR-0027"),
            ("eigenaren", "PCP-0012"),
            ("networks", "DOC-0000"),
        ]:
            assert self.search(query, by_meaning=False)[0].passage.document.id == found

    def test_words_written_nearly_alike(self) -> None:
        """A word that no passage holds is told with those that one does and that look like it."""
        asked = ["encrpted", "encrypted", "connection", "zebra"]
        near = run(self.build().spelt_like(asked))
        assert {word: dict(found) for word, found in near.items()} == {
            "encrpted": {"encrypted": 1},
            "zebra": {},
        }

    def test_a9_a_scope_tells_no_word_of_other_documents(self) -> None:
        """A word that only documents beyond the scope hold is not proposed."""
        for kinds, found in [
            ((DocumentKind.DECISION,), {"encrypted": 1}),
            ((DocumentKind.PRINCIPLE,), {}),
        ]:
            view = ScopedIndex(self.build(), CollectionScope(kinds=kinds))
            assert dict(run(view.spelt_like(["encrpted"]))["encrpted"]) == found

    def test_all_that_hold_some_words(self) -> None:
        """By their stems, in title, heading or text, of what filter and scope admit."""
        for words, found in [
            (["connections"], ["ADR-0027"]),
            (["eigenaarschap"], ["PCP-0012"]),
            (["cim", "domain"], ["ADR-0012"]),
            (["decisions", "hydrant"], ["DOC-0000"]),
            (["cim", "tls"], []),
            ([], []),
        ]:
            held = run(self.build().holding(words, filters=EVERYTHING))
            assert list(dict.fromkeys(item.document.id for item in held)) == found, words
        records = Filters(kinds=(DocumentKind.DECISION,), approval=True)
        held = run(self.build().holding(["cim"], filters=records))
        assert [item.document.id for item in held] == ["ADR-0012D"]
        view = ScopedIndex(self.build(), CollectionScope(kinds=(DocumentKind.PRINCIPLE,)))
        assert run(view.holding(["cim"], filters=EVERYTHING)) == []

    def test_finds_by_title(self) -> None:
        """A passage is found by the words of its document's title."""
        hits = self.search("Eigenaarschap", by_meaning=False)
        assert [hit.passage.document.id for hit in hits] == ["PCP-0012"]

    def test_every_hit_has_a_true_distance(self) -> None:
        """With a vector each hit carries its cosine distance, also one found by words alone."""
        hits = self.search("TLS")
        assert hits
        assert all(hit.distance is not None and 0 <= hit.distance <= 2 for hit in hits)
        assert all(hit.nearest is not None and 0 <= hit.nearest <= 2 for hit in hits)
        for hit in hits:
            assert not hit.sentence_distances or min(hit.sentence_distances) == hit.nearest
        same = self.search("Use TLS\nDecision\nConnections are encrypted with TLS.")[0]
        assert same.distance is not None
        assert abs(same.distance) < 1e-5

    def test_without_vector_no_distance(self) -> None:
        """Without a vector no distance is made up."""
        hits = self.search("TLS", by_meaning=False)
        assert [(hit.distance, hit.sentence_distance) for hit in hits] == [(None, None)]
        assert [hit.sentence_distances for hit in hits] == [()]

    def test_no_shared_word_no_lexical_score(self) -> None:
        """A hit of meaning alone says that it shares no word; a shared word has a score above 0."""
        scores = {hit.passage.document.id: hit.lexical for hit in self.search("TLS")}
        assert (scores["ADR-0027"] or 0) > 0
        assert scores["DOC-0000"] is None

    def test_nothing_shared_finds_nothing_by_words(self) -> None:
        """Words that stand nowhere, stop words alone and no words at all find nothing."""
        for query in ("zebra", "what is the", "", "?!"):
            assert list(self.search(query, by_meaning=False)) == []

    def test_syntax_is_harmless(self) -> None:
        """Nothing in a query is syntax."""
        for query in (
            'TLS"',
            "TLS OR",
            "(TLS",
            "NEAR(TLS",
            "TLS*",
            "text:TLS",
            "^TLS -",
            "TLS' --",
            "TLS\x00",
        ):
            assert self.search(query, by_meaning=False)[0].passage.document.id == "ADR-0027"

    def test_filters(self) -> None:
        """Filters hold for hits of words and of meaning alike, and for lists."""
        cases = [
            (Filters(), {"ADR-0003", "ADR-0012", "ADR-0027", "PCP-0012", "POL-0001", "DOC-0000"}),
            (Filters(approval=True), {"ADR-0012D"}),
            (Filters(number=12), {"ADR-0012", "PCP-0012"}),
            (
                Filters(kinds=(DocumentKind.DECISION,), number=12, approval=None),
                {"ADR-0012", "ADR-0012D"},
            ),
            (Filters(status="Proposed"), {"ADR-0027"}),
            (Filters(status="superseded"), {"ADR-0003"}),
            (Filters(status="super"), set()),
            (
                Filters(kinds=(DocumentKind.POLICY, DocumentKind.PRINCIPLE)),
                {"POL-0001", "PCP-0012"},
            ),
        ]
        for filters, expected in cases:
            assert {
                hit.passage.document.id for hit in self.search("CIM TLS", filters=filters)
            } == expected
            assert {document.id for document in run(self.build().documents(filters))} == expected

    def test_limit_and_order(self) -> None:
        """The best come first, no more than asked for, and the same every time."""
        hits = self.search("CIM domain language", limit=3)
        assert len(hits) == 3
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert hits == self.search("CIM domain language", limit=3)

    def test_documents_are_ordered(self) -> None:
        """Documents come by kind, number, approval and path, and come back whole."""
        documents = run(self.build().documents(EVERYTHING))
        assert [document.id for document in documents] == [
            "ADR-0003", "ADR-0012", "ADR-0012D", "ADR-0027", "PCP-0012", "POL-0001", "DOC-0000",
        ]  # fmt: skip
        assert documents[0] in {passage.document for passage in sample_passages()}

    def test_a1_approvals_come_back_whole(self) -> None:
        """Who approved what, when, in which version, and what the document itself says."""
        kept = {document.id: document for document in run(self.build().documents(EVERYTHING))}
        assert kept["ADR-0012D"].approvals == (_APPROVAL,)
        assert kept["ADR-0012"].record == "ADR-0012D"
        assert (kept["ADR-0012"].own_status, kept["ADR-0012"].version) == ("proposed", "1.0")
        assert kept["ADR-0012"].links == ("ADR-0027", "PCP-0012")
        assert kept["ADR-0012"].name == "ADR-0012 (north)"

    def test_passages_in_reading_order(self) -> None:
        """A document's passages come back whole and in order; of an unknown document, none."""
        index = self.build()
        assert list(run(index.passages("ADR-0012"))) == sample_passages()[:2]
        assert list(run(index.passages("ADR-9999"))) == []

    def test_a6_a_text_is_known_for_the_one_that_was_put_in(self) -> None:
        """What nobody has written to since is not said to be altered, found or fetched."""
        index = self.build()
        found = [hit.passage for hit in self.search("CIM TLS gelöscht eigenaar hydrants", limit=9)]
        for passage in [*found, *run(index.passages("POL-0001"))]:
            assert not passage.altered

    def test_a6_a_document_says_where_it_was_read(self) -> None:
        """Folder and stamp come back: by them an answer finds the file as it is now."""
        for document in run(self.build().documents(EVERYTHING)):
            assert (document.root, document.stamp) == ("/handbook", "1-2-3")

    def test_info(self) -> None:
        """The index says what it holds and what built it."""
        info = run(self.build().info())
        assert (info.documents, info.passages, info.dimension) == (7, 8, 64)
        assert info.model_id == HashEmbedder().model_id
        assert info.by_type == {"ADR": 3, "DAR": 1, "Principle": 1, "Policy": 1, "Document": 1}

    def test_a_version_stays_until_something_changes(self) -> None:
        """What is kept of the documents can be kept for as long as the version is the same."""
        index = self.build()
        version = run(index.version())
        assert run(index.version()) == version
        shown = [ScopedIndex(index, CollectionScope(kinds=(kind,))) for kind in STANDING_KINDS]
        assert len({version, *(run(view.version()) for view in shown)}) == 1 + len(STANDING_KINDS)

    def test_refuses_a_foreign_vector(self) -> None:
        """A vector of another model, or one that is not finite, is refused and not compared."""
        for vector in ([1.0], [float("nan")] * 64):
            try:
                run(self.build().search("TLS", vector, filters=EVERYTHING))
            except PassageIndexError:
                continue
            raise AssertionError(f"a vector of {len(vector)} dimensions was compared")

    def test_a9_a_scope_shows_its_own_documents_alone(self) -> None:
        """Through the view of a scope, no call of any store returns a document outside it."""
        whole = self.build()
        vector = run(HashEmbedder().embed(["TLS CIM Daten"]))[0]
        every = run(whole.documents(Filters(approval=None)))
        for count in range(len(STANDING_KINDS) + 1):
            for kinds in combinations(STANDING_KINDS, count):
                view = ScopedIndex(whole, CollectionScope(kinds=kinds))
                for asked in [(), *((kind,) for kind in STANDING_KINDS)]:
                    filters = Filters(kinds=asked, approval=None)
                    listed = run(view.documents(filters))
                    hits = run(view.search("TLS CIM Daten", vector, filters=filters))
                    found = [*listed, *(hit.passage.document for hit in hits)]
                    assert {item.kind for item in found} <= set(kinds) & set(asked or kinds)
                shown = run(view.documents(Filters(approval=None)))
                assert shown == [item for item in every if item.kind in kinds]
                read = {item.id for item in every if run(view.passages(item.id))}
                assert read == {item.id for item in shown}
                assert run(view.info()).documents == len(shown)
