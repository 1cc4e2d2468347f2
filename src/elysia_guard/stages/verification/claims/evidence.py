"""The words that a sentence rests on: whether they stand in their source, and what stands around.

What a sentence is held against is not the words that were picked but the whole sentences of the
source that hold them, so that a condition or a denial that was left out is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from elysia_guard.domain.claim import Claim, Fault, Finding, Told
from elysia_guard.domain.question import Lang
from elysia_guard.language.sentences import is_item, sentences, units
from elysia_guard.language.states import in_force
from elysia_guard.language.text import words
from elysia_guard.language.verbatim import found_in
from elysia_guard.stages.verification.claims.spoken import spoken

FEWEST_WORDS = 3
"""Fewer words stand in a source by chance; a whole sentence or row may be shorter."""
LONGEST_HEAD = 120
"""Characters; a longer first sentence is none."""
_PARTICULAR = re.compile(r"\w+(?: \w+)?:\s")
_ROW = re.compile(r"\s*\|")
_RULE = re.compile(r"\s*\|[\s|:\-]+\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """What a sentence is held against: sentences, items and rows of the sources that it names.

    ``around`` are what names the source and heads its parts: titles, identifiers, table heads.
    """

    units: tuple[str, ...]
    around: str
    langs: tuple[Lang, ...]
    """Of each unit the language: by its words, or else that of its source."""
    identifiers: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    """Of each unit the number of its source, from 1."""
    is_one: bool = True
    """Whether all of it is of one source."""
    lists: tuple[int, ...] = ()
    """Of each unit the list or table that it is an item or a row of, by number; 0: of none."""
    in_force: bool = False
    """Whether what it decides counts, by the status of its document."""


def evidence_of(claim: Claim, told: Sequence[Told]) -> tuple[Evidence, list[Finding]]:
    """Return what a sentence is held against, and what is wrong with what it names."""
    faults = list(_faults(claim, told))
    found: dict[tuple[int, str], None] = {}
    around: dict[str, None] = {}
    identifiers: dict[str, None] = {}
    titles: dict[str, None] = {}
    for support in claim.supports:
        if not 1 <= support.source <= len(told):
            continue
        source = told[support.source - 1]
        for unit in _found(support.words, source):
            found[support.source, unit] = None
        for said in (
            source.title,
            source.section,
            *source.identifiers,
            *_heads(source.text, source.lang),
        ):
            around[said] = None
        identifiers |= dict.fromkeys(source.identifiers)
        titles[source.title] = None
    return Evidence(
        units=tuple(unit for _, unit in found),
        around="\n".join(filter(None, around)),
        langs=tuple(spoken(unit, told[number - 1].lang)[0] for number, unit in found),
        identifiers=tuple(identifiers),
        titles=tuple(filter(None, titles)),
        lists=tuple(
            lists_of(told[number - 1].text, told[number - 1].lang).get(unit, 0)
            for number, unit in found
        ),
        numbers=tuple(number for number, _ in found),
        is_one=len({number for number, _ in found}) == 1,
        in_force=all(in_force(told[number - 1].status) for number, _ in found),
    ), faults


@lru_cache(maxsize=2_000)
def parts_of(text: str, lang: Lang) -> tuple[str, ...]:
    """Cut a source into what can be looked at alone: sentences, list items and rows of tables."""
    return tuple(_parts(text, lang))


@lru_cache(maxsize=2_000)
def lists_of(text: str, lang: Lang) -> Mapping[str, int]:
    """Return of each item and row of a source the number of its list or table, from 1.

    Items that follow each other are of one list. What stands in several is of a list of its own.
    """
    found: dict[str, int] = {}
    parts = parts_of(text, lang)
    number = 0
    for n, part in enumerate(parts):
        if not _is_listed(part):
            continue
        number += n == 0 or not _is_listed(parts[n - 1])
        found[part] = -n if found.get(part, number) != number else number
    return found


def _is_listed(part: str) -> bool:
    return is_item(part) or bool(_ROW.match(part))


def is_row(line: str) -> bool:
    """Tell whether a line is a row of a table."""
    return bool(_ROW.match(line))


def is_rule(line: str) -> bool:
    """Tell whether a line rules the head of a table off."""
    return bool(_RULE.match(line)) and bool(line.strip())


def _parts(text: str, lang: Lang) -> Iterator[str]:
    prose: list[str] = []
    for line in text.splitlines():
        if _ROW.match(line):
            yield from _sentences("\n".join(prose), lang)
            prose = []
            if not _RULE.match(line):
                yield " ".join(line.split())
        else:
            prose.append(line)
    yield from _sentences("\n".join(prose), lang)


def _sentences(text: str, lang: Lang) -> Iterator[str]:
    """The sentences of a text, those of a list item apart; what is said as 'Owner: X' stays."""
    for unit in units(text, lang):
        parts = [unit]
        if is_item(unit):
            parts = []
            for each in sentences(unit, lang):
                if parts and _PARTICULAR.match(each):
                    parts[-1] += each
                else:
                    parts.append(each)
        yield from (part.strip() for part in parts)


def _heads(text: str, lang: Lang) -> Iterator[str]:
    """What stands above: a short first sentence, and of each table the row that names its columns.

    Headings of a document stand in ``Told.title`` and ``section``, or at the top of its text.
    """
    before = False
    first = next((line for line in text.splitlines() if line.strip()), "")
    yield next((part for part in parts_of(first, lang) if len(part) <= LONGEST_HEAD), "")
    for line in text.splitlines():
        is_row = bool(_ROW.match(line))
        if is_row and not before:
            yield line
        before = is_row


def _faults(claim: Claim, told: Sequence[Told]) -> Iterator[Finding]:
    if not claim.supports:
        yield Finding(fault=Fault.NO_SOURCE)
    for support in claim.supports:
        if not 1 <= support.source <= len(told):
            yield Finding(fault=Fault.NO_SOURCE, about=str(support.source))
            continue
        source = told[support.source - 1]
        found = _found(support.words, source)
        if not found or not _is_enough(support.words, found):
            yield Finding(fault=Fault.SNIPPET, about=support.words)


def _found(said: str, source: Told) -> tuple[str, ...]:
    return found_of(said, source.text, source.lang)


@lru_cache(maxsize=2_000)
def found_of(said: str, text: str, lang: Lang) -> tuple[str, ...]:
    """Return the parts of a source that some words stand in; what rules a table off is none."""
    lines = (line for line in said.splitlines() if not _RULE.match(line) or not line.strip())
    return found_in("\n".join(lines), parts_of(text, lang))


def _is_enough(said: str, found: Sequence[str]) -> bool:
    count = len(words(said))
    return count >= FEWEST_WORDS or any(count >= len(words(unit)) for unit in found)
