"""A document that a question names by its title, in whole or as people shorten it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.question import Question, Reference
from elysia_guard.domain.reading import Part, ReadBy, Search
from elysia_guard.reading.fields import named
from elysia_guard.reading.spans import Span

SURE = 0.75
"""The chance from which a span is taken for the document that it names."""


def by_title(question: Question, part: Part, spans: Sequence[Span]) -> Part:
    """Read a search for what a document says as one of that document, where it is named.

    A span that may mean several things decides nothing, nor does a title that is a term as well.
    """
    if not isinstance(part.asks, Search) or part.asks.meaning_of:
        return part
    found = [
        span
        for span in spans
        if isinstance(span.means, Reference) and not span.is_ambiguous and span.chance >= SURE
    ]
    if not found:
        return part
    surest: dict[Reference, Span] = {}
    for span in sorted(found, key=lambda item: (-item.chance, item.start)):
        if isinstance(span.means, Reference):
            surest.setdefault(span.means, span)
    references = tuple(sorted(surest, key=lambda item: surest[item].start))
    asks = named(
        question.text,
        lang=question.lang,
        references=references,
        spans=[(span.start, span.end) for span in surest.values()],
    )
    if asks.matter:
        # The words that name a document may be those of the matter too.
        asks = replace(asks, matter=part.asks.topic)
    listed = ", ".join(str(ref.identity or ref.written) for ref in references)
    return replace(part, asks=asks, reason=f"it names {listed} in words", read_by=ReadBy.SPAN)
