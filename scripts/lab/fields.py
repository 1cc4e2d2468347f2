"""Measure whether a field of a document is told apart from what the document says.

    python -m scripts.lab fields                     both halves; misses of tuning alone
    python -m scripts.lab fields --split tuning --misses
    python -m scripts.lab fields --corpus govuk=FOLDER,VOCABULARY.ttl

The demo corpus needs nothing. Questions over a corpus that is not there are counted, and not asked.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from scripts.lab.corpora import (
    CORPORA,
    QUESTIONS,
    Corpus,
    Measurement,
    asked_each,
    name_of,
)
from scripts.lab.shapes import shape_of

from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Named, aspect_of
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.retrieval_set import read_lines
from elysia_guard.pipeline import Pipeline

FIELDS = QUESTIONS / "fields.jsonl"
_OF_APPROVAL = frozenset({"approval", "status", "date"})


class FieldCase(BaseModel):
    """A question, the document it names, and whether it asks for a field of that document.

    ``answer`` is what is right, where the document says it at all.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^FQ-\d{3,}$")]
    corpus: Annotated[str, Field(min_length=1)]
    lang: Lang
    split: Split
    question: Annotated[str, Field(min_length=1)]
    document: Annotated[str, Field(pattern=r"^[A-Z]+-\d{4}$")]
    field: Literal["date", "status", "owner", "approval", "version"]
    about_document: bool
    answer: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldOutcome:
    """What became of a question: read as its field or not, answered or not, and of which document.

    ``of_it`` tells whether the answer cites the document that was named, or its record.
    """

    case: FieldCase
    as_field: bool = False
    answered: bool = False
    of_it: bool = False
    shape: str = ""

    @property
    def right(self) -> bool:
        """Whether nothing wrong is said: the field where it is asked, else anything but it.

        A refusal and a question back are never wrong.
        """
        return not self.answered or (self.of_it and self.as_field is self.case.about_document)


def load(path: Path) -> list[FieldCase]:
    """Read the questions; see ``read_lines``."""
    return read_lines(path, FieldCase)


async def ask(pipeline: Pipeline, case: FieldCase) -> FieldOutcome:
    """Ask a question, with nothing said before it."""
    try:
        inquiry = await pipeline.begin(case.question, request_id=case.id, route="direct")
    except QuestionError:
        return FieldOutcome(case=case)
    reply = await pipeline.answer(inquiry)
    cited = {source.doc_id for source in reply.sources}
    return FieldOutcome(
        case=case,
        as_field=any(_is_field(each, case.field) for each in inquiry.every),
        answered=bool(reply.sources),
        of_it=case.document.replace("DAR-", "ADR-") in _told_of(inquiry, cited),
        shape=shape_of(reply),
    )


def _told_of(inquiry: Inquiry, cited: set[str]) -> set[str]:
    documents = (
        document
        for each in inquiry.every
        for document in (
            *each.evidence.documents,
            *each.evidence.approved,
            *(passage.document for passage in each.evidence.records),
            *(hit.passage.document for hit in each.evidence.hits),
        )
    )
    return {name_of(item.kind, item.number) for item in documents if item.id in cited}


def _is_field(part: Inquiry, asked: str) -> bool:
    """Whether it is read as this field: an approval has a result and a date."""
    if not isinstance(part.asks, Named):
        return False
    read = aspect_of(part.asks).value
    return read == asked or {read, asked} <= _OF_APPROVAL


def report(outcomes: Iterable[FieldOutcome]) -> dict[str, int]:
    """Count what became of the questions, of a field and of a matter apart."""
    counted: Counter[str] = Counter()
    for item in outcomes:
        what = "field" if item.case.about_document else "matter"
        counted[what] += 1
        counted[f"{what}_right"] += item.right
        counted[f"{what}_read_as_field"] += item.as_field
        counted[f"{what}_told"] += item.answered and item.of_it
        counted[f"{what}_told_as_field"] += item.answered and item.as_field
        counted[f"{what}_of_another"] += item.answered and not item.of_it
    return dict(counted)


def render(split: str, found: Mapping[str, int]) -> str:
    """Say the figures in words, on two lines."""
    told = Counter(found)
    return (
        f"{split}: {told['field']} ask for a field: {told['field_read_as_field']} read so, "
        f"{told['field_told']} told of the document, {told['field_of_another']} of another\n"
        f"{split}: {told['matter']} ask for a matter: {told['matter_told_as_field']} told "
        f"the field instead, {told['matter_told']} told of the document, "
        f"{told['matter_of_another']} of another"
    )


async def asked(
    cases: Sequence[FieldCase], corpora: Mapping[str, Corpus] = CORPORA
) -> list[FieldOutcome]:
    """Ask all questions, each of its corpus."""
    return await asked_each(cases, ask, corpora)


def main() -> int:
    """Ask the questions, print the figures and what went wrong."""
    return Measurement(
        said=__doc__,
        questions=FIELDS,
        load=load,
        asked=asked,
        split_of=lambda item: item.case.split,
        report=report,
        render=render,
        miss=lambda item: "" if item.right else f"  {item.case.id} {item.case.question!r}",
    ).main()
