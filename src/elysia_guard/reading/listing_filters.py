"""What a list is restricted to beside its status: a period, an owner, a language, its titles.

Each reads its words, and marks them as read, so that what is left may be the topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Owner, Party, Role
from elysia_guard.language.approvals import named_as
from elysia_guard.reading.listing_words import ARTICLES, ROLES, STATUSES, Listed, listed_kinds

_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_LAST_MONTH = 12
_SHORTEST_MONTH = 3
"""Letters."""
_ISO: Final = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?")
_DAY: Final = re.compile(r"(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|e)?")
_DECIDING = ("accepted", "rejected", "superseded", "deprecated", "settled")
_NO_NAMES = ("empty", "showing", "listing", "anything")
_DASHES = frozenset("- \u2013".split())
_BOUND_BY = 4
"""Words before a year among which 'since' may stand."""
_BOUNDS = ("since", "later", "earlier", "until")


def take_period(words: Listed) -> tuple[str, str]:
    """Read since when and until when, each a year, a month or a day, both included; '' is open.

    Two years that nothing joins to a period are not read.
    """
    years = [at for at in words.places if _is_year(words, at)]
    if not years:
        return "", ""
    near = words.near(years[0], _BOUND_BY)
    # 'desde el 4 de julio de 2025' has two words more than 'since the 4th July 2025'.
    has_month = any(_month(words, at) for at in near)
    joints = sum(has_month and words.said.plays(at, "of") for at in near)
    before = words.near(years[0], _BOUND_BY + joints)
    bounds = {role: at for at in reversed(before) for role in _BOUNDS if words.said.plays(at, role)}
    if len(years) > 1:
        numbers = [int(words.token(at).word[:4]) for at in years]
        joined = any(at < years[1] for at in words.find("between", "until"))
        apart = any(words.said.plays(at, "any_of") for at in range(years[0], years[1]))
        if bounds.keys() & {"earlier", "until"} or (apart and bounds):
            return "", ""  # 'before 2024 or after 2025'
        if not joined and numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            return "", ""
        words.take_all("between", "since", "until")
    for role, place in bounds.items():
        words.take(place, role)
    for place in words.near(years[0], _BOUND_BY + joints, 3):
        if words.said.plays(place, "dated") and (place in before or words.said.is_content(place)):
            words.take(place, "dated")
    points = [_point(words, at) for at in years]
    return (points[0], points[-1]) if len(points) > 1 else _bounded(points[0], bounds)


def _bounded(point: str, bounds: Mapping[str, int]) -> tuple[str, str]:
    if "later" in bounds:
        return _next(point), ""
    if "since" in bounds:
        return point, ""
    if "earlier" in bounds:
        return "", _next(point, -1)
    return ("", point) if "until" in bounds else (point, point)


def _is_year(words: Listed, place: int) -> bool:
    token = words.token(place)
    if token.number is None:
        return _is_iso(token.word)
    return _FIRST_YEAR <= token.number <= _LAST_YEAR


def _is_iso(word: str) -> bool:
    return bool(_ISO.fullmatch(word)) and (word.count("-") == 1 or bool(_dated(word[:7], word[8:])))


def _point(words: Listed, place: int) -> str:
    """'2025', '2025-03-11', 'March 2025', '11 March 2025', 'March 11th, 2025'."""
    words.used.add(place)
    year, before = words.token(place).word, list(_before(words, place))[:2]
    months = {at: _month(words, at) for at in before}
    month = next((at for at in before if months[at]), None)
    if month is None:
        return year
    point = f"{year}-{months[month]:02d}"
    day = next((at for at in before if at != month), None)
    dated = _dated(point, words.token(day).word) if day is not None else ""
    if dated or month == before[0]:
        words.used.update(before if dated else (month,))
        return dated or point
    return year


def _month(words: Listed, place: int) -> int:
    """Return which month a word is, also by its first letters; 0 where it is none."""
    word, names = words.token(place).word, list(words.said.pack["months"])
    of = [at for at, name in enumerate(names, start=1) if name.startswith(word)]
    return of[0] if len(of) == 1 and len(word) >= _SHORTEST_MONTH else 0


def _dated(month: str, day: str) -> str:
    """Write a day of a month, '' where it is none: '11', '11th', '1er'."""
    found = _DAY.fullmatch(day)
    written = f"{month}-{int(found[1]):02d}" if found else ""
    with suppress(ValueError):
        return written and str(date.fromisoformat(written))
    return ""


def _before(words: Listed, place: int) -> Iterator[int]:
    """The places before one, back to the beginning, without marks and 'of': 'julio de 2025'."""
    places = range(place - 1, words.start - 1, -1)
    return (
        at for at in places if words.token(at).word not in ".," and not words.said.plays(at, "of")
    )


def _next(point: str, step: int = 1) -> str:
    year, _, month = point.partition("-")
    if not month:
        return str(int(year) + step)
    if "-" in month:
        return str(date.fromisoformat(point) + timedelta(days=step))
    place = int(year) * _LAST_MONTH + int(month) - 1 + step
    return f"{place // _LAST_MONTH}-{place % _LAST_MONTH + 1:02d}"


def take_party(words: Listed, documents: Iterable[Document]) -> Party | None:
    """Read whom approval records are to name, and as what: 'signed off by the Data Council'.

    A name that the records have counts first, else one of a body.
    """
    for place in words.find(*ROLES):
        role = next(each for each in ROLES if words.said.plays(place, each))
        known = {name for item in documents for name in named_as(role, item)}
        end = place + words.length(place, role)
        for name in (*_written(words, known), *_bodies(words)):
            if _is_said_of(words, name, range(place, end), role):
                start = words.said.before(name.start, words.start, *ARTICLES)
                by = words.ends(start, "agent")
                begin = min(place, name.start if by is None else by)
                words.used.update(range(begin, max(end, name.stop)))
                return Party(written=_with_article(words, name), role=role)
    return None


def _written(words: Listed, names: Iterable[str]) -> Iterator[range]:
    """Where one of some names stands, the longest first."""
    text = words.said.text.lower()
    starts = {words.token(at).start: at for at in words.places}
    ends = {words.token(at).end: at + 1 for at in words.places}
    for name in sorted(names, key=len, reverse=True):
        start = text.find(name.lower())
        if start in starts and start + len(name) in ends:
            yield range(starts[start], ends[start + len(name)])


def _is_said_of(words: Listed, name: range, verb: range, role: Role) -> bool:
    """Tell whether a word says what somebody is: 'approved by X', 'X drives', 'with X as driver'.

    Of 'those of X that are approved' it is not said.
    """
    said, before = words.said, words.said.before(name.start, words.start, *ARTICLES)
    if name.start in verb:
        return True  # 'keurde X goed'
    behind = name.start < verb.start
    gap = range(name.stop, verb.start) if behind else range(verb.stop, name.start)
    if any(not said.tokens[at].is_word or said.is_content(at) for at in gap):
        return False
    is_noun = (
        verb.start > words.start
        and said.plays(verb.start - 1, *ARTICLES, "owning", "subjects", "prepositions")
        and not said.plays(verb.start - 1, "auxiliaries")
    )
    if is_noun or role in (Role.CONSULTED, Role.INFORMED):
        return True
    by = words.ends(before, "agent") is not None
    if not behind:
        states = said.plays(verb.start, *STATUSES)
        return by or (before == verb.stop and (before < name.start or not states))
    of = said.plays(before - 1, "owning_by") or (
        before < name.start
        and said.plays(name.start - 1, "owning_by")
        and said.plays(before - 1, *listed_kinds())
    )
    return (by or not of) and all(said.plays(at, "having") for at in gap)


def take_owner(words: Listed) -> Owner | None:
    """Read whose documents are asked for: a body that is named, and not as what they are about."""
    for name in _bodies(words):
        begin = words.said.before(name.start, words.start, *ARTICLES)
        by = words.ends(name.start, "owning_by")
        by = words.ends(begin, "owning_by") if by is None else by
        if not (_is_owner(words, name, begin) if by is None else _is_by(words, name, by)):
            continue
        decides = any(words.said.plays(at, *_DECIDING) for at in words.places)
        before = by if by is not None else begin
        having = decides and (by is None or words.said.plays(before - 1, "having"))
        if having or words.said.plays(before - 1, *_DECIDING):
            continue  # who decides is not who owns
        if by is not None:
            words.take(by, "owning_by")
        words.take_all("owns")
        words.used.update(name)
        return Owner(written=_with_article(words, name).removesuffix("'s"))
    return None


def _with_article(words: Listed, name: range) -> str:
    """A name with what stands before it, unless that is written onto it: 'l’'."""
    at = name.start - 1
    article = (
        at >= words.start and words.said.plays(at, "definite") and words.token(at).word.isalpha()
    )
    return words.text(name.start - article, name.stop)


def _is_by(words: Listed, name: range, by: int) -> bool:
    """'Of the Data Council'; of a name that is no body's only 'owned by Marketing'."""
    said = words.said
    plain = words.length(by, "owning_by") == 1 and not said.is_content(by)
    return not plain or any(_is_group(words, at) for at in name)


