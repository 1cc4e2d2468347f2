"""Questions for the meaning of a term that only the vocabulary lets one read."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Part, Search
from elysia_guard.language import definitions
from elysia_guard.ports import TerminologySource


async def meant(source: TerminologySource, part: Part, lang: Lang) -> Part:
    """Settle what a search may be beside: a comparison of terms, or for the one that it mentions.

    'Everybody on the call said redispatch, what is that?' names its term nowhere in particular: it
    is the one label of the vocabulary that stands in it; where none does, or several, none is
    meant.
    """
    asks = part.asks
    if not isinstance(asks, Search) or not asks.term:
        return part
    if pair := definitions.compared(asks.term):
        return replace(part, asks=Comparison(terms=pair, topic=asks.topic))
    asked = definitions.asked(asks.topic)
    if not asked or not asked.vague:
        return part
    try:
        labels = {group[0] for group in await source.synonyms(asks.term, lang=lang) if group}
    except SourceUnavailableError:
        return part  # the look-up will say so
    if len(labels) != 1:
        return replace(part, asks=replace(asks, term=""))
    return replace(part, asks=replace(asks, term=labels.pop()))
