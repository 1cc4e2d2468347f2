"""What a reader should know before relying on an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.origin import Staleness
from elysia_guard.domain.question import RECORDED, Aspect, Lang
from elysia_guard.domain.reading import Listing, Search, aspect_of
from elysia_guard.domain.refusal import MISSING_WORDS
from elysia_guard.domain.response import ResponseWarning
from elysia_guard.language.approvals import differences
from elysia_guard.language.catalogue import say
from elysia_guard.language.lists import noun
from elysia_guard.language.states import in_force, known_state
from elysia_guard.stages.response import reasons

SHOWN = 3
"""So many documents are named in a message; its details name them all."""


def others(inquiry: Inquiry, draft: Draft) -> tuple[ResponseWarning, ...]:
    """Warn of what the sources disagree on, lack, leave out or do not define."""
    return (
        *_differences(inquiry, draft),
        *_absent(inquiry),
        *_left_out(inquiry),
        *_words(inquiry),
    )


def failures(inquiry: Inquiry) -> tuple[ResponseWarning, ...]:
    """Warn that a language model could not be used; the transparency says so to the reader."""
    flags = [flag for flag in inquiry.unguided if flag.startswith("llm_")]
    if not flags:
        return ()
    message = say(inquiry.question.lang, "transparency.unguided", reasons=", ".join(flags))
    return (ResponseWarning(type="PIPELINE_ERROR", message=message, details={"flags": flags}),)


def states(inquiry: Inquiry, draft: Draft) -> dict[str, ResponseWarning]:
    """Warn of each cited document that is not in force, by its id, where no status is told.

    Beside a status that is told only the successor is left to be said.
    """
    asks, lang = inquiry.asks, inquiry.question.lang
    if isinstance(asks, Listing) and not inquiry.evidence.hits:
        return {}
    cited = [item for item in _cited(inquiry.evidence, draft) if not in_force(item.status)]
    told = aspect_of(asks) is Aspect.STATUS
    return {item.id: _state(item, lang) for item in cited if item.superseded_by or not told}


def _cited(evidence: Evidence, draft: Draft) -> list[Document]:
    ids = {source.doc_id for source in draft.sources}
    pool = [*evidence.documents, *(hit.passage.document for hit in evidence.hits)]
    return list({item.id: item for item in pool if item.id in ids}.values())


def _differences(inquiry: Inquiry, draft: Draft) -> Iterator[ResponseWarning]:
    """Tell once where documents and their approval records disagree on what is asked, or status."""
    lang, evidence, asks = inquiry.question.lang, inquiry.evidence, inquiry.asks
    if isinstance(asks, Listing):
        return
    recorded = aspect_of(asks) in RECORDED - {Aspect.OWNER, Aspect.DRIVER}
    asked = ("status", "date", "version") if recorded else ("status",)
    every = (*evidence.documents, *evidence.approved, *_cited(evidence, draft))
    documents = {item.id: item for item in every}
    named = {item.document.id: item.document.name for item in evidence.records}
    named |= {item.id: item.name for item in documents.values()}
    found = []
    for document in documents.values():
        told = [item for item in differences(document) if item.what in asked]
        own, recorded_as = (
            ", ".join(say(lang, f"differs.{item.what}", value=getattr(item, by)) for item in told)
            for by in ("own", "recorded")
        )
        values = {"name": document.name, "own": own, "recorded": recorded_as}
        record = named.get(document.record, document.record)
        found += [say(lang, "answer.differs", record=record, **values)] if told else []
    if found:
        message = say(lang, "answer.disagree", told=" ".join(found))
        yield ResponseWarning(type="SOURCES_DISAGREE", message=message)


def _absent(inquiry: Inquiry) -> Iterator[ResponseWarning]:
    """Warn of named documents that do not exist."""
    for reference in inquiry.evidence.absent:
        message = reasons.told("answer.absent", inquiry, subject=reference.name)
        yield ResponseWarning(type="ENTITY_NOT_FOUND", message=message)


def _left_out(inquiry: Inquiry) -> Iterator[ResponseWarning]:
    """Warn of what a list leaves out: kinds that were not asked, and documents that are silent."""
    lang, asks = inquiry.question.lang, inquiry.asks
    if not isinstance(asks, Listing):
        return
    if asks.outside:
        named = ", ".join(say(lang, f"list.{kind}_many") for kind in asks.outside)
        asked = reasons.collections(inquiry)
        message = say(lang, "answer.outside", collections=asked, subject=named)
        yield ResponseWarning(type="OUTSIDE", message=message)
    for each in inquiry.evidence.restrictions:
        if each.silent:
            message = say(
                lang,
                "answer.silent",
                property=say(lang, f"property.{each.by}"),
                count=each.silent,
                among=f"{each.among} {noun(asks, lang, count=each.among)}",
            )
            yield ResponseWarning(type="NOT_STATED", message=message)


def _words(inquiry: Inquiry) -> Iterator[ResponseWarning]:
    """Warn that what documents say of a term is no definition, and of words that none holds.

    Of these only where the profile does not refuse for them.
    """
    question, asks = inquiry.question, inquiry.asks
    if isinstance(asks, Search) and asks.meaning_of:
        key = f"answer.undefined_{question.scope.vocabulary}"
        message = say(question.lang, key, term=asks.meaning_of)
        yield ResponseWarning(type="NO_DEFINITION", message=message)
    if missing := inquiry.decided().details.get(MISSING_WORDS):
        message = say(question.lang, "answer.missing_words", words=missing)
        yield ResponseWarning(type="MISSING_WORDS", message=message)


def _state(document: Document, lang: Lang) -> ResponseWarning:
    if document.superseded_by:
        message = say(
            lang, "answer.superseded", name=document.name, successor=document.superseded_by
        )
        return ResponseWarning(type="SUPERSEDED", message=message)
    key = "answer.not_in_force" if known_state(document.status) else "answer.status_unclear"
    message = say(lang, key, name=document.name, status=document.status)
    return ResponseWarning(type="NOT_IN_FORCE", message=message)


def stale_warnings(staleness: Staleness, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Return ADR-0031's warnings of a stale index; they come before what is shown."""
    return tuple(_warnings(staleness, lang))


