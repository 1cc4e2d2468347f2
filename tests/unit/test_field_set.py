"""Fields against matters: that the questions load, and what counts as right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.small_world import World

from elysia_guard.evaluation import fields
from elysia_guard.evaluation.fields import FieldCase, FieldOutcome, FieldSetError
from elysia_guard.running import run_anywhere

SHIPPED = Path(__file__).parents[2] / "data" / "evaluation" / "fields.jsonl"


def case(question: str = "When was ADR-12 accepted?", **changes: Any) -> FieldCase:
    given = {
        "id": "FQ-001",
        "corpus": "here",
        "lang": "en",
        "split": "tuning",
        "question": question,
        "document": "ADR-0012",
        "field": "date",
        "about_document": True,
        "answer": None,
    }
    return FieldCase.model_validate({**given, **changes})


def outcome(*, about: bool, as_field: bool, answered: bool = True, of_it: bool = True) -> bool:
    asked = case(about_document=about)
    return FieldOutcome(case=asked, as_field=as_field, answered=answered, of_it=of_it).right


class TestRight:
    def test_a_field_is_told_where_it_is_asked(self) -> None:
        assert outcome(about=True, as_field=True)
        assert not outcome(about=True, as_field=False)

    def test_a_matter_is_not_answered_by_a_field(self) -> None:
        assert outcome(about=False, as_field=False)
        assert not outcome(about=False, as_field=True)

    def test_another_document_is_wrong_either_way(self) -> None:
        assert not outcome(about=True, as_field=True, of_it=False)
        assert not outcome(about=False, as_field=False, of_it=False)

    def test_a_refusal_is_never_wrong(self) -> None:
        assert outcome(about=False, as_field=True, answered=False, of_it=False)
        assert outcome(about=True, as_field=False, answered=False, of_it=False)


class TestAsking:
    def test_a_field_of_a_document_is_read_and_told(self) -> None:
        asked = case("What is the status of ADR-12?", field="status")
        found = run_anywhere(fields.ask(World().pipeline, asked))
        assert (found.as_field, found.answered, found.of_it) == (True, True, True)

    def test_a_document_that_is_not_there_is_none(self) -> None:
        asked = case("What is the status of ADR-50?", field="status", document="ADR-0050")
        found = run_anywhere(fields.ask(World().pipeline, asked))
        assert not found.answered
        assert not found.of_it

    def test_what_cannot_be_asked_is_not_answered(self) -> None:
        found = run_anywhere(fields.ask(World().pipeline, case("?!")))
        assert (found.as_field, found.answered) == (False, False)


class TestCounting:
    def test_fields_and_matters_are_counted_apart(self) -> None:
        told = FieldOutcome(case=case(), as_field=True, answered=True, of_it=True)
        matter = FieldOutcome(
            case=case(about_document=False), as_field=True, answered=True, of_it=True
        )
        found = fields.report([told, told, matter])
        assert (found["field"], found["field_right"], found["matter"]) == (2, 2, 1)
        assert (found["matter_right"], found["matter_told_as_field"]) == (0, 1)
        assert "2 ask for a field: 2 read so" in fields.render("tuning", found)
        assert "1 told the field instead" in fields.render("tuning", found)


class TestLoading:
    def test_what_ships_loads(self) -> None:
        """At least 60 of each, in both halves."""
        loaded = fields.load(SHIPPED)
        for about in (True, False):
            of_it = [item for item in loaded if item.about_document is about]
            assert len(of_it) >= 60
            assert {item.split.value for item in of_it} == {"tuning", "held_out"}

    def test_a_broken_line_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "fields.jsonl"
        path.write_text(json.dumps({"id": "FQ-001"}), encoding="utf-8")
        with pytest.raises(FieldSetError, match=r"fields\.jsonl:1"):
            fields.load(path)

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FieldSetError, match="cannot be read"):
            fields.load(tmp_path / "none.jsonl")
