"""RDF facts made into concepts: the one place that knows which predicates are read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from elysia_guard.domain.concept import Concept, Text, in_language

SKOS = "http://www.w3.org/2004/02/skos/core#"
XL = "http://www.w3.org/2008/05/skos-xl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL = "http://www.w3.org/2002/07/owl#"
DCT = "http://purl.org/dc/terms/"
TYPE = RDF + "type"
CONCEPT, SCHEME = SKOS + "Concept", SKOS + "ConceptScheme"
VALUES = (RDF + "value", XL + "literalForm")
DEPRECATED = OWL + "deprecated"
REPLACED_BY, REPLACES = DCT + "isReplacedBy", DCT + "replaces"
_RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PREFERRED = (SKOS + "prefLabel", XL + "prefLabel")
_ALTERNATIVE = (SKOS + "altLabel", XL + "altLabel")
_HIDDEN = (SKOS + "hiddenLabel", XL + "hiddenLabel")
_SCHEMES = (SKOS + "inScheme", SKOS + "topConceptOf")
_TITLES = (
    DCT + "title",
    "http://purl.org/dc/elements/1.1/title",
    SKOS + "prefLabel",
    _RDFS_LABEL,
)
_DESCRIPTIONS = (DCT + "description", SKOS + "note")
_MAPPINGS = tuple(f"{name}Match" for name in ("exact", "close", "broad", "narrow", "related"))
TOP, _HAS_TOP = SKOS + "topConceptOf", SKOS + "hasTopConcept"
_INVERSE = {
    SKOS + "broader": SKOS + "narrower",
    SKOS + "narrower": SKOS + "broader",
    SKOS + "related": SKOS + "related",
    REPLACES: REPLACED_BY,
}
_NOTES = tuple(SKOS + name for name in ("definition", "scopeNote", "example", "notation"))
_LINKS = (*(SKOS + name for name in _MAPPINGS), TOP, _HAS_TOP)
_LABELS = (*_PREFERRED, *_ALTERNATIVE, *_HIDDEN, *_TITLES)
_READ = frozenset(
    (
        *(TYPE, DEPRECATED, REPLACED_BY),
        *(*_LABELS, *_NOTES, *_DESCRIPTIONS, *VALUES),
        *(*_SCHEMES, *_INVERSE, *_LINKS),
    )
)

OWN_SCHEME = "urn:elysia-guard:vocabulary:"
"""Begins the scheme of a vocabulary that has none to be called by."""
_URI = re.compile(r"[^:]*:(?://(?P<host>[^/?#]*))?(?P<path>.*)", re.DOTALL)
_SCHEME_SEGMENT = re.compile(r"(?:concept)?[-_]?scheme", re.IGNORECASE)

MAX_URI_CHARS = 2_000
MAX_LABEL_CHARS = 1_000
MAX_TEXT_CHARS = 20_000
"""Of a definition, a note or an example."""
SHARED_TIMES = 10
"""How often, on average, a text in a node may be shared by concepts."""
SHARED_FREELY = 100_000

Value = Text | str
"""A literal, or the URI of a node."""


class BeyondLimitError(ValueError):
    """What a vocabulary holds goes beyond a limit; the message tells which, and no file."""


@dataclass(slots=True)
class Graph:
    """The facts that are read, by subject and predicate, in the order in which they came."""

    facts: dict[str, dict[str, dict[Value, None]]] = field(default_factory=dict)
    concepts: dict[str, str] = field(default_factory=dict)
    """Each with the name of the file that says so first."""
    schemes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By file."""
    _read: int = 0
    _made: int = 0
    _titles: dict[str, str] = field(default_factory=dict)

    def read(self, quads: Iterable[Quad], home: str) -> bool:
        """Add facts, and tell whether there is a concept among them.

        Blank nodes are numbered, so that every start names them alike.

        Raises:
            BeyondLimitError: a label, text or address is longer than its limit.
        """
        blanks: dict[str, str] = {}

        def named(node: object) -> str | None:
            if isinstance(node, NamedNode):
                return _bounded(node.value)
            if isinstance(node, BlankNode):
                return blanks.setdefault(node.value, f"_:{home}-{len(blanks) + 1}")
            return None

        seen = False
        for quad in quads:
            predicate = quad.predicate.value
            if predicate not in _READ:
                continue
            subject = named(quad.subject)
            value = _text(quad.object) if isinstance(quad.object, Literal) else named(quad.object)
            if subject is None or value is None:
                continue
            if isinstance(value, Text):
                self._read += 1
                _check(subject, predicate, value.value)
            self.facts.setdefault(subject, {}).setdefault(predicate, {})[value] = None
            if predicate == TYPE and value == CONCEPT:
                self.concepts.setdefault(subject, home)
                seen = True
            elif predicate == TYPE and value == SCHEME:
                self.schemes[home].append(subject)
        return seen

    def nodes(self, subject: str, *predicates: str) -> tuple[str, ...]:
        """The nodes that a subject points to."""
        return tuple(v for v in self._values(subject, predicates) if isinstance(v, str))

    def texts(self, subject: str, *predicates: str) -> tuple[Text, ...]:
        """The literals of a subject; a node is read through its rdf:value or literal form."""
        texts: dict[Text, None] = {}
        for value in self._values(subject, predicates):
            found = self._values(value, VALUES) if isinstance(value, str) else [value]
            for text in found:
                self._count()
                if isinstance(text, Text) and text.value.strip():
                    texts[text] = None
        return tuple(texts)

    def labels(self, subject: str, *predicates: str) -> tuple[Text, ...]:
        """The literals of a subject without blanks around them."""
        texts = self.texts(subject, *predicates)
        return tuple(
            dict.fromkeys(Text(value=text.value.strip(), lang=text.lang) for text in texts)
        )

    def add_inverses(self, subjects: Iterable[str]) -> None:
        """Let concepts know the relations that these subjects state at their own end."""
        for uri in list(subjects):
            for relation, inverse in _INVERSE.items():
                for target in self.nodes(uri, relation):
                    if target in self.concepts:
                        self.facts[target].setdefault(inverse, {})[uri] = None

    def add_tops(self) -> None:
        """Let concepts know that a scheme names them its top concepts."""
        for schemes in self.schemes.values():
            for scheme in schemes:
                for uri in self.nodes(scheme, _HAS_TOP):
                    if uri in self.concepts:
                        self.facts[uri].setdefault(TOP, {})[scheme] = None

    def scheme_of(self, uri: str) -> str:
        """The scheme of a concept; where it names none, the only one of its file."""
        if named := self.nodes(uri, *_SCHEMES):
            return named[0]
        schemes = self.schemes[self.concepts[uri]]
        return schemes[0] if len(schemes) == 1 else ""

    def concept(self, uri: str) -> Concept:
        """Make a concept of its facts."""
        scheme = self.scheme_of(uri)
        notations = self.labels(uri, SKOS + "notation")
        return Concept(
            uri=uri,
            vocabulary=vocabulary_id(scheme) or self.concepts[uri],
            vocabulary_title=self._title(scheme),
            preferred=self.labels(uri, *_PREFERRED) or self.labels(uri, _RDFS_LABEL),
            alternative=self.labels(uri, *_ALTERNATIVE),
            hidden=self.labels(uri, *_HIDDEN),
            definitions=self.texts(uri, SKOS + "definition"),
            scope_notes=self.texts(uri, SKOS + "scopeNote"),
            descriptions=self.texts(uri, *_DESCRIPTIONS),
            examples=self.texts(uri, SKOS + "example"),
            notation=notations[0].value if notations else "",
            broader=self.nodes(uri, SKOS + "broader"),
            narrower=self.nodes(uri, SKOS + "narrower"),
            related=self.nodes(uri, SKOS + "related"),
            mappings=tuple(
                (name, other) for name in _MAPPINGS for other in self.nodes(uri, SKOS + name)
            ),
            top=bool(self.nodes(uri, TOP)),
            deprecated=any(t.value.lower() in ("true", "1") for t in self.labels(uri, DEPRECATED)),
            replaced_by=self.nodes(uri, REPLACED_BY),
        )

    def _title(self, scheme: str) -> str:
        if scheme not in self._titles:
            titles = (in_language(self.labels(scheme, title), "en") for title in _TITLES)
            self._titles[scheme] = next((title.value for title in titles if title), "")
        return self._titles[scheme]

    def _count(self) -> None:
        """Count a text that is given to a concept; those of a node may be given to many."""
        self._made += 1
        if self._made > max(SHARED_FREELY, SHARED_TIMES * self._read):
            raise BeyondLimitError(
                f"its concepts share texts in nodes more than {SHARED_TIMES} times on average"
            )

    def _values(self, subject: str, predicates: Iterable[str]) -> Iterator[Value]:
        properties = self.facts.get(subject, {})
        for predicate in predicates:
            yield from properties.get(predicate, ())


