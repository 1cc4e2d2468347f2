"""The facts that an answer has to state: sentences of documents, each of the document it is from.

An answer states one where a sentence of it, or a quote, rests on that sentence of that document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation import quotes
from elysia_guard.evaluation.golden import CaseId
from elysia_guard.evaluation.recorded import RecordedError, Words


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fact(_Record):
    """One sentence, and the document that states it."""

    document: Words
    words: Words

    def is_stated(self, response: RAGResponse) -> bool:
        """Tell whether an answer rests on it, from its own document."""
        return not response.refused and any(
            source.doc_id == self.document and quotes.holds(source.quote, self.words)
            for source in response.sources
        )


class FactsOf(_Record):
    """The facts that answer a question."""

    id: CaseId
    facts: Annotated[tuple[Fact, ...], Field(min_length=1)]


def load(path: Path) -> Mapping[str, Sequence[Fact]]:
    """Read the facts (JSON lines), by the id of their question.

    Raises:
        RecordedError: the file cannot be read, or a line names no facts.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise RecordedError(f"{path}: cannot be read: {err}") from err
    found = {}
    for n, line in enumerate(lines, start=1):
        try:
            row = FactsOf.model_validate(json.loads(line))
        except (json.JSONDecodeError, ValidationError):
            raise RecordedError(f"{path}:{n}: names no facts of a question") from None
        found[row.id] = row.facts
    return found
