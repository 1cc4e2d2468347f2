"""What is made once of the packs, and once more for each house that has kinds of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

from elysia_guard.language.own_kinds import own_kinds

Given = ParamSpec("Given")
Made = TypeVar("Made")


def kept_by_kinds(
    maxsize: int | None = None,
) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Keep what a function returns as ``lru_cache`` does, apart for each house; None is all.

    Whatever asks, in the end, what kinds of documents are called must be kept so: two houses may
    be asked in one process.

    >>> @kept_by_kinds()
    ... def several(word: str) -> str:
    ...     return f"{word}s"
    >>> several("rfc")
    'rfcs'
    """

    def keeping(make: Callable[Given, Made]) -> Callable[Given, Made]:
        @cache
        def of_house(_: str) -> Callable[Given, Made]:
            return cast(Callable[Given, Made], lru_cache(maxsize=maxsize)(make))

        @wraps(make)
        def kept(*args: Given.args, **named: Given.kwargs) -> Made:
            return of_house(own_kinds().digest)(*args, **named)

        return kept

    return keeping
