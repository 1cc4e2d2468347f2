"""Questions with every document that answers them, to measure what retrieval finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.golden import Split, blob_hash
from elysia_guard.evaluation.spoken import SpokenLang
from elysia_guard.language.text import words

Words = Annotated[str, Field(min_length=1)]
DocumentId = Annotated[str, Field(pattern=r"^(ADR|PCP|POL)-\d{4}D?$")]


class Kind(StrEnum):
    """What a question asks about."""

    DECISION = "decision"
    REASON = "reason"
    ALTERNATIVE = "alternative"
    CONSEQUENCE = "consequence"
    APPROVAL = "approval"
    STATUS = "status"
    PRINCIPLE = "principle"
    POLICY = "policy"
    UNANSWERED = "unanswered"
    """Something that no document says."""


class RetrievalSetError(GuardError):
    """The questions cannot be used; the message names file, line and value."""


class RetrievalCase(BaseModel):
    """One question; each of ``documents`` answers it by itself.

    ``section`` is the heading, in the first document, under which the answer stands, and
    ``source_lang`` the language of that document.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^R[OE]-\d{3,}$")]
    query: Words
    kind: Kind
    lang: SpokenLang
    split: Split
    source_lang: Literal["en", "nl"] | None = None
    documents: tuple[DocumentId, ...] = ()
    section: Words | None = None

    @model_validator(mode="after")
    def _says_where_the_answer_stands(self) -> Self:
        said = (bool(self.documents), self.section is not None, self.source_lang is not None)
        if self.kind is Kind.UNANSWERED and any(said):
            raise ValueError("kind is unanswered, so no document, section or source_lang belongs")
        if self.kind is not Kind.UNANSWERED and not all(said):
            raise ValueError(f"kind is {self.kind}: give documents, section and source_lang")
        return self

    @property
    def answerable(self) -> bool:
        """Whether a document answers it."""
        return bool(self.documents)

    @property
    def pair(self) -> str:
        """The language of the question and that of the answer: ``nl-en``; ``nl-none``."""
        return f"{self.lang}-{self.source_lang or 'none'}"


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalSet:
    """The questions on one corpus, and the git blob hash of their file."""

    cases: tuple[RetrievalCase, ...]
    blob_hash: str


def load(path: Path) -> RetrievalSet:
    """Read questions (JSON lines).

    Raises:
        RetrievalSetError: the file cannot be read, a line is no question with its documents, or
            an id or a question occurs twice.
    """
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise RetrievalSetError(f"{path}: cannot be read: {err}") from err
    return RetrievalSet(cases=tuple(_cases(lines, path)), blob_hash=blob_hash(content))


def _cases(lines: list[str], path: Path) -> Iterator[RetrievalCase]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{path}:{number}"
        case = _case(line, where)
        for value in (case.id, " ".join(words(case.query))):
            if value in seen:
                raise RetrievalSetError(f"{where}: {value!r} stands in line {seen[value]} already")
            seen[value] = number
        yield case


def _case(line: str, where: str) -> RetrievalCase:
    try:
        return RetrievalCase.model_validate(json.loads(line))
    except json.JSONDecodeError as err:
        raise RetrievalSetError(f"{where}: is not JSON: {err.msg} at column {err.colno}") from err
    except ValidationError as err:
        first = err.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "question"
        raise RetrievalSetError(f"{where}: {key}: {first['msg']}") from err
