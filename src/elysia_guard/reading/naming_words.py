"""The words by which documents are named, from the packs of all languages at once.

A question may name a Dutch document in English: all languages are read, whichever is spoken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.pack import packs
from elysia_guard.reading.tokens import Token, is_telling

Kinds = frozenset[DocumentKind]
EVERY_KIND: Final[Kinds] = frozenset(DocumentKind)


@dataclass(frozen=True, kw_only=True, slots=True)
class NamingWords:
    """Closed classes of words, without marks and in lower case.

    ``kinds`` name one document of some kinds, ``several`` name more, ``heads`` are those kinds
    that end a compound ('TLS-besluit'). ``cardinals`` and ``ordinals`` give numbers up to 99;
    ``endings`` make an ordinal of figures ('12th').
    """

    kinds: Mapping[str, Kinds] = field(default_factory=dict)
    several: Mapping[str, Kinds] = field(default_factory=dict)
    heads: tuple[str, ...] = ()
    number: frozenset[str] = frozenset()
    approval: frozenset[str] = frozenset()
    indefinite: frozenset[str] = frozenset()
    definite: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    relative: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    amounts: frozenset[str] = frozenset()
    cardinals: Mapping[str, int] = field(default_factory=dict)
    ordinals: Mapping[str, int] = field(default_factory=dict)
    endings: frozenset[str] = frozenset()
    all: frozenset[str] = frozenset()
    """Every word of all classes."""

    def is_telling(self, token: Token, following: Token | None = None) -> bool:
        """Tell whether a word may tell titles apart: no function word, nor one for a kind."""
        if token.word in self.kinds or token.word in self.several or not is_telling(token):
            return False
        is_before_kind = following is not None and following.word in self.kinds
        return not (is_before_kind and token.word in self.beside)


@cache
def naming_words() -> NamingWords:
    """Read the packs that there are."""
    tables = tuple(_tables())
    classes = "number approval indefinite definite beside about relative asked amounts".split()
    kinds, several = _kinds(tables, "kinds"), _kinds(tables, "several")
    cardinals = _merged(_cardinals(pack["numbers"]) for pack in tables)
    ordinals = _merged(_ordinals(pack["numbers"]) for pack in tables)
    closed = {name: _all(pack["words"][name] for pack in tables) for name in classes}
    return NamingWords(
        kinds=kinds,
        several=several,
        heads=tuple(
            head
            for pack in tables
            if pack["words"].get("compounds")
            for names in pack["kinds"].values()
            for head in names.split()
        ),
        **closed,
        cardinals=cardinals,
        ordinals=ordinals,
        endings=_all(pack["numbers"]["endings"] for pack in tables),
        all=frozenset().union(kinds, several, cardinals, ordinals, *closed.values()),
    )


def _tables() -> Iterator[Mapping[str, Any]]:
    for item in packs().values():
        if table := item.table("spans", optional=True):
            yield table


def _all(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


def _kinds(packs: Iterable[Mapping[str, Any]], table: str) -> dict[str, Kinds]:
    return {
        word: EVERY_KIND if name == "any" else frozenset({DocumentKind(name)})
        for pack in packs
        for name, words in pack[table].items()
        for word in words.split()
    }


def _merged(numbers: Iterable[Mapping[str, int]]) -> dict[str, int]:
    return {word: number for each in numbers for word, number in each.items()}


def _cardinals(table: Mapping[str, str]) -> dict[str, int]:
    return _numbers(table, table["cardinal"], table["cardinals"].split(), table["tens"].split())


def _ordinals(table: Mapping[str, str]) -> dict[str, int]:
    small, tens = table["ordinals"].split(), table["ordinal_tens"].split()
    ends = ("", *table.get("inflections", "").split())
    found = _numbers(table, table["ordinal"], small, tens)
    return {f"{word}{end}": number for word, number in found.items() for end in ends}


def _numbers(
    table: Mapping[str, str], form: str, small: list[str], tens: list[str]
) -> dict[str, int]:
    """The numbers up to 19, the tens, and what a form makes of tens and units."""
    units = table.get("units", table["cardinals"]).split()
    found = {word: number for number, word in enumerate(small, 1)}
    for place, plain in enumerate(table["tens"].split(), 2):
        found[tens[place - 2]] = 10 * place
        for number in range(1, 10):
            word = form.format(
                tens=plain,
                ordinal_tens=tens[place - 2],
                unit=units[number - 1],
                ordinal_unit=small[number - 1],
            )
            found[word] = 10 * place + number
    return found
