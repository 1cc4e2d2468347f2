"""Cutting sections, by the part they play, into passages that are read and quoted on their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter

from elysia_guard.adapters.documents.content import (
    BlockKind,
    ContentBlock,
    ContentSection,
    particular_names,
)
from elysia_guard.domain.document import Document, Passage, SectionRole
from elysia_guard.language.pack import packs
from elysia_guard.language.phrases import spoken
from elysia_guard.language.sentences import FENCES, announces, sentences, spans, units

LIMIT = 1_200
# Only what is no sentence (a dump, a minified file) grows beyond this; it may be cut between words.
_HARD_LIMIT = 4 * LIMIT
MAX_HEADING_CHARS = 300
MOST_REPEATED = 400
"""Characters of what introduces a list that stands above each piece of it again."""

_NUMBERING = re.compile(r"\A\W*(?:(?:[\divx]+[.)]|\d+(?:\.\d+)*)\s+)?")
_BEHIND = re.compile(r"\s*(?:\([^()]*\))?\W*\Z")
_LABEL = re.compile(r"\W*(?P<label>[^:\n]{1,40})(?::(?:\s|\Z)|\s(?=\d{1,4}[-/.]\d))")
_LONGEST = 100
"""Characters of a heading that tells a role."""
_ORDER = (
    SectionRole.DRIVERS,
    SectionRole.SUBSTANCE,
    SectionRole.CONSEQUENCES,
    SectionRole.IMPLICATIONS,
    SectionRole.RATIONALE,
    SectionRole.OPTIONS,
    SectionRole.CONTEXT,
    SectionRole.OTHER,
)
"""The first role with a form that fits the whole heading wins."""

_ENCLOSING = frozenset({SectionRole.OPTIONS, SectionRole.CONSEQUENCES})
_TIGHT = (BlockKind.ITEM, BlockKind.ROW)


def cut(document: Document, sections: Sequence[ContentSection]) -> tuple[Passage, ...]:
    """Make one passage of each section, and several of a long one."""
    pieces = [
        (section, role, piece)
        for section in sections
        for role, blocks in _parts(document, section)
        for piece in _pieces(blocks, document.lang)
    ]
    return tuple(
        Passage(
            id=f"{document.id}#{position:03d}",
            document=document,
            section=_place(section, piece[0].page),
            text=_joined(piece),
            position=position,
            role=role,
        )
        for position, (section, role, piece) in enumerate(pieces)
    )


def _parts(
    document: Document, section: ContentSection
) -> Iterable[tuple[SectionRole, Sequence[ContentBlock]]]:
    return [(SectionRole.APPROVAL, section.blocks)] if document.approval else roles_of(section)


def embedding_text(passage: Passage) -> str:
    """The text to embed: a short section knows what it is about by its title and heading."""
    heads = (passage.document.title, passage.section)
    return "\n".join([*(head for head in heads if head), passage.text])


def sentence_texts(passage: Passage) -> tuple[str, ...]:
    """Return each sentence under the document's title; nothing where the passage is but one."""
    found = units(passage.text, passage.document.lang)
    title = f"{passage.document.title}\n" if passage.document.title else ""
    texts = tuple(f"{title}{' '.join(found[span])}" for span in spans(found))
    return texts if len(texts) > 1 else ()


def _place(section: ContentSection, page: int) -> str:
    """Name the headings, and the page of a file that has pages: '3 Decision (p. 4)'."""
    headings = " > ".join(map(_heading, section.path))
    if not page:
        return headings
    return f"{headings} (p. {page})" if headings else f"p. {page}"


def _heading(text: str) -> str:
    """Keep the beginning of a heading that is too long to be one: every passage repeats it."""
    return text if len(text) <= MAX_HEADING_CHARS else f"{text[:MAX_HEADING_CHARS]}\u2026"


def _pieces(blocks: Sequence[ContentBlock], lang: str) -> Iterator[Sequence[ContentBlock]]:
    held: list[ContentBlock] = []
    for block in (small for large in blocks for small in _divided(large, lang)):
        if held and len(_joined([*held, block])) > LIMIT:
            # The line that announces a list stays with the list.
            lead = [held.pop()] if len(held) > 1 and announces(held[-1].text, lang) else []
            above = _above(held, (lead or [block])[0], lang)
            yield held
            held = [*above, *lead]
        held = [*held, block]
    if held:
        yield held


def _above(held: list[ContentBlock], block: ContentBlock, lang: str) -> list[ContentBlock]:
    """Return what introduces a block of a list, to stand above it in a piece of its own.

    Of a paragraph that is the last sentence, which then stands alone in what is held as well.
    """
    depth = _depth(block)
    found: list[tuple[int, ContentBlock, str]] = []
    for at, before in reversed(list(enumerate(held))):
        if before.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH) and _depth(before) < depth:
            item = before.kind is BlockKind.ITEM
            last = before.text if item else sentences(before.text, lang)[-1]
            rest = before.text.removesuffix(last).rstrip()
            depth = _depth(before)
            found.append((at, replace(before, text=" " * (depth + 1) * bool(rest) + last), rest))
    if sum(len(said.text) for _, said, _ in found) > MOST_REPEATED:
        return []
    for at, said, rest in found:
        held[at : at + 1] = [replace(said, text=rest), said] if rest else [said]
    return [said for _, said, _ in reversed(found)]


def _depth(block: ContentBlock) -> int:
    """Return how far in a list a block stands; what follows an item is a part of it."""
    indent = len(block.text) - len(block.text.lstrip()) if block.kind is not BlockKind.CODE else 0
    return indent if block.kind in _TIGHT else indent - 1