def concepts_of(graph: Graph) -> list[Concept]:
    """Make concepts of a whole vocabulary; both ends know what either states."""
    graph.add_inverses(graph.concepts)
    graph.add_tops()
    return [graph.concept(uri) for uri in graph.concepts]


def schemes_of(graph: Graph) -> dict[str, str]:
    """The scheme that gives each concept its vocabulary, by the concept's URI."""
    return {uri: scheme for uri in graph.concepts if (scheme := graph.scheme_of(uri))}


def vocabulary_id(scheme: str) -> str:
    """Name a vocabulary by its scheme.

    >>> vocabulary_id("https://vocab.vennet.example/grid/scheme")
    'grid'
    """
    if scheme.startswith(OWN_SCHEME):
        return unquote(scheme.removeprefix(OWN_SCHEME))
    parts = _URI.fullmatch(scheme)
    if parts is None or scheme.startswith("_:"):
        return ""
    segments = [segment for segment in re.split(r"[/:?#]", parts["path"]) if segment]
    if segments and _SCHEME_SEGMENT.fullmatch(segments[-1]):
        segments.pop()
    return segments[-1] if segments else parts["host"] or ""


def _bounded(uri: str) -> str:
    if len(uri) > MAX_URI_CHARS:
        raise BeyondLimitError(
            f"<{uri[:60]}...> has {len(uri):,} characters; an address may have {MAX_URI_CHARS:,}"
        )
    return uri


def _check(subject: str, predicate: str, text: str) -> None:
    # What a node holds may be either: who points to it says what it is.
    limit = MAX_LABEL_CHARS if predicate in _LABELS else MAX_TEXT_CHARS
    if len(text) > limit:
        name = re.split(r"[#/]", predicate)[-1]
        raise BeyondLimitError(
            f"the {name} of <{subject}> has {len(text):,} characters; the limit is {limit:,}; "
            "shorten it"
        )


def _text(literal: Literal) -> Text:
    return Text(value=literal.value, lang=(literal.language or "").replace("_", "-") or None)
