"""Several numbers without a kind: 'compare 20 and 25', of decisions or of principles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Question, Reference
from elysia_guard.domain.reading import Named, Part, Unclear
from elysia_guard.reading.spans import Span


def of_one_kind(
    question: Question, part: Part, spans: Sequence[Span], documents: Sequence[Document]
) -> Part:
    """Take numbers for documents of the one kind that bears them all; of several, ask back which.

    One number alone is asked back with the documents that bear it, once they are fetched.
    """
    asks = part.asks
    if not isinstance(asks, Named) or any(item.kind for item in asks.references):
        return part
    if not asks.references[1:]:
        return part
    numbers = {item.number for item in asks.references}
    kinds = [kind for kind in DocumentKind if numbers <= _borne(kind, documents)]
    if len(kinds) == 1:
        named = tuple(replace(item, kind=kinds[0]) for item in asks.references)
        return replace(part, asks=replace(asks, references=named))
    if not kinds:
        return part
    written = ", ".join(item.written for item in asks.references)
    candidates = tuple(_written_out(question.text, spans, kind) for kind in kinds)
    reason = f"{written} may be documents of several kinds"
    return replace(part, asks=Unclear(word=written, candidates=candidates), reason=reason)


def _borne(kind: DocumentKind, documents: Sequence[Document]) -> set[int]:
    return {
        item.number
        for item in documents
        if item.kind is kind and item.number is not None and not item.approval
    }


def _written_out(text: str, spans: Sequence[Span], kind: DocumentKind) -> str:
    for span in sorted(spans, key=lambda item: -item.start):
        if isinstance(span.means, Reference):
            identity = replace(span.means, kind=kind).identity
            text = f"{text[: span.start]}{identity}{text[span.end :]}"
    return text
