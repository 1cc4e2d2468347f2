"""A judge on both routes: the same evidence, the same verdict, whatever model is configured.

A sample of the golden set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from tests.host.scripted import ScriptedLM
from tests.judge_server import Fault, JudgeServer

from elysia_guard import Guard
from elysia_guard.config import JudgeSection, LanguageModelSection, home
from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.evaluation import golden, scoring
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
EVERY = 12
"""One tuning question in so many is asked."""
TRUSTED = JudgeCalibration(
    model="m@rerank+probability",
    intercept=0.0,
    confidence=1.0,
    judged=1.5,
    asserted_from=0.85,
    ceiling=0.98,
)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(golden.load(GOLDEN).select(Split.TUNING))[::EVERY]


@pytest.fixture(scope="module")
def server(cases: list[Case]) -> Iterator[JudgeServer]:
    quotes = {case.query: case.expected.quote or "" for case in cases}

    def decide(question: str, texts: Sequence[str]) -> list[float]:
        """Prefer what holds the sentence that answers."""
        quote = quotes.get(question, "")
        return [0.95 if quote and scoring.holds(text, quote) else 0.05 for text in texts]

    with JudgeServer(decide) as made:
        yield made


def judged_by(
    wiring: Wiring, server: JudgeServer | None, worth: JudgeCalibration | None = None
) -> Wiring:
    """Return the parts with a judge, or without any."""
    section = JudgeSection()
    if server:
        section = JudgeSection(kind="rerank", url=server.url, model="m")
    chosen = {
        "judge": section,
        "llm": LanguageModelSection(use="none"),
        "test_triggers": True,
        "log_level": "ERROR",
    }
    made = Wiring(wiring.config.model_copy(update=chosen))
    limits = replace(made.pipeline.thresholds, judge=worth)
    made.pipeline = replace(made.pipeline, thresholds=limits)
    return made


@pytest.fixture
def asked(cases: list[Case]) -> list[Case]:
    """Questions that a search answers, and some that nothing does."""
    return [case for case in cases if case.category == "semantic_search"][:8]


@pytest.mark.parametrize("fault", [None, Fault.ERROR])
@pytest.mark.parametrize("model", [False, True], ids=["no model", "a model"])
def test_both_routes_say_the_same(
    wiring: Wiring,
    server: JudgeServer,
    asked: list[Case],
    monkeypatch: pytest.MonkeyPatch,
    model: bool,
    fault: Fault | None,
) -> None:
    """The direct route and the tree, with a model that may not point and without.

    The judge is well, or down.
    """
    judged = judged_by(wiring, server, TRUSTED)
    server.fault = fault
    settings = Settings()
    if model:
        settings.BASE_MODEL = settings.COMPLEX_MODEL = "made-up"
        settings.BASE_PROVIDER = settings.COMPLEX_PROVIDER = "openai"
        monkeypatch.setattr("elysia.tree.tree.load_base_lm", lambda _: ScriptedLM())
        monkeypatch.setattr("elysia.tree.tree.load_complex_lm", lambda _: ScriptedLM())
    outcomes = set()
    # Few enough failures that the breaker stays closed, and both routes fail alike.
    for case in asked[:2] if fault else asked:
        direct = Guard(wiring=judged).ask(case.query)
        tree = GuardedTree(wiring=judged, settings=settings)
        tree(case.query)
        reply = tree.last_response
        assert reply is not None
        assert (reply.outcome, reply.sources) == (direct.outcome, direct.sources)
        assert reply.retrieval_quality == direct.retrieval_quality
        flags = direct.retrieval_quality.fallback_reasons
        assert {"judge_error"} <= set(flags) if fault else not flags
        outcomes.add(direct.outcome)
    server.fault = None
    judged.close()
    assert (ReplyOutcome.ASSERTED in outcomes) is (fault is None)
