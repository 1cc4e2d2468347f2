"""A writer on both routes: the same answer, and nothing of a model's own words on any channel."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest
from tests.host.runs import everything_kept, run
from tests.host.scripted import MARK, ScriptedLM, hang
from tests.writer_server import Asked, Fault, Script, Sentence, WriterServer, unanswered, written

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import AnswerCacheSection, Config, WriterSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.edge.cli import doctor_settings
from elysia_guard.edge.cli.doctor_surroundings import PartState
from elysia_guard.edge.elysia import GuardedTree, TreeAsker
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.host,
    pytest.mark.filterwarnings("ignore:Implementing custom LMs through:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'prefix' argument:DeprecationWarning"),
]

ASKED = "How is the stability of the grid ensured?"
NAMED = "What does ADR-0012 say about mapping?"
TERM = "What is CIMXML?"
DUTCH = "Hoe wordt de stabiliteit van het net bewaakt?"
PARTS = "What does ADR-0031 say about refusals and what does ADR-0029 say about alarms?"
SEARCHED = "How long are raw grid measurements kept, and how long are server certificates valid?"
COMPARED = "Compare ADR-0027 and ADR-0028 on how long a session lasts"
OVERVIEW = "What do our decisions and policies say about certificates?"
REFUSED = "What may our AI assistants base an answer on, and what does the canteen cook on Fridays?"


def quoting(asked: Asked) -> Sequence[Sentence]:
    """Write the first sentence of the first source."""
    words = " ".join(asked.sources[0]["text"].split()).split(". ")[0]
    return [(words, [(1, words)])]


def making_up(asked: Asked) -> Sequence[Sentence]:
    """Write what no source says, over words that one does."""
    words = " ".join(asked.sources[0]["text"].split()).split(". ")[0]
    return [(f"{MARK}: it was invented in 1842.", [(1, words)]), (f"{MARK} {MARK}", [(1, words)])]


def of_each(asked: Asked) -> Sequence[Sentence]:
    """Write the first sentence of each source."""
    found = [" ".join(each["text"].split()).split(". ")[0] for each in asked.sources[:4]]
    return [(f"{words}.", [(n, f"{words}.")]) for n, words in enumerate(found, start=1)]


SCRIPTS = {"quoting": quoting, "making up": making_up, "saying no": unanswered}


def scripted(script: Script) -> Callable[[str], Any]:
    """Answer the prompt of a tree's own model as a script does."""

    async def answer(prompt: str) -> str:
        return written(script, prompt.splitlines()[-1])

    return answer


def written_by(wiring: Wiring, **section: object) -> Wiring:
    chosen: dict[str, object] = {
        "writer": WriterSection(kind="language_model", **section),  # type: ignore[arg-type]
        # Each route is to make its own.
        "answer_cache": AnswerCacheSection(enabled=False),
        "log_level": "DEBUG",
    }
    config: Config = wiring.config.model_copy(update=chosen)
    return Wiring(config)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedLM:
    """The tree's own model."""
    made = ScriptedLM(scripted(quoting))
    for name in ("load_base_lm", "load_complex_lm"):
        monkeypatch.setattr(f"elysia.tree.tree.{name}", lambda _: made)
    return made


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(quoting) as made:
        yield made


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("question", [ASKED, NAMED, TERM, DUTCH])
def test_both_routes_say_the_same(
    wiring: Wiring, server: WriterServer, name: str, question: str
) -> None:
    """Answer, sources, verdict and mode, whatever the server writes."""
    server.script = SCRIPTS[name]
    made = written_by(wiring, url=server.url, model="m")
    direct = Guard(wiring=made).ask(question)
    tree = GuardedTree(wiring=made, settings=Settings())
    tree(question)
    reply = tree.last_response
    made.close()
    assert reply is not None
    assert (reply.answer, reply.sources) == (direct.answer, direct.sources)
    assert (reply.outcome, reply.mode) == (direct.outcome, direct.mode)
    assert reply.retrieval_quality == direct.retrieval_quality
    assert MARK not in json.dumps(reply.to_dict())
    if question == TERM:
        assert not server.requests
    elif name == "quoting" and reply.sources:
        assert reply.mode is Mode.AUTO


