"""The labelled questions: that they load, and how what is read is held against them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripts.lab import readings
from scripts.lab.readings import ReadCase, ReadingCase
from tests.unit.small_world import World

from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.retrieval_set import SetError
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
        assert {case.lang for case in SHIPPED} == {"en", "nl", "de"}
        assert {case.corpus for case in SHIPPED} == {"demo", "esa", "govuk"}
        kinds = {part.kind for case in SHIPPED for part in case.parts}
        assert kinds == set(ReadKind)
        assert sum(case.split is Split.TUNING for case in SHIPPED) >= 300

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
        with pytest.raises(SetError, match=said) as failed:
            readings.load(write(line(id="RD-0002", question="the transformer?"), broken))
        assert "readings.jsonl:2" in str(failed.value)


def read(question: str, *parts: tuple[str, dict[str, str | None]], **values: Any) -> ReadCase:
    """Read a question of the small world; each part is a kind and its spans."""
    told = [
        {"kind": kind, "spans": [{"text": text, "means": means} for text, means in spans.items()]}
        for kind, spans in parts
    ]
    case = ReadingCase.model_validate(line(question=question, parts=told, **values))
    return run_anywhere(readings.read(World().pipeline, case))
