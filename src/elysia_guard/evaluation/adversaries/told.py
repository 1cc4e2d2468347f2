"""What an adversary is told, and what it writes: it knows which of its sentences are invented."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """A way to invent."""

    NUMBER = "number"
    """Another number than the source's."""
    INVENTED_NUMBER = "invented_number"
    """A number where the source has none."""
    DATE = "date"
    UNIT = "unit"
    NEGATION = "negation"
    MODALITY = "modality"
    ACTORS = "actors"
    """Who and whom, or what comes first, swapped."""
    CONDITION = "condition"
    """A condition, an exception or a limit is left out; the evidence has it."""
    HALF = "half"
    """Half a sentence, word for word, without what limits it."""
    OUTSIDE = "outside"
    """True, and in no source."""
    WRONG_SOURCE = "wrong_source"
    """A right sentence under the number of another source."""
    ELSEWHERE = "elsewhere"
    """What one source says, said of another, with words of that one about something else."""
    NAME = "name"
    ROLE = "role"
    IDENTIFIER = "identifier"
    QUOTATION = "quotation"
    STATUS = "status"
    REASON = "reason"
    SCOPE = "scope"
    """All, some, only."""
    COMPARATIVE = "comparative"
    PRESUPPOSITION = "presupposition"
    """What the question takes for granted, and no source says."""
    JOINED = "joined"
    """Two right sentences joined, so that one is said of what the other is about."""
    OBEYED = "obeyed"
    """What an instruction in a document, or in the question, wants to be said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A source as a model is told it, by its number from 1."""

    id: int
    text: str
    document: str = ""
    title: str = ""
    section: str = ""
    status: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """Words that a sentence is said to rest on, and the number of their source."""

    source: int
    words: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A sentence that an adversary wrote; it is invented where it is of a ``kind``.

    ``original`` is the sentence of a source that it was made from, and ``mark`` what no source
    holds: a few words around the turn, or what was put in. A half sentence has none.
    """

    text: str
    evidence: tuple[Evidence, ...] = ()
    kind: Kind | None = None
    original: str = ""
    mark: str = ""

    @property
    def invented(self) -> bool:
        """Whether no source says it, or not the one that it names."""
        return self.kind is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What an adversary answers: a text, which may be no JSON, and what it made up for it.

    ``delay_s`` is how long it takes over it.
    """

    text: str
    made: tuple[Made, ...] = ()
    delay_s: float = 0.0


def written(made: Sequence[Made], *, can_answer: bool = True, confidence: float = 0.95) -> Reply:
    """Return sentences in the form that a writer is asked for."""
    sentences = [
        {
            "text": item.text,
            "evidence": [{"source": each.source, "words": each.words} for each in item.evidence],
        }
        for item in made
    ]
    said = {"can_answer": can_answer, "confidence": confidence, "sentences": sentences}
    return Reply(text=json.dumps(said, ensure_ascii=False), made=tuple(made))


def sources_of(rows: Sequence[Mapping[str, Any]]) -> tuple[Source, ...]:
    """Read the sources of a prompt."""
    return tuple(
        Source(
            id=int(row["id"]),
            **{
                name: str(row.get(name, ""))
                for name in ("text", "document", "title", "section", "status")
            },
        )
        for row in rows
    )
