"""The golden-set linter: what it finds, and that it shows no held-out question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scripts.lab import golden_set
from scripts.lab.golden_set import GoldenFinding
from tests.unit.evaluation_samples import case

from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import MINIMUMS, Case, Category, GoldenSet, GoldenSetError

KNOWN = {
    "ADR-0012": ("Cables are laid in sand.\n\n- A cable of **lead**\n  stays where it lies.",),
    "ADR-0013": ("Meters tick. Every meter is read\nat noon.",),
    "https://v.example/cim": ("A model of the grid.",),
}
SUBJECTS = (
    "cables sockets lamps meters pumps valves pipes wires gates bolts nuts screws poles boxes"
    " doors walls roofs tiles locks keys ropes nets"
).split()


def whole(*more: Case) -> GoldenSet:
    """A set without findings, and some questions more."""
    cases, number = [], 10
    for category in Category:
        for split in ("tuning", "held_out"):
            for _ in range(max(MINIMUMS[category], 2)):
                subject = " ".join(SUBJECTS[(number * k) % 22] for k in (1, 3, 5, 7))
                cases.append(asked(f"{subject} {number}?", number, split=split, category=category))
                number += 1
    return made([*cases, *more])


def asked(query: str, number: int, *ids: str, **changes: Any) -> Case:
    if str(changes.get("category", "")).startswith("terminology_"):
        changes.setdefault("expected", {"route": "skosmos"})
    return case(*ids, number=number, query=query, **changes)


def made(cases: Sequence[Case]) -> GoldenSet:
    return GoldenSet(cases=tuple(cases), version="v1.0.0", blob_hash="a" * 40, path=Path("g"))


def findings(*more: Case) -> list[GoldenFinding]:
    return golden_set.lint(whole(*more), known=KNOWN)


def test_a_sound_set_has_no_findings() -> None:
    assert findings() == []


def test_a_small_set_is_told_its_gaps() -> None:
    """Too few questions, too few of a category, a half without a category."""
    said = [item.message for item in golden_set.lint(made([asked("What?", 1)]), known=KNOWN)]
    assert "1 questions; at least 50 are needed" in said
    assert "0 question(s) of terminology_hit; at least 5 are needed" in said
    assert "the held_out half has no question of category adr_retrieval" in said


def test_a_document_that_does_not_exist_is_named() -> None:
    (found,) = findings(asked("Who decides on quinces?", 901, "ADR-0099"))
    assert found == GoldenFinding(rule="document", message="GS-901: ADR-0099 does not exist")
    (hidden,) = findings(asked("Who decides on quinces?", 901, "ADR-0099", split="held_out"))
    assert hidden.message == "GS-901: an expected document does not exist"


def quoting(quote: str, *ids: str, **changes: Any) -> Case:
    return asked("Who decides on quinces?", 901, *ids, expected={"quote": quote}, **changes)


@pytest.mark.parametrize(
    "quote",
    [
        "A cable of lead stays where it lies.",
        "- A cable of lead stays where it lies.",
        "Every meter is  read at *noon*. Cables are laid in sand.",
    ],
)
def test_a_quote_stands_in_an_expected_document(quote: str) -> None:
    """Word for word, whatever the white space and the marks; each sentence in one of them."""
    assert findings(quoting(quote, "ADR-0012", "ADR-0013")) == []


@pytest.mark.parametrize(
    ("quote", "lost"),
    [
        ("A cable of lead stays.", "A cable of lead stays."),
        ("cable of lead stays where it lie", "cable of lead stays where it lie"),
        ("Cables are laid in sand. Meters tick.", "Meters tick."),
    ],
)
def test_a_sentence_that_no_expected_document_says_is_named(quote: str, lost: str) -> None:
    (found,) = findings(quoting(quote, "ADR-0012"))
    assert found == GoldenFinding(
        rule="quote", message=f"GS-901: '{lost}' does not stand in ADR-0012"
    )
    (hidden,) = findings(quoting(quote, "ADR-0012", split="held_out"))
    assert hidden.message == "GS-901: its quote does not stand in an expected document"


def test_what_contradicts_itself_is_named() -> None:
    term = asked(
        "What is a quince?",
        901,
        category="terminology_miss",
        expected={"route": "adr"},
    )
    concept = asked(
        "Define the walrus",
        902,
        "https://v.example/cim",
        expected={"doc_types": ["ADR"]},
    )
    rules = {item.rule for item in findings(term, concept)}
    assert rules == {"route", "types"}


FIRST = "How long are the readings of smart meters kept by us?"
SECOND = "How long are the readings of smart meters kept by us"


def test_a_question_in_both_halves_leaks() -> None:
    (found,) = findings(
        asked(FIRST, 901, "ADR-0012"), asked(SECOND, 902, "ADR-0012", split="held_out")
    )
    assert found.rule == "leak"
    assert found.message == "GS-901 (tuning) and GS-902 (held_out): 100.0 alike"
    assert found.mistake


def test_a_changed_set_needs_a_new_version() -> None:
    changed = whole()
    (found,) = golden_set.unraised(changed, version="v1.0.0", blob_hash="b" * 40)
    assert "the version is still v1.0.0; raise it" in found.message
    assert golden_set.unraised(changed, version="v0.9.0", blob_hash="b" * 40) == []
    assert golden_set.unraised(changed, version="v1.0.0", blob_hash="a" * 40) == []


def test_a_held_out_line_that_is_wrong_keeps_its_question(tmp_path: Path) -> None:
    """The schema's error names the place, and not what stands there."""
    path = tmp_path / "golden.jsonl"
    path.write_text('{"id": "walrus", "split": "held_out"}\n["walrus"]\n', encoding="utf-8")
    with pytest.raises(GoldenSetError, match="id: String should match") as raised:
        golden.load(path, minimums={})
    assert "walrus" not in str(raised.value)
