"""What a language model is asked in mode thinking besides writing: to plan, and to check."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from elysia_guard.adapters.models.chat import json_in
from elysia_guard.adapters.writers import prompt
from elysia_guard.adapters.writers.guarded import FormChat
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import clean

MOST_SEARCHES, LONGEST_SEARCH = 4, 300
"""Searches, and characters of each: what is longer is no search."""


class LanguageModelPlanner:
    """Asks a language model to take a question apart; see ``ports.Planner``."""

    def __init__(self, chat: FormChat) -> None:
        """Take who is asked."""
        self._chat = chat

    async def __call__(self, question: str, /, *, lang: Lang) -> Sequence[str]:
        """Ask the model; what it writes is searched for, and shown to nobody."""
        asked = prompt.to_plan(question, lang)
        return await self._chat.asked(asked, schema=prompt.PLAN, lang=lang, read=searches)


class LanguageModelCritic:
    """Asks a language model about sentences, its own perhaps; see ``ports.Verifier``."""

    def __init__(self, chat: FormChat) -> None:
        """Take who is asked."""
        self._chat = chat

    @property
    def model_id(self) -> str:
        """The model, and the version of what it is asked."""
        return f"{self._chat.model}@check+{prompt.version()}"

    async def __call__(self, pairs: Sequence[tuple[str, str]], /, *, lang: Lang) -> Sequence[float]:
        """Ask the model about all of them at once."""
        asked, read = prompt.to_check(pairs, lang), partial(chances, count=len(pairs))
        return await self._chat.asked(asked, schema=prompt.CHECK, lang=lang, read=read)


def searches(text: str) -> tuple[str, ...] | None:
    """Return the searches that a model wrote; None where it is of no use."""
    match json_in(text):
        case {"searches": list(rows)}:
            found = [clean(row) for row in rows if isinstance(row, str)]
            return tuple(each for each in found if 0 < len(each) <= LONGEST_SEARCH)[:MOST_SEARCHES]
        case _:
            return None


def chances(text: str, *, count: int) -> tuple[float, ...] | None:
    """Return the chances of so many sentences, in their order; None where one is not there once."""
    match json_in(text):
        case {"checks": list(rows)} if len(rows) == count:
            found = dict(each for row in rows if (each := _chance(row)))
        case _:
            return None
    every = [found.get(n) for n in range(1, count + 1)]
    kept = tuple(chance for chance in every if chance is not None)
    return kept if len(kept) == count else None


def _chance(row: object) -> tuple[int, float] | None:
    match row:
        case {"id": int(n), "supported": bool(yes), "confidence": int() | float() as sure}:
            pass
        case _:
            return None
    if isinstance(n, bool) or isinstance(sure, bool) or not 0 <= sure <= 1:
        return None
    # Less sure than a guess is no other answer, as with judges.
    chance = max(float(sure), 0.5)
    return n, chance if yes else 1.0 - chance
