"""What only the documents at hand let one read.

A document that is named by its title ('who wrote the TLS decision'), numbers that documents of
several kinds bear ('compare 20 and 25'), or several of one ('ADR-0009 on tracing': the words of a
title, of a file or of a folder). Where they do not tell, it is asked back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import STATED, Aspect, Lang, Question, Reference
from elysia_guard.domain.reading import (
    Definition,
    Named,
    Part,
    ReadBy,
    Search,
    Unclear,
    topic_of,
)
from elysia_guard.language.kinds import prefixes
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.language.pack import langs
from elysia_guard.language.references import located_references
from elysia_guard.language.stems import stems
from elysia_guard.reading.asked_words import asked_words
from elysia_guard.reading.fields import named
from elysia_guard.reading.spans import Span
from elysia_guard.reading.titles import quoted_at
from elysia_guard.reading.tokens import is_telling, tokens_of, words_of

SURE = 0.75
"""The chance from which a span is taken for the document that it names."""

_SIDES = frozenset({Aspect.CONTEXT, Aspect.ALTERNATIVES, Aspect.CONSEQUENCES})
"""What may stand in its approval record as well."""
Extent = tuple[int, int]


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
    numbers = _numbers(question)
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


def told_apart(
    question: Question, part: Part, spans: Sequence[Span], documents: Sequence[Document]
) -> Part:
    """Take a number that several documents bear for the one that the question tells beside it.

    What tells it is no matter that is asked of it. A number in a title is that of its document.
    """
    asks = part.asks
    if not isinstance(asks, Named):
        return part
    found: list[Reference] = []
    extents: list[Extent] = []
    for reference in asks.references:
        if around := _around(reference, question, spans):
            found.append(replace(around[0], approval=reference.approval))
            extents.append(around[1])
            continue
        bearers = _bearers(reference, documents)
        chosen, told = _by_name(bearers, spans)
        if chosen:
            told += _borne([_folders(chosen)], question)
        elif bearers and len(asks.references) == 1:
            chosen, told = _by_words(reference, bearers, question)
        meant = replace(Reference.of(chosen), approval=reference.approval) if chosen else reference
        found.append(meant)
        extents += told
    if not extents:
        return part
    reason = f"{part.reason}; it tells {', '.join(item.name for item in found)}"
    if asks.references[1:]:
        return replace(part, asks=replace(asks, references=tuple(found)), reason=reason)
    whole = _merged(question.text, [*_numbers(question), *extents])
    read = named(question.text, lang=question.lang, references=found, spans=whole)
    return replace(part, asks=replace(read, part=asks.part), reason=reason, read_by=ReadBy.SPAN)


def _around(
    reference: Reference, question: Question, spans: Sequence[Span]
) -> tuple[Reference, Extent] | None:
    """The name or title of a document in which a number stands, and where that stands."""
    written = [
        (start, end)
        for start, end, item in located_references(question.text)
        if (item.kind, item.number) == (reference.kind, reference.number)
    ]
    around = (
        (span.means, (span.start, span.end))
        for span in spans
        if isinstance(span.means, Reference) and span.means.id and not span.is_ambiguous
        if any(span.start <= start and end <= span.end for start, end in written)
    )
    return next(around, None)


def _bearers(reference: Reference, documents: Iterable[Document]) -> list[Document]:
    if reference.id or reference.number is None:
        return []
    found = [
        item
        for item in documents
        if item.number == reference.number
        and not item.approval
        and reference.kind in {None, item.kind}
    ]
    is_shared = len({item.kind for item in found}) == 1 and all(item.apart for item in found)
    return found if is_shared else []


def _by_name(
    bearers: Sequence[Document], spans: Sequence[Span]
) -> tuple[Document | None, list[Extent]]:
    """The one that is named in full, or by its title."""
    by_id = {item.id: item for item in bearers}
    told: dict[str, list[Extent]] = {}
    for span in spans:
        meant = {item.id for item in span.candidates if isinstance(item, Reference)} & by_id.keys()
        if len(meant) == 1:
            told.setdefault(meant.pop(), []).append((span.start, span.end))
    if len(told) != 1:
        return None, []
    ((id_, extents),) = told.items()
    return by_id[id_], extents


def _by_words(
    reference: Reference, bearers: Sequence[Document], question: Question
) -> tuple[Document | None, list[Extent]]:
    """The one that alone is told by all words that tell one from another, and where they stand.

    Letters before its number do so too, where its kind is written with others: 'RFC 9'.
    """
    names = [f"{item.title} {PurePath(item.path).stem} {_folders(item)}" for item in bearers]
    borne = _borne(names, question)
    letters = next(iter(words_of(reference.written)), "").rstrip("0123456789")
    if letters in prefixes() and letters != bearers[0].kind.prefix.casefold():
        held = [place for place, item in enumerate(names) if _stems(item) & _stems(letters)]
        borne |= dict.fromkeys(_numbers(question)[:1], held) if held else {}
    telling = [held for held in borne.values() if len(held) < len(bearers)]
    fitting = set(range(len(bearers))).intersection(*telling)
    chosen = bearers[min(fitting)] if telling and len(fitting) == 1 else None
    return chosen, list(borne) if fitting else []


def _borne(names: Sequence[str], question: Question) -> dict[Extent, list[int]]:
    """Where a question says words of some names beside numbers, and which of the names."""
    asked = asked_words(question.text, question.lang, _numbers(question))
    known = list(map(_stems, names))
    return {
        (word.start, word.end): held
        for word in asked
        if word.is_content
        and (held := [place for place, own in enumerate(known) if own & _stems(word.text)])
    }


def _folders(document: Document) -> str:
    return " ".join(PurePath(document.path).parts[:-1])


def _numbers(question: Question) -> list[Extent]:
    return [(start, end) for start, end, _ in located_references(question.text)]


def _stems(text: str) -> set[tuple[Lang, str]]:
    return {(lang, found) for lang in langs() for found in stems(text, lang)}


def _merged(text: str, extents: Iterable[Extent]) -> list[Extent]:
    """Take for one what nothing but function words stands between: 'operator ADR 9 on tracing'."""
    merged: list[Extent] = []
    for start, end in sorted(extents):
        between = text[merged[-1][1] : start] if merged else ""
        if merged and not any(map(is_telling, tokens_of(between))):
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
