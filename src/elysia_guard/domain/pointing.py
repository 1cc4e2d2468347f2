"""What a language model is told and what it says: it plans a search, and points at units.

None of its words is shown. A plan adds to what is searched; a pointing chooses, by their numbers,
among the units of documents that it was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from elysia_guard.domain.document import Document, Passage

MAX_UNIT_CHARS = 900
"""Of one unit so much is told; it is shown whole."""


class PointedVerdict(StrEnum):
    """What a model says of the units that it was told."""

    ANSWERS = "answers"
    PARTLY = "partly"
    CONTRADICTS = "contradicts"
    """They say that what the question takes for granted is not so."""
    NO = "no"


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferedTool:
    """A tool of somebody else that a plan may name, as its maker describes it."""

    name: str
    description: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to search for: the question made whole, wordings for the index, documents, terms.

    ``documents`` are places in the catalogue that the model was shown, from 0; ``tools`` are names,
    the likeliest first, of those that it was offered or of none.
    """

    question: str = ""
    searches: tuple[str, ...] = ()
    documents: tuple[int, ...] = ()
    terms: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitOfSource:
    """A unit that a model may point at: a paragraph, an item, a row, a block of code.

    ``at`` is its place in the passage.
    """

    passage: Passage
    at: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointing:
    """A verdict over numbered units, from 1, and the numbers of those that say so, in order."""

    verdict: PointedVerdict
    units: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointed:
    """What a model points at, as far as that holds: whole units, in its order, each once.

    Of ``told`` units it named some that were dropped: ``unknown`` numbers, and units that are
    ``unrelated`` to the question. ``documents`` are those that it was told.
    """

    verdict: PointedVerdict
    units: tuple[UnitOfSource, ...] = ()
    told: int = 0
    unknown: int = 0
    unrelated: int = 0
    documents: tuple[Document, ...] = ()
    by: str = ""

    @property
    def answers(self) -> bool:
        """Whether there is something to show."""
        return self.verdict is not PointedVerdict.NO and bool(self.units)

    @property
    def is_whole(self) -> bool:
        """Whether nothing more need be looked for."""
        return self.answers and self.verdict is not PointedVerdict.PARTLY

    def beside(self, further: Pointed) -> Pointed:
        """Return what two looks come to, the second at other units."""
        verdict = self.verdict if self.answers and not further.is_whole else further.verdict
        return replace(
            further,
            verdict=verdict,
            units=(*self.units, *further.units),
            told=self.told + further.told,
            unknown=self.unknown + further.unknown,
            unrelated=self.unrelated + further.unrelated,
            documents=(*self.documents, *further.documents),
        )

    @property
    def passages(self) -> Sequence[Passage]:
        """The passages of the units, each once, in order."""
        return list({unit.passage.id: unit.passage for unit in self.units}.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class PointingCalibration:
    """How often what one model points at was right, 0 to 1, by what it said.

    ``model`` names it with the version of what it is asked: other words are another model.
    """

    model: str
    answers: float
    partly: float = 0.0
    contradicts: float = 0.0

    def right(self, verdict: PointedVerdict) -> float:
        """Return the share of right ones among its verdicts of this kind."""
        known = {
            PointedVerdict.ANSWERS: self.answers,
            PointedVerdict.PARTLY: self.partly,
            PointedVerdict.CONTRADICTS: self.contradicts,
        }
        return known.get(verdict, 0.0)
