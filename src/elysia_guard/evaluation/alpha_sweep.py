"""Other weights of the rankings, collection by collection: what they do to questions left out.

What is best on the very questions it was chosen on looks better than it is. So the choice is made
without one of the folds and judged on that fold, and the difference to the weights in force,
question by question, is drawn again with replacement: where its interval holds 0, nothing is
proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.search_weights import SearchWeights, WeightsByKind
from elysia_guard.evaluation.alpha_record import Searched
from elysia_guard.evaluation.tuning import fold_of

ALPHAS = tuple(round(n / 10, 1) for n in range(11))
TITLES = (0.0, 1.0, 2.0, 4.0)
SECTIONS = (0.0, 1.0, 2.0, 4.0)
DRAWS = 2_000
INTERVAL = (2.5, 97.5)
"""Of the mean difference, in per cent: 95 of 100 draws lie within."""

Ranks = npt.NDArray[np.float64]
"""1 / the place of the first document that answers, question by question; 0 where none is found."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """How a choice is judged: into how many parts questions are put, and the seed of the draws."""

    folds: int
    seed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """How many questions, the share answered at rank 1 and among five, and the mean 1 / rank."""

    questions: int
    at_1: float
    at_5: float
    mrr: float

    @classmethod
    def of(cls, ranks: Ranks) -> Figures:
        """Count the ranks of some questions; of none, everything is 0."""
        if not len(ranks):
            return cls(questions=0, at_1=0.0, at_5=0.0, mrr=0.0)
        return cls(
            questions=len(ranks),
            at_1=float(np.mean(ranks == 1)),
            at_5=float(np.mean(ranks >= 1 / 5)),
            mrr=float(np.mean(ranks)),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """Weights that were tried: on the questions that the collection answers, and on all."""

    weights: SearchWeights
    own: Figures
    every: Figures


@dataclass(frozen=True, kw_only=True, slots=True)
class Swept:
    """What other weights of one collection do.

    ``along`` are the sweeps of each weight by itself. ``best`` looks best on all questions;
    ``gain``, from ``low`` to ``high``, is what such a choice gains in mean 1 / rank on questions
    it was not made on. ``proposed`` is ``best`` where the whole interval lies above 0.
    """

    section: str
    in_force: SearchWeights
    best: SearchWeights
    along: tuple[Tried, ...]
    apparent: float
    gain: float
    low: float
    high: float
    changed: int

    @property
    def flat(self) -> bool:
        """Whether there is nothing to gain: the difference is within noise."""
        return self.low <= 0

    @property
    def proposed(self) -> SearchWeights:
        """The weights to take."""
        return self.in_force if self.flat else self.best


class Sweep:
    """The tuning questions, to be ranked by any weights."""

    def __init__(self, searched: Sequence[Searched], weights: WeightsByKind, drawn: Drawn) -> None:
        """Take the searches and the weights in force; a fold follows from a question's id."""
        self._drawn = drawn
        self._searched = searched
        self.weights: Mapping[DocumentKind, SearchWeights] = dict(weights)
        self._fold = np.array(
            [fold_of(item.question.id, drawn.folds) for item in searched], dtype=int
        )

    def collection(self, section: str, kind: DocumentKind) -> Swept:
        """Try other weights for one kind of document, with those of the others as they are.

        Args:
            section: what the collection is called.
            kind: of its documents.
        """
        now = self.weights[kind]
        ranks = {point: self._ranks(kind, point) for point in _points(now)}
        everyone = np.ones(len(self._searched), dtype=bool)
        best = _best(ranks, everyone, now)
        left_out = self._left_out(ranks, now)
        differences = left_out - ranks[now]
        low, high = _interval(differences, self._drawn.seed)
        own = self._own(kind)
        return Swept(
            section=section,
            in_force=now,
            best=best,
            along=tuple(
                Tried(
                    weights=point,
                    own=Figures.of(ranks[point][own]),
                    every=Figures.of(ranks[point]),
                )
                for point in _along(now)
            ),
            apparent=float(np.mean(ranks[best] - ranks[now])) if len(differences) else 0.0,
            gain=float(np.mean(differences)) if len(differences) else 0.0,
            low=low,
            high=high,
            changed=int(np.count_nonzero(differences)),
        )

    def take(self, kind: DocumentKind, weights: SearchWeights) -> None:
        """Go on with these weights in force."""
        self.weights = {**self.weights, kind: weights}

    def figures(self) -> Figures:
        """Count all questions by the weights in force."""
        return Figures.of(self._by(self.weights))

    def _ranks(self, kind: DocumentKind, point: SearchWeights) -> Ranks:
        return self._by({**self.weights, kind: point})

    def _by(self, weights: WeightsByKind) -> Ranks:
        places = (item.place(weights) for item in self._searched)
        return np.array([1 / place if place else 0.0 for place in places], dtype=float)

    def _own(self, kind: DocumentKind) -> npt.NDArray[np.bool_]:
        """Which questions a document of a kind answers."""
        return np.array([kind in item.kinds for item in self._searched], dtype=bool)

    def _left_out(self, ranks: Mapping[SearchWeights, Ranks], now: SearchWeights) -> Ranks:
        """Rank each question by the weights that are best without its fold."""
        found = ranks[now].copy()
        for fold in np.unique(self._fold):
            within = self._fold == fold
            found[within] = ranks[_best(ranks, ~within, now)][within]
        return found


def _points(now: SearchWeights) -> Iterator[SearchWeights]:
    """Every point that is tried, the one in force first."""
    grid = (
        SearchWeights(alpha=alpha, title=title, section=section)
        for alpha, title, section in product(ALPHAS, TITLES, SECTIONS)
    )
    yield from dict.fromkeys((*_along(now), *grid))


def _along(now: SearchWeights) -> tuple[SearchWeights, ...]:
    """The sweeps of each weight by itself, the others in force; the point in force is in each."""
    alphas = [replace(now, alpha=alpha) for alpha in sorted({*ALPHAS, now.alpha})]
    titles = [replace(now, title=title) for title in sorted({*TITLES, now.title})]
    sections = [replace(now, section=each) for each in sorted({*SECTIONS, now.section})]
    return (*alphas, *titles, *sections)


def _best(
    ranks: Mapping[SearchWeights, Ranks], among: npt.NDArray[np.bool_], now: SearchWeights
) -> SearchWeights:
    """The point with the highest mean among some questions; of equals the nearest to now."""
    if not among.any():
        return now
    return max(ranks, key=lambda point: (round(ranks[point][among].mean(), 9), -_far(point, now)))


def _far(point: SearchWeights, now: SearchWeights) -> float:
    fields = abs(point.title - now.title) + abs(point.section - now.section)
    return round(abs(point.alpha - now.alpha) + fields, 6)


def _interval(differences: Ranks, seed: int) -> tuple[float, float]:
    """The interval of the mean of differences, by drawing questions again with replacement."""
    if not len(differences):
        return 0.0, 0.0
    draws = np.random.default_rng(seed).choice(differences, size=(DRAWS, len(differences)))
    low, high = np.percentile(draws.mean(axis=1), INTERVAL)
    return float(low), float(high)
