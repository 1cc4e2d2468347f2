"""What is said of a collection on its Metadata page: counted, and nothing made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from elysia_guard.edge.elysia.webapp.pages.rows import CONTENT, UUID, Row, types_of

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
