"""The catalogue stage: a question that only the documents at hand let one read.

A status that a register has and no language knows ('on hold'), and a document that is named by its
title ('who signed off on the TLS decision').
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import (
    RECORDED,
    Aspect,
    Intent,
    IntentKind,
    Question,
    Reference,
)
from elysia_guard.language import forms
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.lists import registered_list
from elysia_guard.language.lists.statuses import STATUSES
from elysia_guard.language.states import known_state
from elysia_guard.language.text import words
from elysia_guard.language.wording import core, kinds_named
from elysia_guard.ports import PassageIndex

_OPEN_TO_IT = frozenset(
    {IntentKind.LIST, IntentKind.SINGLE_COLLECTION, IntentKind.CROSS_COLLECTION, IntentKind.OPEN}
)


async def reread(index: PassageIndex, question: Question, intent: Intent) -> Intent:
    """Return the intent as the documents at hand tell it; unchanged where they cannot be asked."""
    named = question.scope.only or kinds_named(question.text) or intent.aspect in RECORDED
    if intent.kind not in _OPEN_TO_IT or not named:
        return intent
    try:
        documents = await index.documents(Filters(approval=None))
    except (SourceUnavailableError, PassageIndexError):
        return intent
    statuses = [status for item in documents for status in (item.status, item.own_status)]
    listed = registered_list(core(question.text), question.scope.only, question.lang, statuses)
    return listed or _titled(question, intent, documents) or _denied(intent)


def _denied(intent: Intent) -> Intent:
    """Take a list of all known statuses but one as denying that one: others may be there too."""
    scope = intent.scope
    left = set(STATUSES) - set(scope.statuses)
    if len(left) != 1:
        return intent
    return replace(intent, scope=replace(scope, statuses=(), denied=tuple(left)))


def _titled(question: Question, intent: Intent, documents: Sequence[Document]) -> Intent | None:
    """Take a question for when, by whom or whether one was accepted for that of its number."""
    if intent.kind is IntentKind.LIST or intent.aspect not in RECORDED:
        return None
    terms = query_terms(_beside(question.text), question.lang)
    found = [
        item
        for item in documents
        if not item.approval
        and (not intent.kinds or item.kind in intent.kinds)
        and terms.words
        and terms.coverage(item.title, item.lang) == 1
        and (intent.kinds or _in_full(item, question))
    ]
    if len(found) != 1 or found[0].number is None:
        return None
    document = found[0]
    return Intent(
        kind=IntentKind.ENTITY,
        reason=f"it names {document.id} by its title",
        references=(
            Reference(
                number=found[0].number,
                written=document.name,
                kind=document.kind,
                approval=intent.aspect is Aspect.APPROVAL,
            ),
        ),
        kinds=(document.kind,),
        aspect=intent.aspect,
    )


def _beside(text: str) -> str:
    """What a question names beside its kind and what is asked of it."""
    for aspect, form in forms.ASPECTS.items():
        text = form.sub(" ", text) if aspect in RECORDED else text
    for kind in forms.KIND_WORDS.values():
        text = kind.sub(" ", text)
    return " ".join(
        word
        for word in text.split()
        if not known_state(word) and not set(words(word)) & forms.ABOUT_DOCUMENTS
    )


def _in_full(document: Document, question: Question) -> bool:
    """Without a kind a title is named only as a whole: 'CIM' alone may be a term."""
    titled = query_terms(document.title, question.lang)
    return titled.coverage(question.text, question.lang) == 1
