"""What is measured of a sentence beside its sources: what is covered, and what is turned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import mul

from elysia_guard.ports import WordChance
from elysia_guard.stages.verification.claims import turns
from elysia_guard.stages.verification.claims.faults import (
    other_periods,
    wrong_dates,
    wrong_numbers,
)
from elysia_guard.stages.verification.claims.likeness import SAME, Likeness, covered, degrees
from elysia_guard.stages.verification.claims.said import Said

ENOUGH = 0.5
"""From such a degree on a word counts as covered."""
MOST = 0.5
"""From such a share of its words on a clause is said again."""
COMMON, RARE, LIGHTEST = 9.0, 15.0, 0.2
"""Logarithms of how unlikely a word is that counts least, and in full; what the first counts."""
LEFT_OUT = ("exception", "only")
"""Limits that must not be left out."""


@dataclass(frozen=True, eq=False)
class Held:
    """A sentence beside what it is held against: sources, and what heads and names them."""

    said: Said
    sources: tuple[Said, ...]
    around: Said
    alike: Likeness
    chances: Mapping[str, WordChance] = field(default_factory=dict)

    @cached_property
    def weights(self) -> list[float]:
        """What each content word counts, by its rarity: 'takes' says less than 'transformer'."""
        return [_weight(word.text, self.chances) for word in self.said.content]

    @cached_property
    def rows(self) -> list[list[float]]:
        """Of each source how much of each content word it covers."""
        return [degrees(self.said, source, self.alike) for source in self.sources]

    @cached_property
    def above(self) -> list[float]:
        """What names and heads of the source cover."""
        return degrees(self.said, self.around, self.alike)

    @cached_property
    def every(self) -> list[float]:
        """What all of it together covers."""
        return covered([*self.rows, self.above])

    @cached_property
    def best(self) -> Said:
        """The one source that covers the most, what it lacks of numbers and labels taken off."""
        return self.sources[self._place]

    @cached_property
    def covering(self) -> list[float]:
        """What the best source covers together with what heads and names it."""
        return list(map(max, self.rows[self._place], self.above))

    @cached_property
    def _place(self) -> int:
        return max(range(len(self.rows)), key=lambda at: (self._held(at), sum(self.rows[at])))

    def _held(self, at: int) -> float:
        source = self.sources[at]
        wrong = [*wrong_numbers(self.said, [source]), *wrong_dates(self.said, [source])]
        missing = len(self.said.labels - source.keys) + other_periods(self.said, source)
        return sum(self.rows[at]) - len(wrong) - missing

    @cached_property
    def clauses(self) -> tuple[tuple[int, int], ...]:
        """Of the best source the clauses that share words or numbers with the sentence."""
        own = {form for word in self.said.content for form in (word.stem, word.text)}
        places = [w.start for w in self.best.content if w.stem in own or w.text in own]
        numbers = {value for each in self.said.quantities for value in each.number}
        places += [q.start for q in self.best.quantities if q.number & numbers]
        return turns.nearest(self.said, self.best, places)

    @cached_property
    def clause(self) -> str:
        """The text of these clauses."""
        return " ".join(self.best.text[start:end].strip() for start, end in self.clauses)

    @cached_property
    def again(self) -> str:
        """The text of those of which the sentence says most again; what limits others is theirs."""
        own = {word.stem for word in self.said.content}
        found = []
        for start, end in self.clauses:
            there = [w.stem in own for w in self.best.content if start <= w.start < end]
            if not there or sum(there) >= MOST * len(there):
                found.append(self.best.text[start:end].strip())
        return " ".join(found)

    @cached_property
    def measured(self) -> dict[str, float]:
        """What is measured of it, by name."""
        return measures(self)

    def share(self, row: Sequence[float]) -> float:
        """Return the share, 0 to 1, of the content words, of each of which so much is covered."""
        total = sum(self.weights)
        return sum(map(mul, self.weights, row)) / total if total else 1.0

    @property
    def uncovered(self) -> list[str]:
        """The words of the sentence that nothing covers."""
        found = zip(self.said.content, self.every, strict=True)
        return [self.said.text[word.start : word.end] for word, each in found if each < ENOUGH]

    @property
    def crosses(self) -> bool:
        """Whether the sentence is in another language than what it is held against."""
        return self.said.lang != self.best.lang


def measures(held: Held) -> dict[str, float]:
    """Return shares, 0 to 1, of what is covered, and whether something is turned."""
    row = held.covering
    return {
        "same": sum(each == SAME for each in row) / max(len(row), 1),
        "every": held.share(held.every),
        "returned": _returned(held),
        **_turned(held),
    }


def _weight(word: str, chances: Mapping[str, WordChance]) -> float:
    known = chances.get(word)
    if known is None:
        return 1.0
    return min(max((-known.log - COMMON) / (RARE - COMMON), LIGHTEST), 1.0)


def _returned(held: Held) -> float:
    """How much of the clauses that share words with the sentence it says again, 0 to 1."""
    own = {word.stem for word in held.said.content}
    there = [
        word.stem
        for word in held.best.content
        if any(start <= word.start < end for start, end in held.clauses)
    ]
    return sum(each in own for each in there) / len(there) if there else 0.0


def _turned(held: Held) -> dict[str, float]:
    text, lang = held.said.text, held.said.lang
    there, other = held.clause, held.best.lang
    modal, modals = turns.modality(text, lang), turns.modality(there, other)
    bound, bounds = turns.bounds(text, lang), turns.bounds(there, other)
    order, orders = turns.order(text, lang), turns.order(there, other)
    return {
        **_denied(held, modal, modals),
        "modal_turned": _differ(modal, modals),
        "bound_turned": _differ(bound, bounds),
        "order_turned": _differ(order, orders),
        "swapped": float(turns.swapped(held.said, held.best)),
    }


def _denied(held: Held, modal: frozenset[str], modals: frozenset[str]) -> dict[str, float]:
    """Denials and limits: what is denied may be said as an exception, a ban or a freedom."""
    said, near = held.said, held.clause
    own = turns.denials(said.text, said.lang)
    own += sum(turns.denials(each, held.best.lang) for each in said.quotations)
    limits, close = turns.limits(said.text, said.lang), turns.limits(near, held.best.lang)
    close -= {"only"} - turns.limits(held.again, held.best.lang)
    limited = close | (turns.limits(held.best.text, held.best.lang) & {"exception"})
    if own:
        limited -= {"exception"}
    denied = bool(own or modal & turns.DENIED or "exception" in limits)
    denies = bool(
        turns.denials(near, held.best.lang) or modals & turns.DENIED or "exception" in close
    )
    return {
        "denial_added": float(denied and not denies),
        "denial_dropped": float(denies and not denied),
        **{f"{name}_dropped": float(name in limited - limits) for name in LEFT_OUT},
    }


def _differ(own: frozenset[str] | frozenset[int], other: frozenset[str] | frozenset[int]) -> float:
    return float(bool(own) and bool(other) and own.isdisjoint(other))
