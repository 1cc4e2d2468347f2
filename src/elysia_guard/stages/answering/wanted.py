"""Which sentences say what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import Passage, SectionRole
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Question
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.stages.answering.citing import units_of

MAX_UNITS = 4

_WEIGHTS: dict[str, float] = {
    SectionRole.SUBSTANCE: 0.1,
    SectionRole.CONTEXT: -0.05,
    SectionRole.OPTIONS: -0.05,
}
"""How much more or less a sentence counts by the part it stands in, in shares of the question."""
WHAT_IS_ASKED_FOR = 0.2
"""How much more one counts that holds what is asked for, such as a date."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a question asks: its words, and the kind of thing that would be an answer."""

    terms: QueryTerms
    things: frozenset[AnswerType]

    @classmethod
    def of(cls, topic: str, question: Question, evidence: Evidence) -> Wanted:
        terms = asked_of(evidence, topic, question.lang)
        return cls(terms=terms, things=asked_for(question.text))

    def best(self, passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
        """The sentences that speak most of what is asked, in reading order; none if none does.

        What a document decides or states counts for more than its context, and what holds a thing
        of the kind asked for counts most; questions that a document asks itself are no answers.
        """
        scored = [
            (score, passage, place, unit)
            for passage in passages
            for place, unit in enumerate(units_of(passage))
            if not unit.endswith("?") and (score := self._score(passage, unit)) > 0
        ]
        best = sorted(scored, key=lambda item: (-item[0], item[1].position, item[2]))[:MAX_UNITS]
        kept = [item for item in best if item[0] >= best[0][0] / 2]
        kept.sort(key=lambda item: (item[1].position, item[2]))
        return [(passage, unit) for _, passage, _, unit in kept]

    def _score(self, passage: Passage, unit: str) -> float:
        if not self.terms.words:
            return 0.0
        covered = self.terms.coverage(unit, passage.document.lang)
        held = any(holds(unit, thing) for thing in self.things)
        weight = _WEIGHTS.get(passage.role, 0.0) + (WHAT_IS_ASKED_FOR if held else 0.0)
        return covered + weight if covered else 0.0
