"""DOCX: what Word shows is read; what is deleted, hidden or a comment is not."""

from __future__ import annotations

import io
import zipfile
from functools import partial

import pytest
from tests.unit import reading
from tests.unit.made_files import W, docx, paragraph

from elysia_guard.adapters.documents.word import MAX_UNPACKED

CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
    'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Rules</dc:title>'
    "<dc:creator>Ada</dc:creator><dcterms:created>2026-03-12T09:00:00Z</dcterms:created>"
    "<dc:language>nl-NL</dc:language></cp:coreProperties>"
)
CUSTOM = (
    '<Properties xmlns="x" xmlns:vt="y"><property name="Identifier"><vt:lpwstr>POL-0007</vt:lpwstr>'
    '</property><property name="Superseded by"><vt:lpwstr>POL-0009</vt:lpwstr></property>'
    "</Properties>"
)
TABLE = (
    "<w:tbl>"
    + "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>"
        for row in (("Kind", "Period"), ("Daily", "7 years"), ("Codes", ""))
    )
    + "</w:tbl>"
)


read = partial(reading.read, path="rules.docx")
reason = partial(reading.reason, path="rules.docx")


def test_structure() -> None:
    """Title, headings in Word's own styles whatever their names, tables; no table of contents."""
    body = (
        paragraph("ADR-0012: Use CIM", "Titel")
        + paragraph("Scope ... 1", "Inhopg1")
        + paragraph("1 Decision", "Kop1")
        + paragraph("We use CIM.")
        + paragraph("Scope", "Kop2")
        + TABLE
        + paragraph("Consequences", "Kop1")
        + paragraph("Good.")
    )
    parsed = read(docx(body))
    assert [(p.section, p.role, p.text) for p in parsed.passages] == [
        ("1 Decision", "substance", "We use CIM."),
        ("1 Decision > Scope", "substance", "- Kind: Daily; Period: 7 years.\n- Kind: Codes."),
        ("Consequences", "consequences", "Good."),
    ]
    assert (parsed.document.id, parsed.document.title) == ("ADR-0012", "Use CIM")


@pytest.mark.parametrize(
    "body",
    [
        paragraph("SECRET", run="<w:vanish/>"),
        paragraph("SECRET", run='<w:rStyle w:val="Secret"/>'),
        paragraph("SECRET", "Kop1", run='<w:vanish w:val="1"/>'),
        "<w:p><w:del><w:r><w:delText>SECRET</w:delText></w:r></w:del></w:p>",
        "<w:p><w:del><w:r><w:t>SECRET</w:t></w:r></w:del></w:p>",
    ],
)
def test_hidden_and_deleted_text_is_no_evidence(body: str) -> None:
    """It is not on the page that people approved."""
    parsed = read(docx(paragraph("Shown.") + body))
    assert [p.text for p in parsed.passages] == ["Shown."]


def test_inserted_text_is_evidence() -> None:
    """A tracked insertion, a content control, and what is marked as not hidden."""
    body = (
        f"<w:p><w:ins><w:r><w:t>New. </w:t></w:r></w:ins></w:p><w:sdt><w:sdtContent>"
        f"{paragraph('Field.')}</w:sdtContent></w:sdt>"
        f"{paragraph('Seen.', run='<w:vanish w:val=' + chr(34) + '0' + chr(34) + '/>')}"
    )
    assert read(docx(body)).passages[0].text == "New.\n\nField.\n\nSeen."


def test_comments_headers_and_pictures_are_not_read() -> None:
    """They are no part of the text."""
    comment = f"<w:comment>{paragraph('SECRET')}</w:comment>"
    parts = {
        "word/comments.xml": f"<w:comments {W}>{comment}</w:comments>",
        "word/header1.xml": f"<w:hdr {W}>{paragraph('SECRET')}</w:hdr>",
        "word/media/image1.png": "SECRET",
    }
    assert read(docx(paragraph("Shown."), parts)).passages[0].text == "Shown."


def test_properties() -> None:
    """Custom properties count like front matter, core properties fill what is left open."""
    body = paragraph("Wij bewaren de meterstanden.")
    parsed = read(docx(body, {"docProps/core.xml": CORE, "docProps/custom.xml": CUSTOM}))
    document = parsed.document
    assert (document.id, document.title, document.owner) == ("POL-0007", "Rules", "Ada")
    assert (document.date, document.lang) == ("2026-03-12", "nl")
    assert document.superseded_by == "POL-0009"
    assert [claim.source for claim in parsed.claims] == ["front matter"]


def bomb() -> bytes:
    """A few kilobytes that unpack to more than is read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "")
        with archive.open("word/document.xml", "w") as part:
            for _ in range(MAX_UNPACKED // 1_000_000 + 1):
                part.write(b" " * 1_000_000)
    return packed.getvalue()


def a_zip(**parts: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "an old (.doc) or password-protected"),
        (b"no zip at all", "damaged: File is not a zip file"),
        (docx(paragraph("x"))[:300], "damaged: File is not a zip file"),
        (a_zip(a="b"), "no Word document"),
        (bomb(), "unpacks to 61,000,000 bytes; the limit is 60,000,000"),
        (docx("<w:p>"), "damaged: word/document.xml: mismatched tag"),
        (
            docx("", {"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}),
            "damaged: word/document.xml defines entities",
        ),
        (docx(""), "empty"),
        (docx(paragraph("x", run="<w:vanish/>")), "empty"),
        (docx("<w:tbl><w:tr><w:tc>" * 2_000 + "</w:tc></w:tr></w:tbl>" * 2_000), "damaged: Recurs"),
    ],
    ids=["doc", "text", "cut", "zip", "bomb", "xml", "entities", "empty", "hidden", "deep"],
)
def test_bad_files_get_a_reason(raw: bytes, said: str) -> None:
    """Never a traceback."""
    assert reason(raw).startswith(said)


def test_damage_anywhere_gets_a_reason() -> None:
    """Whatever bytes are wrong, the file is read or skipped by name."""
    whole = docx(
        paragraph("Title", "Titel") + paragraph("Text.") + TABLE, {"docProps/core.xml": CORE}
    )
    assert reading.read_or_skipped(whole, "x.docx")
