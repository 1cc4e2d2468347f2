"""How the words of a question about documents stand to each other and to the documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elysia_guard.domain.question import Aspect
from elysia_guard.reading.asked_words import Word

FACTS = ("owner", "driver", "approval", "date", "status", "version")
"""The roles of nouns for what a document has: its owner, its date."""
SIDES = {
    "consequences": Aspect.CONSEQUENCES,
    "alternatives": Aspect.ALTERNATIVES,
    "context": Aspect.CONTEXT,
}
"""The roles of nouns for a part of what a document says."""
TELLING = frozenset({*FACTS, "approve", "happen", "own", "rely", "state", "when", "whose"})
"""The roles of words that may ask for a fact about a document."""
_ASKING = ("who", "whose", "when", "why", "what")
_PREPOSITIONS = ("said", "within", "under", "of", "purpose", "agent", "with", "point")
_LIGHT = frozenset(
    {"anaphor", "pronoun", "possessive", "indefinite", "filler", "document", "speaker"}
)


class Clauses:
    """The words of a question in their clauses.

    ``named`` are the places of documents, ``again`` those of pronouns that stand for them.
    """

    def __init__(self, found: Sequence[Word]) -> None:
        """Take the words of one question."""
        self.words = found
        self.places: dict[int, list[int]] = {}
        for at, word in enumerate(found):
            self.places.setdefault(word.clause, []).append(at)
        self.named = [at for at, word in enumerate(found) if word.is_document]
        self.pronouns = [at for at in range(len(found)) if self._is_pronoun(at)]
        self.again = [at for at in self.pronouns if self._stands_for_document(at)]

    def has(self, at: int, *roles: str) -> bool:
        """Tell whether the word at a place does one of some things; False beyond the ends."""
        return 0 <= at < len(self.words) and not self.words[at].roles.isdisjoint(roles)

    def any(self, places: Iterable[int], *roles: str) -> bool:
        """Tell whether a word at one of some places does one of some things."""
        return any(self.has(at, *roles) for at in places)

    def together(self, at: int, other: int) -> bool:
        """Tell whether two places are in one clause."""
        inside = 0 <= at < len(self.words) and 0 <= other < len(self.words)
        return inside and self.words[at].clause == self.words[other].clause

    def is_content(self, at: int, beside: int) -> bool:
        """Tell whether there is a word of content, in the same clause as another place."""
        return self.together(at, beside) and self.words[at].is_content

    def content(self, clause: int) -> list[int]:
        """The places of a clause's words of content."""
        return [at for at in self.places[clause] if self.words[at].is_content]

    def asks(self, clause: int) -> bool:
        """Tell whether a clause asks: by a question word, or by its verb in front."""
        return self.asks_by_word(clause) or self.asks_in_front(self.places[clause])

    def asks_by_word(self, clause: int) -> bool:
        """Tell whether there is a question word in a clause."""
        return self.any(self.places[clause], *_ASKING)

    def asks_in_front(self, places: Iterable[int], *roles: str) -> bool:
        """Tell whether some places begin with a verb, as a question does, or with some roles."""
        told = ("speaker", "show")
        fronts = (at for at in places if not self.has(at, "filler") or self.has(at, *told))
        return self.has(next(fronts, -1), "aux", "modal", *roles)

    def is_attached(self, at: int) -> bool:
        """Tell whether nothing of a matter stands between a word and a document."""
        return any(self._reaches(at, it) for it in (*self.named, *self.again) if it != at)

    def is_modified(self, at: int) -> bool:
        """Tell whether a word is said of something that is no document: 'HTTP status'."""
        after = self._beyond(at, 1)
        if self.has(after, "of", "purpose") and self.together(after, at):
            after = self._beyond(after, 1)
        if self.is_content(after, at):
            return True
        return self.has(at, *FACTS) and self.is_content(at - 1, at)

    def is_place(self, at: int) -> bool:
        """Tell whether a document is where something is said: 'according to ADR-16'."""
        before = self._beyond(at, -1)
        if not self.together(before, at):
            return False
        if self.has(before, "said", "within"):
            return True
        governed = self.has(before - 1, *FACTS, "rely")
        return self.has(before, "under") and not governed

    def is_said(self, at: int) -> bool:
        """Tell whether a document is named as the one that says it: 'according to'."""
        return self.has(self._beyond(at, -1), "said")

    def is_adjunct(self, at: int, *prepositions: str) -> bool:
        """Tell whether a word of content stands under a preposition, or one of some roles."""
        while self.is_content(at - 1, at):
            at -= 1
        before = self._beyond(at, -1)
        return self.together(before, at) and self.has(before, *(prepositions or _PREPOSITIONS))

    def qualifying(self, at: int) -> set[int]:
        """The content that says which document is meant: 'ADR-33 on hydrogen'."""
        leads = self.has(at + 1, "of", "purpose", "under", "within", "joining")
        if not (self.together(at + 1, at) and leads):
            return set()
        found = set()
        place = self._beyond(at + 1, 1)
        while self.is_content(place, at):
            found.add(place)
            place += 1
        return found

    def _reaches(self, at: int, it: int) -> bool:
        if not self.together(at, it):
            return False
        named = it in self.named
        if named and (self.is_place(it) or self._is_qualifier(it)):
            return False
        if self._is_done_by(at, it):
            return False
        between = set(range(min(at, it) + 1, max(at, it)))
        if it < at:
            between -= self.qualifying(it)
        compound = named and at < it and self._is_compound(it)
        return not compound and not any(map(self._separates, between))

    def _is_done_by(self, at: int, it: int) -> bool:
        """Tell whether the document does what a word says: 'does ADR-16 accept that', 'uses'."""
        if self.has(at, "rely") and it < at:
            between = range(it + 1, at)
            led = self.has(self._beyond(it, -1), *_PREPOSITIONS)
            return not led and not self.any(between, "speaker", "modal", *_PREPOSITIONS)
        if not self.has(at, "approve"):
            return False
        if it < at:
            return at == it + 1 and self.has(self._beyond(it, -1), "does")
        clause = self.places[self.words[at].clause]
        return at == clause[0] and not self.any(clause, *_ASKING, "agent")

    def _is_compound(self, it: int) -> bool:
        """Tell whether a document only begins what is spoken of: 'ADR-16 exceptions'."""
        later = (at for at in range(it + 2, len(self.words)) if self.together(at, it))
        inverted = self.has(it - 1, "aux")
        return self.is_content(it + 1, it) and not inverted and not self.any(later, *TELLING)

    def _separates(self, at: int) -> bool:
        said = self.has(at, "mention", "said") and not self.has(at, "filler", "state", "aux")
        return self.words[at].is_content or said

    def _is_qualifier(self, at: int) -> bool:
        """Tell whether a document only says which is meant: 'the exception to ADR-16'."""
        before = self._beyond(at, -1)
        return self.has(before, *_PREPOSITIONS) and self.is_content(before - 1, at)

    def _beyond(self, at: int, step: int) -> int:
        """The next place, in a direction, with more than an article; past the clause without."""
        place = at + step
        while self.together(place, at) and not (
            self.words[place].is_content or self.words[place].roles - _LIGHT
        ):
            place += step
        return place

    def _is_pronoun(self, at: int) -> bool:
        """Tell a pronoun from an article, which stands before what it is said of."""
        if not self.has(at, "anaphor"):
            return self.has(at, "pronoun", "possessive")
        after = at + 1
        if not self.together(after, at):
            return True
        noun = self.has(after, *FACTS, "body", "document") or self.words[after].is_document
        return not noun and not self.words[after].is_content

    def _stands_for_document(self, at: int) -> bool:
        """Tell whether a pronoun stands for a document: it is the last that was spoken of."""
        which = set().union(*map(self.qualifying, self.named))
        spoken = [
            place
            for place, word in enumerate(self.words)
            if word.is_document or (word.is_content and place < at and place not in which)
        ]
        before = [place for place in spoken if place < at]
        if not before:
            return bool(spoken) and not self.is_place(spoken[0])
        if before[-1] in self.named:
            # 'As ADR-16 uses them': what a document does it does to something else.
            done = self.together(before[-1], at) and self.has(at - 1, "approve", "rely", "own")
            own = self.has(at, "possessive")
            return (own or not done) and not self.is_place(before[-1])
        if self.together(before[-1], at):
            # What is done to it is not done to who does it: 'the day ESA approved it'.
            before = [place for place in before if not self.together(place, at)]
            if self.has(at, "possessive") or not before or before[-1] not in self.named:
                return False
        last = self.places[self.words[before[-1]].clause]
        tells = any(self.has(place, "mention") and not self.has(place, "filler") for place in last)
        return not tells and any(place in self.named and not self.is_place(place) for place in last)
