"""The verification stage: does every quote stand, word for word, in the source it names?"""

from __future__ import annotations

import re

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
    text = _squeeze(quote.text)
    whole = rf"(?<!\w){re.escape(text)}" if text[:1].isalnum() else re.escape(text)
    if text[-1:].isalnum():
        whole += r"(?!\w)"
    return bool(text) and bool(re.search(whole, _squeeze(draft.origins[quote.source - 1])))


def _squeeze(text: str) -> str:
    return " ".join(text.split())
