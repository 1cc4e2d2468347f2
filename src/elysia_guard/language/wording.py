"""The wording of a question: what stands around it, and the kinds of documents it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language import forms
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.phrases import spoken

SHORT_WORD = 5
_CLOSING = " ?!.\u2026"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\u00c0-\u00de])")
_OF_WHAT_WAS_SAID = re.compile(
    spoken(r"\b(means?|stands? for|betekent|waar staat|bedeutet|heißt)\b"), re.IGNORECASE
)
"""What means something may have been named before."""
_ASKS = re.compile(
    spoken(
        rf"{forms.QUESTION_WORDS.pattern}"
        r"|\b(explain|describe|define|summari[sz]e|list|show|give|tell|name"
        r"|leg|beschrijf|geef|toon|noem|vertel|vat|erkläre?n?|beschreibe?n?|zeige?n?|nenne?n?|gib"
        r"|fasse)\b"
    ),
    re.IGNORECASE,
)
_MENDED = {
    wrong: right for right, all_wrong in forms.MISSPELT.items() for wrong in all_wrong.split()
}


def stripped(text: str, leading: Iterable[re.Pattern[str]]) -> str:
    """Drop whatever of some leading phrases a text begins with, as often as it takes."""
    while match := next((found for form in leading if (found := form.match(text))), None):
        if not any(char.isalnum() for char in text[match.end() :]):
            break
        text = text[match.end() :]
    return text


@lru_cache(maxsize=1_000)
def core(text: str) -> str:
    """The question itself: without what stands around it, its question words spelt right."""
    text = stripped(stripped(_mended(text.strip()), forms.OPENERS), forms.WISHES)
    text = _mended(stripped(text, forms.OPENERS)).rstrip(_CLOSING)
    while (shorter := forms.CLOSERS.sub("", text).rstrip(_CLOSING)) != text:
        text = shorter
    return text


def asking(text: str) -> str:
    """The sentences of a text that ask something; all of it where none does, or where each may.

    >>> asking("I present ADR-0030 tomorrow. What does it decide?")
    'What does it decide?'
    """
    sentences = _SENTENCE.split(text)
    asked = [each for each in sentences if each.rstrip().endswith("?") or _ASKS.match(each)]
    if any(_OF_WHAT_WAS_SAID.search(each) for each in asked):
        return text
    return " ".join(asked) if asked else text


def _mended(text: str) -> str:
    first, *rest = text.split(" ")
    mended = [_MENDED.get(first.casefold(), first)]
    mended += [
        _MENDED.get(word.casefold(), word) if len(word) >= SHORT_WORD else word for word in rest
    ]
    return " ".join(mended)


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
