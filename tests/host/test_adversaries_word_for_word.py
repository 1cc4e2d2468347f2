"""Altered sentences on the direct route, the tree and the page: what is shown, a file has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from scripts.lab.adversaries.tally import shown_in
from tests.host.disguises import ALTERED, EACH, DisguisingServer, is_heard, unknown_lines

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection, LanguageModelSection, home
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.mode import Mode
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.evaluation import golden
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

KINDS = list(ALTERED)
ROUNDS = [KINDS[at : at + EACH] for at in range(0, len(KINDS), EACH)]
GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
EVERY = 60
QUESTIONS = (
    "How is the stability of the grid ensured?",
    "What does ADR-0012 say about mapping?",
    "Hoe wordt de stabiliteit van het net bewaakt?",
    "How long are raw grid measurements kept, and how long are server certificates valid?",
)


@pytest.fixture
def server() -> Iterator[DisguisingServer]:
    with DisguisingServer() as made:
        yield made


@pytest.fixture
def guided(wiring: Wiring, server: DisguisingServer) -> Iterator[Wiring]:
    chosen = {
        "llm": LanguageModelSection(url=server.url, model="m"),
        "answer_cache": AnswerCacheSection(enabled=False),
        "log_level": "CRITICAL",
    }
    with closing(Wiring(wiring.config.model_copy(update=chosen))) as made:
        yield made


@pytest.mark.parametrize(
    "line",
    [
        "> Keys are rotated by the board of Atlantis. [source:1]",
        "**ADR-0015: A title of its own** (accepted)",
        "\u26a0 ADR-0015 was replaced by the board of Atlantis",
    ],
)
def test_a_line_of_nobody_would_be_found(line: str) -> None:
    assert unknown_lines(line, "What does ADR-0015 decide?")


@pytest.mark.parametrize("kinds", ROUNDS, ids=lambda kinds: kinds[0])
def test_on_the_direct_route(guided: Wiring, server: DisguisingServer, kinds: list[str]) -> None:
    """Every line of what a model was asked for stands in a file, or is a text of ours."""
    server.kinds, told, pointed = kinds, server.told, 0
    for case in golden.load(GOLDEN).select(golden.Split.TUNING)[::EVERY]:
        server.requests.clear()
        try:
            reply = Guard(wiring=guided).ask(case.query)
        except QuestionError:
            continue
        pointed += reply.mode is Mode.AUTO
        if server.requests:
            assert unknown_lines(reply.answer, case.query) == []
        assert not [text for text in told if is_heard(text, shown_in(reply, reply.to_dict()))]
    assert set(told.values()) == set(kinds)
    assert pointed


@pytest.mark.parametrize("kinds", ROUNDS, ids=lambda kinds: kinds[0])
async def test_on_the_tree(guided: Wiring, server: DisguisingServer, kinds: list[str]) -> None:
    server.kinds = kinds
    tree = GuardedTree(wiring=guided, settings=Settings())
    for n, question in enumerate(QUESTIONS):
        sent = [item async for item in tree.async_run(question, query_id=f"q-{n}")]
        kept = (tree.conversation_history, tree.returner.store, tree.export_to_json())
        assert tree.last_response is not None
        assert unknown_lines(tree.last_response.answer, question) == []
        assert not [text for text in server.told if is_heard(text, shown_in(sent, kept))]
    assert server.told
