"""The embedded index: what it refuses to open, and how it follows its file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest
from tests.contract.index_contract import sample_passages

from elysia_guard.adapters.hybrid import search_terms
from elysia_guard.adapters.sqlite_index import SqliteIndex, lexicon, writing
from elysia_guard.domain.document import Filters, Passage
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.testing.fake_index import HashEmbedder


def build(path: Path, passages: Sequence[Passage], embedder: HashEmbedder | None = None) -> Path:
    """Add the passages' documents to an index."""
    embedder = embedder or HashEmbedder()
    with writing(path, model_id=embedder.model_id, dimension=embedder.dimension) as writer:
        for document, group in groupby(passages, key=lambda passage: passage.document):
            held = list(group)
            vectors = asyncio.run(embedder.embed([passage.text for passage in held]))
            asyncio.run(writer.put(document, held, vectors))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return build(tmp_path / "index.sqlite", sample_passages())


def found(index: SqliteIndex, query: str) -> list[str]:
    hits = asyncio.run(index.search(query, None, filters=Filters()))
    return [hit.passage.document.id for hit in hits]


def test_missing(tmp_path: Path) -> None:
    """A missing index is an error that says how to build one, and no file is left behind."""
    with pytest.raises(
        PassageIndexError, match="does not exist; build it with 'elysia-guard ingest'"
    ):
        SqliteIndex.open(tmp_path / "none.sqlite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("raw", [b"", b"not a database, but long enough to be one " * 50])
def test_not_an_index(tmp_path: Path, raw: bytes) -> None:
    """Another file is not taken for an index."""
    (tmp_path / "x.sqlite").write_bytes(raw)
    with pytest.raises(PassageIndexError, match="is not a passage index"):
        SqliteIndex.open(tmp_path / "x.sqlite")


def test_another_schema(path: Path) -> None:
    """An index of another version is refused, with the way out."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET schema_version = 99")
    with pytest.raises(PassageIndexError, match=r"schema version 99.*ingest' again"):
        SqliteIndex.open(path)


@pytest.mark.parametrize(("model_id", "dimension"), [("other@1", None), (None, 512)])
def test_another_model(path: Path, model_id: str | None, dimension: int | None) -> None:
    """Vectors of two models are never compared."""
    with pytest.raises(PassageIndexError, match=r"was built with hash@1 \(64 dimensions\)"):
        SqliteIndex.open(path, model_id=model_id, dimension=dimension)


def test_follows_its_file(path: Path) -> None:
    """An index that was replaced while it was open is read anew."""
    with closing(SqliteIndex.open(path)) as index:
        assert found(index, "hydrants") == ["DOC-0000"]
        with writing(path, model_id="hash@1", dimension=64) as writer:
            asyncio.run(writer.remove("DOC-0000"))
            assert found(index, "hydrants") == ["DOC-0000"]  # not before it is complete
        assert found(index, "hydrants") == []


def test_replaced_by_something_else(path: Path) -> None:
    """A file that is gone or spoilt is a source that cannot be asked, until it is back."""
    with closing(SqliteIndex.open(path, model_id="hash@1")) as index:
        good = path.read_bytes()
        for spoil in (path.unlink, lambda: path.write_bytes(b"x" * 5_000)):
            spoil()
            for _ in range(2):
                with pytest.raises(SourceUnavailableError):
                    found(index, "TLS")
        path.write_bytes(good)
        assert found(index, "TLS") == ["ADR-0027"]


def test_damaged(path: Path) -> None:
    """A file damaged inside is a source that cannot be asked, never one that knows nothing."""
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + b"\xff" * (len(raw) - 4096))
    with pytest.raises((PassageIndexError, SourceUnavailableError)):
        found(SqliteIndex.open(path), "TLS")


@pytest.mark.parametrize("vector", [[1.0], [float("nan")] * 64])
def test_a_vector_that_does_not_fit_is_not_stored(path: Path, vector: list[float]) -> None:
    """A faulty embedder is found out when it writes, and the index stays as it was."""
    (passage, *_) = sample_passages()
    with (
        pytest.raises(PassageIndexError, match="check the embedder"),
        writing(path, model_id="hash@1", dimension=64) as writer,
    ):
        asyncio.run(writer.put(passage.document, [passage], [vector]))
    with closing(SqliteIndex.open(path)) as index:
        assert found(index, "TLS") == ["ADR-0027"]


def test_one_plain_file(path: Path) -> None:
    """A finished index needs nothing beside it: it may be copied, or lie on a read-only disk."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}.lock"}


def test_an_empty_leg_does_not_hide_the_other(path: Path) -> None:
    """A hit of meaning alone is found, and one of words alone keeps its place."""
    (vector,) = asyncio.run(HashEmbedder().embed(["Connections are encrypted with TLS."]))
    with closing(SqliteIndex.open(path)) as index:
        hits = asyncio.run(index.search("zebra", vector, filters=Filters()))
        assert hits[0].passage.document.id == "ADR-0027"
        assert hits[0].lexical is None


