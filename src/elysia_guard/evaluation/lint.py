"""The golden-set linter: what a schema cannot see.

Questions are named by their ids, with a likeness where two are compared: a held-out question is
never shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz import fuzz

from elysia_guard.evaluation import quotes
from elysia_guard.evaluation.golden import MINIMUMS, Case, Category, Expected, GoldenSet, Split
from elysia_guard.language.text import words

ALIKE = 90.0
"""Questions so alike (0 to 100) that expect the same are one question.

Of the pairs that expect different things, and so are different questions for certain, hardly any
with the same numbers in them comes this far ('Define X' and 'Define Y', for two short terms).
"""
NEAR = 85.0
"""From here on a pair is worth a look."""
TOTAL = 50
"""IR0003's minimum size."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """Something about the golden set; a ``mistake`` has to be mended, the rest is worth a look."""

    rule: str
    message: str
    mistake: bool = True


def lint(golden: GoldenSet, *, known: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Look at a golden set that fits its schema.

    Args:
        golden: the set.
        known: what every document and concept says, by its id or URI.
    """
    return [
        *_sizes(golden.cases),
        *_unknown(golden.cases, known),
        *_misquoted(golden.cases, known),
        *_disagreements(golden.cases),
        *_alike(golden.cases),
    ]


def unraised(golden: GoldenSet, *, version: str, blob_hash: str) -> list[Finding]:
    """Find a set that changed since a baseline without a new version."""
    if golden.blob_hash == blob_hash or golden.version != version:
        return []
    message = (
        f"the questions changed since the baseline ({blob_hash[:12]}, now"
        f" {golden.blob_hash[:12]}), but the version is still {version}; raise it"
    )
    return [Finding(rule="version", message=message)]


def _sizes(cases: Sequence[Case]) -> Iterator[Finding]:
    if len(cases) < TOTAL:
        yield Finding(rule="size", message=f"{len(cases)} questions; at least {TOTAL} are needed")
    for split in Split:
        counts = Counter(case.category for case in cases if case.split is split)
        for category in Category:
            if not counts[category]:
                message = f"the {split} half has no question of category {category}"
                yield Finding(rule="category", message=message)
    counts = Counter(case.category for case in cases)
    for category, minimum in MINIMUMS.items():
        if counts[category] < minimum:
            message = f"{counts[category]} question(s) of {category}; at least {minimum} are needed"
            yield Finding(rule="category", message=message)


def _unknown(cases: Sequence[Case], known: Collection[str]) -> Iterator[Finding]:
    for case in cases:
        for name in case.expected.doc_ids:
            if name not in known:
                shown = "an expected document" if case.split is Split.HELD_OUT else name
                yield Finding(rule="document", message=f"{case.id}: {shown} does not exist")


def _misquoted(cases: Sequence[Case], known: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Find sentences that stand in none of the expected sources."""
    for case in cases:
        names = case.expected.doc_ids
        texts = [text for name in names for text in known.get(name, ())]
        for sentence in quotes.astray(case.expected.quote or "", texts):
            message = f"'{sentence}' does not stand in {' or '.join(names)}"
            if case.split is Split.HELD_OUT:
                message = "its quote does not stand in an expected document"
            yield Finding(rule="quote", message=f"{case.id}: {message}")


def _disagreements(cases: Sequence[Case]) -> Iterator[Finding]:
    """Find sources of another kind than the types that are expected of them."""
    for case in cases:
        expected = case.expected
        if case.category.value.startswith("terminology_") and expected.route != "skosmos":
            yield Finding(rule="route", message=f"{case.id}: {case.category}, but not skosmos")
        concepts = any("://" in name for name in expected.doc_ids)
        if concepts and "Vocabulary" not in expected.doc_types:
            yield Finding(rule="types", message=f"{case.id}: a concept, but not a Vocabulary")


def _alike(cases: Sequence[Case]) -> Iterator[Finding]:
    plain = {case.id: " ".join(words(case.query)) for case in cases}
    for first, second in combinations(cases, 2):
        score = fuzz.ratio(plain[first.id], plain[second.id], score_cutoff=NEAR)
        if not score or not _expect_the_same(first, second, plain):
            continue
        leak = first.split is not second.split
        yield Finding(
            rule="leak" if leak else "duplicate",
            message=(
                f"{first.id} ({first.split}) and {second.id} ({second.split}): {score:.1f} alike"
            ),
            mistake=score >= ALIKE,
        )


def _expect_the_same(first: Case, second: Case, plain: dict[str, str]) -> bool:
    """Tell whether two questions could be one: 'ADR-0012' and 'ADR-0013' are two.

    Questions that simulate a timeout share the trigger, so they are alike by design.
    """
    if Category.TERMINOLOGY_TIMEOUT in (first.category, second.category):
        return False
    same = _without_quote(first) == _without_quote(second)
    return same and _numbers(plain[first.id]) == _numbers(plain[second.id])


def _without_quote(case: Case) -> Expected:
    """What is right, whether or not its sentence is named."""
    return case.expected.model_copy(update={"quote": None})


def _numbers(text: str) -> list[str]:
    return [word for word in text.split() if word.isdigit()]
