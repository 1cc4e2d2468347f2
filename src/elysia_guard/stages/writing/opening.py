"""What an answer is bound to begin with, from the moment that it is proved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from elysia_guard.domain.claim import Claim, Manuscript, Proof, Proved, Written
from elysia_guard.domain.errors import SourceUnavailableError

Stands = Callable[[Manuscript], Awaitable[bool | None]]
"""Tells whether sentences are an answer as they are, and shows them then.

None tells that they cannot be shown before the end, nor any behind them."""


class Opening:
    """The first sentences of an answer, up to the first that code does not prove.

    Each is bound as soon as those up to it are an answer by themselves, whatever is written after
    it. A second opinion is given on all that is open together: what is shown by it alone comes with
    the end, and so does what stands behind it.
    """

    def __init__(self, stands: Stands) -> None:
        """Take who tells whether sentences are an answer."""
        self._stands = stands
        self._proved: list[Proved] = []
        self._ended = False
        self.bound: tuple[Proved, ...] = ()

    async def take(self, proved: Proved, manuscript: Manuscript) -> None:
        """Take the next sentence; the manuscript says from what and by whom it was written."""
        self._ended = self._ended or proved.proof is not Proof.HOLDS
        if self._ended or any(each.claim.text == proved.claim.text for each in self._proved):
            return
        self._proved.append(proved)
        stands = await self._stands(replace(manuscript, shown=tuple(self._proved)))
        self._ended = stands is None
        if stands:
            self.bound = tuple(self._proved)


def each_once(items: Iterable[Proved]) -> tuple[Proved, ...]:
    """Return each sentence once, whatever words it names the second time."""
    first: dict[str, Proved] = {}
    for item in items:
        first.setdefault(item.claim.text, item)
    return tuple(first.values())


def bound_first(manuscript: Manuscript, bound: Sequence[Proved]) -> Manuscript:
    """Put what is bound first, and leave out what rests on the same words again.

    A writing that begins with what is bound stays as it is: what is said twice there, it says so.
    """
    if not bound or manuscript.shown[: len(bound)] == tuple(bound):
        return replace(manuscript, bound=tuple(bound))
    said = {each for item in bound for each in item.claim.supports}
    new = (item for item in manuscript.shown if not said.issuperset(item.claim.supports))
    return replace(manuscript, shown=each_once((*bound, *new)), bound=tuple(bound))


class Asking(Protocol):
    """Has an answer written, and tells each sentence of it; see ``ports.StreamedWriter``."""

    def __call__(self, *, heard: Callable[[Claim], None]) -> Coroutine[Any, Any, Written]:
        """Return what is written."""


async def hearing(
    ask: Asking, take: Callable[[Claim], Awaitable[None]], heard: list[Claim]
) -> Written:
    """Return what is written; each sentence that is told is taken, and added to ``heard``.

    What was whole before the writer failed is taken too, before its failure is told.
    """
    claims: asyncio.Queue[Claim | None] = asyncio.Queue()

    async def taking() -> None:
        while claim := await claims.get():
            await take(claim)
            heard.append(claim)

    task = asyncio.ensure_future(taking())
    try:
        try:
            written = await ask(heard=claims.put_nowait)
        finally:
            claims.put_nowait(None)
        await task
    except SourceUnavailableError:
        with suppress(SourceUnavailableError):
            await task
        raise
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, SourceUnavailableError):
            await task
    return written
