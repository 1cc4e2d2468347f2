"""A folder of Markdown, PDF, DOCX and HTML: read alike, remembered, and answered from."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.made_files import docx, paragraph

from elysia_guard.adapters.documents import (
    ContentCache,
    ParsedDocument,
    Skipped,
    formats,
    read_folder,
)
from elysia_guard.adapters.documents import formats as remembering
from elysia_guard.adapters.documents.content import UnreadableError
from elysia_guard.adapters.documents.formats import MAX_BYTES
from elysia_guard.adapters.ingest import IngestProgress, IngestReport, ingest
from elysia_guard.direct import Guard
from elysia_guard.domain.response import RAGResponse
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "documents"
MARKDOWN = ROOT / "data/knowledge/decisions/0012-use-cim-as-the-canonical-data-model.md"
HTML = """<!doctype html><html lang=en><head><title>Poles</title></head><body><nav>Home</nav>
<h1>ADR-0043: Paint poles green</h1><p>Status: accepted</p><h2>Decision Outcome</h2>
<p>We paint every wooden pole along the Linge with a green lacquer, every eleven years.</p>
<p hidden>We paint every wooden pole along the Linge with purple lacquer.</p></body></html>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One decision in each format."""
    folder = tmp_path / "knowledge" / "decisions"
    folder.mkdir(parents=True)
    for file in (MARKDOWN, *sorted(GOLDEN.iterdir())):
        shutil.copy(file, folder)
    (folder / "0043-poles.html").write_text(HTML, encoding="utf-8")
    return folder.parent


def by_id(folder: Path) -> dict[str, ParsedDocument]:
    found = [item for item in read_folder([folder]) if isinstance(item, ParsedDocument)]
    return {item.document.id: item for item in found}


def test_what_word_and_pdf_made_of_a_decision(folder: Path) -> None:
    """Files of a real word processor: identity, particulars, sections, list, table, no edges."""
    found = by_id(folder)
    english, dutch = found["ADR-0041"], found["ADR-0042"]
    assert (english.document.title, english.document.status) == (
        "Keep meter readings for seven years",
        "accepted",
    )
    assert (english.document.owner, english.document.date) == (
        "Grid Data Architecture Group",
        "2026-03-12",
    )
    assert (dutch.document.title, dutch.document.status, dutch.document.lang) == (
        "Bewaar meterstanden zeven jaar",
        "vastgesteld",
        "nl",
    )
    sections = {item.section: item for item in dutch.passages}
    assert list(sections) == [
        "p. 1",
        "1 Context en probleemstelling (p. 1)",
        "2 Drijfveren (p. 1)",
        "3 Besluit (p. 1)",
        "3 Besluit > 3.1 Termijn per soort stand (p. 1)",
        "3 Besluit > 3.2 Uitzonderingen (p. 2)",
        "4 Gevolgen (p. 2)",
    ]
    assert sections["3 Besluit (p. 1)"].role == "substance"
    table = sections["3 Besluit > 3.1 Termijn per soort stand (p. 1)"].text
    assert "Soort stand: Dagtotalen; Termijn: 10 jaar; Houder: Verrekening" in table
    assert not [p for p in dutch.passages if "vertrouwelijk" in p.text or "Pagina" in p.text]
    assert {claim.source for claim in dutch.claims} == {"file name", "first heading"}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], RAGResponse]:
    """Ask over one decision in each format, with the bundled model."""
    home = tmp_path_factory.mktemp("formats")
    decisions = home / "decisions"
    decisions.mkdir()
    for file in (MARKDOWN, *sorted(GOLDEN.iterdir())):
        shutil.copy(file, decisions)
    (decisions / "0043-poles.html").write_text(HTML, encoding="utf-8")
    wiring = Wiring.load(index=home / "index.sqlite")
    report = asyncio.run(wiring.fill_index([decisions]))
    assert report.documents == 4
    return Guard(wiring=wiring).ask


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "document", "said"),
    [
        ("What does ADR-0041 decide?", "docx", "quarter-hourly readings for seven years"),
        ("Wat besluit ADR-0042?", "pdf", "kwartierstanden zeven jaar"),
        ("What does ADR-0043 decide?", "html", "green lacquer, every eleven years"),
        (
            "Which lacquer is painted on every wooden pole along the Linge?",
            "html",
            "green lacquer",
        ),
        ("How long do we keep quarter-hourly meter readings?", "docx", "seven years"),
        ("Wanneer vernietigen wij kwartierstanden?", "pdf", "in de januari daarna"),
    ],
)
def test_questions_are_answered_from_every_format(
    ask: Callable[[str], RAGResponse], question: str, document: str, said: str
) -> None:
    """The answer stands in the PDF, the DOCX or the page alone, and its place is named."""
    response = ask(question)
    assert said in response.answer
    assert "purple" not in response.answer
    assert response.sources[0].location.endswith(document)
    if document == "pdf":
        assert "(p. 1)" in response.sources[0].section


def test_formats_that_are_not_read_are_named(tmp_path: Path) -> None:
    """The report says what to do with them; pictures and the like are no documents."""
    for name in ("old.doc", "slides.pptx", "text.odt", "picture.png", "empty.pdf", "empty.docx"):
        (tmp_path / name).write_bytes(b"" if "empty" in name else b"x")
    (tmp_path / "huge.pdf").touch()
    with (tmp_path / "huge.pdf").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    assert {
        item.path: item.reason for item in read_folder([tmp_path]) if isinstance(item, Skipped)
    } == {
        "old.doc": ".doc files are not read; save it as .docx",
        "slides.pptx": ".pptx files are not read; save it as PDF",
        "text.odt": ".odt files are not read; save it as .docx or PDF",
        "empty.pdf": "empty",
        "empty.docx": "empty",
        "huge.pdf": "50,000,001 bytes; the limit is 50,000,000",
    }


@pytest.mark.parametrize(
    ("package", "name"), [("pdfminer", "a.pdf"), ("mammoth", "a.docx"), ("selectolax", "a.html")]
)
def test_what_reads_a_format_may_be_missing(
    monkeypatch: pytest.MonkeyPatch, package: str, name: str
) -> None:
    """Markdown is read by any installation; of the rest it is said what to install."""
    readers = tuple(f"{formats.__package__}.{name}" for name in ("pdf", "word", "web_page"))
    for module in list(sys.modules):
        if module.partition(".")[0] == package or module.startswith(readers):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    raw = {"a.pdf": b"%PDF-1.7", "a.docx": docx(paragraph("Text.")), "a.html": b"<p>Text.</p>"}
    with pytest.raises(UnreadableError, match=rf"{package}.*elysia-guard\[documents\]"):
        formats.read(raw[name], path=name)
    assert formats.read(b"Text.", path="a.md").sections


def run(folder: Path, index: Path, told: list[IngestProgress] | None = None) -> IngestReport:
    observe = None if told is None else told.append
    return asyncio.run(ingest([folder], index, HashEmbedder(), observe=observe))


def test_what_was_read_is_not_read_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PDF and DOCX are read once, until the bytes or the edition of the readers are others."""
    index = tmp_path / "index.sqlite"
    (folder / "scan.pdf").write_bytes(b"%PDF-1.4\n")
    told: list[IngestProgress] = []
    first = run(folder, index, told)
    assert [step.path for step in told if step.reading] == [
        "decisions/0041-keep-meter-readings.docx",
        "decisions/0042-bewaar-meterstanden.pdf",
        "scan.pdf",
    ]
    told.clear()
    second = run(folder, index, told)
    assert told == []
    assert (second.unchanged, second.skipped) == (first.added, first.skipped)
    file = folder / "decisions" / "0041-keep-meter-readings.docx"
    file.write_bytes(docx(paragraph("ADR-0041: Keep nothing", "Titel") + paragraph("Nothing.")))
    assert run(folder, index).updated == ("ADR-0041",)
    monkeypatch.setattr(remembering, "_edition", lambda: "another")
    assert len(run(folder, index, told).unchanged) == 4
    assert len(told) == 3


def test_a_damaged_memory_only_costs_time(tmp_path: Path) -> None:
    """Everything is read anew."""
    (tmp_path / "a.docx").write_bytes(docx(paragraph("Text.")))
    (tmp_path / "m").write_bytes(b"no database")
    memory = ContentCache(tmp_path / "m")
    (read,) = read_folder([tmp_path / "a.docx"], memory=memory)
    memory.save()
    assert isinstance(read, ParsedDocument)
