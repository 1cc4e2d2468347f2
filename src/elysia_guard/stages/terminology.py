"""The terminology stage: ask the governed vocabulary what a term means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from elysia_guard.domain.concept import Concept, RelatedConcept, TermMatch
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import normalise
from elysia_guard.ports import TerminologySource

MAX_RELATED = 8
Synonyms = tuple[tuple[str, ...], ...]
_OF_SOMETHING = re.compile(r"(?P<term>.+?)\s+(?:of|van|von)\s+(?:an?|een|eine[rms]?)\s+\S+$", re.I)
_QUALIFIED = re.compile(r"(?P<term>.+?)\s*\((?P<vocabulary>[^()]+)\)$")


async def look_up(source: TerminologySource, term: str, lang: Lang) -> Evidence:
    """Gather every concept a term names; an outage lands in ``missing``, never in 'not there'."""
    looked_at = (source.name,)
    try:
        matches = tuple(await _named(source, term, lang))
    except SourceUnavailableError as err:
        missing = (_failure(err),)
        return Evidence(looked_at=looked_at, missing=missing, fallbacks=flags(missing))
    try:
        related = await _related(source, matches, lang)
    except SourceUnavailableError:
        related = ()  # a definition in hand is worth more than its neighbours
    return Evidence(matches=matches, related=related, looked_at=looked_at)


def flags(failures: Sequence[SourceFailure]) -> tuple[str, ...]:
    """Name the degradations that failed sources bring: ``skosmos_timeout``, ``skosmos_error``."""
    return tuple(f"{item.source}_{'timeout' if item.timeout else 'error'}" for item in failures)


def _failure(err: SourceUnavailableError) -> SourceFailure:
    return SourceFailure(source=err.source, timeout=isinstance(err, SourceTimeoutError))


async def _named(source: TerminologySource, term: str, lang: Lang) -> Sequence[TermMatch]:
    """Look a term up; 'CIM (Grid and market terms)' is CIM in the vocabulary of that name.

    In 'the mRID of an object' the term is what comes before, unless the whole is one.
    """
    matches = await source.lookup(term, lang=lang)
    if not matches and (part := _OF_SOMETHING.match(term)):
        matches = await source.lookup(part["term"], lang=lang)
    qualified = _QUALIFIED.match(term)
    if matches or not qualified:
        return matches
    wanted = normalise(qualified["vocabulary"])
    return [
        match
        for match in await source.lookup(qualified["term"], lang=lang)
        if wanted
        in (normalise(match.concept.vocabulary), normalise(match.concept.vocabulary_title))
    ]


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
        return (), (_failure(err),)
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
