"""What the trace says of tools of somebody else: which is asked, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.pipeline.recording import Note

_RULED: Mapping[type[Asks], str] = {
    Definition: "it asks for a term",
    Named: "it names a document",
    Listing: "it asks for a list",
    Comparison: "it compares",
    Search: "it names a kind of documents, or a term",
    SmallTalk: "it asks nothing",
    Unclear: "it is asked back",
}
"""Why a question is none for a tool of somebody else."""


def asked_by_word(tool: str, word: str) -> Note:
    """Say that a tool is asked, since a question says what it was wrapped for."""
    told = f"The tool '{tool}' is asked: the question says '{word}'."
    return Note(f"{tool}: '{word}' asks for it", (told,))


def asked_by_plan(tool: str) -> Note:
    """Say that a tool is asked, since a language model names it."""
    return Note(f"{tool}: planned", (f"The tool '{tool}' is asked: a language model names it.",))


class NotAsked(StrEnum):
    """Why a tool of somebody else is not asked, where a question is open."""

    NO_WORD = "the question says none of its words, and no language model is asked"
    UNAVAILABLE = "it is not available"
    ANOTHER = "another one is"
    NOT_PLANNED = "a language model does not name it"
    NO_PLAN = "no plan of a language model names it"


def ruled(inquiry: Inquiry) -> str:
    """Say why no tool of somebody else may be asked: a rule has decided what answers."""
    return "several things are asked" if inquiry.further else _RULED[type(inquiry.asks)]


def not_asked(tools: Mapping[str, str]) -> Note:
    """Say which tools are not asked, each with the reason."""
    by_reason: dict[str, list[str]] = {}
    for tool, why in tools.items():
        by_reason.setdefault(why, []).append(tool)
    remarks = [told for why, names in by_reason.items() for told in unasked(names, why)]
    return Note(f"not asked: {', '.join(tools)}", tuple(remarks))


def unasked(tools: Sequence[str], why: str) -> Iterator[str]:
    """Say in a sentence that these are not asked; nothing of none."""
    if tools:
        yield f"Not asked: {', '.join(map(repr, tools))} ({why})."
