"""Which statuses a question for a list asks for, and which it denies."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.language.pack import langs
from elysia_guard.language.states import known_state, parts_of
from elysia_guard.language.stems import is_stop_word
from elysia_guard.language.text import words
from elysia_guard.reading.listing_filters import KINDS, STATUSES, Listed

_DENIED_BY = 4
"""Words before a status among which 'not' may stand."""
_ASIDE: Final = re.compile(r"\s*(?:[:(\u2013\u2014]|\s-\s)")
"""What follows says something of the status."""


def registered(documents: Iterable[Document]) -> tuple[str, ...]:
    """The statuses of documents that no language knows, in lower case: 'on hold', 'pending'."""
    written = {status for item in documents for status in (item.status, item.own_status)}
    parts = {_ASIDE.split(part)[0] for status in written for part in parts_of(status)}
    ways = {way for part in parts for way in _ways(words(part))}
    return tuple(sorted(way for way in ways if way and not known_state(way)))


def _ways(written: list[str]) -> tuple[str, str]:
    """A status in full, and without what is said of it: 'reverted by hand', 'reverted'."""
    content = itertools.takewhile(_carries_content, written)
    return " ".join(written), " ".join(content)


def _carries_content(word: str) -> bool:
    return not any(is_stop_word(word, lang) for lang in langs())


def take_statuses(read: Listed) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read which statuses are asked for and which are denied; none where any will do.

    Those that every language knows come first, in the order of ``STATUSES``.
    """
    found: set[str] = set()
    denied: set[str] = set()
    for place in read.find("whatever_status"):
        read.take(place, "whatever_status")
    for label, places in _registered(read):
        read.used.update(places)
        (denied if _take_denials(read, places.start, _DENIED_BY) else found).add(label)
    for place in read.find("settled"):
        if _take_denials(read, place, 2):
            read.take(place, "settled")
            found.add("proposed")
    for place in read.find(*STATUSES):
        if place in read.used or _is_part_of_name(read, place):
            continue
        status = next(each for each in STATUSES if read.said.plays(place, each))
        end = read.take(place, status)
        before = range(max(read.start, place - _DENIED_BY), place)
        if not _take_denials(read, place, _DENIED_BY):
            found.add(status)
            continue
        left = _left_of(read, status, [*before, *range(end, min(end + 2, read.end))])
        found |= left
        denied |= set() if left else {status}
    order = (*STATUSES, *read.registered)
    return tuple(each for each in order if each in found), tuple(
        each for each in order if each in denied
    )


def _registered(read: Listed) -> Iterator[tuple[str, range]]:
    said = [token.word for token in read.said.tokens]
    for label in sorted(read.registered, key=len, reverse=True):
        wanted = label.split()
        for at in range(read.start, read.end - len(wanted) + 1):
            places = range(at, at + len(wanted))
            if said[at : places.stop] == wanted and not read.used.intersection(places):
                yield label, places


def _take_denials(read: Listed, place: int, within: int) -> bool:
    """Read 'not' where it stands before a status; tell whether it does."""
    before = range(max(read.start, place - within), place)
    found = [at for at in before if at not in read.used and read.said.plays(at, "denying")]
    for at in found:
        read.take(at, "denying")
    return bool(found)


def _left_of(read: Listed, status: str, around: list[int]) -> set[str]:
    """'No longer in force' is not what never was; 'not yet' is what may still come."""
    if status == "accepted" and any(read.said.plays(at, "ended") for at in around):
        return {"deprecated", "superseded"}
    if status == "accepted" and any(read.said.plays(at, "yet") for at in around):
        return {"proposed"}
    return set()


def _is_part_of_name(read: Listed, place: int) -> bool:
    """'Open data' is no status, 'open decisions' is one."""
    status = next(each for each in STATUSES if read.said.plays(place, each))
    after = place + read.said.roles[place][status]
    if after >= read.end or read.said.plays(after, *KINDS, *STATUSES):
        return False
    token = read.said.tokens[after]
    attached = token.is_mention or read.said.is_content(after)
    known = read.said.plays(after, *_MAY_FOLLOW)
    return attached and not known


_MAY_FOLLOW = (
    "empty owning_by dated existing showing listing anything ended yet written months about"
).split()
