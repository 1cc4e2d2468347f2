"""Which sentences say what is asked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Aspect, Question
from elysia_guard.domain.reading import Search, aspect_of, topic_of
from elysia_guard.language.answer_types import asked_for
from elysia_guard.language.coverage import asked_of
from elysia_guard.language.sides import Side, side_asked, sides_told
from elysia_guard.stages.answering.measures import MeasuredSentence, Sought, ranked, spread
from elysia_guard.stages.answering.quoting import Placed, unit_of

MAX_TOLD = 8
"""Units of all documents together, and ..."""
MAX_TOLD_CHARS = 1_200
"""... their characters, unless the best one alone has more; without what introduces them."""
MARGIN = 5.0
"""Log-odds; what lies so far behind the best sentence says nothing beside it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted(Sought):
    """What a question asks: its words, and the kind of thing that would be an answer."""

    side: Side | None

    @classmethod
    def of(cls, topic: str, question: Question, evidence: Evidence, aspect: Aspect) -> Wanted:
        """What is asked of a topic."""
        return cls(
            terms=asked_of(evidence, topic, question.lang),
            things=asked_for(question.text),
            aspect=aspect,
            spread=spread(evidence.hits),
            side=side_asked(question.text),
        )

    @classmethod
    def by(cls, inquiry: Inquiry) -> Wanted:
        """What a question asks of whatever was found."""
        question, asks = inquiry.question, inquiry.asks
        topic = topic_of(asks) or question.text
        if isinstance(asks, Search) and inquiry.evidence.sections:
            topic = asks.matter
        return cls.of(topic, question, inquiry.evidence, aspect_of(asks))

    def ranked(self, hits: Sequence[Hit]) -> list[MeasuredSentence]:
        """The sentences of some hits, the likeliest answer first; none where none can be told.

        Without content words, and where no sentence shares one and none was compared by meaning,
        all are alike. Where advantages are asked for, what is marked as a drawback is none of them,
        unless nothing else is there, and the other way round.
        """
        if not self.terms.words:
            return []
        found = ranked(hits, self)
        told = self.spread is not None or any(item.covers for item in found)
        if self.side is not None:
            found = [item for item in found if item.side in {self.side, None}] or found
        return found if told else []

    def of_side(self, quoted: Sequence[tuple[Passage, str]]) -> list[tuple[Passage, str]]:
        """Some sentences in reading order, without those marked as the side that is not asked for.

        All of them where nothing else is there.
        """
        headed = ((unit, passage.section.rpartition(" > ")[2]) for passage, unit in quoted)
        told = zip(quoted, sides_told(headed), strict=True)
        kept = [each for each, side in told if self.side is None or side in {self.side, None}]
        return kept or list(quoted)

    def best(self, hits: Sequence[Hit]) -> list[tuple[Passage, str]]:
        """The sentences that answer best, in reading order; none where none can be told."""
        found = self.ranked(hits)
        return in_reading_order(with_outcome(shared_out(found), found))


def shared_out(found: Sequence[MeasuredSentence]) -> list[MeasuredSentence]:
    """The best of some sentences, of as many whole units as a reply tells.

    ``found`` are sentences, the best first. What lies far behind it is left out; a unit that is too
    long for what is left of the reply gives its place to the next.
    """
    units: set[Placed | None] = set()
    chosen, length = [], 0
    for item in found:
        if item.score < found[0].score - MARGIN:
            break
        unit = unit_of(item.passage, item.text)
        more = 0 if unit is None or unit in units else len(unit.text)
        full = len(units) == MAX_TOLD or length + more > MAX_TOLD_CHARS
        if more and units and full:
            continue
        units.add(unit)
        length += more
        chosen.append(item)
    return chosen


def in_reading_order(chosen: Sequence[MeasuredSentence]) -> list[tuple[Passage, str]]:
    """Some sentences as they stand in their documents."""
    placed = sorted(chosen, key=lambda item: (item.passage.position, item.place))
    return list(dict.fromkeys((item.passage, item.text) for item in placed))


def with_outcome(
    own: Sequence[MeasuredSentence], found: Sequence[MeasuredSentence]
) -> list[MeasuredSentence]:
    """Put beside an option of a document what it decides, where that was found.

    An option may be one that was rejected, and then reads like what was chosen.
    """
    at = {item.passage.role: item.passage.document.id for item in own}
    if SectionRole.OPTIONS not in at or SectionRole.SUBSTANCE in at:
        return list(own)
    decided = (
        item
        for item in found
        if item.passage.document.id == at[SectionRole.OPTIONS]
        and item.passage.role == SectionRole.SUBSTANCE
    )
    return [*own, *itertools.islice(decided, 1)]
