"""Registers: several documents in a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath

from elysia_guard.adapters.documents.chunks import role_of
from elysia_guard.adapters.documents.content import (
    Card,
    Content,
    ContentSection,
    ParsedDocument,
    Skipped,
    value,
)
from elysia_guard.adapters.documents.identity import TITLE_NUMBER, read_card
from elysia_guard.adapters.documents.ids import Read, by_path, is_of
from elysia_guard.adapters.documents.names import (
    folder_kind,
    kind_of_folders,
    kinds_by_name,
    number_forms,
)
from elysia_guard.adapters.documents.particulars import particulars
from elysia_guard.domain.document import DocumentKind, Identity, SectionRole

ENTRY = "heading in its file"
"""The source of a claim that a heading makes for what stands below it, and not for its file."""
FEWEST = 2
_BARE = re.compile(r"(?:#|n[o°]\.?\s*)?(?P<number>\d{1,6})(?![.\d]*\.\d)[.:)]?\s*[-–—]?\s+(?=\S)")
_LETTERED = re.compile(r"([^\W\d_]{1,12})[\s._-]*(?P<number>\d{1,6})\b\s*[:.–—-]\s*(?=\S)")
_DASH = re.compile(r"\A[\s:.–—-]+")
Build = Callable[[Card, Content], ParsedDocument]
"""Makes a document of a card and of what stands below it."""


def taken_apart(
    whole: ParsedDocument, card: Card, content: Content, *, path: PurePath, build: Build
) -> ParsedDocument:
    """Give a document the entries that its file holds, or a warning why they are none."""
    several = entries_of(content, path=path, single=card.number is not None)
    if several.warning:
        told = f"{whole.document.path}: {several.warning}"
        return replace(whole, warnings=(*whole.warnings, told))
    entries = [_entry(item, card, build) for item in several.found]
    if entries and several.rest:
        about = replace(card, kind=DocumentKind.DOCUMENT, warnings=(), status="", date="")
        entries.append(build(about, replace(content, sections=several.rest, links=())))
    return replace(whole, entries=tuple(entries))


def settled(read: Iterable[Read]) -> Iterator[Read]:
    """Believe what a heading alone says of a number, where no other file is of that number.

    Headings of another folder count for themselves. Otherwise a register is read as one document,
    and a title's number is no identity.
    """
    found = list(read)
    taken = {
        ("", item.document.id): (shown, item.document.sha256)
        for shown, item in found
        if isinstance(item, ParsedDocument) and not item.entries and _is_certain(item)
    }
    for shown, item in found:
        if isinstance(item, Skipped) or not (item.entries or _is_titled(item)):
            yield shown, item
            continue
        own = item.entries or (item,)
        ids = [each.document.id for each in own if each.document.number is not None]
        folder = str(PurePath(shown).parent)
        keys = ((place, id_) for id_ in ids for place in ("", folder))
        other = next((key for key in keys if key in taken), None)
        if other is None:
            told = dict.fromkeys([(folder, id_) for id_ in ids], (shown, item.document.sha256))
            taken |= told
            yield from ((shown, each) for each in own)
        elif taken[other][1] == item.document.sha256:
            reason = f"the same file as {taken[other][0]}"
            yield shown, Skipped(path=item.document.path, reason=reason)
        else:
            yield shown, _as_one(item, f"{other[1]} is {taken[other][0]} already")


def with_id(reading: ParsedDocument, id_: str) -> ParsedDocument:
    """Return the document of an id among those of a file; the file as one where none has it."""
    if _is_titled(reading) and not is_of(reading.document.id, id_):
        reading = _unnumbered(reading)
    own = (item for item in reading.entries if is_of(item.document.id, id_))
    found = next(own, reading)
    return found.under(id_) if is_of(found.document.id, id_) else found


def _entry(entry: RegisterEntry, card: Card, build: Build) -> ParsedDocument:
    noted = particulars(entry.sections)
    heading = f"{entry.identity}: {entry.title}"
    own = read_card({}, path=PurePath(), heading=heading, noted=noted)
    claims = tuple(replace(claim, source=ENTRY) for claim in own.claims)
    content = Content(heading=entry.title, sections=entry.sections)
    return build(replace(own, lang=own.lang or card.lang, claims=claims), content)


def _as_one(item: ParsedDocument, why: str) -> ParsedDocument:
    one = item if item.entries else _unnumbered(item)
    what = "it is read as one document" if item.entries else "its title's number is not kept"
    told = f"{item.document.path}: {why}; {what}"
    return replace(one, entries=(), warnings=(*one.warnings, told))


def _unnumbered(item: ParsedDocument) -> ParsedDocument:
    document = replace(item.document, number=None, identifier="")
    plain = replace(item, document=document, claims=())
    return plain.under(by_path(document.path))


def _is_certain(item: ParsedDocument) -> bool:
    return item.document.number is not None and not _is_titled(item)


def _is_titled(item: ParsedDocument) -> bool:
    return bool(item.claims) and item.claims[0].source == TITLE_NUMBER


@dataclass(frozen=True, kw_only=True, slots=True)
class RegisterEntry:
    """A document of a register: its identity, its title, and what stands below its heading."""

    heading: str
    identity: Identity
    title: str
    sections: Sequence[ContentSection]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entries:
    """The documents of a file, and ``rest``, what stands under none of them.

    ``warning`` says why a file that looks like a register was left as one document.
    """

    found: Sequence[RegisterEntry] = ()
    rest: Sequence[ContentSection] = ()
    warning: str = ""


_NONE = Entries()


def entries_of(content: Content, *, path: PurePath, single: bool) -> Entries:
    """Find the documents of a file by its headings.

    A heading with letters of a kind ('ADR-012: ...') begins one where the file's name or front
    matter tells a kind, or half of them have a status of their own: release notes name decisions
    in headings too. A number alone ('12. Use Kafka') does where name or front matter tell the
    kind, or where the folder does and each has a status: numbered chapters have none. ``single``
    says that the file itself is one document already, so that a number below is a part of it.
    """
    told = kinds_by_name().get(value(content.front, "type").lower())
    named = told or folder_kind(path.stem.casefold())
    around = kind_of_folders(_folders(path))
    for depth in range(_deepest(content.sections)):
        if lettered := _gathered(content.sections, depth, None):
            if named or 2 * sum(map(_is_stated, lettered)) >= len(lettered):
                return _kept(lettered, content, depth, single=single)
            return _NONE if single else Entries(warning=_unkept(lettered, "no status"))
        kind = named or around or DocumentKind.DECISION
        bare = _gathered(content.sections, depth, kind)
        if not bare or any(_is_part(item.title) for item in bare):
            continue
        stated = all(map(_is_stated, bare))
        if named or (around and stated):
            return _kept(bare, content, depth, single=single)
        if stated and not single:
            return Entries(warning=_unkept(bare, "a status each"))
    return _NONE if single else _unknown(content.sections)


def _unknown(sections: Sequence[ContentSection]) -> Entries:
    """Warn of headings with letters that name no kind ('D001: ...'), where each has a status."""
    for depth in range(_deepest(sections)):
        found = _gathered(sections, depth, DocumentKind.DECISION, form=_LETTERED)
        letters = {match[1] for item in found if (match := _LETTERED.match(item.heading))}
        if len(letters) == 1 and all(map(_is_stated, found)):
            (name,) = letters
            return Entries(
                warning=f"its headings bear numbers ({found[0].heading.split()[0]} ...) and a "
                "status each, which are not kept: nothing says what kind "
                f"'{name}' is; name it in kinds.toml"
            )
    return _NONE


def _kept(found: list[RegisterEntry], content: Content, depth: int, *, single: bool) -> Entries:
    numbers = ", ".join(str(item.identity) for item in found[:FEWEST])
    several = f"its headings bear numbers ({numbers}, ...)"
    if single:
        return Entries(warning=f"{several}, and it has one of its own; they are read as its parts")
    twice = next((a for n, a in enumerate(found) if a.identity in _ids(found[:n])), None)
    if twice:
        return Entries(
            warning=f"two of its headings say {twice.identity}; it is read as one document"
        )
    headings = {item.heading for item in found}
    rest = [item for item in content.sections if headings.isdisjoint(item.path[depth : depth + 1])]
    return Entries(found=found, rest=rest)


def _gathered(
    sections: Sequence[ContentSection],
    depth: int,
    kind: DocumentKind | None,
    *,
    form: re.Pattern[str] = _BARE,
) -> list[RegisterEntry]:
    """Gather what stands below each numbered heading of a depth; nothing where they are few."""
    found: list[RegisterEntry] = []
    heading: tuple[str, ...] = ()
    for section in sections:
        own = section.path[: depth + 1]
        who = _who(own[depth], kind, form) if len(own) > depth else None
        if who is None:
            continue
        if own != heading:
            found.append(
                RegisterEntry(heading=own[depth], identity=who[0], title=who[1], sections=[])
            )
        heading = own
        below = replace(section, path=section.path[depth + 1 :])
        found[-1] = replace(found[-1], sections=[*found[-1].sections, below])
    return found if len(_ids(found)) >= FEWEST and (kind is None or _in_order(found)) else []


def _who(
    heading: str, kind: DocumentKind | None, form: re.Pattern[str]
) -> tuple[Identity, str] | None:
    """Return whom a heading names, and its title; by letters, or by a number of ``kind``."""
    if kind is None:
        match = number_forms().heading.match(heading)
        said = kinds_by_name().get(match["prefix"].lower()) if match else None
        if match is None or said is None or match["d"]:
            return None
        return Identity(kind=said, number=int(match["number"])), heading[match.end() :] or heading
    bare = form.match(heading)
    if bare is None:
        return None
    title = _DASH.sub("", heading[bare.end() :])
    return Identity(kind=kind, number=int(bare["number"])), title


def _is_part(title: str) -> bool:
    """Tell a heading of one document ('2. Decision') from the title of another."""
    return role_of([title]) is not SectionRole.OTHER


def _in_order(found: Sequence[RegisterEntry]) -> bool:
    """Tell whether numbers rise or fall throughout: the oldest stands first, or the newest."""
    numbers = [item.identity.number for item in found]
    pairs = list(pairwise(numbers))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def _ids(found: Sequence[RegisterEntry]) -> set[Identity]:
    return {item.identity for item in found}


def _folders(path: PurePath) -> list[str]:
    return [folder.casefold() for folder in path.parts[:-1]]


def _deepest(sections: Sequence[ContentSection]) -> int:
    return max((len(item.path) for item in sections), default=0)


def _is_stated(entry: RegisterEntry) -> bool:
    return "status" in particulars(entry.sections)


def _unkept(found: Sequence[RegisterEntry], having: str) -> str:
    numbers = ", ".join(str(item.identity.number) for item in found[:FEWEST])
    return (
        f"its headings bear numbers ({numbers}, ...) and {having}, so that they are not kept: call "
        "the file 'decisions.md', or say of what kind they are with a type in its front matter"
    )
