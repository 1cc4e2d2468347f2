"""References to documents, as people write them: 'ADR.12', 'adr12', 'besluit 50', 'DAR 12'.

And whether one document names another by them, or says that it took its place or gave way to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import LinkWay, Reference
from elysia_guard.language.kinds import nouns, numbered, prefixes
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import either
from elysia_guard.language.phrases import compiled

_LONGEST_RANGE = 99
_YEARS = range(1900, 2100)
_MOST_FIGURES = 4
_QUESTION = 2_000
"""Characters of a text that may be a question."""
SIGNS = "%\u00a7\u00b0\u20ac$\u00a3+*=<>~^"
"""Marks with which a number is an amount or a section: no document's."""
_PLAIN = rf"[^\w{SIGNS}/-]*"
_CLAUSE_ENDS = re.compile(r"\s*(?:[?!.;:)]|$)")


class _Forms(NamedTuple):
    """How documents are named by numbers, in all languages at once."""

    named: re.Pattern[str]
    many: re.Pattern[str]
    more: re.Pattern[str]
    up_to: re.Pattern[str]
    surely: re.Pattern[str]
    row: re.Pattern[str]
    within: re.Pattern[str]
    bare: re.Pattern[str]
    measured: re.Pattern[str]


@kept_by_kinds()
def _forms() -> _Forms:
    said = either(lambda core: core.references.number)
    # An area of a register may stand between: 'ADR-Operator-0009'.
    area = r"([-_][^\W\d_]{1,20}(?=[-_]\d{3}))?"
    number = (
        rf"{area}(\s*{said})?\s*[#.:\-\u2010-\u2015_/]*\s*"
        r"0*(?P<number>\d{1,6})(?P<record>-?d)?"
    )
    kinds = "|".join(f"(?P<{kind}>{'|'.join(nouns(kind))})" for kind in numbered())
    many = {word for kind in numbered() for word in nouns(kind, many=True)}
    units = either(lambda core: (*core.references.measures, *core.time.units))
    months = either(lambda core: core.time.months)
    joins = either(lambda core: core.references.joins)
    through = either(lambda core: (*core.references.through, *core.references.towards))
    surely = either(lambda core: core.references.through)
    rows = either(lambda core: core.references.rows)
    begins = either(lambda core: core.references.begins)
    asks = either(lambda core: core.references.asks)
    asked = either(lambda core: core.references.asked)
    before = "|".join(prefixes())
    every = "|".join(word for kind in numbered() for word in nouns(kind))
    several = rf"0*\d{{1,3}}\s*({through}|{joins})\s*0*\d{{1,3}}\b(?!\s*(%|{units}\b|{months}\b))"
    no_year = r"(?!\s*(19|20)\d\d\b)"
    return _Forms(
        named=compiled(
            # A year or a measure is no number: 'the policy 2024', 'under the policy 30 days'.
            rf"\b([^\W\d_]{{1,12}}-(?=({before})-))?"
            rf"(?P<name>(?P<prefix>{before})('?s{no_year})?|({kinds}){no_year})"
            rf"(?P<begins>\s+{begins}(?=\s*{several}))?{number}\b"
            rf"(?!\.\d)(?!\s*(%|{units}\b))"
        ),
        many=compiled(rf"{'|'.join(many)}|.*['\u2019]?s"),
        more=compiled(
            rf"\s*(,\s*({joins}\b)?|&|\+|/|\b{joins}(?!\w))"
            r"\s*#?(?P<zeros>0*)(?P<number>\d{1,6})(?P<record>-?d)?\b(?![.,]?\d)"
        ),
        up_to=compiled(
            rf"\s*(?P<by>[-\u2010-\u2015]|\b{through}(?!\w))\s*(?P<again>({before}|{every})[\s#.:_-]*)?"
            r"#?(?P<zeros>0*)(?P<number>\d{1,6})\b(?![.,]?\d)"
        ),
        surely=compiled(rf"[-\u2010-\u2015]|{surely}"),
        row=compiled(rf"(.*\b{rows})?\W*"),
        within=compiled(rf"\b{begins}\s+{several}"),
        bare=compiled(
            rf"(?:{_PLAIN}|{asks} )({said}\s*)?#?(?P<number>\d{{1,5}})( {asked})?{_PLAIN}"
        ),
        measured=compiled(rf"\s*(%|{units}\b)"),
    )


Located = tuple[int, int, Reference]
"""A reference and where it stands in a text, ``[start, end)``."""


def find_references(text: str) -> tuple[Reference, ...]:
    """Return every document reference of a text, in order, each once.

    >>> [str(r.identity) for r in find_references("Compare ADR.12 with principle 10")]
    ['ADR-0012', 'PCP-0010']
    """
    distinct: dict[object, Reference] = {}
    for _, _, ref in located_references(text):
        distinct.setdefault((ref.kind, ref.number, ref.approval), ref)
    return tuple(distinct.values())


def located_references(text: str) -> list[Located]:
    """Return each reference with where it stands, in the order of the text.

    Those within a range ('ADR 12 to 15') stand where it ends.
    """
    if found := [item for group in _groups(text) for item in group]:
        return found
    bare = _forms().bare.fullmatch(text) if _has_figures(text) else None
    if bare is None or not may_be_number(bare["number"]):
        return []
    return [(*bare.span("number"), _reference(bare))]


