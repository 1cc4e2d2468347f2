"""A language model on a server of its own: asked now and then, failing, replaced, and slow."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import dspy
import pytest
from tests.host.chat_server import SECRET, TOKENS, ChatServer
from tests.host.runs import assert_well_formed, everything_kept, run
from tests.host.scripted import (
    MARK,
    ScriptedLM,
    data_in,
    hang,
    load_as_models,
    making_up,
    naming,
)

from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia import GuardedTree, guard
from elysia_guard.edge.elysia.host import Result, Settings, Tool
from elysia_guard.edge.elysia.offline import KeptEnvironment
from elysia_guard.edge.elysia.tree import STATE_KEY
from elysia_guard.language.catalogue import say
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

LONG_S = 60.0
"""Longer than any deadline of a model."""

OPEN = "How are grid models exchanged with neighbouring operators in CIMXML?"
OTHER = "Who has to be told before a substation is taken out of service?"
DECIDED = ("What is CIMXML?", "What does ADR.12 decide?")
"""A term and an identity: no model is asked."""
CONTROLS = 2
"""Control questions, which a model is asked once."""
EACH = 2
"""Calls for an open question: a plan, and then it points."""

MakeTree = Callable[..., GuardedTree]


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """DSPy would answer from what it was told before, whatever the address."""
    before = dspy.cache
    dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
    yield
    dspy.cache = before


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(making_up) as serving:
        yield serving


def variants(count: int) -> list[str]:
    """Questions that differ in nothing but their words: none has been read before."""
    return [f"{OPEN[:-1]}, for the {position}th time?" for position in range(4, 4 + count)]


class Operator:
    """A wiring with a clock of its own, its log lines and its counters in sight."""

    def __init__(self, built: Wiring) -> None:
        self.clock, self.written = FakeClock(), io.StringIO()
        config = built.config.model_copy(update={"log_level": "DEBUG"})
        before, sys.stderr = sys.stderr, self.written
        try:
            self.wiring = Wiring(config, clock=self.clock)
        finally:
            sys.stderr = before

    def tree(self, server: ChatServer) -> GuardedTree:
        return GuardedTree(wiring=self.wiring, settings=server.settings())

    @property
    def lines(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.written.getvalue().splitlines()]
        return [line for line in lines if line["component"] == "llm" and line["level"] != "DEBUG"]

    def counted(self, name: str, **labels: str) -> float | None:
        return self.wiring.metrics.registry.get_sample_value(name, labels)


@pytest.fixture
def operator(wiring: Wiring) -> Iterator[Operator]:
    made = Operator(wiring)
    yield made
    made.wiring.close()


@pytest.fixture
def new_tree_with(wiring: Wiring, server: ChatServer) -> MakeTree:
    def make(**kwargs: Any) -> GuardedTree:
        return GuardedTree(**{"wiring": wiring, "settings": server.settings(), **kwargs})

    return make


async def ask(tree: GuardedTree, question: str) -> RAGResponse:
    done = await run(tree, question)
    assert_well_formed(done)
    assert done.reply is not None
    return done.reply


def verdict(reply: RAGResponse) -> tuple[Any, ...]:
    """What must not depend on a model."""
    said = None if reply.refusal_reason else reply.answer  # a refusal holds its ways on
    return (reply.refused, reply.refusal_reason, reply.sources, said, reply.route)


# A model that is asked now and then


@pytest.mark.parametrize("question", [OPEN, OTHER])
async def test_c1_any_model_leaves_the_verdict(
    wiring: Wiring, new_tree: MakeTree, bare_settings: Settings, question: str
) -> None:
    """One that invents changes neither answer nor sources; every word that is said is ours."""
    without = await ask(GuardedTree(wiring=wiring, settings=bare_settings), question)
    tree = new_tree()
    done = await run(tree, question)
    assert done.reply is not None
    assert verdict(done.reply) == verdict(without)
    assert MARK not in everything_kept(tree, done)


def test_c1_what_is_set_during_a_run_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that no run has brought is the program's, though a run began before it was set."""
    monkeypatch.setenv("OTHER_API_KEY", "kept")
    kept, users = KeptEnvironment(), Settings()
    users.API_KEYS = {"mine_api_key": "a user's", "other_api_key": "a user's"}
    with kept.during(lambda: users), kept.during(Settings):
        monkeypatch.setenv("LATER_API_KEY", "set since")
        for name, value in users.API_KEYS.items():
            monkeypatch.setenv(name.upper(), value)
    assert os.environ["LATER_API_KEY"] == "set since"
    assert os.environ["OTHER_API_KEY"] == "kept"
    assert "MINE_API_KEY" not in os.environ


