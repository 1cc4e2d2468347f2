"""The states of a document, told from the words in which three languages write its status."""

from __future__ import annotations

import re
from enum import StrEnum

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


_WORDS = {
    State.SUPERSEDED: "superseded|replaced|vervangen|ersetzt",
    State.ACCEPTED: "accepted|approved|final|geaccepteerd|aanvaard|goedgekeurd|vastgesteld"
    "|definitief|angenommen|akzeptiert|genehmigt",
    State.PROPOSED: "proposed|draft|voorgesteld|concept|vorgeschlagen|entwurf",
    State.REJECTED: "rejected|afgewezen|verworpen|abgelehnt",
    State.DEPRECATED: "deprecated|obsolete|withdrawn|retired|vervallen|verouderd|ingetrokken"
    "|veraltet|zurückgezogen",
}
_STATES = {state: re.compile(rf"(?:{words})\b", re.IGNORECASE) for state, words in _WORDS.items()}
# A sign before the word ('✅ Accepted') says nothing that the word does not.
_SIGNS = re.compile(r"\A[\W_]+")
# 'Partly superseded by ADR-0007' is not superseded: the words begin the status, or a part of it.
_SUCCESSOR = re.compile(
    r"(?:\A|[,;:.(/\u2013\u2014-]\s*|\b(?:and|but|now|en|maar|nu|und|aber|jetzt)\s+)"
    r"(?:superseded by|replaced by|vervangen door|ersetzt durch)\b",
    re.IGNORECASE,
)


def known_state(status: str) -> State:
    """Return what a status means, or UNKNOWN.

    >>> known_state("Vastgesteld op 3 mei"), known_state("accepted; superseded by ADR-0007")
    (<State.ACCEPTED: 'accepted'>, <State.SUPERSEDED: 'superseded'>)
    >>> known_state("Partly superseded")
    <State.UNKNOWN: ''>
    """
    bare = _SIGNS.sub("", status)
    if _SUCCESSOR.search(bare):
        return State.SUPERSEDED
    found = (state for state, words in _STATES.items() if words.match(bare))
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
