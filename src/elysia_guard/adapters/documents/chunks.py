"""Cutting sections into passages that can be read, embedded and quoted on their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from elysia_guard.adapters.documents.content import Block, BlockKind, Section
from elysia_guard.adapters.documents.roles import role_of
from elysia_guard.domain.document import Document, Passage, SectionRole
from elysia_guard.language.sentences import sentences

LIMIT = 1_200
# Only what is no sentence (a dump, a minified file) grows beyond this; it may be cut between words.
_HARD_LIMIT = 4 * LIMIT
MAX_HEADING_CHARS = 300

_TIGHT = (BlockKind.ITEM, BlockKind.ROW)


def cut(document: Document, sections: Sequence[Section]) -> tuple[Passage, ...]:
    """Make one passage of each section, and several of a long one."""
    pieces = [
        (section, piece) for section in sections for piece in _pieces(section.blocks, document.lang)
    ]
    return tuple(
        Passage(
            id=f"{document.id}#{position:03d}",
            document=document,
            section=_place(section, piece[0].page),
            text=_joined(piece),
            position=position,
            role=SectionRole.APPROVAL if document.approval else role_of(section.path),
        )
        for position, (section, piece) in enumerate(pieces)
    )


def embedding_text(passage: Passage) -> str:
    """The text to embed: a short section knows what it is about by its title and heading."""
    heads = (passage.document.title, passage.section)
    return "\n".join([*(head for head in heads if head), passage.text])


def _place(section: Section, page: int) -> str:
    """Name the headings, and the page of a file that has pages: '3 Decision (p. 4)'."""
    headings = " > ".join(map(_heading, section.path))
    if not page:
        return headings
    return f"{headings} (p. {page})" if headings else f"p. {page}"


def _heading(text: str) -> str:
    """Keep the beginning of a heading that is too long to be one: every passage repeats it."""
    return text if len(text) <= MAX_HEADING_CHARS else f"{text[:MAX_HEADING_CHARS]}\u2026"


def _pieces(blocks: Sequence[Block], lang: str) -> Iterator[Sequence[Block]]:
    held: list[Block] = []
    for block in (small for large in blocks for small in _divided(large, lang)):
        if held and len(_joined([*held, block])) > LIMIT:
            # The line that announces a list stays with the list.
            lead = held[-1:] if len(held) > 1 and held[-1].text.endswith(":") else []
            yield held[: len(held) - len(lead)]
            held = lead
        held = [*held, block]
    if held:
        yield held


def _joined(blocks: Sequence[Block]) -> str:
    text = blocks[0].text
    for before, block in pairwise(blocks):
        tight = before.kind in _TIGHT and block.kind is before.kind
        text += ("\n" if tight else "\n\n") + block.text
    return text


def _divided(block: Block, lang: str) -> Iterator[Block]:
    """Yield a block, or its sentences gathered up to the limit where it is too long."""
    if len(block.text) <= LIMIT:
        yield block
        return
    code = block.kind is BlockKind.CODE
    parts = block.text.split("\n") if code else [*map(str.rstrip, sentences(block.text, lang))]
    glue = "\n" if code else " "
    held = ""
    for part in (short for long in parts for short in _bounded(long)):
        if held and len(held) + len(part) >= LIMIT:
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
