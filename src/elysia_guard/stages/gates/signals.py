"""What the words of each document found say of whether it answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.signals import Signals
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.counting import counts, noun_of
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.figures import figures, identifiers
from elysia_guard.language.sentences import units

QUOTED = 4
"""Of so many sentences at most that say most of what is asked a document is quoted."""
UNTOLD = frozenset({AnswerType.APPROVAL, AnswerType.DATE})
"""A record tells who approved; and 'when' is as often answered by a condition as by a date."""
REASONS = frozenset(
    {SectionRole.CONTEXT, SectionRole.RATIONALE, SectionRole.DRIVERS, SectionRole.OPTIONS}
)
"""The parts of a document that say why."""


def signals(terms: QueryTerms, hits: Sequence[Hit], question: str) -> Mapping[str, Signals]:
    """Measure what was found of each document, by its id."""
    found: dict[str, list[Passage]] = {}
    for hit in hits:
        found.setdefault(hit.passage.document.id, []).append(hit.passage)
    asked = _Asked.of(terms, question)
    return {document: _of(terms, passages, asked) for document, passages in found.items()}


class _Asked(NamedTuple):
    """What a question asks for, whichever document is held against it."""

    noun: int | None
    things: frozenset[AnswerType]
    figures: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, terms: QueryTerms, question: str) -> _Asked:
        return cls(
            noun=noun_of(terms, question),
            things=asked_for(question) - UNTOLD,
            figures=figures(question),
            names=identifiers(question),
        )


def _of(terms: QueryTerms, passages: Sequence[Passage], asked: _Asked) -> Signals:
    around, said = [], []
    for passage in passages:
        above, *sentences = terms.degrees(passage)
        around.append(above)
        texts = units(passage.text, passage.document.lang)
        pairs = zip(sentences, texts, strict=True)
        said += [(terms.share(own), own, passage, text) for own, text in pairs]
    covered = list(map(max, zip(*around, *(own for _, own, *_ in said), strict=True)))
    said.sort(key=lambda item: -item[0])
    best = said[0][0] if said else 0.0
    quoted = [(passage, text) for share, _, passage, text in said[:QUOTED] if share >= best / 2]
    return Signals(
        document=terms.share(covered),
        sentence=best,
        held=float(_held(terms, asked, quoted)),
        figures=_stands(asked.figures, passages, at=0),
        names=_stands(asked.names, passages, at=1),
    )


def _held(terms: QueryTerms, asked: _Asked, quoted: Sequence[tuple[Passage, str]]) -> bool:
    """Whether a thing of every kind that is asked for stands in one of the sentences."""
    noun = asked.noun
    if noun is not None and not any(_counts(terms, noun, *each) for each in quoted):
        return False
    return all(any(_holds(item, text, thing) for item, text in quoted) for thing in asked.things)


def _counts(terms: QueryTerms, noun: int, passage: Passage, text: str) -> bool:
    return counts(terms, noun, text, passage.document.lang)


def _holds(passage: Passage, text: str, thing: AnswerType) -> bool:
    gives_reasons = thing is AnswerType.REASON and passage.role in REASONS
    return gives_reasons or holds(text, thing)


def _stands(asked: Collection[str], passages: Sequence[Passage], *, at: int) -> float:
    """Return the share of numbers (0) or identifiers (1) that stand in some passages."""
    if not asked:
        return 1.0
    return sum(any(item in _marks(each)[at] for each in passages) for item in asked) / len(asked)


@lru_cache(maxsize=4_000)
def _marks(passage: Passage) -> tuple[frozenset[str], frozenset[str]]:
    text = f"{passage.document.stated}\n{passage.in_context}"
    return figures(text), identifiers(text)
