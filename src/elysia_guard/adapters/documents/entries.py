"""A file that is a whole register: several documents, each under a heading with its number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath

from elysia_guard.adapters.documents.content import Content, Section
from elysia_guard.adapters.documents.front_matter import value
from elysia_guard.adapters.documents.identity import folder_kind
from elysia_guard.adapters.documents.numbering import kinds_by_name, number_forms
from elysia_guard.adapters.documents.particulars import particulars
from elysia_guard.adapters.documents.roles import role_of
from elysia_guard.domain.document import DocumentKind, Identity, SectionRole

ENTRY = "heading in its file"
"""The source of a claim that a heading makes for what stands below it, and not for its file."""
FEWEST = 2
_BARE = re.compile(r"(?:#|n[o°]\.?\s*)?(?P<number>\d{1,6})(?![.\d]*\.\d)[.:)]?\s*[-–—]?\s+(?=\S)")
_LETTERED = re.compile(r"([^\W\d_]{1,12})[\s._-]*(?P<number>\d{1,6})\b\s*[:.–—-]\s*(?=\S)")
_DASH = re.compile(r"\A[\s:.–—-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A document of a register: its identity, its title, and what stands below its heading."""

    heading: str
    identity: Identity
    title: str
    sections: Sequence[Section]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entries:
    """The documents of a file, and ``rest``, what stands under none of them.

    ``warning`` says why a file that looks like a register was left as one document.
    """

    found: Sequence[Entry] = ()
    rest: Sequence[Section] = ()
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
    around = next(filter(None, map(folder_kind, reversed(_folders(path)))), None)
    for depth in range(_deepest(content.sections)):
        if lettered := _gathered(content.sections, depth, None):
            if named or 2 * sum(map(_is_stated, lettered)) >= len(lettered):
                return _settled(lettered, content, depth, single=single)
            return _NONE if single else Entries(warning=_unkept(lettered, "no status"))
        kind = named or around or DocumentKind.DECISION
        bare = _gathered(content.sections, depth, kind)
        if not bare or any(_is_part(item.title) for item in bare):
            continue
        stated = all(map(_is_stated, bare))
        if named or (around and stated):
            return _settled(bare, content, depth, single=single)
        if stated and not single:
            return Entries(warning=_unkept(bare, "a status each"))
    return _NONE if single else _unknown(content.sections)


def _unknown(sections: Sequence[Section]) -> Entries:
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


def _settled(found: list[Entry], content: Content, depth: int, *, single: bool) -> Entries:
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
    sections: Sequence[Section],
    depth: int,
    kind: DocumentKind | None,
    *,
    form: re.Pattern[str] = _BARE,
) -> list[Entry]:
    """Gather what stands below each numbered heading of a depth; nothing where they are few."""
    found: list[Entry] = []
    heading: tuple[str, ...] = ()
    for section in sections:
        own = section.path[: depth + 1]
        who = _who(own[depth], kind, form) if len(own) > depth else None
        if who is None:
            continue
        if own != heading:
            found.append(Entry(heading=own[depth], identity=who[0], title=who[1], sections=[]))
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


def _in_order(found: Sequence[Entry]) -> bool:
    """Tell whether numbers rise or fall throughout: the oldest stands first, or the newest."""
    numbers = [item.identity.number for item in found]
    pairs = list(pairwise(numbers))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def _ids(found: Sequence[Entry]) -> set[Identity]:
    return {item.identity for item in found}


def _folders(path: PurePath) -> list[str]:
    return [folder.casefold() for folder in path.parts[:-1]]


def _deepest(sections: Sequence[Section]) -> int:
    return max((len(item.path) for item in sections), default=0)


def _is_stated(entry: Entry) -> bool:
    return "status" in particulars(entry.sections)


def _unkept(found: Sequence[Entry], having: str) -> str:
    numbers = ", ".join(str(item.identity.number) for item in found[:FEWEST])
    return (
        f"its headings bear numbers ({numbers}, ...) and {having}, so that they are not kept: call "
        "the file 'decisions.md', or say of what kind they are with a type in its front matter"
    )
