"""Ingest: only what changed, only whole documents, the old index until the new is complete."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from tests import prepared

from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.adapters.sqlite_index import SqliteIndex, SqliteStore, writing
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import DocumentError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.own_kinds import OwnKind, OwnKinds
from elysia_guard.ports import Vector
from elysia_guard.testing.fake_index import HashEmbedder

EVERYTHING = Filters(approval=None)

CHILD = """
import asyncio, sys
from elysia_guard.adapters.ingest import ingest
from elysia_guard.testing.fake_index import HashEmbedder
print("ready", flush=True)
tell = lambda progress: print(progress.done, flush=True)
asyncio.run(ingest([sys.argv[1]], sys.argv[2], HashEmbedder(), observe=tell))
"""
FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge" / "decisions"
    folder.mkdir(parents=True)
    for number in range(1, 6):
        write(folder, number, f"Rule {number} holds.")
    return folder


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def write(folder: Path, number: int, text: str) -> Path:
    """Write a decision of three sections, each with the same text."""
    file = folder / f"{number:04d}-rule.md"
    sections = "".join(f"## Part {part}\n\n{text}\n\n" for part in range(3))
    file.write_text(f"---\nidentifier: ADR-{number:04d}\n---\n# Rule {number}\n\n{sections}")
    return file


def run(
    folder: Path, index: Path, embedder: HashEmbedder | None = None, *, dry_run: bool = False
) -> IngestReport:
    return asyncio.run(ingest([folder], index, embedder or HashEmbedder(), dry_run=dry_run))


def documents(index: Path) -> dict[str, tuple[Document, list[str]]]:
    """All documents of an index, with the texts of their passages."""

    async def read(opened: SqliteIndex) -> dict[str, tuple[Document, list[str]]]:
        return {
            document.id: (document, [p.text for p in await opened.passages(document.id)])
            for document in await opened.documents(EVERYTHING)
        }

    with closing(SqliteIndex.open(index)) as opened:
        return asyncio.run(read(opened))


def test_only_what_changed_is_embedded(folder: Path, index: Path) -> None:
    """An update embeds the changed documents alone, and drops those whose file is gone."""
    run(folder, index)
    embedder = HashEmbedder()
    write(folder, 2, "Rule 2 is new.")
    write(folder, 6, "Rule 6 holds.")
    (folder / "0005-rule.md").unlink()
    report = run(folder, index, embedder)
    assert (report.added, report.updated, report.removed) == (
        ("ADR-0006",),
        ("ADR-0002",),
        ("ADR-0005",),
    )
    assert report.unchanged == ("ADR-0001", "ADR-0003", "ADR-0004")
    assert embedder.calls == 6
    assert documents(index)["ADR-0002"][1] == ["Rule 2 is new."] * 3
    assert "ADR-0005" not in documents(index)


def test_an_updated_index_is_like_a_new_one(folder: Path, index: Path, tmp_path: Path) -> None:
    """Updating and building anew find the same, with the same scores."""
    run(folder, index)
    write(folder, 2, "Zebras cross.")
    run(folder, index)
    run(folder, tmp_path / "new.sqlite")
    (vector,) = asyncio.run(HashEmbedder().embed(["Which zebras hold?"]))
    results = []
    for path in (index, tmp_path / "new.sqlite"):
        with closing(SqliteIndex.open(path)) as opened:
            results.append(
                asyncio.run(opened.search("Which zebras hold?", vector, filters=EVERYTHING))
            )
    assert results[0] == results[1]


def test_dry_run(folder: Path, index: Path) -> None:
    """A dry run says what would be done, and does nothing."""
    embedder = HashEmbedder()
    assert len(run(folder, index, embedder, dry_run=True).added) == 5
    assert embedder.calls == 0
    assert not index.exists()


def test_another_model_rebuilds_all(folder: Path, index: Path) -> None:
    """With another model every document is embedded anew, and the report says why."""
    run(folder, index)
    report = run(folder, index, HashEmbedder(model_id="hash@2", dimension=32))
    assert len(report.added) == 5
    assert report.rebuilt == "the model hash@1 was replaced by hash@2"
    SqliteIndex.open(index, model_id="hash@2", dimension=32).close()


def vectors(index: Path) -> list[tuple[object, ...]]:
    """What an index holds of vectors, by the text of the passage."""
    with closing(sqlite3.connect(index)) as opened:
        return sorted(opened.execute("SELECT text, vector, sentences FROM passages"))


def test_other_kinds_embed_nothing_again(folder: Path, index: Path) -> None:
    """An index of a house with other kinds is written anew, with the vectors that it had."""
    write(folder, 1, "Rule 1 holds. It is a rule of two sentences.")
    run(folder, index)
    before, embedder = vectors(index), HashEmbedder()
    store = SqliteStore(index, kinds=OwnKinds(decision=OwnKind(form="RFC-{number:04d}")))
    report = asyncio.run(ingest([folder], store, embedder))
    assert (report.rebuilt, len(report.added)) == ("kinds.toml says other kinds", 5)
    assert (report.embedded, embedder.calls) == (0, 0)
    assert vectors(index) == before


def test_a_moved_document_is_not_embedded_again(folder: Path, index: Path) -> None:
    """Nor one of another number: what is embedded with a passage is its title and headings."""
    run(folder, index)
    embedder = HashEmbedder()
    text = (folder / "0002-rule.md").read_text()
    (folder / "0002-rule.md").rename(folder / "0009-rule.md")
    (folder / "0009-rule.md").write_text(text.replace("ADR-0002", "ADR-0009"))
    report = run(folder, index, embedder)
    assert (report.added, report.removed) == (("ADR-0009",), ("ADR-0002",))
    assert (report.embedded, embedder.calls) == (0, 0)
    write(folder, 3, "Rule 3 is new.")
    assert run(folder, index, embedder).embedded == len(documents(index)["ADR-0003"][1]) > 0


def test_a_text_that_was_changed_in_the_index_lends_no_vector(folder: Path, index: Path) -> None:
    """A vector is of the text that was embedded, whatever stands beside it now."""
    run(folder, index)
    with closing(sqlite3.connect(index)) as opened:
        opened.execute("UPDATE passages SET text = 'Rule 7 holds.' WHERE text = 'Rule 5 holds.'")
        opened.commit()
    write(folder, 5, "Rule 7 holds.")
    assert run(folder, index).embedded > 0


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_nothing_to_read(folder: Path, index: Path, tmp_path: Path, name: str) -> None:
    """An empty or mistyped folder does not empty the index."""
    run(folder, index)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DocumentError):
        run(tmp_path / name, index)
    assert len(documents(index)) == 5


def test_two_writers(folder: Path, index: Path) -> None:
    """A second writer is told to wait, and the first is not disturbed."""
    with writing(index, model_id="hash@1", dimension=64) as writer:
        with pytest.raises(PassageIndexError, match="another process is writing"):
            run(folder, index)
        assert asyncio.run(writer.fingerprints()) == {}
    run(folder, index)
    assert len(documents(index)) == 5


def test_read_only_file(folder: Path, index: Path) -> None:
    """A file that was made read-only is not replaced."""
    run(folder, index)
    index.chmod(0o444)
    write(folder, 1, "Changed.")
    with pytest.raises(PassageIndexError, match="is read-only"):
        run(folder, index)
    assert documents(index)["ADR-0001"][1][0] == "Rule 1 holds."


def test_a_place_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    """A place that is no folder is an error that names it."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(PassageIndexError, match="cannot be written"):
        run(folder, tmp_path / "file" / "index.sqlite")