def reach_warnings(staleness: Staleness, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Say that the sources themselves could not be looked at, where that is so."""
    if not staleness.unreachable:
        return ()
    return (ResponseWarning(type="SOURCE_UNREACHABLE", message=say(lang, "stale.unreachable")),)


def _warnings(staleness: Staleness, lang: Lang) -> Iterator[ResponseWarning]:
    changed, gone = staleness.changed, staleness.gone
    if changed or gone:
        told = _named(changed or gone)
        yield ResponseWarning(
            type="STALE_INDEX",
            message=say(lang, "stale.changed" if changed else "stale.behind", names=told),
            details={"documents": [*_listed(changed, "changed"), *_listed(gone, "gone")]},
        )
    if staleness.vocabularies:
        told = ", ".join(staleness.vocabularies)
        yield ResponseWarning(
            type="STALE_INDEX",
            message=say(lang, "stale.vocabulary", names=told),
            details={"vocabularies": list(staleness.vocabularies)},
        )
    if gone:
        yield ResponseWarning(
            type="PHANTOM_FILE",
            message=say(lang, "stale.gone", names=_named(gone)),
            details={"documents": _listed(gone, "gone")},
        )
    lost = [item for item in changed if staleness.withheld.get(item.id)]
    if lost:
        counts = {item.id: staleness.withheld[item.id] for item in lost}
        yield ResponseWarning(
            type="SNIPPET_MISMATCH",
            message=say(lang, "stale.mismatch", names=_named(lost), count=sum(counts.values())),
            details={"withheld": counts},
        )


def _named(documents: Sequence[Document]) -> str:
    named = ", ".join(item.name for item in documents[:SHOWN])
    more = len(documents) - SHOWN
    return f"{named} (+{more})" if more > 0 else named


def _listed(documents: Sequence[Document], state: str) -> list[dict[str, str]]:
    return [{"doc_id": item.id, "path": item.path, "state": state} for item in documents]
