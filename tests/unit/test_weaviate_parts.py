"""What the index in a Weaviate works out by itself: counts, generations, missing vectors."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.contract.index_contract import sample_passages

from elysia_guard.adapters.hybrid import rarity_of
from elysia_guard.adapters.sentence_vectors import pack
from elysia_guard.adapters.sqlite_index import SqliteIndex, writing
from elysia_guard.adapters.weaviate_index.register import GenerationSnapshot, standing, why_not
from elysia_guard.adapters.weaviate_index.schema import (
    SCHEMA_VERSION,
    BuildState,
    Names,
    Record,
    properties_of,
)
from elysia_guard.adapters.weaviate_index.search import Candidate, GenerationSearch, VectorDistance
from elysia_guard.adapters.weaviate_index.statistics import Statistics, Terms, passage_stems
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import DocumentKind, Filters, Hit, Passage
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.thresholds import Limits
from elysia_guard.stages.gates.distance_and_coverage import distance_gate
from elysia_guard.testing.fake_index import HashEmbedder

PASSAGES = sample_passages()
EVERYTHING = Filters(approval=None)
NAMES = Names(passages={kind: kind.value.title() for kind in STANDING_KINDS})
STATE = BuildState(
    schema_version=SCHEMA_VERSION,
    model_id="hash@1",
    dimension=64,
    collections=NAMES.written(),
    generation=1,
)
LIMITS = Limits(
    distance_threshold=0.9,
    min_query_coverage=0.0,
    calibration=Calibration(intercept=0, similarity=1, coverage=1, lexical=0),
    source="default",
)


def counted() -> Statistics:
    return Statistics.count((item.text, passage_stems(item)) for item in PASSAGES)


def record(passage: Passage, generation: int = 1, removed: int = 0) -> Record:
    return Record(
        document=passage.document, fingerprint="f", generation=generation, removed=removed
    )


def vectors(texts: Sequence[str]) -> list[list[float]]:
    return [list(vector) for vector in asyncio.run(HashEmbedder().embed(texts))]


@pytest.fixture
def embedded(tmp_path: Path) -> SqliteIndex:
    """The embedded index of the same passages."""
    path = tmp_path / "index.sqlite"
    with writing(path, model_id="hash@1", dimension=64) as writer:
        for document, group in groupby(PASSAGES, key=lambda passage: passage.document):
            held = list(group)
            asyncio.run(writer.put(document, held, vectors([item.text for item in held])))
    return SqliteIndex.open(path)


class TestStatistics:
    @pytest.mark.parametrize(
        "query", ["TLS", "CIM domain language", "eigenaren", "gelöschte Daten", "networks", "CIM's"]
    )
    async def test_it_scores_as_the_embedded_index_does(
        self, embedded: SqliteIndex, query: str
    ) -> None:
        """One calibration serves both: the BM25 score of a passage is the same."""
        with closing(embedded):
            hits = await embedded.search(query, None, filters=EVERYTHING)
        languages = {item.document.lang for item in PASSAGES}
        terms, statistics = Terms.of(query, languages), counted()
        scores = {
            item.id: statistics.score(terms, item.text, passage_stems(item)) for item in PASSAGES
        }
        found = {id_: score for id_, score in scores.items() if score is not None}
        assert found == pytest.approx({hit.passage.id: hit.lexical for hit in hits})

    async def test_words_are_as_rare_as_in_the_embedded_index(self, embedded: SqliteIndex) -> None:
        """So that one coverage gate serves both."""
        words = ["cim", "tls", "connection", "zebra", "löschung"]
        with closing(embedded):
            expected = await embedded.rarity(words, lang="en")
        found = rarity_of(words, "en", counted(), len(PASSAGES))
        assert found == pytest.approx(expected)

    def test_it_comes_back_as_it_was(self) -> None:
        """What is stored is what was counted."""
        assert Statistics.unpacked(counted().packed()) == counted()

    def test_of_nothing(self) -> None:
        """Without a passage every word is rare, and nothing scores."""
        nothing = Statistics.count([])
        assert rarity_of(["tls"], "en", nothing, nothing.passages) == {"tls": 1.0}
        assert nothing.score(Terms.of("TLS", []), "other words", "other") is None


class TestGenerations:
    def test_the_newest_version_counts(self) -> None:
        """A version of the next generation is not seen before its time."""
        old, new = record(PASSAGES[0], 1), record(PASSAGES[0], 2)
        for records in ([old, new], [new, old]):
            assert list(standing(records, 1).values()) == [old]
            assert list(standing(records, 2).values()) == [new]

    def test_what_is_removed_stands_until_then(self) -> None:
        """A document that the next generation lacks is still in this one."""
        gone = record(PASSAGES[0], 1, removed=2)
        assert standing([gone], 1)
        assert not standing([gone], 2)

    def test_what_came_back_stands(self) -> None:
        """A document removed by an ingest that was cut off, and added by the next, is there."""
        gone, back = record(PASSAGES[0], 1, removed=2), record(PASSAGES[0], 2)
        assert list(standing([gone, back], 2).values()) == [back]

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({}, ""),
            ({"model_id": "hash@2"}, "the model hash@2 was replaced by hash@1"),
            ({"schema_version": 0}, f"schema version 0 became {SCHEMA_VERSION}"),
            ({"collections": "{}"}, "the collections have other names"),
        ],
    )
    def test_an_index_of_something_else_says_why(self, changed: dict[str, Any], said: str) -> None:
        """Model, schema and names must be those of the configuration."""
        state = replace(STATE, **changed)
        assert why_not(state, model_id="hash@1", dimension=64, names=NAMES) == said


@dataclass
class Shelf:
    """One collection of a Weaviate, which answers with all that it holds."""

    objects: list[Any]
    held: dict[Any, list[float]]
    filters: list[Any] = field(default_factory=list)

    async def bm25(self, query: str, *, filters: Any, limit: int, **_: Any) -> Any:
        self.filters.append(filters)
        found = [
            each
            for each in self.objects
            if set(query.split()) & set(each.properties["stems"].split())
        ]
        return SimpleNamespace(objects=found[:limit])

    async def near_vector(self, vector: list[float], *, limit: int, **_: Any) -> Any:
        """The nearest, as far as they have a vector; one at most, as if many were nearer."""
        return SimpleNamespace(objects=[])

    async def fetch_objects_by_ids(self, ids: list[Any], **_: Any) -> Any:
        found = [each for each in self.objects if each.uuid in ids]
        return SimpleNamespace(
            objects=[
                SimpleNamespace(
                    uuid=each.uuid,
                    vector={"default": self.held[each.uuid]} if each.uuid in self.held else {},
                )
                for each in found
            ]
        )


class Shelves:
    """A client of collections of decisions alone, of which some passages lack their vector."""

    def __init__(self, passages: Sequence[Passage], *, lacking: Sequence[str] = ()) -> None:
        objects = [
            SimpleNamespace(
                uuid=passage.id,
                properties={"section": "", "role": ""} | properties_of(passage, 1),
                metadata=SimpleNamespace(distance=None),
            )
            for passage in passages
        ]
        texts = [passage.in_context for passage in passages]
        held = dict(zip((each.uuid for each in objects), vectors(texts), strict=True))
        held = {uuid: vector for uuid, vector in held.items() if uuid not in lacking}
        self.shelf = Shelf(objects, held)
        self.collections = self

    def use(self, name: str) -> Any:
        if name == NAMES.sentences:
            return SimpleNamespace(query=Shelf([], {}))
        return SimpleNamespace(query=self.shelf)


def search(client: Shelves, query: str, *, filters: Filters = EVERYTHING) -> list[Hit]:
    kinds = {DocumentKind.DECISION: "Decisions"}
    records = {passage.document.id: record(passage) for passage in PASSAGES}
    snapshot = GenerationSnapshot(STATE, records, counted())
    found = GenerationSearch(client, Names(passages=kinds), snapshot, {})  # type: ignore[arg-type]
    (vector,) = vectors(["Use TLS\nDecision\nConnections are encrypted with TLS."])
    return asyncio.run(found.hits(query, vector, filters=filters, limit=5))


def test_a_hit_of_words_alone_is_measured() -> None:
    """What the leg of meaning did not bring gets its true distance from its own vector."""
    (hit,) = search(Shelves(PASSAGES), "TLS")
    assert hit.passage.document.id == "ADR-0027"
    assert hit.distance == pytest.approx(0.0, abs=1e-6)


def test_a_hit_whose_distance_cannot_be_had_is_refused() -> None:
    """It comes without a distance, and the gate lets none such pass."""
    (hit,) = search(Shelves(PASSAGES, lacking=["ADR-0027#000"]), "TLS")
    assert hit.distance is None
    assert not distance_gate(hit.distance, LIMITS).passed


def test_a_vector_of_another_length_is_no_distance() -> None:
    """Nor is one made up where the vectors cannot be compared, or one is zero."""
    client = Shelves(PASSAGES)
    for odd in ([1.0, 0.0], [0.0] * 64):
        client.shelf.held["ADR-0027#000"] = odd
        (hit,) = search(client, "TLS")
        assert hit.distance is None


def test_the_nearest_sentence_ranks_a_passage() -> None:
    """A passage of which one sentence is near comes before one that is nearer as a whole."""
    near, far = [1.0, 0.0], [0.0, 1.0]
    found = {
        id_: Candidate(cast(Any, id_), "Decisions", PASSAGES[0], "", distance)
        for id_, distance in (("a", 0.2), ("b", 0.6), ("c", None), ("d", 0.2))
    }
    packed: Any = {"b": pack([far, near])}
    ranked = VectorDistance(cast(Any, None), NAMES, near).by_sentence(found, packed)
    assert list(ranked) == ["b", "a", "d", "c"]
    assert ranked["b"].sentence_distance == pytest.approx(0.0, abs=0.01)
    assert ranked["a"].sentence_distance == pytest.approx(0.2)
    assert ranked["b"].sentence_distances == pytest.approx((1.0, 0.0), abs=0.01)
    assert ranked["a"].sentence_distances == ()
