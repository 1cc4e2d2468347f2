"""Parts, comparisons and overviews that a model writes: the same on both routes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest
from tests.host.scripted import MARK
from tests.host.test_written_routes import SCRIPTS, written_by
from tests.writer_server import Asked, Fault, Sentence, WriterServer

from elysia_guard import Guard
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia import TreeAsker
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.host,
    pytest.mark.filterwarnings("ignore:Implementing custom LMs through:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'prefix' argument:DeprecationWarning"),
]

PARTS = "What does ADR-0031 say about refusals and what does ADR-0029 say about alarms?"
SEARCHED = "How long are raw grid measurements kept, and how long are server certificates valid?"
COMPARED = "Compare ADR-0027 and ADR-0028 on how long a session lasts"
OVERVIEW = "What do our decisions and policies say about certificates?"
REFUSED = "What may our AI assistants base an answer on, and what does the canteen cook on Fridays?"


def of_each(asked: Asked) -> Sequence[Sentence]:
    """Write the first sentence of each source."""
    found = [" ".join(each["text"].split()).split(". ")[0] for each in asked.sources[:4]]
    return [(f"{words}.", [(n, f"{words}.")]) for n, words in enumerate(found, start=1)]


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(of_each) as made:
        yield made


async def on_both(
    wiring: Wiring, server: WriterServer, question: str, mode: Mode
) -> tuple[RAGResponse, RAGResponse]:
    """Ask by each route, each with a breaker of its own: neither knows what failed the other."""
    first, second = (written_by(wiring, url=server.url, model="m") for _ in range(2))
    tree = await TreeAsker(first).ask(question, mode=mode)
    direct = await Guard(wiring=second).aask(question, mode=mode)
    first.close()
    second.close()
    return tree, direct


def is_same(tree: RAGResponse, direct: RAGResponse) -> bool:
    """All that a reader sees, and how sure it is."""

    def seen(reply: RAGResponse) -> tuple[object, ...]:
        made = (reply.mode, reply.complete, reply.outcome, reply.retrieval_quality)
        return (reply.answer, reply.sources, reply.warnings, *made)

    return seen(tree) == seen(direct)


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.THINKING])
@pytest.mark.parametrize("question", [PARTS, SEARCHED, COMPARED, OVERVIEW])
@pytest.mark.parametrize("name", [*SCRIPTS, "of each"])
async def test_both_routes_say_the_same(
    wiring: Wiring, server: WriterServer, name: str, question: str, mode: Mode
) -> None:
    server.script = {**SCRIPTS, "of each": of_each}[name]
    tree, direct = await on_both(wiring, server, question, mode)
    assert is_same(tree, direct)
    assert MARK not in json.dumps(direct.to_dict())


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.PROSE, Fault.EMPTY, Fault.CLOSED])
async def test_a_broken_model_leaves_the_quotes_of_each_part(
    wiring: Wiring, server: WriterServer, fault: Fault
) -> None:
    """Each under its words, in their order, on both routes."""
    alone = await Guard(wiring=wiring).aask(PARTS, mode=Mode.INSTANT)
    server.fault = fault
    tree, direct = await on_both(wiring, server, PARTS, Mode.THINKING)
    assert is_same(tree, direct)
    assert [source.quote for source in direct.sources] == [source.quote for source in alone.sources]
    assert direct.mode is Mode.INSTANT


async def test_a_question_that_is_refused_stays_so(wiring: Wiring, server: WriterServer) -> None:
    """No plan of a model turns a verdict of the gates; nothing of it is shown."""
    server.searches = [MARK]
    tree, direct = await on_both(wiring, server, REFUSED, Mode.THINKING)
    assert is_same(tree, direct)
    assert MARK not in json.dumps(direct.to_dict())