def test_a_hit_beyond_the_word_leg_keeps_its_word_score(tmp_path: Path) -> None:
    """A passage that the words rank too low, and the meaning first, still has its word score."""
    (first, *_) = sample_passages()
    many = [
        Passage(
            id=f"{first.document.id}#{n:03d}",
            document=first.document,
            section="",
            position=n,
            text=text,
        )
        for n, text in enumerate(
            ["zebra " * 5] * 80 + ["zebra crossing of the long and winding road home"]
        )
    ]
    path = build(tmp_path / "index.sqlite", many)
    (vector,) = asyncio.run(HashEmbedder().embed([many[-1].text]))
    with closing(SqliteIndex.open(path)) as index:
        hits = asyncio.run(index.search("zebra", vector, filters=Filters(), limit=50))
        last = next(hit for hit in hits if hit.passage.position == 80)
        assert last.lexical is not None


def test_a_passage_is_found_by_one_of_its_sentences(path: Path) -> None:
    """Of two passages as near as each other, the one with the nearer sentence comes first."""
    first, second = sample_passages()[:2]
    asked, other, far = [1.0, *[0.0] * 63], [0.0, 1.0, *[0.0] * 62], [-1.0, *[0.0] * 63]
    for near in (first, second):
        sentences = [[other, asked] if each is near else [far] for each in (first, second)]
        with writing(path, model_id="hash@1", dimension=64) as writer:
            asyncio.run(
                writer.put(first.document, [first, second], [other, other], sentences=sentences)
            )
        with closing(SqliteIndex.open(path)) as index:
            hits = asyncio.run(index.search("", asked, filters=Filters(number=12), limit=9))
        of_it = [hit for hit in hits if hit.passage.document.id == first.document.id]
        assert of_it[0].passage == near
        assert [hit.distance for hit in of_it] == pytest.approx([1.0, 1.0])
        assert of_it[0].sentence_distance == pytest.approx(0.0, abs=0.01)
        assert of_it[1].sentence_distance == pytest.approx(2.0, abs=0.01)
        assert of_it[0].sentence_distances == pytest.approx((1.0, 0.0), abs=0.01)
        assert of_it[1].sentence_distances == pytest.approx((2.0,), abs=0.01)


def test_of_a_long_question_the_rare_words_are_looked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands everywhere costs the most and says the least; a few words always count."""
    monkeypatch.setattr(lexicon, "MOST_MATCHES", 1)
    monkeypatch.setattr(lexicon, "FEWEST_TERMS", 1)
    with closing(SqliteIndex.open(path)) as index:
        assert found(index, "CIM hydrants") == ["DOC-0000"]
        assert set(found(index, "CIM")) == {"ADR-0012"}
        monkeypatch.setattr(lexicon, "MOST_MATCHES", 100)
        assert set(found(index, "CIM hydrants")) == {"ADR-0012", "DOC-0000"}


def test_a_score_is_the_sum_of_what_the_terms_give(path: Path) -> None:
    """As much as FTS5 itself gives for all of them at once."""
    with closing(SqliteIndex.open(path)) as index:
        hits = asyncio.run(index.search("CIM network models", None, filters=Filters(approval=None)))
        scored = {hit.passage.text: hit.lexical for hit in hits}
    # Of 'models' the Dutch stem is another one than the English.
    terms = [
        *(f'text : "{word}"' for word in ("cim", "network", "models")),
        *(f'stems : "{stem}"' for stem in ("cim", "network", "model", "models")),
    ]
    asked = (
        "SELECT p.text, -bm25(words, 0.5, 1.0) FROM words JOIN passages p ON p.pk = words.rowid "
        "WHERE words MATCH ?"
    )
    with closing(sqlite3.connect(path)) as connection:
        assert scored == dict(connection.execute(asked, (" OR ".join(terms),)).fetchall())


@pytest.mark.parametrize("query", ["owner", "Eigentümer", "eigenaarsregister"])
def test_a_word_is_found_in_another_language(path: Path, query: str) -> None:
    """By what it is called there, and a compound by one of its parts."""
    with closing(SqliteIndex.open(path)) as index:
        assert found(index, query) == ["PCP-0012"]


def test_only_the_languages_of_the_documents_are_searched() -> None:
    """A pack more adds nothing to the search of documents that are in none of its words."""
    found, stems = search_terms("Why do we encrypt passwords?", ["en"])
    assert found == ["encrypt", "passwords"]
    assert "wachtwoord" not in stems
    assert "wachtwoord" in search_terms("Why do we encrypt passwords?", ["en", "nl"])[1]
    assert "password" in search_terms("Pourquoi chiffrer les passes ?", ["en"])[1]


@pytest.mark.parametrize(("name", "most"), [("MOST_POSTINGS", 0), ("MOST_TERMS", 1)])
def test_memory_that_is_full_begins_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    """And what was forgotten is asked again."""
    monkeypatch.setattr(lexicon, name, most)
    with closing(SqliteIndex.open(path)) as index:
        for _ in range(2):
            assert set(found(index, "CIM hydrants")) == {"ADR-0012", "DOC-0000"}
