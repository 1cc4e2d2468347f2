"""What a question counts, and whether a sentence counts it: 'how many meters', '3,900 meters'."""

from __future__ import annotations

from elysia_guard.language.answer_types import AnswerType, asked_for, counted, is_figure
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.text import words

NEAR = 4
"""Words: a number counts what stands at most so far behind it."""


def noun_of(terms: QueryTerms, question: str) -> int | None:
    """Return the place among the content words of what is counted; None where nothing is.

    How many days or years is asked for a period, which is told in other units too.
    """
    if AnswerType.DURATION in asked_for(question):
        return None
    behind = words(counted(question))[:NEAR]
    return next((terms.words.index(word) for word in behind if word in terms.words), None)


def counts(terms: QueryTerms, noun: int, text: str, lang: str) -> bool:
    """Tell whether a number stands shortly before a word for what is counted, or means alike."""
    said = words(text)
    named = (at for at, word in enumerate(said) if terms.names(noun, word, lang))
    return any(any(map(is_figure, said[max(at - NEAR, 0) : at])) for at in named)
