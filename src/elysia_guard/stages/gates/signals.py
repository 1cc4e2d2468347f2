"""What the words of each document found say of whether it answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from elysia_guard.domain.calibration import Signals
from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.asked_things import counts, figures, identifiers, noun_of, thing_asked
from elysia_guard.language.coverage import QueryTerms
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
    asked = _Asked(
        terms=terms,
        noun=noun_of(terms, question),
        things=asked_for(question),
        named=thing_asked(question, "", terms) is not None,
        figures=figures(question),
        names=identifiers(question),
    )
    return {document: _of(passages, asked) for document, passages in found.items()}


class _Sentence(NamedTuple):
    """A sentence, and what it covers of each content word: by itself, and with what is above it."""

    own: Sequence[float]
    under: Sequence[float]
    passage: Passage
    text: str


class _Asked(NamedTuple):
    """What a question asks for, whichever document is held against it."""

    terms: QueryTerms
    noun: int | None
    things: frozenset[AnswerType]
    named: bool
    figures: frozenset[str]
    names: frozenset[str]

    def counts(self, item: _Sentence) -> bool:
        """Whether a sentence counts what is to be counted, if anything is."""
        lang = item.passage.document.lang
        return self.noun is None or counts(self.terms, self.noun, item.text, lang)

    def said(self, sentences: Sequence[_Sentence]) -> float:
        """What the best sentence covers of the content word that it covers least of.

        By itself it holds a thing of every kind that is asked for, dates too.
        """
        best = 0.0
        for item in sentences if self.terms.words and not self.named else ():
            least = min(item.under)
            tells = least > best and self.counts(item)
            if tells and all(holds(item.text, thing) for thing in self.things):
                best = least
        return best

    def held(self, quoted: Sequence[_Sentence]) -> bool:
        """Whether a thing of every kind that is asked for stands in one of the sentences."""
        counted = self.noun is None or any(map(self.counts, quoted))
        things = self.things - UNTOLD
        return counted and all(any(_holds(item, thing) for item in quoted) for thing in things)


def _of(passages: Sequence[Passage], asked: _Asked) -> Signals:
    terms, around, sentences = asked.terms, [], []
    for passage in passages:
        above, degrees = terms.degrees_by(passage)
        around.append(above)
        texts = units(passage.text, passage.document.lang)
        sentences += [
            _Sentence(own, under, passage, text)
            for own, under, text in zip(degrees, terms.under(passage), texts, strict=True)
        ]
    covered = list(map(max, zip(*around, *(item.own for item in sentences), strict=True)))
    shares = [(terms.share(item.own), item) for item in sentences]
    shares.sort(key=lambda item: -item[0])
    best = shares[0][0] if shares else 0.0
    return Signals(
        document=terms.share(covered),
        sentence=best,
        held=float(asked.held([item for share, item in shares[:QUOTED] if share >= best / 2])),
        figures=_stands(asked.figures, passages, at=0),
        names=_stands(asked.names, passages, at=1),
        said=asked.said(sentences),
    )


def _holds(item: _Sentence, thing: AnswerType) -> bool:
    gives_reasons = thing is AnswerType.REASON and item.passage.role in REASONS
    return gives_reasons or holds(item.text, thing)


def _stands(asked: Collection[str], passages: Sequence[Passage], *, at: int) -> float:
    """Return the share of numbers (0) or identifiers (1) that stand in some passages."""
    if not asked:
        return 1.0
    return sum(any(item in _marks(each)[at] for each in passages) for item in asked) / len(asked)


@lru_cache(maxsize=4_000)
def _marks(passage: Passage) -> tuple[frozenset[str], frozenset[str]]:
    text = f"{passage.document.stated}\n{passage.in_context}"
    return figures(text), identifiers(text)
