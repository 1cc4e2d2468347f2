"""The answer of Skosmos' ``data``: one concept, whole, as JSON-LD."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pyoxigraph import Quad, RdfFormat, parse

from elysia_guard.adapters.skos_graph import CONCEPT, SKOS, TYPE, Graph
from elysia_guard.adapters.skos_limits import Unfolded, check_json
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.language.pack import langs


def read_concept(body: bytes, uri: str, *, vocabulary: str, title: str) -> Concept | None:
    """Read a concept; None if the graph says that this is something else.

    Values come in no order of Skosmos' own, so they are sorted: by language, then by text. Hidden
    labels, which no one reads, keep the order in which they came.

    Raises:
        ValueError: this is no JSON-LD, tells nothing of the concept, or goes beyond a limit.
    """
    check_json(body)
    # Relative references are nobody's; contexts elsewhere are not fetched.
    quads: list[Quad] = []
    unfolded = Unfolded(len(body))
    for quad in parse(body, RdfFormat.JSON_LD, base_iri="about:blank", lenient=True):
        unfolded.add(quad)
        quads.append(quad)
    if not any(getattr(quad.subject, "value", "") == uri for quad in quads):
        raise ValueError(f"the graph tells nothing of {uri}")
    graph = Graph()
    graph.read(quads, vocabulary)
    if CONCEPT not in graph.nodes(uri, TYPE):
        return None
    graph.add_inverses(graph.facts)
    concept = graph.concept(uri)
    notations = graph.texts(uri, SKOS + "notation")
    return replace(
        concept,
        vocabulary=vocabulary,
        vocabulary_title=title or concept.vocabulary_title,
        preferred=_sorted(concept.preferred),
        alternative=_sorted(concept.alternative),
        hidden=tuple(sorted(concept.hidden, key=_rank)),
        definitions=_sorted(concept.definitions),
        scope_notes=_sorted(concept.scope_notes),
        examples=_sorted(concept.examples),
        notation=min((notation.value for notation in notations), default=""),
        broader=_nodes(concept.broader),
        narrower=_nodes(concept.narrower),
        related=_nodes(concept.related),
        replaced_by=_nodes(concept.replaced_by),
    )


def _nodes(uris: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(uri for uri in uris if not uri.startswith("_:")))


def _rank(text: Text) -> tuple[int, str]:
    """Our languages first, then the others, then what has none."""
    if text.lang is None:
        return len(langs()) + 1, ""
    primary = text.lang.partition("-")[0].lower()
    ours = langs()
    return ours.index(primary) if primary in ours else len(ours), text.lang


def _sorted(texts: Iterable[Text]) -> tuple[Text, ...]:
    return tuple(sorted(texts, key=lambda text: (_rank(text), text.value)))
