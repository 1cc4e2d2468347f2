"""What iec.ttl and legal.ttl say, asked with SPARQL: the table that the client is held against.

Nothing here uses the program under test.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pyoxigraph import Literal, NamedNode, RdfFormat, Store

GOLDEN = Path(__file__).parent
VOCABULARIES = ("iec", "legal")
TITLES = {"iec": "Grid modelling terms", "legal": "Energy law terms"}

_PREFIXES = """
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX dct: <http://purl.org/dc/terms/>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
"""
_LABELS = """
SELECT ?g ?c ?role ?label ?gone WHERE { GRAPH ?g {
  VALUES ?role { skos:prefLabel skos:altLabel skos:hiddenLabel }
  ?c a skos:Concept ; ?role ?label .
  OPTIONAL { ?c owl:deprecated ?gone }
} }
"""
Said = tuple[str, str | None]
"""A text and its language."""


@dataclass(frozen=True)
class Label:
    """A label of a concept."""

    vocabulary: str
    uri: str
    role: str
    text: str
    lang: str | None
    deprecated: bool


@cache
def _store() -> Store:
    store = Store()
    for name in VOCABULARIES:
        path = GOLDEN / f"{name}.ttl"
        store.load(path=str(path), format=RdfFormat.TURTLE, to_graph=NamedNode(f"urn:{name}"))
    return store


def _select(query: str, **bound: str):  # type: ignore[no-untyped-def]
    for name, uri in bound.items():
        query = query.replace(f"${name}", f"<{uri}>")
    return _store().query(_PREFIXES + query, use_default_graph_as_union=True)


@cache
def labels() -> tuple[Label, ...]:
    """All labels of all concepts."""
    return tuple(
        Label(
            vocabulary=row["g"].value.removeprefix("urn:"),
            uri=row["c"].value,
            role=row["role"].value.rpartition("#")[2],
            text=row["label"].value,
            lang=row["label"].language,
            deprecated=row["gone"] is not None,
        )
        for row in _select(_LABELS)
    )


def bearing(term: str) -> list[Label]:
    """The labels that are the term but for case and surrounding blanks."""
    return [label for label in labels() if label.text.lower() == term.strip().lower()]


def meant(found: list[Label], lang: str) -> set[str]:
    """The URIs that a term names, of the labels it matches.

    Living concepts before deprecated ones, names before hidden labels, the asked language first.
    """
    for gone in (False, True):
        for roles in ({"prefLabel", "altLabel"}, {"hiddenLabel"}):
            tier = [one for one in found if one.deprecated is gone and one.role in roles]
            spoken = [one for one in tier if one.lang in {lang, None}]
            if tier:
                return {one.uri for one in spoken or tier}
    return set()


def _texts(uri: str, predicate: str) -> set[Said]:
    query = f"""SELECT DISTINCT ?text WHERE {{
        $uri {predicate} ?node . OPTIONAL {{ ?node rdf:value ?inner }}
        BIND(COALESCE(?inner, ?node) AS ?text) FILTER(isLiteral(?text)) }}"""
    found = [row["text"] for row in _select(query, uri=uri)]
    return {(text.value, text.language) for text in found if isinstance(text, Literal)}


def _nodes(uri: str, predicate: str) -> set[str]:
    query = f"SELECT DISTINCT ?node WHERE {{ $uri {predicate} ?node }}"
    return {row["node"].value for row in _select(query, uri=uri)}


def definitions(uri: str) -> set[Said]:
    """The definitions of a concept."""
    return _texts(uri, "skos:definition")


def definition_to_show(uri: str, lang: str) -> str | None:
    """The definition in a language, else without one, else in English, else the first there is."""
    said = sorted(
        definitions(uri), key=lambda text: (["en", "nl", "de"].index(text[1] or "en"), text)
    )
    for wanted in (lang, None, "en"):
        for text, its in said:
            if its == wanted:
                return text
    return said[0][0] if said else None


def facts(uri: str) -> dict[str, object]:
    """All that there is to know of a concept."""
    return {
        "preferred": _texts(uri, "skos:prefLabel"),
        "alternative": _texts(uri, "skos:altLabel"),
        "hidden": _texts(uri, "skos:hiddenLabel"),
        "definitions": definitions(uri),
        "scope_notes": _texts(uri, "skos:scopeNote"),
        "examples": _texts(uri, "skos:example"),
        "notation": min((text for text, _ in _texts(uri, "skos:notation")), default=""),
        # An inverse that a deprecated concept states is not told.
        "broader": _nodes(uri, "skos:broader") | _pointing(uri, "skos:narrower"),
        "narrower": _nodes(uri, "skos:narrower") | _pointing(uri, "skos:broader"),
        "related": _nodes(uri, "skos:related") | _pointing(uri, "skos:related"),
        "deprecated": _texts(uri, "owl:deprecated") == {("true", None)},
        "replaced_by": _nodes(uri, "dct:isReplacedBy"),
    }


def _pointing(uri: str, predicate: str) -> set[str]:
    query = (
        f"SELECT ?s WHERE {{ ?s {predicate} $uri FILTER NOT EXISTS {{ ?s owl:deprecated true }} }}"
    )
    return {row["s"].value for row in _select(query, uri=uri)}
