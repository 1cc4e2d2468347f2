"""The verification stage: every quote stands word for word in its source, as that is now."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.draft import Cited, Draft, HeldDraft, Quote
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.origin import IN_THE_INDEX, Against, Origin, OriginState, Staleness
from elysia_guard.domain.reading import Listing
from elysia_guard.domain.response import Validation
from elysia_guard.language.approvals import as_recorded
from elysia_guard.ports import Origins

_RESULT = Origin(state=OriginState.UNCHANGED, against=Against.RESULT)
LISTED = attrgetter("kind", "approval", "status", "date", "owner", "lang")
"""What a list may be restricted by."""
_WITHIN = re.compile(r"\w\w")
"""Two characters between which a word goes on."""
_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2010": "-",
     "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2026": "..."}
)  # fmt: skip


async def hold(
    inquiry: Inquiry, draft: Draft, drafted: Callable[[Inquiry], Draft], origins: Origins
) -> tuple[Inquiry, HeldDraft]:
    """Hold a draft against its sources; where one has changed, what is drafted from it as it is.

    Returns:
        The inquiry with its sources as they are now, and what of the draft stands in them.
    """
    found = await _look(origins, draft, {})
    now = _origins(draft, found)
    staleness = _staleness(draft.cited, now, {})
    if any(each.is_stale for each in now):
        inquiry = _as_now(inquiry, found)
        again = drafted(inquiry)
        later = _origins(again, await _look(origins, again, found))
        kept, standing = _standing(again, later)
        staleness = _staleness((*draft.cited, *again.cited), (*now, *later), _withheld(draft, kept))
        draft, now = kept, standing
    validation = verify(draft, now)
    return inquiry, HeldDraft(draft=draft, validation=validation, staleness=staleness)


async def standing_now(draft: Draft, origins: Origins) -> Draft:
    """Return what of a draft stands in its sources as they are now."""
    now = _origins(draft, await _look(origins, draft, {}))
    return _standing(draft, now)[0]


def verify(draft: Draft, now: Sequence[Origin] = ()) -> Validation:
    """Count the quotes that hold against the sources as they are now; none is not verified.

    ``now[i]`` is source i+1; without it a quote is held against the text that the draft was
    made from.
    """
    now = now or [IN_THE_INDEX] * len(draft.origins)
    quotes = [quote for block in draft.blocks for quote in block.quotes]
    held = sum(_holds(quote, draft, now) for quote in quotes)
    cited = sorted({quote.source for quote in quotes if 1 <= quote.source <= len(now)})
    return Validation(
        sources_verified=held,
        sources_total=len(quotes),
        confidence=held / len(quotes) if quotes else 0.0,
        against=tuple(dict.fromkeys(now[n - 1].against.value for n in cited)),
    )


def _standing(draft: Draft, now: Sequence[Origin]) -> tuple[Draft, tuple[Origin, ...]]:
    """Return what holds of a draft, its sources numbered anew, and those sources as they are now.

    A block of which no quote is left goes whole, with its heading and notes.
    """
    held = [
        (block, [each for each in block.quotes if _holds(each, draft, now)])
        for block in draft.blocks
    ]
    kept = [(block, quotes) for block, quotes in held if quotes or not block.quotes]
    shown = {each.source: each.text for _, quotes in reversed(kept) for each in reversed(quotes)}
    cited = sorted(shown)
    places = {old: new for new, old in enumerate(cited, start=1)}
    standing = Draft(
        blocks=tuple(
            replace(block, quotes=tuple(replace(each, source=places[each.source]) for each in all_))
            for block, all_ in (kept if cited else [])
        ),
        sources=tuple(replace(draft.sources[n - 1], n=places[n], quote=shown[n]) for n in cited),
        origins=tuple(draft.origins[n - 1] for n in cited),
        cited=tuple(draft.cited[n - 1] for n in cited),
    )
    return standing, tuple(now[n - 1] for n in cited)


def _holds(quote: Quote, draft: Draft, now: Sequence[Origin]) -> bool:
    if not 1 <= quote.source <= len(draft.origins):
        return False
    origin = now[quote.source - 1]
    if origin.state is OriginState.GONE:
        return False
    text = _squeeze(quote.text)
    if origin.state is not OriginState.CHANGED:
        return _stands(text, _squeeze(draft.origins[quote.source - 1]))
    return _stands(_plain(text), _plain(_squeeze(origin.text)))


def _plain(text: str) -> str:
    """Leave out what an editor changes by itself: the form of quotation marks and dashes."""
    return unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)


def _stands(text: str, origin: str) -> bool:
    """Tell whether a text stands in another as whole words."""
    at = origin.find(text) if text else -1
    while at >= 0:
        before, after = origin[:at][-1:], origin[at + len(text) :][:1]
        if not (_WITHIN.fullmatch(before + text[0]) or _WITHIN.fullmatch(text[-1] + after)):
            return True
        at = origin.find(text, at + 1)
    return False


def _squeeze(text: str) -> str:
    return " ".join(text.split())


# What a draft cites, as it is now, and what has to go from it for that


async def _look(
    origins: Origins, draft: Draft, known: Mapping[str, Origin]
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


def _origins(draft: Draft, found: Mapping[str, Origin]) -> tuple[Origin, ...]:
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


def _as_now(inquiry: Inquiry, origins: Mapping[str, Origin]) -> Inquiry:
    """Return the inquiry without documents that are gone, the changed ones as they are now.

    A changed document leaves a list: what it is listed for may no longer be so. What a text is
    about, and whom it names, its index alone knows.
    """
    evidence, verdict = inquiry.evidence, inquiry.decided()
    listed = isinstance(inquiry.asks, Listing)
    of_text = evidence.about or (isinstance(inquiry.asks, Listing) and inquiry.asks.filters.link)
    documents = []
    for document in evidence.documents:
        origin = origins.get(document.id, IN_THE_INDEX)
        changed, fresh = origin.state is OriginState.CHANGED, _fresh(document, origin)
        unlike = fresh is None or origin.document is None or LISTED(fresh) != LISTED(document)
        if fresh and not (changed and (of_text or (listed and unlike))):
            documents.append(fresh)
    return replace(
        inquiry,
        evidence=replace(evidence, documents=tuple(documents), hits=_hits(evidence.hits, origins)),
        verdict=replace(verdict, support=_hits(verdict.support, origins)),
    )


def _fresh(document: Document, origin: Origin) -> Document | None:
    """Return a document as it is now, with what the index knows of its file; None if gone."""
    if origin.state is OriginState.GONE:
        return None
    if origin.document is None:
        return document
    apart = document.apart if document.apart != document.title else origin.document.title
    now = replace(
        origin.document,
        root=document.root,
        stamp=document.stamp,
        sha256=document.sha256,
        apart=apart,
    )
    # What its record decided still holds; a file alone does not tell it.
    record = replace(document, id=document.record) if document.record else None
    return as_recorded(now, record)


def _hits(hits: Iterable[Hit], origins: Mapping[str, Origin]) -> tuple[Hit, ...]:
    fresh = (
        (hit, _fresh(hit.passage.document, origins.get(hit.passage.document.id, IN_THE_INDEX)))
        for hit in hits
    )
    return tuple(
        replace(hit, passage=replace(hit.passage, document=document))
        for hit, document in fresh
        if document
    )


def _staleness(
    cited: Sequence[Cited], now: Sequence[Origin], withheld: Mapping[str, int]
) -> Staleness:
    """Say what has changed among the sources, and how many quotes were withheld of each."""
    by_state: dict[OriginState, dict[str, Document]] = {state: {} for state in OriginState}
    vocabularies: dict[str, None] = {}
    for each, origin in zip(cited, now, strict=True):
        if isinstance(each.of, Document):
            by_state[origin.state][each.of.id] = each.of
        elif origin.is_stale:
            vocabularies[each.of.vocabulary_title or each.of.vocabulary] = None
    return Staleness(
        changed=tuple(by_state[OriginState.CHANGED].values()),
        gone=tuple(by_state[OriginState.GONE].values()),
        vocabularies=tuple(vocabularies),
        unreachable=any(origin.state is OriginState.UNREACHABLE for origin in now),
        withheld=withheld,
    )


def _withheld(before: Draft, after: Draft) -> Mapping[str, int]:
    """Count the quotes that a draft has and another no longer has, by the id of their source."""
    counted, left = (
        Counter(_id(of.cited[each.source - 1].of) for block in of.blocks for each in block.quotes)
        for of in (before, after)
    )
    return counted - left


def _id(of: Document | Concept) -> str:
    return of.uri if isinstance(of, Concept) else of.id
