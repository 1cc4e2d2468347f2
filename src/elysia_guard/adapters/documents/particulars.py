"""What a document says about itself: its text, its file's properties, the tables of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from elysia_guard.adapters.documents.content import (
    BlockKind,
    ContentBlock,
    ContentSection,
    FrontMatter,
    particular_names,
)
from elysia_guard.domain.document import PEOPLE, Approval
from elysia_guard.language.pack import packs
from elysia_guard.language.pack_files import RecordSection
from elysia_guard.language.phrases import spoken
from elysia_guard.language.states import State, known_state
from elysia_guard.language.text import clean, words

_NUMBERING = re.compile(r"\A\d+(?:\.\d+)*[.)]?\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ])")
_CHOICE = re.compile(r"\S\s*\|\s*\S|\A[\[{<].*[\]}>]\Z")
_LONGEST = 120
_CELL = re.compile(r";\s(?=[^;:]{1,60}:\s)")

_Facts = dict[str, Any]
_People = dict[str, list[str]]
# Names that only somebody who means them writes; they count like front matter.
_SAID = {
    **{
        name: name
        for name in (
            "identifier", "type", "status", "decision", "principle", "policy", "approves", "owner",
            "deciders", "decision-makers", "supersedes", "superseded-by", "date",
        )
    },
    "replaces": "supersedes",
    "isreplacedby": "superseded-by",
    "issued": "date",
}  # fmt: skip
# Names that a word processor or a site fills in by itself.
_NOTED = {
    "author": "author",
    "creator": "author",
    "title": "title",
    "language": "lang",
    "lang": "lang",
    "creationdate": "date",
    "created": "date",
    "article:published-time": "date",
    "contentstatus": "status",
}
_DATE = re.compile(r"\s*(?:D:)?(\d{4})-?(\d{2})-?(\d{2})(?=\D|\d{6}|\Z)")
_VOCABULARY = re.compile(r"\A(?:dc|dct|dcterms)[.:]")


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
        line=re.compile(
            rf"[-*•\s]*({names})(?:\s*:\s*|\s+(?=\d{{1,4}}[-/.]\d))(\S.*)", re.IGNORECASE
        ),
        next=re.compile(rf"(?<=\S)\s+(?:[|\u00b7]\s+)?(?={following}\s*:\s)"),
        joined=re.compile(rf"[-*•\s]*(?:{names})\s*:", re.IGNORECASE),
        headed=re.compile(
            rf"(?:{status})\s*(?:[:\u2013\u2014-]\s*(?P<state>\S.*))?", re.IGNORECASE
        ),
    )


def particulars(sections: Sequence[ContentSection]) -> FrontMatter:
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


def stateless(sections: Iterable[ContentSection]) -> str:
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


def _lines(sections: Iterable[ContentSection]) -> Iterator[tuple[str, str]]:
    for section in sections:
        prose = (block for block in section.blocks if block.kind is not BlockKind.CODE)
        yield from chain.from_iterable(map(_labelled, prose))


def _labelled(block: ContentBlock) -> Iterator[tuple[str, str]]:
    """Yield what the lines of a block, or the cells of a row, say by name."""
    for line in re.split(r"\n|;\s", block.text):
        parts = _forms().next.split(line) if _forms().joined.match(line) else [line]
        for part in parts:
            match = _forms().line.fullmatch(part.strip())
            if match and len(part) <= _LONGEST:
                value = match[2].strip().rstrip(".")
                key = particular_names()[match[1].casefold()]
                if not _is_to_fill_in(key, value):
                    yield key, value


def _is_to_fill_in(key: str, text: str) -> bool:
    """Tell a status that is a choice, and a date without a figure: 'insert date'."""
    return is_choice(text) if key == "status" else key == "date" and not re.search(r"\d", text)


def _headed(section: ContentSection) -> re.Match[str] | None:
    heading = section.path[-1] if section.path else ""
    return _forms().headed.fullmatch(_NUMBERING.sub("", heading).strip(" :."))


def _section_state(section: ContentSection) -> str:
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


def said(properties: Mapping[str, str]) -> tuple[FrontMatter, FrontMatter]:
    """Sort properties into what somebody said on purpose, and what a program noted."""
    front: dict[str, str] = {}
    noted: dict[str, str] = {}
    for key, value in properties.items():
        name = re.sub(r"[\s_]+", "-", clean(key).casefold())
        vocabulary, name = bool(_VOCABULARY.match(name)), _VOCABULARY.sub("", name)
        text = clean(value)
        if not text:
            continue
        if name in _SAID and (name != "type" or not vocabulary):
            front.setdefault(_SAID[name], _dated(_SAID[name], text))
        elif name in _NOTED:
            noted.setdefault(_NOTED[name], _dated(_NOTED[name], text))
    if "lang" in noted:
        noted["lang"] = short_lang(noted["lang"])
    return front, noted


def short_lang(tag: str) -> str:
    """Return the language of a BCP 47 tag; nothing for English, which tools write unasked.

    >>> short_lang("nl-NL"), short_lang("en-US")
    ('nl', '')
    """
    lang = re.split(r"[-_]", tag.strip().lower())[0]
    return "" if lang == "en" else lang


def _dated(key: str, text: str) -> str:
    """Write the date of a time stamp; other text stays as it is."""
    if key == "date" and (match := _DATE.match(text)):
        return "-".join(match.groups())
    return text


def approvals_of(sections: Sequence[ContentSection]) -> tuple[Approval, ...]:
    """Return the approvals that a record lists, the newest first, then those without a date."""
    found = [approval for section in _grouped(sections) for approval in section]
    return tuple(sorted(found, key=lambda item: item.date, reverse=True))


def _grouped(sections: Sequence[ContentSection]) -> list[list[Approval]]:
    """Read each section; a table of approvers without approvals belongs to the last ones."""
    groups: list[list[Approval]] = []
    for section in sections:
        found, people = _read_record(section)
        if found:
            groups.append(found)
        elif people and groups:
            groups[-1] = [_with(item, people) for item in groups[-1]]
    return groups


def _with(approval: Approval, people: _People) -> Approval:
    new: _Facts = {role: getattr(approval, role) or tuple(rows) for role, rows in people.items()}
    return replace(approval, **new)


def _read_record(section: ContentSection) -> tuple[list[Approval], _People]:
    """Read the approvals of a section, and the people that belong to all of them."""
    found: list[tuple[_Facts, _People]] = []
    shared: _People = {}
    between, role = False, _role(section.path[-1] if section.path else "") or "approvers"
    for block in section.blocks:
        cells = list(_cells(block))
        facts = {key: text for name, text in cells if (key := _key(name))}
        alone = len(cells) == 1
        if facts and (alone or not between):
            between = False
            if not found or facts.keys() & found[-1][0].keys():
                found.append((facts, {}))
            found[-1][0].update(facts)
        elif block.kind is not BlockKind.ROW:
            between, role = bool(found), _role(block.text) or role
        elif cells and (between or not found):
            people = found[-1][1] if found else shared
            people.setdefault(role, []).append(block.text.rstrip("."))
    place = " > ".join(section.path)
    made = [
        _with(Approval(section=place, **facts), people)
        for facts, people in found
        if "decision" in facts
    ]
    return made, shared


def _role(heading: str) -> str:
    """As what people stand below a heading: 'approvers', 'informed'; '' where it tells none."""
    first = next(iter(words(clean(heading).casefold())), "")
    tables = [item.documents.tables for item in packs().values()]
    told = (role for role in PEOPLE if any(first in getattr(each, role) for each in tables))
    return next(told, "")


def _cells(block: ContentBlock) -> Iterator[tuple[str, str]]:
    if block.kind is not BlockKind.ROW and len(block.text) > _LONGEST:
        return
    for cell in _CELL.split(block.text.lstrip("-* ").rstrip(".")):
        name, colon, text = cell.partition(": ")
        if colon and text.strip():
            yield name.strip(), text.strip()


def _key(name: str) -> str:
    return next((key for key, label in _record_labels().items() if label.fullmatch(name)), "")


@cache
def _record_labels() -> Mapping[str, re.Pattern[str]]:
    """What an approval record calls each field, in every language."""
    records = [item.documents.record for item in packs().values()]
    labels = {
        name: [label for record in records for label in getattr(record, name)]
        for name in RecordSection._fields
    }
    return {
        key: re.compile(spoken("|".join(found)), re.IGNORECASE) for key, found in labels.items()
    }
