"""What one version of an index file holds, and the search over it.

A row is a passage's place in the order of passage ids: rows index every array here, and a stable
sort over them settles ties by id.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from elysia_guard.adapters.field_shares import shares_of
from elysia_guard.adapters.hybrid import (
    Legs,
    Shares,
    by_fields,
    holds,
    near_spellings,
    ranked,
    rarity_of,
    search_terms,
    stems_in,
    weights_of,
)
from elysia_guard.adapters.index_store import digest
from elysia_guard.adapters.sqlite_index.lexicon import Lexicon
from elysia_guard.adapters.sqlite_index.schema import (
    document_of,
    expressions,
)
from elysia_guard.adapters.sqlite_index.vectors import (
    BoolArray,
    FloatArray,
    NearRows,
    Rows,
    lowest,
)
from elysia_guard.domain.document import Document, Filters, Hit, Passage
from elysia_guard.domain.own_kinds import STANDING, OwnKinds
from elysia_guard.domain.question import Lang
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.language.spelling import NearSpellings
from elysia_guard.ports import Vector

LEG_DEPTH = 50
MOST_MASKS = 32
"""Of so many filters it is kept which rows pass; a byte a row each."""

_PASSAGES = "SELECT * FROM passages WHERE pk IN (SELECT value FROM json_each(?))"
_PASSAGES_HOLDING = """
SELECT id, document, section, text, position, role, digest FROM passages
WHERE pk IN (SELECT rowid FROM words WHERE words MATCH ?)
  AND document IN (SELECT value FROM json_each(?))
ORDER BY pk
"""
_PASSAGES_OF_DOCUMENT = """
SELECT p.* FROM passages p JOIN documents d ON d.pk = p.document WHERE d.id = ? ORDER BY p.position
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """What one search finds: the score of each row by words, and the rankings, words first."""

    lexical: npt.NDArray[np.float64]
    rankings: Sequence[Sequence[int]]
    distances: FloatArray | None = None
    near: NearRows = NearRows()  # noqa: RUF009  frozen


class IndexSnapshot:
    """One version of an index; vectors and documents are read at first use and kept."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        dimension: int,
        kinds: OwnKinds = STANDING,
    ) -> None:
        self._connection = connection
        self._kinds = kinds
        self._dimension = dimension
        self._lexicon = Lexicon(connection)
        self._masks: dict[Filters, BoolArray] = {}

    def search(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int,
        weights: WeightsByKind | None = None,
    ) -> list[Hit]:
        """Rank by words and by meaning, and fuse the rankings."""
        weights = weights or {}
        depth = max(LEG_DEPTH, limit)
        found = self._found(query, vector, filters=filters, depth=depth)
        words, *meaning = found.rankings
        rows = {row for ranking in found.rankings for row in ranking}
        legs = Legs(
            words={row: float(found.lexical[row]) for row in words},
            meaning=meaning,
            documents={row: self._documents[int(self._rows.documents[row])] for row in rows},
            shares=self._shares(query, words) if by_fields(weights) else {},
        )
        best = ranked(legs, weights, limit)
        passages = self._passages([row for row, _ in best])
        lexical, distances, near = found.lexical, found.distances, found.near
        return [
            Hit(
                passage=passages[row],
                score=score,
                distance=None if distances is None else float(distances[row]),
                lexical=None if np.isnan(lexical[row]) else float(lexical[row]),
                sentence_distance=near.nearest.get(row),
                sentence_distances=near.distances(row),
            )
            for row, score in best
        ]

    def _found(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        depth: int,
    ) -> _Found:
        allowed = self._allowed_rows(filters)
        lexical = self._lexicon.scores(query, self._rows.row_of_pk, len(self._rows.pks))
        rankings = [lowest(-lexical, allowed & ~np.isnan(lexical), depth)]
        if vector is None:
            return _Found(lexical=lexical, rankings=rankings)
        distances = self._rows.distances(vector)
        rankings.append(lowest(distances, allowed, depth))
        near = self._rows.by_sentence(vector, distances, rankings)
        rankings.append(near.rows[:LEG_DEPTH])
        return _Found(lexical=lexical, rankings=rankings, distances=distances, near=near)

    def _shares(self, query: str, rows: Sequence[int]) -> dict[int, Shares]:
        """In which fields of some passages the words of a query stand."""
        _, stems = search_terms(query, self._lexicon.languages)
        rarity = weights_of(stems, self._lexicon, len(self._rows.pks))
        return {row: shares_of(each, rarity) for row, each in self._passages(rows).items()}

    def rarity(self, words: Sequence[str], lang: Lang) -> dict[str, float]:
        """How rare each word or its stem is among the passages, from 0 to 1."""
        return rarity_of(words, lang, self._lexicon, len(self._rows.pks))

    def spelt_like(self, words: Sequence[str]) -> dict[str, dict[str, int]]:
        """For each word that no passage holds, those that one does and are written nearly alike."""
        near = {word: self._near.of(word) for word in words if not holds(word, self._lexicon)}
        written = self._lexicon.written
        return {
            word: {written(other): count for other, count in found.items()}
            for word, found in near.items()
        }

    @cached_property
    def _near(self) -> NearSpellings:
        return near_spellings(self._documents.values(), self._lexicon)

    def select(self, filters: Filters) -> list[Document]:
        """The documents that pass the filters, by kind, number, approval and path."""
        found = (self._documents[pk] for pk in self._allowed(filters))
        return sorted(found, key=lambda document: document.place)

    def passages_of(self, document_id: str) -> list[Passage]:
        """A document's passages in reading order."""
        rows = self._connection.execute(_PASSAGES_OF_DOCUMENT, (document_id,))
        return [self._passage(row) for row in rows]

    def holding(self, words: Sequence[str], filters: Filters) -> list[Passage]:
        """Every passage that holds all of some words, or words of their stems."""
        each = (expressions((), stems_in(word, self._lexicon.languages)) for word in words)
        wanted = " AND ".join(f"({' OR '.join(forms)})" for forms in each)
        allowed = json.dumps(self._allowed(filters))
        rows = self._connection.execute(_PASSAGES_HOLDING, (wanted, allowed)) if wanted else ()
        return [self._passage(row) for row in rows]

    def count_passages(self) -> int:
        """How many passages there are."""
        return int(self._connection.execute("SELECT count(*) FROM passages").fetchone()[0])

    @cached_property
    def _documents(self) -> dict[int, Document]:
        rows = self._connection.execute("SELECT * FROM documents")
        return {row["pk"]: document_of(row, self._kinds) for row in rows}

    @cached_property
    def _rows(self) -> Rows:
        return Rows.read(self._connection, self.count_passages(), self._dimension)

    def _allowed(self, filters: Filters) -> list[int]:
        return [pk for pk, document in self._documents.items() if filters.admit(document)]

    def _allowed_rows(self, filters: Filters) -> BoolArray:
        """Which rows pass the filters; kept, since few filters are asked for again and again."""
        if filters not in self._masks:
            if len(self._masks) >= MOST_MASKS:
                self._masks.clear()
            self._masks[filters] = self._marked(filters)
        return self._masks[filters]

    def _marked(self, filters: Filters) -> BoolArray:
        documents = self._rows.documents
        marked = np.zeros(documents.max(initial=0) + 1, dtype=np.bool_)
        # A document without passages may have a key beyond those that have some.
        marked[[pk for pk in self._allowed(filters) if pk < len(marked)]] = True
        return marked[documents]

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
