"""What the words of a clause refer to that the question named before: 'it', 'its', 'daarover'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.reading.clauses import Clause
from elysia_guard.reading.tagged import Wording

_ARTICLES = ("definite", "indefinite", "determiners", "demonstratives")


class ClauseAntecedent(NamedTuple):
    """What may be referred to: as it was written, and what it is.

    ``background`` is set where it is only where something else is said: 'the limit in ADR-0018'.
    """

    text: str
    means: object
    is_document: bool = False
    background: bool = False
    bare: str = ""
    """The same without an article."""


class Resolved(NamedTuple):
    """A clause with its pronouns put into what they refer to.

    ``replaced`` tells whether any was, ``open`` whether one is left.
    """

    text: str
    replaced: bool = False
    open: bool = False


def antecedents(said: Wording, places: range) -> list[ClauseAntecedent]:
    """The terms and documents of a stretch of text, in order, with their articles."""
    found = []
    for place in places:
        token = said.tokens[place]
        if token.span is None:
            continue
        before = place - 1
        article = before in places and said.plays(before, "indefinite", "definite", "determiners")
        start = said.tokens[before].start if article else token.start
        at = before - 1 if article else before
        found.append(
            ClauseAntecedent(
                said.text[start : token.end],
                token.span.means,
                is_document=token.span.is_document,
                background=at in places and said.plays(at, "backgrounds"),
                bare=token.text,
            )
        )
    return found


def _meant(known: Sequence[ClauseAntecedent]) -> ClauseAntecedent | None:
    """What a single pronoun means: the one document, or else the term that was named last."""
    documents = {each.means: each for each in known if each.is_document}
    if len(documents) > 1:
        return None
    return next(iter(documents.values())) if documents else (known[-1] if known else None)


class Resolver:
    """Puts what was named before in the place of the words of one clause that refer to it."""

    def __init__(
        self, clause: Clause, known: Sequence[ClauseAntecedent], *, plural: bool = False
    ) -> None:
        self._clause, self._said = clause, clause.wording
        one = _meant(known)
        self._one = one.text if one and not one.background else ""
        distinct = {each.means: each.text for each in known}
        joining = f" {self._said.pack['joining'][0]} "
        self._several = joining.join(distinct.values()) if len(distinct) > 1 or plural else ""
        self._changes: list[tuple[int, int, str]] = []
        self._open = False

    def resolve(self) -> Resolved:
        """Return the clause with what it refers to."""
        place = self._clause.head
        while place < self._clause.end:
            place += self._step(place)
        text, at = "", self._said.tokens[self._clause.head].start
        for start, end, written in sorted(self._changes):
            text += self._said.text[at:start] + written
            at = end
        text += self._said.text[at : self._said.tokens[self._clause.end - 1].end]
        return Resolved(" ".join(text.split()), bool(self._changes), self._open)

    def _step(self, place: int) -> int:
        """Look at one word, and return over how many words what was found goes."""
        said, roles = self._said, self._said.roles[place]
        if said.tokens[place].is_mention:
            return 1
        if skipped := roles.get("expletive", 0):
            return skipped
        if "adverbial" in roles:
            return self._adverbial(place)
        if "owning" in roles and (taken := self._owning(place)):
            return taken
        for role, meant in (("things", self._several), ("thing", self._single(place))):
            others = role == "things" and not meant and "thing" in roles
            if role in roles and not others and self._is_pronoun(place, roles[role]):
                return self._put(place, roles[role], meant)
        self._open = self._open or "rests" in roles
        return 1

    def _put(self, place: int, length: int, written: str) -> int:
        if written:
            found = self._said.tokens
            self._changes.append((found[place].start, found[place + length - 1].end, written))
        self._open = self._open or not written
        return length

    def _single(self, place: int) -> str:
        """What a pronoun means; beside a mention of its clause only after a preposition."""
        before = range(self._clause.head, place)
        own = any(self._said.tokens[at].span for at in before)
        return "" if own and not self._said.plays(place - 1, "prepositions") else self._one

    def _is_pronoun(self, place: int, length: int) -> bool:
        """Tell a pronoun from an article, from 'that' before a sentence, and from 'Sie'."""
        said, following = self._said, place + length
        token, end = said.tokens[place], self._clause.end
        if place > self._clause.head and token.text[0].isupper() and token.text[1:].islower():
            return False
        if following >= end or said.tokens[following].word in {"?", "!", ")"}:
            return True
        if length > 1 or not said.plays(place, *_ARTICLES, "adverbs"):
            return True
        if said.plays(following, "indefinite", "determiners", "definite", "comparing"):
            return place == 0 or not said.is_content(place - 1)
        if said.tokens[following].is_mention:
            return False
        ends = following == end - 1 or not said.is_content(following + 1)
        if said.is_content(following):
            return ends and said.plays(following, "participles")
        return not (place and said.is_content(place - 1)) or self._strands(following)

    def _adverbial(self, place: int) -> int:
        """'daarover' is 'over ADR-0012', and so is 'daar ... over'; 'dort' is 'in ADR-0012'."""
        said, last = self._said, self._clause.end - 1
        word = said.tokens[place].word
        lead = next((each for each in said.pack["leads"] if word.startswith(each)), "")
        rest = word[len(lead) :] if lead else ""
        if not rest and said.plays(place, "stranding") and place < last and self._strands(last):
            self._put(place, 1, " " if self._one else "")
            place, rest = last, said.tokens[last].word
        inside = next(iter(said.pack["backgrounds"]), "")
        # What a preposition is called before a noun: Dutch 'mee' is 'met'.
        called = dict(each.split() for each in said.pack["stranded"]).get(rest, rest or inside)
        self._put(place, 1, f"{called} {self._one}" if self._one else "")
        return 1

    def _strands(self, place: int) -> bool:
        """Tell whether a preposition has nothing after it: 'wat houdt dat in'."""
        return place == self._clause.end - 1 and self._said.plays(place, "prepositions")

    def _owning(self, place: int) -> int:
        """'its owner' is 'owner of ADR-0012', unless a thing of the clause owns it."""
        said, found = self._said, self._said.tokens
        before = range(self._clause.head, place)
        other = any(said.plays(at, *_ARTICLES) and said.is_content(at + 1) for at in before)
        if other or any(found[at].span for at in before):
            return 1
        end = place + 1
        while end < self._clause.end and (said.is_content(end) or said.plays(end, "superlatives")):
            end += 1
        if end == place + 1:
            return 0
        owned = said.written(place + 1, end)
        written = f"{owned} {said.pack['of'][0]} {self._one}" if self._one else ""
        return self._put(place, end - place, written)
