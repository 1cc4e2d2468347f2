"""What folders, documents, questions and texts may hold, and what reading them may cost."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from pdfminer.pdftypes import PDFStream
from tests.unit.made_files import Put, W, docx, pdf

from elysia_guard.adapters.documents import (
    ParsedDocument,
    Skipped,
    chunks,
    folders,
    markdown,
    read_folder,
    web_page,
    word,
)
from elysia_guard.adapters.documents import (
    pdf as pdf_reader,
)
from elysia_guard.adapters.documents.content import UnreadableError
from elysia_guard.adapters.documents.folders import look
from elysia_guard.adapters.documents.reader import MAX_PARTICULAR_CHARS, parse
from elysia_guard.adapters.documents.web_page import sheet_rules
from elysia_guard.adapters.ingest import ingest
from elysia_guard.adapters.origins import DocumentFiles
from elysia_guard.adapters.weaviate_index.statistics import text_words
from elysia_guard.config import MOST_QUESTION_CHARS, load
from elysia_guard.domain.errors import ConfigError, DocumentError
from elysia_guard.domain.origin import OriginState
from elysia_guard.edge.cli import doctor_surroundings
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.sentences import sentences
from elysia_guard.observability.logs import redactor
from elysia_guard.reading.templates import read_template
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder


def ratio(work: Callable[[int], object], small: int) -> float:
    """How many times the processor's time four times the input takes; the best of three."""

    def cost(size: int) -> float:
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            work(size)
            best = min(best, time.process_time() - started)
        return best

    return cost(4 * small) / max(cost(small), 0.001)


def reasons(folder: Path) -> dict[str, str]:
    """Why each file under a folder is left out."""
    return {each.path: each.reason for each in read_folder([folder]) if isinstance(each, Skipped)}


