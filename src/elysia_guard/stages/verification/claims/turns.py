"""What turns a meaning: denials, modal verbs, comparatives, conditions, and who does what.

Each is read off the clauses that share words with a sentence, and compared by class, so that it
holds across languages too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_words import claim_words
from elysia_guard.stages.verification.claims.said import Said, read

_CLAUSE = re.compile(r"(?<!\d)[.!?](?=\s)\s*|[,;:](?=\s)\s*|\s*[()\u2013\u2014|]\s*|\s-\s")
_ANSWER = re.compile(r"\A\W*\w+[,:](?=\s)")
FORBIDDEN, FREE = "forbidden", "free"
DENIED = frozenset({FORBIDDEN, FREE})
_COMPARED = {"more": 1, "less": -1}
NEAR = 30
"""Characters: as far before a comparison stands what denies it."""
_BOUNDS = {"least": 1, "more": 1, "most": -1, "less": -1}


@lru_cache(maxsize=8_000)
def clauses(text: str, lang: Lang) -> tuple[tuple[int, int], ...]:
    """Return where the clauses of a text stand, ``[start, end)``, by its marks and joints."""
    cuts = {match.end() for match in _CLAUSE.finditer(text)}
    cuts |= {match.start() for match in claim_words(lang).joints.finditer(text)}
    ends = sorted(cuts - {0, len(text)})
    found = zip([0, *ends], [*ends, len(text)], strict=True)
    return tuple((start, end) for start, end in found if start < end)


def touched(text: str, places: Iterable[int], lang: Lang) -> tuple[tuple[int, int], ...]:
    """Return the clauses of a text that hold some places; all of them where none does."""
    at = list(places)
    every = clauses(text, lang)
    return tuple(each for each in every if any(each[0] <= p < each[1] for p in at)) or every


def nearest(said: Said, source: Said, places: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return the clauses of a source that hold some places and that a sentence can be of.

    A sentence without a semicolon is of one part between such, and one that gives no reason is of
    no reason, unless most of the places are there.
    """
    at = list(places)
    found = touched(source.text, at, source.lang)
    if ";" not in said.text:
        found = _most(found, at, lambda start: source.text.count(";", 0, start))
    gives = claim_words(source.lang).reasons
    if not claim_words(said.lang).reasons.search(said.text):
        found = _most(found, at, lambda start: int(bool(gives.match(source.text, start))))
    return found


def _most(
    found: tuple[tuple[int, int], ...], at: Sequence[int], group: Callable[[int], int]
) -> tuple[tuple[int, int], ...]:
    """Of some clauses those of the group that holds the most places."""
    held: Counter[int] = Counter()
    for start, end in found:
        held[group(start)] += sum(start <= place < end for place in at)
    best = held.most_common(1)[0][0]
    return tuple(each for each in found if group(each[0]) == best)


@lru_cache(maxsize=8_000)
def denials(text: str, lang: Lang) -> int:
    """Count the words that deny; those of a comparison ('no later than') deny nothing.

    Nor does one that answers before all else: 'No, it is kept.'
    """
    words = claim_words(lang)
    text = _ANSWER.sub("", text)
    for start, end, _ in reversed(_denied_bounds(text, lang)):
        text = f"{text[:start]} {text[end:]}"
    for pattern in words.comparison.values():
        text = pattern.sub(" ", text)
    return len(words.denies.findall(text))


def _denied_bounds(text: str, lang: Lang) -> list[tuple[int, int, int]]:
    """Where 'more than' or the like is denied, and which bound that is: 'never more than'."""
    words = claim_words(lang)
    found = []
    for name, bound in _COMPARED.items():
        for match in words.comparison[name].finditer(text) if name in words.comparison else ():
            before = list(words.denies.finditer(text, max(match.start() - NEAR, 0), match.start()))
            if before:
                found.append((before[-1].start(), match.end(), -bound))
    return sorted(found)


@lru_cache(maxsize=8_000)
def modality(text: str, lang: Lang) -> frozenset[str]:
    """Return what is said to be obliged, advised, permitted, forbidden or free.

    A denied permission forbids; what a denied obligation is, the language says.
    """
    words = claim_words(lang)
    found: set[str] = set()
    for start, end in clauses(text, lang):
        clause = text[start:end]
        said = {name for name, pattern in words.modality.items() if pattern.search(clause)}
        if said - {FORBIDDEN} and words.denies.search(clause):
            said = {_denied(name, words.denied_must) for name in said}
        if FORBIDDEN in said or FREE in said:
            said -= {"must", "may"}
        found |= said
    return frozenset(found)


def _denied(name: str, must: str) -> str:
    return {"must": must, "may": FORBIDDEN, "forbidden": "may", "free": "free"}.get(name, name)


@lru_cache(maxsize=8_000)
def bounds(text: str, lang: Lang) -> frozenset[int]:
    """Return whether a text bounds from below (1) or from above (-1)."""
    denied = _denied_bounds(text, lang)
    for start, end, _ in reversed(denied):
        text = f"{text[:start]} {text[end:]}"
    found = claim_words(lang).comparison
    said = {name for name in _BOUNDS if name in found and found[name].search(text)}
    return frozenset((*(_BOUNDS[name] for name in said), *(bound for *_, bound in denied)))


@lru_cache(maxsize=8_000)
def order(text: str, lang: Lang) -> frozenset[str]:
    """Return whether a text says what comes before or after."""
    found = claim_words(lang).comparison
    return frozenset(n for n in ("before", "after") if n in found and found[n].search(text))


@lru_cache(maxsize=8_000)
def limits(text: str, lang: Lang) -> frozenset[str]:
    """Return which kinds of limits a text has: conditions, exceptions, 'only', causes."""
    for each in sorted(read(text, lang).quantities, key=lambda one: -one.start):
        text = f"{text[: each.start]}|{text[each.end :]}"
    return frozenset(
        name for name, pattern in claim_words(lang).limits.items() if pattern.search(text)
    )


def swapped(said: Said, source: Said) -> bool:
    """Tell whether two that stand around a word, in one clause with it, have changed places.

    A passive on one side only, told by its 'by', is expected to change them.
    """
    by = claim_words(said.lang).by, claim_words(source.lang).by
    passive = [
        any(w.text in words for w in each.words)
        for each, words in zip((said, source), by, strict=True)
    ]
    if passive[0] != passive[1]:
        return False
    other = [word.stem for word in source.content]
    every = [word.stem for word in said.content]
    once = {each for each in every if every.count(each) == 1 and other.count(each) == 1}
    return any(
        _is_pivot(pivot, own, own, other)
        for start, end in _between_marks(said.text)
        for own in [[w.stem for w in said.content if start <= w.start < end and w.stem in once]]
        for pivot in own
    )


def _between_marks(text: str) -> list[tuple[int, int]]:
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    return list(pairwise(cuts))


def _is_pivot(pivot: str, shared: Sequence[str], own: Sequence[str], other: Sequence[str]) -> bool:
    at, there = own.index(pivot), other.index(pivot)
    sides = [(own.index(s) < at, other.index(s) < there) for s in shared if s != pivot]
    return (True, False) in sides and (False, True) in sides
