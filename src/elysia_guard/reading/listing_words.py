"""The words of a question for a list, which of them are read, and the topic that is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from elysia_guard.domain.question import Role
from elysia_guard.language.kinds import numbered
from elysia_guard.reading.clauses import Clause
from elysia_guard.reading.tagged import TaggedToken, Wording

STATUSES: Final = ("accepted", "proposed", "rejected", "deprecated", "superseded")
"""Statuses that every language knows, in the order in which a reader is told of them."""
ROLES: Final = tuple(role for role in Role if role is not Role.OWNER)
"""As what an approval record names somebody."""
SAYING_NOTHING: Final = ("empty", "showing", "listing", "existing", "quantifiers", "settled")
"""Roles of words that restrict nothing."""
_LONGEST = 5
"""Words of a phrase that plays a role."""
ARTICLES: Final = ("definite", "indefinite", "determiners")
_FRAMES = ("listing", "showing", "existing", "quantifiers", "many")


def listed_kinds() -> tuple[str, ...]:
    """Return the roles of words for kinds of documents, those of a house's own among them."""
    return (*numbered(), "record", "document")


@dataclass(slots=True)
class Listed:
    """The words from ``start`` to ``end``; ``used`` are those that something has explained.

    ``registered`` are statuses that documents have and no language knows.
    """

    said: Wording
    start: int
    end: int
    registered: Sequence[str] = ()
    used: set[int] = field(default_factory=set)

    @property
    def places(self) -> range:
        """The places of its words."""
        return range(self.start, self.end)

    def token(self, place: int) -> TaggedToken:
        """The word at a place."""
        return self.said.tokens[place]

    def find(self, *roles: str) -> list[int]:
        """The places where one of these roles begins, among the words not read."""
        return [at for at in self.places if at not in self.used and self.said.plays(at, *roles)]

    def near(self, place: int, before: int, after: int = 0) -> range:
        """The places around one, as far as the question goes."""
        return range(max(self.start, place - before), min(place + after, self.end))

    def length(self, place: int, *roles: str) -> int:
        """Over how many words the longest of these roles goes."""
        return self.said.length(place, *roles)

    def take(self, place: int, *roles: str) -> int:
        """Mark the longest of these roles at a place as read; return where it ends."""
        end = place + max(self.length(place, *roles), 1)
        self.used.update(range(place, end))
        return end

    def take_all(self, *roles: str) -> bool:
        """Mark these roles as read wherever they are; tell whether they are anywhere."""
        found = self.find(*roles)
        for place in found:
            self.take(place, *roles)
        return bool(found)

    def left(self, place: int) -> bool:
        """Tell whether a word names something and is not read."""
        token = self.token(place)
        is_name = token.text.isupper() and len(token.text) > 1  # 'IT' is not 'it'
        return place not in self.used and (is_name or self.said.is_content(place))

    def ends(self, end: int, *roles: str) -> int | None:
        """The place where one of these roles begins that ends just there."""
        within = self.near(end, _LONGEST)
        return next((at for at in within if at + self.length(at, *roles) == end > at), None)

    def number(self, place: int) -> int:
        """The number that a word is, in figures or spelt out up to ten; 0 where it is none."""
        token, spelt = self.token(place), list(self.said.pack["numbers"])
        return token.number or (spelt.index(token.word) + 1 if token.word in spelt else 0)

    def is_after_about(self, place: int) -> bool:
        """Tell whether a word is the first that a topic is named by: 'about the latest news'."""
        begin = self.said.before(place, self.start, *ARTICLES)
        return self.ends(begin, "about") is not None

    def text(self, start: int, end: int) -> str:
        """What is written from a place to another."""
        return self.said.written(start, end)


def topic_of(words: Listed, main: Clause, places: Sequence[int]) -> str | None:
    """Return the topic; '' where nothing is left, None where words are left that name none.

    Args:
        words: the question, its kinds and filters read.
        main: that which names the documents.
        places: where they are named.
    """
    if main.has("adverbial"):
        return None
    denied = words.find("denying")
    named = next((at for at in places if words.said.plays(at, *listed_kinds())), 0)
    behind = max((at for at in words.find("about") if at > named), default=words.end)
    said = range(behind + 1, words.end)
    plain = words.used.isdisjoint(said) and any(
        at in said and words.said.is_content(at) for at in words.find(*SAYING_NOTHING)
    )
    for place in words.find(*SAYING_NOTHING):
        mentions = place > named and words.said.plays(place, "about")
        if not (mentions or words.is_after_about(place)):
            words.take(place, *SAYING_NOTHING)
    about = words.find("about")
    fronts = {at + step for at in about for step in range(words.length(at, "about"))}
    ends = [at for at in words.find("about_end") if at not in fronts]
    for place in ends:
        words.take(place, "about_end")
    left = [at for at in words.places if words.left(at)]
    if not left:
        return None if denied or plain else ""  # 'about need to know'
    fronted = left[-1] < named  # 'about encryption: which decisions are there?'
    for place in reversed([at for at in about if (fronted or named <= at) and at <= left[0]]):
        begin = place + words.length(place, "about")
        if not any(words.left(at) for at in range(words.start, place)):
            end = min((at for at in ends if at > begin), default=left[-1] + 1)
            begin = words.said.after(begin, end, "definite")
            whole = begin < end and left[-1] < end
            turned = any(at < begin for at in words.find("including") if at > named)
            turned |= any(not (at in left and begin <= at < end) for at in denied)
            named = not all(words.number(at) for at in left)  # 'of the 34'
            return words.text(begin, end) if whole and named and not turned else None
    return None if denied else _modifier(words, left, places)


def _modifier(words: Listed, left: Sequence[int], places: Sequence[int]) -> str | None:
    """'What are the interoperability principles?'."""
    first = places[0] if places else words.start
    adjacent = left[-1] == first - 1 and len(left) == left[-1] - left[0] + 1
    framed = any(words.said.plays(at, *_FRAMES) for at in words.places)
    counted = any(words.number(at) for at in left)  # 'which two policies'
    return words.text(left[0], first) if adjacent and framed and not counted else None
