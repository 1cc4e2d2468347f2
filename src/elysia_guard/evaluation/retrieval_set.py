"""Sets of questions, a JSON object a line, and that which measures what retrieval finds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.golden import Split, SpokenLang, blob_hash
from elysia_guard.language.text import words

Line = TypeVar("Line", bound=BaseModel)
Words = Annotated[str, Field(min_length=1)]
DocumentId = Annotated[str, Field(pattern=r"^(ADR|PCP|POL)-\d{4}D?$")]


class QueryKind(StrEnum):
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


class SetError(GuardError):
    """A set of questions cannot be used; the message names file, line and value."""


class RetrievalCase(BaseModel):
    """One question; each of ``documents`` answers it by itself.

    ``section`` is the heading, in the first document, under which the answer stands, and
    ``source_lang`` the language of that document.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^R[OE]-\d{3,}$")]
    query: Words
    kind: QueryKind
    lang: SpokenLang
    split: Split
    source_lang: SpokenLang | None = None
    documents: tuple[DocumentId, ...] = ()
    section: Words | None = None

    @model_validator(mode="after")
    def _says_where_the_answer_stands(self) -> Self:
        said = (bool(self.documents), self.section is not None, self.source_lang is not None)
        if self.kind is QueryKind.UNANSWERED and any(said):
            raise ValueError("kind is unanswered, so no document, section or source_lang belongs")
        if self.kind is not QueryKind.UNANSWERED and not all(said):
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


def read_lines(
    path: Path, model: type[Line], keys: Callable[[Line], Iterable[str]] = lambda _: ()
) -> list[Line]:
    """Read a set of questions; an empty line is none.

    Args:
        path: the file.
        model: what a line is.
        keys: what may occur once in the file: an id, a question.

    Raises:
        SetError: the file cannot be read, a line is none, or a key occurs twice.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise SetError(f"{path}: cannot be read: {err}") from err
    found: list[Line] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            item = model.model_validate(json.loads(line), context=number)
        except json.JSONDecodeError as err:
            raise SetError(f"{where}: is not JSON: {err.msg} at column {err.colno}") from err
        except ValidationError as err:
            first = err.errors()[0]
            key = ".".join(map(str, first["loc"])) or "question"
            raise SetError(f"{where}: {key}: {first['msg']}") from err
        for value in keys(item):
            if value in seen:
                raise SetError(f"{where}: {value!r} stands in line {seen[value]} already")
            seen[value] = number
        found.append(item)
    return found


def load(path: Path) -> RetrievalSet:
    """Read retrieval questions; see ``read_lines``."""
    cases = read_lines(path, RetrievalCase, lambda it: (it.id, " ".join(words(it.query))))
    return RetrievalSet(cases=tuple(cases), blob_hash=blob_hash(path.read_bytes()))
