"""The golden set: what may stand in it, and what its errors name."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import MINIMUMS, Category, GoldenSetError, Split

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
    for case in golden.load(SHIPPED).cases:
        for name in case.expected.doc_ids:
            if name.startswith("https://vocab.vennet.example/"):
                scheme, concept = name.split("/")[-2:]
                assert f"\n{scheme}:{concept} a skos:Concept" in vocabulary, case.id
            else:
                kind, number = name.split("-")
                found = list((root / "knowledge" / folders[kind]).glob(f"{number}-*.md"))
                assert len(found) == 1, case.id


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
