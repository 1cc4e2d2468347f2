"""The labelled questions: that they load, and how what is read is held against them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation import readings, readings_run
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.readings import ReadingCase, ReadingSetError
from elysia_guard.evaluation.readings_run import ReadCase
from elysia_guard.running import run_anywhere

ROOT = Path(__file__).parents[2]
SHIPPED = readings.load(ROOT / "data" / "evaluation" / "readings.jsonl")

Write = Callable[..., Path]


def line(**changes: Any) -> dict[str, Any]:
    return {
        "id": "RD-0001",
        "corpus": "here",
        "lang": "en",
        "split": "tuning",
        "style": ["plain"],
        "question": "What is a transformer?",
        "parts": [
            {
                "kind": "definition",
                "asked": "meaning",
                "spans": [{"text": "transformer", "means": "term:power transformer"}],
            }
        ],
        "sources": ["term:power transformer"],
        **changes,
    }


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(*lines: dict[str, Any] | str) -> Path:
        path = tmp_path / "readings.jsonl"
        texts = (item if isinstance(item, str) else json.dumps(item) for item in lines)
        path.write_text("\n".join(texts), encoding="utf-8")
        return path

    return written


class TestLoading:
    def test_what_ships_loads(self) -> None:
        """In three languages, over three corpora, of every kind."""
        assert {case.lang for case in SHIPPED.cases} == {"en", "nl", "de"}
        assert {case.corpus for case in SHIPPED.cases} == {"demo", "esa", "govuk"}
        kinds = {part.kind for case in SHIPPED.cases for part in case.parts}
        assert kinds == set(ReadKind)
        assert len(SHIPPED.select(Split.TUNING)) >= 300

    @pytest.mark.parametrize(
        ("broken", "said"),
        [
            ("{", "is not JSON"),
            (line(id="X-1"), "id"),
            (line(colour="red"), "colour"),
            (line(parts=[]), "parts"),
            (line(question="What is a meter?"), "does not stand in the question"),
        ],
    )
    def test_a_broken_line_is_named(
        self, write: Write, broken: dict[str, Any] | str, said: str
    ) -> None:
        with pytest.raises(ReadingSetError, match=said) as failed:
            readings.load(write(line(id="RD-0002", question="the transformer?"), broken))
        assert "readings.jsonl:2" in str(failed.value)

    @pytest.mark.parametrize("again", [{}, {"id": "RD-0002"}])
    def test_nothing_stands_twice(self, write: Write, again: dict[str, Any]) -> None:
        with pytest.raises(ReadingSetError, match="stands in line 1 already"):
            readings.load(write(line(), line(**again)))

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ReadingSetError, match="cannot be read"):
            readings.load(tmp_path / "none.jsonl")


def read(question: str, *parts: tuple[str, dict[str, str | None]], **values: Any) -> ReadCase:
    """Read a question of the small world; each part is a kind and its spans."""
    told = [
        {"kind": kind, "spans": [{"text": text, "means": means} for text, means in spans.items()]}
        for kind, spans in parts
    ]
    case = ReadingCase.model_validate(line(question=question, parts=told, **values))
    return run_anywhere(readings_run.read(World().pipeline, case))


TERM = "term:power transformer"


class TestReading:
    def test_a_question_is_right_by_kind_and_span(self) -> None:
        found = read("What is a transformer?", ("definition", {"transformer": TERM}))
        assert found.kind_right
        assert found.spans_right
        assert found.right

    def test_another_kind_is_not(self) -> None:
        found = read("What is a transformer?", ("search", {}))
        assert not found.kind_right
        assert not found.spans_right

    def test_another_term_is_not(self) -> None:
        found = read("What is a transformer?", ("definition", {"transformer": "term:meter"}))
        assert found.kind_right
        assert not found.spans_right

    def test_a_term_that_is_not_there_is_no_span(self) -> None:
        found = read("What is a gizmo?", ("definition", {"gizmo": None}))
        assert found.right

    def test_an_approval_record_is_its_document(self) -> None:
        found = read("Who approved ADR-12?", ("named", {"ADR-12": "DAR-0012"}))
        assert found.right

    def test_a_document_that_is_not_there_is_no_span(self) -> None:
        found = read("What does ADR-99 decide?", ("named", {"ADR-99": None}))
        assert found.right

    def test_documents_that_are_compared_may_be_read_as_named(self) -> None:
        spans = {"ADR-12": "ADR-0012", "ADR-99": None}
        found = read("Compare ADR-12 with ADR-99", ("comparison", spans))
        assert found.kind_right

    def test_terms_that_are_compared_are_a_comparison(self) -> None:
        spans = {"transformer": TERM, "meter": "term:meter"}
        found = read(
            "What is the difference between a transformer and a meter?", ("comparison", spans)
        )
        assert found.right

    def test_all_parts_count(self) -> None:
        both = ("definition", {"transformer": TERM}), ("named", {"ADR-12": "ADR-0012"})
        found = read("What is a transformer? And what does ADR-12 decide?", *both)
        assert found.right
        assert not replace(found, kinds=found.kinds[:1]).kind_right

    def test_what_cannot_be_asked_is_unclear(self) -> None:
        found = read("the second", ("unclear", {}))
        assert found.right

    def test_without_a_vocabulary_no_term_is_known(self) -> None:
        case = ReadingCase.model_validate(line())
        pipeline = replace(World().pipeline, terminology=None)
        assert run_anywhere(readings_run.read(pipeline, case)).means == frozenset()


class TestReport:
    FOUND = (
        read("What is a transformer?", ("definition", {"transformer": TERM}), group="terms"),
        read("What is a transformer?", ("search", {})),
    )

    def test_it_counts_by_group(self) -> None:
        figures = readings_run.report(self.FOUND)
        assert (figures["questions"], figures["both_right"]) == (2, 1)
        assert figures["by_kind"]["definition"]["both_right"] == 1
        assert figures["by_kind"]["search"]["kind_right"] == 0
        assert figures["by_group"] == {
            "terms": {"questions": 1, "kind_right": 1, "spans_right": 1, "both_right": 1}
        }

    def test_it_is_written_as_a_table(self) -> None:
        told = readings_run.render("tuning", readings_run.report(self.FOUND))
        assert "readings, tuning" in told
        assert "kind definition" in told

    def test_a_miss_says_what_is_right_and_what_was_read(self) -> None:
        told = readings_run.render_miss(self.FOUND[1])
        assert "right: search" in told
        assert "read:  definition (term:" in told
