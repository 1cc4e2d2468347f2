"""The labelled questions: what the router's reading is worth, and that the halves stay apart."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elysia_guard.domain.question import IntentKind
from elysia_guard.evaluation import intents
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.intents import IntentCase, IntentSetError

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


def test_questions_alike_in_different_halves_are_named() -> None:
    """Punctuation and capitals make no difference; within a half, likeness is no leak."""
    cases = (
        case(),
        case(id="IQ-002", query="what is cimxml", split="held_out"),
        case(id="IQ-003", query="What is a CIMXML?"),
        case(id="IQ-004", query="Wofür steht VNB?", split="held_out", term="vnb"),
    )
    assert [pair[:2] for pair in intents.alike(cases)] == [
        ("IQ-001", "IQ-002"),
        ("IQ-003", "IQ-002"),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"query": "ADR-0012", "intent": "entity", "term": None, "refs": ["ADR-0012"]},
        {"query": "List all ADRs", "intent": "list", "term": None, "kinds": ["decision"]},
        {"query": "congestion management", "intent": "open", "term": "congestion management"},
        {"query": "Why Kafka?", "intent": "open", "term": None},
    ],
)
def test_a_reading_is_right_when_all_that_is_labelled_is(changes: dict[str, Any]) -> None:
    """Intent, and term, references and kinds where they are given."""
    assert intents.read(case(**changes)).correct


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


def test_the_figures_say_where_it_goes_wrong_and_quote_no_question() -> None:
    """By language and intent, with the confusion, and the worst mistake by itself."""
    readings = [
        intents.read(item)
        for item in (
            case(),
            case(id="IQ-002", query="Wat is Kafka?", lang="nl", intent="open", term=None),
        )
    ]
    figures = intents.report(readings)
    assert (figures["questions"], figures["correct"], figures["accuracy"]) == (2, 1, 0.5)
    assert figures["documents_to_vocabulary"] == 1
    assert figures["by_language"]["nl"] == {"questions": 1, "correct": 0, "accuracy": 0.0}
    assert figures["by_intent"]["terminology"]["accuracy"] == 1.0
    assert figures["confusion"]["open"]["terminology"] == 1
    shown = intents.render({Split.TUNING: figures})
    assert "1 of 2 right" in shown
    assert "Kafka" not in shown
    assert "Kafka" not in json.dumps(figures)
    failure = intents.render_failure(readings[1])
    assert "Wat is Kafka?" in failure
    assert "read:  terminology Kafka" in failure


def test_nothing_measured_is_no_accuracy() -> None:
    """No division by zero."""
    assert intents.report([])["accuracy"] == 0.0


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "1: is not JSON"),
        (line(extra=1), "1: extra: "),
        (line(term=None), "term must be given"),
        (line(term="CIMXML"), "write it as 'cimxml'"),
        (line(refs=["ADR-0012"]), "refs belong to intent entity"),
        (line(intent="entity"), "refs belong to intent entity"),
        (line(id="12"), "1: id: "),
    ],
)
def test_a_line_that_is_no_labelled_question_is_named(
    write: Write, record: dict[str, Any] | str, message: str
) -> None:
    """With file, line and key."""
    with pytest.raises(IntentSetError, match=r"intents\.jsonl") as caught:
        intents.load(write(record))
    assert message in str(caught.value)


@pytest.mark.parametrize("second", [line(query="What is CIM?"), line(id="IQ-002")])
def test_nothing_stands_in_it_twice(write: Write, second: dict[str, Any]) -> None:
    """Neither an id nor a question."""
    with pytest.raises(IntentSetError, match="stands in line 1 already"):
        intents.load(write(line(), second))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """As every error names its file."""
    with pytest.raises(IntentSetError, match="cannot be read"):
        intents.load(tmp_path / "none.jsonl")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "eval_intents.py"
    return subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, check=False
    )


def test_the_script_shows_what_is_held_out_only_when_asked(write: Write) -> None:
    """Failures of the tuning half are shown, those of the other are counted."""
    path = write(
        line(query="Why Kafka?", term="kafka"),
        line(id="IQ-002", query="Why not Rabbit?", term="rabbit", split="held_out"),
    )
    shown = run("--questions", path)
    assert shown.returncode == 0
    assert "Kafka" in shown.stdout
    assert "Rabbit" not in shown.stdout + shown.stderr
    assert "Rabbit" not in run("--questions", path, "--split", "held_out").stdout
    assert "Rabbit" not in run("--questions", path, "--show").stdout
    assert "Rabbit" in run("--questions", path, "--split", "held_out", "--show").stdout


def test_the_script_fails_below_a_minimum_and_on_a_leak(write: Write) -> None:
    """1 for a failed gate, 3 for what could not run; errors on one line each."""
    wrong = write(line(query="Why Kafka?", term="kafka"))
    failed = run("--questions", wrong, "--split", "tuning", "--min-accuracy", "0.9", "--json")
    assert failed.returncode == 1
    assert "accuracy is 0.0000" in failed.stderr
    assert json.loads(failed.stdout)["tuning"]["questions"] == 1
    leak = run(
        "--questions", write(line(), line(id="IQ-002", query="What is a CIMXML", split="held_out"))
    )
    assert leak.returncode == 1
    assert "IQ-001 and IQ-002" in leak.stderr
    assert run("--questions", wrong.with_name("none.jsonl")).returncode == 3