def test_b4_odd_files_do_not_end_an_ingest(tmp_path: Path) -> None:
    """Links in a circle, pipes and sockets are skipped by name; the rest is read."""
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "good.md").write_text("# Good\n\nIt is read.\n")
    (folder / "self.md").symlink_to("self.md")
    (folder / "one.md").symlink_to("two.md")
    (folder / "two.md").symlink_to("one.md")
    (folder / "gone.md").symlink_to("nowhere.md")
    (folder / "sub" / "up").symlink_to("..")
    os.mkfifo(folder / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket.md"))
    assert [
        each.document.path for each in read_folder([folder]) if isinstance(each, ParsedDocument)
    ] == ["good.md"]
    assert reasons(folder).keys() == {
        "self.md", "one.md", "two.md", "gone.md", "pipe.md", "socket.md",
    }  # fmt: skip
    assert str(folder / "good.md") in look([folder]).files


def test_b4_a_name_that_is_no_text_is_skipped(tmp_path: Path) -> None:
    """A file whose name is not UTF-8 is skipped with a reason, and the index is written."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n\nIt is read.\n")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("# Odd\n\nText.\n")
    report = run_anywhere(ingest([folder], tmp_path / "index.sqlite", HashEmbedder()))
    assert report.documents == 1
    assert [each.reason for each in report.skipped] == ["its name is not UTF-8; rename it"]
    str(report.skipped[0].path).encode()


def test_b4_folders_have_a_depth(tmp_path: Path) -> None:
    """Folders that are nested without end are left out by name."""
    folder = tmp_path / "docs"
    deep = folder
    for _ in range(folders.MAX_DEPTH + 2):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "lost.md").write_text("# Lost\n\nText.\n")
    (reason,) = reasons(folder).values()
    assert f"more than {folders.MAX_DEPTH} deep" in reason


def test_b4_folders_have_a_number_of_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More documents than the limit are an error that says what to do, not half an index."""
    monkeypatch.setattr(folders, "MAX_FILES", 2)
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nText.\n")
    with pytest.raises(DocumentError, match="more than 2 documents; give folders further down"):
        list(read_folder([tmp_path]))


def test_b4_a_file_that_became_a_pipe_or_a_circle_holds_nobody_up(tmp_path: Path) -> None:
    """A document whose file has become a pipe or a link to itself does not hang an answer."""
    file = tmp_path / "a.md"
    file.write_text("# A\n\nText.\n")
    (read,) = read_folder([tmp_path])
    assert isinstance(read, ParsedDocument)
    for make in (os.mkfifo, lambda path: Path(path).symlink_to("a.md")):
        file.unlink()
        make(file)
        looking = DocumentFiles([tmp_path]).documents([read.document], read={read.document.id})
        looked = run_anywhere(looking)
        assert looked[read.document.id].state is not OriginState.UNCHANGED


def said(raw: bytes | str, name: str = "a.md") -> str:
    """Why a file is not read."""
    data = raw if isinstance(raw, bytes) else raw.encode()
    try:
        result = parse(data, path=name)
    except DocumentError as err:
        return str(err)
    assert isinstance(result, Skipped)
    return result.reason


def test_b4_front_matter_has_a_length() -> None:
    """Front matter longer than people write is refused with its file and the limit."""
    long = "---\n" + "a: b\n" * markdown.MAX_CHARS + "---\n# A\n\nText.\n"
    assert f"a.md:2: the front matter has {5 * markdown.MAX_CHARS:,} characters" in said(long)


@pytest.mark.parametrize("mark", ["![", "e`" + "``"])
def test_b4_marks_in_a_paragraph_have_a_number(mark: str) -> None:
    """A paragraph of nothing but markup, whose time grows with its square, is refused."""
    assert "images or backticks" in said("# A\n\n" + mark * (markdown.MAX_MARKS + 1))
    result = parse(("# A\n\n" + "`x` and\n\n" * markdown.MAX_MARKS).encode(), path="a.md")
    assert isinstance(result, ParsedDocument)


def test_b4_open_tags_are_read_in_one_pass() -> None:
    """HTML in Markdown whose tags never close is read in time that grows with its length."""
    assert ratio(lambda size: markdown._html_text("<p " * size), 4_000) < 9


@pytest.mark.parametrize("piece", ["a", "@", "@a ", "/*", "@a{", "a{"])
def test_b4_style_sheets_are_read_in_one_pass(piece: str) -> None:
    """A style sheet that is broken on purpose is read in time that grows with its length."""
    assert ratio(lambda size: list(sheet_rules(piece * size)), 5_000) < 9


def test_b4_style_sheets_hide_by_a_number_of_rules() -> None:
    """A page that hides by more rules than can be looked up is refused, never half obeyed."""
    rule = ".a{display:none}"
    page = "<style>{}</style><p>Text"
    assert isinstance(parse(page.format(rule * 10).encode(), path="a.html"), ParsedDocument)
    assert "by more than 2,000 rules" in said(
        page.format(rule * (web_page.MAX_HIDING + 1)), "a.html"
    )
    assert "rules" in said(page.format("p " * web_page.MAX_SELECTOR + "{display:none}"), "a.html")


def test_b4_formatting_that_is_never_closed_does_not_multiply() -> None:
    """A small page that a parser would unfold to millions of elements is refused before."""
    opened = "".join(f"<b a{number}>" for number in range(1_500))
    assert "comes to more than" in said(opened + "<p>a" * 20_000, "a.html")


def test_b4_nested_lists_do_not_multiply() -> None:
    """Lists in lists are indented so far and no further: a page does not grow by being read."""
    page = "<ul><li>" * 70 + "<p>ab" * 2_000
    result = parse(page.encode(), path="a.html")
    assert isinstance(result, ParsedDocument)
    assert sum(len(passage.text) for passage in result.passages) < 30 * 2_000


def drawn(*operators: str) -> str:
    """Why a PDF of one page with these operators is not read."""
    return said(pdf([Put("Text", 700), *operators]), "a.pdf")


def test_b4_letters_on_a_page_have_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with more letters than a page can hold is refused."""
    monkeypatch.setattr(pdf_reader, "MAX_LETTERS", 1_000)
    assert "more than 1,000 letters on a page" in drawn(f"BT /F1 1 Tf ({'a' * 1_001}) Tj ET")


def test_b4_letters_do_not_cover_a_page_without_end() -> None:
    """A page whose letters lie on each other without end is refused."""
    assert "cover a page more than 20 times" in drawn("BT /F1 700 Tf (a) Tj ET " * 300)


def test_b4_operators_have_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF that draws without end is refused."""
    monkeypatch.setattr(pdf_reader, "MAX_CONTENT", 10_000)
    assert "more than 10,000 bytes of operators" in drawn("q Q " * 3_000)


def test_b4_fonts_name_letters_that_exist() -> None:
    """A font of a few bytes that names four thousand million letters is refused."""
    table = b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange"
    fonts = pdf_reader.Resources()
    for spec in ({"W": [0, 4_294_967_295, 500]}, {"ToUnicode": PDFStream({}, table)}):
        with pytest.raises(UnreadableError, match="a font names"):
            fonts.get_font(None, {"Subtype": "Type1", "BaseFont": "Helvetica", **spec})


RUN = "<w:r><w:t>a</w:t></w:r>"


def test_b4_a_word_document_has_a_number_of_elements() -> None:
    """A small Word document that unpacks to elements without end is refused with the limit."""
    raw = docx(f"<w:p>{'<w:r/>' * word.MAX_ELEMENTS}</w:p>")
    assert len(raw) < 10_000
    assert "elements of XML; the limit is 500,000; split it" in said(raw, "a.docx")


@pytest.mark.parametrize(("most", "limit"), [("MAX_ELEMENTS", 2_000), ("MAX_UNPACKED", 30_000)])
def test_b4_notes_of_a_word_document_do_not_multiply(
    most: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note that is referred to again and again counts each time, and there is a limit."""
    monkeypatch.setattr(word, most, limit)
    note = f'<w:footnote w:id="1"><w:p><w:r><w:t>{"a" * 100}</w:t></w:r></w:p></w:footnote>'
    notes = {"word/footnotes.xml": f"<w:footnotes {W}>{note}</w:footnotes>"}
    referring = '<w:p><w:footnoteReference w:id="1"/></w:p>'
    assert "its notes" in said(docx(referring * 600, notes), "a.docx")
    assert isinstance(parse(docx(RUN + referring, notes), path="a.docx"), ParsedDocument)


def test_b4_fields_of_a_word_document_are_not_opened_without_end() -> None:
    """Fields that are opened and never closed are refused; any number may follow each other."""
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{each}"/></w:r>' for each in ("begin", "end"))
    assert "more than 100 fields at once" in said(docx(f"<w:p>{begin * 101}{RUN}</w:p>"), "a.docx")
    followed = docx(f"<w:p>{(begin + end) * 101}{RUN}</w:p>")
    assert isinstance(parse(followed, path="a.docx"), ParsedDocument)


def test_b4_hidden_runs_are_taken_out_in_one_pass() -> None:
    """A paragraph of hidden text is read in time that grows with its length."""
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr></w:r>"

    def hide(size: int) -> None:
        body = f"<w:p {W}>{'<w:r/>' * size}{hidden * size}</w:p>"
        word._hide({"word/document.xml": ET.fromstring(body)})  # noqa: S314  our own

    assert ratio(hide, 5_000) < 9


def test_b4_titles_and_headings_have_a_length() -> None:
    """A title or heading without end is cut, and no passage repeats it; the title is warned of."""
    title, heading = "long " * 1_000, "deep " * 1_000
    result = parse(f"# {title}\n\n## {heading}\n\n{'Text. ' * 2_000}".encode(), path="a.md")
    assert isinstance(result, ParsedDocument)
    assert len(result.document.title) == MAX_PARTICULAR_CHARS
    assert "a.md: its title has 4,999 characters; the first 500 are kept" in result.warnings
    assert all(len(passage.section) <= chunks.MAX_HEADING_CHARS + 1 for passage in result.passages)


@pytest.mark.parametrize("kind", [AnswerType.MONEY, AnswerType.DURATION])
@pytest.mark.parametrize("piece", ["1", "1,", "1 "])
def test_b4_figures_without_end_hold_no_answer_up(kind: AnswerType, piece: str) -> None:
    """A document of nothing but digits is looked through in time that grows with its length."""
    assert ratio(lambda size: holds(piece * size, kind), 2_000) < 9


def test_b4_the_longest_question_is_one_that_is_read_in_time() -> None:
    """max_question_chars cannot be set beyond what the forms of questions are made for."""
    for allowed in (MOST_QUESTION_CHARS, MOST_QUESTION_CHARS + 1):
        environ = {"ELYSIA_GUARD_MAX_QUESTION_CHARS": str(allowed)}
        if allowed == MOST_QUESTION_CHARS:
            assert load(environ=environ).max_question_chars == allowed
            continue
        with pytest.raises(ConfigError, match="max_question_chars"):
            load(environ=environ)


@pytest.mark.parametrize(
    "piece", ["how much ", "what do ", "what does it ", "wie keurde ", "wie keurden keurden "]
)
def test_b4_a_question_that_begins_again_and_again_is_read_in_one_pass(piece: str) -> None:
    """What a question asks for is found in time that grows with its length."""
    assert ratio(lambda size: asked_for.__wrapped__(piece * (size // len(piece))), 2_000) < 9


@pytest.mark.parametrize(
    ("lang", "piece"),
    [("en", "what do again "), ("nl", "wat bedoelt nu "), ("de", "was meint denn "),
     ("en", "what is really "), ("en", "could you please "), ("en", "the term ")],
)  # fmt: skip
def test_b4_forms_are_tried_in_time_that_grows_with_their_length(lang: str, piece: str) -> None:
    """A question that repeats its words without end is read like any other."""
    assert ratio(lambda size: read_template(piece * (size // len(piece)), lang), 1_000) < 9


def test_b4_a_page_declares_its_encoding_in_one_pass() -> None:
    """What a page says of its encoding is found in time that grows with its length."""
    page = b"<meta " * 16 + b"a charset="
    assert ratio(lambda size: web_page._DECLARED.search(page + b" " * size), 2_000) < 9
    found = web_page._DECLARED.search(b"<META http-equiv=a content='text/html; charset = cp1252'>")
    assert found is not None
    assert found[1] == b"cp1252"


def test_b4_words_without_end_are_indexed_in_one_pass() -> None:
    """A word without end, beside one with an apostrophe, is read in time that grows with it."""
    assert ratio(lambda size: text_words("a" * size + " don't"), 4_000) < 9
    assert text_words("Don't ask o'clock's")[1] == ["don't", "o'clock's"]


@pytest.mark.parametrize("piece", ["a-", "a://", "sk-", "basic "])
def test_b4_logs_are_rid_of_secrets_in_one_pass(piece: str) -> None:
    """A log line without end is rid of its secrets in time that grows with its length."""
    redact = redactor()
    assert ratio(lambda size: redact(piece * size + " https://me:pw@a.example"), 2_000) < 9
    assert redact(f"{'long-' * 30}scheme://me:pw@a.example").endswith("scheme://***@a.example")


def test_b4_a_file_of_settings_has_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .env file is looked through in one pass, and not at all where it is too large."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / ".env"
    file.write_text("\n" * 50 + "A_MODEL=x\nexport B_MODEL=y\nC_MODEL=\n")
    assert {"A_MODEL", "B_MODEL"} <= doctor_surroundings._known()
    assert "C_MODEL" not in doctor_surroundings._known()
    assert ratio(lambda size: doctor_surroundings._ASSIGNED.findall("\n" * size), 4_000) < 9
    monkeypatch.setattr(doctor_surroundings, "MAX_BYTES", 20)
    assert "A_MODEL" not in doctor_surroundings._known()


def test_b4_sentences_that_never_end_are_cut_in_one_pass() -> None:
    """A text of nothing but numbers with full stops is cut in time that grows with its length."""
    assert ratio(lambda size: sentences("x " + "1. " * size, "en"), 2_000) < 9
