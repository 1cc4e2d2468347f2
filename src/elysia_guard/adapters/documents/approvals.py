"""Approvals, read from the tables of an approval record: who, when, what, of which version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.adapters.documents.content import Block, BlockKind, Section
from elysia_guard.domain.document import Approval

_FIELDS = {
    "version": r"version\b.*|versie\b.*|fassung\b.*",
    "decision": r"decision|outcome|status|besluit|beslissing|uitkomst|entscheidung|ergebnis",
    "date": r"((decision|approval) )?date( of .*)?|(besluit)?datum( van .*)?"
    r"|(entscheidungs|beschluss)datum|datum der .*",
    "driver": r"driver\b.*|(decision )?owner|eigenaar|(besluit)?trekker|verantwortlich\w*",
}
_LABELS = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in _FIELDS.items()}
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
        facts, approvers = _read(section)
        if facts:
            place = " > ".join(section.path)
            groups.append([Approval(section=place, approvers=approvers, **item) for item in facts])
        elif approvers and groups:
            groups[-1] = [_with(item, approvers) for item in groups[-1]]
    return groups


def _with(approval: Approval, approvers: tuple[str, ...]) -> Approval:
    return approval if approval.approvers else replace(approval, approvers=approvers)


def _read(section: Section) -> tuple[list[_Facts], tuple[str, ...]]:
    """Read the approvals of a section, and the rows of approvers under them."""
    found: list[_Facts] = []
    approvers: list[str] = []
    between = False
    for block in section.blocks:
        between = between or (bool(found) and block.kind is not BlockKind.ROW)
        cells = list(_cells(block))
        facts = {key: text for name, text in cells if (key := _key(name))}
        if facts and not between:
            if not found or facts.keys() & found[-1].keys():
                found.append({})
            found[-1].update(facts)
        elif block.kind is BlockKind.ROW and cells and (between or not found):
            approvers.append(block.text.rstrip("."))
    kept = [facts for facts in found if "decision" in facts]
    return kept, tuple(approvers)


def _cells(block: Block) -> Iterator[tuple[str, str]]:
    if block.kind is not BlockKind.ROW and len(block.text) > _LONGEST_LINE:
        return
    for cell in _CELL.split(block.text.lstrip("-* ").rstrip(".")):
        name, colon, text = cell.partition(": ")
        if colon and text.strip():
            yield name.strip(), text.strip()


def _key(name: str) -> str:
    return next((key for key, label in _LABELS.items() if label.fullmatch(name)), "")
