"""What Skosmos answers: rows of a search, or one concept, whole, as JSON-LD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pyoxigraph import Quad, RdfFormat, parse

from elysia_guard.adapters.http import Answer
from elysia_guard.adapters.skos.graph import CONCEPT, MAX_TEXT_CHARS, SKOS, TYPE, Graph
from elysia_guard.adapters.skos.rdf import Unfolded, check_json
from elysia_guard.domain.concept import Concept, LabelRole, Text
from elysia_guard.language.pack import langs
from elysia_guard.language.text import normalise


class LabelRow(BaseModel):
    """One matched label of a concept.

    ``lang`` is the language of the matched label. ``prefLabel`` is that of the asked language if
    there is one; the matched one then stands in ``matchedPrefLabel``.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    uri: str
    type: tuple[str, ...] = ()
    vocab: str = ""
    lang: str | None = None
    preferred: str = Field(default="", alias="prefLabel")
    matched: str | None = Field(default=None, alias="matchedPrefLabel")
    alternative: str | None = Field(default=None, alias="altLabel")
    hidden: str | None = Field(default=None, alias="hiddenLabel")
    definition: tuple[object, ...] = ()

    @property
    def is_concept(self) -> bool:
        """Whether it is a concept; collections and arrays have labels too."""
        return not self.type or "skos:Concept" in self.type

    @property
    def label(self) -> tuple[Text, LabelRole]:
        """The label that matched, and which of the concept's labels it is."""
        lang = self.lang or None
        if self.alternative is not None:
            return Text(value=self.alternative, lang=lang), LabelRole.ALTERNATIVE
        if self.hidden is not None:
            return Text(value=self.hidden, lang=lang), LabelRole.HIDDEN
        return Text(value=self.matched or self.preferred, lang=lang), LabelRole.PREFERRED

    @property
    def sound_definition(self) -> str | None:
        """The definition, where it is certain that it arrived as it was written.

        Skosmos splits the definitions at line breaks and reads each line as comma-separated
        values (its issue 1106). So more than one element may be parts of one, an odd quotation
        mark is the end of one, and what holds a backslash was unquoted in a way of its own.
        """
        if len(self.definition) != 1:
            return None
        (text,) = self.definition
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            return None
        if len(text) > MAX_TEXT_CHARS:
            return None
        return None if "\\" in text or text.count('"') % 2 else text


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    results: tuple[LabelRow, ...]


def read_rows(answer: Answer) -> tuple[LabelRow, ...] | None:
    """Return the rows of a search; None for what is no answer of a search."""
    if not answer.is_json:
        return None
    try:
        return _Answer.model_validate_json(answer.body).results
    except ValidationError:
        return None


def naming(rows: Iterable[LabelRow], term: str) -> list[LabelRow]:
    """Keep the concepts whose label is the term: a star in it is a wildcard to Skosmos."""
    key = normalise(term)
    return [row for row in rows if row.is_concept and normalise(row.label[0].value) == key]


def pieced_together(parts: Mapping[str, Sequence[LabelRow]], *, title: str) -> Concept | None:
    """Make a concept of its rows in answers for several languages ('' for none).

    None where an answer lacks the concept, or holds a definition that may be damaged: then it is
    not known what the vocabulary says.
    """
    labels: dict[tuple[Text, LabelRole], None] = {}
    definitions: dict[Text, None] = {}
    for lang, rows in parts.items():
        if not rows:
            return None
        definition = rows[0].sound_definition
        if rows[0].definition and definition is None:
            return None
        if definition is not None:
            definitions[Text(value=definition, lang=lang or None)] = None
        labels.update((label, None) for row in rows for label in _labels(row, lang))
    (first, *_), *_ = parts.values()
    return Concept(
        uri=first.uri,
        vocabulary=first.vocab,
        vocabulary_title=title,
        preferred=_of(labels, LabelRole.PREFERRED),
        alternative=_of(labels, LabelRole.ALTERNATIVE),
        hidden=_of(labels, LabelRole.HIDDEN),
        definitions=tuple(definitions),
    )


def _labels(row: LabelRow, lang: str) -> Iterator[tuple[Text, LabelRole]]:
    label, role = row.label
    yield label, role
    if row.matched is not None or role is not LabelRole.PREFERRED:
        # Beside another label Skosmos does not say in which language the preferred one is.
        tag = lang if row.matched is not None or row.lang == lang else None
        yield Text(value=row.preferred, lang=tag or None), LabelRole.PREFERRED


def _of(labels: Iterable[tuple[Text, LabelRole]], role: LabelRole) -> tuple[Text, ...]:
    texts = [text for text, its in labels if its is role and text.value]
    tagged = {text.value for text in texts if text.lang}
    return tuple(text for text in texts if text.lang or text.value not in tagged)


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
        descriptions=_sorted(concept.descriptions),
        examples=_sorted(concept.examples),
        notation=min((notation.value for notation in notations), default=""),
        broader=_nodes(concept.broader),
        narrower=_nodes(concept.narrower),
        related=_nodes(concept.related),
        mappings=tuple(sorted(concept.mappings)),
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
