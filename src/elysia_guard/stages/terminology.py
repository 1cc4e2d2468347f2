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
_OF_SOMETHING = re.compile(r"(?P<term>.+?)\s+(?:of|van|von)\s+(?:an?|een|eine[rms]?)\s+\S+$", re.I)
_QUALIFIED = re.compile(r"(?P<term>.+?)\s*\((?P<vocabulary>[^()]+)\)$")


async def look_up(source: TerminologySource, term: str, lang: Lang) -> Evidence:
    """Gather every concept a term names; an outage lands in ``missing``, never in 'not there'."""
    looked_at = (source.name,)
    try:
        matches = tuple(await _named(source, term, lang))
        related = await _related(source, matches, lang)
    except SourceTimeoutError as err:
        failure = SourceFailure(source=err.source, timeout=True)
        return Evidence(
            looked_at=looked_at, missing=(failure,), fallbacks=(f"{err.source}_timeout",)
        )
    except SourceUnavailableError as err:
        failure = SourceFailure(source=err.source, timeout=False)
        return Evidence(looked_at=looked_at, missing=(failure,), fallbacks=(f"{err.source}_error",))
    return Evidence(matches=matches, related=related, looked_at=looked_at)


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


async def synonyms(source: TerminologySource, text: str, lang: Lang) -> tuple[tuple[str, ...], ...]:
    """Return the vocabulary's synonyms for the words of a text; none when it cannot be asked.

    Words that name more than one concept have none: the wrong sense would count as an answer.
    """
    try:
        groups = await source.synonyms(text, lang=lang)
    except SourceUnavailableError:
        return ()
    meanings = Counter(normalise(group[0]) for group in groups if group)
    return tuple(tuple(group) for group in groups if group and meanings[normalise(group[0])] == 1)


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
