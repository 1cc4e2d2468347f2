"""References to documents in every form people write them: 'ADR.12', 'adr12', 'besluit 50', 'DAR 12'."""

from __future__ import annotations

import re

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Reference

_PREFIXES = {
    "adr": DocumentKind.DECISION,
    "dar": DocumentKind.DECISION,
    "pcp": DocumentKind.PRINCIPLE,
    "pol": DocumentKind.POLICY,
}
_NOUNS = {
    DocumentKind.DECISION: r"decision(?:\s+records?)?|architectuurbesluit|besluit|beslissing|entscheidung",
    DocumentKind.PRINCIPLE: r"principle|principe|beginsel|prinzip|grundsatz",
    DocumentKind.POLICY: r"policy|beleidsregel|beleid|richtlinie",
}
_NUMBER = r"(?:\s*(?:number|nummer|nr\.?|no\.?))?\s*[#.:\-\u2010-\u2015_/]*\s*0*(?P<number>\d{1,6})(?P<record>d)?"
_PREFIXED = re.compile(rf"\b(?P<prefix>adr|dar|pcp|pol)s?{_NUMBER}\b", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<{kind}>{noun})" for kind, noun in _NOUNS.items())
    + rf")s?{_NUMBER}\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^\W*(?:(?:number|nummer|nr\.?|no\.?)\s*)?(?P<number>\d{1,5})\W*$"
    r"|^(?:what\s+does|what\s+is\s+in|what's\s+in|tell\s+me\s+about|show(?:\s+me)?|explain|who\s+approved"
    r"|wat\s+zegt|wat\s+staat\s+er\s+in|vertel\s+(?:me\s+)?over|wat\s+houdt"
    r"|was\s+sagt|was\s+steht\s+in)\s+"
    r"(?:(?:number|nummer|nr\.?|no\.?)\s*)?#?(?P<asked>\d{1,5})"
    r"(?:\s+(?:say|state|mean|cover|about|in|aus))?\W*$",
    re.IGNORECASE,
)


def find_references(text: str) -> tuple[Reference, ...]:
    """Return every document reference of a text, in order, each once.

    >>> [str(r.identity) for r in find_references("Compare ADR.12 with principle 10")]
    ['ADR-0012', 'PCP-0010']
    """
    found: list[tuple[int, Reference]] = []
    for match in _PREFIXED.finditer(text):
        prefix = match["prefix"].lower()
        found.append(
            (
                match.start(),
                Reference(
                    kind=_PREFIXES[prefix],
                    number=int(match["number"]),
                    approval=prefix == "dar" or bool(match["record"]),
                    written=match.group().strip(),
                ),
            )
        )
    for match in _NAMED.finditer(text):
        kind = next(kind for kind in _NOUNS if match[kind])
        reference = Reference(
            kind=kind,
            number=int(match["number"]),
            approval=bool(match["record"]),
            written=match.group().strip(),
        )
        found.append((match.start(), reference))
    if not found and (bare := _BARE.match(text)):
        number = bare["number"] or bare["asked"]
        return (Reference(number=int(number), written=number),)
    found.sort(key=lambda pair: pair[0])
    distinct = {(ref.kind, ref.number, ref.approval): ref for _, ref in reversed(found)}
    return tuple(reversed(distinct.values()))


def strip_references(text: str) -> str:
    """Return the text without its references, for what else the question asks."""
    return re.sub(r"\s+", " ", _NAMED.sub(" ", _PREFIXED.sub(" ", text))).strip()
