"""Foreign files that never end, or ask for all memory, are named; all others are read."""

from __future__ import annotations

import sys
import threading
import time
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.made_files import Put, docx, paragraph, pdf

from elysia_guard.adapters.documents import ParsedDocument, Skipped, read_folder
from elysia_guard.adapters.documents.formats import ContentCache, ForeignReader
from elysia_guard.adapters.origins import DocumentFiles
from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import DocumentError
from elysia_guard.domain.origin import OriginState
from elysia_guard.edge.cli.main import cli
from elysia_guard.running import run_anywhere

CIRCLE = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/Lang 3 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n3 0 obj 3 0 R endobj\n"
    b"trailer<</Size 4/Root 1 0 R>>\n%%EOF\n"
)
"""A PDF whose third object is itself: who asks what it stands for asks for ever."""
ATTRIBUTES = ("<p " + " ".join(f"a{n}=1" for n in range(200_000)) + ">Text</p>").encode()
"""A page of one paragraph, each of whose attributes is held against all before it."""
EVIL = {"circle.pdf": CIRCLE, "attributes.html": ATTRIBUTES}
GOOD = {
    "a.md": b"# Plain\n\nIt is read.\n",
    "b.html": b"<h1>Page</h1><p>It is read.</p>",
    "y.docx": docx(paragraph("Report", "Titel") + paragraph("It is read.")),
    "z.pdf": pdf([Put("It is read.", 700)]),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good files, and evil ones between them."""
    found = tmp_path / "docs"
    found.mkdir()
    for name, raw in {**GOOD, **EVIL}.items():
        (found / name).write_bytes(raw)
    return found


def settings(tmp_path: Path, folder: Path, *, seconds: float) -> list[str]:
    """Write settings with a deadline, and return how the command line is told of them."""
    file = tmp_path / "config" / "guard.yaml"
    file.parent.mkdir()
    file.write_text(
        f"index: {{path: index.sqlite, sources: [{folder}], file_deadline_seconds: {seconds}}}\n"
        "collections: {decision: A, principle: B, policy: C, document: D}\n"
    )
    return ["--config", str(file)]


def test_an_ingest_names_files_that_never_end_and_reads_the_others(
    tmp_path: Path, folder: Path
) -> None:
    """Each evil file is named with its reason, within its deadline, and the rest is the index."""
    told = settings(tmp_path, folder, seconds=2)
    started = time.monotonic()
    done = CliRunner().invoke(cli, ["ingest", *told])
    assert done.exit_code == 0, done.output
    assert time.monotonic() - started < 60
    assert "4 documents" in done.output
    for name in EVIL:
        assert name in done.output
    assert done.output.count("not read within 2 s") == 2


def test_a_file_that_was_given_up_is_tried_again(tmp_path: Path) -> None:
    """What was too slow once is not remembered: the machine may have been busy."""
    (tmp_path / "circle.pdf").write_bytes(CIRCLE)
    for _ in range(2):
        memory = ContentCache(tmp_path / "readings")
        (found,) = read_folder([tmp_path / "circle.pdf"], memory=memory, deadline_s=0.5)
        memory.save()
        assert isinstance(found, Skipped)
        assert "not read within 0.5 s" in found.reason


def test_a_file_that_asks_for_all_memory_is_named() -> None:
    """A file may use so much memory; the next one is read all the same."""
    reader = ForeignReader(deadline_s=60, memory_bytes=250_000_000)
    packed = zlib.compress(bytes(290_000_000))
    with pytest.raises(DocumentError, match=r"vast\.pdf: takes more than 250,000,000 bytes"):
        reader.read(b"%PDF-1.4\nstream\n" + packed + b"endstream\n", path="vast.pdf")
    assert reader.read(GOOD["b.html"], path="b.html").heading == "Page"


def test_a_process_that_is_killed_loses_one_file() -> None:
    """What ends the process is told of the file that it read; the next has another process."""
    reader = ForeignReader(deadline_s=30)
    reader.read(GOOD["b.html"], path="b.html")
    threading.Timer(0.5, reader.kill).start()
    with pytest.raises(DocumentError, match=r"circle\.pdf: .*broke off"):
        reader.read(CIRCLE, path="circle.pdf")
    assert reader.read(GOOD["b.html"], path="b.html").heading == "Page"


def test_markdown_needs_no_process(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Plain text is read here."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    (found,) = read_folder([folder / "a.md"])
    assert isinstance(found, ParsedDocument)
    (left,) = read_folder([folder / "b.html"])
    assert isinstance(left, Skipped)


def test_a_document_that_became_one_without_end_holds_no_answer_up(tmp_path: Path) -> None:
    """Where a file was changed into one that never ends, an answer says that it was changed."""
    file = tmp_path / "a.pdf"
    file.write_bytes(GOOD["z.pdf"])
    (read,) = read_folder([tmp_path])
    assert isinstance(read, ParsedDocument)
    document: Document = read.document
    file.write_bytes(CIRCLE)
    looking = DocumentFiles([tmp_path], deadline_s=1, within_s=20)
    found = run_anywhere(looking.documents([document], read={document.id}))
    assert found[document.id].state is OriginState.CHANGED
