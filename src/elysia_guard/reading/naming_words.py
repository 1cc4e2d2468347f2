"""The words by which documents are named, from the packs of all languages at once.

A question may name a Dutch document in English: all languages are read, whichever is spoken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.kinds import nouns, numbered
from elysia_guard.language.own_kinds import kept_by_kinds, own_kinds
from elysia_guard.language.pack import Pack, packs
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
    that end a compound ('TLS-besluit'). ``cardinals`` and ``ordinals`` give numbers up to 99, of
    several words in one;
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
    of_any = _all(pack["kinds"]["any"] for pack in tables)
    kinds = dict.fromkeys(of_any, every_kind()) | _kinds(tables, many=False)
    several = _kinds(tables, many=True)
    numbers = [pack["numbers"] for pack in tables]
    cardinals = dict(_together(item) for table in numbers for item in _cardinals(table))
    ordinals = dict(_together(item) for table in numbers for item in _ordinals(table))
    compounding = [item for item in packs().values() if item.core.kinds.compounds]
    return NamingWords(
        kinds=kinds,
        several=several,
        heads=tuple(head for item in compounding for head in _heads(item)),
        cardinals=cardinals,
        ordinals=ordinals,
        endings=_all(table["endings"] for table in numbers),
        all=frozenset().union(kinds, several, cardinals, ordinals, *closed.values()),
        **closed,
    )


def _all(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


def _kinds(tables: Iterable[Mapping[str, Any]], *, many: bool) -> dict[str, Kinds]:
    """The words for one document of a kind, or for several, as ``tokens_of`` makes them one."""
    beside = {
        kind: _all(pack["kinds"].get(f"{kind}s" if many else kind, "") for pack in tables)
        for kind in numbered()
    }
    return {
        word: frozenset({kind})
        for kind, words in beside.items()
        for word in (*words, *_alone(nouns(kind, many=many)))
    }


def _heads(of: Pack) -> Iterator[str]:
    """The words for one document that may end a compound in a language."""
    for words in of.table("spans", optional=True).get("kinds", {}).values():
        yield from words.split()
    yield from _alone(name for kind in numbered() for name in of.kind(kind).one)


def _alone(names: Iterable[str]) -> Iterator[str]:
    """Those of some names that are one word."""
    return (found[0] for name in names if len(found := words_of(name)) == 1)


def _cardinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the numbers up to 99, by the section ``numbers`` of a pack's ``spans.toml``."""
    return _numbers(table, table["cardinal"], table["cardinals"].split(), table["tens"].split())


def _ordinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the ordinals up to the 99th, with their inflections."""
    small, tens = table["ordinals"].split(), table["ordinal_tens"].split()
    for word, number in _numbers(table, table["ordinal"], small, tens):
        for end in ("", *table["inflections"].split()):
            yield f"{word}{end}", number


def _together(numbered: tuple[str, int]) -> tuple[str, int]:
    """A number as its words are compared, without blanks and hyphens: 'vingtdeux'."""
    return "".join(filter(str.isalnum, numbered[0])), numbered[1]


def _numbers(
    table: Mapping[str, str], form: str, small: list[str], tens: list[str]
) -> Iterator[tuple[str, int]]:
    """The numbers that have a word of their own, the tens, and what a form makes of both."""
    for word, number in _formed(table, form, [ways.split("|") for ways in small], tens):
        yield from ((word, number), (without_marks(word.casefold()), number))


def _formed(
    table: Mapping[str, str], form: str, small: list[list[str]], tens: list[str]
) -> Iterator[tuple[str, int]]:
    for number, ways in enumerate(small, 1):
        yield from ((way, number) for way in ways)
    units = (table["units"] or table["cardinals"]).split()[:9]
    for ten, plain, own in zip(range(20, 100, 10), table["tens"].split(), tens, strict=False):
        yield own, ten
        for one, (unit, (last, *_)) in enumerate(zip(units, small, strict=False), 1):
            yield (
                form.format(tens=plain, ordinal_tens=own, unit=unit, ordinal_unit=last),
                ten + one,
            )