def test_somebody_elses_file(folder: Path, tmp_path: Path) -> None:
    """A file that is no index is not overwritten."""
    (tmp_path / "notes.txt").write_text("precious")
    with pytest.raises(PassageIndexError, match="is not a passage index"):
        run(folder, tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "precious"


def test_damaged_index(folder: Path, index: Path) -> None:
    """A damaged index is built anew, and the report says so; what is no index is left alone."""
    built = run(folder, index)
    raw = index.read_bytes()
    index.write_bytes(raw[:4096] + b"\xff" * (len(raw) - 4096))
    again = run(folder, index)
    assert "damaged" in again.rebuilt
    assert again.added == built.added
    assert run(folder, index).unchanged == built.added
    index.write_bytes(b"\xff" * len(raw))
    with pytest.raises(PassageIndexError, match="remove it and run"):
        run(folder, index)


def test_full_disk(folder: Path, index: Path) -> None:
    """When the disk is full the old index is as it was, and no half of a new one takes its room."""
    run(folder, index)
    before = index.read_bytes()
    write(folder, 1, "Much more is said here. " * 20_000)
    child = subprocess.run(
        [sys.executable, "-c", FULL_DISK + CHILD, folder, index],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "PassageIndexError" in child.stderr
    assert "the index is as it was before" in child.stderr
    assert index.read_bytes() == before
    assert {file.name for file in index.parent.glob("index*")} == {index.name, f"{index.name}.lock"}


def test_an_embedder_that_fails(folder: Path, index: Path) -> None:
    """What was embedded before a failure is not embedded again, and no half index is served."""

    class Failing(HashEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            self.down = self.calls >= 6
            return await super().embed(texts)

    with pytest.raises(SourceUnavailableError):
        run(folder, index, Failing())
    assert not index.exists()
    embedder = HashEmbedder()
    report = run(folder, index, embedder)
    assert len(report.added) == 5
    assert embedder.calls == 9
    assert len(documents(index)) == 5


def killed(folder: Path, index: Path, *, steps: int, then_s: float) -> int:
    """Ingest in a process of its own; kill it some steps and an instant after it has begun."""
    with (index.parent / "child.log").open("w") as told:
        child = prepared.begin(
            [str(folder), str(index)],
            code=CHILD,
            folder=index.parent,
            environment=os.environ,
            stderr=told,
        )
    with child.stdout:
        for _ in range(steps + 1):
            child.stdout.readline()
        with suppress(TimeoutError):
            child.wait(then_s)
        child.kill()
        return child.wait()


def whole(path: Path) -> Iterator[bool]:
    """Check a file as SQLite does, then whether each document has all its passages and words."""
    with closing(sqlite3.connect(path)) as connection:
        yield connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = connection.execute(
            "SELECT count(p.pk) FROM documents d LEFT JOIN passages p ON p.document = d.pk "
            "GROUP BY d.pk"
        )
        yield {count for (count,) in rows} <= {3}
        (words,) = connection.execute("SELECT count(*) FROM words").fetchone()
        (passages,) = connection.execute("SELECT count(*) FROM passages").fetchone()
        yield words == passages


MANY = 100


@pytest.mark.slow
def test_killed_in_mid_ingest(folder: Path, index: Path) -> None:
    """After six kills at random the old index serves, and no draft holds half a document."""
    run(folder, index)
    served = texts(index)
    chance = random.Random(20)
    kills = attempts = 0
    while kills < 6:
        attempts += 1
        assert attempts < 30
        for number in range(1, MANY):
            write(folder, number, f"Rule {number} is new in {attempts}.")
        steps, then_s = chance.choice((0, chance.randrange(1, MANY - 10))), chance.uniform(0, 0.03)
        kills += killed(folder, index, steps=steps, then_s=then_s) == -signal.SIGKILL
        # One that was faster than the kill has put all of the new in the place of all of the old.
        assert texts(index) in (served, {f"Rule {n} is new in {attempts}." for n in range(1, MANY)})
        served = texts(index)
        for path in (index, index.with_name(f"{index.name}.building")):
            assert not path.exists() or all(whole(path)), attempts
    run(folder, index)
    assert all(whole(index))
    assert texts(index) == {f"Rule {n} is new in {attempts}." for n in range(1, MANY)}


def texts(index: Path) -> set[str]:
    return {text for _, passages in documents(index).values() for text in passages}


@pytest.mark.slow
def test_work_that_was_cut_off_is_gone_on_with(folder: Path, index: Path) -> None:
    """What a killed ingest had embedded is not embedded again."""
    run(folder, index)
    for number in range(1, 60):
        write(folder, number, f"Rule {number} is new.")
    assert killed(folder, index, steps=40, then_s=0) == -signal.SIGKILL
    embedder = HashEmbedder()
    report = run(folder, index, embedder)
    assert len(report.updated) == 5
    assert embedder.calls < 59 * 3
    assert all(whole(index))


@pytest.mark.parametrize(
    "spoil",
    [
        "DELETE FROM words WHERE rowid IN (SELECT pk FROM passages WHERE id = 'ADR-0002#001')",
        "DELETE FROM passages WHERE document = (SELECT pk FROM documents WHERE id = 'ADR-0002')",
        "UPDATE passages SET vector = x'00' WHERE id = 'ADR-0002#000'",
    ],
)
def test_c5_an_index_file_that_lost_something_is_mended(
    folder: Path, index: Path, spoil: str
) -> None:
    """What another program took out of an index file is found by ingest, and put back."""
    run(folder, index)
    before = documents(index)
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute(spoil)
    planned = run(folder, index, dry_run=True)
    assert (planned.repaired, len(planned.unchanged)) == (("ADR-0002",), 4)
    assert "lacks words or vectors of 1 documents" in planned.damage[0]
    embedder = HashEmbedder()
    assert run(folder, index, embedder).repaired == ("ADR-0002",)
    assert embedder.calls == 3
    assert documents(index) == before
    assert run(folder, index).damage == ()
