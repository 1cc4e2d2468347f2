"""The choice stage: what a language model chose, as far as the question itself says it too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.inquiry import Inquiry, Step
from elysia_guard.domain.question import Intent, IntentKind, Question
from elysia_guard.language.lists import list_chosen
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import clean, words
from elysia_guard.language.wording import core

REASON = "the language model chose among the guarded tools"


def followed(
    inquiry: Inquiry,
    step: Step,
    inputs: Mapping[str, object],
    *,
    kinds: tuple[DocumentKind, ...],
) -> Intent:
    """Return the intent of a question as a model would have it gathered.

    Args:
        inquiry: the question, as the rules have left it.
        step: what the model chose to do.
        inputs: what it chose to do it with: a ``term``, or ``kinds`` of documents.
        kinds: those that there are collections of.
    """
    question = inquiry.question
    term = clean(str(inputs.get("term") or ""))
    named = set(words(str(inputs.get("kinds") or "")))
    wanted = question.scope.reached([kind for kind in kinds if kind in named])
    intent = replace(inquiry.intent, reason=REASON)
    if step is Step.SKOSMOS_LOOKUP and question.scope.defines and _holds(question, term):
        return replace(intent, kind=IntentKind.TERMINOLOGY, term=term)
    if step is Step.LIST_DOCUMENTS and wanted:
        listed = list_chosen(core(question.text), wanted)
        return replace(listed, reason=REASON) if listed else intent
    return replace(intent, kinds=wanted) if wanted else intent


def _holds(question: Question, term: str) -> bool:
    """Tell whether a question holds a term, as whole words, not all of them stop words."""
    found, wanted = words(question.text), words(term)
    spans = range(len(found) - len(wanted) + 1)
    held = any(found[i : i + len(wanted)] == wanted for i in spans)
    return held and bool(content_words(term, question.lang))
