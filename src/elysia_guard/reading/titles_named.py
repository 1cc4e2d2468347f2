"""A document that a question names by its title, in whole or as people shorten it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.question import Aspect, Question, Reference
from elysia_guard.domain.reading import Named, Part, ReadBy, Search
from elysia_guard.language.references import located_references
from elysia_guard.language.text import words
from elysia_guard.reading.fields import named
from elysia_guard.reading.spans import Span

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
    if asks.matter or asks.aspect in _SIDES:
        # The words that name a document may be those of the matter too.
        asks = replace(asks, matter=part.asks.topic)
    listed = ", ".join(str(ref.identity or ref.written) for ref in references)
    return replace(part, asks=asks, reason=f"it names {listed} in words", read_by=ReadBy.SPAN)


def _with_titles(question: Question, asks: Named, spans: Sequence[Span]) -> Named:
    """Read a question again without the titles that stand beside the numbers it names."""
    text = question.text
    numbers = [(start, end) for start, end, _ in located_references(text)]
    titles = [
        (span.start, span.end)
        for span in spans
        if span.exact and _same(span.means, asks.references) and _is_beside(text, span, numbers)
    ]
    if not titles:
        return asks
    whole = [*numbers, *titles]
    return named(text, lang=question.lang, references=asks.references, spans=whole)


def _same(means: object, references: Sequence[Reference]) -> bool:
    return isinstance(means, Reference) and any(
        (means.kind, means.number) == (item.kind, item.number) for item in references
    )


def _is_beside(text: str, span: Span, numbers: Sequence[tuple[int, int]]) -> bool:
    """Tell whether no word stands between a span and a number, and they are apart."""
    between = [
        text[min(span.end, end) : max(span.start, start)]
        for start, end in numbers
        if span.end <= start or end <= span.start
    ]
    return any(not words(each) for each in between)
