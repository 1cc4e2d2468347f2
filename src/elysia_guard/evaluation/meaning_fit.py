"""Fitting the models that hear a question for a meaning, on the tuning half of the golden set.

What is learnt from are the questions that mention a term of the vocabulary, with a placeholder in
its place: whether they ask for a meaning, and if so, for that of this term.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.question import Lang
from elysia_guard.evaluation import logistic
from elysia_guard.evaluation.golden import Case, Category
from elysia_guard.evaluation.logistic import Array
from elysia_guard.language.identify import identify
from elysia_guard.language.mentions import Mention, mention
from elysia_guard.ports import Embedder, TerminologySource

TERMS = frozenset({Category.TERMINOLOGY_HIT, Category.TERMINOLOGY_AMBIGUOUS})
"""The meaning of the term that is mentioned is asked for."""
MEANINGS = TERMS | {Category.TERMINOLOGY_MISS}
"""A meaning is asked for, be it that of another term."""
PENALTY = 0.02
"""On weights of vectors of length 1: chosen among 0.01 to 0.1 by cross-validation."""
TRAITS_PENALTY = 1.0
WHOLE_PENALTY = 0.16
FOLDS = 10
KINDS = 3
"""Of questions: for the meaning of this term, for that of another, for something else."""
DIGITS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A question with a placeholder for one of its terms, and what is asked."""

    case_id: str
    mention: Mention
    category: Category


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """The weights of the two models, each with its intercept first."""

    asked: Array
    whole: Array

    def chances(self, vectors: Array, traits: Array) -> Array:
        """Return the chance of each row that the meaning of its term is asked for."""
        return logistic.probabilities(vectors, self.asked) * logistic.probabilities(
            np.hstack([vectors, traits]), self.whole
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """The models, and how they do on questions that they were not fitted on.

    ``chances`` holds, for each question, the highest chance of its terms by models that have not
    seen it, and its category.
    """

    models: Models
    mentions: int
    chances: tuple[tuple[float, Category], ...]

    def count(self, categories: Collection[Category], *, at_least: float = 0.0) -> int:
        """Count the questions of some categories with so high a chance."""
        return sum(
            category in categories and chance >= at_least for chance, category in self.chances
        )


async def examples(
    source: TerminologySource, cases: Iterable[Case], *, default: Lang
) -> list[Example]:
    """Mask each term that a question mentions, one at a time."""
    found: list[Example] = []
    for case in cases:
        lang = identify(case.query, default=default)
        groups = await source.synonyms(case.query, lang=lang)
        terms = list(dict.fromkeys(group[0] for group in groups if group))
        found.extend(
            Example(case_id=case.id, mention=at, category=case.category)
            for term in terms
            if (at := mention(case.query, term, lang=lang, others=len(terms) - 1))
        )
    return found


async def fit(embedder: Embedder, found: Sequence[Example]) -> Fitted:
    """Fit the weights, and cross-validate over whole questions.

    Raises:
        GuardError: there is too little to learn from.
    """
    cases = _shuffled(found)
    kinds = {_kind(item.category) for item in found}
    if len(cases) < FOLDS or len(kinds) < KINDS:
        raise GuardError(
            f"{len(cases)} question(s) that mention a term are too few; a fit needs at least"
            f" {FOLDS}: some for its meaning, some for that of another, some for something else"
        )
    vectors = np.asarray(await embedder.embed([item.mention.masked for item in found]), dtype=float)
    traits = np.array([item.mention.traits.values for item in found])
    categories = [item.category for item in found]
    best: dict[str, tuple[float, Category]] = {}
    fold = {case: place % FOLDS for place, case in enumerate(cases)}
    folds = np.array([fold[item.case_id] for item in found])
    for number in range(FOLDS):
        inside = folds == number
        models = _models(vectors, traits, categories, kept=~inside)
        chances = models.chances(vectors[inside], traits[inside])
        for place, chance in zip(np.flatnonzero(inside), chances, strict=True):
            item = found[int(place)]
            before = best.get(item.case_id, (0.0, item.category))
            best[item.case_id] = max(before, (float(chance), item.category))
    everything = np.ones(len(found), dtype=bool)
    return Fitted(
        models=_models(vectors, traits, categories, kept=everything),
        mentions=len(found),
        chances=tuple(best.values()),
    )


def written(fitted: Fitted, *, model: str, golden_set_hash: str) -> str:
    """Return the text of the file that the guard reads the weights from."""
    content = {
        "model": model,
        "golden_set_hash": golden_set_hash,
        "questions": len(fitted.chances),
        "asked": fitted.models.asked.round(DIGITS).tolist(),
        "whole": fitted.models.whole.round(DIGITS).tolist(),
    }
    return json.dumps(content) + "\n"


def _models(
    vectors: Array, traits: Array, categories: Sequence[Category], *, kept: NDArray[np.bool_]
) -> Models:
    meaning = np.array([category in MEANINGS for category in categories])
    term = np.array([category in TERMS for category in categories], dtype=float)
    penalties = [WHOLE_PENALTY] * vectors.shape[1] + [TRAITS_PENALTY] * traits.shape[1]
    of_meanings = kept & meaning
    return Models(
        asked=logistic.fit_signed(vectors[kept], meaning[kept].astype(float), penalty=PENALTY),
        whole=logistic.fit_signed(
            np.hstack([vectors, traits])[of_meanings], term[of_meanings], penalty=penalties
        ),
    )


def _kind(category: Category) -> str:
    if category in TERMS:
        return "this term"
    return "another" if category in MEANINGS else "no meaning"


def _shuffled(found: Sequence[Example]) -> list[str]:
    """The questions in an order that has nothing to do with who wrote them, and never changes."""
    return sorted({item.case_id for item in found}, key=lambda case: case[::-1])
