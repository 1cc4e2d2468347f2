"""What an index works out by itself: counts, generations, missing vectors, vectors of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from tests.contract.index_contract import sample_passages
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate, Used
from tests.contract.test_parts_stores import NAMES, in_weaviate
from tests.unit.made_guides import TLS

from elysia_guard.adapters.hybrid import rarity_of
from elysia_guard.adapters.sentence_vectors import compared, pack
from elysia_guard.adapters.weaviate_index.register import standing, why_not
from elysia_guard.adapters.weaviate_index.schema import (
    SCHEMA_VERSION,
    VECTOR,
    BuildState,
    Record,
)
from elysia_guard.adapters.weaviate_index.search import Candidate, VectorDistance
from elysia_guard.adapters.weaviate_index.statistics import Statistics, Terms
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import DocumentKind, Filters, Hit, Passage
from elysia_guard.domain.thresholds import Limits
from elysia_guard.stages.gates.passages import distance_gate
from elysia_guard.testing.fake_index import HashEmbedder

PASSAGES = sample_passages()
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


def record(passage: Passage, generation: int = 1, removed: int = 0) -> Record:
    return Record(
        document=passage.document, fingerprint="f", generation=generation, removed=removed
    )


class TestStatistics:
    def test_of_nothing(self) -> None:
        """Without a passage every word is rare, and nothing scores."""
        nothing = Statistics.count([])
        assert rarity_of(["tls"], "en", nothing, nothing.passages) == {"tls": 1.0}
        assert nothing.score(Terms.of("TLS", []), "other words", "other") is None


class TestGenerations:
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


@pytest.fixture
def connection() -> Iterator[MemoryConnection]:
    with closing(MemoryConnection(MemoryWeaviate())) as made:
        yield made


async def hit_of_words_alone(
    connection: MemoryConnection, patch: pytest.MonkeyPatch, held: dict[str, list[float]] | None
) -> Hit:
    """Find a passage by its words, where a search by meaning would have brought others.

    ``held`` takes the place of its vectors; None leaves them as they are.
    """

    async def nothing(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(objects=[])

    index = await in_weaviate(connection, HashEmbedder())
    if held is not None:
        for item in connection._memory.stored[
            NAMES.passages[DocumentKind.DECISION]
        ].objects.values():
            item.vector = held
    patch.setattr(Used, "near_vector", nothing)
    (vector,) = await HashEmbedder().embed([TLS])
    hits = await index.search(TLS, vector, filters=Filters(kinds=(DocumentKind.DECISION,)))
    return hits[0]


async def test_a_hit_of_words_alone_is_measured(
    connection: MemoryConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the leg of meaning did not bring gets its true distance from its own vector."""
    hit = await hit_of_words_alone(connection, monkeypatch, None)
    assert TLS in hit.passage.text
    assert hit.distance is not None
    assert 0.0 < hit.distance < 0.9


@pytest.mark.parametrize("held", [{}, {VECTOR: [1.0, 0.0]}, {VECTOR: [0.0] * 64}])
async def test_a_hit_whose_distance_cannot_be_had_is_refused(
    connection: MemoryConnection, monkeypatch: pytest.MonkeyPatch, held: dict[str, list[float]]
) -> None:
    """It comes without a distance, none is made up, and the gate lets none such pass."""
    hit = await hit_of_words_alone(connection, monkeypatch, held)
    assert hit.distance is None
    assert not distance_gate(hit.distance, LIMITS).passed


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


def test_a_packed_vector_points_where_it_pointed() -> None:
    """One byte a dimension costs less than a thousandth of the cosine."""
    numbers = np.random.default_rng(1)
    query, *vectors = (row / np.linalg.norm(row) for row in numbers.standard_normal((9, 512)))
    packed = pack(vectors)
    assert len(packed) == 8 * 512
    true = max(float(vector @ query) for vector in vectors)
    assert compared([packed], query).nearest([0.0])[0] == pytest.approx(true, abs=1e-3)


def test_nothing_is_near_nothing() -> None:
    """Vectors of no length, no sentences and no passages are no error."""
    assert list(compared([pack([[0.0, 0.0]])], [1.0, 0.0]).nearest([0.5])) == [0.0]
    assert list(compared([pack([[1.0, 0.0]])], [0.0, 0.0]).nearest([0.5])) == [0.0]
    assert list(compared([pack([])], [1.0, 0.0]).nearest([0.5])) == [0.5]
    assert list(compared([], [1.0, 0.0]).nearest([])) == []
