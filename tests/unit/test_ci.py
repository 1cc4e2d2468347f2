"""What CI does with the evaluation, as its own file says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture
def steps() -> list[dict[str, Any]]:
    """The steps of the workflow that measures answers."""
    text = (ROOT / ".github" / "workflows" / "rag-quality.yml").read_text(encoding="utf-8")
    made: list[dict[str, Any]] = yaml.safe_load(text)["jobs"]["evaluate"]["steps"]
    return made


def recipe(target: str) -> str:
    """What `make` does for a target."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    _, _, after = text.partition(f"\n{target}:")
    return after.partition("\n\n")[0]


def test_the_evaluation_runs_in_ci_against_the_baseline(steps: list[dict[str, Any]]) -> None:
    """Its thresholds are those of the gate, and its failure is one of the build."""
    (run,) = [step for step in steps if step.get("run") == "make eval"]
    assert not run.get("continue-on-error")
    done = recipe("eval")
    assert "scripts/eval_rag_quality.py --config config/thresholds.yaml" in done
    assert "--baseline data/evaluation/baseline.json" in done
    assert "--precision-threshold 0.05 --recall-threshold 0.05" in done


def test_a_pull_request_shows_the_difference(steps: list[dict[str, Any]]) -> None:
    """As a comment with the report, also where the gate failed."""
    (comment,) = [step for step in steps if "gh pr comment" in step.get("run", "")]
    assert "build/eval/report.md" in comment["run"]
    assert "always()" in comment["if"]
    assert "--markdown build/eval/report.md" in recipe("eval")
