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

import numpy as np
import numpy.typing as npt

from elysia_guard.adapters.digest import digest
from elysia_guard.adapters.field_shares import shares_of
from elysia_guard.adapters.hybrid import Legs, Shares, by_fields, ranked
from elysia_guard.adapters.sentence_vectors import NONE_NEAR, NearRows
from elysia_guard.adapters.sqlite_index.lexicon import Lexicon
from elysia_guard.adapters.sqlite_index.nearness import Nearness, SecondNearness
from elysia_guard.adapters.sqlite_index.rows import BoolArray, FloatArray, Rows, lowest
from elysia_guard.adapters.sqlite_index.schema import (
    ALLOWED_DOCUMENTS,
    document_of,
    parameters,
    search_terms,
)
from elysia_guard.domain.document import Document, Filters, Hit, Passage
from elysia_guard.domain.own_kinds import STANDING, OwnKinds
from elysia_guard.domain.question import Lang
from elysia_guard.domain.search_weights import WeightsByKind
from elysia_guard.language.near_spellings import NearSpellings, counted
from elysia_guard.language.stems import stem
from elysia_guard.language.text import without_marks
from elysia_guard.language.text import words as words_of
from elysia_guard.ports import SecondVector, Vector

LEG_DEPTH = 50
MOST_MASKS = 32
"""Of so many filters it is kept which rows pass; a byte a row each."""

_PASSAGES = "SELECT * FROM passages WHERE pk IN (SELECT value FROM json_each(?))"
_PASSAGES_OF_DOCUMENT = """
SELECT p.* FROM passages p JOIN documents d ON d.pk = p.document WHERE d.id = ? ORDER BY p.position
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """What one search finds: the score of each row by words, and the rankings, words first."""

    lexical: npt.NDArray[np.float64]
    rankings: Sequence[Sequence[int]]
    distances: FloatArray | None = None
    away: FloatArray | None = None
    near: NearRows = NONE_NEAR


class Snapshot:
    """One version of an index; vectors and documents are read at first use and kept."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        dimension: int,
        second_dimension: int = 0,
        kinds: OwnKinds = STANDING,
    ) -> None:
        self._connection = connection
        self._kinds = kinds
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
        weights: WeightsByKind | None = None,
    ) -> list[Hit]:
        """Rank by words and by meaning, by one model or by two, and fuse the rankings."""
        weights = weights or {}
        depth = max(LEG_DEPTH, limit)
        found = self._found(query, vector, filters=filters, depth=depth, second=second)
        best = ranked(self._legs(query, found, fields=by_fields(weights)), weights, limit)
        passages = self._passages([row for row, _ in best])
        lexical, distances, near, away = found.lexical, found.distances, found.near, found.away
        by_second = (
            self._by_second.by_sentence(passages, second) if second and away is not None else {}
        )
        return [
            Hit(
                passage=passages[row],
                score=score,
                distance=None if distances is None else float(distances[row]),
                lexical=None if np.isnan(lexical[row]) else float(lexical[row]),
                sentence_distance=near.nearest.get(row),
                sentence_distances=near.distances(row),
                second_distance=None if away is None else float(away[row]),
                second_distances=by_second.get(row, ()),
            )
            for row, score in best
        ]

    def legs(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        limit: int,
        second: SecondVector | None = None,
    ) -> Legs[int]:
        """The rankings of a search before they are fused, with the fields that hold its words."""
        depth = max(LEG_DEPTH, limit)
        found = self._found(query, vector, filters=filters, depth=depth, second=second)
        return self._legs(query, found, fields=True)

    def _found(
        self,
        query: str,
        vector: Vector | None,
        *,
        filters: Filters,
        depth: int,
        second: SecondVector | None,
    ) -> _Found:
        allowed = self._allowed_rows(filters)
        lexical = self._lexicon.scores(query, self._rows.row_of_pk, len(self._rows.pks))
        rankings = [lowest(-lexical, allowed & ~np.isnan(lexical), depth)]
        if vector is None:
            return _Found(lexical=lexical, rankings=rankings)
        distances, away = self._nearness.distances(vector), None
        rankings.append(lowest(distances, allowed, depth))
        if second is not None:
            away = self._by_second.distances(second)
            rankings.append(lowest(away, allowed, depth))
        near = self._nearness.by_sentence(vector, distances, rankings)
        rankings.append(near.rows[:LEG_DEPTH])
        return _Found(lexical=lexical, rankings=rankings, distances=distances, away=away, near=near)

    def _legs(self, query: str, found: _Found, *, fields: bool) -> Legs[int]:
        words, *meaning = found.rankings
        documents = self._rows.documents
        rows = {row for ranking in found.rankings for row in ranking}
        return Legs(
            words={row: float(found.lexical[row]) for row in words},
            meaning=meaning,
            documents={row: self._documents[int(documents[row])] for row in rows},
            shares=self._shares(query, words) if fields else {},
        )

    def _shares(self, query: str, rows: Sequence[int]) -> dict[int, Shares]:
        """In which fields of some passages the words of a query stand."""
        _, stems = search_terms(query, self._lexicon.languages)
        held = self._lexicon.frequencies(frozenset(map(without_marks, stems)))
        most = len(self._rows.pks) + 2
        rarity = {stem: math.log(most / (count + 1)) for stem, count in held.items()}
        return {row: shares_of(each, rarity) for row, each in self._passages(rows).items()}

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
        return {row["pk"]: document_of(row, self._kinds) for row in rows}

    @cached_property
    def _rows(self) -> Rows:
        return Rows.read(self._connection, self.count_passages(), self._dimension)

    @cached_property
    def _nearness(self) -> Nearness:
        return Nearness(connection=self._connection, rows=self._rows)

    @cached_property
    def _by_second(self) -> SecondNearness:
        return SecondNearness.read(
            self._connection, self._rows, self._documents, self._second_dimension
        )

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
