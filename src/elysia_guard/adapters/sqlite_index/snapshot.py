"""What one version of an index file holds, and the search over it.

A row is a passage's place in the order of passage ids: rows index every array here, and a stable
sort over them settles ties by id.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from elysia_guard.adapters.centred import Centred
from elysia_guard.adapters.digest import digest
from elysia_guard.adapters.hybrid import best, fuse
from elysia_guard.adapters.sentence_vectors import compared
from elysia_guard.adapters.sqlite_index.lexicon import Lexicon
from elysia_guard.adapters.sqlite_index.schema import (
    ALLOWED_DOCUMENTS,
    document_of,
    parameters,
)
from elysia_guard.domain.document import Document, Filters, Hit, Passage
from elysia_guard.domain.question import Lang
from elysia_guard.language.near_spellings import NearSpellings, counted
from elysia_guard.language.stems import stem
from elysia_guard.language.text import without_marks
from elysia_guard.language.text import words as words_of
from elysia_guard.ports import SecondVector, Vector

LEG_DEPTH = 50
WEIGHTS = (2.0, 1.0, 1.0)
"""What the rankings by words, by passage and by sentence count: words as much as meaning."""
SECOND_WEIGHT = 2.0
"""What the ranking of a second model counts beside them."""
MOST_MASKS = 32
"""Of so many filters it is kept which rows pass; a byte a row each."""
_READ_AT_ONCE = 1_000

_PASSAGES = "SELECT * FROM passages WHERE pk IN (SELECT value FROM json_each(?))"
_SENTENCES = "SELECT pk, sentences FROM passages WHERE pk IN (SELECT value FROM json_each(?))"
_PASSAGES_OF_DOCUMENT = """
SELECT p.* FROM passages p JOIN documents d ON d.pk = p.document WHERE d.id = ? ORDER BY p.position
"""

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Of each row: the key of its passage, the key of its document, its vector."""

    pks: IntArray
    documents: IntArray
    vectors: FloatArray
    row_of_pk: IntArray


