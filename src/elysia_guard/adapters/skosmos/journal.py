"""What becomes of each look-up, told to the observer: the source of IR0003's counters and logs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.events import Event, StageEnded
from elysia_guard.ports import Clock, Observer

STAGE = "skosmos"

Found = Callable[[Sequence[TermMatch]], None]


def _unobserved(event: Event) -> None:
    """Nobody listens."""


class Journal:
    """Tells the observer one ``StageEnded`` per look-up: ``stage`` is ``skosmos``.

    ``note`` is ``hit``, ``miss``, ``timeout`` or ``error``; ``fields`` are ``term``, ``hit`` and
    ``cached``. A look-up that is cancelled tells nothing.

    Args:
        observe: is told.
        request_id: names the request that a look-up belongs to.
        clock: tells the time.
    """

    def __init__(
        self,
        observe: Observer = _unobserved,
        *,
        request_id: Callable[[], str] = str,
        clock: Clock = time.monotonic,
    ) -> None:
        self._observe = observe
        self._request_id = request_id
        self._clock = clock

    @contextmanager
    def asking(self, term: str) -> Iterator[Found]:
        """Follow a look-up in Skosmos; what it found is told to the function this yields."""
        started = self._clock()
        outcome = ""

        def found(matches: Sequence[TermMatch]) -> None:
            nonlocal outcome
            outcome = "hit" if matches else "miss"

        try:
            yield found
        except SourceTimeoutError:
            outcome = "timeout"
            raise
        except SourceUnavailableError:
            outcome = "error"
            raise
        finally:
            if outcome:
                self._tell(term, outcome, (self._clock() - started) * 1000)

    def kept(self, term: str, matches: Sequence[TermMatch]) -> None:
        """Take note of a look-up that was answered from the cache."""
        self._tell(term, "hit" if matches else "miss", 0.0, cached=True)

    def _tell(self, term: str, outcome: str, elapsed_ms: float, *, cached: bool = False) -> None:
        self._observe(
            StageEnded(
                request_id=self._request_id(),
                stage=STAGE,
                elapsed_ms=elapsed_ms,
                note=outcome,
                fields={"term": term, "hit": outcome == "hit", "cached": cached},
            )
        )
