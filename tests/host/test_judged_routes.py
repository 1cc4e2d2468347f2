"""A judge on both routes: the same evidence, the same verdict, whatever model is configured.

A sample of the golden set.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from scripts.lab import judge_fit
from tests.host.scripted import ScriptedLM, load_as_models
from tests.judge_server import Fault, JudgeServer
from tests.scripted_judges import (
    AlwaysYes,
    RightMostly,
    answered_by,
    told_by,
)

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import JudgeSection, home
from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.domain.document import Filters
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.evaluation import golden, scoring
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.metrics import Figures, certainty
from elysia_guard.evaluation.runner import run
from elysia_guard.evaluation.tuning_record import RETRIEVAL, RecordedQuestion
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
EVERY = 12
"""One tuning question in so many is asked."""
TRUSTED = JudgeCalibration(
    model="m@chat+p1", intercept=0.0, confidence=1.0, judged=1.5, asserted_from=0.85, ceiling=0.98
)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(golden.load(GOLDEN).select(Split.TUNING))[::EVERY]


@pytest.fixture(scope="module")
def others() -> list[Case]:
    """What a judge is calibrated on: as many as it takes, and none of those it is measured on."""
    tuning = list(golden.load(GOLDEN).select(Split.TUNING))[1 :: EVERY // 3]
    return [case for case in tuning if case.category in RETRIEVAL]


@pytest.fixture(scope="module")
def server(cases: list[Case], others: list[Case], wiring: Wiring) -> Iterator[JudgeServer]:
    documents = asyncio.run(wiring.index.documents(Filters(approval=None)))
    titles = {item.id: item.title for item in documents}
    known = [*cases, *others]
    decide = RightMostly(answered_by=answered_by(known), told_by=told_by(known, titles))
    with JudgeServer(decide) as made:
        yield made


def judged_by(
    wiring: Wiring, server: JudgeServer | None, worth: JudgeCalibration | None = None
) -> Wiring:
    """Return the parts with a judge, or without any."""
    section = JudgeSection()
    if server:
        section = JudgeSection(kind="language_model", url=server.url, model="m")
    chosen = {"judge": section, "test_triggers": True, "log_level": "ERROR"}
    made = Wiring(wiring.config.model_copy(update=chosen))
    limits = replace(made.pipeline.thresholds, judge=worth)
    made.pipeline = replace(made.pipeline, thresholds=limits)
    return made


class Direct:
    """The direct route, asked like the tree."""

    def __init__(self, wiring: Wiring) -> None:
        self.guard = Guard(wiring=wiring)

    async def ask(self, query: str, /, *, request_id: str | None) -> RAGResponse:
        return await self.guard.aask(query, request_id=request_id)


def counted(wiring: Wiring, cases: list[Case]) -> Figures:
    runs = asyncio.run(run(cases, Direct(wiring)))
    wiring.close()
    return certainty(scoring.score_all(runs)[0])


def fitted(wiring: Wiring, cases: list[Case]) -> JudgeCalibration | None:
    asked = [
        RecordedQuestion(
            id=case.id,
            query=case.query,
            expected=frozenset(case.expected.doc_ids),
            quote=case.expected.quote or "",
        )
        for case in cases
    ]
    found = asyncio.run(judge_fit.judged(wiring.pipeline, asked))
    assert wiring.bench is not None
    model = wiring.bench.judge.model_id
    wiring.close()
    return judge_fit.fit(found, model).calibration if found else None


def test_what_judges_may_do(
    wiring: Wiring,
    server: JudgeServer,
    cases: list[Case],
    capsys: pytest.CaptureFixture[str],
    others: list[Case],
) -> None:
    """One that is right may assert, 97 of 100 right; one that always says yes raises nothing."""
    alone = counted(judged_by(wiring, None), cases)
    right = counted(judged_by(wiring, server, fitted(judged_by(wiring, server), others)), cases)
    told = {"the gates alone": alone, "right in 95 of 100": right}
    decide = server.decide
    server.decide = AlwaysYes()
    told["yes to all"] = counted(judged_by(wiring, server, TRUSTED), cases)
    server.decide = AlwaysYes(first=1)
    told["yes to the first"] = counted(
        judged_by(wiring, server, fitted(judged_by(wiring, server), others)), cases
    )
    server.decide = decide
    with capsys.disabled():
        for name, found in told.items():
            print(f"\n{name}: {found}", end="")  # noqa: T201
    assert right["asserted"] > alone["asserted"] + 10
    # Three in a hundred, and one more, for a sample is small.
    assert right["asserted"] - right["asserted_right"] <= 0.03 * right["asserted"] + 1
    for name, found in told.items():
        if name.startswith("yes"):
            assert found["near_misses_asserted"] <= alone["near_misses_asserted"], name


@pytest.fixture
def asked(cases: list[Case]) -> list[Case]:
    """Questions that a search answers, and some that nothing does."""
    return [case for case in cases if case.category == "semantic_search"][:8]


async def no_to_all(prompt: str) -> str:
    """Write what a model would that finds no answer."""
    data = json.loads(prompt.splitlines()[-1])
    row = {"reasoning": "read", "sentence": "", "can_answer": False, "confidence": 0.95}
    return json.dumps({"passages": [{**row, "id": item["id"]} for item in data["passages"]]})


@pytest.mark.parametrize("answers", ["prose", "no", "error"])
def test_a_trees_own_model_judges_what_it_finds(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, model_settings: Settings, answers: str
) -> None:
    """Where the settings name no server: its no lowers, and its nonsense is told."""
    said = {"prose": "I think so.", "no": no_to_all, "error": OSError("down")}
    model = ScriptedLM(said[answers])
    load_as_models(monkeypatch, model)
    chosen = {"judge": JudgeSection(kind="language_model"), "log_level": "ERROR"}
    made = Wiring(wiring.config.model_copy(update=chosen))
    asked = "How is the stability of the grid ensured?"
    direct = Guard(wiring=made).ask(asked)
    tree = GuardedTree(wiring=made, settings=model_settings)
    tree(asked)
    reply = tree.last_response
    made.close()
    assert reply is not None
    assert direct.outcome is ReplyOutcome.HEDGED
    assert not [step for step in direct.trace if step.stage == "judge"]
    (step,) = [step for step in reply.trace if step.stage == "judge"]
    if answers == "no":
        assert reply.refused
        assert step.note.startswith("scripted@chat+p1 judged 8 passage(s), 8 of them no")
    else:
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.sources == direct.sources
        assert reply.retrieval_quality.fallback_reasons == ("judge_error",)
    assert len(model.prompts) == (2 if answers == "prose" else 1)


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
    """The direct route and the tree, with a model and without, the judge being well or down."""
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