class Snapshot:
    """One version of an index; vectors and documents are read at first use and kept."""

    def __init__(
        self, connection: sqlite3.Connection, *, dimension: int, second_dimension: int = 0
    ) -> None:
        self._connection = connection
        self._dimension = dimension
        self._second_dimension = second_dimension
        self._lexicon = Lexicon(connection)
        self._masks: dict[tuple[str | int | None, ...], BoolArray] = {}

    def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int,
        second: SecondVector | None = None,
    ) -> list[Hit]:
        """Rank by words and by meaning, by one model or by two, and fuse the rankings."""
        depth = max(LEG_DEPTH, limit)
        allowed = self._allowed_rows(filters)
        lexical = self._lexicon.scores(query, self._rows.row_of_pk, len(self._rows.pks))
        rankings = [_lowest(-lexical, allowed & ~np.isnan(lexical), depth)]
        distances = None
        near: dict[int, tuple[float, ...]] = {}
        fused = fuse(rankings)
        if vector is not None:
            distances = self._distances(vector)
            rankings.append(_lowest(distances, allowed, depth))
            weights: tuple[float, ...] = WEIGHTS
            if second is not None:
                away = self._centred.distances(second.vector, second.lang)
                rankings.append(_lowest(away, allowed, depth))
                weights = (*WEIGHTS[:2], SECOND_WEIGHT, *WEIGHTS[2:])
            near = self._by_sentence(vector, distances, rankings)
            fused = fuse([*rankings, list(near)[:LEG_DEPTH]], weights=weights)
        ranked = best(fused, rankings, limit)
        passages = self._passages([row for row, _ in ranked])
        return [
            Hit(
                passage=passages[row],
                score=score,
                distance=None if distances is None else float(distances[row]),
                lexical=None if np.isnan(lexical[row]) else float(lexical[row]),
                sentence_distance=near[row][0] if row in near else None,
                sentence_distances=near[row][1:] if row in near else (),
            )
            for row, score in ranked
        ]

    def rarity(self, words: Sequence[str], lang: Lang) -> dict[str, float]:
        """How rare each word or its stem is among the passages, from 0 to 1."""
        passages = len(self._rows.pks)
        return {
            word: math.log((passages + 1) / (self._frequency(word, lang) + 1))
            / math.log(passages + 1)
            if passages
            else 1.0
            for word in words
        }

    def _frequency(self, word: str, lang: Lang) -> int:
        """How many passages hold a word or its stem."""
        forms = frozenset({without_marks(word), without_marks(stem(word, lang))})
        held = self._lexicon.frequencies(forms).values()
        return min(max(held), len(self._rows.pks))

    def spelt_like(self, words: Sequence[str]) -> dict[str, dict[str, int]]:
        """For each word that no passage holds, those that one does and are written nearly alike."""
        near = {word: self._near.of(word) for word in words if not self._lexicon.holds(word)}
        written = self._lexicon.written
        return {
            word: {written(other): count for other, count in found.items()}
            for word, found in near.items()
        }

    @cached_property
    def _near(self) -> NearSpellings:
        held = (document.title for document in self._documents.values())
        titles = (word for title in held for word in words_of(without_marks(title)))
        return NearSpellings(counted(titles, self._lexicon.counts()))

    def select(self, filters: Filters) -> list[Document]:
        """The documents that pass the filters, by kind, number, approval and path."""
        found = (self._documents[pk] for pk in self._allowed(filters))
        return sorted(found, key=lambda document: document.place)

    def passages_of(self, document_id: str) -> list[Passage]:
        """A document's passages in reading order."""
        rows = self._connection.execute(_PASSAGES_OF_DOCUMENT, (document_id,))
        return [self._passage(row) for row in rows]

    def count_passages(self) -> int:
        """How many passages there are."""
        return int(self._connection.execute("SELECT count(*) FROM passages").fetchone()[0])

    @cached_property
    def _documents(self) -> dict[int, Document]:
        rows = self._connection.execute("SELECT * FROM documents")
        return {row["pk"]: document_of(row) for row in rows}

    @cached_property
    def _rows(self) -> _Rows:
        count = self.count_passages()
        keys = np.zeros((count, 2), dtype=np.int64)
        vectors = np.zeros((count, self._dimension), dtype="<f4", order="F")
        cursor = self._connection.execute("SELECT pk, document, vector FROM passages ORDER BY id")
        # In parts: all blobs of a large index beside the array would double the memory.
        for start in range(0, count, _READ_AT_ONCE):
            read = cursor.fetchmany(_READ_AT_ONCE)
            rows = slice(start, start + len(read))
            keys[rows] = [(row["pk"], row["document"]) for row in read]
            blobs = b"".join(row["vector"] for row in read)
            vectors[rows] = np.frombuffer(blobs, dtype="<f4").reshape(-1, self._dimension)
        pks, documents = np.ascontiguousarray(keys.T)
        row_of_pk = np.zeros(pks.max(initial=0) + 1, dtype=np.int64)
        row_of_pk[pks] = np.arange(count)
        return _Rows(pks=pks, documents=documents, vectors=vectors, row_of_pk=row_of_pk)

    @cached_property
    def _centred(self) -> Centred:
        """The vectors by the second model, each without the mean of its language."""
        vectors = np.zeros((len(self._rows.pks), self._second_dimension), dtype="<f4")
        cursor = self._connection.execute("SELECT second FROM passages ORDER BY id")
        for row, (blob,) in enumerate(cursor):
            vectors[row] = np.frombuffer(blob, dtype="<f4")
        langs = [self._documents[pk].lang for pk in self._rows.documents.tolist()]
        return Centred(vectors, langs)

    def _allowed(self, filters: Filters) -> list[int]:
        rows = self._connection.execute(ALLOWED_DOCUMENTS, parameters(filters))
        return [row["pk"] for row in rows]

    def _allowed_rows(self, filters: Filters) -> BoolArray:
        """Which rows pass the filters; kept, since few filters are asked for again and again."""
        asked = tuple(parameters(filters).values())
        if asked not in self._masks:
            if len(self._masks) >= MOST_MASKS:
                self._masks.clear()
            self._masks[asked] = self._marked(filters)
        return self._masks[asked]

    def _marked(self, filters: Filters) -> BoolArray:
        documents = self._rows.documents
        marked = np.zeros(documents.max(initial=0) + 1, dtype=np.bool_)
        # A document without passages may have a key beyond those that have some.
        marked[[pk for pk in self._allowed(filters) if pk < len(marked)]] = True
        return marked[documents]

    def _distances(self, vector: Vector) -> FloatArray:
        query = np.asarray(vector, dtype=np.float32)
        length = float(np.linalg.norm(query))
        similarity = self._rows.vectors @ (query / length if length else query)
        distances = np.subtract(1.0, similarity, dtype=np.float32)
        return np.clip(distances, 0.0, 2.0, out=distances)

    def _by_sentence(
        self, vector: Vector, distances: FloatArray, rankings: Sequence[Sequence[int]]
    ) -> dict[int, tuple[float, ...]]:
        """The distance of the nearest sentence of what words or meaning have found, by nearness.

        Behind it those of all its sentences, in order.
        """
        rows = np.array(sorted({row for ranking in rankings for row in ranking}), dtype=np.int64)
        pks = json.dumps(self._rows.pks[rows].tolist())
        packed = dict(self._connection.execute(_SENTENCES, (pks,)).fetchall())
        found = compared([packed[pk] for pk in self._rows.pks[rows].tolist()], vector)
        near = found.nearest(1.0 - distances[rows])
        away = np.clip(1.0 - near, 0.0, 2.0)
        return {
            int(rows[place]): (float(away[place]), *found.distances(place))
            for place in np.argsort(-near, kind="stable")
        }

    def _passages(self, rows: Sequence[int]) -> dict[int, Passage]:
        pks = json.dumps([int(self._rows.pks[row]) for row in rows])
        found = self._connection.execute(_PASSAGES, (pks,))
        return {int(self._rows.row_of_pk[row["pk"]]): self._passage(row) for row in found}

    def _passage(self, row: sqlite3.Row) -> Passage:
        return Passage(
            id=row["id"],
            document=self._documents[row["document"]],
            section=row["section"],
            text=row["text"],
            position=row["position"],
            role=row["role"],
            altered=digest(row["text"]) != row["digest"],
        )


def _lowest(values: npt.NDArray[Any], candidates: BoolArray, depth: int) -> list[int]:
    """The candidate rows with the lowest values, in order."""
    rows = np.flatnonzero(candidates)
    if len(rows) > depth:
        bound = np.partition(values[rows], depth - 1)[depth - 1]
        rows = rows[values[rows] <= bound]
    best = rows[np.argsort(values[rows], kind="stable")][:depth]
    return [int(row) for row in best]
