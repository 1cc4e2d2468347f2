"""What the text of a document says about the document: lines, tables and a section *Status*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from elysia_guard.adapters.documents.content import Block, BlockKind, Section, particular_names
from elysia_guard.adapters.documents.front_matter import FrontMatter
from elysia_guard.language.states import State, known_state

_NUMBERING = re.compile(r"\A\d+(?:\.\d+)*[.)]?\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ])")
_CHOICE = re.compile(r"\S\s*\|\s*\S|\A[\[{<].*[\]}>]\Z")
_LONGEST = 120


class _Forms(NamedTuple):
    """How a particular is written: on a line of its own, behind others, as a heading."""

    line: re.Pattern[str]
    next: re.Pattern[str]
    joined: re.Pattern[str]
    headed: re.Pattern[str]


@cache
def _forms() -> _Forms:
    names = "|".join(particular_names())
    status = "|".join(name for name, key in particular_names().items() if key == "status")
    # Markdown joins lines that follow each other ('Status: accepted Date: 2026-05-01'); others
    # part them by a bar.
    following = rf"(?:(?i:{names})|[A-ZÄÖÜ][\w-]*(?: [a-zäöü][\w-]*)?)"
    return _Forms(
        line=re.compile(rf"[-*•\s]*({names})\s*:\s*(\S.*)", re.IGNORECASE),
        next=re.compile(rf"(?<=\S)\s+(?:[|\u00b7]\s+)?(?={following}\s*:\s)"),
        joined=re.compile(rf"[-*•\s]*(?:{names})\s*:", re.IGNORECASE),
        headed=re.compile(
            rf"(?:{status})\s*(?:[:\u2013\u2014-]\s*(?P<state>\S.*))?", re.IGNORECASE
        ),
    )


def particulars(sections: Sequence[Section]) -> FrontMatter:
    """Read what a text says about its document, word for word.

    Lines and table rows under the title say it best, then a section *Status*, then lines in the
    first section where one of them names a status ('Metadata').
    """
    found: dict[str, str] = {}
    for key, text in _lines(section for section in sections if not section.path):
        found.setdefault(key, text)
    for section in sections:
        if state := _section_state(section):
            found.setdefault("status", state)
    first = next((section for section in sections if section.path), None)
    lines = dict(reversed(list(_lines([first])))) if first and "status" not in found else {}
    return {**lines, **found} if "status" in lines else found


def stateless(sections: Iterable[Section]) -> str:
    """Return what a section *Status* says where that is no status; nothing without such a section.

    >>> stateless([])
    ''
    """
    for section in sections:
        if _headed(section) and not _section_state(section):
            return section.blocks[0].text if section.blocks else ""
    return ""


def is_choice(status: str) -> bool:
    """Tell whether a status is a form to fill in: '[proposed | accepted]'."""
    return bool(_CHOICE.search(status))


def _lines(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    for section in sections:
        prose = (block for block in section.blocks if block.kind is not BlockKind.CODE)
        yield from chain.from_iterable(map(_labelled, prose))


def _labelled(block: Block) -> Iterator[tuple[str, str]]:
    """Yield what the lines of a block, or the cells of a row, say by name."""
    for line in re.split(r"\n|;\s", block.text):
        parts = _forms().next.split(line) if _forms().joined.match(line) else [line]
        for part in parts:
            match = _forms().line.fullmatch(part.strip())
            if match and len(part) <= _LONGEST:
                value = match[2].strip().rstrip(".")
                key = particular_names()[match[1].casefold()]
                if key != "status" or not is_choice(value):
                    yield key, value


def _headed(section: Section) -> re.Match[str] | None:
    heading = section.path[-1] if section.path else ""
    return _forms().headed.fullmatch(_NUMBERING.sub("", heading).strip(" :."))


def _section_state(section: Section) -> str:
    """Return the status that a section is there for; a line that names a successor says it best."""
    headed = _headed(section)
    if headed is None:
        return ""
    if headed["state"]:
        return headed["state"].strip()
    lines = [line for block in section.blocks for line in block.text.split("\n")]
    states = [state for line in lines if (state := _state(line))]
    replaced = (state for state in states if known_state(state) is State.SUPERSEDED)
    return next(replaced, next(iter(states), ""))


def _state(line: str) -> str:
    """Return the status that a line holds: all of it, or its first sentence."""
    bare = line.strip(" -*•")
    whole = bare if len(bare) <= _LONGEST else _SENTENCE.split(bare)[0]
    labelled = _forms().line.fullmatch(whole)
    if labelled and particular_names()[labelled[1].casefold()] == "status":
        whole = labelled[2]
    elif labelled:
        return ""
    state = whole.strip().rstrip(".")
    return "" if len(state) > _LONGEST or is_choice(state) else state
