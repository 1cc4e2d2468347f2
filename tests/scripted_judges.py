"""Judges that follow a script, to measure what a judge is worth and what a bad one can do.

They stand behind a server on loopback and are asked as any model is. What answers is known from the
golden set: ``RightMostly`` finds it in so many of 100 callings, ``AlwaysYes`` looks at nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from elysia_guard.evaluation.golden import Case
from elysia_guard.language.identify import identify
from elysia_guard.language.sentences import units
from elysia_guard.language.text import normalise, words
from elysia_guard.language.verbatim import found_in

SURE = 0.95


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What a scripted judge says of a passage; it is as sure, 0.5 to 1, of yes and of no."""

    answers: bool
    confidence: float = SURE
    sentence: str = ""


NO = Said(answers=False)


@dataclass(frozen=True, kw_only=True)
class RightMostly:
    """Right in a share of its callings, by a draw that depends on the question alone.

    Where it is wrong it says no to what answers; where nothing does, yes to the first passage, with
    the sentence that shares most words with the question: the likeliest of lies.
    """

    answered_by: Mapping[str, str]
    """For each question, normalised, the sentences that answer; '' where nothing does."""
    told_by: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Where no sentence is named: the titles of the documents that answer."""
    share: float = 0.95
    seed: int = 14

    def __call__(self, question: str, passages: Sequence[str]) -> list[Said]:
        """Say of each passage whether it answers."""
        quote = self._quote(question)
        titles = self.told_by.get(normalise(question), ())
        said = [self._said(question, quote, titles, text) for text in passages]
        found = [item.answers for item in said]
        drawn = random.Random(f"{self.seed} {normalise(question)}").random()
        if drawn < self.share or not passages:
            return said
        return [NO] * len(said) if any(found) else [_yes(question, passages[0]), *said[1:]]

    def _said(self, question: str, quote: str, titles: Sequence[str], text: str) -> Said:
        if quote:
            found = _standing(quote, text)
            return Said(answers=True, sentence=found) if found else NO
        return _yes(question, text) if text.split("\n", 1)[0] in titles else NO

    def _quote(self, question: str) -> str:
        asked = normalise(question)
        if asked in self.answered_by:
            return self.answered_by[asked]
        # A question of several parts is asked part by part.
        return next((quote for known, quote in self.answered_by.items() if asked in known), "")


@dataclass(frozen=True, kw_only=True)
class AlwaysYes:
    """Says yes to so many of the first passages, 0 being all, whatever is asked."""

    first: int = 0

    def __call__(self, question: str, passages: Sequence[str]) -> list[Said]:
        """Say yes."""
        most = self.first or len(passages)
        return [_yes(question, text) if place < most else NO for place, text in enumerate(passages)]


def answered_by(cases: Iterable[Case]) -> dict[str, str]:
    """Return the sentences that answer, for every question of a golden set."""
    return {normalise(case.query): case.expected.quote or "" for case in cases}


def told_by(cases: Iterable[Case], titles: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the titles of what answers each question, by the title of each document."""
    return {
        normalise(case.query): tuple(titles.get(item, "") for item in case.expected.doc_ids)
        for case in cases
        if not case.expected.quote
    }


def _standing(quote: str, text: str) -> str:
    """Return the first sentence of a quote that stands in a text; empty where none does."""
    every = units(text, identify(text))
    said = units(quote, identify(quote)) if quote else ()
    return next((unit for unit in said if found_in(unit, every)), "")


def _yes(question: str, text: str) -> Said:
    asked = set(words(question))
    every = units(text.split("\n", maxsplit=2)[-1], identify(text))
    best = max(every, key=lambda unit: len(asked & set(words(unit))), default="")
    return Said(answers=True, sentence=best)
