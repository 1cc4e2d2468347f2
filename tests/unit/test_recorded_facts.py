"""The facts of an answer: each is stated by its own document, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.small_world import World

from elysia_guard.evaluation import quotes
from elysia_guard.evaluation.recorded import RecordedError
from elysia_guard.evaluation.recorded_facts import Fact, load

TLS = "Connections are encrypted with TLS 1.3."
ASKED = "How are connections encrypted?"


@pytest.mark.parametrize(
    ("document", "words", "stated"),
    [
        ("ADR-0027", TLS, True),
        ("ADR-0012", TLS, False),
        ("ADR-0027", "Connections are encrypted with TLS 1.4.", False),
    ],
)
def test_a_fact_is_stated_by_its_own_document(document: str, words: str, stated: bool) -> None:
    fact = Fact(document=document, words=words)
    assert fact.is_stated(World().ask(ASKED)) is stated


def test_a_refusal_states_nothing() -> None:
    """Not even where it mentions the words."""
    reply = World().ask("What is the canteen's menu?")
    assert reply.refused
    assert not Fact(document="ADR-0027", words=TLS).is_stated(reply)


def test_facts_are_read_by_their_question(tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    row = {"id": "GS-9001", "facts": [{"document": "ADR-0027", "words": TLS}]}
    file.write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    assert load(file) == {"GS-9001": (Fact(document="ADR-0027", words=TLS),)}


@pytest.mark.parametrize("line", ["{", '{"id": "GS-9001", "facts": []}', '{"id": "GS-1"}', "[]"])
def test_what_names_no_facts_is_told_by_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "facts.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(RecordedError, match=r"facts\.jsonl:1"):
        load(file)
    with pytest.raises(RecordedError, match="cannot be read"):
        load(tmp_path / "nowhere.jsonl")


def test_those_of_the_repository_stand_in_their_documents() -> None:
    """Word for word, and each question is one that is asked."""
    root = Path(__file__).resolve().parents[2]
    asked = {
        json.loads(line)["id"]
        for name in ("golden_queries", "parts_queries")
        for line in (root / "data/evaluation" / f"{name}.jsonl").read_text("utf-8").splitlines()
    }
    files = (root / "data" / "knowledge").rglob("*.md")
    texts = " ".join(" ".join(file.read_text("utf-8").split()) for file in files)
    found = load(root / "data" / "evaluation" / "parts_facts.jsonl")
    assert set(found) <= asked
    for fact in (each for facts in found.values() for each in facts):
        assert quotes.holds(texts, fact.words)
