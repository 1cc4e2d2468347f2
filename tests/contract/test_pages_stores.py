"""What Elysia's pages are answered, over a Weaviate as over a file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.contract.memory_weaviate import MemoryConnection, MemoryWeaviate
from tests.contract.test_parts_stores import in_a_file, in_weaviate
from tests.unit.small_world import S, World, document

from elysia_guard import config as configuration
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.domain.scope import EVERYTHING
from elysia_guard.edge.elysia.webapp.pages.holdings import Holdings, Shelf
from elysia_guard.edge.elysia.webapp.pages.viewing import View
from elysia_guard.ports import PassageIndex
from elysia_guard.testing.fake_index import HashEmbedder


@pytest.fixture(params=["file", "weaviate"])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[PassageIndex]:
    embedder = HashEmbedder()
    if request.param == "weaviate":
        with closing(MemoryConnection(MemoryWeaviate())) as connection:
            yield await in_weaviate(connection, embedder)
    else:
        with closing(await in_a_file(tmp_path / "index.sqlite", embedder)) as file:
            yield file


@pytest.fixture
async def holdings(index: PassageIndex) -> Holdings:
    pipeline = World(made_index=index).pipeline
    made = Holdings(lambda: pipeline, configuration.load(environ={}))
    await made.refresh()
    return made


def shelf(holdings: Holdings, name: str) -> Shelf:
    found = holdings.named(name)
    assert found is not None
    return found


async def titles(holdings: Holdings, **asked: object) -> list[str]:
    _, found = await holdings.viewed(shelf(holdings, "Decisions"), View.model_validate(asked))
    return [row["title"] for row in found]


async def test_d1_a_document_opens_with_its_whole_text(holdings: Holdings) -> None:
    _, found = await holdings.viewed(
        shelf(holdings, "ADR_Ollama"), View(query="Other models are mapped")
    )
    row = found[0]
    assert row["title"] == "Use CIM as the domain language"
    assert "The options were CIM and a homegrown model." in row["content"]
    assert await holdings.one(shelf(holdings, "Decisions"), row["uuid"]) == row
    assert await holdings.one(shelf(holdings, "Principles"), row["uuid"]) is None


async def test_d1_a_concept_opens_with_its_neighbours_by_name(holdings: Holdings) -> None:
    _, found = await holdings.viewed(shelf(holdings, "Vocabulary Vennet"), View(query="trafo"))
    assert [row["term"] for row in found] == ["power transformer"]
    assert "transformer" in found[0]["also_called"]
    _, replaced = await holdings.viewed(
        shelf(holdings, "Vocabulary_Ollama"), View(query="CIM dump")
    )
    assert (replaced[0]["status"], replaced[0]["replaced_by"]) == ("deprecated", "meter")


async def test_d1_each_question_to_begin_with_is_answered(
    holdings: Holdings, index: PassageIndex
) -> None:
    """Asked as a person would, with everything counted; an ambiguous term is not among them."""
    pipeline = World(made_index=index).pipeline
    prompts = [prompt for item in await holdings.listed() for prompt in item["prompts"]]
    for prompt in prompts:
        inquiry = await pipeline.begin(prompt, request_id="r", route="direct")
        assert (await pipeline.answer(inquiry)).outcome == "asserted", prompt
    assert {"What is power transformer?", "List all decisions"} <= set(prompts)
    assert "What is CIM dump?" not in prompts


@pytest.mark.parametrize(
    ("lang", "asked"),
    [("en", "List all documents"), ("nl", "Toon alle documenten"), ("de", "Zeige alle Dokumente")],
)
async def test_d1_documents_of_no_kind_are_offered_too(lang: Lang, asked: str) -> None:
    """By their list, also where none has a number or a kind."""
    passages = document(DocumentKind.DOCUMENT, None, "Tea", (S.SUBSTANCE, "Tea is hot."))
    world = World(passages=passages)
    config = configuration.load(environ={}).model_copy(update={"default_lang": lang})
    (entry, *_) = await Holdings(lambda: world.pipeline, config).listed()
    assert entry["total"] == 1
    assert entry["prompts"][0] == asked


async def test_d1_a_search_looks_into_the_text_and_stays_in_its_collection(
    holdings: Holdings,
) -> None:
    found = await titles(holdings, query="courier tapes")
    assert found[0] == "Carry readings by courier"
    assert "Eventual consistency" not in await titles(holdings, query="replicas converge")


async def test_d1_what_is_switched_off_is_not_asked(holdings: Holdings) -> None:
    names = [item["name"] for item in await holdings.listed()]
    assert holdings.scope(names) == EVERYTHING
    assert holdings.scope([]) == EVERYTHING
    without = holdings.scope([name for name in names if name != "Policies"])
    assert not without.reaches(DocumentKind.POLICY)
    assert without.reaches(DocumentKind.DECISION)
    assert without.defines
    assert not holdings.scope(["Decisions"]).defines