def _is_owner(words: Listed, name: range, begin: int) -> bool:
    """Tell whether a body stands by itself: 'that the Data Council owns'."""
    joined = begin > words.start and words.said.plays(begin - 1, "prepositions")
    apart = joined or _is_in_topic(words, begin)
    if any(_is_group(words, at) for at in name):
        return bool(words.find("owns")) or not apart
    beside = (at for at in (name.stop, begin - 1) if words.start <= at < words.end)
    return not apart and any(words.said.plays(at, "owns") for at in beside)


def named_owner(words: Listed) -> str:
    """Read a name at the end that may be an owner or a subject: 'the policies of Vennet'."""
    for place in words.find("of"):
        start = words.said.after(place + 1, words.end, *ARTICLES)
        name = _run(words, start)
        capital = bool(name) and all(words.token(at).text[0].isupper() for at in name)
        if capital and name.stop == words.said.before(words.end, name.start, "fillers", "empty"):
            words.used.update(name)
            return words.text(name.start, name.stop)
    return ""


def _bodies(words: Listed) -> Iterator[range]:
    """Names of bodies, as these call themselves: a group, a board; or any name in capitals."""
    place = words.start
    while place < words.end:
        run = _run(words, place)
        groups = [at for at in run if _is_group(words, at)]
        if groups:
            name = range(run.start, groups[-1] + 1)
            if len(name) > 1 or not words.said.plays(name.start, "groups"):
                yield name
        elif run and all(words.token(at).text[0].isupper() for at in run):
            yield run
        place = max(run.stop, place + 1)


