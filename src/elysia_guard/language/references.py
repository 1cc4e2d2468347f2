"""References to documents, as people write them: 'ADR.12', 'adr12', 'besluit 50', 'DAR 12'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Reference
from elysia_guard.language.phrases import spoken

_PREFIXES = {
    "adr": DocumentKind.DECISION,
    "dar": DocumentKind.DECISION,
    "pcp": DocumentKind.PRINCIPLE,
    "pol": DocumentKind.POLICY,
}
_NOUNS = {
    DocumentKind.DECISION: (
        r"decision( record)?s?|architectuurbesluit(en)?|besluit(en)?|beslissing(en)?"
        r"|entscheidung(en)?"
    ),
    DocumentKind.PRINCIPLE: r"principles?|principes?|beginsel(en)?|prinzip(ien)?"
    r"|grundsatz|grundsätze",
    DocumentKind.POLICY: r"policy|policies|beleidsregels?|beleid|richtlinien?",
}
_NUMBER = (
    r"(\s*(number|nummer|nr\.?|no\.?)s?)?\s*[#.:\-\u2010-\u2015_/]*\s*0*(?P<number>\d{1,6})"
    r"(?P<record>-?d)?"
)
_UNIT = (
    r"(%|per\s?cents?\b|procent\b|prozent\b|seconds?\b|minutes?\b|hours?\b"
    r"|(working |business )?days?\b|weeks?\b|months?\b|years?\b|characters?\b"
    r"|second(e|en)\b|minu(ut|ten)\b|u(ur|ren)\b|(werk)?dag(en)?\b|we(ek|ken)\b|maand(en)?\b"
    r"|ja(ar|ren)\b|tekens\b"
    r"|sekunden?\b|stunden?\b|(arbeits|werk)?tage?n?\b|wochen?\b|monate?n?\b|jahre?n?\b"
    r"|zeichen\b)"
)
_PREFIXED = re.compile(
    spoken(rf"\b(?P<name>(?P<prefix>adr|dar|pcp|pol)('?s)?){_NUMBER}\b(?!\.\d)"), re.IGNORECASE
)
_NAMED = re.compile(
    spoken(
        r"\b(?P<name>"
        + "|".join(f"(?P<{kind}>{noun})" for kind, noun in _NOUNS.items())
        # A year or a measure is no number: 'the policy 2024', 'under the policy 30 days'.
        + rf")(?!\s*(19|20)\d\d\b){_NUMBER}\b(?!\.\d)(?!\s*{_UNIT})"
    ),
    re.IGNORECASE,
)
_PLURAL = re.compile(spoken(r"(s|en|ätze)$"), re.IGNORECASE)
_MORE = re.compile(
    spoken(
        r"\s*(,\s*((and|or|en|und|oder)\b)?|&|\+|/"
        r"|\b(and|or|en|und|oder|versus|vs\.?|with|met|mit)\b)"
        r"\s*#?(?P<zeros>0*)(?P<number>\d{1,6})(?P<record>-?d)?\b(?![.,]?\d)"
    ),
    re.IGNORECASE,
)
_UP_TO = re.compile(
    spoken(
        r"\s*([-\u2010-\u2015]|\b(through|thru|t/m|tot en met|bis)\b)\s*#?0*"
        r"(?P<number>\d{1,6})\b(?![.,]?\d)"
    ),
    re.IGNORECASE,
)
_LONGEST_RANGE = 20
_CLAUSE_ENDS = re.compile(r"\s*(?:[?!.;:)]|$)")
_BARE = re.compile(
    spoken(
        r"^\W*((number|nummer|nr\.?|no\.?)\s*)?(?P<number>\d{1,5})\W*$"
        r"|^(what does|what is in|what's in|tell me about|show( me)?|explain|who approved"
        r"|wat zegt|wat staat er in|vertel (me )?over|wat houdt"
        r"|was sagt|was steht in) "
        r"((number|nummer|nr\.?|no\.?)\s*)?#?(?P<asked>\d{1,5})"
        r"( (say|state|decide|mean|cover|about|in|aus))?\W*$"
    ),
    re.IGNORECASE,
)


def find_references(text: str) -> tuple[Reference, ...]:
    """Return every document reference of a text, in order, each once.

    >>> [str(r.identity) for r in find_references("Compare ADR.12 with principle 10")]
    ['ADR-0012', 'PCP-0010']
    """
    found = [(start, ref) for start, _, refs in _named(text) for ref in refs]
    if not found and (bare := _BARE.match(text)):
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
    if not found and (bare := _BARE.match(text)):
        group = "number" if bare["number"] else "asked"
        ref = Reference(number=int(bare[group]), written=bare[group])
        found.append((*bare.span(group), ref))
    return tuple(sorted(found, key=lambda item: item[:2]))


def strip_references(text: str) -> str:
    """Return the text without its references, for what else the question asks."""
    named = sorted(_named(text), key=lambda item: -item[0])
    if not named and _BARE.match(text):
        return ""
    for start, end, _ in named:
        text = f"{text[:start]} {text[end:]}"
    return re.sub(r"\s+", " ", text).strip()


def _named(text: str) -> Iterator[tuple[int, int, list[Reference]]]:
    """Find where references with a kind stand; a plural names every number that follows."""
    for match in (*_PREFIXED.finditer(text), *_NAMED.finditer(text)):
        groups = match.groupdict()
        prefix = (groups.get("prefix") or "").lower()
        kind = _PREFIXES.get(prefix) or next(kind for kind in _NOUNS if groups.get(kind))
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
    while item := _MORE.match(text, end) or _UP_TO.match(text, end):
        number = int(item["number"])
        if item.re is _MORE:
            more.append((number, item["record"], item["number"] + (item["record"] or "")))
            padded = padded and bool(item["zeros"])
        elif last < number <= last + _LONGEST_RANGE:
            more += [(between, None, str(between)) for between in range(last + 1, number + 1)]
            padded = False
        else:
            break
        end, last = item.end(), number
    if _PLURAL.search(first["name"]) or _CLAUSE_ENDS.match(text, end) or (more and padded):
        return more, end
    return [], first.end()