@pytest.mark.parametrize("taken", [1, 2, 3])
async def test_c1_a_run_that_is_left_leaves_the_environment(
    new_tree_with: MakeTree, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    """A reader who goes away in the middle leaves no key behind, at once and for good."""
    monkeypatch.setenv("OTHER_API_KEY", "kept")
    run = new_tree_with().async_run(OPEN)
    for _ in range(taken):
        await anext(run)
    await run.aclose()
    for _ in range(2):
        assert os.environ["OTHER_API_KEY"] == "kept"
        assert "OPENAI_API_KEY" not in os.environ
        gc.collect()
        await asyncio.sleep(0)


# A model that fails


async def test_c4_a_model_that_hangs(operator: Operator, server: ChatServer) -> None:
    """When a model does not answer in time the rules answer alone, and the reply says so."""
    server.hanging = True
    server.on_late = lambda: operator.clock.advance(LONG_S)
    plain = await ask(GuardedTree(wiring=operator.wiring, settings=Settings()), OPEN)
    tree = operator.tree(server)
    before = asyncio.all_tasks()
    reply = await ask(tree, OPEN)
    assert verdict(reply) == verdict(plain)
    quality = reply.retrieval_quality
    assert quality.fallback_reasons == ("llm_timeout",)
    assert quality.fallback_active
    assert quality.confidence_score == plain.retrieval_quality.confidence_score
    assert reply.transparency.statement == say("en", "transparency.unguided", reasons="llm_timeout")
    assert [step.note for step in reply.trace if step.stage == "planning"] == [
        "left to the rules: llm_timeout"
    ]
    assert tree.tree_data.environment.hidden_environment[STATE_KEY]["fallback_flags"] == [
        "llm_timeout"
    ]
    assert asyncio.all_tasks() == before
    assert await asyncio.to_thread(server.open_connections, 0) == 0
    (line,) = operator.lines
    assert (line["event"], line["purpose"], line["route"]) == ("timeout", "point", "tree")
    assert line["request_id"] == reply.request_id
    assert operator.counted("llm_request_total", purpose="point") == 1
    assert operator.counted("llm_timeout_total", purpose="point") == 1
    assert operator.counted("rag_fallback_total", flag="llm_timeout") == 1


async def test_c4_a_reader_who_goes_away_takes_the_call_along(
    operator: Operator, server: ChatServer
) -> None:
    """A question that is given up leaves no call, no task and no line behind."""
    server.hanging = True
    before = asyncio.all_tasks()
    tree = operator.tree(server)
    settings = tree.settings
    asking = asyncio.create_task(run(tree, OPEN))
    await asyncio.to_thread(server.wait_until_asked, 1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert tree.settings is settings
    assert await asyncio.to_thread(server.open_connections, 0) == 0
    assert asyncio.all_tasks() == before
    assert operator.lines == []
    assert operator.counted("llm_request_total", purpose="point") == 0


FAILURES: dict[str, tuple[dict[str, Any], str]] = {
    "hangs up": ({"hanging_up": True}, "unavailable"),
    "fails": ({"status": 500}, "error"),
    "is overloaded": ({"status": 503}, "error"),
    "has had enough": ({"status": 429}, "error"),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_c4_a_model_that_keeps_failing_is_left_alone(
    operator: Operator, server: ChatServer, name: str
) -> None:
    """After five failures, of which each costs one request, it is left alone for a while."""
    fault, outcome = FAILURES[name]
    vars(server).update(fault)
    tree = operator.tree(server)
    for position in range(5):
        reply = await ask(tree, OPEN)
        assert reply.retrieval_quality.fallback_reasons == ("llm_error",)
        assert len(server.requests) == position + 1
    assert operator.counted("circuit_breaker_state", service="llm") == 2
    # Another conversation, which has never asked: the breaker is shared.
    reply = await ask(operator.tree(server), OPEN)
    assert reply.retrieval_quality.fallback_reasons == ("llm_error", "circuit_open")
    assert not reply.retrieval_quality.degraded
    assert len(server.requests) == 5
    assert operator.counted("circuit_breaker_trip_total", service="llm") == 1
    assert operator.counted(f"llm_{outcome}_total", purpose="point") == 5
    assert operator.counted("llm_request_total", purpose="point") == 5
    assert [line["event"] for line in operator.lines].count(outcome) == 5
    assert operator.lines[-1]["event"] == "circuit_open"
    assert SECRET not in operator.written.getvalue()
    server.status, server.hanging_up = 200, False
    operator.clock.advance(30)
    for question in variants(2):
        assert not (await ask(tree, question)).retrieval_quality.fallback_active
    assert operator.counted("circuit_breaker_state", service="llm") == 0


async def test_c4_a_model_that_is_not_there(operator: Operator) -> None:
    """A refused connection costs one attempt, with no pauses to try again."""
    with ChatServer() as server:
        settings = server.settings()
    tree = GuardedTree(wiring=operator.wiring, settings=settings)
    reply = await ask(tree, OPEN)
    assert reply.retrieval_quality.fallback_reasons == ("llm_error",)
    assert tree.base_lm.num_retries == 0
    assert [line["event"] for line in operator.lines] == ["unavailable"]


async def test_c4_a_model_that_cannot_be_loaded(
    operator: Operator, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as good as none, and the reply says so."""

    def fail(_: Settings) -> None:
        raise ValueError(f"{MARK}: no such provider")

    monkeypatch.setattr("elysia.tree.tree.load_base_lm", fail)
    monkeypatch.setattr("elysia.tree.tree.load_complex_lm", fail)
    tree = GuardedTree(wiring=operator.wiring, settings=model_settings)
    done = await run(tree, OPEN)
    assert_well_formed(done)
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert done.reply is not None
    assert done.reply.retrieval_quality.fallback_reasons == ("llm_error",)
    assert MARK not in everything_kept(tree, done)
    with pytest.raises(ValueError, match="no such provider"):
        _ = tree.base_lm


UNUSABLE: dict[str, tuple[dict[str, Any], int]] = {
    "has no form": ({"answer": f"{MARK}! I need no tools to know this."}, 2),
    "is empty": ({"answer": ""}, 2),
    "is no text": ({"answer": None}, 2),
    "is another form": ({"answer": json.dumps({"asks": "search", "because": MARK})}, 2),
    "turns the key down": ({"status": 401}, 1),
    "turns the text down": ({"status": 400}, 1),
    "is unknown": ({"status": 404}, 1),
}
"""What a server does, and how often it is asked then: once more where the form is wrong.

After that it rests for five minutes: each try would keep a reader waiting.
"""
REST_S = 300


@pytest.mark.parametrize("name", UNUSABLE)
async def test_c4_what_is_of_no_use(operator: Operator, server: ChatServer, name: str) -> None:
    """What is in no form is told as an error, and the model is asked again the next time."""
    fault, calls = UNUSABLE[name]
    vars(server).update(fault)
    tree = operator.tree(server)
    for count in range(1, 8):
        reply = await ask(tree, OPEN)
        assert reply.retrieval_quality.fallback_reasons == ("llm_error",)
        assert len(server.requests) == calls * count
        operator.clock.advance(REST_S)
    assert operator.counted("llm_error_total", purpose="point") == 7
    assert operator.counted("circuit_breaker_state", service="llm") == 0
    assert MARK not in operator.written.getvalue()


async def test_c4_what_writes_in_no_form_rests(operator: Operator, server: ChatServer) -> None:
    """It is not asked for a while, by nobody; then it may be another."""
    server.answer = f"{MARK}! I need no form."
    for _ in range(3):
        reply = await ask(operator.tree(server), OPEN)
        assert reply.retrieval_quality.fallback_reasons == ("llm_error",)
    assert len(server.requests) == 2
    server.answer = making_up
    operator.clock.advance(REST_S)
    assert not (await ask(operator.tree(server), OPEN)).retrieval_quality.fallback_active


class Asking(Tool):
    """A tool of somebody's, which asks a model."""

    def __init__(self, *, blocking: bool = False, **_kwargs: Any) -> None:
        super().__init__(name="bookshelf", description="Search.", inputs={}, end=True)
        self.blocking = blocking

    async def __call__(
        self, tree_data: Any, inputs: Any, base_lm: Any, *_args: Any, **_kwargs: Any
    ) -> AsyncIterator[Any]:
        said = base_lm("Say.") if self.blocking else await base_lm.acall("Say.")
        yield Result(objects=[{"title": "Said", "content": str(said)}])


@pytest.mark.parametrize("blocking", [False, True])
async def test_c4_a_model_that_a_tool_asks(
    operator: Operator, server: ChatServer, *, blocking: bool
) -> None:
    """A wrapped tool's calls have a deadline and the same breaker; the search stands in for it."""
    server.answer = lambda prompt: "" if "Say." in prompt else naming("bookshelf")(prompt)
    tree = operator.tree(server)
    tree.add_tool(guard(Asking(blocking=blocking)))
    done = await run(tree, OPEN)
    assert done.steps[1] == "bookshelf"
    assert operator.counted("llm_request_total", purpose="tool") == 1

    def fail_the_tool(prompt: str) -> str:
        server.status = 500 if "Say." in prompt else 200
        return naming("bookshelf")(prompt) if data_in(prompt) else ""

    server.answer = fail_the_tool
    done = await run(tree, OPEN)
    assert done.reply is not None
    assert "bookshelf_error" in done.reply.retrieval_quality.fallback_reasons
    assert operator.counted("llm_request_total", purpose="tool") == 2


async def test_c4_a_tool_whose_model_hangs_ends(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that hangs while a wrapped tool asks it is given up too."""

    async def late(prompt: str) -> str:
        if data_in(prompt):
            return naming("bookshelf")(prompt)
        operator.clock.advance(LONG_S)
        await hang()
        return ""

    model = ScriptedLM(late)
    load_as_models(monkeypatch, model)
    with ChatServer() as server:
        tree = operator.tree(server)
    tree.add_tool(guard(Asking()))
    done = await run(tree, OPEN)
    assert done.reply is not None
    assert "bookshelf_error" in done.reply.retrieval_quality.fallback_reasons
    assert operator.counted("llm_timeout_total", purpose="tool") == 1


async def test_c1_what_a_model_cost_is_counted_once(
    server: ChatServer, new_tree_with: MakeTree
) -> None:
    """Calls and tokens add up over questions that ask a model, need none, or see it fail."""
    tree = new_tree_with()
    first, second, last = variants(3)
    for question in (first, DECIDED[0], second, DECIDED[1], OTHER):
        await ask(tree, question)
    server.status = 500
    await ask(tree, last)
    server.status = 200
    await ask(tree, DECIDED[0])
    usage = tree.tracker
    asked = CONTROLS + 3 * EACH
    assert usage.get_num_calls("base_lm") == asked
    assert usage.get_total_input_tokens("base_lm") == asked * TOKENS["prompt_tokens"]
    assert usage.get_average_output_tokens("base_lm") == TOKENS["completion_tokens"]
    assert usage.get_num_calls("complex_lm") == 0
    assert usage.get_average_cost("complex_lm") == 0
    tree.log_token_usage()


async def test_c1_another_model_between_two_questions(
    server: ChatServer, new_tree_with: MakeTree
) -> None:
    """Settings may change at any time: the next question asks the model that they name then."""
    tree = new_tree_with()
    first, second, third, last = variants(4)
    for question in (first, second, DECIDED[0]):
        await ask(tree, question)
    assert len(server.requests) == CONTROLS + 2 * EACH
    with ChatServer(making_up) as other:
        tree.settings.MODEL_API_BASE = other.settings().MODEL_API_BASE
        for question in (DECIDED[0], first, DECIDED[0]):  # what one model wrote is not the other's
            await ask(tree, question)
        assert len(server.requests) == CONTROLS + 2 * EACH
        assert len(other.requests) == CONTROLS + EACH
        other.status = 500
        for question in (third, DECIDED[0]):
            await ask(tree, question)
        tree.configure(base_model=None, base_provider=None)
        for question in (third, DECIDED[0]):
            assert not (await ask(tree, question)).retrieval_quality.fallback_active
        tree.settings = server.settings()
        for question in (last, DECIDED[0]):
            await ask(tree, question)
    assert len(server.requests) == CONTROLS + 3 * EACH
    assert tree.tracker.get_num_calls("base_lm") == 2 * CONTROLS + 4 * EACH


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": None, "completion_tokens": None}, {"prompt_tokens": 3}]
)
async def test_c1_a_server_that_counts_no_tokens(
    server: ChatServer, new_tree_with: MakeTree, usage: object
) -> None:
    """What a server says of its tokens, or does not say, ends no conversation."""
    server.usage = usage
    tree = new_tree_with()
    first, second = variants(2)
    for question in (first, DECIDED[0], second):
        assert not (await ask(tree, question)).retrieval_quality.fallback_active
    assert len(server.requests) == CONTROLS + 2 * EACH


async def test_c1_settings_given_during_a_run_stay(new_tree_with: MakeTree) -> None:
    """Settings that a tree is given while it answers are not put back."""
    tree, given = new_tree_with(), Settings()
    async for _ in tree.async_run(DECIDED[0]):
        tree.settings = given
    assert tree.settings is given


async def test_c1_exported_during_a_run(new_tree_with: MakeTree) -> None:
    """A conversation saved while it is answered keeps the user's settings, and goes on later."""
    for question in (DECIDED[0], OPEN):
        tree = new_tree_with()
        saved = [tree.export_to_json() async for _ in tree.async_run(question)]
        assert {item["settings"]["BASE_MODEL"] for item in saved} == {"made-up"}
