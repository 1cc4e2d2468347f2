"""What a question for a list says that no list can be restricted by: then it is none.

A list is told as all that a question asks for, so a word that turns or joins its restrictions
('but not', 'or', 'which of the newest') must have its part in what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from elysia_guard.domain.question import Scope
from elysia_guard.domain.reading import Order
from elysia_guard.reading.listing_filters import FIRST_YEAR
from elysia_guard.reading.listing_words import SAYING_NOTHING, STATUSES, Listed, listed_kinds

_LATER: Final = frozenset({"superseded", "deprecated"})
"""Statuses that come long after the date that a document bears."""
_NEAR: Final = 4
"""Words beside 'or' among which the one stands that tells what is restricted."""
_SORTS: Final[Mapping[str, Callable[[], tuple[str, ...]]]] = {
    "kind": listed_kinds,
    "status": lambda: (*STATUSES, "status", "settled"),
    "period": lambda: ("months", "since", "later", "earlier", "until", "between", "dated"),
    "owner": lambda: ("owning_by", "owns", "groups"),
    "about": lambda: ("about",),
}


def joins_unlike(words: Listed) -> bool:
    """Tell whether 'or' stands between restrictions of two sorts: 'rejected or about gas'."""
    joints = [at for at in words.places if words.said.plays(at, "any_of")]
    return any(
        _sort(words, range(at - 1, at - 1 - _NEAR, -1))
        != _sort(words, range(at + 1, at + 1 + _NEAR))
        for at in joints
        if not _is_within(words, at, "whatever_status", *STATUSES)
    )


def _sort(words: Listed, places: range) -> str:
    """What the first telling word beside 'or' restricts; a topic is all that is nothing else."""
    langs = (role for role in words.said.pack if role.startswith("lang_"))
    registered = {word for label in words.registered for word in label.split()}
    roles = {name: of() for name, of in _SORTS.items()} | {"lang": (*langs, "written")}
    for at in places:
        if not words.start <= at < words.end:
            break
        if words.said.tokens[at].word in registered:
            return "status"
        if found := next((name for name, of in roles.items() if _is_within(words, at, *of)), ""):
            return found
        if (words.token(at).number or 0) >= FIRST_YEAR:
            return "period"
        if words.left(at) and not words.said.plays(at, *SAYING_NOTHING):
            break
    return "about"


def _is_within(words: Listed, place: int, *roles: str) -> bool:
    """Tell whether a word is part of a phrase that plays a role: 'down' in 'turned down'."""
    begins = words.near(place, _NEAR, 1)
    return any(at + words.length(at, *roles) > place for at in begins)


def orders_twice(words: Listed) -> bool:
    """Tell whether one end of a list is not all that is asked: 'the oldest and newest policy'."""
    near = words.find(*(each.value for each in Order))
    orders = {each for each in Order for at in near if words.said.plays(at, each.value)}
    of_which = any(words.said.plays(at, "of_which") for at in words.places)
    between = range(near[0], near[-1]) if near else ()
    twice = len(orders) > 1 or any(words.said.plays(at, "all_of") for at in between)
    return bool(near) and (of_which or twice)


def tells_not_when(scope: Scope) -> bool:
    """Tell whether a period is asked of a status that no date belongs to: 'replaced in 2025'."""
    dated = scope.since or scope.until
    return bool(dated and scope.statuses) and _LATER.issuperset(scope.statuses)
