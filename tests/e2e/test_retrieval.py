"""Retrieval over the documents that ship, measured by the script, on questions of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from elysia_guard.evaluation import retrieval_set
from elysia_guard.evaluation.golden import Split

ROOT = Path(__file__).resolve().parents[2]
FLOOR = 0.95
"""Recall@5 that no change may fall below, in either half: the aim, which both reach."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, str, int]:
    """One run of the script: its figures, all that it said, and its exit code."""
    path = tmp_path_factory.mktemp("retrieval") / "figures.json"
    options = ("--corpus", "own", "--misses", "--min-recall", "1", "--json", path)
    done = subprocess.run(
        [sys.executable, "-m", "scripts.lab", "retrieval", *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    text = path.read_text(encoding="utf-8")
    return json.loads(text), done.stdout + done.stderr + text, done.returncode


@pytest.mark.parametrize("half", list(Split))
def test_what_answers_is_among_the_first_five(measured: tuple[dict, str, int], half: Split) -> None:
    """A gate against regression; it tells figures and no question, so that held out stays so."""
    found = measured[0]["corpora"]["own"]["halves"][half]
    assert found["could_not_run"] == 0
    assert found["all"]["recall"] >= FLOOR


def test_of_held_out_questions_nothing_is_told(measured: tuple[dict, str, int]) -> None:
    """Neither their text nor their ids, though failures are asked for."""
    cases = retrieval_set.load(ROOT / "data" / "evaluation" / "retrieval.jsonl").cases
    told = {
        split: sum(
            item.query in measured[1] or item.id in measured[1]
            for item in cases
            if item.split is split
        )
        for split in Split
    }
    assert told[Split.HELD_OUT] == 0
    assert told[Split.TUNING] > 0


def test_recall_below_the_minimum_is_a_failure(measured: tuple[dict, str, int]) -> None:
    """With 1, and a line that says what was asked for."""
    assert measured[2] == 1
    assert "at least 1.0 is wanted" in measured[1]
