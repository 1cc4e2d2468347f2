"""The terminology stage: ask the governed vocabulary what a term means, as a question means it."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

from elysia_guard.domain.concept import Concept, LabelRole, RelatedConcept, TermMatch, Text
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Definitions, Sense, SourceFailure
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Definition, Relation, Search
from elysia_guard.language.pack import either
from elysia_guard.language.phrases import compiled
from elysia_guard.language.spelling import mistyped
from elysia_guard.language.text import normalise, without_marks, words
from elysia_guard.ports import Clock, TerminologySource, timeout_at

NEAREST = 10
"""Concepts among which a term that is mistyped must be."""
MAX_RELATED = 8
"""Neighbours that are told beside a definition; of each kind, where there is none."""
MOST_STEPS = 5
"""From a concept to one that replaced what replaced it."""
Synonyms = tuple[tuple[str, ...], ...]
Asked = Definition | Comparison | Search
"""What names a term to look up."""
InTime = Callable[[], asyncio.Timeout]
"""The time for what is only told beside an answer: what is left of a whole."""
_QUALIFIED = re.compile(r"(?P<term>.+?)\s*\((?P<vocabulary>[^()]+)\)$")


async def look_up(
    source: TerminologySource,
    asks: Asked,
    lang: Lang,
    *,
    within_s: float | None = None,
    clock: Clock = time.monotonic,
) -> Definitions:
    """Gather every concept a term names; an outage lands in ``missing``, never in 'not there'.

    Of a term whose meaning was chosen before, that meaning; the ``others`` are named beside it.
    After ``within_s`` seconds what is only told beside a definition is left out.
    """
    looked_at = (source.name,)
    in_time = partial(timeout_at, clock, clock() + within_s if within_s else None)
    chosen = "" if isinstance(asks, Comparison) else asks.uri
    try:
        found = await _found(source, asks, lang, in_time)
        matches = tuple(match for match in found.matches if match.concept.uri == chosen)
        matches = matches or found.matches
        relatives = await _relatives(source, asks, matches)
    except SourceUnavailableError as err:
        missing = (SourceFailure.of(err),)
        return Definitions(looked_at=looked_at, missing=missing, fallbacks=flags(missing))
    others = tuple(match for match in found.matches if match not in matches)
    try:
        async with in_time():
            alone = not found.compared or found.names_one
            related = await _related(source, matches, lang) if alone else ()
    except (SourceUnavailableError, TimeoutError):
        related = ()  # a definition in hand is worth more than its neighbours
    told = replace(found, matches=matches, others=others, looked_at=looked_at)
    return replace(told, related=related, relatives=relatives)


async def _found(
    source: TerminologySource, asks: Asked, lang: Lang, in_time: InTime
) -> Definitions:
    if isinstance(asks, Comparison):
        # The first that is defined before the other; nothing where neither is clear.
        each = await _all(*(source.lookup(term, lang=lang) for term in asks.terms))
        pairs = zip(asks.terms, each, strict=True)
        senses = [Sense(term=term, matches=tuple(matches)) for term, matches in pairs]
        first, *others = sorted(senses, key=lambda sense: (not sense.defined, not sense.single))
        if not first.single:
            return Definitions()
        return Definitions(matches=first.matches, compared=tuple(others))
    found = await _named(source, asks.term, lang)
    if found.matches or isinstance(asks, Search):
        return found
    try:
        async with in_time():
            return await _respelt(source, asks.term, lang)
    except (SourceUnavailableError, TimeoutError):
        return found  # that it is not there as it is written, is known


async def _respelt(source: TerminologySource, term: str, lang: Lang) -> Definitions:
    """The one concept of which a label differs from the term by a slip, where there is but one."""
    slips = {
        (concept.uri, label.value): slip
        for way in (term, *_without_sort(term))
        for concept in await source.suggest(way, lang=lang, limit=NEAREST)
        for label, _ in _names(concept, lang)
        if (slip := mistyped(way, label.value))
    }
    if len({uri for uri, _ in slips}) != 1 or await _any_known(source, slips.values(), lang):
        return Definitions()
    uri, written_right = min(slips)
    for concept in await source.concepts([uri]):
        for label, role in _names(concept, lang):
            if label.value == written_right:
                match = TermMatch(concept=concept, label=label, role=role)
                return Definitions(matches=(match,), written=term)
    return Definitions()


def _names(concept: Concept, lang: Lang) -> Iterator[tuple[Text, LabelRole]]:
    every = [(label, LabelRole.PREFERRED) for label in concept.preferred]
    every += [(label, LabelRole.ALTERNATIVE) for label in concept.alternative]
    return (each for each in every if each[0].lang in (None, lang))


async def _any_known(source: TerminologySource, slips: Iterable[str], lang: Lang) -> bool:
    """Tell whether one of the words is no slip, because the vocabulary writes it itself."""
    for word in set(slips):
        for concept in await source.suggest(word, lang=lang, limit=NEAREST):
            texts = (*concept.preferred, *concept.alternative, *concept.definitions)
            if any(word in words(without_marks(text.value)) for text in texts):
                return True
    return False


def flags(failures: Sequence[SourceFailure]) -> tuple[str, ...]:
    """Name the degradations that failed sources bring: ``skosmos_timeout``, ``circuit_open``."""
    return tuple(dict.fromkeys(flag for failure in failures for flag in failure.flags))


async def _named(source: TerminologySource, term: str, lang: Lang) -> Definitions:
    """Look a term up in the way that it is meant: in one look-up, where the labels tell the way.

    The whole term comes first. Where no labels are known, all ways are asked side by side, as
    together they have one deadline.
    """
    ways = list(_ways(term))
    known = [way for way in ways[1:] and ways if await _is_label(source, way.term, lang)][:1]
    tried = known or [way for way in ways if not way.sort]
    answers = await _all(*(source.lookup(way.term, lang=lang) for way in tried))
    for way, matches in zip(tried, answers, strict=True):
        found = tuple(match for match in matches if way.fits(match))
        if way.sort and len(found) > 1:
            break
        if found:
            return Definitions(matches=found, written=term if way.sort else "")
    return Definitions()


async def _is_label(source: TerminologySource, term: str, lang: Lang) -> bool:
    """Tell whether the labels at hand hold a term as a whole, which costs no look-up."""
    try:
        labels = [group[0] for group in await source.synonyms(term, lang=lang) if group]
    except SourceUnavailableError:
        return False  # the look-up will say so
    return any(len(words(label)) == len(words(term)) for label in labels)


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


# The concepts around one that was found


def _around(concept: Concept) -> dict[Relation, tuple[str, ...]]:
    return {
        Relation.BROADER: concept.broader,
        Relation.NARROWER: concept.narrower,
        Relation.RELATED: concept.related,
    }


async def _relatives(
    source: TerminologySource, asks: Asked, matches: Sequence[TermMatch]
) -> tuple[Concept, ...]:
    """The living concepts that stand to a single match as is asked, in the vocabulary's order."""
    if not isinstance(asks, Definition) or len(matches) != 1:
        return ()
    uris = _around(matches[0].concept).get(asks.relation, ())
    known = {item.uri: item for item in await source.concepts(uris)} if uris else {}
    return tuple(known[uri] for uri in uris if uri in known and not known[uri].deprecated)


