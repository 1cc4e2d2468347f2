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
from elysia_guard.reading.listing_words import ARTICLES, STATUSES, Listed, listed_kinds

_DENIED_BY = 4
"""Words before a status among which 'not' may stand."""
_ASIDE: Final = re.compile(r"\s*(?:[:(\u2013\u2014]|\s-\s)")
"""What follows says something of the status."""
_MAY_FOLLOW: Final = (
    "empty owning_by dated existing showing listing anything ended yet written months about"
).split()
"""Words after a status that make no name of it, as 'data' does of 'open'."""

Found = tuple[tuple[str, ...], tuple[str, ...]]


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


def take_statuses(read: Listed) -> Found:
    """Read which statuses are asked for and which are denied; none where any will do.

    What is wanted too ('also the rejected ones') restricts nothing where no other is asked for.
    """
    said, too, denied = set[str](), set[str](), set[str]()
    any_will_do = read.take_all("whatever_status")
    kind = next(iter(read.find(*listed_kinds())), read.start)
    also = [at for at in read.find("including") if at > kind]
    for status, places in _stated(read):
        found = too if _is_added(read, places, also, said | denied) else said
        if not _take_denial(read, places):
            found.add(status)
        elif left := _left_of(read, status, places):
            found |= left
        else:
            denied.add(status)
    for place in also if too else ():
        read.take(place, "including")
    if any_will_do or not (said or denied):
        unknown = "" if any_will_do or too else _unknown(read)
        return ((unknown,) if unknown else ()), ()
    order = (*STATUSES, *read.registered)
    wanted = said | too if said else said
    return tuple(each for each in order if each in wanted), tuple(
        each for each in order if each in denied - too
    )


def _unknown(read: Listed) -> str:
    """What is called a status, and nobody knows: 'with the status Shelved'."""
    for place in read.find("status"):
        start = read.said.after(place + 1, read.end, *ARTICLES)
        end = start
        while end < read.end and read.left(end) and not read.said.plays(end, *_MAY_FOLLOW):
            end += 1
        if start < end:
            read.used.update(range(start, end))
            return read.text(start, end)
    return ""


def _is_added(read: Listed, places: range, also: Iterable[int], others: set[str]) -> bool:
    """'All of 2026, also the rejected ones': a status beside others, or after a mark."""
    return any(at < places.start and (others or not read.token(at - 1).is_word) for at in also)


def _stated(read: Listed) -> Iterator[tuple[str, range]]:
    """The statuses that are named, and where; their words are read."""
    said = [token.word for token in read.said.tokens]
    for label in sorted(read.registered, key=len, reverse=True):
        wanted = label.split()
        for at in range(read.start, read.end - len(wanted) + 1):
            places = range(at, at + len(wanted))
            if said[at : places.stop] == wanted and not read.used.intersection(places):
                read.used.update(places)
                yield label, places
    for place in read.find("settled"):
        if any(read.said.plays(at, "denying") for at in read.near(place, 2)):
            yield "accepted", range(place, read.take(place, "settled"))
    for place in read.find(*STATUSES):
        status = next(each for each in STATUSES if read.said.plays(place, each))
        if place not in read.used and not _is_part_of_name(read, place, status):
            yield status, range(place, read.take(place, status))


def _take_denial(read: Listed, places: range) -> bool:
    """Read 'not' before a status or just behind it, or 'another than' it; tell whether it stands.

    'Another status than accepted' is any but that.
    """
    than = read.said.before(places.start, read.start, *ARTICLES) - 1
    others = [at for at in range(read.start, than) if read.said.plays(at, "other")]
    if others and read.said.plays(than, "than"):
        read.used.update((*others, than))
        return True
    behind = read.near(places.stop, 0, 1)
    if read.said.plays(min(places.stop + 1, read.end - 1), *STATUSES):
        behind = range(0)  # 'neither accepted nor proposed'
    around = [*read.near(places.start, _DENIED_BY), *behind]
    found = [at for at in around if at not in read.used and read.said.plays(at, "denying")]
    for at in found:
        end = read.take(at, "denying")
        read.used.update(at for at in (end, places.stop) if at < read.end and _ends_it(read, at))
    return bool(found)


def _ends_it(read: Listed, place: int) -> bool:
    return read.said.plays(place, "ended", "yet")


def _left_of(read: Listed, status: str, places: range) -> set[str]:
    """'No longer in force' is not what never was; 'not yet' is what may still come."""
    around = [*read.near(places.start, _DENIED_BY), *read.near(places.stop, 0, 2)]
    if status == "accepted" and any(read.said.plays(at, "ended") for at in around):
        return {"deprecated", "superseded"}
    yet = any(read.said.plays(at, "yet") for at in around)
    settled = any(read.said.plays(at, "settled") for at in places)
    return {"proposed"} if status == "accepted" and (yet or settled) else set()


def _is_part_of_name(read: Listed, place: int, status: str) -> bool:
    """'Open data' is no status, 'open decisions' is one."""
    after = place + read.length(place, status)
    if after >= read.end or read.said.plays(after, *listed_kinds(), *STATUSES):
        return False
    return read.said.is_content(after) and not read.said.plays(after, *_MAY_FOLLOW)
