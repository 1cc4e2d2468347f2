"""Questions for the meaning of a term that only the vocabulary lets one read."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Definition, Part, ReadBy, Search
from elysia_guard.language import definitions
from elysia_guard.ports import MeaningCue, TerminologySource

MOST_HEARD = 8
"""Terms of one question that are listened for: more are a list of words, and each takes 2 ms."""


class Heard(NamedTuple):
    """A term whose meaning a text sounds like asking for, and the chance that it does."""

    term: str
    chance: float


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


async def heard(source: TerminologySource, cue: MeaningCue, text: str, lang: Lang) -> Heard | None:
    """Find the term of a text whose meaning it asks for most likely, however unlikely that is.

    Args:
        source: the vocabulary; what it does not know cannot be heard.
        cue: gives the chance for one term.
        text: the question.
        lang: its language.
    """
    try:
        groups = await source.synonyms(text, lang=lang)
        terms = list(dict.fromkeys(group[0] for group in groups if group))
        others = len(terms) - 1
        chances = [
            Heard(term, await cue(text, term, lang=lang, others=others))
            for term in terms[:MOST_HEARD]
        ]
    except SourceUnavailableError:
        return None  # what needs the source later, will say so
    return max(chances, key=lambda item: item.chance, default=None)


def as_heard(part: Part, found: Heard) -> Part:
    """Read a part as one for the meaning of the term that was heard."""
    return Part(
        asks=Definition(term=found.term),
        text=part.text,
        reason=f"it sounds like asking what '{found.term}' means ({found.chance:.2f})",
        read_by=ReadBy.INTENT_MODEL,
        chance=found.chance,
    )