def _is_group(words: Listed, place: int) -> bool:
    word = words.token(place).word
    ends = any(word.endswith(each) for each in words.said.pack["groups"])
    return words.said.plays(place, "groups") or ends


def _is_in_topic(words: Listed, place: int) -> bool:
    kinds = [at for at in words.places if words.said.plays(at, *listed_kinds())]
    return any(kinds and kinds[0] < at < place for at in words.find("about"))


def _run(words: Listed, start: int) -> range:
    """The words from a place on that may be a name: 'Data Council', 'IT - Security Board'."""
    end = start
    while end < words.end and _names(words, end):
        dash = end + 2 < words.end and words.token(end + 1).word in _DASHES
        end += 2 if dash and _is_capital(words, end + 2) else 1
    return range(start, end)


def _names(words: Listed, place: int) -> bool:
    said = words.said
    if not words.left(place) or said.plays(place, *listed_kinds(), "owns", "existing"):
        return False
    if words.ends(place + 1, "owning_by") is not None:
        return False
    return _is_capital(words, place) or not said.plays(place, *_NO_NAMES, *ROLES)


def _is_capital(words: Listed, place: int) -> bool:
    return words.token(place).text[:1].isupper() and place > words.start


def take_language(words: Listed) -> str:
    """Read in which language they are to be written: 'nl'; '' for any."""
    names = [role for role in words.said.pack if role.startswith("lang_")]
    for place in words.find(*names):
        written = [at for at in words.near(place, 3, 3) if words.said.plays(at, "written")]
        of_kind = place + 1 < words.end and words.said.plays(place + 1, *listed_kinds())
        if (written or of_kind) and not _is_in_topic(words, place):
            words.used.add(place)
            for at in written:
                words.take(at, "written")
            role = next(name for name in names if words.said.plays(place, name))
            return role.removeprefix("lang_")
    return ""


_WITHIN: Final = frozenset("/-'\"\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb")
"""Marks within or around the words of a title."""


def take_titled(words: Listed) -> str:
    """Read which words their titles are to bear."""
    for place in words.find("titled"):
        start = place
        while start > words.start and _may_be_titled(words, start - 1):
            start -= 1
        start = words.said.after(start, place, "alternative", "additive", "perfect", "empty")
        if start < place:
            words.take(place, "titled")
            words.used.update(range(start, place))
            return words.text(start, place)
    return ""


def _may_be_titled(words: Listed, place: int) -> bool:
    token = words.token(place)
    joins = words.said.plays(place, "alternative", "additive") or token.word in _WITHIN
    return joins or (words.left(place) and not words.said.plays(place, *listed_kinds()))
