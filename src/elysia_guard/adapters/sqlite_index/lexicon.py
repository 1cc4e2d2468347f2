"""The words of an index: in how many passages each term stands, and what BM25 gives for it."""

from __future__ import annotations

import json
import sqlite3
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from elysia_guard.adapters.hybrid import search_terms
from elysia_guard.adapters.sqlite_index.schema import expressions
from elysia_guard.language.text import without_marks, words

MOST_MATCHES, FEWEST_TERMS = 3_000, 3
"""How many passages, counted by term, are scored by words; but the rarest terms always."""
MOST_POSTINGS = 2_000_000
"""Of so many passages, counted by term, it is kept what they gain; sixteen bytes each."""
MOST_TERMS = 100_000
"""Of so many terms it is kept in how many passages they stand."""

# A word that stands in the text as it was asked counts half as much again as its stem.
_BM25 = "SELECT rowid, -bm25(words, 0.5, 1.0) FROM words WHERE words MATCH ?"
_TEXT = "SELECT text FROM words WHERE words MATCH ? LIMIT 1"
_FREQUENCIES = "SELECT term, doc FROM temp.terms WHERE term IN (SELECT value FROM json_each(?))"

IntArray = npt.NDArray[np.int64]
DoubleArray = npt.NDArray[np.float64]
_Gains = tuple[IntArray, DoubleArray]
"""The keys of the passages that hold a term, and what each of them gains by it."""


class Lexicon:
    """What the full-text index knows of its terms; what was asked once is kept in memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._frequencies: dict[str, int] = {}
        self._gains: dict[str, _Gains] = {}
        self._written: dict[str, str] = {}
        self._postings = 0
        held = connection.execute("SELECT DISTINCT lang FROM documents ORDER BY lang")
        self.languages = [lang for (lang,) in held]
        # What FTS5 knows of its terms; in the connection's own temporary schema, not in the file.
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, words, row)"
        )

    def frequencies(self, terms: frozenset[str]) -> dict[str, int]:
        """In how many passages each term stands; 0 for one that stands in none."""
        # A set less the keys of a dictionary would go through all the keys.
        if unasked := [term for term in terms if term not in self._frequencies]:
            if len(self._frequencies) + len(unasked) > MOST_TERMS:
                self._frequencies.clear()
                unasked = list(terms)
            found = self._connection.execute(_FREQUENCIES, (json.dumps(sorted(unasked)),))
            self._frequencies |= dict.fromkeys(unasked, 0) | dict(found.fetchall())
        return {term: self._frequencies[term] for term in terms}

    def counts(self) -> dict[str, int]:
        """In how many passages each word of their texts stands."""
        connection = self._connection
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.columns USING fts5vocab(main, words, col)"
        )
        return dict(connection.execute("SELECT term, doc FROM temp.columns WHERE col = 'text'"))

    def written(self, term: str) -> str:
        """A term as a text writes it, with its diacritics; as it is where no text has it."""
        if term not in self._written:
            found = self._connection.execute(_TEXT, (f'text : "{term}"',)).fetchone()
            texts = words(found[0]) if found else ()
            self._written[term] = next((w for w in texts if without_marks(w) == term), term)
        return self._written[term]

    def scores(self, query: str, row_of_pk: IntArray, count: int) -> DoubleArray:
        """The BM25 score of each of ``count`` rows; not a number where no word is shared.

        A score is the sum of what each term gives, which is therefore asked for term by term.
        """
        scores = np.zeros(count)
        shares = np.zeros(count, dtype=np.bool_)
        for term in self._searched(query):
            pks, gained = self._gained(term)
            rows = row_of_pk[pks]
            scores[rows] += gained
            shares[rows] = True
        scores[~shares] = np.nan
        return scores

    def _searched(self, query: str) -> list[str]:
        """The terms of a query to look for, the rarest first, as long as that takes little time.

        What stands in most passages of a large index says little, and costs the most.
        """
        found, stemmed = search_terms(query, self.languages)
        plain = {term: without_marks(term) for term in (*found, *stemmed)}
        held = self.frequencies(frozenset(plain.values()))
        known = sorted((term for term in plain if held[plain[term]]), key=lambda t: held[plain[t]])
        until = accumulate(held[plain[term]] for term in known)
        kept = {
            term
            for number, (term, sum_) in enumerate(zip(known, until, strict=True))
            if number < FEWEST_TERMS or sum_ <= MOST_MATCHES
        }
        return expressions(
            (term for term in found if term in kept), (term for term in stemmed if term in kept)
        )

    def _gained(self, term: str) -> _Gains:
        if term not in self._gains:
            found = dict(self._connection.execute(_BM25, (term,)).fetchall())
            self._postings += len(found)
            if self._postings > MOST_POSTINGS:
                self._gains.clear()
                self._postings = len(found)
            self._gains[term] = (
                np.fromiter(found.keys(), dtype=np.int64, count=len(found)),
                np.fromiter(found.values(), dtype=np.float64, count=len(found)),
            )
        return self._gains[term]
