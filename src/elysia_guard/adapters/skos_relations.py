"""What is wrong with the relations of SKOS concepts: circles, contradictions, ways to nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elysia_guard.adapters.skos_findings import Findings, Problem, Vocabulary, finding
from elysia_guard.domain.concept import Concept


def cycles(vocabulary: Vocabulary) -> Findings:
    """Broader concepts that lead back to the start; each told once, from its first URI on."""
    seen: set[frozenset[str]] = set()
    for cycle in _cycles(_broader(vocabulary)):
        if (members := frozenset(cycle)) not in seen:
            seen.add(members)
            first = cycle.index(min(cycle))
            yield finding(Problem.CYCLE, *cycle[first:], *cycle[:first])


def _cycles(broader: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    done: set[str] = set()
    for start in broader:
        # The way up from the start: each concept with what is still to be tried above it.
        path = {start: iter(broader[start])} if start not in done else {}
        while path:
            uri = next(reversed(path))
            above = next(path[uri], None)
            if above is None:
                path.popitem()
                done.add(uri)
            elif above in path:
                way = tuple(path)
                yield way[way.index(above) :]
            elif above not in done:
                path[above] = iter(broader[above])


def both_broader_and_related(vocabulary: Vocabulary) -> Findings:
    """Concepts that are related to one that is above them, however far (SKOS S27)."""
    broader = _broader(vocabulary)
    seen: set[frozenset[str]] = set()
    for concept in vocabulary.concepts:
        above = _above(concept.uri, broader) if concept.related else set()
        for uri in concept.related:
            pair = frozenset((concept.uri, uri))
            if uri in above and uri != concept.uri and pair not in seen:
                seen.add(pair)
                yield finding(Problem.BROADER_RELATED, concept.uri, uri)


def _above(uri: str, broader: Mapping[str, Sequence[str]]) -> set[str]:
    above: set[str] = set()
    todo = list(broader[uri])
    while todo:
        if (one := todo.pop()) not in above:
            above.add(one)
            todo += broader[one]
    return above


def _broader(vocabulary: Vocabulary) -> dict[str, list[str]]:
    concepts = {concept.uri: concept for concept in vocabulary.concepts}
    return {uri: [up for up in item.broader if up in concepts] for uri, item in concepts.items()}


def dangling(vocabulary: Vocabulary) -> Findings:
    """Relations to a URI that is no concept of the files."""
    known = {concept.uri for concept in vocabulary.concepts}
    for concept in vocabulary.concepts:
        for name, uris in relations(concept).items():
            for uri in uris:
                if uri not in known:
                    yield finding(Problem.DANGLING, concept.uri, text=f"{name} {uri}")


def relations(concept: Concept) -> dict[str, tuple[str, ...]]:
    """The URIs that a concept points to, by the name of the relation."""
    return {
        "broader": concept.broader,
        "narrower": concept.narrower,
        "related": concept.related,
        "isReplacedBy": concept.replaced_by,
    }


def dead_ends(vocabulary: Vocabulary) -> Findings:
    """Deprecated concepts that nothing replaces, or something that is deprecated too."""
    deprecated = {concept.uri for concept in vocabulary.concepts if concept.deprecated}
    for concept in vocabulary.concepts:
        if concept.deprecated and not concept.replaced_by:
            yield finding(Problem.NO_REPLACEMENT, concept.uri)
        for uri in concept.replaced_by:
            if uri in deprecated:
                yield finding(Problem.DEAD_END, concept.uri, uri)
