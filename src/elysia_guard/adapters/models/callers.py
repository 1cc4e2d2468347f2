"""The callers of all models that a process asks: one each, shared by all conversations."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from elysia_guard.adapters.models.guarded import ModelCaller
from elysia_guard.resilience.breaker import Breaker, BreakerState

MakeBreaker = Callable[[Callable[[BreakerState], None]], Breaker]
MakeCaller = Callable[[Breaker], ModelCaller]
AT_MOST = 64
"""Models that are remembered: users name them, and may name any."""

_SEVERITY = (BreakerState.CLOSED, BreakerState.HALF_OPEN, BreakerState.OPEN)


class ModelCallers:
    """One breaker for each model and address, so that a wrong one hurts nobody else.

    To the outside they are one service, in the worst state that any of them is in.

    Args:
        breaker: makes a breaker that tells its states to what it is given.
        caller: makes the caller behind a breaker.
        on_change: is told the state of the whole: a new one, and each time that one opens.
    """

    def __init__(
        self, breaker: MakeBreaker, caller: MakeCaller, *, on_change: Callable[[BreakerState], None]
    ) -> None:
        self._breaker = breaker
        self._caller = caller
        self._on_change = on_change
        self._lock = threading.RLock()
        self._callers: OrderedDict[str, ModelCaller] = OrderedDict()
        self._states: dict[str, BreakerState] = {}
        self._shown = BreakerState.CLOSED

    def of(self, endpoint: str) -> ModelCaller:
        """Return the caller of a model, named by all that tells it from others."""
        with self._lock:
            if endpoint not in self._callers:
                self._callers[endpoint] = self._caller(
                    self._breaker(lambda state: self._changed(endpoint, state))
                )
            self._callers.move_to_end(endpoint)
            if len(self._callers) > AT_MOST:
                forgotten, _ = self._callers.popitem(last=False)
                self._changed(forgotten, BreakerState.CLOSED)
            return self._callers[endpoint]

    def _changed(self, endpoint: str, state: BreakerState) -> None:
        with self._lock:
            if state is BreakerState.CLOSED or endpoint not in self._callers:
                self._states.pop(endpoint, None)
            else:
                self._states[endpoint] = state
            worst = max(self._states.values(), key=_SEVERITY.index, default=BreakerState.CLOSED)
            opened = state is BreakerState.OPEN and endpoint in self._states
            if opened or worst is not self._shown:
                self._shown = worst
                self._on_change(worst)
