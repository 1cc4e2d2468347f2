"""What a draft cites, as it is now, and what has to go from it for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.draft import Cited, Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.origin import (
    IN_THE_INDEX,
    Against,
    Origin,
    OriginState,
    Staleness,
)
from elysia_guard.domain.reading import Listing
from elysia_guard.language.approvals import as_recorded
from elysia_guard.ports import Origins

_NOTHING: Mapping[str, Origin] = MappingProxyType({})
_NONE: Mapping[str, int] = MappingProxyType({})
_RESULT = Origin(state=OriginState.UNCHANGED, against=Against.RESULT)


async def look(
    origins: Origins, draft: Draft, known: Mapping[str, Origin] = _NOTHING
) -> Mapping[str, Origin]:
    """Look at what a draft cites as it is now, but for what is known; by document id and URI."""
    new = [each for each in draft.cited if _id(each.of) not in known]
    documents = {each.of.id: each.of for each in new if isinstance(each.of, Document)}
    uris = {each.of.uri: None for each in new if isinstance(each.of, Concept)}
    altered = {_id(each.of) for each in new if each.altered}
    found = dict(known)
    if documents:
        found |= await origins.documents(list(documents.values()), read=altered)
    if uris:
        found |= await origins.concepts(list(uris))
    return found


def of_sources(draft: Draft, found: Mapping[str, Origin]) -> tuple[Origin, ...]:
    """Return the origin of each source of a draft, in their order."""
    return tuple(
        _origin(cited, text, found) for cited, text in zip(draft.cited, draft.origins, strict=True)
    )


def _origin(cited: Cited, text: str, found: Mapping[str, Origin]) -> Origin:
    if isinstance(cited.of, Concept):
        return found.get(cited.of.uri, IN_THE_INDEX)
    origin = found.get(cited.of.id, IN_THE_INDEX if cited.of.sha256 else _RESULT)
    if cited.altered and origin.state in {OriginState.UNCHANGED, OriginState.UNREACHABLE}:
        # An object of a store is its own source; of an index that was written to there is none.
        kept = text if origin.against is Against.STORE else ""
        return replace(origin, state=OriginState.CHANGED, text=kept)
    now = _fresh(cited.of, origin) if cited.stated and origin.document else None
    return replace(origin, text=now.stated) if now else origin


def as_now(inquiry: Inquiry, origins: Mapping[str, Origin]) -> Inquiry:
    """Return the inquiry without documents that are gone, the changed ones as they are now.

    A changed document leaves a list: what it is listed for may no longer be so.
    """
    evidence, verdict = inquiry.evidence, inquiry.decided()
    listed = isinstance(inquiry.asks, Listing)
    # What a text is about, its index alone knows.
    in_doubt = {id_ for id_, each in origins.items() if evidence.about and _is_changed(each)}
    return replace(
        inquiry,
        evidence=replace(
            evidence,
            documents=tuple(
                item
                for item in _documents(evidence.documents, origins, listed=listed)
                if item.id not in in_doubt
            ),
            hits=_hits(evidence.hits, origins),
        ),
        verdict=replace(verdict, support=_hits(verdict.support, origins)),
    )


def _documents(
    documents: Iterable[Document], origins: Mapping[str, Origin], *, listed: bool
) -> Iterable[Document]:
    for document in documents:
        origin = origins.get(document.id, IN_THE_INDEX)
        fresh = _fresh(document, origin)
        if fresh and not (listed and _is_in_doubt(document, origin)):
            yield fresh


def _is_changed(origin: Origin) -> bool:
    return origin.state is OriginState.CHANGED


def _is_in_doubt(document: Document, origin: Origin) -> bool:
    """Tell whether a document of a list may no longer be what it is listed for."""
    if not _is_changed(origin):
        return False
    if origin.document is None:
        return True
    now = _fresh(document, origin)
    return now is None or _listed_as(now) != _listed_as(document)


def _listed_as(document: Document) -> tuple[object, ...]:
    """What a list may be restricted by."""
    return (
        document.kind, document.approval, document.status, document.date, document.owner,
        document.lang,
    )  # fmt: skip


def _fresh(document: Document, origin: Origin) -> Document | None:
    """Return a document as it is now, with what the index knows of its file; None if gone."""
    if origin.state is OriginState.GONE:
        return None
    if origin.document is None:
        return document
    now = replace(origin.document, root=document.root, stamp=document.stamp, sha256=document.sha256)
    # What its record decided still holds; a file alone does not tell it.
    record = replace(document, id=document.record) if document.record else None
    return as_recorded(now, record)


def _hits(hits: Iterable[Hit], origins: Mapping[str, Origin]) -> tuple[Hit, ...]:
    kept = []
    for hit in hits:
        document = hit.passage.document
        fresh = _fresh(document, origins.get(document.id, IN_THE_INDEX))
        if fresh is document:
            kept.append(hit)
        elif fresh:
            kept.append(replace(hit, passage=replace(hit.passage, document=fresh)))
    return tuple(kept)


def is_stale(now: Iterable[Origin]) -> bool:
    """Tell whether any source is not what the index knows of it."""
    return any(each.state in {OriginState.CHANGED, OriginState.GONE} for each in now)


def staleness(
    cited: Sequence[Cited], now: Sequence[Origin], withheld: Mapping[str, int] = _NONE
) -> Staleness:
    """Say what has changed among the sources, and how many quotes were withheld of each."""
    by_state: dict[OriginState, dict[str, Document]] = {state: {} for state in OriginState}
    vocabularies: dict[str, None] = {}
    for each, origin in zip(cited, now, strict=True):
        if isinstance(each.of, Document):
            by_state[origin.state][each.of.id] = each.of
        elif origin.state in {OriginState.CHANGED, OriginState.GONE}:
            vocabularies[each.of.vocabulary_title or each.of.vocabulary] = None
    return Staleness(
        changed=tuple(by_state[OriginState.CHANGED].values()),
        gone=tuple(by_state[OriginState.GONE].values()),
        vocabularies=tuple(vocabularies),
        unreachable=any(origin.state is OriginState.UNREACHABLE for origin in now),
        withheld=withheld,
    )


def withheld(before: Draft, after: Draft) -> Mapping[str, int]:
    """Count the quotes that a draft has and another no longer has, by the id of their source."""
    return Counter(_quoted(before)) - Counter(_quoted(after))


def _quoted(draft: Draft) -> Iterable[str]:
    return (
        _id(draft.cited[quote.source - 1].of) for block in draft.blocks for quote in block.quotes
    )


def _id(of: Document | Concept) -> str:
    return of.uri if isinstance(of, Concept) else of.id
