"""SKOS files (Turtle, RDF/XML, JSON-LD, N-Triples) read into concepts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote
from xml.parsers import expat

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat
from pyoxigraph import parse as parse_rdf

from elysia_guard.domain.concept import Concept, Text, in_language
from elysia_guard.domain.errors import DocumentError

_FORMATS = {
    ".ttl": RdfFormat.TURTLE,
    ".rdf": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
    ".nt": RdfFormat.N_TRIPLES,
}

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XL = "http://www.w3.org/2008/05/skos-xl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_TYPE = _RDF + "type"
VALUES = (_RDF + "value", _XL + "literalForm")
_RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PREFERRED = (_SKOS + "prefLabel", _XL + "prefLabel")
_ALTERNATIVE = (_SKOS + "altLabel", _XL + "altLabel")
_HIDDEN = (_SKOS + "hiddenLabel", _XL + "hiddenLabel")
_SCHEMES = (_SKOS + "inScheme", _SKOS + "topConceptOf")
_TITLES = (
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    _SKOS + "prefLabel",
    _RDFS_LABEL,
)
_DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
_REPLACED_BY = "http://purl.org/dc/terms/isReplacedBy"
_INVERSE = {
    _SKOS + "broader": _SKOS + "narrower",
    _SKOS + "narrower": _SKOS + "broader",
    _SKOS + "related": _SKOS + "related",
}
_NOTES = tuple(_SKOS + name for name in ("definition", "scopeNote", "example", "notation"))
_LABELS = (*_PREFERRED, *_ALTERNATIVE, *_HIDDEN, *_TITLES)
_READ = frozenset(
    (_TYPE, *_LABELS, *_NOTES, *VALUES, *_SCHEMES, *_INVERSE, _DEPRECATED, _REPLACED_BY)
)

_PLACE = re.compile(r"^Parser error .*?: ")
_TAG = re.compile(rb"(?<=[\"'])@([A-Za-z0-9_-]*)")
_WHOLE_TAG = re.compile(rb"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_URI = re.compile(r"[^:]*:(?://(?P<host>[^/?#]*))?(?P<path>.*)", re.DOTALL)
_SCHEME_SEGMENT = re.compile(r"(?:concept)?[-_]?scheme", re.IGNORECASE)

Value = Text | str
"""A literal, or the URI of a node."""


@dataclass(slots=True)
class Graph:
    """The facts that are read, by subject and predicate, in the order of the files."""

    facts: dict[str, dict[str, dict[Value, None]]] = field(default_factory=dict)
    concepts: dict[str, Path] = field(default_factory=dict)
    schemes: dict[Path, list[str]] = field(default_factory=lambda: defaultdict(list))

    def nodes(self, subject: str, *predicates: str) -> tuple[str, ...]:
        """The nodes that a subject points to."""
        return tuple(v for v in self._values(subject, predicates) if isinstance(v, str))

    def texts(self, subject: str, *predicates: str) -> tuple[Text, ...]:
        """The literals of a subject; a node is read through its rdf:value or literal form."""
        texts: dict[Text, None] = {}
        for value in self._values(subject, predicates):
            found = self._values(value, VALUES) if isinstance(value, str) else [value]
            texts.update((t, None) for t in found if isinstance(t, Text) and t.value.strip())
        return tuple(texts)

    def labels(self, subject: str, *predicates: str) -> tuple[Text, ...]:
        """The literals of a subject without blanks around them."""
        texts = self.texts(subject, *predicates)
        return tuple(
            dict.fromkeys(Text(value=text.value.strip(), lang=text.lang) for text in texts)
        )

    def _values(self, subject: str, predicates: Iterable[str]) -> Iterator[Value]:
        properties = self.facts.get(subject, {})
        for predicate in predicates:
            yield from properties.get(predicate, ())


def read_concepts(paths: Sequence[Path]) -> list[Concept]:
    """Read the concepts of files, and of all SKOS files in folders, as one vocabulary.

    Raises:
        DocumentError: a file is missing, does not parse, or holds no concept.
    """
    graph = Graph()
    for path in files_of(paths):
        read_bytes(path, graph)
    _add_inverses(graph)
    return [_concept(graph, uri) for uri in graph.concepts]


def files_of(paths: Sequence[Path]) -> list[Path]:
    """Name the SKOS files of the paths; a folder stands for those in it."""
    files: dict[Path, None] = {}
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix.lower() in _FORMATS)
        if not found:
            raise DocumentError(f"{path}: no SKOS file in this folder ({', '.join(_FORMATS)})")
        files.update(dict.fromkeys(found))
    if not files:
        raise DocumentError("no vocabulary file is named; name at least one SKOS file or folder")
    return list(files)


def read_bytes(path: Path, graph: Graph) -> None:
    """Add the facts of a file; blank nodes are numbered, so that every start names them alike."""
    blanks: dict[str, str] = {}

    def named(node: object) -> str | None:
        if isinstance(node, NamedNode):
            return node.value
        if isinstance(node, BlankNode):
            return blanks.setdefault(node.value, f"_:{path.stem}-{len(blanks) + 1}")
        return None

    seen = False
    for quad in _quads(path):
        predicate, subject = quad.predicate.value, named(quad.subject)
        value = _text(quad.object) if isinstance(quad.object, Literal) else named(quad.object)
        if predicate not in _READ or subject is None or value is None:
            continue
        graph.facts.setdefault(subject, {}).setdefault(predicate, {})[value] = None
        if predicate == _TYPE and value == _SKOS + "Concept":
            graph.concepts.setdefault(subject, path)
            seen = True
        elif predicate == _TYPE and value == _SKOS + "ConceptScheme":
            graph.schemes[path].append(subject)
    if not seen:
        raise DocumentError(f"{path}: no skos:Concept in this file; is it a SKOS vocabulary?")


def _text(literal: Literal) -> Text:
    return Text(value=literal.value, lang=(literal.language or "").replace("_", "-") or None)


def _quads(path: Path) -> list[Quad]:
    if path.suffix.lower() not in _FORMATS:
        raise DocumentError(f"{path}: not a SKOS file by its name; use {', '.join(_FORMATS)}")
    try:
        data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as err:
        raise DocumentError(f"{path}: cannot be read: {err.strerror}") from err
    quads, errors = parse_quads(path, data)
    if errors:
        quads, errors = parse_quads(path, with_whole_tags(data, errors))
    if errors:
        line = errors[0].lineno or _xml_line(path, data)
        what = _PLACE.sub("", errors[0].msg)
        raise DocumentError(f"{path}{f', line {line}' if line else ''}: {what}") from errors[0]
    return quads


def parse_quads(path: Path, data: bytes) -> tuple[list[Quad], list[SyntaxError]]:
    """Parse all there is; the parser goes on after an error, at the next statement."""
    quads: list[Quad] = []
    errors: list[SyntaxError] = []
    # Relative URIs must not depend on the machine, hence the name of the file alone.
    reader = parse_rdf(
        data,
        _FORMATS[path.suffix.lower()],
        base_iri=f"file:///{quote(path.name)}",
        lenient=True,
    )
    while True:
        try:
            quads.append(next(reader))
        except StopIteration:
            return quads, errors
        except SyntaxError as err:
            errors.append(err)


def with_whole_tags(data: bytes, errors: Iterable[SyntaxError]) -> bytes:
    """Repair the language tags ('@en_GB', '@en-', '@') on the lines that did not parse."""
    lines = data.split(b"\n")
    for number in {err.lineno for err in errors if err.lineno and err.lineno <= len(lines)}:
        lines[number - 1] = _TAG.sub(_whole_tag, lines[number - 1])
    return b"\n".join(lines)


def _whole_tag(found: re.Match[bytes]) -> bytes:
    tag = found[1].replace(b"_", b"-").strip(b"-")
    return b"@" + tag if _WHOLE_TAG.fullmatch(tag) else b""


def _xml_line(path: Path, data: bytes) -> int | None:
    """Find the line of an error in XML, which pyoxigraph does not tell."""
    if path.suffix.lower() != ".rdf":
        return None
    try:
        expat.ParserCreate().Parse(data, True)  # noqa: FBT003 - positional only
    except expat.ExpatError as err:
        return err.lineno
    except LookupError:  # an encoding that nobody knows
        return 1
    return None


def _add_inverses(graph: Graph) -> None:
    """Let both ends know a relation that the file states at one."""
    for uri in graph.concepts:
        for relation, inverse in _INVERSE.items():
            for target in graph.nodes(uri, relation):
                if target in graph.concepts:
                    graph.facts[target].setdefault(inverse, {})[uri] = None


def _concept(graph: Graph, uri: str) -> Concept:
    scheme = _scheme(graph, uri)
    titles = (in_language(graph.labels(scheme, title), "en") for title in _TITLES)
    notations = graph.labels(uri, _SKOS + "notation")
    return Concept(
        uri=uri,
        vocabulary=_vocabulary_id(scheme) or graph.concepts[uri].stem,
        vocabulary_title=next((title.value for title in titles if title), ""),
        preferred=graph.labels(uri, *_PREFERRED) or graph.labels(uri, _RDFS_LABEL),
        alternative=graph.labels(uri, *_ALTERNATIVE),
        hidden=graph.labels(uri, *_HIDDEN),
        definitions=graph.texts(uri, _SKOS + "definition"),
        scope_notes=graph.texts(uri, _SKOS + "scopeNote"),
        examples=graph.texts(uri, _SKOS + "example"),
        notation=notations[0].value if notations else "",
        broader=graph.nodes(uri, _SKOS + "broader"),
        narrower=graph.nodes(uri, _SKOS + "narrower"),
        related=graph.nodes(uri, _SKOS + "related"),
        deprecated=any(t.value.lower() in ("true", "1") for t in graph.labels(uri, _DEPRECATED)),
        replaced_by=graph.nodes(uri, _REPLACED_BY),
    )


def _scheme(graph: Graph, uri: str) -> str:
    """The scheme of a concept; where it names none, the only one of its file."""
    if named := graph.nodes(uri, *_SCHEMES):
        return named[0]
    schemes = graph.schemes[graph.concepts[uri]]
    return schemes[0] if len(schemes) == 1 else ""


def _vocabulary_id(scheme: str) -> str:
    """Name a vocabulary by its scheme.

    >>> _vocabulary_id("https://vocab.vennet.example/grid/scheme")
    'grid'
    """
    parts = _URI.fullmatch(scheme)
    if parts is None or scheme.startswith("_:"):
        return ""
    segments = [segment for segment in re.split(r"[/:?#]", parts["path"]) if segment]
    if segments and _SCHEME_SEGMENT.fullmatch(segments[-1]):
        segments.pop()
    return segments[-1] if segments else parts["host"] or ""
