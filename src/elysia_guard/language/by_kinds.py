"""What is made once of the packs, and once more for each house that has kinds of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, update_wrapper
from typing import Generic, ParamSpec, TypeVar, cast

from elysia_guard.language.own_kinds import own_kinds

Given = ParamSpec("Given")
Made = TypeVar("Made")


class CachedByKinds(Generic[Given, Made]):
    """A function whose results are kept as ``lru_cache`` keeps them, apart for each house."""

    def __init__(self, make: Callable[Given, Made], maxsize: int | None) -> None:
        """Keep so many results of a house; None is all."""

        @cache
        def of_house(_: str) -> Callable[Given, Made]:
            return cast(Callable[Given, Made], lru_cache(maxsize=maxsize)(make))

        self._of_house = of_house
        update_wrapper(self, make)

    def __call__(self, *args: Given.args, **named: Given.kwargs) -> Made:
        """Return what was made before, or make it."""
        return self._of_house(own_kinds().digest)(*args, **named)

    def cache_clear(self) -> None:
        """Forget everything, of all houses."""
        self._of_house.cache_clear()


def kept_by_kinds(
    maxsize: int | None = None,
) -> Callable[[Callable[Given, Made]], CachedByKinds[Given, Made]]:
    """Keep what a function returns, apart for each house.

    Whatever asks, in the end, what kinds of documents are called must be kept so: two houses may
    be asked in one process.

    >>> @kept_by_kinds()
    ... def several(word: str) -> str:
    ...     return f"{word}s"
    >>> several("rfc")
    'rfcs'
    """

    def keeping(make: Callable[Given, Made]) -> CachedByKinds[Given, Made]:
        return CachedByKinds(make, maxsize)

    return keeping
