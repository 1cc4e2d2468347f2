"""Documents and concepts as rows of a table, and what is counted of them: nothing made up."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.document import Document, Passage
from elysia_guard.domain.question import Lang
from elysia_guard.language.catalogue import called

Row = dict[str, str]

UUID, CONTENT = "uuid", "content"
_NAMESPACE = uuid.UUID("6f6b1d2e-6f0e-5b55-9b0e-3f8f6c3b7a10")


def uuid_of(id_: str) -> str:
    """Return the id by which the page asks for a document or a concept; always the same."""
    return str(uuid.uuid5(_NAMESPACE, id_))


def types_of(rows: Sequence[Row]) -> dict[str, str]:
    """Return the properties that any row has a value of, with the type that the page knows."""
    names = dict.fromkeys(name for row in rows for name, value in row.items() if value)
    return {name: "uuid" if name == UUID else "text" for name in names}


def of_document(document: Document, lang: Lang) -> Row:
    """Return a document without its text; ``lang`` is that of the page."""
    return {
        "title": document.title,
        "reference": document.label if document.identifier else document.apart,
        "type": document.doc_type,
        "status": document.status,
        "date": document.date,
        "owner": document.owner,
        "version": document.version,
        "language": called(lang, document.lang) if document.lang else "",
        "supersedes": document.supersedes,
        "superseded_by": document.superseded_by,
        "file": document.path,
        UUID: uuid_of(document.id),
    }


def text_of(passages: Iterable[Passage]) -> str:
    """Return a document's text as Markdown, each section under its headings."""
    parts: list[str] = []
    above: list[str] = []
    for passage in passages:
        headings = passage.section.split(" > ") if passage.section else []
        for depth, heading in enumerate(headings):
            if headings[: depth + 1] != above[: depth + 1]:
                parts.append(f"{'#' * min(depth + 2, 6)} {heading}")
        above = headings
        parts.append(passage.text)
    return "\n\n".join(parts)


def of_concept(concept: Concept, labels: Mapping[str, str], lang: Lang) -> Row:
    """Return a concept; ``labels`` are those of its neighbours, by their URI."""

    def named(uris: Sequence[str]) -> str:
        return "; ".join(labels.get(uri, uri) for uri in uris)

    definition = concept.definition(lang)
    label = concept.label(lang)
    names = (*concept.preferred, *concept.alternative)
    also = dict.fromkeys(text.value for text in names if text.value != label)
    return {
        "term": label,
        "definition": definition.value if definition else "",
        "also_called": "; ".join(also),
        "broader": named(concept.broader),
        "narrower": named(concept.narrower),
        "related": named(concept.related),
        "replaced_by": named(concept.replaced_by),
        "status": "deprecated" if concept.deprecated else "",
        "scope_note": _joined(concept.scope_notes, lang),
        "example": _joined(concept.examples, lang),
        "notation": concept.notation,
        "vocabulary": concept.vocabulary_title or concept.vocabulary,
        "uri": concept.uri,
        UUID: uuid_of(concept.uri),
    }


def _joined(texts: Sequence[Text], lang: Lang) -> str:
    own = [text.value for text in texts if text.lang in {None, lang}]
    return "\n\n".join(own or [text.value for text in texts])


MOST_GROUPS = 20
"""With more values than this a property is not one to tell rows apart by."""
DESCRIBED = ("type", "status", "language", "owner", "vocabulary")
"""The properties that a summary counts."""
DOCUMENT_FIELDS = {
    "title": "title",
    "author": "owner",
    "date": "date",
    "content": CONTENT,
    "category": "type",
}
"""Which property stands where on a card of Elysia's type 'document'."""
CONCEPT_FIELDS = {"title": "term", "content": "definition", "category": "vocabulary"}


def summary(name: str, rows: Sequence[Row]) -> str:
    """Return a few lines of Markdown: how many there are, and of which values."""
    lines = [f"**{name}**: {len(rows)}"]
    for column in DESCRIBED:
        counted = _groups(rows, column)
        if len(counted) > 1 or (counted and column != "type"):
            told = ", ".join(f"{value} ({count})" for value, count in counted)
            lines.append(f"- {column}: {told}")
    dates = sorted(row["date"] for row in rows if row.get("date"))
    if dates:
        lines.append(f"- date: {dates[0]} to {dates[-1]}")
    return "\n".join([lines[0], "", *lines[1:]])


def metadata(name: str, rows: Sequence[Row], *, model: str, content: bool) -> dict[str, Any]:
    """Return what Elysia keeps of an analysed collection.

    Args:
        name: what the page calls it.
        rows: all that it holds.
        model: what compares its texts by meaning.
        content: whether its rows have a text of their own, which is not at hand here.
    """
    fields = [_field(column, rows) for column in types_of(rows)]
    if content:
        fields.append(_field(CONTENT, ()))
    return {
        "name": name,
        "length": len(rows),
        "summary": summary(name, rows),
        "fields": fields,
        "mappings": {"document": DOCUMENT_FIELDS if content else CONCEPT_FIELDS},
        "named_vectors": [],
        "vectorizer": vectorizer(model),
        "index_properties": {
            "isNullIndexed": False,
            "isLengthIndexed": False,
            "isTimestampIndexed": False,
        },
        "read_only": True,
    }


def vectorizer(model: str) -> dict[str, str]:
    """Say what compares texts."""
    return {"vectorizer": "elysia-guard", "model": model}


def _field(column: str, rows: Sequence[Row]) -> dict[str, Any]:
    lengths = [len(row[column]) for row in rows] or [0]
    counted = _groups(rows, column)
    return {
        "name": column,
        "type": "uuid" if column == UUID else "text",
        "description": "",
        "range": [min(lengths), max(lengths)],
        "mean": fmean(lengths),
        "date_range": [],
        "date_mean": None,
        "groups": {value: {"value": value, "count": count} for value, count in counted},
    }


def _groups(rows: Sequence[Row], column: str) -> list[tuple[str, int]]:
    """The values that tell rows apart, the most frequent first; none where each has its own."""
    counted = Counter(row[column] for row in rows if row.get(column))
    repeated = len(counted) < sum(counted.values()) or len(rows) == 1
    if not repeated or len(counted) > MOST_GROUPS:
        return []
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))
