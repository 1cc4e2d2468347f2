"""A model that plans and points: the same on both routes, and no word of its own anywhere."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.guide_server import (
    Fault,
    GuideServer,
    Script,
    denying,
    inventing,
    lazy,
    pointing,
)
from tests.host.runs import everything_kept, run
from tests.host.scripted import MARK, ScriptedLM, awaited, guiding, hang, load_as_models, making_up

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import AnswerCacheSection
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
REFUSED = "What may our AI assistants base an answer on, and what does the canteen cook on Fridays?"
GRID = pointing("grid", "net", "measure", "refus")

SCRIPTS = {"pointing": GRID, "lazy": lazy, "denying": denying, "inventing": inventing}


def pointed_by(wiring: Wiring, **section: object) -> Wiring:
    llm = wiring.config.llm.model_copy(update=section)
    chosen: dict[str, object] = {
        "llm": llm,
        # Each route is to make its own.
        "answer_cache": AnswerCacheSection(enabled=False),
        "log_level": "DEBUG",
    }
    return Wiring(wiring.config.model_copy(update=chosen))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedLM:
    """The tree's own model."""
    made = ScriptedLM(awaited(guiding(GRID)))
    load_as_models(monkeypatch, made)
    return made


@pytest.fixture
def server() -> Iterator[GuideServer]:
    with GuideServer(GRID) as made:
        yield made


def is_same(tree: RAGResponse, direct: RAGResponse) -> bool:
    """All that a reader sees, and how sure it is."""

    def seen(reply: RAGResponse) -> tuple[object, ...]:
        made = (reply.mode, reply.complete, reply.outcome, reply.retrieval_quality)
        return (reply.answer, reply.sources, reply.warnings, *made)

    return seen(tree) == seen(direct)


async def on_both(
    wiring: Wiring, server: GuideServer, question: str, mode: Mode = Mode.AUTO
) -> tuple[RAGResponse, RAGResponse]:
    """Ask by each route, each with a breaker of its own: neither knows what failed the other."""
    first, second = (pointed_by(wiring, url=server.url, model="m") for _ in range(2))
    with closing(first), closing(second):
        tree = await TreeAsker(first).ask(question, mode=mode)
        return tree, await Guard(wiring=second).aask(question, mode=mode)


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("question", [ASKED, NAMED, DUTCH, PARTS, SEARCHED, COMPARED, REFUSED])
async def test_both_routes_say_the_same(
    wiring: Wiring, server: GuideServer, name: str, question: str
) -> None:
    """Answer, sources, verdict and mode, whatever the model points at."""
    server.script, server.searches = SCRIPTS[name], [MARK]
    tree, direct = await on_both(wiring, server, question)
    assert is_same(tree, direct)
    assert MARK not in json.dumps([tree.to_dict(), direct.to_dict()])
    assert server.asked_to("point") or question == COMPARED  # two identities


@pytest.mark.parametrize("question", [ASKED, SEARCHED, REFUSED])
async def test_they_do_where_it_looks_twice(
    wiring: Wiring, server: GuideServer, question: str
) -> None:
    server.script = denying
    tree, direct = await on_both(wiring, server, question, Mode.THINKING)
    assert is_same(tree, direct)


async def test_a_term_asks_no_model(wiring: Wiring, server: GuideServer) -> None:
    await on_both(wiring, server, TERM)
    assert not server.requests