async def test_a_trees_own_model_writes(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """Where the settings name no server; the status says what is under way."""
    made = written_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    done = await run(tree, ASKED)
    made.close()
    assert done.reply is not None
    assert done.reply.mode is Mode.AUTO
    assert done.reply.written_by.startswith("scripted@write+")
    assert model.calls == 1
    told = [item["payload"]["text"] for item in done.payloads if item["type"] == "status"]
    assert [text for text in told if "..." in text] == [
        "Searching the documents...",
        "Quoting the sources...",
        "Writing an answer...",
    ]


@pytest.mark.parametrize("mode", [Mode.INSTANT, Mode.AUTO])
async def test_a_tree_may_be_asked_in_another_mode(
    wiring: Wiring, server: WriterServer, mode: Mode
) -> None:
    """As a question on the direct route may."""
    made = written_by(wiring, url=server.url, model="m", mode="instant")
    reply = await TreeAsker(made).ask(ASKED, mode=mode)
    direct = await Guard(wiring=made).aask(ASKED, mode=mode)
    made.close()
    assert (reply.mode, reply.answer) == (direct.mode, direct.answer)
    assert reply.mode is mode


async def test_of_one_that_makes_things_up_nothing_reaches_anyone(
    wiring: Wiring,
    model: ScriptedLM,
    model_settings: Settings,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No page, status line, title, suggestion, saved conversation, or log at any level."""
    caplog.set_level(logging.DEBUG)
    model.answers = [scripted(making_up)]
    made = written_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    done = await run(tree, ASKED)
    title = await tree.create_conversation_title_async()
    suggested = await tree.get_follow_up_suggestions_async()
    made.close()
    assert done.reply is not None
    assert done.reply.mode is Mode.INSTANT
    assert model.calls == 1
    assert MARK not in everything_kept(tree, done)
    assert MARK not in f"{title}{suggested}{caplog.text}{capsys.readouterr()}"


@pytest.mark.parametrize("answer", [OSError(f"{MARK}: down"), f"{MARK}! I know it.", ""])
async def test_a_model_that_fails_leaves_the_quotes(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings, answer: str | Exception
) -> None:
    """As sure as without it, and flagged."""
    model.answers = [answer]
    made = written_by(wiring)
    direct = Guard(wiring=made).ask(ASKED)
    done = await run(GuardedTree(wiring=made, settings=model_settings), ASKED)
    made.close()
    assert done.reply is not None
    assert done.reply.sources == direct.sources
    assert done.reply.retrieval_quality.fallback_reasons == ("writer_error",)
    score = direct.retrieval_quality.confidence_score
    assert done.reply.retrieval_quality.confidence_score == score


async def test_one_that_never_answers_costs_its_deadline(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    model.answers = [hang]
    made = written_by(wiring, deadline_seconds=0.05)
    direct = Guard(wiring=made).ask(ASKED)
    done = await run(GuardedTree(wiring=made, settings=model_settings), ASKED)
    made.close()
    assert done.reply is not None
    assert done.reply.sources == direct.sources
    assert done.reply.retrieval_quality.fallback_reasons == ("writer_timeout",)


async def test_a_page_that_goes_away_stops_the_call(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """What was being written is given up, and the breaker is told nothing."""
    asked, stopped = asyncio.Event(), asyncio.Event()

    async def never(prompt: str) -> None:
        asked.set()
        try:
            await hang(prompt)
        finally:
            stopped.set()

    model.answers = [never]
    made = written_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    payloads = tree.async_run(ASKED)
    async for payload in payloads:
        if payload and payload["type"] == "status" and "Writing" in payload["payload"]["text"]:
            break
    await asyncio.wait_for(asked.wait(), timeout=5)
    await payloads.aclose()  # type: ignore[attr-defined]
    # Elysia's own generators are closed in later turns of the loop.
    await asyncio.wait_for(stopped.wait(), timeout=5)
    made.close()


def is_same(tree: RAGResponse, direct: RAGResponse) -> bool:
    """All that a reader sees, and how sure it is."""

    def seen(reply: RAGResponse) -> tuple[object, ...]:
        made = (reply.mode, reply.complete, reply.outcome, reply.retrieval_quality)
        return (reply.answer, reply.sources, reply.warnings, *made)

    return seen(tree) == seen(direct)


async def on_both(
    wiring: Wiring, server: WriterServer, question: str, mode: Mode
) -> tuple[RAGResponse, RAGResponse]:
    """Ask by each route, each with a breaker of its own: neither knows what failed the other."""
    first, second = (written_by(wiring, url=server.url, model="m") for _ in range(2))
    with closing(first), closing(second):
        tree = await TreeAsker(first).ask(question, mode=mode)
        return tree, await Guard(wiring=second).aask(question, mode=mode)


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.THINKING])
@pytest.mark.parametrize("question", [PARTS, SEARCHED, COMPARED, OVERVIEW, REFUSED])
@pytest.mark.parametrize("script", [of_each, making_up])
async def test_parts_comparisons_and_overviews_are_the_same(
    wiring: Wiring, server: WriterServer, script: Script, question: str, mode: Mode
) -> None:
    """No plan of a model turns a verdict of the gates either; nothing of it is shown."""
    server.script, server.searches = script, [MARK]
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


class TestVerifiedSynthesis:
    """The profile of that name in deed: nothing that a model wrote is shown."""

    @pytest.mark.parametrize("section", [{}, {"mode": "instant"}])
    def test_it_needs_somebody_who_writes(
        self, wiring: Wiring, server: WriterServer, section: dict[str, str]
    ) -> None:
        """On both routes before any question, and doctor says so."""
        given = {"kind": "language_model", "url": server.url, "model": "m", **section}
        writer = WriterSection.model_validate(given if section else {})
        chosen = {"profile": ProfileName.VERIFIED_SYNTHESIS, "writer": writer}
        told = "mode is 'instant'" if section else "set writer.kind"
        with closing(Wiring(wiring.config.model_copy(update=chosen))) as made:
            for make in (Guard, GuardedTree):
                with pytest.raises(ConfigError, match=f"verified-synthesis.* needs.*{told}"):
                    make(wiring=made)
            check = doctor_settings.profile(made)
            assert (check.state, check.needed) == (PartState.ERROR, True)
            assert told in check.text

    @pytest.mark.parametrize(
        ("script", "mode"),
        [(quoting, Mode.AUTO), (making_up, Mode.INSTANT), (unanswered, Mode.INSTANT)],
    )
    def test_a_right_model_is_shown_and_a_wrong_one_is_not(
        self, wiring: Wiring, server: WriterServer, script: Script, mode: Mode
    ) -> None:
        """On both routes; where nothing holds, quotes."""
        server.script = script
        made = written_by(wiring, url=server.url, model="m")
        config = made.config.model_copy(update={"profile": ProfileName.VERIFIED_SYNTHESIS})
        with closing(Wiring(config)) as parts:
            direct = Guard(wiring=parts).ask(ASKED)
            tree = GuardedTree(wiring=parts, settings=Settings())
            tree(ASKED)
        reply = tree.last_response
        assert reply is not None
        assert is_same(reply, direct)
        assert (reply.mode, bool(reply.sources)) == (mode, True)
        assert MARK not in json.dumps([reply.to_dict(), direct.to_dict()])


async def test_what_it_wrote_is_known_as_its_own(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """A tool that is told the conversation may give it back as what it found."""
    made = written_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    noted: list[str] = []
    tree.completions.wrote = lambda said, having_read="": noted.append(said)  # type: ignore[method-assign, misc]
    done = await run(tree, ASKED)
    made.close()
    assert done.reply is not None
    assert noted == [done.reply.answer]
