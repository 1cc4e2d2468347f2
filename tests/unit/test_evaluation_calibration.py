"""The fit: known coefficients are found again, and the numbers reach the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from elysia_guard import config as configuration
from elysia_guard.domain.errors import ConfigError, GuardError
from elysia_guard.domain.thresholds import Calibration
from elysia_guard.evaluation import calibration, golden, logistic
from elysia_guard.evaluation.calibration import Sample
from elysia_guard.evaluation.thresholds_text import updated
from elysia_guard.language.coverage import query_terms
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates.passages import measure
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
THRESHOLDS = ROOT / "config" / "thresholds.yaml"
KNOWN = Calibration(intercept=-4.0, similarity=3.0, coverage=4.0, lexical=2.0)

SIMILARITY_ALONE = Calibration(intercept=-3.0, similarity=6.0, coverage=0.0, lexical=0.0)


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
    assert pooled.calibration.intercept == pytest.approx(-4.0, abs=0.2)
    assert pooled.calibration.similarity == pytest.approx(3.0, abs=0.2)
    assert pooled.calibration.coverage == pytest.approx(4.0, abs=0.2)
    assert pooled.calibration.lexical == pytest.approx(2.0, abs=0.2)
    assert pooled.log_loss == pytest.approx(pooled.current_log_loss, abs=0.002)
    assert own.collection == "ADR_Ollama"
    assert not own.own


def test_a_fit_is_the_same_every_time() -> None:
    assert calibration.fit(drawn(300), known) == calibration.fit(drawn(300), known)


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


def test_too_few_questions_are_not_fitted() -> None:
    with pytest.raises(GuardError, match="at least 5 questions"):
        calibration.fit(drawn(40), known)


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


def test_separable_passages_still_give_finite_weights() -> None:
    inputs = np.array([[0.1], [0.2], [0.8], [0.9]])
    weights = logistic.fit(inputs, np.array([0.0, 0.0, 1.0, 1.0]))
    assert np.isfinite(weights).all()
    chances = logistic.probabilities(inputs, weights)
    assert chances[0] < 0.5 < chances[3]


def test_a_strong_prior_holds() -> None:
    prior = np.array([-1.0, 2.0])
    inputs, labels = np.array([[0.5], [0.7]]), np.array([1.0, 0.0])
    assert logistic.fit(inputs, labels, penalty=1e6, prior=prior) == pytest.approx(prior, abs=1e-3)


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
    shared = np.array([-4.0, 3.0, 4.0, 2.0])
    assert calibration._limits(trusted, shared, 0.5) == (0.7, 0.8)
    assert calibration._limits([item for item in base if not item.positive], shared, 0.5) == (0, 0)


def foreign(count: int, model: Calibration = SIMILARITY_ALONE) -> list[Sample]:
    """Passages in another language; coverage and words are there, and mean nothing."""
    return [replace(item, foreign=True) for item in drawn(count, model)]


def test_known_cross_language_coefficients_are_found_again() -> None:
    found = calibration.fit_cross_language(foreign(20_000), SIMILARITY_ALONE)
    assert found.calibration is not None
    assert found.calibration.intercept == pytest.approx(-3.0, abs=0.2)
    assert found.calibration.similarity == pytest.approx(6.0, abs=0.2)
    assert (found.calibration.coverage, found.calibration.lexical) == (0, 0)
    assert found.log_loss == pytest.approx(found.current_log_loss, abs=0.002)
    assert found.questions == 2000
    assert found.passages == 20_000
    assert 0 < found.positives < 20_000


def test_a_model_in_force_that_is_worse_shows_in_its_loss() -> None:
    """A right passage has to look wrong to it: the loss in force is that of ``current``."""
    wrong = replace(SIMILARITY_ALONE, intercept=-9.0)
    found = calibration.fit_cross_language(foreign(500), wrong)
    assert found.current_log_loss > found.log_loss + 0.1


def test_each_fit_leaves_the_passages_of_the_other_out() -> None:
    own, other = drawn(300), foreign(300)
    assert calibration.fit(own + other, known) == calibration.fit(own, known)
    both = calibration.fit_cross_language(own + other, SIMILARITY_ALONE)
    assert both == calibration.fit_cross_language(other, SIMILARITY_ALONE)


def right_in_every_question(questions: int) -> list[Sample]:
    """The first two passages of each question: the first one right, the second one wrong."""
    pairs = [item for n, item in enumerate(foreign(10 * questions)) if n % 10 < 2]
    return [replace(item, positive=n % 2 == 0) for n, item in enumerate(pairs)]


def test_cross_language_needs_questions_with_a_right_passage() -> None:
    enough = right_in_every_question(calibration.MIN_QUESTIONS)
    assert calibration.fit_cross_language(enough, SIMILARITY_ALONE).calibration is not None
    few = right_in_every_question(calibration.MIN_QUESTIONS - 1)
    unanswered = [replace(item, case_id=f"{item.case_id}x", positive=False) for item in enough]
    found = calibration.fit_cross_language(few + unanswered, SIMILARITY_ALONE)
    assert found.calibration is None
    assert (found.questions, found.passages, found.positives) == (7, 30, 7)
    assert np.isnan([found.log_loss, found.current_log_loss]).all()


@pytest.mark.parametrize("positive", [True, False])
def test_cross_language_passages_that_are_all_alike_are_not_fitted(positive: bool) -> None:
    alike = [replace(item, positive=positive) for item in foreign(100)]
    assert calibration.fit_cross_language(alike, SIMILARITY_ALONE).calibration is None


def test_without_passages_in_another_language_there_is_no_fit() -> None:
    found = calibration.fit_cross_language(drawn(100), SIMILARITY_ALONE)
    assert found.calibration is None
    assert (found.questions, found.passages, found.positives) == (0, 0, 0)


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    config = configuration.load(ROOT / "config" / "guard.yaml", environ={})
    index = config.index.model_copy(
        update={"path": tmp_path_factory.mktemp("index") / "index.sqlite"}
    )
    wiring = Wiring(config.model_copy(update={"index": index}))
    wiring.ensure_index()
    yield wiring.pipeline
    wiring.index.close()


def case(number: int, query: str, *ids: str, category: str = "policy_retrieval") -> golden.Case:
    return golden.Case.model_validate(
        {
            "id": f"GS-{number:03d}",
            "query": query,
            "category": category,
            "lang": "en",
            "split": "tuning",
            "expected": {
                "route": "policy",
                "abstain": not ids,
                "doc_types": ["Policy"],
                "doc_ids": ids,
            },
        }
    )


@pytest.mark.slow
async def test_samples_hold_what_the_gates_measure(pipeline: Pipeline) -> None:
    """The model is fitted on the very numbers that it is asked about."""
    query = "What is the data retention policy?"
    found = await calibration.samples(pipeline, [case(1, query, "POL-0001")])
    inquiry = pipeline.begin(query, request_id="r", route="direct")
    await pipeline.gather(inquiry)
    evidence = inquiry.evidence
    terms = query_terms(inquiry.intent.topic, "en", evidence.synonyms, rarity=evidence.rarity)
    measured = measure(
        inquiry.evidence,
        terms,
        thresholds=pipeline.thresholds,
        collections=pipeline.collections,
    )
    assert any(item.positive for item in found)
    assert {item.collection for item in found} == {"Policy_Ollama"}
    model = pipeline.thresholds.for_collection("Policy_Ollama").calibration
    assert [calibration._chance(model, item) for item in found] == pytest.approx(
        [item.confidence for item in measured if item.hit.passage.document.lang == "en"]
    )


@pytest.mark.slow
async def test_only_searches_are_learnt_from(pipeline: Pipeline) -> None:
    """Terms, named documents and lists are not."""
    nothing = [
        case(1, "What is CIMXML?", category="terminology_hit"),
        case(2, "POL-0001", "POL-0001"),
        case(3, "congestion management", category="semantic_search"),
    ]
    assert await calibration.samples(pipeline, nothing) == []


@pytest.mark.slow
async def test_passages_in_another_language_are_told_apart(pipeline: Pipeline) -> None:
    """They too are learnt from by the very numbers that the gates ask about."""
    query = "Wat zegt het beleid over open data?"
    found = await calibration.samples(pipeline, [case(4, query, "POL-0007")])
    inquiry = pipeline.begin(query, request_id="r", route="direct")
    await pipeline.gather(inquiry)
    hits = inquiry.evidence.hits
    assert {hit.passage.document.lang for hit in hits} == {"en"}
    assert all(item.foreign for item in found)
    assert calibration.in_own_language(found) == []
    assert any(item.positive for item in found)
    terms = query_terms(inquiry.intent.topic, "nl", inquiry.evidence.synonyms)
    measured = measure(
        inquiry.evidence,
        terms,
        thresholds=pipeline.thresholds,
        collections=pipeline.collections,
    )
    model = pipeline.thresholds.cross_language
    assert [calibration._chance(model, item) for item in found] == pytest.approx(
        [item.confidence for item in measured]
    )


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
    model = "{intercept: -4.0, similarity: 3.0, coverage: 4.0, lexical: 2.0}"
    assert written == (
        "# Limits.\n\ncollections:\n  ADR_Ollama:\n    distance_threshold: 0.90  # cosine\n"
        f"    calibration: {model}\n"
        "\n  Policy_Ollama:   # few\n    distance_threshold: 0.85\n\ndefault:\n"
        f"  calibration: {model}\n\n# The end.\n\nfitted:\n  model: m\n  cases: 3\n"
    )
    again = updated(written, {("fitted",): {"model": "m", "cases": 3}})
    assert again == written


def test_the_cross_language_model_is_changed_in_place() -> None:
    text = (
        "default:\n  cross_language: 1\n\n# By its similarity alone.\n"
        "cross_language: {intercept: -7.4, similarity: 26.0}  # by hand\n\n"
        "confidence:\n  min_confidence: 0.60   # of all\n"
    )
    model = {"intercept": -3.125, "similarity": 6.5}
    written = updated(text, {(): {"cross_language": model}})
    assert written == text.replace(
        "{intercept: -7.4, similarity: 26.0}", "{intercept: -3.125, similarity: 6.5}"
    )
    assert updated(written, {(): {"cross_language": model}}) == written


def test_a_section_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"no section collections\.Memo"):
        updated("collections:\n  ADR_Ollama:\n    a: 1\n", {("collections", "Memo"): {"a": 2}})


def test_what_is_written_is_read_as_thresholds() -> None:
    text = updated(
        THRESHOLDS.read_text(encoding="utf-8"),
        {
            ("collections", "Principle_Ollama"): {"distance_threshold": 0.9, "calibration": KNOWN},
            (): {"cross_language": {"intercept": -3.0, "similarity": 6.0}},
            ("fitted",): {"model": "m", "golden_set_hash": "d" * 40, "cases": 30},
        },
    )
    file = configuration.ThresholdsFile.model_validate(yaml.safe_load(text))
    assert file.fitted is not None
    assert file.fitted.cases == 30
    assert file.thresholds().for_collection("Principle_Ollama").calibration == KNOWN
    assert file.thresholds().for_collection("ADR_Ollama").calibration != KNOWN
    assert file.thresholds().cross_language == SIMILARITY_ALONE
