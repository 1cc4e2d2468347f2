"""What one judge's word is worth: fitted on tuning questions, and nothing where it tells none."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from scripts.lab import judge_fit
from scripts.lab.judge_fit import JudgedPassage

from elysia_guard import config
from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.evaluation.thresholds_file import changed

Chance = Callable[[random.Random, bool], float]


def right_in(share: float) -> Chance:
    return lambda draw, answers: 0.95 if (draw.random() < share) is answers else 0.05


def passages(chance: Chance, *, questions: int = 400, each: int = 4) -> list[JudgedPassage]:
    """Three questions in five have one passage that answers; the gates tell little of which."""
    draw = random.Random(14)
    found: list[JudgedPassage] = []
    for n in range(questions):
        place = draw.randrange(each) if draw.random() < 0.6 else -1
        for at in range(each):
            answers = at == place
            confidence = min(max(draw.gauss(0.6 if answers else 0.5, 0.15), 0.05), 0.95)
            found.append(
                JudgedPassage(
                    question=f"q{n}",
                    confidence=confidence,
                    chance=chance(draw, answers),
                    positive=answers,
                )
            )
    return found


class TestFit:
    def test_a_judge_that_is_right_may_assert(self) -> None:
        """From a chance on from which 97 of 100 left-out questions were right."""
        found = judge_fit.fit(passages(right_in(0.99)), "m")
        worth = found.calibration
        assert worth.model == "m"
        assert worth.asserted_from is not None
        assert worth.asserted_from >= 0.85
        assert worth.ceiling >= 0.97
        assert found.right / found.asserted >= 0.97
        assert found.log_loss < found.alone
        assert worth.probability(confidence=0.5, chance=0.95) > 0.9
        assert worth.probability(confidence=0.5, chance=0.05) < 0.1

    @pytest.mark.parametrize(
        "chance",
        [lambda *_: 1.0, lambda draw, _: draw.random(), right_in(0.5)],
        ids=["always yes", "by chance", "by a coin"],
    )
    def test_a_judge_that_tells_nothing_changes_nothing(self, chance: Chance) -> None:
        """The gates' confidence stays as it is, and nothing may be asserted."""
        worth = judge_fit.fit(passages(chance), "m").calibration
        assert worth == JudgeCalibration(model="m", intercept=0.0, confidence=1.0, judged=0.0)
        assert worth.probability(confidence=0.7, chance=1.0) == pytest.approx(0.7)
        assert not worth.asserts(1.0)


def test_it_is_written_into_the_thresholds() -> None:
    """As the section that is read back, beside what stands there."""
    path = config.home() / "config" / "thresholds.yaml"
    for worth in (
        JudgeCalibration(model="m@x+1", intercept=-1.0, confidence=0.5, judged=1.5),
        JudgeCalibration(
            model="m", intercept=0.1, confidence=1.0, judged=2.0, asserted_from=0.9, ceiling=0.98
        ),
    ):
        text = changed(
            path.read_text(),
            {("judge",): judge_fit.values(worth)},
            Path("thresholds.yaml"),
            check=config.ThresholdsFile.model_validate,
        )
        file = config.ThresholdsFile.model_validate(yaml.safe_load(text))
        assert file.thresholds().judge == worth
