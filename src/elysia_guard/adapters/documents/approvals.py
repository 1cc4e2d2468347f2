"""Approvals, read from the tables of an approval record: who, when, what, of which version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache

from elysia_guard.adapters.documents.content import Block, BlockKind, Section
from elysia_guard.domain.document import Approval
from elysia_guard.language.pack import packs
from elysia_guard.language.pack_files import RecordSection
from elysia_guard.language.phrases import spoken

_CELL = re.compile(r";\s(?=[^;:]{1,60}:\s)")
_LONGEST_LINE = 120

_Facts = dict[str, str]


def approvals_of(sections: Sequence[Section]) -> tuple[Approval, ...]:
    """Return the approvals that a record lists, the newest first, then those without a date."""
    found = [approval for section in _grouped(sections) for approval in section]
    return tuple(sorted(found, key=lambda item: item.date, reverse=True))


def _grouped(sections: Sequence[Section]) -> list[list[Approval]]:
    """Read each section; a table of approvers without approvals belongs to the last ones."""
    groups: list[list[Approval]] = []
    for section in sections:
        found, approvers = _read(section)
        if found:
            groups.append(found)
        elif approvers and groups:
            groups[-1] = [_with(item, approvers) for item in groups[-1]]
    return groups


def _with(approval: Approval, approvers: Sequence[str]) -> Approval:
    return replace(approval, approvers=approval.approvers or tuple(approvers))


def _read(section: Section) -> tuple[list[Approval], list[str]]:
    """Read the approvals of a section, and the approvers that belong to all of them."""
    found: list[tuple[_Facts, list[str]]] = []
    shared: list[str] = []
    between = False
    for block in section.blocks:
        cells = list(_cells(block))
        facts = {key: text for name, text in cells if (key := _key(name))}
        alone = len(cells) == 1
        if facts and (alone or not between):
            between = False
            if not found or facts.keys() & found[-1][0].keys():
                found.append((facts, []))
            found[-1][0].update(facts)
        elif block.kind is not BlockKind.ROW:
            between = bool(found)
        elif cells and (between or not found):
            (found[-1][1] if found else shared).append(block.text.rstrip("."))
    place = " > ".join(section.path)
    made = [
        Approval(section=place, approvers=tuple(approvers), **facts)
        for facts, approvers in found
        if "decision" in facts
    ]
    return made, shared


def _cells(block: Block) -> Iterator[tuple[str, str]]:
    if block.kind is not BlockKind.ROW and len(block.text) > _LONGEST_LINE:
        return
    for cell in _CELL.split(block.text.lstrip("-* ").rstrip(".")):
        name, colon, text = cell.partition(": ")
        if colon and text.strip():
            yield name.strip(), text.strip()


def _key(name: str) -> str:
    return next((key for key, label in _labels().items() if label.fullmatch(name)), "")


@cache
def _labels() -> Mapping[str, re.Pattern[str]]:
    """What an approval record calls each field, in every language."""
    records = [item.documents.record for item in packs().values()]
    labels = {
        field.name: [label for record in records for label in getattr(record, field.name)]
        for field in fields(RecordSection)
    }
    return {
        key: re.compile(spoken("|".join(found)), re.IGNORECASE) for key, found in labels.items()
    }
