"""What a document decided, where a question takes another option for what it chose, or asks why.

'Why did they choose the queue manager?' is answered by what was chosen instead; that the document
only weighs the queue manager is said beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from elysia_guard.domain.document import Document, Hit, Passage, SectionRole
from elysia_guard.language.answer_types import AnswerType, holds
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import QueryTerms, query_terms
from elysia_guard.language.sentences import is_item, units
from elysia_guard.language.stems import content_words
from elysia_guard.stages.answering.ranking import Ranked
from elysia_guard.stages.answering.wanted import Wanted

NAMED = 0.5
"""So much of its content words a question says of an option that it names."""
CLEARLY = 2.0
"""It covers so many times as much of the question as the option that was chosen."""
FEWEST = 2
"""Options; of one alone nothing is left that may not have been chosen."""


class _Option(NamedTuple):
    """``named`` is the share of its words that a question names, ``covers`` that of the question.

    ``chosen`` is the share of its words that what was decided holds.
    """

    text: str
    named: float
    covers: float
    chosen: float


def giving_reasons(found: Sequence[Ranked], wanted: Wanted) -> list[Ranked]:
    """Return the likeliest sentence of each document's outcome that gives a reason, for a why.

    ``found`` are sentences, the likeliest first. None where no reason is asked for.
    """
    if AnswerType.REASON not in wanted.things:
        return []
    first: dict[str, Ranked] = {}
    for item in found:
        passage = item.sentence.hit.passage
        decides = passage.role == SectionRole.SUBSTANCE
        if decides and holds(item.sentence.text, AnswerType.REASON):
            first.setdefault(passage.document.id, item)
    return list(first.values())


def premise_notes(document: Document, hits: Sequence[Hit], wanted: Wanted) -> tuple[str, ...]:
    """Say that a document only weighs an option, where a question takes it for what was chosen."""
    option = not_chosen(document, hits, wanted)
    lang = wanted.terms.lang
    return (say(lang, "answer.not_chosen", name=document.name, option=option),) if option else ()


def not_chosen(document: Document, hits: Sequence[Hit], wanted: Wanted) -> str:
    """Return the option that a why takes for what a document chose, where it chose another one.

    Empty where no reason is asked for, where the question names no option or as much of the chosen
    one, and where nothing tells which was chosen.
    """
    if AnswerType.REASON not in wanted.things:
        return ""
    passages = [hit.passage for hit in hits if hit.passage.document.id == document.id]
    decided = _decided(passages)
    options = [_weighed(text, decided, document, wanted.terms) for text in _options(passages)]
    if not decided or len(options) < FEWEST:
        return ""
    chosen = max(options, key=lambda item: item.chosen)
    named = max(options, key=lambda item: (item.covers, item.named))
    other = chosen.chosen > named.chosen and named.covers >= CLEARLY * chosen.covers
    return named.text if other and named.named >= NAMED else ""


def _decided(passages: Sequence[Passage]) -> str:
    """The first sentence of the outcome, which says what was chosen."""
    substance = [item for item in passages if item.role == SectionRole.SUBSTANCE]
    first = min(substance, key=lambda item: item.position, default=None)
    said = units(first.text, first.document.lang) if first else ()
    return next(iter(said), "")


def _options(passages: Sequence[Passage]) -> Iterator[str]:
    """The items of the list of options, without their marks."""
    for passage in passages:
        if passage.role == SectionRole.OPTIONS:
            items = filter(is_item, units(passage.text, passage.document.lang))
            yield from (text.lstrip("-*+ ") for text in items)


def _weighed(text: str, decided: str, document: Document, terms: QueryTerms) -> _Option:
    """Tell how much of an option a question names, and how much what was decided does."""
    own = content_words(text, document.lang)
    named = [terms.names_fully(word, document.lang) for word in own]
    return _Option(
        text=text,
        named=sum(named) / len(own) if own else 0.0,
        covers=terms.coverage(text, document.lang),
        chosen=query_terms(text, document.lang).coverage(decided, document.lang) if own else 0.0,
    )
