"""The fit: known coefficients are found again, and the numbers reach the file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest
from tests.shipped import shipped_config

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.reading import topic_of
from elysia_guard.evaluation import calibration, logistic
from elysia_guard.evaluation.calibration import suggested
from elysia_guard.evaluation.thresholds_file import updated
from elysia_guard.evaluation.tuning_record import RecordedQuestion, Sample, samples
from elysia_guard.language.coverage import query_terms
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates.passages import measure
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
KNOWN = Calibration(intercept=-4.0, similarity=3.0, coverage=4.0, lexical=2.0)


def known(_: str) -> Calibration:
    return KNOWN


def drawn(
    count: int, model: Calibration = KNOWN, *, collection: str = "ADR_Ollama"
) -> list[Sample]:
    """Passages whose labels were drawn from a known model."""
    random = np.random.default_rng(7)
    values = random.random((count, 3))
    chances = 1 / (
        1
        + np.exp(
            -model.intercept - values @ np.array([model.similarity, model.coverage, model.lexical])
        )
    )
    labels = random.random(count) < chances
    return [
        Sample(
            case_id=f"GS-{n // 10:03d}",
            collection=collection,
            similarity=float(row[0]),
            coverage=float(row[1]),
            lexical=float(row[2]),
            positive=bool(label),
        )
        for n, (row, label) in enumerate(zip(values, labels, strict=True))
    ]


def test_known_coefficients_are_found_again() -> None:
    (pooled, own) = calibration.fit(drawn(20_000), known)
    found = pooled.calibration
    assert found.intercept == pytest.approx(-4.0, abs=0.5)
    assert found.similarity == pytest.approx(3.0, abs=0.3)
    assert found.coverage == pytest.approx(4.0, abs=0.4)
    assert found.lexical == pytest.approx(2.0, abs=0.3)
    assert pooled.log_loss == pytest.approx(pooled.current_log_loss, abs=0.002)
    assert own.collection == "ADR_Ollama"
    assert not own.own


def test_the_confidence_is_that_of_the_best_passage() -> None:
    """Each question shows ten passages; of the best ones, as many are right as it says."""
    timid = [
        replace(item, positive=item.positive and n % 10 == 0) for n, item in enumerate(drawn(5000))
    ]
    best: dict[str, Sample] = {}
    for item in timid:
        if item.case_id not in best or odds(KNOWN, item) > odds(KNOWN, best[item.case_id]):
            best[item.case_id] = item
    (pooled, _) = calibration.fit(timid, known)
    said = [1 / (1 + math.exp(-odds(pooled.calibration, item))) for item in best.values()]
    right = [item.positive for item in best.values()]
    assert sum(said) / len(said) == pytest.approx(sum(right) / len(right), abs=0.02)
    assert pooled.log_loss < pooled.current_log_loss


def test_a_collection_of_its_own_kind_gets_its_own_weights() -> None:
    """Where a collection's passages are right at half the confidence, its intercept rises."""
    easy = Calibration(intercept=-1.0, similarity=3.0, coverage=4.0, lexical=2.0)
    others = drawn(1000)
    mine = [
        replace(item, case_id=f"{item.case_id}x")
        for item in drawn(1000, easy, collection="Principle_Ollama")
    ]
    fits = {item.collection: item for item in calibration.fit(others + mine, known)}
    assert fits["Principle_Ollama"].own
    assert fits["Principle_Ollama"].calibration.intercept > fits[""].calibration.intercept + 0.5


def test_a_collection_with_few_questions_shares_the_pooled_fit() -> None:
    few = [replace(item, collection="Policy_Ollama") for item in drawn(30)]
    fits = {item.collection: item for item in calibration.fit(drawn(500) + few, known)}
    assert fits["Policy_Ollama"].questions < calibration.MIN_QUESTIONS
    assert fits["Policy_Ollama"].calibration == fits[""].calibration


def test_nothing_can_be_learnt_from_passages_that_are_all_alike() -> None:
    wrong = [replace(item, positive=False) for item in drawn(100)]
    with pytest.raises(GuardError, match=r"10 question\(s\) with 100 passage"):
        calibration.fit(wrong, known)


def test_a_fit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logistic, "STEPS", 1)
    weights = logistic.fit(np.array([[0.1], [0.9], [0.5]]), np.array([0.0, 1.0, 1.0]))
    assert np.isfinite(weights).all()


def test_likeness_never_lowers_a_probability() -> None:
    """A column that would get a negative coefficient is left out."""
    inputs = np.array([[0.9, 0.0], [0.8, 0.1], [0.2, 0.9], [0.1, 1.0]] * 5)
    labels = np.array([0.0, 0.0, 1.0, 1.0] * 5)
    weights = logistic.fit(inputs, labels)
    assert weights[1] == 0
    assert weights[2] > 0
    only = logistic.fit(inputs[:, :1], labels)
    assert only[1] == 0
    assert only[0] == pytest.approx(0.0, abs=1e-6)