def _joined(blocks: Sequence[ContentBlock]) -> str:
    text = _written(blocks[0])
    for before, block in pairwise(blocks):
        tight = before.kind in _TIGHT and block.kind is before.kind
        text += ("\n" if tight else "\n\n") + _written(block)
    return text


def _written(block: ContentBlock) -> str:
    """Write a block so that its kind is told from the text: a row as an item, code in a fence."""
    if block.kind is BlockKind.ROW:
        return f"- {block.text}"
    if block.kind is BlockKind.CODE:
        fence = next((mark for mark in FENCES if mark not in block.text), FENCES[-1])
        return f"{fence}\n{block.text}\n{fence}"
    return block.text


def _divided(block: ContentBlock, lang: str) -> Iterator[ContentBlock]:
    """Yield a block, or its sentences gathered up to the limit where it is too long."""
    code = block.kind is BlockKind.CODE
    most = _HARD_LIMIT if code else LIMIT
    if len(block.text) <= most:
        yield block
        return
    parts = block.text.split("\n") if code else [*map(str.rstrip, sentences(block.text, lang))]
    glue = "\n" if code else " "
    held = ""
    for part in (short for long in parts for short in _bounded(long)):
        if held and len(held) + len(part) >= most:
            yield replace(block, text=held)
            held = part
        else:
            held = held + glue + part if held else part
    yield replace(block, text=held)


def _bounded(sentence: str) -> Iterator[str]:
    start = 0
    while len(sentence) - start > _HARD_LIMIT:
        at = sentence.rfind(" ", start + LIMIT, start + _HARD_LIMIT)
        at = at if at > 0 else start + _HARD_LIMIT
        yield sentence[start:at]
        start = at
        while sentence[start : start + 1].isspace():
            start += 1
    yield sentence[start:]


@cache
def _roles() -> Mapping[SectionRole, re.Pattern[str]]:
    headings = [item.documents.headings for item in packs().values()]
    forms = {role: [form for item in headings for form in getattr(item, role)] for role in _ORDER}
    return {role: re.compile(spoken("|".join(found))) for role, found in forms.items()}


@cache
def _proposals() -> re.Pattern[str]:
    said = (form for item in packs().values() for form in item.documents.headings.proposal)
    return re.compile(spoken("|".join(said)))


def role_of(path: Sequence[str]) -> SectionRole:
    """Name the role of the innermost heading that has one; OTHER if none has.

    What is decided of an option, or concluded of consequences, is a part of these.
    """
    found = [role for heading in reversed(path) if (role := _role(heading))]
    outer = [role for role in found if role in _ENCLOSING]
    if SectionRole.SUBSTANCE in found[:1] and outer:
        return outer[0]
    proposes = any(_proposals().fullmatch(_bare(heading)) for heading in path)
    return next(iter(found), SectionRole.PROPOSAL if proposes else SectionRole.OTHER)


def names_section(heading: str) -> bool:
    """Tell a heading that is called as sections are, and not as a document is."""
    return role_of([heading]) is not SectionRole.OTHER


def roles_of(section: ContentSection) -> Iterator[tuple[SectionRole, Sequence[ContentBlock]]]:
    """Yield the blocks of a section by their roles, in order.

    Where no heading tells a role, the labels of lines do: 'Status: accepted', 'Decision: we use
    X', and what follows the latter. In an outcome 'Rejected options:' does, of the list below it,
    and particulars that stand before all else.
    """
    headed = role_of(section.path)
    if headed not in {SectionRole.OTHER, SectionRole.SUBSTANCE}:
        yield headed, section.blocks
        return
    before = SectionRole.PARTICULARS
    told = [before := _labelled(block, before, headed) for block in section.blocks]
    if not section.path:
        told = _with_neighbours(told, section.blocks)
    for role, found in groupby(zip(told, section.blocks, strict=True), key=itemgetter(0)):
        yield role, [block for _, block in found]


def _with_neighbours(
    told: Sequence[SectionRole], blocks: Sequence[ContentBlock]
) -> list[SectionRole]:
    """Take what stands in one list or table with a particular for one: 'Authors', beside 'Status'.

    That is so under the title, of names and values alone, none of which is a section's.
    """
    found = list(told)
    start = 0
    for kind, run in groupby(blocks, key=lambda block: block.kind):
        held = list(run)
        place = slice(start, start := start + len(held))
        named = kind in _TIGHT and all(_LABEL.match(block.text) for block in held)
        beside = {*found[place]} - {SectionRole.OTHER} == {SectionRole.PARTICULARS}
        if named and beside:
            found[place] = [SectionRole.PARTICULARS] * len(held)
    return found


def _labelled(block: ContentBlock, before: SectionRole, headed: SectionRole) -> SectionRole:
    """Return the role that the label of a block tells; else that of what it follows."""
    found = _LABEL.match(block.text)
    role = _role(found["label"]) if found else None
    if headed is SectionRole.SUBSTANCE:
        if (before if _depth(block) >= 0 else role) is SectionRole.OPTIONS:
            return SectionRole.OPTIONS
        return before if role is before is SectionRole.PARTICULARS else headed
    if block.kind is BlockKind.ROW and role is not SectionRole.PARTICULARS:
        return SectionRole.OTHER  # 'Decision: accepted' in a table tells no decision
    if role is None and before is SectionRole.PARTICULARS:
        return SectionRole.OTHER
    return role or before


def _bare(heading: str) -> str:
    return _BEHIND.sub("", _NUMBERING.sub("", heading.casefold()))


def _role(heading: str) -> SectionRole | None:
    if len(heading) > _LONGEST:
        return None
    bare = _bare(heading)
    found = (role for role, pattern in _roles().items() if pattern.fullmatch(bare))
    return next(found, SectionRole.PARTICULARS if bare in particular_names() else None)
