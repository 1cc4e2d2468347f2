"""How often answers of each shape were right, over questions that nothing was fitted on.

A shape is what an answer is made of: a term, a named document, a field of it, terms or documents
beside each other, a list. What is sought, by a search or within a named document, has a confidence
of its own, and is counted beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict
from scripts.lab.corpora import CORPORA, QUESTIONS, over_each

from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.question import IntentKind
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.retrieval_set import read_lines

SHAPES = (
    "skos_match",
    "entity_match",
    "field_match",
    "comparison_match",
    "list_match",
)
"""The keys of thresholds that hold the measures."""
SOUGHT = ("search", "matter")
ASKED = QUESTIONS / "shapes.jsonl"
"""Questions of each shape by somebody who knew nothing of the rules; nothing is fitted on them."""


class ShapeCase(BaseModel):
    """A question, and the words of its source that answer it; None where none does."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    corpus: str
    lang: str
    split: Split
    shape: str
    question: str
    answer: str | None
    path: str | None

    def is_answered_by(self, reply: RAGResponse) -> bool:
        """Tell whether a reply holds every answer, whatever its white space and emphasis."""
        told = _plain(reply.answer)
        wanted = self.answer.split(" | ") if self.answer else []
        return bool(wanted) and all(_plain(each) in told for each in wanted)


def _plain(text: str) -> str:
    return " ".join(text.replace("*", "").replace(">", " ").split()).casefold()


class ShapedAnswer(NamedTuple):
    """An answer: its shape, the set that its question is of, and whether it was right."""

    shape: str
    among: str
    right: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredShape:
    """The answers of one shape: ``right`` of how many, by set."""

    shape: str
    right: Mapping[str, int]
    count: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share that was right, 0 to 1."""
        return sum(self.right.values()) / sum(self.count.values())

    @property
    def origin(self) -> str:
        """How many were right of how many, by set."""
        return ", ".join(f"{name} {self.right[name]} of {self.count[name]}" for name in self.count)


def shape_of(reply: RAGResponse) -> str:
    """Return the shape of an answer; empty where it has several parts, or is none."""
    rows = [row for step in reply.trace for row in step.readings if row.gate == "shape"]
    if not reply.sources or len(rows) > 1:
        return ""
    if not rows:
        return "matter" if reply.intent == IntentKind.ENTITY else "search"
    right = float(rows[0].value or 0)
    held = right if rows[0].passed else min(right, MOST_HEDGED)
    is_held = reply.retrieval_quality.confidence_score == round(held, 3)
    return rows[0].source.removeprefix("confidence.") if is_held else ""


def measured(told: Iterable[ShapedAnswer]) -> list[MeasuredShape]:
    """Count the answers of each shape, by the set that they are of."""
    answers = [item for item in told if item.shape]
    return [
        MeasuredShape(
            shape=shape,
            right={name: sum(item.right for item in own if item.among == name) for name in names},
            count={name: sum(item.among == name for item in own) for name in names},
        )
        for shape in (*SHAPES, *SOUGHT)
        if (own := [item for item in answers if item.shape == shape])
        for names in [sorted({item.among for item in own})]
    ]


async def asked() -> list[ShapedAnswer]:
    """Ask the held-out questions of each shape, and tell of the answered whether they are right.

    Questions over a corpus that is not at hand are left out.
    """
    cases = [
        item
        for item in read_lines(ASKED, ShapeCase)
        if item.split is Split.HELD_OUT and CORPORA[item.corpus].documents.is_dir()
    ]
    told = []
    async for pipeline, own in over_each(cases, lambda case: case.corpus, CORPORA):
        for case in own:
            inquiry = await pipeline.begin(case.question, request_id=case.id, route="direct")
            reply = await pipeline.answer(inquiry)
            if reply.sources:
                told.append(ShapedAnswer(shape_of(reply), "shapes", case.is_answered_by(reply)))
    return told
