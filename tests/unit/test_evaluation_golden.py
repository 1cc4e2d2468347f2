"""The golden set: what may stand in it, and what its errors name."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from scripts.lab import golden_set
from scripts.lab.golden_set import GoldenFinding
from tests.unit.evaluation_samples import case

from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import (
    MINIMUMS,
    Case,
    Category,
    GoldenSet,
    GoldenSetError,
    Split,
)

SHIPPED = Path(__file__).parents[2] / "data" / "evaluation" / "golden_queries.jsonl"

Write = Callable[..., Path]


def line(**changes: Any) -> dict[str, Any]:
    return {
        "id": "GS-001",
        "query": "What is CIMXML?",
        "category": "terminology_hit",
        "lang": "en",
        "split": "tuning",
        "expected": {
            "route": "skosmos",
            "abstain": False,
            "doc_types": ["Vocabulary"],
            "doc_ids": ["https://vocab.example/cimxml"],
            "source": "SKOSMOS",
        },
        "tags": ["positive"],
        **changes,
    }


def expecting(**changes: Any) -> dict[str, Any]:
    return line(expected={**line()["expected"], **changes})


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(*records: dict[str, Any] | str, version: str = "version: v1.2.0\n") -> Path:
        path = tmp_path / "golden.jsonl"
        lines = [item if isinstance(item, str) else json.dumps(item) for item in records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        (tmp_path / golden.VERSION_FILE).write_text(version, encoding="utf-8")
        return path

    return write_file


def test_a_set_is_read_with_its_version_and_hash(write: Write) -> None:
    path = write(line(), "", line(id="GS-002", split="held_out"))
    read = golden.load(path, minimums={})
    assert [case.id for case in read.cases] == ["GS-001", "GS-002"]
    assert read.version == "v1.2.0"
    assert read.blob_hash == golden.blob_hash(path.read_bytes())
    assert [case.id for case in read.select(Split.HELD_OUT)] == ["GS-002"]
    assert read.select(None) == read.cases


def test_the_hash_is_the_one_git_gives(write: Write) -> None:
    path = write(line())
    try:
        said = subprocess.run(
            ["git", "hash-object", "--no-filters", str(path)],  # noqa: S607
            capture_output=True,
            check=True,
            text=True,
        )
    except FileNotFoundError:
        pytest.skip("git is not installed")
    assert golden.blob_hash(path.read_bytes()) == said.stdout.strip()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('{"id": ', "golden.jsonl:2: is not JSON"),
        ("[]", "golden.jsonl:2: the record: Input should be"),
        (line(), "golden.jsonl:2: id GS-001 is already used on line 1"),
        (line(id="12"), "golden.jsonl:2: id is '12'"),
        (line(category="guesses"), "golden.jsonl:2: category is 'guesses'"),
        (line(lang="it"), "golden.jsonl:2: lang is 'it'"),
        (line(query=""), "golden.jsonl:2: query is ''"),
        (line(id="GS-002", note="x"), "golden.jsonl:2: note is 'x': Extra inputs"),
        (expecting(doc_types=["Memo"]), "expected.doc_types.0 is 'Memo'"),
        (expecting(abstain=True), "abstain is true, so doc_ids must be empty"),
        (expecting(doc_ids=[]), "abstain is false, so doc_ids and doc_types must name"),
        (
            expecting(abstain=True, doc_ids=[], quote="It is."),
            "abstain is true, so no quote answers",
        ),
        (expecting(quote=" - "), "expected.quote is ' - ': String should match"),
        (expecting(reason="no_results"), "abstain is false, so there is no reason"),
    ],
)
def test_a_wrong_line_is_named(write: Write, wrong: dict[str, Any] | str, said: str) -> None:
    path = write(line(), wrong)
    with pytest.raises(GoldenSetError) as raised:
        golden.load(path, minimums={})
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("version", "said"),
    [("version: 1\n", "version is 1"), ("a: [\n", "is not valid YAML"), ("", "the record is None")],
)
def test_a_wrong_version_is_named(write: Write, version: str, said: str) -> None:
    with pytest.raises(GoldenSetError, match=rf"golden_set\.yaml: {said}"):
        golden.load(write(line(), version=version), minimums={})


def test_the_shipped_set_is_complete() -> None:
    """Every category has its minimum in both halves together, and both halves know each."""
    shipped = golden.load(SHIPPED)
    assert len(shipped.cases) >= 100
    for split in Split:
        counts = Counter(case.category for case in shipped.select(split))
        assert set(counts) == set(MINIMUMS)
    unanswerable = sum(case.expected.abstain for case in shipped.cases)
    assert unanswerable >= len(shipped.cases) / 5


def test_the_shipped_set_quotes_what_answers() -> None:
    """Tuning questions alone, since a sentence tells of its question; and no lists."""
    quoted = [case for case in golden.load(SHIPPED).cases if case.expected.quote]
    assert len(quoted) >= 150
    assert {case.split for case in quoted} == {Split.TUNING}
    assert not any(case.complete for case in quoted)


def test_the_shipped_set_names_documents_that_exist() -> None:
    root = SHIPPED.parents[1]
    vocabulary = (root / "vocabulary" / "vennet.ttl").read_text(encoding="utf-8")
    folders = {"ADR": "decisions", "PCP": "principles", "POL": "policies"}
    for each in golden.load(SHIPPED).cases:
        for name in each.expected.doc_ids:
            if name.startswith("https://vocab.vennet.example/"):
                scheme, concept = name.split("/")[-2:]
                assert f"\n{scheme}:{concept} a skos:Concept" in vocabulary, each.id
            else:
                kind, number = name.split("-")
                found = list((root / "knowledge" / folders[kind]).glob(f"{number}-*.md"))
                assert len(found) == 1, each.id


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), (b"{\xff}", "is not UTF-8 at byte 1")]
)
def test_a_file_that_is_no_text_is_named(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "golden.jsonl"
    if content:
        path.write_bytes(content)
    with pytest.raises(GoldenSetError, match=rf"golden\.jsonl: {said}"):
        golden.load(path)


def test_too_few_questions_of_a_category_are_named(write: Write) -> None:
    with pytest.raises(GoldenSetError, match=r"0 question\(s\) of category terminology_miss; .* 3"):
        golden.load(write(line()), minimums={Category.TERMINOLOGY_MISS: 3})


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
