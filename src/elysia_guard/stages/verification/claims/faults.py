"""What code can tell for sure: numbers, dates, units, identifiers, names and quotations.

Each check is a function of its own from a sentence and what it is held against to its findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from elysia_guard.domain.claim import Fault, Finding
from elysia_guard.language.dates import said_by
from elysia_guard.language.quantity import Quantity
from elysia_guard.language.sentences import is_item
from elysia_guard.language.text import fold
from elysia_guard.language.verbatim import found_in
from elysia_guard.stages.verification.claims import turns
from elysia_guard.stages.verification.claims.said import Said

_ITEMS = re.compile(r",\s+|\s+(?:and|or|en|of|und|oder|et|ou)\s+")
_WRITTEN_BEFORE, _WRITTEN = re.compile(r"[\w-]*\Z"), re.compile(r"[\w-]*")
_FEW = 10
_PERIODS = frozenset({"time", "months"})
_LIKELY = 0.7


def wrong_numbers(said: Said, sources: Sequence[Said]) -> Iterator[Finding]:
    """Find the quantities that no source has, nor has in other units."""
    known = [each for source in sources for each in source.quantities]
    values = {(each.dimension, value) for each in known for value in each.values}
    bare = {value for each in known for value in each.number if not each.dimension}
    numbers = {value for each in known for value in each.number}
    for each in said.quantities:
        if each.is_article or any((each.dimension, value) in values for value in each.values):
            continue
        about = said.text[each.start : each.end]
        if not each.dimension:
            known_as = _whole(said.text, each)
            is_part = known_as != about and _stands(known_as, sources)
            if not each.number & numbers and not is_part and not _is_count(each, sources):
                yield Finding(fault=Fault.NUMBER, about=about)
        elif not each.number & bare:
            is_unit = bool(each.number & numbers)
            yield Finding(fault=Fault.UNIT if is_unit else Fault.NUMBER, about=about)


def _whole(text: str, each: Quantity) -> str:
    """What a number is written in without a blank: '61970-552'."""
    before, after = _WRITTEN_BEFORE.search(text[: each.start]), _WRITTEN.match(text[each.end :])
    return (before[0] if before else "") + text[each.start : each.end] + (after[0] if after else "")


def other_periods(said: Said, source: Said) -> int:
    """Count the periods said in passing ('a year', 'weekly') where a source has others alone."""
    there = [each for each in source.quantities if each.dimension in _PERIODS]
    values = {(each.dimension, value) for each in there for value in each.values}
    own = [each for each in said.quantities if each.is_article and each.dimension in _PERIODS]
    missing = (each for each in own if not any((each.dimension, v) in values for v in each.values))
    return sum(1 for _ in missing) if there else 0


def applied(said: Said, sources: Sequence[Said], about: str) -> bool:
    """Tell whether a quantity may be a case of a rule: '45 seconds' where 30 are the limit.

    That is so where a source bounds a quantity of its kind and the sentence bounds its own not.
    """
    if turns.bounds(said.text, said.lang):
        return False
    own = next((q for q in said.quantities if said.text[q.start : q.end] == about), None)
    return own is not None and any(
        turns.bounds(_clause(source, each.start), source.lang)
        for source in sources
        for each in source.quantities
        if each.dimension == own.dimension
    )


def _clause(source: Said, place: int) -> str:
    start, end = turns.touched(source.text, [place], source.lang)[0]
    return source.text[start:end]


def _is_count(each: Quantity, sources: Iterable[Said]) -> bool:
    """Whether a small number may be how many things a source lists, in a sentence or in rows."""
    if max(each.number) > _FEW:
        return False
    listed = {len(_ITEMS.split(part)) for one in sources for part in re.split("[.:;]", one.text)}
    rows = sum(one.text.startswith("|") for one in sources)
    listed |= {rows - 1, sum(is_item(one.text) for one in sources)}
    return any(number in listed for number in each.number if number > Fraction(1))


def wrong_dates(said: Said, sources: Sequence[Said]) -> Iterator[Finding]:
    """Find the dates that no source has, in whatever form."""
    known = [each for source in sources for each in source.dates]
    for each in said.dates:
        if not said_by(each, known) and not _is_number(said.text[each.start : each.end], sources):
            yield Finding(fault=Fault.DATE, about=said.text[each.start : each.end])


def _is_number(text: str, sources: Iterable[Said]) -> bool:
    """Whether what looks like a year is an amount of the source: 'exactly 2000'."""
    return text.isdigit() and any(
        Fraction(text) in each.number for source in sources for each in source.quantities
    )


def wrong_identifiers(
    said: Said, sources: Sequence[Said], names: Sequence[str] = ()
) -> Iterator[Finding]:
    """Find references, codes, names of fields and acronyms that no source has."""
    known = {each for source in sources for each in source.references}
    for kind, number, approval in said.references:
        if not any(
            (kind is None or other is None or kind == other) and (number, approval) == rest
            for other, *pair in known
            for rest in [tuple(pair)]
        ):
            yield Finding(fault=Fault.IDENTIFIER, about=f"{kind or ''} {number}".strip())
    keys = frozenset().union(*(source.keys for source in sources), map(fold, names))
    for each in said.identifiers:
        folded = fold(each)
        if not {folded, folded.removesuffix("s")} & keys and not _stands(each, sources):
            if any(part in _ref_words(said) for part in [folded]):
                continue
            yield Finding(fault=Fault.IDENTIFIER, about=each)


def _ref_words(said: Said) -> frozenset[str]:
    """References are looked at by kind and number, however they are written."""
    return frozenset(
        fold(form)
        for kind, number, approval in said.references
        for prefix in (("DAR", "ADR") if approval else ("ADR", "PCP", "POL"))
        for form in (f"{prefix}{number}", f"{prefix}{number:04d}", f"{prefix}{number:03d}", prefix)
        if kind is not None
    )


def _stands(text: str, sources: Iterable[Said]) -> bool:
    """Whether a text stands word for word in a source."""
    return any(found_in(text, [source.text]) for source in sources)


def wrong_quotations(said: Said, sources: Sequence[Said]) -> Iterator[Finding]:
    """Find what is quoted and does not stand so in a source."""
    for each in said.quotations:
        if not _stands(each.strip(" .,;:"), sources):
            yield Finding(fault=Fault.QUOTATION, about=each)


def wrong_names(
    said: Said, sources: Sequence[Said], asked: Said, covered: Sequence[float]
) -> Iterator[Finding]:
    """Find names that no source has; in another language only those that the question has."""
    keys = frozenset().union(*(source.keys for source in sources))
    crosses = any(said.lang != source.lang for source in sources)
    for word, degree in zip(said.content, covered, strict=True):
        if not word.is_name or degree >= _LIKELY or fold(word.text) in keys:
            continue
        if not crosses or fold(word.text) in asked.keys:
            yield Finding(fault=Fault.NAME, about=said.text[word.start : word.end])
