"""Which approval of a document counts, and where the document says something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from elysia_guard.domain.document import Approval, Document, Passage
from elysia_guard.domain.question import Aspect, Lang, Role
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import packs
from elysia_guard.language.states import State, known_state

_AFTER_APPROVAL = frozenset({State.SUPERSEDED, State.DEPRECATED})
"""What becomes of a document later; its approval record knows nothing of it."""

_FACTS: dict[Aspect, tuple[str, ...]] = {
    Aspect.STATUS: ("decision", "date", "version"),
    Aspect.DATE: ("date", "decision", "version"),
    Aspect.VERSION: ("version", "decision", "date"),
    Aspect.OWNER: ("driver",),
    Aspect.DRIVER: ("driver",),
    Aspect.APPROVAL: ("decision", "date", "driver", "approvers"),
}
"""The fields of an approval that are told by what is asked, in this order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """Words of a record, the passage in which they stand, and what they are in the reader's."""

    lead: str
    text: str
    passage: Passage


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalPart:
    """What a record says of one approval."""

    heading: str
    facts: tuple[Fact, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """What a document and its approval record say differently: status, date or version."""

    what: str
    own: str
    recorded: str


def deciding(approvals: Sequence[Approval]) -> Approval | None:
    """Return the approval that counts: the newest whose decision is a status that is known.

    Another body's 'Supported' takes nothing back that was accepted before it.
    """
    known = (item for item in approvals if known_state(item.decision))
    return next(known, approvals[0] if approvals else None)


def decided_on(document: Document) -> tuple[str, ...]:
    """Return when a document was decided, each time; else the date that it bears.

    Another body's support counts; an objection before the decision that counts is none itself.
    """
    counts = deciding(document.approvals)
    if counts is None:
        return (document.date,)
    state = known_state(counts.decision)
    return tuple(
        item.date
        for item in document.approvals
        if item.date and (item.date >= counts.date or known_state(item.decision) is state)
    ) or (document.date,)


def as_recorded(document: Document, record: Document | None) -> Document:
    """Return a document with what its approval record decides; a record with what it says itself.

    ``record`` is anything that bears the record's id and approvals.
    """
    if document.approval:
        decided = deciding(document.approvals)
        return _filled(document, decided) if decided else document
    if record is None:
        return document
    decided = deciding(record.approvals) or Approval()
    outlived = document.superseded_by or known_state(document.status) in _AFTER_APPROVAL
    alike = document.status.casefold() == decided.decision.casefold()
    return replace(
        document,
        status=document.status if outlived or alike else decided.decision or document.status,
        date=decided.date or document.date,
        record=record.id,
        approvals=record.approvals,
        own_status=document.status,
        own_date=document.date,
    )


def _filled(record: Document, decided: Approval) -> Document:
    return replace(
        record,
        status=record.status or decided.decision,
        date=record.date or decided.date,
        own_status=record.status,
        own_date=record.date,
    )


def differences(document: Document) -> Iterator[Difference]:
    """Yield what a document says of itself that its approval record says differently."""
    decided = deciding(document.approvals)
    if document.approval or not document.record or decided is None:
        return
    pairs = (
        ("status", document.own_status, decided.decision),
        ("date", document.own_date, decided.date),
        ("version", document.version, decided.version),
    )
    for what, own, recorded in pairs:
        if own and recorded and own.casefold() != recorded.casefold():
            yield Difference(what=what, own=own, recorded=recorded)


def own(document: Document, aspect: Aspect) -> str:
    """Return what a document states of itself by what is asked; nothing where it does not."""
    return {
        Aspect.STATUS: document.status,
        Aspect.DATE: document.date,
        Aspect.OWNER: document.owner,
        Aspect.VERSION: document.version,
    }.get(aspect, "")


def states(document: Document, aspect: Aspect) -> bool:
    """Tell whether a document or its record states what is asked, such as a status."""
    fields = _FACTS.get(aspect, ())
    recorded = any(getattr(item, name) for item in document.approvals for name in fields)
    return bool(own(document, aspect)) or recorded


def named_as(role: Role, document: Document) -> tuple[str, ...]:
    """Return whom a document names as its owner, or its approval record in another role.

    Of a row of people these are the cells that name one; 'Head of Gas, Operations' is the Head of
    Gas too.
    """
    if role is Role.OWNER:
        return (document.owner,) if document.owner else ()
    told = [getattr(item, role) for item in document.approvals]
    if role is Role.DRIVER:
        return tuple(dict.fromkeys(filter(None, told)))
    cells = (cell.partition(": ") for rows in told for row in rows for cell in row.split("; "))
    names = [name for head, _, name in cells if head.casefold() in _people()]
    return tuple(dict.fromkeys(way for name in names for way in (name, name.partition(", ")[0])))


@cache
def _people() -> frozenset[str]:
    """What heads the columns that name people and bodies."""
    return frozenset(word for item in packs().values() for word in item.documents.tables.who)


def standing(
    document: Document, *, known: str = "", dated: bool = False, each: bool = False
) -> str:
    """Write status and date for a list; where its record says another status: which says what.

    The date is told where the list is ``dated``; a status that is ``known`` of the whole list, not.
    Where ``each`` of several decisions may be why it is listed, each is told with its own date.
    """
    differs = next((item for item in differences(document) if item.what == "status"), None)
    dates = decided_on(document)
    if each and len(dates) > 1:
        decisions = (item for item in document.approvals if item.date in dates)
        told_each = (f"{item.decision} {item.date}".strip() for item in decisions)
        status = ", ".join(filter(None, told_each))
        if differs:
            status = f"{document.record}: {status}; {document.name}: {differs.own}"
        return f" ({status})"
    date = document.date if dated else ""
    if differs:
        own_date = document.own_date if dated and document.own_date != document.date else ""
        recorded = f"{differs.recorded} {date}".strip()
        own = f"{differs.own} {own_date}".strip()
        return f" ({document.record}: {recorded}; {document.name}: {own})"
    status = "" if document.status.casefold() == known.casefold() else document.status
    told = ", ".join(filter(None, (status, date)))
    if dated and document.record and document.own_date not in {"", date}:
        told = f"{document.record}: {told}; {document.name}: {document.own_date}"
    return f" ({told})" if told else ""


def told(
    document: Document, aspect: Aspect, passages: Sequence[Passage], lang: Lang
) -> Iterator[ApprovalPart]:
    """Yield what is asked of each approval of a document, the one that decides first.

    ``passages`` hold those of its record; what stands in none of them is not told. An owner that a
    document names itself is no matter of its record.
    """
    if aspect is Aspect.OWNER and document.owner:
        return
    record = document.id if document.approval else document.record
    within = [item for item in passages if item.document.id == record]
    decided = deciding(document.approvals)
    above = ""
    for approval in sorted(document.approvals, key=lambda item: item is not decided):
        facts = tuple(_facts(approval, within, _FACTS[aspect], lang))
        if facts:
            undated = aspect is Aspect.DATE and not approval.date
            heading = _heading(facts[0].passage.document, approval.section)
            yield ApprovalPart(
                heading=heading if heading != above else "",
                facts=facts,
                notes=(say(lang, "answer.undated"),) if undated else (),
            )
            above = heading


def apart(record: Document, passages: Sequence[Passage]) -> Iterator[tuple[str, Sequence[Passage]]]:
    """Yield heading and passages of each approval, where several have a heading of their own."""
    places = dict.fromkeys(approval.section for approval in record.approvals)
    if not record.approval or len(places) == 1:
        return
    for place in places:
        under = [item for item in passages if item.section.startswith(place)]
        if under:
            yield _heading(record, place), under


def _facts(
    approval: Approval, passages: Sequence[Passage], names: Sequence[str], lang: Lang
) -> Iterator[Fact]:
    under = [item for item in passages if item.section.startswith(approval.section)]
    for name in names:
        value: str | tuple[str, ...] = getattr(approval, name)
        for text in (value,) if isinstance(value, str) else value:
            passage = next((item for item in (*under, *passages) if text in item.text), None)
            if text and passage:
                yield Fact(lead=say(lang, f"answer.{name}"), text=text, passage=passage)


def _heading(record: Document, section: str) -> str:
    several = len({approval.section for approval in record.approvals}) > 1
    return f"**{record.heading}**" + (f" \u2013 {section}" if several else "")
