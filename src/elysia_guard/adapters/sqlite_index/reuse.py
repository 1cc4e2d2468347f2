"""The vectors of an index that is to be replaced, by the texts that were embedded."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

from elysia_guard.adapters.index_store import Embedded, FindEmbedded, Key, bare_passage, digest
from elysia_guard.adapters.sqlite_index.schema import connect
from elysia_guard.domain.document import Passage

_TEXTS = """
SELECT p.pk, d.id, d.title, d.lang, p.section, p.text, p.digest
FROM passages p JOIN documents d ON d.pk = p.document
"""
_VECTORS = "SELECT vector, sentences FROM passages WHERE pk = ?"


def embedded_in(
    path: Path, key: Key, *, dimension: int, of: Collection[str] | None
) -> FindEmbedded:
    """Return a look-up of what passages of an index file were embedded as, by their keys.

    Nothing is found in a file that cannot be read, nor for a text that was changed there. ``of``
    are the ids of the documents whose passages are looked at; None is all.
    """
    try:
        with closing(connect(path, mode="ro")) as connection:
            places = {key(passage): pk for pk, passage in _passages(connection, of)}
    except sqlite3.Error:
        places = {}

    def found(wanted: bytes) -> Embedded | None:
        if (pk := places.get(wanted)) is None:
            return None
        try:
            with closing(connect(path, mode="ro")) as connection:
                vector, sentences = connection.execute(_VECTORS, (pk,)).fetchone()
        except (sqlite3.Error, TypeError):
            return None
        return Embedded.unpacked(vector, sentences, dimension=dimension)

    return found


def _passages(
    connection: sqlite3.Connection, of: Collection[str] | None
) -> Iterator[tuple[int, Passage]]:
    """Passages with as much of their documents as is embedded with them."""
    for pk, id_, title, lang, section, text, kept in connection.execute(_TEXTS):
        if (of is None or id_ in of) and digest(text) == kept:
            yield pk, bare_passage(title, lang, section, text)
