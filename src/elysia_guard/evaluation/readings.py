"""Questions written by people who know neither rules nor labels: what each of them asks.

Every question is labelled with its parts: the kind of each, and the terms and documents that it
mentions. `evaluation.readings_run` holds what the guard reads against it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Order, ReadKind
from elysia_guard.evaluation.golden import Split, blob_hash

Words = Annotated[str, Field(min_length=1)]
Asked = Literal[
    "meaning", "broader", "narrower", "related", "synonyms",
    "whole", "field", "matter", "list", "count",
]  # fmt: skip
OF_TERM = "term:"


class ReadingSetError(GuardError):
    """The labelled questions cannot be used; the message names file, line and value."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Mention(_Record):
    """A term or a document as it was typed, and which: ``term:islanding`` or ``ADR-0012``.

    ``means`` is None where the corpus has no such term or document.
    """

    text: Words
    means: Words | None

    @property
    def is_term(self) -> bool:
        """Whether it names a term that there is."""
        return self.means is not None and self.means.startswith(OF_TERM)


class AskedPart(_Record):
    """One thing that a question asks; what does not belong to its kind is left out."""

    kind: ReadKind
    asked: Asked | None = None
    field: Literal["status", "date", "owner", "approval"] | None = None
    kinds: tuple[Literal["decision", "principle", "policy"], ...] = ()
    topic: Words | None = None
    filters: dict[Literal["status", "owner", "date"], Words] = {}
    order: Order | None = None
    spans: tuple[Mention, ...] = ()


class ReadingCase(_Record):
    """One question and its right reading.

    ``sources`` are the documents or terms any one of which a right answer comes from; empty where
    refusing or asking back is right.
    """

    id: Annotated[str, Field(pattern=r"^RD-\d{4,}$")]
    corpus: Words
    lang: Lang
    split: Split
    style: tuple[Words, ...]
    group: Words | None = None
    question: Words
    parts: Annotated[tuple[AskedPart, ...], Field(min_length=1)]
    sources: tuple[Words, ...]

    @model_validator(mode="after")
    def _mentions_what_is_there(self) -> Self:
        for part in self.parts:
            for span in part.spans:
                if span.text not in self.question:
                    raise ValueError(f"span {span.text!r} does not stand in the question")
        return self


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingSet:
    """The labelled questions, and the git blob hash of their file."""

    cases: tuple[ReadingCase, ...]
    blob_hash: str

    def select(self, split: Split) -> tuple[ReadingCase, ...]:
        """Return the questions of one half."""
        return tuple(case for case in self.cases if case.split is split)


def load(path: Path) -> ReadingSet:
    """Read labelled questions (JSON lines).

    Raises:
        ReadingSetError: the file cannot be read, a line is no labelled question, or an id or a
            question occurs twice.
    """
    try:
        raw = path.read_bytes()
        lines = raw.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise ReadingSetError(f"{path}: cannot be read: {err}") from err
    return ReadingSet(cases=tuple(_cases(lines, path)), blob_hash=blob_hash(raw))


def _cases(lines: Iterable[str], path: Path) -> Iterator[ReadingCase]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{path}:{number}"
        try:
            case = ReadingCase.model_validate(json.loads(line))
        except json.JSONDecodeError as err:
            raise ReadingSetError(f"{where}: is not JSON: {err.msg} at column {err.colno}") from err
        except ValidationError as err:
            first = err.errors()[0]
            key = ".".join(str(part) for part in first["loc"]) or "question"
            raise ReadingSetError(f"{where}: {key}: {first['msg']}") from err
        for value in (case.id, f"{case.corpus}: {case.question}"):
            if value in seen:
                raise ReadingSetError(f"{where}: {value!r} stands in line {seen[value]} already")
            seen[value] = number
        yield case
