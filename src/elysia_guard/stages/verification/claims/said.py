"""A sentence or a unit of a source, read once: its words, numbers, dates, names and identifiers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.dates import Date, dates
from elysia_guard.language.number_words import number_of
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.quantities import quantities
from elysia_guard.language.quantity import Quantity
from elysia_guard.language.references import reference_places
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.language.text import fold, words_in_place

Reference = tuple[DocumentKind | None, int, bool]
_CODE = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|(?<![\w`])(?P<token>#?\w+(?:[.\-/:_@#+]\w+)*)(?![\w`])"
)
_CAMEL = re.compile(r"[a-z][A-Z]")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]+s?\Z")
_MEASURED = re.compile(r"\d[\d.,\-]*(?:[^\W\d_]{1,3})?(?:-[^\W\d_]+)*\Z")
_COMPOUND_OF_ACRONYM = re.compile(r"[A-Z]{2,}-[a-z]")
_QUOTED = re.compile(
    '["\u201c\u201e\u00ab\u00bb]([^"\u201c\u201d\u00ab\u00bb]{2,}?)["\u201d\u201c\u00bb\u00ab]'
)
_LABELLED = re.compile(
    r"(?<![\w'\u2019])(?P<kind>[^\W\d_]{3,}) (?P<label>[A-Z]|[IVX]+)(?![\w'\u2019%.,]\w|\w)"
)
_MARKER = re.compile(r"\s*\d{1,2}[.)]\s")
"""What numbers an item of a list is no number of its text."""
_BEGINS = re.compile(r"[.!?:|\n]\W*\Z")
_LONGEST_NAME = 3


class Word(NamedTuple):
    """A word of a text: in lower case, its stem, where it stands, and what it is."""

    text: str
    stem: str
    start: int
    end: int
    is_content: bool
    is_name: bool
    """It begins with a capital that no rule of the language asks for."""
    is_capital: bool
    """It begins with a capital inside a sentence: in some languages every noun does."""


@dataclass(frozen=True, eq=False)
class Said:
    """A text and what can be read off it by rule."""

    text: str
    lang: Lang
    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    references: frozenset[Reference]
    identifiers: tuple[str, ...]
    labels: frozenset[str]
    """The letters that name one of several things: the 'a' of 'class A'."""
    quotations: tuple[str, ...]
    keys: frozenset[str]
    """Its words alone and in rows of up to three, folded: what an identifier is looked up in."""

    @cached_property
    def forms(self) -> frozenset[str]:
        """All of its words, and their stems."""
        return frozenset(form for word in self.words for form in (word.text, word.stem))

    @cached_property
    def content(self) -> tuple[Word, ...]:
        """The words that carry content; numbers, units and dates are none."""
        return tuple(word for word in self.words if word.is_content)


@kept_by_kinds(maxsize=4_000)
def read(text: str, lang: Lang) -> Said:
    """Read a text in its language; one that has no pack is read by the rules of none."""
    text = unicodedata.normalize("NFC", text)
    identifiers = list(_identifiers(text, lang))
    places = reference_places(text)
    marker = _MARKER.match(text)
    coded = [marker.span()] if marker else []
    coded += [(start, end) for start, end, _ in identifiers if _digits(text[start:end])]
    masked = _masked(text, coded)
    masked = _masked(masked, [(start, end) for start, end, _ in places])
    numbers = quantities(masked, lang)
    measured = [(each.start, each.end) for each in numbers if each.dimension]
    found_dates = dates(_masked(masked, measured))
    numbers = tuple(
        each
        for each in numbers
        if all(each.end <= date.start or date.end <= each.start for date in found_dates)
    )
    taken = [(date.start, date.end) for date in found_dates]
    taken += [(number.start, number.end) for number in numbers]
    taken += [(start, end) for start, end, _ in places]
    taken += [each.span() for pattern in claim_words(lang).every for each in pattern.finditer(text)]
    read_words = tuple(_words(text, lang, taken))
    return Said(
        text=text,
        lang=lang,
        words=read_words,
        quantities=numbers,
        dates=found_dates,
        references=frozenset(
            (each.kind, each.number, each.approval) for *_, group in places for each in group
        ),
        identifiers=tuple(said for _, _, said in identifiers),
        labels=frozenset(_labels(text)),
        quotations=tuple(match[1] for match in _QUOTED.finditer(text)),
        keys=frozenset(_keys([_folded(each[0]) for each in words_in_place(text)])),
    )


def _digits(text: str) -> bool:
    return any(map(str.isdigit, text))


def _masked(text: str, places: list[tuple[int, int]]) -> str:
    for start, end in places:
        text = text[:start] + "|" * (end - start) + text[end:]
    return text


def _identifiers(text: str, lang: Lang) -> Iterator[tuple[int, int, str]]:
    """Code, names of fields and files, codes of letters and digits, and acronyms."""
    for match in _CODE.finditer(text):
        said = match["code"] or match["token"]
        if match["code"] or _is_identifier(said, lang):
            yield match.start(), match.end(), said


def _labels(text: str) -> Iterator[str]:
    for match in _LABELLED.finditer(text):
        yield fold(match["label"])


@lru_cache(maxsize=50_000)
def _is_identifier(said: str, lang: Lang) -> bool:
    if _ACRONYM.match(said):
        return True
    if _MEASURED.match(said) or not any(map(str.isalpha, said)):
        return False
    if "_" in said or _CAMEL.search(said) or said[0] == "#":
        return True
    has_digits = any(map(str.isdigit, said))
    return (has_digits and number_of(said, lang) is None) or bool(re.search(r"\w[.:@]\w", said))


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    return fold(word)


def _keys(folded: list[str]) -> Iterator[str]:
    for size in range(1, _LONGEST_NAME + 1):
        for at in range(len(folded) - size + 1):
            yield "".join(folded[at : at + size])


def _words(text: str, lang: Lang, taken: list[tuple[int, int]]) -> Iterator[Word]:
    spoken = lang if lang in langs() else ""
    names = bool(spoken) and not pack(lang).core.words.nouns_capitalised
    is_taken = bytearray(len(text))
    for start, end in taken:
        is_taken[start:end] = b"\1" * (end - start)
    last = 0
    for match in words_in_place(text):
        written, (start, end) = match[0], match.span()
        said = written.casefold().replace("\u2019", "'")
        is_content = (
            len(said) > 1
            and not (spoken and is_stop_word(said, lang))
            and not any(is_taken[start:end])
        )
        is_capital = is_content and written[0].isupper() and not _begins(text, last, start)
        yield Word(
            text=said,
            stem=stem(said, lang) if spoken else said,
            start=start,
            end=end,
            is_content=is_content,
            is_name=is_capital and names,
            is_capital=is_capital,
        )
        last = end


def _begins(text: str, last: int, start: int) -> bool:
    """Whether a word is the first of a sentence; ``last`` is where the one before it ends."""
    return last == 0 or bool(_BEGINS.search(text[last:start]))
