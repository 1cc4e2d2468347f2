"""The verification stage: does every quote stand, word for word, in the source it names?"""

from __future__ import annotations

from elysia_guard.domain.draft import Draft, Quote
from elysia_guard.domain.response import Validation


def verify(draft: Draft) -> Validation:
    """Count the quotes that hold; an empty draft is not verified."""
    quotes = [quote for block in draft.blocks for quote in block.quotes]
    held = sum(_holds(quote, draft) for quote in quotes)
    return Validation(
        sources_verified=held,
        sources_total=len(quotes),
        confidence=held / len(quotes) if quotes else 0.0,
    )


def _holds(quote: Quote, draft: Draft) -> bool:
    if not 1 <= quote.source <= len(draft.origins):
        return False
    return _stands(_squeeze(quote.text), _squeeze(draft.origins[quote.source - 1]))


def _stands(text: str, origin: str) -> bool:
    """Tell whether a text stands in another as whole words."""
    at = origin.find(text) if text else -1
    while at >= 0:
        before, after = origin[:at][-1:], origin[at + len(text) :][:1]
        if not (_runs_on(before, text[0]) or _runs_on(text[-1], after)):
            return True
        at = origin.find(text, at + 1)
    return False


def _runs_on(before: str, after: str) -> bool:
    """Tell whether a word goes on from one character to the next; '' is none."""
    return _in_word(before) and _in_word(after)


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _squeeze(text: str) -> str:
    return " ".join(text.split())
