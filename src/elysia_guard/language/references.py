"""References to documents, as people write them: 'ADR.12', 'adr12', 'besluit 50', 'DAR 12'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from elysia_guard.domain.question import Reference
from elysia_guard.language.kinds import KINDS, PREFIXES, nouns
from elysia_guard.language.pack import either
from elysia_guard.language.phrases import compiled

_LONGEST_RANGE = 20
_CLAUSE_ENDS = re.compile(r"\s*(?:[?!.;:)]|$)")
_MANY_PREFIXED = re.compile(r"['\u2019]?s$", re.IGNORECASE)


class _Forms(NamedTuple):
    """How documents are named by numbers, in all languages at once."""

    prefixed: re.Pattern[str]
    named: re.Pattern[str]
    many: re.Pattern[str]
    more: re.Pattern[str]
    up_to: re.Pattern[str]
    bare: re.Pattern[str]


@cache
def _forms() -> _Forms:
    said = either(lambda core: core.references.number)
    number = rf"(\s*{said})?\s*[#.:\-\u2010-\u2015_/]*\s*0*(?P<number>\d{{1,6}})(?P<record>-?d)?"
    kinds = "|".join(f"(?P<{kind}>{'|'.join(nouns(kind))})" for kind in KINDS)
    many = {word for kind in KINDS for word in nouns(kind, many=True)}
    units = either(lambda core: (*core.references.measures, *core.time.units))
    joins = either(lambda core: core.references.joins)
    through = either(lambda core: core.references.through)
    asks = either(lambda core: core.references.asks)
    asked = either(lambda core: core.references.asked)
    prefixes = "|".join(PREFIXES)
    return _Forms(
        prefixed=compiled(rf"\b(?P<name>(?P<prefix>{prefixes})('?s)?){number}\b(?!\.\d)"),
        named=compiled(
            # A year or a measure is no number: 'the policy 2024', 'under the policy 30 days'.
            rf"\b(?P<name>{kinds})(?!\s*(19|20)\d\d\b){number}\b(?!\.\d)"
            rf"(?!\s*(%|{units}\b))"
        ),
        many=compiled("|".join(many)),
        more=compiled(
            rf"\s*(,\s*({joins}\b)?|&|\+|/|\b{joins}(?!\w))"
            r"\s*#?(?P<zeros>0*)(?P<number>\d{1,6})(?P<record>-?d)?\b(?![.,]?\d)"
        ),
        up_to=compiled(
            rf"\s*([-\u2010-\u2015]|\b{through}(?!\w))\s*#?0*(?P<number>\d{{1,6}})\b(?![.,]?\d)"
        ),
        bare=compiled(
            rf"^\W*({said}\s*)?(?P<number>\d{{1,5}})\W*$"
            rf"|^{asks} ({said}\s*)?#?(?P<asked>\d{{1,5}})( {asked})?\W*$"
        ),
    )


def find_references(text: str) -> tuple[Reference, ...]:
    """Return every document reference of a text, in order, each once.

    >>> [str(r.identity) for r in find_references("Compare ADR.12 with principle 10")]
    ['ADR-0012', 'PCP-0010']
    """
    found = [(start, ref) for start, _, refs in _named(text) for ref in refs]
    if not found and (bare := _forms().bare.match(text)):
        number = bare["number"] or bare["asked"]
        return (Reference(number=int(number), written=number),)
    found.sort(key=lambda pair: pair[0])
    distinct = {(ref.kind, ref.number, ref.approval): ref for _, ref in reversed(found)}
    return tuple(reversed(distinct.values()))


def located_references(text: str) -> tuple[tuple[int, int, Reference], ...]:
    """Return each reference with where it stands, ``[start, end)``, in the order of the text.

    Of a range ('ADR 12 to 15') its ends: what lies between stands nowhere.
    """
    found = []
    for start, end, refs in _named(text):
        place = start
        for ref in refs:
            written = re.compile(rf"(?<!\w){re.escape(ref.written)}(?!\w)")
            if at := written.search(text, place, end):
                place = at.end()
                found.append((at.start(), place, ref))
    if not found and (bare := _forms().bare.match(text)):
        group = "number" if bare["number"] else "asked"
        ref = Reference(number=int(bare[group]), written=bare[group])
        found.append((*bare.span(group), ref))
    return tuple(sorted(found, key=lambda item: item[:2]))


def reference_places(text: str) -> list[tuple[int, int, tuple[Reference, ...]]]:
    """Return where documents are named by kind and number: from, to, and which."""
    found = ((start, end, tuple(refs)) for start, end, refs in _named(text))
    return sorted(found, key=lambda item: item[:2])


def strip_references(text: str) -> str:
    """Return the text without its references, for what else the question asks."""
    named = sorted(_named(text), key=lambda item: -item[0])
    if not named and _forms().bare.match(text):
        return ""
    for start, end, _ in named:
        text = f"{text[:start]} {text[end:]}"
    return re.sub(r"\s+", " ", text).strip()


def _named(text: str) -> Iterator[tuple[int, int, list[Reference]]]:
    """Find where references with a kind stand; a plural names every number that follows."""
    forms = _forms()
    for match in (*forms.prefixed.finditer(text), *forms.named.finditer(text)):
        groups = match.groupdict()
        prefix = (groups.get("prefix") or "").lower()
        kind = PREFIXES.get(prefix) or next(kind for kind in KINDS if groups.get(kind))
        more, end = _numbers_after(text, match)
        first = (int(match["number"]), match["record"], match.group().strip())
        yield (
            match.start(),
            end,
            [
                Reference(
                    kind=kind,
                    number=number,
                    approval=prefix == "dar" or bool(record),
                    written=written,
                )
                for number, record, written in (first, *more)
            ],
        )


_Numbered = tuple[int, str | None, str]


def _numbers_after(text: str, first: re.Match[str]) -> tuple[list[_Numbered], int]:
    """'ADRs 12 and 27', 'ADR 12 t/m 15': after a singular only where the clause ends.

    A number with zeros in front is one wherever it stands: 'ADR-0015 and 0016 say'.
    """
    more: list[_Numbered] = []
    end, last, padded = first.end(), int(first["number"]), True
    forms = _forms()
    while item := forms.more.match(text, end) or forms.up_to.match(text, end):
        number = int(item["number"])
        if item.re is forms.more:
            more.append((number, item["record"], item["number"] + (item["record"] or "")))
            padded = padded and bool(item["zeros"])
        elif last < number <= last + _LONGEST_RANGE:
            more += [(between, None, str(between)) for between in range(last + 1, number + 1)]
            padded = False
        else:
            break
        end, last = item.end(), number
    name = first["name"]
    several = forms.many.fullmatch(name) or _MANY_PREFIXED.search(name)
    if several or _CLAUSE_ENDS.match(text, end) or (more and padded):
        return more, end
    return [], first.end()
