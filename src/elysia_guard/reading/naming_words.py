"""The words by which documents are named, from the packs of all languages at once.

A question may name a Dutch document in English: all languages are read, whichever is spoken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.kinds import long_names
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.language.pack import packs
from elysia_guard.language.text import without_marks
from elysia_guard.reading.tokens import Token, is_telling, words_of

Kinds = frozenset[DocumentKind]
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
MOST_FIGURES: Final = 6
"""Of the number of a document, or of a place in a list."""


def every_kind() -> Kinds:
    """Return the kinds that a word for any document may stand for."""
    return frozenset(own_kinds().every)


class NamingWords(NamedTuple):
    """Closed classes of words, without marks and in lower case.

    ``kinds`` name one document of some kinds, ``several`` name more, ``heads`` are those kinds
    that end a compound ('TLS-besluit'). ``cardinals`` and ``ordinals`` give numbers up to 99;
    ``endings`` make an ordinal of figures ('12th').
    """

    kinds: Mapping[str, Kinds]
    several: Mapping[str, Kinds]
    heads: tuple[str, ...]
    number: frozenset[str]
    approval: frozenset[str]
    indefinite: frozenset[str]
    definite: frozenset[str]
    beside: frozenset[str]
    about: frozenset[str]
    relative: frozenset[str]
    asked: frozenset[str]
    amounts: frozenset[str]
    cardinals: Mapping[str, int]
    ordinals: Mapping[str, int]
    endings: frozenset[str]
    all: frozenset[str]
    """Every word of all classes."""

    def ordinal(self, word: str) -> int | None:
        """Return the place that a word says, in letters or in figures with an ending: '12th'."""
        said = without_marks(word)
        figures = said.rstrip(LETTERS)
        if figures.isdecimal() and len(figures) <= MOST_FIGURES:
            return int(figures) if said[len(figures) :] in self.endings else None
        return self.ordinals.get(said)

    def is_telling(self, token: Token, following: Token | None = None) -> bool:
        """Tell whether a word may tell titles apart: no function word, nor one for a kind."""
        if token.word in self.kinds or token.word in self.several or not is_telling(token):
            return False
        is_before_kind = following is not None and following.word in self.kinds
        return not (is_before_kind and token.word in self.beside)


@kept_by_kinds()
def naming_words() -> NamingWords:
    """Read the packs that there are."""
    tables = [found for item in packs().values() if (found := item.table("spans", optional=True))]
    classes = "number approval indefinite definite beside about relative asked amounts".split()
    closed = {name: _all(pack["words"][name] for pack in tables) for name in classes}
    kinds = _kinds(tables, "kinds") | _of_house(one=True)
    several = _kinds(tables, "several") | _of_house(one=False)
    numbers = [pack["numbers"] for pack in tables]
    cardinals = dict(item for table in numbers for item in _cardinals(table))
    ordinals = dict(item for table in numbers for item in _ordinals(table))
    compounding = (pack["kinds"].values() for pack in tables if pack["words"].get("compounds"))
    return NamingWords(
        kinds=kinds,
        several=several,
        heads=tuple(head for said in compounding for head in " ".join(said).split()),
        cardinals=cardinals,
        ordinals=ordinals,
        endings=_all(table["endings"] for table in numbers),
        all=frozenset().union(kinds, several, cardinals, ordinals, *closed.values()),
        **closed,
    )


def _all(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


def _of_house(*, one: bool) -> dict[str, Kinds]:
    """The names of several words that a house gives its kinds, as ``tokens_of`` makes them one."""
    names = {" ".join(name): named for name, named in long_names().items()}
    return {
        " ".join(words_of(name)): frozenset({kind})
        for name, (kind, is_one) in names.items()
        if is_one is one
    }


def _kinds(packs: Iterable[Mapping[str, Any]], table: str) -> dict[str, Kinds]:
    return {
        word: every_kind() if name == "any" else frozenset({own_kinds().named(name)})
        for pack in packs
        for name, words in pack[table].items()
        for word in words.split()
    }


def _cardinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the numbers up to 99, by the section ``numbers`` of a pack's ``spans.toml``."""
    return _numbers(table, table["cardinal"], table["cardinals"].split(), table["tens"].split())


def _ordinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the ordinals up to the 99th, with their inflections."""
    small, tens = table["ordinals"].split(), table["ordinal_tens"].split()
    for word, number in _numbers(table, table["ordinal"], small, tens):
        for end in ("", *table.get("inflections", "").split()):
            yield f"{word}{end}", number


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
