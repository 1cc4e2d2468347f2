"""What is wrong in SKOS files: each check is a function over a vocabulary that returns findings.

An error breaks SKOS or RDF itself, a warning costs somebody an answer, a note is good to know.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elysia_guard.adapters.skos.graph import SKOS, VALUES, XL, Graph, schemes_of
from elysia_guard.adapters.skos.rdf import MAX_BYTES, BytesLeft, concepts_in, files_of
from elysia_guard.adapters.skos.report import (
    Findings,
    Problem,
    Report,
    VocabularyFinding,
    finding,
    in_file,
)
from elysia_guard.domain.concept import Concept, LabelRole, Text
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.text import normalise

MAIN_SHARE = 0.5
"""The share of a vocabulary's concepts with a prefLabel in a language that makes it a main one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Vocabulary:
    """Concepts as the guard reads them, and the facts of which that reading mends some."""

    concepts: Sequence[Concept]
    graph: Graph = field(default_factory=Graph)


def check_files(paths: Sequence[Path], *, max_bytes: int = MAX_BYTES) -> Report:
    """Check files, and all SKOS files in folders, as one vocabulary.

    A statement that does not parse is told, and the rest read without it; so is a file.

    Raises:
        DocumentError: none of the files can be read.
    """
    graph, allowance = Graph(), BytesLeft(max_bytes)
    files: list[Path] = []
    errors: list[DocumentError] = []
    found: list[VocabularyFinding] = []
    for file in files_of(paths):
        try:
            found += in_file(file, graph, allowance)
        except DocumentError as err:
            errors.append(err)
        else:
            files.append(file)
    if not files:
        raise errors[0]
    concepts = tuple(concepts_in(graph, files))
    found += (finding(Problem.UNREADABLE, place=str(err)) for err in errors)
    found += check(Vocabulary(concepts=concepts, graph=graph))
    order = list(Problem)
    found.sort(key=lambda finding: order.index(finding.problem))
    return Report(
        files=tuple(files), concepts=concepts, findings=tuple(found), schemes=schemes_of(graph)
    )


def check(vocabulary: Vocabulary) -> list[VocabularyFinding]:
    """Return everything that is wrong with a vocabulary."""
    return [finding for look in CHECKS for finding in look(vocabulary)]


def unnamed(vocabulary: Vocabulary) -> Findings:
    """Concepts without prefLabel; an rdfs:label in its place helps the guard, not others."""
    for concept in vocabulary.concepts:
        if not vocabulary.graph.texts(concept.uri, SKOS + "prefLabel", XL + "prefLabel"):
            text = f"rdfs:label {_quoted(*concept.preferred)}" if concept.preferred else ""
            yield finding(Problem.NO_NAME, concept.uri, text=text)


def named_twice(vocabulary: Vocabulary) -> Findings:
    """Concepts with two prefLabels in one language (SKOS S14)."""
    for concept in vocabulary.concepts:
        by_lang: dict[str, list[Text]] = defaultdict(list)
        for text in concept.preferred:
            by_lang[(text.lang or "").lower()].append(text)
        for texts in by_lang.values():
            if len(texts) > 1:
                yield finding(Problem.TWO_NAMES, concept.uri, text=_quoted(*texts))


def labelled_twice(vocabulary: Vocabulary) -> Findings:
    """One and the same label in two roles of a concept (SKOS S13)."""
    for concept in vocabulary.concepts:
        roles: dict[Text, list[str]] = defaultdict(list)
        sets = (concept.preferred, concept.alternative, concept.hidden)
        for role, texts in zip(LabelRole, sets, strict=True):
            for text in texts:
                roles[text].append(role)
        for text, held in roles.items():
            if len(held) > 1:
                shown = f"{_quoted(text)}: {' and '.join(held)}"
                yield finding(Problem.TWO_ROLES, concept.uri, text=shown)


def badly_defined(vocabulary: Vocabulary) -> Findings:
    """Concepts without definition, and definitions of which nobody knows the language."""
    for concept in vocabulary.concepts:
        if not concept.definitions:
            yield finding(Problem.NO_DEFINITION, concept.uri)
        elif any(not text.lang for text in concept.definitions):
            yield finding(Problem.UNTAGGED, concept.uri)


def definition_nodes(vocabulary: Vocabulary) -> Findings:
    """Definitions that are nodes, read through their rdf:value or not at all."""
    graph = vocabulary.graph
    for concept in vocabulary.concepts:
        for node in graph.nodes(concept.uri, SKOS + "definition"):
            readable = graph.texts(node, *VALUES)
            text = "read through its value" if readable else f"holds no text: {node}"
            yield finding(Problem.NODE, concept.uri, text=text)


