"""Parts, comparisons and what stands beside: over a Weaviate as over a file."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.unit.made_guides import CIM, SURE, TLS, Scripted, guided, planning, pointing
from tests.unit.small_world import KNOWLEDGE, LIMITS, World, document

from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.adapters.sqlite_index import writing as filling
from elysia_guard.adapters.weaviate_index import Names, WeaviateIndex, WeaviateStore
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import DocumentKind, Passage, SectionRole
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.ports import PassageIndex
from elysia_guard.testing.fake_index import HashEmbedder

BY_WORDS = Calibration(intercept=-2.0, similarity=0.0, coverage=6.0, lexical=0.0)
"""Half of the words covered make 0.73, a third of them 0.5, none 0.12."""
PARTNERS = "Connections of partners are listed."
NEARBY = document(DocumentKind.POLICY, 90, "Rules", (SectionRole.SUBSTANCE, PARTNERS))
TWO = "Which language do we use for the domain and how are connections encrypted?"
REPLICAS = "Replicas converge; temporary divergence is tolerated."
NAMES = Names(passages={kind: f"Test_{kind.value}" for kind in STANDING_KINDS})
PASSAGES = (*KNOWLEDGE, *NEARBY)
BY_COVERAGE = replace(SURE, default=replace(LIMITS, min_query_coverage=0.1, calibration=BY_WORDS))


def documents() -> list[list[Passage]]:
    return [list(group) for _, group in groupby(PASSAGES, key=lambda item: item.document.id)]


async def in_weaviate(connection: MemoryConnection, embedder: HashEmbedder) -> PassageIndex:
    store = WeaviateStore(connection, NAMES)
    known = {"model_id": embedder.model_id, "dimension": embedder.dimension}
    async with store.writing(**known) as writer:
        for own in documents():
            vectors = await embedder.embed([item.in_context for item in own])
            await writer.put(own[0].document, own, vectors, fingerprint="1")
    return WeaviateIndex(connection, NAMES, **known)


async def in_a_file(path: Path, embedder: HashEmbedder) -> SqliteIndex:
    vectors = [await embedder.embed([item.in_context for item in own]) for own in documents()]
    with filling(path, model_id=embedder.model_id, dimension=embedder.dimension) as writer:
        for own, found in zip(documents(), vectors, strict=True):
            await writer.put(own[0].document, own, found)
    return SqliteIndex.open(path)


async def asked(
    index: PassageIndex, text: str, mode: Mode, thresholds: Thresholds
) -> tuple[RAGResponse, list[object]]:
    """Ask one question; return the reply, and what its guide was told each time."""
    plan = planning("PCP-0010", searches=("Do replicas converge?",))
    guide = Scripted(plan=plan, point=pointing(CIM, TLS, REPLICAS, PARTNERS))
    pipeline = guided(guide, World(made_index=index, thresholds=thresholds)).pipeline
    inquiry = await pipeline.begin(text, request_id="req-1", route="direct", mode=mode)
    reply = await pipeline.answer(inquiry)
    catalogues = [sorted(item.id for item in each.catalogue) for each in guide.planned]
    units = [[(unit.passage.id, unit.text) for unit in each.units] for each in guide.pointed]
    return reply, [*catalogues, *units]


@pytest.mark.parametrize(
    ("text", "mode", "thresholds", "guided_by_model"),
    [
        (TWO, Mode.AUTO, SURE, True),
        (TWO, Mode.THINKING, SURE, True),
        ("Compare ADR-0012 and ADR-0027", Mode.AUTO, SURE, False),
        ("What is the difference between encryption and convergence?", Mode.AUTO, SURE, True),
        ("How are connections encrypted to be protected?", Mode.AUTO, BY_COVERAGE, True),
    ],
)
async def test_both_stores_say_the_same(
    tmp_path: Path, text: str, mode: Mode, thresholds: Thresholds, *, guided_by_model: bool
) -> None:
    embedder = HashEmbedder()
    with closing(MemoryConnection(MemoryWeaviate())) as connection:
        weaviate = await in_weaviate(connection, embedder)
        first, told_first = await asked(weaviate, text, mode, thresholds)
    with closing(await in_a_file(tmp_path / "index.sqlite", embedder)) as file:
        second, told_second = await asked(file, text, mode, thresholds)
    assert told_first == told_second
    assert bool(told_first) is guided_by_model
    assert (first.mode, first.outcome, first.complete) == (
        second.mode,
        second.outcome,
        second.complete,
    )
    assert [source.quote for source in first.sources] == [source.quote for source in second.sources]
    assert first.answer == second.answer
