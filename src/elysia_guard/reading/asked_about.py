"""The clause of a question that asks about documents, and how its words stand to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.reading.asked_words import NUMBERED, Span, asked_words

FACTS = ("owner", "driver", "approval", "date", "status", "version")
"""The roles of nouns for what a document has: its owner, its date."""
SIDES = {
    "consequences": Aspect.CONSEQUENCES,
    "alternatives": Aspect.ALTERNATIVES,
    "context": Aspect.CONTEXT,
}
"""The roles of nouns for a part of what a document says."""
STATES = ("state", "ended")
"""The roles of words for what a document is by its status; the second for what it is no longer."""
TELLING = frozenset({*FACTS, *STATES, "approve", "happen", "end", "own", "rely", "when", "whose"})
"""The roles of words that may ask for a fact about a document."""
_ASKING = ("who", "whose", "when", "why", "what")
_PREPOSITIONS = ("said", "within", "under", "of", "purpose", "agent", "with", "point")
_OF_MATTER = ("of", "purpose", "said", "within", "with", "under")
_LIGHT = frozenset(
    {"anaphor", "pronoun", "possessive", "indefinite", "filler", "document", "speaker"}
)


class Asking:
    """One question about documents that stand at some spans of it.

    ``named`` are the places of documents, ``again`` those of pronouns that stand for them.
    ``telling`` are the places of all words that may ask for a fact, ``close`` those of them that
    are said of a document. ``here`` are the places of the clause that asks, ``content`` those of
    its words of content that do not only say which document is meant.
    """

    def __init__(self, text: str, lang: Lang, spans: Sequence[Span] = ()) -> None:
        """Read the words of one question."""
        self.text, self.lang = text, lang
        self.words = asked_words(text, lang, spans)
        self.all = range(len(self.words))
        self.clauses: dict[int, list[int]] = {}
        for at, word in enumerate(self.words):
            self.clauses.setdefault(word.clause, []).append(at)
        self.named = [at for at in self.all if self.words[at].is_document]
        self._which = set().union(*map(self._qualifying, self.named))
        again = self.all if self.named else ()
        self.again = [at for at in again if self._stands_for_document(at)]
        self.telling = [at for at in self.all if self.words[at].roles & TELLING]
        attached = filter(self.is_attached, self.telling)
        self.close = [at for at in attached if not self.is_modified(at)]
        asking = self._clauses_that_ask()
        content = (at for at in self.all if self.words[at].is_content and at not in self._which)
        self.here = [at for at in self.all if self.words[at].clause in asking]
        self.content, self.around = list[int](), list[int]()
        for at in content:
            (self.content if at in self.here else self.around).append(at)

    def has(self, at: int, *roles: str) -> bool:
        """Tell whether the word at a place does one of some things; False beyond the ends."""
        return at in self.all and not self.words[at].roles.isdisjoint(roles)

    def any(self, places: Iterable[int], *roles: str) -> bool:
        """Tell whether a word at one of some places does one of some things."""
        return any(at in self.all and not self.words[at].roles.isdisjoint(roles) for at in places)

    @property
    def is_rule(self) -> bool:
        """'Who must agree', 'does it say who': what is to be, or what the document says."""
        says = any(self.has(at, "mention", "inside") and self._separates(at) for at in self.here)
        # But 'can I build on it'.
        return says or any(
            self.has(at, "modal") and not self.any((at - 1, at + 1), "speaker") for at in self.here
        )

    @property
    def is_doing(self) -> bool:
        """Whether it asks what a document does: 'what did ADR-29 reject', but not 'was it'."""
        said = (it for it in self.named if self.has(self._beyond(it, -1), "aux", "does"))
        does = any(self.has(it + 1, *STATES, "approve", "rely") for it in said)
        return does and self.any(self.here, "what")

    @property
    def names_version(self) -> bool:
        """Whether it asks of one version of the document by its number: its record tells of it."""
        return self.any(self.all, NUMBERED)

    def asks(self, clause: int) -> bool:
        """Tell whether a clause asks: by a question word, or by its verb in front."""
        return self.any(self.clauses[clause], *_ASKING) or self.begins(self.clauses[clause])

    def begins(self, places: Iterable[int], *roles: str) -> bool:
        """Tell whether some places begin with a verb, as a question does, or with some roles."""
        told = ("speaker", "show", "compare")
        fronts = (at for at in places if not self.has(at, "filler") or self.has(at, *told))
        return self.has(next(fronts, -1), "aux", "modal", *roles)

    def is_attached(self, at: int) -> bool:
        """Tell whether nothing of a matter stands between a word and a document."""
        return any(self._reaches(at, it) for it in (*self.named, *self.again) if it != at)

    def is_modified(self, at: int) -> bool:
        """Tell whether a word is said of something that is no document: 'HTTP status'."""
        after = self._beyond(at, 1)
        if self.has(after, "of", "purpose") and self._together(after, at):
            after = self._beyond(after, 1)
        if self.is_content(after, at):
            return True
        return self.has(at, *FACTS) and self.is_content(at - 1, at)

    def is_of_matter(self, at: int) -> bool:
        """Tell whether a noun is said of a matter: 'consequences of X', 'which drawbacks has X'."""
        if self.has(at - 1, "what"):
            return True
        after = self._beyond(at, 1)
        said = self.has(after, *_OF_MATTER) and self._together(after, at)
        return said and self.is_content(self._beyond(after, 1), at)

    def is_place(self, at: int) -> bool:
        """Tell whether a document is where something is said: 'according to ADR-16'."""
        before = self._beyond(at, -1)
        if not self._together(before, at):
            return False
        governed = self.has(before - 1, *FACTS, "rely")
        return self.has(before, "said", "within") or (self.has(before, "under") and not governed)

    def is_adjunct(self, at: int, *prepositions: str) -> bool:
        """Tell whether a word of content stands under a preposition, or one of some roles."""
        while self.is_content(at - 1, at):
            at -= 1
        before = self._beyond(at, -1)
        return self._together(before, at) and self.has(before, *(prepositions or _PREPOSITIONS))

    def is_content(self, at: int, beside: int) -> bool:
        """Tell whether there is a word of content, in the same clause as another place."""
        return self._together(at, beside) and self.words[at].is_content

    def _together(self, at: int, other: int) -> bool:
        inside = at in self.all and other in self.all
        return inside and self.words[at].clause == self.words[other].clause

    def _clauses_that_ask(self) -> set[int]:
        """The last clause that asks, best one that asks for a fact; all that tell if none asks."""
        asking = {clause for clause in self.clauses if self.asks(clause)}
        telling = {self.words[at].clause for at in self.telling}
        close = {self.words[at].clause for at in self.close}
        if not asking:
            return telling or set(self.clauses)
        worded = any(self.any(self.clauses[clause], *_ASKING) for clause in asking)
        wished = set() if worded else close  # 'can you look it up, I need its date'
        choices = (asking & close, asking & telling, wished, asking)
        return {max(next(filter(None, choices)))}

    def _reaches(self, at: int, it: int) -> bool:
        """Tell whether a word of a document's clause is said of it."""
        if not self._together(at, it) or (it in self.named and self.is_place(it)):
            return False
        does = self.has(at, "rely") or self.has(self._beyond(it, -1), "does")
        if does and at == it + 1 and self.has(at, "rely", "approve"):
            return False  # 'as ADR-16 uses them', 'does ADR-16 accept that'
        between = set(range(min(at, it) + 1, max(at, it))) - self._which
        return not any(map(self._separates, between))

    def _separates(self, at: int) -> bool:
        said = self.has(at, "mention", "said") and not self.has(at, "filler", *STATES, "aux")
        return self.words[at].is_content or said

    def _qualifying(self, at: int) -> set[int]:
        """The content that says which document is meant: 'ADR-33 on hydrogen'."""
        if not self.has(at + 1, "of", "purpose", "under", "within", "joining"):
            return set()
        found = set()
        place = self._beyond(at + 1, 1)
        while self.is_content(place, at):
            found.add(place)
            place += 1
        return found

    def _beyond(self, at: int, step: int) -> int:
        """The next place, in a direction, with more than an article; past the clause without."""
        place = at + step
        while self._together(place, at) and not (
            self.words[place].is_content or self.words[place].roles - _LIGHT
        ):
            place += step
        return place

    def _is_pronoun(self, at: int) -> bool:
        """Tell a pronoun from an article, which stands before what it is said of."""
        if not self.has(at, "anaphor"):
            return self.has(at, "pronoun", "possessive")
        after = at + 1
        noun = self.has(after, *FACTS, "body", "document") or self.is_content(after, at)
        return not self._together(after, at) or not (noun or after in self.named)

    def _stands_for_document(self, at: int) -> bool:
        """Tell whether a word is a pronoun for a document: the last that was spoken of before."""
        if not self._is_pronoun(at):
            return False
        same = any(self._together(it, at) for it in self.named)
        if same and self.has(at - 1, "approve", "rely", "own"):
            return False  # 'as ADR-16 uses them'
        spoken = [
            place
            for place, word in enumerate(self.words)
            if word.is_document or (word.is_content and place < at and place not in self._which)
        ]
        before = [place for place in spoken if place < at and not self._is_doer(place, at)]
        last = before[-1] if before else next(iter(spoken), -1)
        beside = [place for place in self.named if before and self._together(place, last)]
        return any(not self._tells(it) for it in (beside or [last]) if it in self.named)

    def _tells(self, it: int) -> bool:
        """Tell whether a document is spoken of for what it says: 'it tells us when that stops'."""
        clause = self.clauses[self.words[it].clause]
        said = any(self.has(at, "mention") and self._separates(at) for at in clause)
        return said or self.is_place(it)

    def _is_doer(self, place: int, at: int) -> bool:
        """What is done to it is not done to who does it: 'the day ESA approved it'."""
        own = self.has(at, "possessive")
        return self._together(place, at) and place not in self.named and not own


asking_of = kept_by_kinds(maxsize=64)(Asking)
"""Read the words of a question once, whatever is asked of them."""