def may_be_number(figures: str) -> bool:
    """Tell whether figures without a kind before them may be the number of a document.

    A year is none, nor the number of a norm ('IEC 61850'), unless zeros stand before it.

    >>> [figures for figures in ("12", "0012", "2005", "61850") if may_be_number(figures)]
    ['12', '0012']
    """
    return figures[0] == "0" or (len(figures) <= _MOST_FIGURES and int(figures) not in _YEARS)


def bounds_row(text: str) -> bool:
    """Tell whether numbers without a kind bound a row: 'with a number between 30 and 34'."""
    return _has_figures(text) and bool(_forms().within.search(text))


def reference_places(text: str) -> list[tuple[int, int, tuple[Reference, ...]]]:
    """Return where documents are named by kind and number: from, to, and which."""
    return [(group[0][0], group[-1][1], tuple(ref for *_, ref in group)) for group in _groups(text)]


def strip_references(text: str) -> str:
    """Return the text without its references, for what else the question asks."""
    named = reference_places(text)
    if not named and _forms().bare.fullmatch(text):
        return ""
    for start, end, _ in reversed(named):
        text = f"{text[:start]} {text[end:]}"
    return re.sub(r"\s+", " ", text).strip()


def _reference(found: re.Match[str], kind: DocumentKind | None = None) -> Reference:
    said = found.groupdict()
    number, record = said["number"], said.get("record") or ""
    return Reference(
        kind=kind,
        number=int(number),
        approval=bool(record) or (said.get("prefix") or "").lower() == "dar",
        written=found.group().strip() if "name" in said else f"{number}{record}",
    )


def _has_figures(text: str) -> bool:
    return any(map(str.isdecimal, text))


def _groups(text: str) -> tuple[list[Located], ...]:
    """References with a kind; those of a question are looked for again and again."""
    if not _has_figures(text):
        return ()
    return _kept(text) if len(text) < _QUESTION else tuple(_named(text))


@kept_by_kinds(maxsize=200)
def _kept(text: str) -> tuple[list[Located], ...]:
    return tuple(_named(text))


def _named(text: str) -> Iterator[list[Located]]:
    """Find where references with a kind stand; a plural names every number that follows."""
    end = 0
    while match := _forms().named.search(text, end):
        prefix, kind = (match["prefix"] or "").lower(), _kind(match)
        first = _reference(match, kind)
        more = [
            (start, stop, replace(ref, kind=kind, approval=ref.approval or prefix == "dar"))
            for start, stop, ref in _numbers_after(text, match)
        ]
        group = [(*match.span(), first), *more]
        end = group[-1][1]
        if more and _forms().measured.match(text, end):
            continue  # 'our policies 30, 60 or 90 days'
        yield group


def _kind(named: re.Match[str]) -> DocumentKind:
    prefix = (named["prefix"] or "").lower()
    return prefixes().get(prefix) or next(kind for kind in numbered() if named[kind])


def _is_row(text: str, first: re.Match[str], last: re.Match[str]) -> bool:
    """'Decisions 10 to 14', 'list ADR-3 to ADR-6'; not 'compare ADR-3 to ADR-6'."""
    forms = _forms()
    return bool(
        first["begins"]
        or forms.surely.fullmatch(last["by"])
        or forms.many.fullmatch(first["name"])
        or forms.row.fullmatch(text[: first.start()])
    )


def _numbers_after(text: str, first: re.Match[str]) -> list[Located]:
    """'ADRs 12 and 27', 'ADR 12 t/m 15': after a singular only where the clause ends.

    A number with zeros in front is one wherever it stands: 'ADR-0015 and 0016 say'.
    """
    more: list[Located] = []
    end, last, padded = first.end(), int(first["number"]), True
    forms = _forms()
    while item := forms.more.match(text, end) or forms.up_to.match(text, end):
        start, number, ref = item.start("number"), int(item["number"]), _reference(item)
        to = item.re is forms.up_to
        is_range = _is_row(text, first, item) if to else first["begins"] and not more
        if item.re is forms.more and not may_be_number(item["zeros"] + item["number"]):
            break
        again = forms.named.match(f"{item.groupdict().get('again') or ''}{item['number']}")
        if again and _kind(again) != _kind(first):
            break
        if not is_range:
            padded = padded and bool(item["zeros"])
        elif last < number <= last + _LONGEST_RANGE:
            between = range(last + 1, number)
            more += [(start, item.end(), Reference(number=n, written=str(n))) for n in between]
            padded = again is not None
        else:
            break
        more.append((start, item.end(), ref))
        end, last = item.end(), number
    is_all = forms.many.fullmatch(first["name"]) or _CLAUSE_ENDS.match(text, end) or padded
    return more if is_all else []


def is_linked(way: LinkWay, target: Document, item: Document) -> bool:
    """Tell whether a document names or replaces the target, or the other way round."""
    acts = way in {LinkWay.NAMING, LinkWay.REPLACING}
    one, other = (item, target) if acts else (target, item)
    if way in {LinkWay.NAMING, LinkWay.NAMED_BY}:
        return other.id in one.links
    return _says_of(one.supersedes, one, other) or _says_of(other.superseded_by, other, one)


def _says_of(stated: str, by: Document, other: Document) -> bool:
    """Tell whether a field names another document; of one number that of the same folder."""
    told = {(each.kind or by.kind, each.number) for each in find_references(stated)}
    near = not other.apart or PurePath(by.path).parent == PurePath(other.path).parent
    return (other.kind, other.number) in told and near and not other.approval and by != other
