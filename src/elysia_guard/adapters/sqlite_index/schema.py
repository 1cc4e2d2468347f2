"""The tables of an index file, and how documents and filters become rows and conditions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from elysia_guard.adapters.index_store import ModelSpace
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.own_kinds import OwnKinds
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import SPOKEN_FIRST, langs
from elysia_guard.language.stems import content_words, function_word_counts, stem
from elysia_guard.language.text import words

SCHEMA_VERSION = 6
HARDLY_ANY = 4
"""Of a question one word in so many says nothing; of words to search for fewer do."""
APPLICATION_ID = 0x454C4744  # 'ELGD': tells an index from any other SQLite file

TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
CREATE TABLE meta (
    schema_version INTEGER NOT NULL, model_id TEXT NOT NULL, dimension INTEGER NOT NULL,
    second_model_id TEXT NOT NULL, second_dimension INTEGER NOT NULL
);
CREATE TABLE documents (
    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, number INTEGER,
    approval INTEGER NOT NULL, identifier TEXT NOT NULL, title TEXT NOT NULL, status TEXT NOT NULL,
    date TEXT NOT NULL, owner TEXT NOT NULL, lang TEXT NOT NULL, superseded_by TEXT NOT NULL,
    supersedes TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
    root TEXT NOT NULL, stamp TEXT NOT NULL, fingerprint TEXT NOT NULL,
    version TEXT NOT NULL, record TEXT NOT NULL, own_status TEXT NOT NULL, own_date TEXT NOT NULL,
    approvals TEXT NOT NULL
);
CREATE TABLE passages (
    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents (pk), section TEXT NOT NULL,
    text TEXT NOT NULL, position INTEGER NOT NULL, role TEXT NOT NULL, vector BLOB NOT NULL,
    sentences BLOB NOT NULL, digest BLOB NOT NULL, second BLOB NOT NULL,
    second_sentences BLOB NOT NULL
);
CREATE INDEX passages_of_document ON passages (document, position);
CREATE VIRTUAL TABLE words USING fts5(
    text, stems, tokenize = 'unicode61 remove_diacritics 2'
);
"""

_HOUSE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'house'"
DOCUMENT_COLUMNS = tuple(field.name for field in fields(Document))

