"""What only the documents at hand let one read.

A status that a register has and no language knows ('on hold'), and a document that is named by its
title ('who signed off on the TLS decision').
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import RECORDED, Aspect, Question, Reference
from elysia_guard.domain.reading import Listing, Named, Part, ReadBy, Search, aspect_of
from elysia_guard.language import forms
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.kinds import kinds_named, without_kinds
from elysia_guard.language.lists import registered_list
from elysia_guard.language.lists.statuses import STATUSES
from elysia_guard.language.preamble import bare_question
from elysia_guard.language.states import known_state
from elysia_guard.language.text import words


def reread(question: Question, part: Part, documents: Sequence[Document]) -> Part:
    """Return a part as the documents at hand tell it; unchanged where they tell nothing of it."""
    asks = part.asks
    if not isinstance(asks, Listing | Search) or not needs_documents(question, part):
        return part
    statuses = [status for item in documents for status in (item.status, item.own_status)]
    text, only = bare_question(question.text, question.lang), question.scope.only
    if listed := registered_list(text, only, question.lang, statuses):
        reason = "it asks for a status that documents have"
        return replace(part, asks=listed, reason=reason, read_by=ReadBy.SPAN)
    if isinstance(asks, Search):
        part = _of_kinds_there(part, asks, documents)
        return _titled(question, part, asks, documents)
    return replace(part, asks=_denied(asks))


def needs_documents(question: Question, part: Part) -> bool:
    """Tell whether the documents at hand may change how a part is read."""
    if not isinstance(part.asks, Listing | Search):
        return False
    named = question.scope.only or kinds_named(question.text)
    return bool(named) or aspect_of(part.asks) in RECORDED


def _denied(listing: Listing) -> Listing:
    """Take a list of all known statuses but one as denying that one: others may be there too."""
    left = set(STATUSES) - set(listing.filters.statuses)
    if len(left) != 1:
        return listing
    return replace(listing, filters=replace(listing.filters, statuses=(), denied=tuple(left)))


def _of_kinds_there(part: Part, asks: Search, documents: Sequence[Document]) -> Part:
    """Search everything where there are no documents of the kinds that a word of it names.

    'Which domains violate the non-GOV.UK domain policy?', where nothing is kept as a policy.
    """
    there = {item.kind for item in documents}
    if not documents or not asks.kinds or there.intersection(asks.kinds):
        return part
    return replace(part, asks=replace(asks, kinds=(), topic=part.text))


def _titled(question: Question, part: Part, asks: Search, documents: Sequence[Document]) -> Part:
    """Take a question for when, by whom or whether one was accepted for that of its number."""
    if asks.aspect not in RECORDED:
        return part
    terms = query_terms(_beside(question.text), question.lang)
    found = [
        item
        for item in documents
        if not item.approval
        and (not asks.kinds or item.kind in asks.kinds)
        and terms.words
        and terms.coverage(item.title, item.lang) == 1
        and (asks.kinds or _in_full(item, question))
    ]
    if len(found) != 1 or found[0].number is None:
        return part
    (document,) = found
    reference = Reference(
        number=found[0].number,
        written=document.name,
        kind=document.kind,
        approval=asks.aspect is Aspect.APPROVAL,
    )
    return replace(
        part,
        asks=Named(references=(reference,), aspect=asks.aspect),
        reason=f"it names {document.id} by its title",
        read_by=ReadBy.SPAN,
    )


def _beside(text: str) -> str:
    """What a question names beside its kind and what is asked of it."""
    for aspect, form in forms.ASPECTS.items():
        text = form.sub(" ", text) if aspect in RECORDED else text
    text = without_kinds(text)
    return " ".join(
        word
        for word in text.split()
        if not known_state(word) and not set(words(word)) & forms.ABOUT_DOCUMENTS
    )


def _in_full(document: Document, question: Question) -> bool:
    """Without a kind a title is named only as a whole: 'CIM' alone may be a term."""
    titled = query_terms(document.title, question.lang)
    return titled.coverage(question.text, question.lang) == 1
