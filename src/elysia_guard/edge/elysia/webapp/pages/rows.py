"""Documents and concepts as rows of a table: what the Data page shows of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence

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
        "reference": document.identifier,
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
