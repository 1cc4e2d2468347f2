"""What a question for a list restricts it to: statuses, a period, an owner, a language, titles.

Each reads its words, and marks them as read, so that what is left may be the topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from elysia_guard.domain.question import Owner
from elysia_guard.reading.tagged import Wording

STATUSES = ("accepted", "proposed", "rejected", "deprecated", "superseded")
KINDS = ("decision", "principle", "policy", "record", "document")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_LAST_MONTH = 12


@dataclass(slots=True)
class Listed:
    """The words of a question for a list, and which of them are read."""

    said: Wording
    start: int
    end: int
    used: set[int] = field(default_factory=set)
    registered: Sequence[str] = ()
    """Statuses that documents have and no language knows."""

    @property
    def places(self) -> range:
        """The places of its words."""
        return range(self.start, self.end)

    def find(self, *roles: str) -> list[int]:
        """The places where one of these roles begins, among the words not read."""
        return [at for at in self.places if at not in self.used and self.said.plays(at, *roles)]

    def take(self, place: int, *roles: str) -> int:
        """Mark the longest of these roles at a place as read; return where it ends."""
        length = max((self.said.roles[place].get(role, 0) for role in roles), default=0)
        self.used.update(range(place, place + max(length, 1)))
        return place + max(length, 1)

    def left(self, place: int) -> bool:
        """Tell whether a word names something and is not read."""
        token = self.said.tokens[place]
        return place not in self.used and (token.is_mention or self.said.is_content(place))

    def text(self, start: int, end: int) -> str:
        """What is written from a place to another."""
        found = self.said.tokens
        return self.said.text[found[start].start : found[end - 1].end]


def take_period(words: Listed) -> tuple[str, str]:
    """Read since when and until when, each a year or a month, both included; '' is open."""
    points = [at for at in words.places if _is_year(words, at)]
    read = [(at, _point(words, at)) for at in points]
    if not read:
        return "", ""
    if len(read) > 1:
        for at in words.find("between", "since", "until"):
            words.take(at, "between", "since", "until")
        return read[0][1], read[-1][1]
    at, point = read[0]
    before = range(max(words.start, at - 4), at)
    bound = {role: at for at in before for role in _BOUNDS if words.said.plays(at, role)}
    for role, place in bound.items():
        words.take(place, role)
    for place in before:
        if words.said.plays(place, "dated"):
            words.take(place, "dated")
    if "later" in bound:
        return _next(point), ""
    if "since" in bound:
        return point, ""
    if "earlier" in bound:
        return "", _next(point, -1)
    return ("", point) if "until" in bound else (point, point)


_BOUNDS = ("since", "later", "earlier", "until")


def _is_year(words: Listed, place: int) -> bool:
    number = words.said.tokens[place].number
    return number is not None and _FIRST_YEAR <= number <= _LAST_YEAR


def _point(words: Listed, place: int) -> str:
    words.used.add(place)
    year, before = words.said.tokens[place].word, place - 1
    if before >= words.start and words.said.plays(before, "months"):
        words.used.add(before)
        month = words.said.tokens[before].word
        return f"{year}-{list(words.said.pack['months']).index(month) + 1:02d}"
    return year


def _next(point: str, step: int = 1) -> str:
    year, _, month = point.partition("-")
    if not month:
        return str(int(year) + step)
    place = int(year) * _LAST_MONTH + int(month) - 1 + step
    return f"{place // _LAST_MONTH}-{place % _LAST_MONTH + 1:02d}"


def take_owner(words: Listed) -> Owner | None:
    """Read whose documents are asked for: a body that owns them, or of which they are."""
    for place in words.find("owns"):
        if (name := _name_before(words, place)) or (name := _name_after(words, place, "owns")):
            words.take(place, "owns")
            return _owner(words, name)
    for place in words.find("owning_by"):
        if name := _name_after(words, place, "owning_by"):
            words.take(place, "owning_by")
            return _owner(words, name)
    return None


def named_owner(words: Listed) -> str:
    """Read a name at the end that may be an owner or a subject: 'the policies of Vennet'."""
    for place in words.find("of"):
        name = _after(words, place + 1)
        capital = bool(name) and all(words.said.tokens[at].text[0].isupper() for at in name)
        if capital and name.stop == words.said.before(words.end, name.start, "fillers", "empty"):
            words.used.update(name)
            return words.text(name.start, name.stop)
    return ""


def _owner(words: Listed, name: range) -> Owner:
    words.used.update(name)
    start = name.start
    if start > words.start and words.said.plays(start - 1, "definite"):
        start -= 1
    return Owner(written=words.text(start, name.stop), said=True, topic=None)


def _name_before(words: Listed, place: int) -> range:
    end = place
    while end > words.start and not _names(words, end - 1):
        end -= 1
        if place - end > _FARTHEST:
            return range(0)
    start = end
    while start > words.start and _names(words, start - 1):
        start -= 1
    return _body(words, range(start, end))


_FARTHEST = 4


def _name_after(words: Listed, place: int, role: str) -> range:
    return _body(words, _after(words, place + words.said.roles[place][role]))


def _after(words: Listed, start: int) -> range:
    start = words.said.after(start, words.end, "definite", "determiners")
    end = start
    while end < words.end and _names(words, end):
        end += 1
    return range(start, end)


def _names(words: Listed, place: int) -> bool:
    said = words.said
    if place in words.used or said.plays(place, *KINDS, "owns", "existing"):
        return False
    capital = said.tokens[place].text[:1].isupper() and place > words.start
    return said.tokens[place].is_mention or (
        said.is_content(place)
        and (capital or not said.plays(place, "empty", "showing", "listing", "anything"))
    )


def _body(words: Listed, name: range) -> range:
    """A body calls itself a group, a board, a team; what does not may be a topic."""
    if not name:
        return range(0)
    said = words.said
    group = any(
        said.plays(at, "groups")
        or any(said.tokens[at].text.casefold().endswith(each) for each in said.pack["groups"])
        for at in name
    )
    named = (
        len(name) > 1
        or said.tokens[name.start].text[0].isupper()
        or not said.plays(name.start, "groups")
    )
    return name if group and named else range(0)


def take_language(words: Listed) -> str:
    """Read in which language they are to be written: 'nl'; '' for any."""
    names = [role for role in words.said.pack if role.startswith("lang_")]
    for place in words.find(*names):
        before = range(max(words.start, place - 3), min(place + 3, words.end))
        written = [at for at in before if words.said.plays(at, "written")]
        if written:
            words.used.add(place)
            for at in written:
                words.take(at, "written")
            return next(name for name in names if words.said.plays(place, name)).removeprefix(
                "lang_"
            )
    return ""


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
    joins = words.said.plays(place, "alternative", "additive")
    return joins or (words.left(place) and not words.said.plays(place, *KINDS))
