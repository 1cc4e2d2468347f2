"""Fields against matters: 'until when does ADR-16 allow TLS 1.2' does not ask for its own date.

Questions in pairs, written before the rules: the one asks for a field of the document itself (its
date, status, owner, approval), the other for something that the document says and that is put in
the same words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import GuardError, QuestionError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Named, aspect_of
from elysia_guard.evaluation.golden import Split
from elysia_guard.pipeline import Pipeline

_OF_KIND = {
    DocumentKind.DECISION: "ADR",
    DocumentKind.PRINCIPLE: "PCP",
    DocumentKind.POLICY: "POL",
}


class FieldSetError(GuardError):
    """The questions cannot be used; the message names file, line and value."""


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

    ``of_it`` tells whether the answer cites the document that was named; without one, False.
    """

    case: FieldCase
    as_field: bool
    answered: bool
    of_it: bool

    @property
    def right(self) -> bool:
        """Whether nothing wrong is said: the field where it is asked, else anything but it.

        A refusal and a question back are never wrong.
        """
        if not self.answered:
            return True
        return self.of_it and self.as_field is self.case.about_document


def load(path: Path) -> list[FieldCase]:
    """Read the questions (JSON lines).

    Raises:
        FieldSetError: the file cannot be read, or a line is no such question.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise FieldSetError(f"{path}: cannot be read: {err}") from err
    cases = []
    for number, line in enumerate(lines, start=1):
        try:
            cases.append(FieldCase.model_validate(json.loads(line)))
        except (json.JSONDecodeError, ValidationError) as err:
            raise FieldSetError(f"{path}:{number}: {err}") from err
    return cases


async def ask(pipeline: Pipeline, case: FieldCase) -> FieldOutcome:
    """Ask a question, with nothing said before it."""
    try:
        inquiry = await pipeline.begin(case.question, request_id=case.id, route="direct")
    except QuestionError:
        return FieldOutcome(case=case, as_field=False, answered=False, of_it=False)
    reply = await pipeline.answer(inquiry)
    cited = {source.doc_id for source in reply.sources}
    found = [
        document
        for each in inquiry.every
        for document in (
            *each.evidence.documents,
            *each.evidence.approved,
            *(passage.document for passage in each.evidence.records),
            *(hit.passage.document for hit in each.evidence.hits),
        )
    ]
    return FieldOutcome(
        case=case,
        as_field=any(
            isinstance(each.asks, Named) and aspect_of(each.asks).value == case.field
            for each in inquiry.every
        ),
        answered=bool(reply.sources),
        of_it=any(
            document.id in cited and _name(document.kind, document.number) == case.document
            for document in found
        ),
    )


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


def render(split: str, found: dict[str, int]) -> str:
    """Say the figures in words, on two lines."""
    get = found.get
    return (
        f"{split}: {get('field', 0)} ask for a field: {get('field_read_as_field', 0)} read so, "
        f"{get('field_told', 0)} told of the document, {get('field_of_another', 0)} of another\n"
        f"{split}: {get('matter', 0)} ask for a matter: {get('matter_told_as_field', 0)} told "
        f"the field instead, {get('matter_told', 0)} told of the document, "
        f"{get('matter_of_another', 0)} of another"
    )


def _name(kind: DocumentKind, number: int | None) -> str:
    return f"{_OF_KIND.get(kind, '')}-{number:04}" if number is not None else ""
