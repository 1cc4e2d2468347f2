"""What is wrong in SKOS files: each check is a function over a vocabulary that returns findings.

An error breaks SKOS or RDF itself, a warning costs somebody an answer, a note is good to know.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from elysia_guard.adapters.skos_findings import (
    DefinitionNode,
    Finding,
    Findings,
    Label,
    Problem,
    Report,
    Vocabulary,
    finding,
)
from elysia_guard.adapters.skos_graph import SKOS, VALUES, XL, Graph, schemes_of
from elysia_guard.adapters.skos_limits import MAX_BYTES
from elysia_guard.adapters.skos_rdf import Allowance, concepts_in, files_of
from elysia_guard.adapters.skos_reading import in_file
from elysia_guard.adapters.skos_relations import (
    both_broader_and_related,
    cycles,
    dangling,
    dead_ends,
)
from elysia_guard.domain.concept import Concept, LabelRole, Text
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.text import normalise

MAIN_SHARE = 0.5
"""The share of a vocabulary's concepts with a prefLabel in a language that makes it a main one."""


def check_files(paths: Sequence[Path], *, max_bytes: int = MAX_BYTES) -> Report:
    """Check files, and all SKOS files in folders, as one vocabulary.

    A statement that does not parse is told, and the rest read without it; so is a file.

    Raises:
        DocumentError: none of the files can be read.
    """
    graph, allowance = Graph(), Allowance(max_bytes)
    files: list[Path] = []
    errors: list[DocumentError] = []
    found: list[Finding] = []
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
    found += check(_vocabulary(graph, concepts))
    order = list(Problem)
    found.sort(key=lambda finding: order.index(finding.problem))
    return Report(
        files=tuple(files), concepts=concepts, findings=tuple(found), schemes=schemes_of(graph)
    )


def check(vocabulary: Vocabulary) -> list[Finding]:
    """Return everything that is wrong with a vocabulary."""
    return [finding for look in CHECKS for finding in look(vocabulary)]


def unnamed(vocabulary: Vocabulary) -> Findings:
    """Concepts without prefLabel; an rdfs:label in its place helps the guard, not others."""
    named = {
        label.concept
        for label in vocabulary.labels
        if label.role is LabelRole.PREFERRED and label.text.value.strip()
    }
    for concept in vocabulary.concepts:
        if concept.uri not in named:
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
    for item in vocabulary.definition_nodes:
        text = "read through its value" if item.readable else f"holds no text: {item.node}"
        yield finding(Problem.NODE, item.concept, text=text)


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
    for label in vocabulary.labels:
        if label.text.value != label.text.value.strip():
            shown = f"{label.role} {_quoted(label.text)}"
            yield finding(Problem.BLANKS, label.concept, text=shown)


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


def _vocabulary(graph: Graph, concepts: Sequence[Concept]) -> Vocabulary:
    labels = [
        Label(concept=uri, role=role, text=text)
        for uri in graph.concepts
        for role in LabelRole
        for text in _as_written(graph, uri, role)
    ]
    nodes = [
        DefinitionNode(concept=uri, node=node, readable=bool(graph.texts(node, *VALUES)))
        for uri in graph.concepts
        for node in graph.nodes(uri, SKOS + "definition")
    ]
    return Vocabulary(concepts=concepts, labels=labels, definition_nodes=nodes)


def _as_written(graph: Graph, uri: str, role: LabelRole) -> Iterable[Text]:
    """The labels of a concept, those of nothing but blanks too; of SKOS-XL what its nodes hold."""
    plain = (text for text in graph.facts[uri].get(SKOS + role, ()) if isinstance(text, Text))
    return dict.fromkeys([*plain, *graph.texts(uri, SKOS + role, XL + role)])
