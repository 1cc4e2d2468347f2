"""Questions of one's own over documents of one's own, with the passages that answer them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.errors import GuardError

Words = Annotated[str, Field(min_length=1)]


class OwnQuestionsError(GuardError):
    """The questions cannot be used; the message names file, line and value."""


class OwnQuestion(BaseModel):
    """One question over a folder of documents.

    ``documents`` are the paths of those that answer it, each by itself, as they end:
    'adr/0012.md'. ``answer`` holds the sentences that do, word for word, any one of which is
    enough. A ``near_miss`` is to be refused, and so is what has no ``answer``; ``documents`` may
    then name the one that seems to answer. Other keys are left alone.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    query: Words
    documents: tuple[Words, ...] = ()
    answer: tuple[Words, ...] = ()
    near_miss: bool = False
    category: Words = "question"
    id: str = ""

    @property
    def answerable(self) -> bool:
        """Whether a document answers it."""
        return not self.near_miss and bool(self.answer)

    def is_answered_by(self, path: str) -> bool:
        """Tell whether a document, by its path, is one that answers."""
        return any(f"/{path}".endswith(f"/{name.lstrip('/')}") for name in self.documents)


def load(path: Path) -> tuple[OwnQuestion, ...]:
    """Read questions, a JSON object a line; an empty line is none.

    Raises:
        OwnQuestionsError: the file cannot be read, holds none, or a line is no question.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise OwnQuestionsError(f"{path}: cannot be read: {err}") from err
    found = tuple(_questions(lines, path))
    if not found:
        raise OwnQuestionsError(f"{path}: holds no question; give one JSON object a line")
    return found


def _questions(lines: list[str], path: Path) -> Iterator[OwnQuestion]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        question = _question(line, f"{path}:{number}")
        yield question if question.id else question.model_copy(update={"id": f"{number}"})


def _question(line: str, where: str) -> OwnQuestion:
    try:
        question = OwnQuestion.model_validate(json.loads(line))
    except json.JSONDecodeError as err:
        raise OwnQuestionsError(f"{where}: is not JSON: {err.msg} at column {err.colno}") from err
    except ValidationError as err:
        first = err.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "question"
        raise OwnQuestionsError(f"{where}: {key}: {first['msg']}") from err
    if question.answerable and not question.documents:
        raise OwnQuestionsError(f"{where}: documents: name those that hold the answer")
    return question