def test_limits_leave_each_question_a_right_passage() -> None:
    """The nearest trusted one counts: 1 - 0.32 rounds up to 0.70; coverage 0.83 down to 0.80."""
    base = drawn(400)
    trusted = [
        Sample(
            case_id=f"GS-9{n}",
            collection="ADR_Ollama",
            similarity=similarity,
            coverage=0.83,
            lexical=0.9,
            positive=True,
        )
        for n, similarity in enumerate((0.32, 0.6, 0.9))
    ]
    shared = calibration._Models(pooled=np.array([-4.0, 4.0, 2.0, *[0.0] * 6, 3.0]))
    assert suggested(trusted, shared.chance, 0.5) == (0.7, 0.8)
    wrong = [item for item in base if not item.positive]
    assert suggested(wrong, shared.chance, 0.5) == (0, 0)


@pytest.fixture(scope="module")
def pipeline() -> Iterator[Pipeline]:
    wiring = Wiring(shipped_config())
    yield wiring.pipeline
    wiring.close()


def question(number: int, query: str, *ids: str, learnt_from: bool = True) -> RecordedQuestion:
    return RecordedQuestion(
        id=f"GS-{number:03d}", query=query, expected=frozenset(ids), learnt_from=learnt_from
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "document", "collection"),
    [
        ("How long does the policy keep meter readings?", "POL-0001", "Policy_Ollama"),
        ("Welk beleid geldt voor een licentie op gegevens?", "POL-0007", "Policy_Ollama"),
    ],
)
async def test_samples_hold_what_the_gates_measure(
    pipeline: Pipeline, query: str, document: str, collection: str
) -> None:
    """The model is fitted on the very numbers that it is asked about, in every language."""
    found = await samples(pipeline, [question(1, query, document)])
    inquiry = await pipeline.begin(query, request_id="r", route="direct")
    await pipeline.gather(inquiry)
    evidence = inquiry.evidence
    terms = query_terms(
        topic_of(inquiry.asks),
        inquiry.question.lang,
        evidence.synonyms,
        rarity=evidence.rarity,
        likeness=evidence.likeness,
    )
    measured = measure(
        evidence,
        terms,
        thresholds=pipeline.thresholds,
        collections=pipeline.collections,
        question=inquiry.question.text,
    )
    assert any(item.positive for item in found)
    assert {item.collection for item in found} == {collection}
    model = pipeline.thresholds.for_collection(collection).calibration
    assert [odds(model, item) for item in found] == pytest.approx(
        [math.log(item.confidence / (1 - item.confidence)) for item in measured]
    )


def odds(model: Calibration, item: Sample) -> float:
    intercept, *weights = astuple(model)
    return float(intercept + np.dot(weights, item.inputs))


@pytest.mark.slow
async def test_only_searches_are_learnt_from(pipeline: Pipeline) -> None:
    """Terms, named documents, lists, and what is not to be learnt from, are not."""
    nothing = [
        question(1, "What is CIMXML?"),
        question(2, "POL-0001", "POL-0001"),
        question(3, "congestion management"),
        question(4, "What is the data retention policy?", "POL-0001", learnt_from=False),
    ]
    assert await samples(pipeline, nothing) == []


def test_the_file_keeps_its_comments_and_order() -> None:
    text = (
        "# Limits.\n\ncollections:\n  ADR_Ollama:\n    distance_threshold: 0.85  # cosine\n"
        "\n  Policy_Ollama:   # few\n    distance_threshold: 0.85\n\ndefault:\n"
        "  calibration: {intercept: -5.0}\n\n# The end.\n"
    )
    written = updated(
        text,
        {
            ("collections", "ADR_Ollama"): {"distance_threshold": 0.9, "calibration": KNOWN},
            ("default",): {"calibration": KNOWN},
            ("fitted",): {"model": "m", "cases": 3},
        },
    )
    model = "{intercept: -4.0, coverage: 4.0, lexical: 2.0, similarity: 3.0}"
    assert written == (
        "# Limits.\n\ncollections:\n  ADR_Ollama:\n    distance_threshold: 0.90  # cosine\n"
        f"    calibration: {model}\n"
        "\n  Policy_Ollama:   # few\n    distance_threshold: 0.85\n\ndefault:\n"
        f"  calibration: {model}\n\n# The end.\n\nfitted:\n  model: m\n  cases: 3\n"
    )
    again = updated(written, {("fitted",): {"model": "m", "cases": 3}})
    assert again == written


def test_a_mapping_at_the_top_is_changed_in_place() -> None:
    text = (
        "default:\n  model: 1\n\n# By its similarity alone.\n"
        "model: {intercept: -7.4, similarity: 26.0}  # by hand\n\n"
        "confidence:\n  min_confidence: 0.60   # of all\n"
    )
    model = {"intercept": -3.125, "similarity": 6.5}
    written = updated(text, {(): {"model": model}})
    assert written == text.replace(
        "{intercept: -7.4, similarity: 26.0}", "{intercept: -3.125, similarity: 6.5}"
    )
    assert updated(written, {(): {"model": model}}) == written


def test_a_signed_fit_may_lower_a_probability() -> None:
    inputs = np.array([[0.9, 0.0], [0.8, 0.1], [0.2, 0.9], [0.1, 1.0]] * 5)
    weights = logistic.fit_signed(inputs, np.array([0.0, 0.0, 1.0, 1.0] * 5))
    assert weights[1] < 0 < weights[2]
