"""A judge of another server, against a real one on loopback: right, late, broken, or nonsense."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
from tests.judge_server import SECRET, Fault, JudgeServer
from tests.unit.small_world import passage

from elysia_guard.adapters.judges import (
    CachedJudge,
    JudgeError,
    NoJudgementError,
    RerankJudge,
    late,
)
from elysia_guard.adapters.models import ModelCaller
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import (
    CircuitOpenError,
    ConfigError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import Event, ModelCallEnded
from elysia_guard.domain.judgement import Judgement
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.resilience.calls import through
from elysia_guard.testing.clock import FakeClock

PASSAGES = [passage("ADR-0027#1"), passage("ADR-0012#2"), passage("POL-0003#0")]
ASKED = "How are connections encrypted?"
KEY = "sk-made-up"


def first(_question: str, texts: Sequence[str]) -> list[float]:
    """Prefer the first passage."""
    return [0.9, *[0.05] * (len(texts) - 1)]


def reranker(server: JudgeServer) -> RerankJudge:
    return RerankJudge(server.url, "made-up", api_key=KEY)


def judged(judge: RerankJudge, passages: Sequence[Passage] = PASSAGES) -> Sequence[Judgement]:
    async def ask() -> Sequence[Judgement]:
        try:
            return await judge(ASKED, passages, lang="en")
        finally:
            await judge.aclose()

    return asyncio.run(ask())


class TestRerank:
    @pytest.mark.parametrize("form", ["results", "data", "list"])
    @pytest.mark.parametrize("logits", [False, True])
    def test_every_form_of_server(self, form: str, logits: bool) -> None:
        """In whatever order they come, probabilities or logits; a score denies nothing."""
        with JudgeServer(first) as server:
            server.form, server.logits = form, logits
            judge = RerankJudge(
                f"{server.url}/rerank",
                form="texts" if form == "list" else "documents",
                scores="logit" if logits else "probability",
            )
            said = judged(judge)
        assert said[0].chance > 0.85
        assert max(item.chance for item in said[1:]) < 0.1
        assert not any(item.denies for item in said)
        sent = server.requests[0]["texts" if form == "list" else "documents"]
        assert sent[0] == PASSAGES[0].in_context

    def test_logits_taken_for_probabilities_name_the_setting(self) -> None:
        with JudgeServer(first) as server:
            server.logits = True
            with pytest.raises(NoJudgementError, match=r"judge\.scores: logit"):
                judged(reranker(server))

    @pytest.mark.parametrize("fault", [Fault.TOO_FEW, Fault.TWICE, Fault.WORDS, Fault.BEYOND])
    def test_scores_that_are_none(self, fault: Fault) -> None:
        with JudgeServer(first) as server:
            server.fault = fault
            with pytest.raises(NoJudgementError):
                judged(reranker(server))


class TestBroken:
    @pytest.mark.parametrize(
        ("fault", "well"),
        [
            (Fault.CLOSED, False),
            (Fault.ERROR, False),
            (Fault.UNAUTHORISED, False),
            (Fault.TOO_LONG, True),
            (Fault.NO_JSON, False),
            (Fault.HUGE, False),
            (Fault.WRONG_SHAPE, True),
        ],
    )
    def test_every_failure_is_one_of_the_judge(self, fault: Fault, well: bool) -> None:
        """Its message holds nothing that the server wrote, and no key."""
        with JudgeServer(first) as server:
            server.fault = fault
            with pytest.raises(JudgeError) as caught:
                judged(reranker(server))
        assert caught.value.source == "judge"
        assert isinstance(caught.value, NoJudgementError) is well
        assert SECRET not in str(caught.value)
        assert KEY not in str(caught.value)

    def test_a_late_judge_is_left_and_then_left_alone(self) -> None:
        """Each call ends in its time; after some the breaker opens, and it is not asked."""
        clock, events = FakeClock(), list[Event]()
        with JudgeServer(first) as server:
            server.fault = Fault.HANGING
            server.on_late = lambda: clock.advance(3.0)

            async def ask() -> list[type[Exception]]:
                inner = reranker(server)
                breaker = Breaker("judge", failure_threshold=2, clock=clock)
                caller = ModelCaller(
                    breaker,
                    events.append,
                    deadlines_s={"judge": 2.0},
                    at_once=4,
                    late=late,
                    clock=clock,
                )
                judge = through(inner, partial(caller.call, purpose="judge"))
                failed: list[type[Exception]] = []
                for _ in range(3):
                    try:
                        await judge(ASKED, PASSAGES, lang="en")
                    except SourceUnavailableError as err:
                        failed.append(type(err))
                await inner.aclose()
                return failed

            failed = asyncio.run(ask())
        assert failed == [SourceTimeoutError, SourceTimeoutError, CircuitOpenError]
        told = [item for item in events if isinstance(item, ModelCallEnded)]
        assert [item.outcome for item in told] == ["timeout", "timeout", "circuit_open"]
        assert {item.purpose for item in told} == {"judge"}
        assert len(server.requests) == 2


class Counting:
    """A judge that counts its calls, and may fail."""

    model_id = "counting"

    def __init__(self) -> None:
        self.calls = 0
        self.error: SourceUnavailableError | None = None

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: str
    ) -> Sequence[Judgement]:
        self.calls += 1
        if self.error:
            raise self.error
        return [Judgement(chance=0.5) for _ in passages]


class TestCached:
    def test_the_same_is_asked_once(self) -> None:
        """The same question of the same passages: language, order and text count."""
        counting = Counting()
        judge = CachedJudge(counting, at_most=10)

        async def ask() -> None:
            for _ in range(3):
                await judge(ASKED, PASSAGES, lang="en")
            await judge(ASKED, PASSAGES, lang="nl")
            await judge(ASKED, PASSAGES[::-1], lang="en")
            await judge("Why?", PASSAGES, lang="en")
            await judge(ASKED, [replace(item, text="New.") for item in PASSAGES], lang="en")

        asyncio.run(ask())
        assert counting.calls == 5
        assert judge.model_id == "counting"

    def test_what_failed_is_asked_again_and_the_oldest_is_forgotten(self) -> None:
        counting = Counting()
        judge = CachedJudge(counting, at_most=1)
        counting.error = JudgeError("down")
        with pytest.raises(JudgeError):
            asyncio.run(judge(ASKED, PASSAGES, lang="en"))
        counting.error = None
        for lang in ("en", "nl", "en"):
            asyncio.run(judge(ASKED, PASSAGES, lang=lang))
        assert counting.calls == 4


def test_an_address_that_is_none_names_the_setting() -> None:
    with pytest.raises(ConfigError, match=r"judge\.url"):
        RerankJudge("http://127.0.0.1:port")
