"""A model that is down, late, limited, without quota, empty or broken: in each mode and route."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from scripts.lab.adversaries.policies import POLICIES
from scripts.lab.adversaries.server import MARKED, AdversaryServer, Fault
from scripts.lab.adversaries.tally import shown_in
from scripts.lab.adversaries.told import all_heard

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import BreakerSection, WriterSection
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ASKED = "How is the stability of the grid ensured?"
MODES = ("auto", "thinking")
LATE = (Fault.HANGING, Fault.DRIPPING, Fault.LATE)
FAILING = [fault for fault in Fault if fault is not Fault.NO_SCHEMA]
FLAGS = {"writer_timeout", "writer_error", "circuit_open", "llm_unavailable"}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def adversary(clock: FakeClock) -> Iterator[AdversaryServer]:
    with AdversaryServer(late_s=60) as made:
        made.playing = "right"
        # Longer than one call may take, and shorter than all calls of an answer.
        made.on_late = lambda: clock.advance(7.7)
        yield made


@pytest.fixture
def written(wiring: Wiring, adversary: AdversaryServer, clock: FakeClock) -> Iterator[Wiring]:
    """The session's parts, with an adversary for a writer and a breaker that soon gives up."""
    section = WriterSection(kind="language_model", url=adversary.url, model="adversary")
    resting = BreakerSection(failure_threshold=3, success_threshold=1, timeout_seconds=30)
    breakers = wiring.config.circuit_breaker.model_copy(update={"llm": resting})
    chosen = {"writer": section, "circuit_breaker": breakers, "log_level": "CRITICAL"}
    with closing(Wiring(wiring.config.model_copy(update=chosen), clock=clock)) as made:
        yield made


@pytest.fixture
def alone(wiring: Wiring) -> RAGResponse:
    """What is said without any model."""
    return Guard(wiring=wiring).ask(ASKED)


def counted(wiring: Wiring) -> float:
    """How many calls to write failed, whatever the reason."""
    sample = wiring.metrics.registry.get_sample_value
    names = ("llm_error_total", "llm_timeout_total", "llm_unavailable_total")
    return sum(sample(name, {"purpose": "write"}) or 0.0 for name in names)


@pytest.mark.parametrize("fault", FAILING)
@pytest.mark.parametrize("mode", MODES)
def test_whatever_fails_the_sources_still_speak(
    written: Wiring, adversary: AdversaryServer, alone: RAGResponse, fault: Fault, mode: str
) -> None:
    """The quotes, as sure as without a model; flagged, counted, and nothing of the server's."""
    adversary.fault = fault
    reply = Guard(wiring=written).ask(ASKED, mode=mode)
    assert adversary.requests
    assert [item.quote for item in reply.sources] == [item.quote for item in alone.sources]
    assert reply.retrieval_quality.confidence_score == alone.retrieval_quality.confidence_score
    assert set(reply.retrieval_quality.fallback_reasons) & FLAGS
    if fault in LATE:
        assert "writer_timeout" in reply.retrieval_quality.fallback_reasons
    assert counted(written) >= 1
    assert MARKED not in shown_in(reply.to_dict())


@pytest.mark.parametrize("name", ["empty", "broken", "always_denies", "broken::3", "empty::4"])
@pytest.mark.parametrize("mode", MODES)
def test_what_says_nothing_of_use_leaves_the_sources(
    written: Wiring, adversary: AdversaryServer, alone: RAGResponse, name: str, mode: str
) -> None:
    """No answer, none of the form asked for, or a no: no surer for that; nothing is invented."""
    adversary.playing = name
    reply = Guard(wiring=written).ask(ASKED, mode=mode)
    assert not reply.refused
    assert not all_heard(adversary.made, shown_in(reply.to_dict()))
    assert reply.retrieval_quality.confidence_score <= alone.retrieval_quality.confidence_score


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "slow"])
def test_the_same_is_said_to_the_same_twenty_times(
    written: Wiring, adversary: AdversaryServer, name: str
) -> None:
    """Verdict, sources, mode and every word."""
    adversary.playing = name
    guard = Guard(wiring=written)
    said = {
        (reply.outcome, reply.answer, reply.sources, reply.mode, reply.retrieval_quality)
        for reply in (guard.ask(ASKED) for _ in range(20))
    }
    assert len(said) == 1
    assert len(adversary.requests) >= 1
