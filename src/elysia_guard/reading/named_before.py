"""What the words of a clause refer to that the question named before: 'it', 'its', 'daarover'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.reading.clauses import Clause
from elysia_guard.reading.tagged import Wording

_JOINING = ("additive", "alternative")
_ARTICLES = ("definite", "indefinite", "determiners", "demonstratives")


@dataclass(frozen=True, slots=True)
class Antecedent:
    """What may be referred to: as it was written, and what it is.

    ``background`` is set where it is only where something else is said: 'the limit in ADR-0018'.
    """

    text: str
    means: object
    is_document: bool = False
    background: bool = False
    bare: str = ""
    """The same without an article."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A clause with its pronouns put into what they refer to.

    ``replaced`` tells whether any was, ``open`` whether one is left.
    """

    text: str
    replaced: bool = False
    open: bool = False


def antecedents(said: Wording, places: range) -> list[Antecedent]:
    """The terms and documents of a stretch of text, in order, with their articles."""
    found = []
    for place in places:
        token = said.tokens[place]
        if token.span is None:
            continue
        before = place - 1
        article = before >= 0 and said.plays(before, "indefinite", "definite", "determiners")
        start = said.tokens[before].start if article and before in places else token.start
        at = before - 1 if article else before
        found.append(
            Antecedent(
                said.text[start : token.end],
                token.span.means,
                is_document=token.span.is_document,
                background=at in places and said.plays(at, "backgrounds"),
                bare=token.text,
            )
        )
    return found


def _meant(known: Sequence[Antecedent]) -> Antecedent | None:
    """What a single pronoun means: the one document, or else the term that was named last."""
    documents = {each.means: each for each in known if each.is_document}
    if len(documents) > 1:
        return None
    return next(iter(documents.values())) if documents else (known[-1] if known else None)


class Resolver:
    """Puts what was named before in the place of the words of one clause that refer to it."""

    def __init__(
        self,
        clause: Clause,
        known: Sequence[Antecedent],
        *,
        plural: bool = False,
        strict: bool = False,
    ) -> None:
        self._strict = strict
        self._clause, self._said, self._known = clause, clause.wording, known
        one = _meant(known)
        self._one = None if one and one.background else one
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
            at = max(at, end)
        text += self._said.text[at : self._said.tokens[self._clause.end - 1].end]
        return Resolved(" ".join(text.split()), bool(self._changes), self._open)

    def _step(self, place: int) -> int:
        said = self._said
        if said.tokens[place].is_mention:
            return 1
        if self._strict and said.plays(place, "perhaps_persons"):
            return 1
        roles = said.roles[place]
        if skipped := roles.get("expletive", 0):
            return skipped
        if "demonstratives" in roles and self._is_kind(place + roles["demonstratives"]):
            self._put(place, roles["demonstratives"] + 1, self._document())
            return roles["demonstratives"] + 1
        if "adverbial" in roles and (taken := self._adverbial(place)):
            return taken
        if "owning" in roles and (taken := self._owning(place)):
            return taken
        for role, meant in (("things", self._several), ("thing", self._single(place))):
            others = role == "things" and not meant and "thing" in roles
            if role in roles and not others and self._is_pronoun(place, roles[role]):
                self._put(place, roles[role], meant)
                return roles[role]
        doubtful = self._strict and "thing" in roles and said.plays(place - 1, "auxiliaries")
        self._open = self._open or doubtful or "rests" in roles
        return 1

    def _put(self, place: int, length: int, written: str) -> None:
        if not written:
            self._open = True
            return
        found = self._said.tokens
        self._changes.append((found[place].start, found[place + length - 1].end, written))

    def _single(self, place: int) -> str:
        """What a pronoun means; beside a mention of its clause only after a preposition."""
        before = range(self._clause.head, place)
        own = any(self._said.tokens[at].span for at in before)
        if own and not (place and self._said.plays(place - 1, "prepositions")):
            return ""
        return self._one.text if self._one else ""

    def _document(self) -> str:
        return self._one.text if self._one and self._one.is_document else ""

    def _is_kind(self, place: int) -> bool:
        return place < self._clause.end and self._said.plays(place, "kind_nouns")

    def _is_pronoun(self, place: int, length: int) -> bool:
        """Tell a pronoun from an article, from 'that' before a sentence, and from 'Sie'."""
        said, following = self._said, place + length
        token = said.tokens[place]
        if place > self._clause.head and token.text[0].isupper() and token.text[1:].islower():
            return False
        if following >= self._clause.end or said.tokens[following].word in {"?", "!", ")"}:
            return True
        if length > 1 or not said.plays(place, *_ARTICLES, "adverbs"):
            return True
        if said.plays(following, "indefinite", "determiners", "definite", "comparing"):
            return place == 0 or not said.is_content(place - 1)
        if said.tokens[following].is_mention:
            return False
        ends = following == self._clause.end - 1 or not said.is_content(following + 1)
        if said.is_content(following):
            return ends and said.plays(following, "participles")
        strands = self._strands(following) and ends
        return strands or not (self._strict or (place and said.is_content(place - 1)))

    def _adverbial(self, place: int) -> int:
        """'daarover', 'darüber', 'dort', and 'daar ... over' with its end far off."""
        said = self._said
        word = said.tokens[place].word
        lead = next((each for each in said.pack["leads"] if word.startswith(each)), "")
        rest = word[len(lead) :]
        text = self._one.text if self._one else ""
        if lead and rest:
            self._put(place, 1, f"{self._preposition(rest)} {text}" if text else "")
            return 1
        if not said.plays(place, "stranding"):
            self._put(place, 1, f"in {text}" if text else "")
            return 1
        stranded = next((at for at in range(place + 2, self._clause.end) if self._strands(at)), 0)
        if stranded and text:
            found = said.tokens
            self._changes.append((found[place].start, found[place].end, ""))
            written = f"{self._preposition(found[stranded].text)} {text}"
            self._changes.append((found[stranded].start, found[stranded].end, written))
        self._open = self._open or bool(stranded and not text)
        return 1

    def _strands(self, place: int) -> bool:
        """Tell whether a preposition has nothing after it but the verb: 'daar nog op beroepen'."""
        said, end = self._said, self._clause.end
        if not said.plays(place, "prepositions"):
            return False
        ends = [
            at >= end or not said.tokens[at].is_word or said.plays(at, "fillers", *_JOINING)
            for at in (place + 1, place + 2)
        ]
        return ends[0] or (ends[1] and said.is_content(place + 1))

    def _preposition(self, written: str) -> str:
        """What a preposition is called before a noun: Dutch 'mee' is 'met'."""
        return dict(each.split() for each in self._said.pack["stranded"]).get(written, written)

    def _owning(self, place: int) -> int:
        """'its owner' is 'owner of ADR-0012', unless a thing of the clause owns it."""
        said, found = self._said, self._said.tokens
        before = range(self._clause.head, place)
        other = any(
            said.plays(at, *_ARTICLES) and at + 1 < place and said.is_content(at + 1)
            for at in before
        )
        if other or any(found[at].span for at in before):
            return 1
        end = place + 1
        while end < self._clause.end and (said.is_content(end) or said.plays(end, "superlatives")):
            end += 1
        if end == place + 1:
            return 0
        if self._one is None:
            self._open = True
            return 1
        owned = said.text[found[place + 1].start : found[end - 1].end]
        self._put(place, end - place, " ".join((owned, said.pack["of"][0], self._one.text)))
        return end - place
