"""What the names of files and folders tell: kind, number, date, and what a page is there for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import PurePath
from typing import NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.kinds import nouns, numbered, prefixes
from elysia_guard.language.own_kinds import kept_by_kinds, own_kinds
from elysia_guard.language.pack import packs

_DATE_NAMED = re.compile(r"(?P<date>\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)(?!\d)")
_README = "readme"
_INDEX_PAGES = ("index", "_index", _README)


class NumberForms(NamedTuple):
    """Patterns of numbers with what stands before them."""

    reference: re.Pattern[str]
    """All of an identifier: 'ADR.12', '0012D'."""
    file_name: re.Pattern[str]
    """What a file name begins with: '0012-', 'adr-12'."""
    lettered: re.Pattern[str]
    """One with letters of the house around those of a kind: 'ODH-ADR-Operator-0009-'."""
    numbered: re.Pattern[str]
    """A number in a file name as a register writes it."""
    heading: re.Pattern[str]
    """What a heading begins with: 'ADR-0012: '."""
    placeholder: re.Pattern[str]
    """A number that is to be filled in: 'ADR-NNNN'."""


@kept_by_kinds()
def kinds_by_name() -> dict[str, DocumentKind]:
    """The kind of each word that may stand before a number, or as a type in front matter."""
    house = own_kinds()
    called = (
        (kind, word.lower()) for kind, own in house.said for each in own.every for word in each.one
    )
    own = {word: kind for kind, word in called if word.isalpha()}
    return {**own, **prefixes(), **{kind.value: kind for kind in house.numbered}}


@kept_by_kinds()
def number_forms() -> NumberForms:
    """Return the patterns, with the names of one's own."""
    short = "|".join(prefixes())
    named = "|".join(kinds_by_name())
    return NumberForms(
        reference=re.compile(
            rf"(?P<prefix>{short})?[\s._-]*(?P<number>\d{{1,6}})(?P<d>d)?", re.IGNORECASE
        ),
        file_name=re.compile(
            r"(?!(?:19|20)\d{2}(?:\Z|-(?:0[1-9]|1[0-2])(?!\d)))"  # a date is no number
            rf"(?:(?P<prefix>{named})[-_. ]*)?"
            r"(?P<number>\d{1,6})(?P<d>d)?(?=[-_. ]|\Z)",
            re.IGNORECASE,
        ),
        lettered=re.compile(
            rf"(?:[^\W\d_]{{1,15}}[-_. ]){{0,3}}(?P<prefix>{named})[-_. ]"
            r"(?:[^\W\d_]{1,15}[-_. ]){0,2}(?P<number>\d{3,6})(?P<d>d)?(?=[-_. ]|\Z)",
            re.IGNORECASE,
        ),
        numbered=re.compile(
            rf"(?:\A|\b(?:{named})(?:[-_. ][a-z]+)?[-_. ])(\d{{3,4}})(?=[-_. ]|\Z)",
            re.IGNORECASE,
        ),
        heading=re.compile(
            rf"(?P<written>(?P<prefix>{short})[\s._-]*(?P<number>\d{{1,6}})(?P<d>d)?)\b"
            r"[\s:.–—-]*",
            re.IGNORECASE,
        ),
        placeholder=re.compile(rf"\b(?:{short})\b[\s._-]*\W?(?:N+|X+)D?\b|[\[{{<]", re.IGNORECASE),
    )


def kind_of_folders(folders: Sequence[str]) -> DocumentKind | None:
    """Tell the kind by the folders that a file lies in, the innermost first.

    What the house says of a folder, by its name or path, counts before what it is called.
    """
    own = own_kinds().said
    said = {tuple(each.split("/")): kind for kind, says in own for each in says.folders}
    for last in range(len(folders), 0, -1):
        ends = (said.get(tuple(folders[first:last])) for first in range(last))
        if kind := next(filter(None, ends), None) or folder_kind(folders[last - 1]):
            return kind
    return None


def folder_kind(folder: str) -> DocumentKind | None:
    """Tell the kind by a folder's name: 'decisions', 'architecture-decision-records'."""
    folders, before, after = _folders()
    if folder in folders:
        return folders[folder]
    words = [word for word in re.split(r"[\W_]+", folder) if word and word not in before]
    while len(words) > 1 and words[-1] in after:
        words.pop()
    return folders.get(words[0]) if len(words) == 1 else None


@kept_by_kinds()
def _folders() -> tuple[Mapping[str, DocumentKind], frozenset[str], frozenset[str]]:
    """The names of folders for each kind, and what may stand before and behind them."""
    files = [item.documents.files for item in packs().values()]
    names = {name: kind for kind in numbered() for name in nouns(kind)}
    letters = {f"{prefix}{end}": prefixes()[prefix] for prefix in prefixes() for end in ("", "s")}
    return (
        letters | names,
        frozenset(word for item in files for word in item.folder_before),
        frozenset(word for item in files for word in item.folder_after),
    )


def stands_for_folder(path: PurePath) -> bool:
    """Tell a page by its name that lists a folder, or is the document that a folder holds."""
    return path.stem.casefold() in _INDEX_PAGES


def is_readme(path: PurePath) -> bool:
    """Tell a page that is written to be read beside what lies in its folder."""
    return path.stem.casefold() == _README


def is_entry(path: PurePath) -> bool:
    """Tell a page that is the document of its folder, which bears a date or a number."""
    name = path.parent.name
    return bool(_DATE_NAMED.match(name) or number_forms().file_name.match(name))


def date_named(path: PurePath) -> str:
    """The date that the name of a file begins with, or that of a folder in which it lies."""
    names = (own_name(path), *reversed(path.parts[:-1]))
    return next((dated["date"] for name in names if (dated := _DATE_NAMED.match(name))), "")


def own_name(path: PurePath) -> str:
    """What a file is called; a page that stands for its folder is called as that."""
    return path.parent.name if stands_for_folder(path) and path.parent.name else path.name


@cache
def template_name() -> re.Pattern[str]:
    """Not every name with that word: 'function-templates' is a matter of documents, too."""
    words = "|".join(word for item in packs().values() for word in item.documents.files.template)
    return re.compile(rf"(?:.*[-_. ])?(?:{words})(?:[-_. ]\w+)?", re.IGNORECASE)
