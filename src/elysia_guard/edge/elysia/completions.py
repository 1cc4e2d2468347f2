"""Hearing every completion of a language model, so that none of them comes back as a source.

While a wrapped tool runs, every model of DSPy is heard, the tree's and those
that a tool brings along.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import dspy
from dspy.utils.callback import BaseCallback

from elysia_guard.edge.elysia.authorship import Authorship

_DEEPEST = 8
_here: ContextVar[Completions | None] = ContextVar("elysia_guard_completions", default=None)


class Completions:
    """What models have written in one conversation, as long as its tree is in memory."""

    def __init__(self) -> None:
        """Start with nothing heard."""
        self.authorship = Authorship()
        self.accepted: set[str] = set()
        """Texts that were sources before: a model that repeats them makes them no less so."""
        self.since = dt.datetime.now(dt.UTC)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear every model that is called from here, or in a thread from which nobody can tell."""
        token = _here.set(self)
        _everywhere.join(self)
        try:
            yield
        finally:
            _everywhere.leave(self)
            _here.reset(token)

    def wrote(self, said: Any, *, having_read: Any = "") -> None:
        """Take note of what a model wrote, in whatever structure."""
        self.authorship.wrote(_joined(said), having_read=_joined(having_read))


class _Everywhere(BaseCallback):
    """Passes what any model of DSPy writes on to whoever is listening."""

    def __init__(self) -> None:
        self._listening: list[Completions] = []
        self._calls: dict[str, tuple[tuple[Completions, ...], Any]] = {}

    def join(self, listener: Completions) -> None:
        """Start passing on; DSPy's list is changed in place, as setting it belongs to one task."""
        self._listening.append(listener)
        callbacks = dspy.settings.callbacks
        if all(item is not self for item in callbacks):
            callbacks.append(self)

    def leave(self, listener: Completions) -> None:
        """Stop passing on."""
        self._listening.remove(listener)
        if not self._listening:
            with suppress(ValueError):
                dspy.settings.callbacks.remove(self)

    def on_lm_start(self, call_id: str, instance: Any, inputs: Any) -> None:
        """Settle who hears the call: where it comes from says so, or else all; keep the prompt."""
        here = _here.get()
        self._calls[call_id] = ((here,) if here else tuple(self._listening), inputs)

    def on_lm_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:
        """Pass the answer on."""
        listeners, prompt = self._calls.pop(call_id, ((), ""))
        for item in listeners if outputs is not None else ():
            item.wrote(outputs, having_read=prompt)


_everywhere = _Everywhere()


def _joined(said: Any) -> str:
    return said if isinstance(said, str) else "\n".join(strings_in(said))


def strings_in(value: Any, *, depth: int = _DEEPEST) -> Iterator[str]:
    """Every text in a structure, in its order."""
    if isinstance(value, str):
        yield value
    elif depth == 0 or value is None or isinstance(value, (bool, int, float, bytes)):
        return
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings_in(key, depth=depth - 1)
            yield from strings_in(item, depth=depth - 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from strings_in(item, depth=depth - 1)
    else:
        yield from strings_in(getattr(value, "__dict__", None), depth=depth - 1)
