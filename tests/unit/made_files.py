"""DOCX and PDF files, made of text for the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument"/></Relationships>'
)
_STYLES = (
    f"<w:styles {W}>"
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/></w:style>'
        for id_, name in (
            ("Titel", "Title"),
            ("Kop1", "heading 1"),
            ("Kop2", "heading 2"),
            ("Inhopg1", "toc 1"),
        )
    )
    + '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/>'
    "<w:rPr><w:vanish/></w:rPr></w:style></w:styles>"
)


def paragraph(text: str, style: str = "", run: str = "") -> str:
    """Write a paragraph of WordprocessingML; ``run`` are properties of its one run."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    marked = f"<w:rPr>{run}</w:rPr>" if run else ""
    return f"<w:p>{named}<w:r>{marked}<w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def docx(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """Make a Word document of a body; ``parts`` are added, or take the place of what there is."""
    made = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELATIONS,
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": _STYLES,
        "word/_rels/document.xml.rels": _RELATIONS.replace(
            "word/document.xml", "styles.xml"
        ).replace('/officeDocument"', '/styles"'),
        **(parts or {}),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in made.items():
            archive.writestr(name, text)
    return packed.getvalue()


@dataclass(frozen=True)
class Put:
    """A text at a place on a page, from the lower left, in points."""

    text: str
    y: float
    x: float = 72.0
    size: float = 11.0
    bold: bool = False


def pdf(*pages: Sequence[Put | str], info: str = "", trailer: str = "", catalog: str = "") -> bytes:
    """Make a PDF; a page is texts at places, and drawing operators as they are."""
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{catalog}>>",
        "",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
        f"<<{info}>>",
    ]
    kids = []
    for page in pages:
        content = "\n".join(item if isinstance(item, str) else _show(item) for item in page)
        length = len(content.encode("cp1252"))
        objects.append(f"<</Length {length}>>\nstream\n{content}\nendstream")
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]"
            f"/Contents {len(objects)} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    made = b"%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, start=1):
        places.append(len(made))
        made += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<</Size {size}/Root 1 0 R/Info 5 0 R{trailer}>>\n"
        f"startxref\n{len(made)}\n%%EOF\n"
    )
    return made + tail.encode()


def _show(put: Put) -> str:
    text = put.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F{2 if put.bold else 1} {put.size} Tf {put.x} {put.y} Td ({text}) Tj ET"


def rules(columns: Sequence[float], rows: Sequence[float]) -> str:
    """Draw the lines of a table."""
    upright = [f"{x} {rows[0]} m {x} {rows[-1]} l S" for x in columns]
    level = [f"{columns[0]} {y} m {columns[-1]} {y} l S" for y in rows]
    return "\n".join([*upright, *level])
