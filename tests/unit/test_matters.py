"""The confidence in what a named document says of a matter: learnt from what one sentence says."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from tests.unit.small_world import THRESHOLDS, World

from elysia_guard import config
from elysia_guard.domain.calibration import MatterCalibration
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import matters
from elysia_guard.evaluation.matters import Matter
from elysia_guard.evaluation.tuning_questions import Question

SHIPPED = Path(__file__).parents[2] / "config" / "thresholds.yaml"
LIMITS = replace(THRESHOLDS, entity_matter=0.0)


def made(count: int, *, right: float, worth: float = 0.0, seed: int = 1) -> list[Matter]:
    """Matters of ten documents, so many of which are answered; more where a sentence says them."""
    draw = random.Random(seed)
    said = [draw.random() for _ in range(count)]
    return [
        Matter(
            case_id=f"q{n}",
            group=f"ADR-{n % 10:04}",
            said=each,
            positive=draw.random() < right + worth * (each - 0.5),
        )
        for n, each in enumerate(said)
    ]


class TestFit:
    def test_a_sentence_that_says_more_is_surer_where_it_is_right_more_often(self) -> None:
        fitted = matters.fit(made(400, right=0.6, worth=0.6))
        assert 0.2 < fitted.probability(0.0) < 0.4
        assert 0.8 < fitted.probability(1.0) < 0.95

    def test_what_says_nothing_leaves_the_share_that_is_right(self) -> None:
        found = made(400, right=0.7)
        fitted = matters.fit(found)
        share = sum(item.positive for item in found) / len(found)
        assert fitted.probability(0.5) == pytest.approx(share, abs=0.05)

    def test_it_never_lowers_a_confidence(self) -> None:
        """A sentence that says more is no sign of an answer that is not there."""
        assert matters.fit(made(400, right=0.5, worth=-0.8)).said == 0.0

    def test_other_registers_count_for_the_worth_and_not_for_the_scale(self) -> None:
        """Half of their questions have no answer, by their makers' choice."""
        found, beside = made(60, right=0.9), made(300, right=0.4, worth=0.7, seed=2)
        fitted = matters.fit(found, beside)
        assert fitted.said > matters.fit(found).said
        mean = sum(fitted.probability(item.said) for item in found) / len(found)
        assert mean == pytest.approx(0.9, abs=0.06)

    @pytest.mark.parametrize("found", [made(10, right=0.5), made(40, right=2.0)])
    def test_too_little_is_no_fit(self, found: list[Matter]) -> None:
        with pytest.raises(GuardError, match="a fit needs at least"):
            matters.fit(found)


class TestLeftOut:
    def test_each_is_judged_by_what_has_not_seen_it(self) -> None:
        """A corpus by the others; ours by whole documents too."""
        elsewhere = {"other": made(80, right=0.5, worth=0.9, seed=3)}
        found = {
            item.group: item
            for item in matters.left_out(made(200, right=0.6, worth=0.9), elsewhere, LIMITS)
        }
        assert set(found) == {"here", "other", "here, documents left out"}
        assert found["other"].questions == 80
        assert min(item.area for item in found.values()) > 0.6
        assert found["here, documents left out"].ece < 0.15

    def test_a_corpus_alone_has_no_others(self) -> None:
        alone = matters.left_out(made(200, right=0.6, worth=0.9), {}, LIMITS)
        assert [item.group for item in alone] == ["here, documents left out"]


async def test_what_names_a_document_by_its_number_and_is_let_through_is_learnt_from() -> None:
    """The whole of a document, what names none, and what the gates refuse are left out."""
    texts = {
        "matter": "What does ADR-12 say about other models?",
        "whole": "What does ADR-12 decide?",
        "search": "How are connections encrypted?",
        "refused": "What does ADR-12 say about the salaries of walruses in Greenland?",
    }
    questions = [
        Question(id=name, query=text, expected=frozenset({"ADR-0012"}))
        for name, text in texts.items()
    ]
    found = await matters.of_numbers(World().pipeline, questions)
    assert [(item.case_id, item.group, item.positive) for item in found] == [
        ("matter", "ADR-0012", True)
    ]


async def test_a_question_on_another_register_counts_as_if_it_named_its_document() -> None:
    """Whether that answers it or not; one whose document is not found tells nothing."""
    asked = [
        Question(id="near", query="How are connections encrypted?", expected=frozenset()),
        Question(id="lost", query="How are connections encrypted?", expected=frozenset()),
    ]
    known = [
        replace(asked[0], about=frozenset({"ADR-0027"})),
        replace(asked[1], about=frozenset({"nowhere"})),
    ]
    (item,) = await matters.as_if_named(World().pipeline, known)
    assert (item.case_id, item.group, item.positive) == ("near", "ADR-0027", False)
    assert 0.0 <= item.said <= 1.0


def test_the_file_holds_the_model(tmp_path: Path) -> None:
    """What is in force is what the file says; without the section there is no model."""
    path, text = tmp_path / "thresholds.yaml", SHIPPED.read_text(encoding="utf-8")
    content = yaml.safe_load(text)
    path.write_text(yaml.safe_dump({**content, "matter": {"intercept": 1.0, "said": 2.0}}))
    assert config.load_thresholds(path).matter == MatterCalibration(intercept=1.0, said=2.0)
    path.write_text(yaml.safe_dump({key: content[key] for key in content if key != "matter"}))
    assert config.load_thresholds(path).matter is None
