"""Does every quote stand, word for word, in its source as that is now?"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.origin import IN_THE_INDEX, Origin, OriginState
from elysia_guard.domain.response import Validation

_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2010": "-",
     "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2026": "..."}
)  # fmt: skip


def verify(draft: Draft, now: Sequence[Origin] = ()) -> Validation:
    """Count the quotes that hold against the sources as they are now; none is not verified.

    ``now[i]`` is source i+1; without it a quote is held against the text that the draft was
    made from.
    """
    quotes = [quote for block in draft.blocks for quote in block.quotes]
    held = sum(_holds(quote, draft, now) for quote in quotes)
    cited = {quote.source for quote in quotes}
    origins = [_origin(now, n) for n in sorted(cited) if 1 <= n <= len(draft.origins)]
    return Validation(
        sources_verified=held,
        sources_total=len(quotes),
        confidence=held / len(quotes) if quotes else 0.0,
        against=tuple(dict.fromkeys(origin.against.value for origin in origins)),
    )


def standing(draft: Draft, now: Sequence[Origin]) -> tuple[Draft, tuple[Origin, ...]]:
    """Return what holds of a draft, its sources numbered anew, and those sources as they are now.

    A block of which no quote is left goes whole, with its heading and notes.
    """
    held = ((block, _standing(block, draft, now)) for block in draft.blocks)
    kept = [new for block, new in held if new.quotes or not block.quotes]
    if not any(block.quotes for block in kept):
        kept = []
    cited = sorted({quote.source for block in kept for quote in block.quotes})
    renumbered = {old: new for new, old in enumerate(cited, start=1)}
    shown = {
        quote.source: quote.text for block in reversed(kept) for quote in reversed(block.quotes)
    }
    return (
        Draft(
            blocks=tuple(_renumbered(block, renumbered) for block in kept),
            sources=tuple(
                replace(draft.sources[n - 1], n=renumbered[n], quote=shown[n]) for n in cited
            ),
            origins=tuple(draft.origins[n - 1] for n in cited),
            cited=tuple(draft.cited[n - 1] for n in cited),
        ),
        tuple(_origin(now, n) for n in cited),
    )


def _standing(block: Block, draft: Draft, now: Sequence[Origin]) -> Block:
    return replace(block, quotes=tuple(each for each in block.quotes if _holds(each, draft, now)))


def _renumbered(block: Block, numbers: dict[int, int]) -> Block:
    quotes = (replace(quote, source=numbers[quote.source]) for quote in block.quotes)
    return replace(block, quotes=tuple(quotes))


def _origin(now: Sequence[Origin], source: int) -> Origin:
    return now[source - 1] if now else IN_THE_INDEX


def _holds(quote: Quote, draft: Draft, now: Sequence[Origin]) -> bool:
    if not 1 <= quote.source <= len(draft.origins):
        return False
    origin = _origin(now, quote.source)
    if origin.state is OriginState.GONE:
        return False
    text = _squeeze(quote.text)
    if origin.state is not OriginState.CHANGED:
        return _stands(text, _squeeze(draft.origins[quote.source - 1]))
    return _stands(_plain(text), _plain(_squeeze(origin.text)))


def _plain(text: str) -> str:
    """Leave out what an editor changes by itself: the form of quotation marks and dashes."""
    return unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)


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
