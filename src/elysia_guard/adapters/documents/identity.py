"""Who a document is: by its front matter, else its file name and folder, else its first heading.

A UUID in the front matter never identifies: the documents at hand share them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType

from elysia_guard.adapters.documents.content import (
    Card,
    Claim,
    FrontMatter,
    particular_names,
    value,
)
from elysia_guard.adapters.documents.names import (
    date_named,
    kind_of_folders,
    kinds_by_name,
    number_forms,
    own_name,
    stands_for_folder,
    template_name,
)
from elysia_guard.adapters.documents.particulars import is_choice
from elysia_guard.domain.document import DocumentKind, Identity
from elysia_guard.language.kinds import nouns, numbered, prefixes
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import either, packs
from elysia_guard.language.phrases import spoken
from elysia_guard.language.states import State, known_state
from elysia_guard.language.text import words

_BRACKETED = re.compile(r"\[.*\]|\{.*\}|<\S+\s.*>|<title>", re.DOTALL | re.IGNORECASE)
HEADING = "first heading"
_TITLE_NUMBER = re.compile(r"(?P<written>(?P<number>\d{1,6})(?:[.:)]|\s[-–—](?=\s))?)\s+(?=\S)")
TITLE_NUMBER = "title's number"
"""The source of a claim that a number before a title makes.

It decides where nothing else does, and where the document has a status: chapters have none.
"""

_NOTHING: FrontMatter = MappingProxyType({})


def read_card(
    front: FrontMatter, *, path: PurePath, heading: str, noted: FrontMatter = _NOTHING
) -> Card:
    """Gather a document's identity and particulars; the most explicit source wins.

    ``noted`` are particulars from elsewhere, for what the front matter leaves open.
    """
    front = _in_our_words(front)
    written = value(front, "status", "dct.isVersionOf")
    status = ("" if is_choice(written) else written) or value(noted, "status")
    kind = _kind(front, path)
    claims = tuple(_claims(front, path, heading)) or tuple(_titled(heading, kind, status))
    if claims and claims[0].source != TITLE_NUMBER:
        claims += tuple(_numbered(heading, claims[0].identity.kind, approval=_is_approval(front)))
    identity = claims[0].identity if claims else None
    replaced = known_state(status) is State.SUPERSEDED and _superseded().search(status)
    keys = ("owner", "decision-makers", "deciders", "driver")
    lang = value(front, "lang", "language", "dct.language") or value(noted, "lang")
    successor = ("superseded-by", "superseded_by", "supersededBy", "dct.isReplacedBy")
    return Card(
        kind=identity.kind if identity else kind or DocumentKind.DOCUMENT,
        number=identity.number if identity else None,
        approval=identity.approval if identity else _is_approval(front),
        identifier=claims[0].written if claims else "",
        title=_title(front)
        or _bare_title(heading, identity)
        or value(noted, "title")
        or _named_by_file(path, identity),
        status=status,
        date=value(front, "date", "dct.issued", "dct.date")
        or value(noted, "date")
        or date_named(path),
        version=value(front, "version", "owl.versionInfo", "dct.hasVersion")
        or value(noted, "version"),
        owner=value(front, *keys) or value(noted, *keys, "author"),
        lang=lang.partition("-")[0].lower(),
        superseded_by=_named(value(front, *successor))
        or _named(value(noted, "superseded-by"))
        or (replaced["by"].rstrip(".") if replaced else ""),
        supersedes=_named(value(front, "supersedes", "dct.replaces"))
        or _named(value(noted, "supersedes")),
        warnings=(
            *_disagreements(claims),
            *_type_warnings(front, identity),
            *_status_warnings(written, status),
            *_number_warnings(path, kind, identity),
        ),
        claims=claims,
    )


def _in_our_words(front: FrontMatter) -> FrontMatter:
    """Add the keys of front matter as they are called here: 'Statut', 'besluitvormers'."""
    names = particular_names()
    ours = {names[key.casefold()]: said for key, said in front.items() if key.casefold() in names}
    return {**ours, **front}


def _title(front: FrontMatter) -> str:
    """The title in front matter; one that says no more than what kind it is, is none."""
    title = value(front, "title", "dct.title")
    kinds = {*kinds_by_name(), *(word for kind in numbered() for word in nouns(kind)), "madr"}
    return "" if kinds.issuperset(words(title.casefold())) else title


def is_template(front: FrontMatter, *, path: PurePath, heading: str) -> bool:
    """Tell whether a document is a form to fill in: by its name, identifier or title."""
    identifier = value(front, "identifier", "nav_order")
    title = value(front, "title", "dct.title") or heading
    return (
        template_name().fullmatch(path.stem) is not None
        or number_forms().placeholder.search(identifier) is not None
        or _BRACKETED.fullmatch(title) is not None
    )


def _claims(front: FrontMatter, path: PurePath, heading: str) -> Iterator[Claim]:
    kind, approval = _kind(front, path), _is_approval(front)
    for key in ("identifier", "nav_order", *(() if approval else _numbering(front))):
        written = value(front, key)
        match = number_forms().reference.fullmatch(written)
        # A bare number in nav_order is a place in a menu.
        usable = match and (match["prefix"] or key != "nav_order")
        if match and usable and (identity := _identity(match, kind, approval=approval)):
            own = match["prefix"] or key == "identifier"
            written = written if own else str(identity)
            yield Claim(source="front matter", identity=identity, written=written)
    approves = value(front, *numbered(), "approves")
    approved = number_forms().reference.fullmatch(approves)
    if approval and approved and (identity := _identity(approved, kind, approval=True)):
        yield Claim(source="front matter", identity=identity, written=str(identity))
    named = number_forms().file_name.match(own_name(path))
    if named and (identity := _identity(named, kind, approval=approval)):
        yield Claim(source="file name", identity=identity, written=str(identity))
    elif (lettered := number_forms().lettered.match(own_name(path))) and (
        identity := _identity(lettered, kind, approval=approval)
    ):
        yield Claim(source="file name", identity=identity, written=lettered.group())
    headed = number_forms().heading.match(heading)
    if headed and (identity := _identity(headed, kind, approval=approval)):
        yield Claim(source=HEADING, identity=identity, written=headed["written"])


def _numbering(front: FrontMatter) -> Iterator[str]:
    """Yield the keys that give a number to a kind: 'adr: 0016'."""
    return (
        key for key in front if key.lower() in kinds_by_name() and value(front, key).isdecimal()
    )


def _numbered(heading: str, kind: DocumentKind, *, approval: bool) -> Iterator[Claim]:
    """Read the number that a title begins with: '3. Networking', '29 Kubernetes'."""
    if match := _TITLE_NUMBER.match(heading):
        identity = Identity(kind=kind, number=int(match["number"]), approval=approval)
        yield Claim(source=TITLE_NUMBER, identity=identity, written=match["written"])


def _titled(heading: str, kind: DocumentKind | None, status: str) -> Iterator[Claim]:
    """Take the number before a title for the document's, where nothing else says who it is."""
    if kind and kind.is_numbered and status:
        for claim in _numbered(heading, kind, approval=False):
            if _is_marked(claim.written):
                yield replace(claim, written=str(claim.identity))


