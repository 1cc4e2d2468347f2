"""The kinds of documents that a question wants searched."""

from __future__ import annotations

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language import forms
from elysia_guard.language.kinds import kinds_named


def kinds_searched(text: str) -> tuple[DocumentKind, ...]:
    """Return the kinds of documents that a question wants searched; none where all are."""
    if in_front := forms.KIND_IN_FRONT.match(text):
        return kinds_named(in_front.group())
    if forms.KINDS_TOGETHER.search(text):
        return kinds_named(text)
    named = kinds_named(forms.IN_PASSING.sub(" ", text))
    if not named and any(form.search(text) for form in forms.CHOICE):
        return (DocumentKind.DECISION,)
    return named