def missing_languages(vocabulary: Vocabulary) -> Findings:
    """Named concepts without a prefLabel in a language that most of their vocabulary has."""
    for concepts in _by_vocabulary(vocabulary).values():
        main = main_languages(concepts)
        for concept in concepts:
            missing = [lang for lang in main if lang not in _spoken(concept)]
            if concept.preferred and missing:
                yield finding(Problem.LANGUAGE, concept.uri, text=", ".join(missing))


def main_languages(concepts: Sequence[Concept]) -> list[str]:
    """The languages in which at least half of the concepts have a prefLabel, by name."""
    spoken = Counter(lang for concept in concepts for lang in _spoken(concept))
    return sorted(lang for lang, count in spoken.items() if count >= MAIN_SHARE * len(concepts))


def _spoken(concept: Concept) -> set[str]:
    return {lang for text in concept.preferred if (lang := _primary(text))}


def _by_vocabulary(vocabulary: Vocabulary) -> dict[str, list[Concept]]:
    groups: dict[str, list[Concept]] = defaultdict(list)
    for concept in vocabulary.concepts:
        groups[concept.vocabulary].append(concept)
    return groups


def homonyms(vocabulary: Vocabulary) -> Findings:
    """Names, preferred or alternative, that several living concepts of a vocabulary share."""
    for concepts in _by_vocabulary(vocabulary).values():
        yield from _clashes(Problem.HOMONYM, concepts)


def shared_labels(vocabulary: Vocabulary) -> Findings:
    """Names that living concepts of several vocabularies share: whoever asks is asked back."""
    home = {concept.uri: concept.vocabulary for concept in vocabulary.concepts}
    for clash in _clashes(Problem.SHARED, vocabulary.concepts):
        if len({home[uri] for uri in clash.concepts}) > 1:
            yield clash


def _clashes(problem: Problem, concepts: Iterable[Concept]) -> Findings:
    """Names that stand for several concepts in one language; untagged ones are in any."""
    names: dict[str, list[tuple[str, Text]]] = defaultdict(list)
    for concept in concepts:
        for text in () if concept.deprecated else (*concept.preferred, *concept.alternative):
            names[normalise(text.value)].append((concept.uri, text))
    for named in names.values():
        clashes: dict[tuple[str, ...], list[str]] = defaultdict(list)
        tagged = sorted({lang for _, text in named if (lang := _primary(text))})
        for lang in tagged or [""]:
            held = dict.fromkeys(uri for uri, text in named if _primary(text) in (lang, ""))
            if len(held) > 1:
                clashes[tuple(held)].append(lang or "no language")
        for uris, langs in clashes.items():
            name = next(text.value for uri, text in named if uri == uris[0])
            yield finding(problem, *uris, text=f"'{name}' ({', '.join(langs)})")


def hidden_labels_taken(vocabulary: Vocabulary) -> Findings:
    """Hidden labels that name another living concept: a look-up takes names before them."""
    living = [concept for concept in vocabulary.concepts if not concept.deprecated]
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for concept in living:
        for text in concept.preferred:
            names[normalise(text.value)][concept.uri] = None
    for concept in living:
        for text in concept.hidden:
            others = [uri for uri in names.get(normalise(text.value), ()) if uri != concept.uri]
            if others:
                yield finding(Problem.HIDDEN_TAKEN, concept.uri, *others, text=_quoted(text))


def blanks(vocabulary: Vocabulary) -> Findings:
    """Labels with blanks around them, or of nothing else."""
    for concept in vocabulary.concepts:
        for role in LabelRole:
            for text in _as_written(vocabulary.graph, concept.uri, role):
                if text.value != text.value.strip():
                    yield finding(Problem.BLANKS, concept.uri, text=f"{role} {_quoted(text)}")


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


# fmt: off
CHECKS: tuple[Callable[[Vocabulary], Findings], ...] = (
    unnamed, named_twice, labelled_twice, cycles, both_broader_and_related, badly_defined,
    definition_nodes, missing_languages, homonyms, hidden_labels_taken, blanks, dangling, dead_ends,
    shared_labels,
)
# fmt: on


def _primary(text: Text) -> str:
    return (text.lang or "").partition("-")[0].lower()


def _quoted(*texts: Text) -> str:
    return ", ".join(f"'{text.value}'{f' ({text.lang})' if text.lang else ''}" for text in texts)


def _as_written(graph: Graph, uri: str, role: LabelRole) -> Iterable[Text]:
    """The labels of a concept, those of nothing but blanks too; of SKOS-XL what its nodes hold."""
    plain = (
        text for text in graph.facts.get(uri, {}).get(SKOS + role, ()) if isinstance(text, Text)
    )
    return dict.fromkeys([*plain, *graph.texts(uri, SKOS + role, XL + role)])
