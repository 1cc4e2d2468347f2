"""How documents write their numbers: in file names, front matter and headings."""

from __future__ import annotations

import re
from typing import NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.kinds import prefixes
from elysia_guard.language.own_kinds import own_kinds


class NumberForms(NamedTuple):
    """Patterns of numbers with what stands before them."""

    reference: re.Pattern[str]
    """All of an identifier: 'ADR.12', '0012D'."""
    file_name: re.Pattern[str]
    """What a file name begins with: '0012-', 'adr-12'."""
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
            r"(?!\d{4}-\d{2}-\d{2})"  # a date is no number
            rf"(?:(?P<prefix>{named})[-_. ]*)?"
            r"(?P<number>\d{1,6})(?P<d>d)?(?=[-_. ]|\Z)",
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
