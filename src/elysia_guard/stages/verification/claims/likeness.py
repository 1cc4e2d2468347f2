"""How much of each content word of a sentence the words of a source cover, 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import named
from elysia_guard.language.pack import langs
from elysia_guard.language.quantity_words import plain
from elysia_guard.language.stems import stem
from elysia_guard.stages.verification.claims.said import Said

Likeness = Mapping[str, Mapping[str, float]]
SAME, DERIVED, NAMED, WITHIN = 1.0, 0.9, 0.9, 0.7
SHORTEST = 4
"""Letters that two words must share at least to be of one family."""
SHARED = 0.6
"""Such a share of the longer of two words must begin alike: 'approve' and 'approval'."""
COGNATE = 0.75
"""So alike are words of two languages that come from one: 'contract' and 'Kontrakt'."""
LONGEST = 60
"""Letters; what is longer is no word that could be compared by its letters."""
PART = 5
"""Letters of a word that is part of a compound."""


def degrees(said: Said, source: Said, alike: Likeness) -> list[float]:
    """Tell of each content word how much of it a source covers, 0 to 1."""
    others = {word.text for word in source.content}
    return [
        SAME
        if word.text in source.forms or word.stem in source.forms
        else _degree(word.text, others, said.lang, source.lang, alike.get(word.text, {}))
        for word in said.content
    ]


def _degree(
    word: str, others: Iterable[str], lang: Lang, other_lang: Lang, likely: Mapping[str, float]
) -> float:
    return max(
        (
            max(by_form(word, other, lang, other_lang), likely.get(other, 0.0) * NAMED)
            for other in others
        ),
        default=0.0,
    )


@lru_cache(maxsize=100_000)
def by_form(word: str, other: str, lang: Lang, other_lang: Lang) -> float:
    """Tell how alike two words are by their letters and by the glossary, 0 to 1."""
    one, two = plain(word), plain(other)
    if one == two:
        return SAME
    if max(len(one), len(two)) > LONGEST:
        return 0.0
    if _is_named(word, other, lang, other_lang):
        return NAMED
    if one[:SHORTEST] == two[:SHORTEST]:
        pairs = enumerate(zip(one, two, strict=False))
        shared = next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))
        if shared >= max(SHORTEST, SHARED * max(len(one), len(two))):
            return DERIVED
    if lang != other_lang and min(len(one), len(two)) >= PART:
        ratio = 1 - OSA.distance(one, two) / max(len(one), len(two))
        if ratio >= COGNATE:
            return ratio
    return WITHIN if _is_part(one, two) or _is_part(two, one) else 0.0


def _is_part(part: str, whole: str) -> bool:
    """Whether a word begins or ends a compound; what a short prefix makes is another word."""
    rest = len(whole) - len(part)
    if rest <= 0 or len(part) < PART:
        return False
    return whole.startswith(part) or (rest >= SHORTEST and whole.endswith(part))


def _is_named(word: str, other: str, lang: Lang, other_lang: Lang) -> bool:
    """Whether the glossary gives two words one meaning, in one language or two."""
    names = _names(word, lang)
    if not names or other_lang not in langs():
        return False
    if lang != other_lang:
        return (stem(other, other_lang), other_lang) in names
    return not names.isdisjoint(_names(other, lang))


@lru_cache(maxsize=20_000)
def _names(word: str, lang: Lang) -> frozenset[tuple[str, Lang]]:
    if lang not in langs():
        return frozenset()
    return frozenset((stem(name, spoken), spoken) for name, spoken in named(word, lang))


def covered(rows: Iterable[Sequence[float]]) -> list[float]:
    """Tell of each word how much any of several texts covers."""
    return [max(column) for column in zip(*rows, strict=True)]
