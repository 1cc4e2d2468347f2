"""Concepts written as a Turtle file that reads back as the same concepts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

from elysia_guard.adapters.skos.graph import (
    CONCEPT,
    DCT,
    DEPRECATED,
    OWL,
    OWN_SCHEME,
    RDF,
    REPLACED_BY,
    SCHEME,
    SKOS,
    TOP,
    TYPE,
    vocabulary_id,
)
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.text import clean

_PREFIXES = {
    "skos": SKOS,
    "dct": DCT,
    "owl": OWL,
    "rdf": RDF,
}
_OWN_NODE = "urn:elysia-guard:node:"
_LEGAL = ":/?#[]@!$&'()*+,;=%-._~"
_TRUE = Literal("true", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#boolean"))

Fact = tuple[str, NamedNode | Literal]


def turtle(concepts: Sequence[Concept], schemes: Mapping[str, str]) -> bytes:
    """Write concepts as Turtle.

    Args:
        concepts: what to write; nodes without a URI and with a damaged one get one.
        schemes: the scheme of a concept, by its URI. One from which the concept would not get its
            vocabulary when it is read is not used: the id of a vocabulary must not change.
    """
    homes = [_scheme(concept.vocabulary, schemes.get(concept.uri, "")) for concept in concepts]
    titles: dict[NamedNode, str] = {}
    for home, concept in zip(homes, concepts, strict=True):
        titles[home] = titles.get(home) or concept.vocabulary_title
    triples = [triple for home, title in titles.items() for triple in _of_scheme(home, title)]
    for home, concept in zip(homes, concepts, strict=True):
        triples += _of_concept(concept, home)
    return serialize(triples, format=RdfFormat.TURTLE, prefixes=_PREFIXES) or b""


def commented(lines: Iterable[str]) -> bytes:
    """Write lines as a comment; whatever is in them, it does not end before they do."""
    return "".join(f"# {clean(line)}\n" for line in lines).encode("utf-8", "replace")


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place, all of it or nothing.

    Raises:
        DocumentError: it cannot be written; what was there is still there.
    """
    path = path.resolve()
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as err:
        with suppress(OSError):
            beside.unlink()
        raise DocumentError(f"{path}: cannot be written: {err.strerror}") from err


def begins_with(path: Path, mark: str) -> bool:
    """Tell whether the first line of a file says who wrote it."""
    try:
        with path.open("rb") as file:
            return file.read(len(mark) + 2) == commented([mark]).rstrip(b"\n")
    except OSError:
        return False


def iri(uri: str) -> NamedNode:
    """Name a node; one without a URI gets one of ours, an illegal character is escaped."""
    if uri.startswith("_:"):
        return NamedNode(_OWN_NODE + quote(uri[2:], safe=""))
    try:
        return NamedNode(uri)
    except ValueError:
        escaped = quote(uri, safe=_LEGAL, errors="replace")
    try:
        return NamedNode(escaped)
    except ValueError:
        return NamedNode(_OWN_NODE + quote(uri, safe="", errors="replace"))


def _scheme(id_: str, uri: str) -> NamedNode:
    if uri and not uri.startswith("_:") and vocabulary_id(iri(uri).value) == id_:
        return iri(uri)
    return NamedNode(OWN_SCHEME + quote(id_, safe="", errors="replace"))


def _of_scheme(scheme: NamedNode, title: str) -> Iterator[Triple]:
    yield Triple(scheme, NamedNode(TYPE), NamedNode(SCHEME))
    if title:
        yield Triple(scheme, NamedNode(DCT + "title"), Literal(title))


def _of_concept(concept: Concept, scheme: NamedNode) -> Iterator[Triple]:
    subject = iri(concept.uri)
    yield Triple(subject, NamedNode(TYPE), NamedNode(CONCEPT))
    yield Triple(subject, NamedNode(SKOS + "inScheme"), scheme)
    if concept.top:
        yield Triple(subject, NamedNode(TOP), scheme)
    for predicate, value in _facts(concept):
        yield Triple(subject, NamedNode(predicate), value)


def _facts(concept: Concept) -> Iterator[Fact]:
    texts = {
        "prefLabel": concept.preferred,
        "altLabel": concept.alternative,
        "hiddenLabel": concept.hidden,
        "definition": concept.definitions,
        "scopeNote": concept.scope_notes,
        "example": concept.examples,
        "note": concept.descriptions,
    }
    yield from ((SKOS + name, _literal(text)) for name, its in texts.items() for text in its)
    if concept.notation:
        yield SKOS + "notation", Literal(concept.notation)
    nodes = {
        SKOS + "broader": concept.broader,
        SKOS + "narrower": concept.narrower,
        SKOS + "related": concept.related,
        REPLACED_BY: concept.replaced_by,
    }
    yield from ((predicate, iri(uri)) for predicate, uris in nodes.items() for uri in uris)
    yield from ((SKOS + name, iri(uri)) for name, uri in concept.mappings)
    if concept.deprecated:
        yield DEPRECATED, _TRUE


def _literal(text: Text) -> Literal:
    if text.lang:
        try:
            return Literal(text.value, language=text.lang)
        except ValueError:
            # A tag that is none, such as 'abcdefghij', tells nothing.
            return Literal(text.value)
    return Literal(text.value)
