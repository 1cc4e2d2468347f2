"""The states of a document, told from the words in which any language writes its status."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, lru_cache

from elysia_guard.language.pack import either
from elysia_guard.language.pack_reader import Words
from elysia_guard.language.pack_sections import StatusesSection
from elysia_guard.language.phrases import compiled
from elysia_guard.language.text import words


class State(StrEnum):
    """What a status means, where it is one of those that registers agree upon."""

    ACCEPTED = "accepted"
    PROPOSED = "proposed"
    REJECTED = "rejected"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    UNKNOWN = ""
    """Anything else: it is kept as it is written, and never taken for 'in force'."""


_WORDS: Mapping[State, Callable[[StatusesSection], Words]] = {
    State.SUPERSEDED: lambda said: said.superseded,
    State.ACCEPTED: lambda said: said.accepted,
    State.PROPOSED: lambda said: said.proposed,
    State.REJECTED: lambda said: said.rejected,
    State.DEPRECATED: lambda said: said.deprecated,
}
# A sign before the word ('✅ Accepted') says nothing that the word does not.
_SIGNS = re.compile(r"\A[\W_]+")


@cache
def _states() -> Mapping[State, re.Pattern[str]]:
    return {state: compiled(rf"{_said(role)}\b") for state, role in _WORDS.items()}


@cache
def _successor() -> re.Pattern[str]:
    """'Partly superseded by ADR-0007' is not: the words begin the status, or a part of it."""
    return compiled(
        rf"(\A|[,;:.(/\u2013\u2014-]\s*|\b{_said(lambda said: said.but)}\s+)"
        rf"{_said(lambda said: said.superseded_by)}\b"
    )


def _said(role: Callable[[StatusesSection], Words]) -> str:
    return either(lambda core: role(core.statuses))


@lru_cache(maxsize=1_000)
def known_state(status: str) -> State:
    """Return what a status means, or UNKNOWN.

    >>> known_state("Vastgesteld op 3 mei"), known_state("accepted; superseded by ADR-0007")
    (<State.ACCEPTED: 'accepted'>, <State.SUPERSEDED: 'superseded'>)
    >>> known_state("Partly superseded")
    <State.UNKNOWN: ''>
    """
    bare = _SIGNS.sub("", status)
    if _successor().search(bare):
        return State.SUPERSEDED
    found = (state for state, said in _states().items() if said.match(bare))
    return next(found, State.UNKNOWN)


def has_status(status: str, asked: str) -> bool:
    """Tell whether a status is the one that is asked for: by its meaning, else by its words.

    >>> has_status("✅ Accepted", "accepted"), has_status("Partly superseded", "superseded")
    (True, False)
    >>> has_status("Reverted by ADR-0007", "reverted")
    True
    """
    if asked in set(State):
        return known_state(status) == asked and bool(asked)
    wanted = words(asked)
    return bool(wanted) and any(words(part)[: len(wanted)] == wanted for part in parts_of(status))


def parts_of(status: str) -> list[str]:
    """Return what a status says one after the other, without signs.

    >>> parts_of("✅ Accepted, implemented")
    ['Accepted', 'implemented']
    """
    return [bare for part in re.split(r"[,;/]", status) if (bare := _SIGNS.sub("", part).strip())]


def in_force(status: str) -> bool:
    """Tell whether a status lets a document count: accepted, or none at all is given."""
    return not status or known_state(status) is State.ACCEPTED