# An empty filter is NULL and does not restrict. A status matches whatever its case and what
# follows it: 'superseded' finds 'Superseded by ADR-0027'.
ALLOWED_DOCUMENTS = """
SELECT pk FROM documents
WHERE (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
  AND (:approval IS NULL OR approval = :approval)
  AND (:number IS NULL OR number = :number)
  AND (:status IS NULL OR substr(lower(status) || ' ', 1, length(:status) + 1) = :status || ' ')
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Meta:
    """What built an index; without a second model its name is empty."""

    schema_version: int
    model_id: str
    dimension: int
    second: ModelSpace | None = None
    kinds: str = ""
    """The digest of the kinds of documents that a house has of its own; empty of none."""

    @property
    def row(self) -> tuple[int, str, int, str, int]:
        """The row of ``meta``."""
        second = self.second or ModelSpace(model_id="", dimension=0)
        first = (self.schema_version, self.model_id, self.dimension)
        return (*first, second.model_id, second.dimension)


def read_meta(connection: sqlite3.Connection, path: Path) -> Meta:
    """Read what built an index.

    Raises:
        PassageIndexError: the file is no index, or is damaged.
    """
    not_an_index = (
        f"{path} is not a passage index; give another path, or remove it and run 'ingest'"
    )
    try:
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        if application_id != APPLICATION_ID:
            raise PassageIndexError(not_an_index)
        version, model_id, dimension, *more = connection.execute("SELECT * FROM meta").fetchone()
        held = ModelSpace(model_id=more[0], dimension=more[1]) if more and more[0] else None
        house = connection.execute(_HOUSE).fetchone()
        kinds = connection.execute("SELECT kinds FROM house").fetchone()[0] if house else ""
    except sqlite3.OperationalError as err:
        raise PassageIndexError(f"{path} cannot be read: {err}") from err
    except (sqlite3.DatabaseError, TypeError, ValueError) as err:
        raise PassageIndexError(not_an_index) from err
    return Meta(
        schema_version=version, model_id=model_id, dimension=dimension, second=held, kinds=kinds
    )


def write_meta(connection: sqlite3.Connection, meta: Meta) -> None:
    """Note what builds an index; of the house only where that has kinds of its own."""
    connection.execute("INSERT INTO meta VALUES (?, ?, ?, ?, ?)", meta.row)
    if meta.kinds:
        connection.execute("CREATE TABLE house (kinds TEXT NOT NULL)")
        connection.execute("INSERT INTO house VALUES (?)", (meta.kinds,))


def document_of(row: sqlite3.Row, kinds: OwnKinds) -> Document:
    """Make a document of its row, in the house that it is of."""
    values = {name: row[name] for name in DOCUMENT_COLUMNS}
    approvals = json.loads(row["approvals"])
    values |= {"approval": bool(row["approval"]), "approvals": approvals}
    return Document.of(values, kinds)


def row_of(document: Document) -> dict[str, Any]:
    """Write a document as a row; its approvals as JSON."""
    values = asdict(document)
    return values | {"approvals": json.dumps(values["approvals"], ensure_ascii=False)}


def parameters(filters: Filters) -> dict[str, str | int | None]:
    """Write filters as the parameters of ``ALLOWED_DOCUMENTS``."""
    kinds = [kind.value for kind in filters.kinds]
    return {
        "kinds": json.dumps(kinds) if kinds else None,
        "approval": filters.approval,
        "number": filters.number,
        "status": filters.status.lower() if filters.status else None,
    }


def stems_of(text: str, lang: str) -> str:
    """The stems of a text in its document's language, to be searched beside its words."""
    known = _stemmed_as(lang)
    return " ".join(stem(word, known) for word in words(text))


def expressions(found: Iterable[str], stemmed: Iterable[str]) -> list[str]:
    """Write terms as FTS5 expressions: each of the words in a text, each of the stems.

    Everything is quoted, so that no character of a query is syntax.
    """
    return [f'text : "{word}"' for word in found] + [f'stems : "{word}"' for word in stemmed]


def search_terms(
    query: str, held: Iterable[str], *, most: int = 100
) -> tuple[list[str], list[str]]:
    """The content words of a query, and the stems to search by.

    A word is stemmed in every language that documents are in, since a Dutch term may stand in an
    English question. To its own stems come those of what it is called in these languages
    (``language.glossary``), ``most`` of them again.

    Args:
        query: the words to search for.
        held: the languages of the documents, as they state them.
        most: words, and names of words in other languages.
    """
    spoken = _spoken(query)
    found = [word for lang in spoken for word in content_words(query, lang)]
    found = list(dict.fromkeys(found))[:most]
    stemmed = tuple(dict.fromkeys(map(_stemmed_as, held))) or langs()
    own = dict.fromkeys(stem(word, lang) for word in found for lang in stemmed)
    read = [lang for lang in langs() if lang in stemmed or lang in spoken]
    names = (name for word in found for lang in read for name in translations(word, lang))
    translated = dict.fromkeys(stem(name, lang) for name, lang in names if lang in stemmed)
    return found, list(own | dict(islice(translated.items(), most)))


def _spoken(query: str) -> list[str]:
    """The languages that the function words of a query tell; all where it has hardly any.

    There is then next to nothing to leave out, and a word of one may be a name in another: 'AI'.
    """
    counts = function_word_counts(query)
    most = max(counts.values())
    told = most * HARDLY_ANY >= len(words(query))
    return [lang for lang, count in counts.items() if count == most or not told]


def _stemmed_as(lang: str) -> str:
    """The language in which a document of some language is stemmed."""
    return lang if lang in langs() else SPOKEN_FIRST
