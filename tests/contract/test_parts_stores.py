"""Parts, comparisons and what stands beside: over a Weaviate as over a file."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.unit.made_writers import CIM, TLS, Plan, Scripted, writing
from tests.unit.small_world import KNOWLEDGE, LIMITS, THRESHOLDS, World, document

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
from elysia_guard.stages.writing import AnswerGenerator
from elysia_guard.testing.fake_index import HashEmbedder

BY_WORDS = Calibration(intercept=-2.0, similarity=0.0, coverage=6.0, lexical=0.0)
"""Half of the words covered make 0.73, a third of them 0.5, none 0.12."""
PARTNERS = "Connections of partners are listed."
NEARBY = document(DocumentKind.POLICY, 90, "Rules", (SectionRole.SUBSTANCE, PARTNERS))
TWO = "Which language do we use for the domain and how are connections encrypted?"
MIXED = "Are connections encrypted while replicas converge and the canteen cooks?"
MIXED_PARTS = ("Are connections encrypted?", "Do replicas converge?", "Does the canteen cook?")
REPLICAS = "Replicas converge; temporary divergence is tolerated."
NAMES = Names(passages={kind: f"Test_{kind.value}" for kind in STANDING_KINDS})
PASSAGES = (*KNOWLEDGE, *NEARBY)
SURE = replace(THRESHOLDS, search_ceiling=0.95)
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
) -> tuple[RAGResponse, list[set[str]]]:
    """Ask one question; return the reply, and of which documents its writer was told each time."""
    world = World(made_index=index, thresholds=thresholds)
    sentences = (CIM, TLS, REPLICAS, PARTNERS)
    writer = Scripted(writing(*((each, each) for each in sentences)))
    desk = AnswerGenerator(writer=writer, planner=Plan(*MIXED_PARTS), clock=world.clock)
    pipeline = replace(world.pipeline, generator=desk)
    inquiry = await pipeline.begin(text, request_id="req-1", route="direct", mode=mode)
    reply = await pipeline.answer(inquiry)
    return reply, [{item.document.identifier for item in told} for _, told, *_ in writer.asked]


@pytest.mark.parametrize(
    ("text", "mode", "thresholds"),
    [
        (TWO, Mode.AUTO, SURE),
        (TWO, Mode.THINKING, SURE),
        ("Compare ADR-0012 and ADR-0027", Mode.AUTO, SURE),
        ("How are connections encrypted to be protected?", Mode.AUTO, BY_COVERAGE),
    ],
)
async def test_both_stores_say_the_same(
    tmp_path: Path, text: str, mode: Mode, thresholds: Thresholds
) -> None:
    embedder = HashEmbedder()
    with closing(MemoryConnection(MemoryWeaviate())) as connection:
        weaviate = await in_weaviate(connection, embedder)
        first, told_first = await asked(weaviate, text, mode, thresholds)
    with closing(await in_a_file(tmp_path / "index.sqlite", embedder)) as file:
        second, told_second = await asked(file, text, mode, thresholds)
    assert told_first == told_second != []
    assert (first.mode, first.outcome, first.complete) == (
        second.mode,
        second.outcome,
        second.complete,
    )
    assert [source.quote for source in first.sources] == [source.quote for source in second.sources]
    assert first.answer == second.answer
