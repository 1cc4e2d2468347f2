"""Whether what is said to answer agrees with what was asked, by rules that no model is asked for.

A model that names a sentence is believed only where the sentence stands in the passage, holds the
kind of thing asked for, and the figures, identifiers and names of the question stand there too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import Passage
from elysia_guard.domain.judgement import Judgement
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.sentences import units
from elysia_guard.language.text import fold, words
from elysia_guard.language.verbatim import found_in

MOST_UNITS = 3
"""What runs over more sentences than this is no sentence that answers, but a passage."""
LEAST_COVERED = 0.07
"""Of 100 sentences that answer (tuning half), 98 cover more of the question; of orders to a model
that stand in a passage, whatever is asked, 12."""
TOLD_BY_WORDS = frozenset(
    {AnswerType.MONEY, AnswerType.DURATION, AnswerType.NUMBER, AnswerType.DATE}
)
"""The kinds of things that a sentence itself is seen to hold; an approval stands in its record."""

_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """What an answer has to agree with. ``topic`` is what is asked about, in the question's words.

    ``rarest`` are those of its words that stand in no passage at all.
    """

    question: str
    topic: str
    terms: QueryTerms
    rarest: frozenset[str] = frozenset()

    @property
    def things(self) -> frozenset[AnswerType]:
        """The kinds of things asked for that a sentence can be seen to hold."""
        return asked_for(self.question) & TOLD_BY_WORDS

    def held(self, said: Judgement, passage: Passage) -> Judgement:
        """Return what is left of a judgement: itself, its sentence as the passage has it, or a no.

        One that names no sentence, a mere score, holds where any sentence could answer.
        """
        if said.answers is False:
            return said
        every = units(passage.text, passage.document.lang)
        named = found_in(said.sentence, every) if said.sentence else ()
        if fault := self._fault(said, named, every, passage):
            return Judgement.no(fault)
        return Judgement(
            chance=said.chance,
            answers=said.answers,
            sentence="\n".join(named),
            reasoning=said.reasoning,
        )

    def _fault(
        self, said: Judgement, named: Sequence[str], every: Sequence[str], passage: Passage
    ) -> str:
        """Say why a judgement does not hold; empty where it does."""
        if said.answers and not named:
            return "its sentence does not stand in the passage"
        if len(named) > MOST_UNITS:
            return "it names the passage, and no sentence"
        if any(unit.endswith("?") for unit in named):
            return "its sentence is a question"
        own = passage.document.lang
        if named and self.terms.coverage(" ".join(named), own) < LEAST_COVERED:
            return "its sentence says nothing of what is asked"
        if not _holds_any(self.things, named or every):
            return f"no {' or '.join(sorted(self.things))} stands there"
        if missing := next(self._missing(passage), ""):
            return f"'{missing}' of the question does not stand there"
        return ""

    def _missing(self, passage: Passage) -> Iterator[str]:
        """Name the figures, identifiers and names of the question that a passage does not hold."""
        document = passage.document
        text = f"{document.identifier}\n{passage.in_context}"
        folded, covered = fold(text), self.terms.covered_by(text, document.lang)
        for at, found in enumerate(_WORD.finditer(self.topic)):
            word = found[0]
            if fold(word) in folded or covered.issuperset(words(word)):
                continue
            if is_identifier(word) or (at and self._is_lost_name(word, document.lang)):
                yield word

    def _is_lost_name(self, word: str, lang: str) -> bool:
        """Whether a word is written as a name, and no passage of its own language holds it."""
        own = words(word)
        named = word[:1].isupper() and lang == self.terms.lang and bool(own)
        return named and self.rarest.issuperset(own) and not any(map(self.terms.likeness.get, own))


def is_identifier(word: str) -> bool:
    """Tell a figure or an identifier from a word: it has digits, or capitals behind the first.

    A single digit is none: texts write 'seven' for it.

    >>> [word for word in ("TLS-1.3", "CIMXML", "2030", "7", "Berlin") if is_identifier(word)]
    ['TLS-1.3', 'CIMXML', '2030']
    """
    if len(word) == 1:
        return False
    return any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])


def _holds_any(things: Collection[AnswerType], sentences: Sequence[str]) -> bool:
    return not things or any(holds(unit, thing) for unit in sentences for thing in things)
