"""Numbers written out, as the packs form them: 'twenty-one', 'zweihundertfünfzig', '12th'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_file import claim_file
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.text import without_marks

LONGEST = 60
"""Letters of a number that is written out."""
_JOINTS = re.compile(r"[\s\-\u2010\u2011]+")


def cardinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the numbers up to 99, by the section ``numbers`` of a pack's ``spans.toml``."""
    return _numbers(table, table["cardinal"], table["cardinals"].split(), table["tens"].split())


def ordinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the ordinals up to the 99th, with their inflections."""
    small, tens = table["ordinals"].split(), table["ordinal_tens"].split()
    for word, number in _numbers(table, table["ordinal"], small, tens):
        for end in ("", *table.get("inflections", "").split()):
            yield f"{word}{end}", number


@lru_cache(maxsize=20_000)
def number_of(words: str, lang: Lang) -> int | None:
    """Return the number that some words of a language say; None where they say none.

    >>> number_of("twenty-one", "en"), number_of("tweehonderdvijftig", "nl"), number_of("ten", "nl")
    (21, 250, None)
    """
    said = without_marks(_JOINTS.sub("", words.casefold()))
    return _number(said, lang) if len(said) <= LONGEST else None


def _number(said: str, lang: Lang) -> int | None:
    if (small := _small(lang).get(said)) is not None:
        return small
    for word, scale in _scales(lang).items():
        head, found, tail = said.partition(word)
        if found:
            times = _number(head, lang) if head else 1
            rest = _number(re.sub(rf"^{_and(lang)}", "", tail), lang) if tail else 0
            if times is not None and rest is not None and rest < scale:
                return times * scale + rest
    return None


def ordinal_of(word: str) -> int | None:
    """Return the place that a word says in any language: 'second' is 2; None where it says none."""
    return _places().get(without_marks(_JOINTS.sub("", word.casefold())))


def part_of(word: str, lang: Lang) -> int | None:
    """Return into how many parts a word divides: 'third' is 3, 'Fünftel' 5; None if it is none."""
    said = without_marks(word.casefold())
    for ending in claim_file(lang).get("numbers", {}).get("parts", "").split():
        stem = said.removesuffix(ending)
        if stem != said and (place := _number(stem, lang) or _places().get(f"{stem}te")):
            return place
    place = _places().get(said) or _places().get(said.removesuffix("s"))
    return place if place and place > 2 else None  # noqa: PLR2004


@cache
def _small(lang: Lang) -> dict[str, int]:
    table = _spans(lang).get("numbers")
    found = {_JOINTS.sub("", word): number for word, number in cardinals(table)} if table else {}
    more = claim_file(lang).get("numbers", {}).get("inflected", {})
    said = {word: int(number) for number, words in more.items() for word in words.split()}
    return found | {without_marks(word): number for word, number in said.items()}


@cache
def _places() -> dict[str, int]:
    tables = (_spans(lang).get("numbers") for lang in langs())
    return {
        _JOINTS.sub("", word): number
        for table in tables
        if table
        for word, number in ordinals(table)
    }


@cache
def _scales(lang: Lang) -> dict[str, int]:
    """Words for 100 and more, the greatest first: 'two hundred thousand'."""
    said = claim_file(lang).get("numbers", {}).get("scales", {})
    found = {word: int(scale) for scale, words in said.items() for word in words.split()}
    return dict(sorted(found.items(), key=lambda each: (-each[1], -len(each[0]))))


@cache
def _and(lang: Lang) -> str:
    said = claim_file(lang).get("numbers", {}).get("and", "").split()
    return f"(?:{'|'.join(said)})?"


@cache
def _spans(lang: Lang) -> dict[str, Any]:
    return pack(lang).table("spans", optional=True) if lang in langs() else {}


def _numbers(
    table: Mapping[str, str], form: str, small: list[str], tens: list[str]
) -> Iterator[tuple[str, int]]:
    """The numbers up to 19, the tens, and what a form makes of tens and units."""
    yield from zip(small, range(1, 20), strict=False)
    units = table.get("units", table["cardinals"]).split()[:9]
    for ten, plain, own in zip(range(20, 100, 10), table["tens"].split(), tens, strict=False):
        yield own, ten
        for one, (unit, last) in enumerate(zip(units, small, strict=False), 1):
            yield (
                form.format(tens=plain, ordinal_tens=own, unit=unit, ordinal_unit=last),
                ten + one,
            )