async def _related(
    source: TerminologySource, matches: tuple[TermMatch, ...], lang: Lang
) -> tuple[RelatedConcept, ...]:
    """Name the successors of a single match that has been replaced, else its neighbours."""
    if len(matches) != 1:
        return ()
    concept = matches[0].concept
    if concept.deprecated and (successors := await _successors(source, concept)):
        told = [(item, "replaced_by") for item in successors]
    else:
        around = _around(concept)
        wanted = [(str(name), uri) for name in around for uri in around[name][:MAX_RELATED]]
        if concept.definitions:
            wanted = wanted[:MAX_RELATED]
        known = {item.uri: item for item in await source.concepts([uri for _, uri in wanted])}
        told = [(known[uri], name) for name, uri in wanted if uri in known]
    return tuple(
        RelatedConcept(
            uri=item.uri,
            label=item.label(lang),
            relation=name,
            defined=bool(item.definitions) and not item.deprecated,
            living=not item.deprecated,
        )
        for item, name in told
    )


async def _successors(source: TerminologySource, concept: Concept) -> list[Concept]:
    """The living concepts that replace one, by the vocabulary's own relation, also in steps."""
    living: dict[str, Concept] = {}
    seen, replaced = {concept.uri}, concept.replaced_by
    for _ in range(MOST_STEPS):
        wanted = [uri for uri in replaced if uri not in seen]
        if not wanted:
            break
        seen.update(wanted)
        found = await source.concepts(wanted)
        living.update({item.uri: item for item in found if not item.deprecated})
        replaced = tuple(uri for item in found if item.deprecated for uri in item.replaced_by)
    return list(living.values())[:MAX_RELATED]


# The ways in which a term may be meant


class Way(NamedTuple):
    """One way in which a term may be meant; ``sort`` where it is without 'rule' or 'attack'."""

    term: str
    vocabulary: str = ""
    sort: bool = False

    def fits(self, match: TermMatch) -> bool:
        """Tell whether a concept is the one that is meant, or stands in that vocabulary."""
        concept = match.concept
        titles = (concept.vocabulary, concept.vocabulary_title, concept.uri)
        return not self.vocabulary or self.vocabulary in map(normalise, titles)


def _ways(term: str) -> Iterator[Way]:
    """'CIM (Grid terms)' is CIM in that vocabulary, 'the mRID of an object' is mRID."""
    yield Way(term)
    if qualified := _QUALIFIED.match(term):
        yield Way(qualified["term"], vocabulary=normalise(qualified["vocabulary"]))
    if part := _of_something().match(term):
        yield Way(part["term"])
    for plain in _without_sort(term):
        yield Way(plain, sort=True)


def _without_sort(term: str) -> Iterator[str]:
    """Yield a term without the noun that only says what sort of thing it is: 'the N-1 rule'."""
    if match := _sort().fullmatch(term):
        yield match["term"]


@cache
def _sort() -> re.Pattern[str]:
    return compiled(rf"(?P<term>\S.*?)[ -]{either(lambda core: core.words.sorts)}s?")


@cache
def _of_something() -> re.Pattern[str]:
    of = either(lambda core: core.words.of)
    one = either(lambda core: core.words.indefinite)
    return compiled(rf"(?P<term>.+?) {of} ?{one} \S+$")
