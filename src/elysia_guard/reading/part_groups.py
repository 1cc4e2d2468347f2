"""Clauses of a question that ask one thing."""

from __future__ import annotations

from dataclasses import dataclass

from elysia_guard.reading.clauses import OF_TERMS, Clause
from elysia_guard.reading.tagged import Wording

_LONGEST_NAME = 4
"""Words of what a question asks the meaning of, where it is no term that is known."""


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses that ask one thing: what leads up to it, and from ``ask`` on what asks it."""

    clauses: tuple[Clause, ...]
    ask: int

    @property
    def said(self) -> Wording:
        return self.clauses[0].wording

    @property
    def asking(self) -> Clause:
        """From the clause that asks to the end of the group, as one."""
        first, last = self.clauses[self.ask], self.clauses[-1]
        end = first.wording.before(last.end, first.start + 1, "fillers")
        return Clause(first.wording, first.start, end, first.joint, last.mark)

    @property
    def leading(self) -> tuple[Clause, ...]:
        return self.clauses[: self.ask]

    @property
    def means(self) -> set[object]:
        """What it mentions."""
        return {span.means for clause in self.clauses for span in clause.spans}

    @property
    def documents(self) -> set[object]:
        return {span.means for each in self.clauses for span in each.spans if span.is_document}

    @property
    def numbers(self) -> set[int]:
        found = (self.said.tokens[place].number for each in self.clauses for place in each.places)
        return {number for number in found if number is not None}

    def has(self, *roles: str) -> bool:
        return any(clause.has(*roles) for clause in self.clauses)

    def joined(self, other: Group) -> Group:
        return Group((*self.clauses, *other.clauses), self.ask)

    def slot(self, clause: Clause) -> int | None:
        """The place of the preposition whose mention 'and of its successor' takes the place of."""
        said, head = clause.wording, clause.head
        if not said.plays(head, "prepositions") or not said.plays(head + 1, "owning"):
            return None
        for place in self.asking.places:
            if said.tokens[place].word == said.tokens[head].word and self.means:
                return place
        return None


def of_meaning(clause: Clause) -> range:
    """What a clause asks the meaning of, or how it stands to others; nothing where it asks more."""
    said, named = clause.wording, list[int]()
    for place in range(clause.head, clause.end):
        if named and said.plays(place, "backgrounds") and not said.plays(place, "meant"):
            break
        word = said.tokens[place].is_word and not said.plays(place, "meaning", "fillers", *OF_TERMS)
        if word or said.tokens[place].is_mention:
            named.append(place)
    run = bool(named) and named[-1] - named[0] == len(named) - 1 < _LONGEST_NAME
    if not run or not clause.has("meant", *OF_TERMS):
        return range(0)
    if not all(said.tokens[at].is_mention or said.is_content(at) for at in named):
        return range(0)
    known = said.tokens[named[0]].is_mention
    definite = said.plays(named[0] - 1, "definite", "demonstratives")
    return range(named[0], named[-1] + 1) if known or not definite else range(0)