def _is_marked(written: str) -> bool:
    """Tell a number that is meant as one: '3.', '3 -', '003', and not '12 factors'."""
    return written[-1] in ".:)-–—" or written.startswith("0")


def _identity(
    match: re.Match[str], kind: DocumentKind | None, *, approval: bool
) -> Identity | None:
    prefix = (match["prefix"] or "").lower()
    kind = kinds_by_name().get(prefix, kind)
    if kind is None or not kind.is_numbered:
        return None
    return Identity(
        kind=kind,
        number=int(match["number"]),
        approval=approval or bool(match["d"]) or prefix == "dar",
    )


def _kind(front: FrontMatter, path: PurePath) -> DocumentKind | None:
    if said := kinds_by_name().get(value(front, "type").lower()):
        return said
    if key := next(_numbering(front), ""):
        return kinds_by_name()[key.lower()]
    return kind_of_folders([folder.casefold() for folder in path.parts[:-1]])


@kept_by_kinds()
def _superseded() -> re.Pattern[str]:
    by = either(lambda core: core.statuses.superseded_by)
    letters = "|".join(prefix for prefix in prefixes() if prefix != "dar")
    return re.compile(spoken(rf"{by}\W+(?P<by>({letters})[\s._-]*\d+|.+)"), re.IGNORECASE)


@kept_by_kinds()
def _nothing_named() -> frozenset[str]:
    return frozenset(
        {"", *(word for item in packs().values() for word in item.documents.files.none)}
    )


def _is_approval(front: FrontMatter) -> bool:
    return value(front, "type").lower() in ("approval", "dar", "approval record")


def _bare_title(heading: str, identity: Identity | None) -> str:
    """The heading without the reference or number that it repeats."""
    if match := number_forms().heading.match(heading):
        return heading[match.end() :] or heading
    match = _TITLE_NUMBER.match(heading)
    own = identity and match and int(match["number"]) == identity.number
    return heading[match.end() :] if match and own else heading


def _named_by_file(path: PurePath, identity: Identity | None) -> str:
    """The file's name, without the number that the identity tells already."""
    name = own_name(path) if stands_for_folder(path) else path.stem
    named = number_forms().file_name.match(name) if identity else None
    rest = name[named.end() :] if named else ""
    return re.sub(r"[-_\s]+", " ", rest.strip("-_. ")) or name


def _disagreements(claims: tuple[Claim, ...]) -> Iterator[str]:
    for claim in claims[1:]:
        said, kept = claim.identity, claims[0].identity
        if claim.source == "file name" and said != kept:
            yield (
                f"the {claims[0].source} says {kept}, the file name {said}; "
                f"the {claims[0].source} is kept"
            )
        elif claim.source == HEADING and (said.kind, said.number) != (kept.kind, kept.number):
            yield f"it is {kept}, and its first heading says {said}"


def _named(text: str) -> str:
    """What a field names; nothing where it says that it names none."""
    return "" if text.strip(" .\u2013\u2014").casefold() in _nothing_named() else text


def _status_warnings(written: str, status: str) -> Iterator[str]:
    if written and not status:
        yield f"its status is a form to fill in ({written}); it is left open"


def _number_warnings(
    path: PurePath, kind: DocumentKind | None, identity: Identity | None
) -> Iterator[str]:
    """Warn of a file that is numbered as a register does it, where the number is not kept."""
    numbered = number_forms().numbered.search(path.stem)
    if numbered and not (kind or identity or date_named(path)):
        yield (
            f"its file name bears the number {numbered[1]}, which is not kept: nothing says what "
            "kind of document it is; give it a type or an identifier, or a folder such as "
            "'decisions', or name its kind or its folder in kinds.toml"
        )


def _type_warnings(front: FrontMatter, identity: Identity | None) -> Iterator[str]:
    said = value(front, "type").lower()
    kind = kinds_by_name().get(said)
    if identity and kind and kind != identity.kind:
        yield f"the front matter says type {said!r}, and {identity}; the latter is kept"
    elif said and not kind and not _is_approval(front) and said not in ("document", "note"):
        known = ", ".join(numbered())
        yield f"the front matter's type {said!r} is unknown; {known}, approval"