async def test_a_trees_own_model_points(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """With nothing set but Elysia's own settings; the status says what is under way."""
    made = pointed_by(wiring)
    done = await run(GuardedTree(wiring=made, settings=model_settings), ASKED)
    made.close()
    assert done.reply is not None
    assert done.reply.mode is Mode.AUTO
    assert done.reply.written_by.startswith("scripted@point+")
    assert model.calls == 2 + 2
    told = [item["payload"]["text"] for item in done.payloads if item["type"] == "status"]
    assert [text for text in told if "..." in text] == [
        "Searching the documents...",
        "Looking where it may stand...",
        "Searching in other words...",
        "Reading what was found...",
        "Quoting the sources...",
    ]


async def test_none_is_asked_where_the_settings_say_so(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    made = pointed_by(wiring, use="none")
    done = await run(GuardedTree(wiring=made, settings=model_settings), ASKED)
    made.close()
    assert done.reply is not None
    assert (done.reply.mode, model.calls) == (Mode.INSTANT, 0)


@pytest.mark.parametrize("mode", [Mode.INSTANT, Mode.AUTO])
async def test_a_tree_may_be_asked_in_another_mode(
    wiring: Wiring, server: GuideServer, mode: Mode
) -> None:
    """As a question on the direct route may."""
    made = pointed_by(wiring, url=server.url, model="m", mode="instant")
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
    model.answers = [awaited(making_up)]
    made = pointed_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    done = await run(tree, ASKED)
    title = await tree.create_conversation_title_async()
    suggested = await tree.get_follow_up_suggestions_async()
    made.close()
    assert done.reply is not None
    assert done.reply.mode is Mode.INSTANT
    assert MARK not in everything_kept(tree, done)
    assert MARK not in f"{title}{suggested}{caplog.text}{capsys.readouterr()}"


@pytest.mark.parametrize("answer", [OSError(f"{MARK}: down"), f"{MARK}! I know it.", "", hang])
async def test_a_model_that_fails_leaves_the_rules(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings, answer: str | Exception
) -> None:
    """As sure as without it, and flagged; one that never answers costs its deadline."""
    model.answers = [answer]
    made = pointed_by(wiring, answer_seconds=0.05 if answer is hang else 10)
    direct = Guard(wiring=made).ask(ASKED)
    done = await run(GuardedTree(wiring=made, settings=model_settings), ASKED)
    made.close()
    assert done.reply is not None
    assert done.reply.sources == direct.sources
    flag = "llm_timeout" if answer is hang else "llm_error"
    assert done.reply.retrieval_quality.fallback_reasons == (flag,)
    score = direct.retrieval_quality.confidence_score
    assert done.reply.retrieval_quality.confidence_score == score


async def test_a_page_that_goes_away_stops_the_call(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """What was being asked is given up, and the breaker is told nothing."""
    asked, stopped = asyncio.Event(), asyncio.Event()

    async def never(prompt: str) -> None:
        asked.set()
        try:
            await hang(prompt)
        finally:
            stopped.set()

    model.answers = [never]
    made = pointed_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    payloads = tree.async_run(ASKED)
    async for payload in payloads:
        if payload and payload["type"] == "status" and "Looking" in payload["payload"]["text"]:
            break
    await asyncio.wait_for(asked.wait(), timeout=5)
    await payloads.aclose()  # type: ignore[attr-defined]
    # Elysia's own generators are closed in later turns of the loop.
    await asyncio.wait_for(stopped.wait(), timeout=5)
    made.close()


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.PROSE, Fault.EMPTY, Fault.CLOSED])
async def test_a_broken_model_leaves_the_quotes_of_each_part(
    wiring: Wiring, server: GuideServer, fault: Fault
) -> None:
    """Each under its words, in their order, on both routes."""
    alone = await Guard(wiring=wiring).aask(SEARCHED, mode=Mode.INSTANT)
    server.fault = fault
    tree, direct = await on_both(wiring, server, SEARCHED, Mode.THINKING)
    assert is_same(tree, direct)
    assert [source.quote for source in direct.sources] == [source.quote for source in alone.sources]
    assert direct.mode is Mode.INSTANT


class TestVerifiedSynthesis:
    """The profile of that name in deed: a model chooses, and the sources speak."""

    @pytest.mark.parametrize(
        ("section", "told"),
        [({"use": "none"}, "set llm.use"), ({"mode": "instant"}, "mode is 'instant'")],
    )
    def test_it_needs_a_model(self, wiring: Wiring, section: dict[str, str], told: str) -> None:
        """On both routes before any question, and doctor says so."""
        llm = wiring.config.llm.model_copy(update=section)
        chosen = {"profile": ProfileName.VERIFIED_SYNTHESIS, "llm": llm}
        with closing(Wiring(wiring.config.model_copy(update=chosen))) as made:
            for make in (Guard, GuardedTree):
                with pytest.raises(ConfigError, match=f"verified-synthesis.* needs.*{told}"):
                    make(wiring=made)
            check = doctor_settings.profile(made)
            assert (check.state, check.needed) == (PartState.ERROR, True)
            assert told in check.text

    @pytest.mark.parametrize(("script", "mode"), [(GRID, Mode.AUTO), (inventing, Mode.INSTANT)])
    def test_a_right_model_is_used_and_a_wrong_one_is_not(
        self, wiring: Wiring, server: GuideServer, script: Script, mode: Mode
    ) -> None:
        """On both routes; where nothing holds, quotes."""
        server.script = script
        made = pointed_by(wiring, url=server.url, model="m")
        config = made.config.model_copy(update={"profile": ProfileName.VERIFIED_SYNTHESIS})
        with closing(Wiring(config)) as parts:
            direct = Guard(wiring=parts).ask(ASKED)
            tree = GuardedTree(wiring=parts, settings=Settings())
            tree(ASKED)
        reply = tree.last_response
        assert reply is not None
        assert is_same(reply, direct)
        assert (reply.mode, bool(reply.sources)) == (mode, True)


async def test_what_it_chose_is_known_as_its_own(
    wiring: Wiring, model: ScriptedLM, model_settings: Settings
) -> None:
    """A tool that is told the conversation may give it back as what it found."""
    made = pointed_by(wiring)
    tree = GuardedTree(wiring=made, settings=model_settings)
    noted: list[str] = []
    tree.completions.wrote = lambda said, having_read="": noted.append(said)  # type: ignore[method-assign, misc]
    done = await run(tree, ASKED)
    made.close()
    assert done.reply is not None
    assert noted == [done.reply.answer]
