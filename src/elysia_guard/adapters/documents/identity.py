"""Who a document is: by its front matter, else its file name and folder, else its first heading.

A UUID in the front matter never identifies: the documents at hand share them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType

from elysia_guard.adapters.documents.front_matter import FrontMatter, value
from elysia_guard.adapters.documents.states import known_state
from elysia_guard.domain.document import DocumentKind, Identity

_PREFIXES = {
    "adr": DocumentKind.DECISION,
    "dar": DocumentKind.DECISION,
    "pcp": DocumentKind.PRINCIPLE,
    "pol": DocumentKind.POLICY,
    "decision": DocumentKind.DECISION,
    "principle": DocumentKind.PRINCIPLE,
    "policy": DocumentKind.POLICY,
}
_FOLDER_NAMES = {
    DocumentKind.DECISION: ("decisions", "decision", "adr", "adrs", "beslissingen", "besluiten"),
    DocumentKind.PRINCIPLE: ("principles", "principle", "pcp", "principes"),
    DocumentKind.POLICY: ("policies", "policy", "pol", "beleid"),
}
_FOLDERS = {name: kind for kind, names in _FOLDER_NAMES.items() for name in names}
_REFERENCE = re.compile(
    r"(?P<prefix>adr|dar|pcp|pol)?[\s._-]*(?P<number>\d{1,6})(?P<d>d)?", re.IGNORECASE
)
_FILE_NAME = re.compile(
    r"(?!\d{4}-\d{2}-\d{2})"  # a date is no number
    r"(?:(?P<prefix>adr|dar|pcp|pol|decision|principle|policy)[-_. ]*)?"
    r"(?P<number>\d{1,6})(?P<d>d)?(?=[-_. ]|\Z)",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?P<written>(?P<prefix>adr|dar|pcp|pol)[\s._-]*(?P<number>\d{1,6})(?P<d>d)?)\b[\s:.–—-]*",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"\b(?:adr|dar|pcp|pol)\b[\s._-]*\W?(?:N+|X+)D?\b|[\[{<]", re.IGNORECASE)
_BRACKETED = re.compile(r"\[.*\]|\{.*\}|<.*>", re.DOTALL)
_SUPERSEDED = re.compile(
    r"(?:superseded by|vervangen door|ersetzt durch)\W+(?P<by>(?:adr|pcp|pol)[\s._-]*\d+|.+)",
    re.IGNORECASE,
)


_NOTHING: FrontMatter = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """Where it is said who a document is, and how: 'front matter', 'ADR-0012', 'ADR.12'."""

    source: str
    identity: Identity
    written: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """What a document says about itself; ``warnings`` tells where it contradicts itself.

    ``claims`` are all places that say who it is, the most explicit first, which is believed.
    """

    kind: DocumentKind
    number: int | None
    approval: bool
    identifier: str
    title: str
    status: str
    date: str
    owner: str
    lang: str
    superseded_by: str
    supersedes: str
    warnings: tuple[str, ...]
    claims: tuple[Claim, ...]

    @property
    def identity(self) -> Identity | None:
        """Kind and number, or None for a document without a number."""
        if self.number is None:
            return None
        return Identity(kind=self.kind, number=self.number, approval=self.approval)


def read_card(
    front: FrontMatter, *, path: PurePath, heading: str, noted: FrontMatter = _NOTHING
) -> Card:
    """Gather a document's identity and particulars; the most explicit source wins.

    ``noted`` are particulars from elsewhere, for what the front matter leaves open.
    """
    claims = tuple(_claims(front, path, heading))
    identity = claims[0].identity if claims else None
    status = value(front, "status", "dct.isVersionOf") or value(noted, "status")
    superseded = _SUPERSEDED.search(status)
    keys = ("owner", "decision-makers", "deciders", "driver")
    lang = value(front, "lang", "language", "dct.language") or value(noted, "lang")
    successor = ("superseded-by", "superseded_by", "supersededBy", "dct.isReplacedBy")
    return Card(
        kind=identity.kind if identity else _kind(front, path) or DocumentKind.DOCUMENT,
        number=identity.number if identity else None,
        approval=identity.approval if identity else _is_approval(front),
        identifier=claims[0].written if claims else "",
        title=value(front, "title", "dct.title")
        or _bare_title(heading, identity)
        or value(noted, "title")
        or path.stem,
        status=known_state(status) or status,
        date=value(front, "date", "dct.issued", "dct.date") or value(noted, "date"),
        owner=value(front, *keys) or value(noted, *keys, "author"),
        lang=lang.partition("-")[0].lower(),
        superseded_by=value(front, *successor)
        or value(noted, "superseded-by")
        or (superseded["by"] if superseded else ""),
        supersedes=value(front, "supersedes", "dct.replaces") or value(noted, "supersedes"),
        warnings=(*_disagreements(claims), *_type_warnings(front, identity)),
        claims=claims,
    )


def is_template(front: FrontMatter, *, path: PurePath, heading: str) -> bool:
    """Tell whether a document is a form to fill in: by its name, identifier or title."""
    identifier = value(front, "identifier", "nav_order")
    title = value(front, "title", "dct.title") or heading
    return (
        "template" in path.stem.casefold()
        or _PLACEHOLDER.search(identifier) is not None
        or _BRACKETED.fullmatch(title) is not None
    )


def _claims(front: FrontMatter, path: PurePath, heading: str) -> Iterator[Claim]:
    kind, approval = _kind(front, path), _is_approval(front)
    for key in ("identifier", "nav_order"):
        written = value(front, key)
        match = _REFERENCE.fullmatch(written)
        # A bare number in nav_order is a place in a menu.
        usable = match and (match["prefix"] or key == "identifier")
        if match and usable and (identity := _identity(match, kind, approval=approval)):
            yield Claim(source="front matter", identity=identity, written=written)
    approved = _REFERENCE.fullmatch(value(front, "decision", "principle", "policy", "approves"))
    if approval and approved and (identity := _identity(approved, kind, approval=True)):
        yield Claim(source="front matter", identity=identity, written=str(identity))
    named = _FILE_NAME.match(path.name)
    if named and (identity := _identity(named, kind, approval=approval)):
        yield Claim(source="file name", identity=identity, written=str(identity))
    headed = _HEADING.match(heading)
    if headed and (identity := _identity(headed, kind, approval=approval)):
        yield Claim(source="first heading", identity=identity, written=headed["written"])


def _identity(
    match: re.Match[str], kind: DocumentKind | None, *, approval: bool
) -> Identity | None:
    prefix = (match["prefix"] or "").lower()
    kind = _PREFIXES.get(prefix, kind)
    if kind is None or kind is DocumentKind.DOCUMENT:
        return None
    return Identity(
        kind=kind,
        number=int(match["number"]),
        approval=approval or bool(match["d"]) or prefix == "dar",
    )


def _kind(front: FrontMatter, path: PurePath) -> DocumentKind | None:
    if said := _PREFIXES.get(value(front, "type").lower()):
        return said
    folders = (_FOLDERS.get(folder.casefold()) for folder in reversed(path.parts[:-1]))
    return next((kind for kind in folders if kind), None)


def _is_approval(front: FrontMatter) -> bool:
    return value(front, "type").lower() in ("approval", "dar", "approval record")


def _bare_title(heading: str, identity: Identity | None) -> str:
    """The heading without the reference or number that it repeats."""
    if match := _HEADING.match(heading):
        return heading[match.end() :] or heading
    number, dot, rest = heading.partition(". ")
    if identity and dot and number.isdecimal() and int(number) == identity.number:
        return rest
    return heading


def _disagreements(claims: tuple[Claim, ...]) -> Iterator[str]:
    for claim in claims[1:]:
        kept = claims[0]
        if claim.source == "file name" and claim.identity != kept.identity:
            yield (
                f"the {kept.source} says {kept.identity}, the {claim.source} {claim.identity}; "
                f"the {kept.source} is kept"
            )


def _type_warnings(front: FrontMatter, identity: Identity | None) -> Iterator[str]:
    said = value(front, "type").lower()
    kind = _PREFIXES.get(said)
    if identity and kind and kind is not identity.kind:
        yield f"the front matter says type {said!r}, and {identity}; the latter is kept"
    elif said and not kind and not _is_approval(front) and said not in ("document", "note"):
        yield f"the front matter's type {said!r} is unknown; decision, principle, policy, approval"
