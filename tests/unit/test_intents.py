"""The labelled questions: what the router's reading is worth, and that the halves stay apart."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripts.lab import intents
from scripts.lab.intents import IntentCase
from tests import prepared

from elysia_guard.domain.question import IntentKind
from elysia_guard.evaluation.golden import Split

ROOT = Path(__file__).parents[2]
SHIPPED = intents.load(ROOT / "data" / "evaluation" / "intents.jsonl")

Write = Callable[..., Path]


def line(**changes: Any) -> dict[str, Any]:
    return {
        "id": "IQ-001",
        "query": "What is CIMXML?",
        "lang": "en",
        "split": "tuning",
        "intent": "terminology",
        "term": "cimxml",
        **changes,
    }


def case(**changes: Any) -> IntentCase:
    return IntentCase.model_validate(line(**changes))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(*records: dict[str, Any] | str) -> Path:
        path = tmp_path / "intents.jsonl"
        lines = [item if isinstance(item, str) else json.dumps(item) for item in records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write_file


@pytest.mark.parametrize(("split", "minimum"), [(Split.TUNING, 0.96), (Split.HELD_OUT, 0.90)])
def test_the_router_reads_the_shipped_questions_right(split: Split, minimum: float) -> None:
    """A gate against regression; it tells counts and no question, so that held out stays so."""
    figures = intents.report([intents.read(item) for item in SHIPPED if item.split is split])
    right, misled = figures["accuracy"], figures["documents_to_vocabulary"]
    assert right >= minimum, f"{figures['correct']} of {figures['questions']}"
    assert misled == 0


def test_the_shipped_set_is_large_enough_and_halved() -> None:
    """Each language and intent stands in both halves, as often but for one."""
    assert len(SHIPPED) >= 440
    for lang in ("en", "nl", "de"):
        for kind in IntentKind:
            halves = [
                sum((item.lang, item.intent, item.split) == (lang, kind, split) for item in SHIPPED)
                for split in Split
            ]
            assert min(halves) > 0
            assert abs(halves[0] - halves[1]) <= 1


def test_no_question_leaks_from_one_half_into_the_other() -> None:
    """A question that is all but the same in both halves would be learnt, not held out."""
    assert intents.alike(SHIPPED) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"term": "cim"},
        {"query": "ADR-0012", "intent": "entity", "term": None, "refs": ["ADR-0013"]},
        {"query": "List all ADRs", "intent": "list", "term": None, "kinds": ["policy"]},
        {"query": "Why Kafka?"},
    ],
)
def test_a_reading_is_wrong_when_anything_labelled_is(changes: dict[str, Any]) -> None:
    """The right intent with the wrong term is a wrong lookup."""
    assert not intents.read(case(**changes)).correct


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return prepared.run(["intents", *arguments], module="scripts.lab", folder=ROOT)


def test_the_experiment_fails_below_a_minimum_and_on_a_leak(write: Write) -> None:
    """1 for a failed gate, 3 for what could not run; what is held out is not shown."""
    wrong = write(
        line(query="Why Kafka?", term="kafka"),
        line(id="IQ-002", query="Why not Rabbit?", term="rabbit", split="held_out"),
    )
    failed = run("--questions", wrong, "--min-accuracy", "0.9", "--misses")
    assert failed.returncode == 1
    assert "accuracy is 0.0000" in failed.stderr
    assert "Kafka" in failed.stdout
    assert "Rabbit" not in failed.stdout + failed.stderr
    leak = run(
        "--questions", write(line(), line(id="IQ-002", query="What is a CIMXML", split="held_out"))
    )
    assert leak.returncode == 1
    assert "IQ-001 and IQ-002" in leak.stderr
    assert run("--questions", wrong.with_name("none.jsonl")).returncode == 3
