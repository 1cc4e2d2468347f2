"""The concepts around one that was found: its neighbours, and what replaced it."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.concept import Concept, RelatedConcept, TermMatch
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Relation
from elysia_guard.ports import TerminologySource
from elysia_guard.stages.terminology.ways import Asked

MAX_RELATED = 8
MOST_STEPS = 5
"""From a concept to one that replaced what replaced it."""


async def relatives_of(
    source: TerminologySource, asks: Asked, matches: Sequence[TermMatch]
) -> tuple[Concept, ...]:
    """The living concepts that stand to a single match as is asked, in the vocabulary's order."""
    if not isinstance(asks, Definition) or len(matches) != 1:
        return ()
    concept = matches[0].concept
    uris = {
        Relation.BROADER: concept.broader,
        Relation.NARROWER: concept.narrower,
        Relation.RELATED: concept.related,
    }.get(asks.relation, ())
    known = {item.uri: item for item in await source.concepts(uris)} if uris else {}
    return tuple(known[uri] for uri in uris if uri in known and not known[uri].deprecated)


async def related_to(
    source: TerminologySource, matches: tuple[TermMatch, ...], lang: Lang
) -> tuple[RelatedConcept, ...]:
    """Name the successors of a single match that has been replaced, else its neighbours."""
    if len(matches) != 1:
        return ()
    concept = matches[0].concept
    if concept.deprecated and (successors := await _successors(source, concept)):
        return tuple(_neighbour(item, "replaced_by", lang) for item in successors)
    relations = {
        "broader": concept.broader,
        "narrower": concept.narrower,
        "related": concept.related,
    }
    wanted = [(name, uri) for name, uris in relations.items() for uri in uris][:MAX_RELATED]
    known = {item.uri: item for item in await source.concepts([uri for _, uri in wanted])}
    return tuple(_neighbour(known[uri], name, lang) for name, uri in wanted if uri in known)


def _neighbour(concept: Concept, relation: str, lang: Lang) -> RelatedConcept:
    return RelatedConcept(
        uri=concept.uri,
        label=concept.label(lang),
        relation=relation,
        defined=bool(concept.definitions) and not concept.deprecated,
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
