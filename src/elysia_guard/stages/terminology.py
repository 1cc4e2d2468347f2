"""The terminology stage: ask the governed vocabulary what a term means."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any

from elysia_guard.domain.concept import Concept, RelatedConcept, TermMatch
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.question import Intent, Lang
from elysia_guard.language.text import normalise
from elysia_guard.ports import TerminologySource

MAX_RELATED = 8
Synonyms = tuple[tuple[str, ...], ...]
_OF_SOMETHING = re.compile(r"(?P<term>.+?)\s+(?:of|van|von)\s+(?:an?|een|eine[rms]?)\s+\S+$", re.I)
_QUALIFIED = re.compile(r"(?P<term>.+?)\s*\((?P<vocabulary>[^()]+)\)$")


async def look_up(
    source: TerminologySource, intent: Intent, lang: Lang, *, within_s: float | None = None
) -> Evidence:
    """Gather every concept a term names; an outage lands in ``missing``, never in 'not there'.

    Of a term whose meaning was chosen before, that meaning; the ``others`` are named beside it.

    Args:
        source: the vocabulary.
        intent: names the term.
        lang: the language of the question.
        within_s: seconds for everything, the neighbours included, which are left out when it ends.
    """
    looked_at = (source.name,)
    ends = asyncio.get_running_loop().time() + within_s if within_s else None
    try:
        found = tuple(await _named(source, intent.term or "", lang))
    except SourceUnavailableError as err:
        missing = (SourceFailure.of(err),)
        return Evidence(looked_at=looked_at, missing=missing, fallbacks=flags(missing))
    matches = tuple(match for match in found if match.concept.uri == intent.uri) or found
    others = tuple(match for match in found if match not in matches)
    try:
        async with asyncio.timeout_at(ends):
            related = await _related(source, matches, lang)
    except (SourceUnavailableError, TimeoutError):
        related = ()  # a definition in hand is worth more than its neighbours
    return Evidence(matches=matches, others=others, related=related, looked_at=looked_at)


def flags(failures: Sequence[SourceFailure]) -> tuple[str, ...]:
    """Name the degradations that failed sources bring: ``skosmos_timeout``, ``circuit_open``."""
    return tuple(dict.fromkeys(flag for failure in failures for flag in failure.flags))


async def _named(source: TerminologySource, term: str, lang: Lang) -> Sequence[TermMatch]:
    """Look a term up, in every way it may be meant, all at once: together they have one deadline.

    'CIM (Grid and market terms)' is CIM in the vocabulary of that name, and in 'the mRID of an
    object' the term is what comes before; unless the whole is a term.
    """
    qualified, part = _QUALIFIED.match(term), _OF_SOMETHING.match(term)
    ways = [term, *(form["term"] for form in (qualified, part) if form)]
    whole, *shorter = await _all(*(source.lookup(way, lang=lang) for way in ways))
    if whole or not shorter:
        return whole
    if qualified is None:
        return shorter[0]
    wanted = normalise(qualified["vocabulary"])
    return [
        match
        for match in shorter[0]
        if wanted
        in (normalise(match.concept.vocabulary), normalise(match.concept.vocabulary_title))
    ]


async def _all(*lookups: Coroutine[Any, Any, Sequence[TermMatch]]) -> list[Sequence[TermMatch]]:
    """Await look-ups side by side; the first failure, in their order, is raised."""
    found = await asyncio.gather(*lookups, return_exceptions=True)
    for item in found:
        if isinstance(item, BaseException):
            raise item
    return [item for item in found if not isinstance(item, BaseException)]


async def synonyms(
    source: TerminologySource, text: str, lang: Lang
) -> tuple[Synonyms, tuple[SourceFailure, ...]]:
    """Return the vocabulary's synonyms for the words of a text, or how it could not be asked.

    Words that name more than one concept have none: the wrong sense would count as an answer.
    """
    if not text:
        return (), ()
    try:
        groups = await source.synonyms(text, lang=lang)
    except SourceUnavailableError as err:
        return (), (SourceFailure.of(err),)
    meanings = Counter(normalise(group[0]) for group in groups if group)
    single = (group for group in groups if group and meanings[normalise(group[0])] == 1)
    return tuple(tuple(group) for group in single), ()


async def _related(
    source: TerminologySource, matches: tuple[TermMatch, ...], lang: Lang
) -> tuple[RelatedConcept, ...]:
    """Name the neighbours of a single match, and the successors of a deprecated one."""
    if len(matches) != 1:
        return ()
    concept = matches[0].concept
    if concept.deprecated:
        relations = {"replaced_by": concept.replaced_by}
    else:
        relations = {
            "broader": concept.broader,
            "narrower": concept.narrower,
            "related": concept.related,
        }
    wanted = [(name, uri) for name, uris in relations.items() for uri in uris][:MAX_RELATED]
    known: dict[str, Concept] = {
        item.uri: item for item in await source.concepts([uri for _, uri in wanted])
    }
    return tuple(
        RelatedConcept(uri=uri, label=known[uri].label(lang), relation=name)
        for name, uri in wanted
        if uri in known
    )
