"""What a question asks by one of the core forms of its language, within what it may reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.domain.question import Question, Reference
from elysia_guard.domain.reading import Asks, Definition, Named, Part, Search
from elysia_guard.reading.masking import KnownMention
from elysia_guard.reading.spans import Span
from elysia_guard.reading.templates import read_template


def by_template(question: Question, spans: Sequence[Span]) -> Part | None:
    """Read a question by a core form; None where none fits.

    Args:
        question: one question.
        spans: the terms and documents that stand in it.
    """
    found = read_template(question.text, question.lang, tuple(_known(spans)))
    if found is None:
        return None
    scope = question.scope
    match found.asks:
        case Definition(term=term) if scope.defines and not found.sure:
            asked: Asks = Search(topic=question.text, term=term)
        case Definition(term=term) if not scope.defines:
            kinds = (scope.only,) if scope.only else ()
            asked = Search(topic=term, kinds=kinds, meaning_of=term)
        case Named(references=named) as asks:
            kinds_known = (replace(item, kind=item.kind or scope.only) for item in named)
            asked = replace(asks, references=tuple(kinds_known))
        case asks:
            asked = asks
    return Part(asks=asked, text=question.text, reason=f"it has the form '{found.form}'")


def _known(spans: Sequence[Span]) -> Iterator[KnownMention]:
    """The mentions that are beyond doubt; a number without its kind is asked back elsewhere."""
    for span in spans:
        if span.others:
            continue
        if not isinstance(span.means, Reference):
            yield KnownMention(start=span.start, end=span.end)
        elif span.means.kind is not None:
            yield KnownMention(start=span.start, end=span.end, documents=(span.means,))
