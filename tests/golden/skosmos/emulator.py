"""Skosmos' search and data over Turtle files, written after its recordings, damage included.

``test_skosmos_recordings.py`` holds the client against each recording itself.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
ROLES = ("prefLabel", "altLabel", "hiddenLabel")
# What data tells of the nodes around a concept.
TOLD = (RDF + "type", SKOS + "prefLabel", LABEL, RDF + "value", SKOS + "notation")

Value = Literal | NamedNode
Facts = dict[str, dict[str, list[Value]]]


@dataclass(frozen=True)
class Reply:
    """Status, media type and body of an answer."""

    status: int
    media_type: str
    body: bytes


@dataclass
class Emulator:
    """Vocabularies by id, each with the facts of its Turtle, in the order of the file."""

    vocabularies: dict[str, Facts]
    show_deprecated: bool = False
    index: dict[str, list[tuple[str, str, str, Literal]]] = field(default_factory=dict)

    @classmethod
    def over(cls, turtle: Mapping[str, bytes], *, show_deprecated: bool = False) -> Emulator:
        """Load vocabularies from Turtle, by id."""
        made = cls({name: _facts(data) for name, data in turtle.items()}, show_deprecated)
        for vocabulary, facts in made.vocabularies.items():
            for uri in facts:
                if made._is_concept(facts, uri):
                    for role in ROLES:
                        for label in facts[uri].get(SKOS + role, ()):
                            assert isinstance(label, Literal)
                            row = (vocabulary, uri, role, label)
                            made.index.setdefault(_key(label.value), []).append(row)
        return made

    def _is_concept(self, facts: Facts, uri: str) -> bool:
        own = facts[uri]
        hidden = any(v.value == "true" for v in own.get(DEPRECATED, ()))
        concept = NamedNode(SKOS + "Concept") in own.get(RDF + "type", ())
        return concept and (self.show_deprecated or not hidden)

    def answer(self, path: str, query: Mapping[str, str]) -> Reply:
        """Answer a GET of a path below the API."""
        vocabulary, _, call = path.lstrip("/").partition("/")
        if not call and not path.endswith("/"):
            vocabulary, call = "", vocabulary
        if vocabulary and vocabulary not in self.vocabularies:
            text = f"404 Not Found : Vocabulary id '{vocabulary}' not found."
            return Reply(404, "text/plain", text.encode())
        named = query.get("vocab", "").split() or ([vocabulary] if vocabulary else [])
        asked = named or list(self.vocabularies)
        if call == "search":
            rows = list(self._rows(asked, query))
            context = {"@context": {"skos": SKOS, "uri": "@id", "type": "@type"}, "uri": ""}
            return _json(context | {"results": rows})
        if call == "data":
            return self._data(asked, query["uri"])
        return Reply(404, "text/html", b"404 Not Found")

    def _rows(self, asked: list[str], query: Mapping[str, str]) -> Iterator[dict[str, object]]:
        term, lang = _key(query["query"].strip()), query.get("lang", "")
        if not term.strip("*"):
            return
        show = query.get("labellang", "") or lang
        fields = query.get("fields", "").split()
        for vocabulary, uri, role, label in self._matching(term):
            if vocabulary in asked and (not lang or _tag(label) == lang.lower()):
                own = self.vocabularies[vocabulary][uri]
                yield _row(vocabulary, uri, own, role, label, show=show, fields=fields)

    def _matching(self, term: str) -> Iterable[tuple[str, str, str, Literal]]:
        if "*" not in term:
            return self.index.get(term, ())
        pattern = re.compile(".*".join(map(re.escape, term.split("*"))))
        return [row for key, rows in self.index.items() if pattern.fullmatch(key) for row in rows]

    def _data(self, asked: list[str], uri: str) -> Reply:
        for vocabulary in asked:
            facts = self.vocabularies[vocabulary]
            # Skosmos looks for the URI with '&amp;' in it.
            if uri in facts and "&" not in uri:
                return _json(self._graph(facts, uri))
        return Reply(404, "text/plain", b"404 Bad Request : no concept found with given uri")

    def _graph(self, facts: Facts, uri: str) -> dict[str, object]:
        nodes: dict[str, dict[str, list[Value]]] = defaultdict(lambda: defaultdict(list))
        for predicate, values in facts[uri].items():
            nodes[uri][predicate] += values
            for value in values:
                if isinstance(value, NamedNode):
                    _tell(nodes, facts, value.value, whole=predicate == SKOS + "definition")
        for subject, predicate in self._pointing_at(uri):
            own = nodes[subject].setdefault(predicate, [])
            own += [] if NamedNode(uri) in own else [NamedNode(uri)]
        return {
            "@context": {"skos": SKOS, "uri": "@id", "lang": "@language", "value": "@value"}
            | {"datatype": "@type"},
            "@graph": [
                {"uri": subject} | {p: [_value(v) for v in values] for p, values in own.items()}
                for subject, own in nodes.items()
            ],
        }

    def _pointing_at(self, uri: str) -> Iterator[tuple[str, str]]:
        for facts in self.vocabularies.values():
            for subject, own in facts.items():
                for predicate, values in own.items():
                    told = DEPRECATED not in own and predicate != SKOS + "inScheme"
                    if told and NamedNode(uri) in values:
                        yield subject, predicate


def _facts(turtle: bytes) -> Facts:
    facts: Facts = defaultdict(lambda: defaultdict(list))
    for quad in parse(turtle, RdfFormat.TURTLE):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal | NamedNode):
            facts[quad.subject.value][quad.predicate.value].append(quad.object)
    return {subject: dict(own) for subject, own in facts.items()}


def _key(label: str) -> str:
    return unicodedata.normalize("NFC", label).lower()


def _tag(literal: Literal) -> str:
    return (literal.language or "").lower()


def _row(
    vocabulary: str,
    uri: str,
    own: Mapping[str, list[Value]],
    role: str,
    label: Literal,
    *,
    show: str,
    fields: list[str],
) -> dict[str, object]:
    preferred = [v for v in own.get(SKOS + "prefLabel", ()) if isinstance(v, Literal)]
    shown = next((p for p in preferred if show and _tag(p) == show), None)
    row: dict[str, object] = {"uri": uri, "type": ["skos:Concept"]}
    if role == "prefLabel":
        row["prefLabel"] = (shown or label).value
        if shown and _tag(label) != show:
            row["matchedPrefLabel"] = label.value
    else:
        its = next((p for p in preferred if _tag(p) == _tag(label)), preferred[0])
        row["prefLabel"] = (shown or its).value
        row[role] = label.value
    row["lang"] = label.language or ""
    row["vocab"] = vocabulary
    if notations := own.get(SKOS + "notation"):
        row["notation"] = notations[0].value
    if "definition" in fields and (found := _definitions(own, show)):
        row["definition"] = found
    return row


def _definitions(own: Mapping[str, list[Value]], show: str) -> list[object]:
    """Split the definitions at line breaks and read each line as CSV, as Skosmos does (#1106)."""
    said: list[object] = []
    for value in own.get(SKOS + "definition", ()):
        if isinstance(value, NamedNode):
            said.append({"uri": value.value})
        elif _tag(value) == show:
            quoted = '"' + value.value.replace('"', '""') + '"'
            for line in quoted.split("\n"):
                cells = next(csv.reader([line]), [""])
                said.append(
                    cells[0] if len(cells) == 1 else {"uri": cells[0], "prefLabel": cells[1]}
                )
    return said


def _tell(nodes: Facts, facts: Facts, uri: str, *, whole: bool = False) -> None:
    for predicate, values in facts.get(uri, {}).items():
        if whole or predicate in TOLD:
            nodes[uri].setdefault(predicate, [])
            nodes[uri][predicate] += [v for v in values if v not in nodes[uri][predicate]]


def _value(value: Value) -> object:
    if isinstance(value, NamedNode):
        return {"uri": value.value}
    if value.language:
        return {"lang": value.language, "value": value.value}
    if value.value in {"true", "false"}:
        return value.value == "true"
    return {"datatype": value.datatype.value, "value": value.value}


def _json(value: object) -> Reply:
    return Reply(200, "application/json", json.dumps(value).encode())
