"""The sentence that answers: whether a text holds it, whatever marks stand around it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from elysia_guard.language.identify import identify
from elysia_guard.language.sentences import units
from elysia_guard.language.text import clean

_LINE_START = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:[-*+\u2022][ \t]+)?", re.MULTILINE)
_NUMBERED = re.compile(r"^\d{1,2}[.)]\s+")
_MARKS = re.compile(r"\s*\[source:\d+\]|[*_`]")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\([^\s()]{1,500}(?:\([^\s()]{0,100}\))?\)")


def holds(text: str, quote: str) -> bool:
    """Tell whether a text holds any one sentence of a quote, word for word.

    >>> holds("> Keys rotate **yearly**. [source:1]", "Keys rotate yearly.")
    True
    """
    return any(_stands_in(plain(text), unit) for unit in _sentences(quote))


def astray(quote: str, texts: Iterable[str]) -> list[str]:
    """Return the sentences of a quote that stand in none of some texts."""
    searched = [plain(text) for text in texts]
    return [
        unit for unit in _sentences(quote) if not any(_stands_in(text, unit) for text in searched)
    ]


def plain(text: str) -> str:
    """Return a text on one line, without list markers, emphasis, citations and targets of links."""
    return clean(_MARKS.sub("", _LINK.sub(r"\1", _LINE_START.sub("", text))))


def _sentences(quote: str) -> list[str]:
    # A number that opens a sentence is a list marker here; within a text it may be a date.
    return [_NUMBERED.sub("", plain(unit)) for unit in units(quote, identify(quote))]


def _stands_in(text: str, unit: str) -> bool:
    first = r"(?<!\w)" if unit[:1].isalnum() else ""
    last = r"(?!\w)" if unit[-1:].isalnum() else ""
    return re.search(f"{first}{re.escape(unit)}{last}", text) is not None
