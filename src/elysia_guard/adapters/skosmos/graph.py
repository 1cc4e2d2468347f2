"""The answer of Skosmos' ``data``: one concept, whole, as JSON-LD."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from elysia_guard.domain.concept import Concept, Text, in_language
from elysia_guard.domain.question import LANGS

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XL = "http://www.w3.org/2008/05/skos-xl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_VALUES = (_RDF + "value", _XL + "literalForm")
_DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
_REPLACED_BY = "http://purl.org/dc/terms/isReplacedBy"

Value = Text | str
"""A literal, or the URI of a node."""


def read_concept(body: bytes, uri: str, *, vocabulary: str, title: str) -> Concept | None:
    """Read a concept; None if the graph says that this is something else.

    Values come in no order of Skosmos' own, so they are sorted: by language, then by text. Hidden
    labels, which no one reads, keep the order in which they came.

    Raises:
        ValueError: this is no JSON-LD, or tells nothing of the concept.
    """
    graph = _Graph(body)
    if uri not in graph.subjects:
        raise ValueError(f"the graph tells nothing of {uri}")
    if _SKOS + "Concept" not in graph.nodes(uri, _RDF + "type"):
        return None
    schemes = graph.nodes(uri, _SKOS + "inScheme", _SKOS + "topConceptOf")
    names = (in_language(graph.texts(s, _SKOS + "prefLabel", _LABEL), "en") for s in schemes)
    notations = graph.texts(uri, _SKOS + "notation")
    return Concept(
        uri=uri,
        vocabulary=vocabulary,
        vocabulary_title=title or next((name.value for name in names if name), ""),
        preferred=_sorted(graph.labels(uri, "prefLabel")),
        alternative=_sorted(graph.labels(uri, "altLabel")),
        hidden=tuple(sorted(graph.labels(uri, "hiddenLabel"), key=_rank)),
        definitions=_sorted(graph.texts(uri, _SKOS + "definition")),
        scope_notes=_sorted(graph.texts(uri, _SKOS + "scopeNote")),
        examples=_sorted(graph.texts(uri, _SKOS + "example")),
        notation=min((notation.value for notation in notations), default=""),
        broader=graph.related(uri, "broader", "narrower"),
        narrower=graph.related(uri, "narrower", "broader"),
        related=graph.related(uri, "related", "related"),
        deprecated=any(t.value in {"true", "1"} for t in graph.texts(uri, _DEPRECATED)),
        replaced_by=tuple(sorted(graph.nodes(uri, _REPLACED_BY))),
    )


class _Graph:
    """The facts of an answer, by subject and predicate."""

    def __init__(self, body: bytes) -> None:
        self.subjects: set[str] = set()
        self._facts: dict[tuple[str, str], dict[Value, None]] = defaultdict(dict)
        self._pointing: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        # Relative references are nobody's; contexts elsewhere are not fetched.
        for quad in parse(body, RdfFormat.JSON_LD, base_iri="about:blank", lenient=True):
            subject, value = quad.subject, quad.object
            if not isinstance(subject, NamedNode):
                continue
            self.subjects.add(subject.value)
            facts = self._facts[subject.value, quad.predicate.value]
            if isinstance(value, Literal):
                lang = (value.language or "").replace("_", "-") or None
                facts[Text(value=value.value, lang=lang)] = None
            elif isinstance(value, NamedNode):
                facts[value.value] = None
                self._pointing[quad.predicate.value, value.value][subject.value] = None

    def nodes(self, subject: str, *predicates: str) -> list[str]:
        """The nodes that a subject points to."""
        return [v for p in predicates for v in self._of(subject, p) if isinstance(v, str)]

    def texts(self, subject: str, *predicates: str) -> list[Text]:
        """The literals of a subject; a node is read through its rdf:value or literal form."""
        texts: dict[Text, None] = {}
        for predicate in predicates:
            for value in self._of(subject, predicate):
                if isinstance(value, Text):
                    texts[value] = None
                else:
                    inner = (text for form in _VALUES for text in self._of(value, form))
                    texts.update((text, None) for text in inner if isinstance(text, Text))
        return [text for text in texts if text.value.strip()]

    def labels(self, subject: str, kind: str) -> list[Text]:
        """The labels of a kind, without blanks around them."""
        texts = self.texts(subject, _SKOS + kind, _XL + kind)
        return list(dict.fromkeys(Text(value=t.value.strip(), lang=t.lang) for t in texts))

    def related(self, subject: str, relation: str, inverse: str) -> tuple[str, ...]:
        """The nodes in a relation, also where only the other end states it."""
        stated = self.nodes(subject, _SKOS + relation)
        return tuple(sorted({*stated, *self._pointing.get((_SKOS + inverse, subject), ())}))

    def _of(self, subject: str, predicate: str) -> Iterable[Value]:
        return self._facts.get((subject, predicate), ())


def _rank(text: Text) -> tuple[int, str]:
    """Our languages first, then the others, then what has none."""
    if text.lang is None:
        return len(LANGS) + 1, ""
    primary = text.lang.partition("-")[0].lower()
    return next((i for i, lang in enumerate(LANGS) if lang == primary), len(LANGS)), text.lang


def _sorted(texts: Iterable[Text]) -> tuple[Text, ...]:
    return tuple(sorted(texts, key=lambda text: (_rank(text), text.value)))
