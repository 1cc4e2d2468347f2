"""What only the documents at hand let one read.

A document that is named by its title ('who wrote the TLS decision'), numbers that documents of
several kinds bear ('compare 20 and 25'), and statuses that no language knows ('on hold').
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import STATED, Aspect, Question, Reference
from elysia_guard.domain.reading import (
    Definition,
    Named,
    Part,
    ReadBy,
    Search,
    Unclear,
    topic_of,
)
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.language.references import located_references
from elysia_guard.reading.fields import named
from elysia_guard.reading.spans import Span
from elysia_guard.reading.titles import quoted_at

SURE = 0.75
"""The chance from which a span is taken for the document that it names."""

_SIDES = frozenset({Aspect.CONTEXT, Aspect.ALTERNATIVES, Aspect.CONSEQUENCES})
"""What may stand in its approval record as well."""


def by_title(question: Question, part: Part, spans: Sequence[Span]) -> Part:
    """Read a search for what a document says as one of that document, where it is named.

    A span that may mean several things decides nothing, nor does a title that is a term as well.
    Of a document that its number names, a title beside it is no matter: 'least privilege (PCP 15)'.
    """
    if isinstance(part.asks, Named):
        return replace(part, asks=_with_titles(question, part.asks, spans))
    surest, text = _surest(spans), question.text
    places = [(item.start, item.end) for item in surest.values()]
    extents = [quoted_at(text, *place) or place for place in places]
    quoted = not set(extents) & set(places)
    titled = any(item.number is None for item in surest)
    is_open = isinstance(part.asks, Search) and not part.asks.meaning_of
    if not surest or not (is_open or (titled and isinstance(part.asks, Search | Definition))):
        return part
    references = tuple(sorted(surest, key=lambda item: surest[item].start))
    asks = named(text, lang=question.lang, references=references, spans=extents)
    if titled and not quoted and references[1:]:
        return part
    if titled and not quoted and (asks.matter or not (is_open or asks.aspect in STATED)):
        return part  # a title without a number is a matter too: 'data retention'
    if not titled and (asks.matter or asks.aspect in _SIDES):
        # The words that name a document may be those of the matter too.
        asks = replace(asks, matter=topic_of(part.asks))
    listed = ", ".join(ref.name for ref in references)
    return replace(part, asks=asks, reason=f"it names {listed} in words", read_by=ReadBy.SPAN)


def _surest(spans: Sequence[Span]) -> dict[Reference, Span]:
    """The documents that are named in words, and where; several of one title are one reference."""
    surest: dict[Reference, Span] = {}
    for span in sorted(spans, key=lambda item: (-item.chance, item.start)):
        meant = [item for item in span.candidates if isinstance(item, Reference)]
        if len(meant) < len(span.candidates):
            continue
        if not span.is_ambiguous and span.chance >= SURE:
            surest.setdefault(meant[0], span)
        elif span.exact and all(item.number is None for item in meant):
            surest.setdefault(Reference(number=None, written=span.text), span)
    return surest


def _with_titles(question: Question, asks: Named, spans: Sequence[Span]) -> Named:
    """Read a question again without the titles of the documents whose numbers it names."""
    text = question.text
    numbers = [(start, end) for start, end, _ in located_references(text)]
    same = {(item.kind, item.number) for item in asks.references}
    titles = [
        (span.start, span.end)
        for span in spans
        if span.exact
        and isinstance(span.means, Reference)
        and span.means.number is not None
        and (span.means.kind, span.means.number) in same
        and all(span.end <= start or end <= span.start for start, end in numbers)
    ]
    if not titles:
        return asks
    whole = [*numbers, *titles]
    return named(text, lang=question.lang, references=asks.references, spans=whole)


def of_one_kind(
    question: Question, part: Part, spans: Sequence[Span], documents: Sequence[Document]
) -> Part:
    """Take numbers for documents of the one kind that bears them all; of several, ask back which.

    One number alone is asked back with the documents that bear it, once they are fetched.
    """
    asks = part.asks
    if not isinstance(asks, Named) or not asks.references[1:]:
        return part
    kinds = [kind for kind in own_kinds().every if _bears_all(kind, asks.references, documents)]
    if not kinds or any(item.kind for item in asks.references):
        return part
    if len(kinds) == 1:
        references = tuple(replace(item, kind=kinds[0]) for item in asks.references)
        return replace(part, asks=replace(asks, references=references))
    written = ", ".join(item.written for item in asks.references)
    candidates = tuple(_written_out(question.text, spans, kind) for kind in kinds)
    reason = f"{written} may be documents of several kinds"
    return replace(part, asks=Unclear(word=written, candidates=candidates), reason=reason)


def _bears_all(
    kind: DocumentKind, references: Sequence[Reference], documents: Sequence[Document]
) -> bool:
    borne = {item.number for item in documents if item.kind == kind and not item.approval}
    return borne.issuperset(item.number for item in references)


def _written_out(text: str, spans: Sequence[Span], kind: DocumentKind) -> str:
    for span in sorted(spans, key=lambda item: -item.start):
        if isinstance(span.means, Reference):
            identity = replace(span.means, kind=kind).identity
            text = f"{text[: span.start]}{identity}{text[span.end :]}"
    return text
