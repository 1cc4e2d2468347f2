"""Word documents (DOCX): checked, rid of hidden text, and read through HTML."""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from xml.etree import ElementTree as ET

import mammoth

from elysia_guard.adapters.documents import web_page
from elysia_guard.adapters.documents.content import Content, UnreadableError
from elysia_guard.adapters.documents.particulars import said

_MAX_PARTS = 5_000
MAX_UNPACKED = 60_000_000
"""Bytes of XML that a document may unpack to; a book of 1,000 pages has some 15 million."""
MAX_ELEMENTS = 500_000
"""Of that XML: each takes its time; a book of 1,000 pages has some 300,000."""
MAX_FIELDS = 100
"""That are open at once: each piece of text is held against all of them."""
_REFERENCES = ("footnoteReference", "endnoteReference")

_DOCUMENT = "word/document.xml"
# What the text is made of; comments, headers, pictures and fonts are not.
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|word/_rels/(?:document|footnotes|endnotes)\.xml\.rels"
    r"|word/(?:document|styles|numbering|footnotes|endnotes)\.xml|docProps/(?:core|custom)\.xml"
)
# What zipfile raises where bytes are wrong; RuntimeError also where it wants a password.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error,
    EOFError, OSError, ValueError, RuntimeError,
)  # fmt: skip
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STYLES = """
p[style-name='Title'] => h1.document-title:fresh
p[style-name='title'] => h1.document-title:fresh
p[style-name='heading 7'] => h6:fresh
p[style-name^='toc'] => !
p[style-name^='TOC'] => !
p[style-name^='Contents'] => !
p[style-name='table of figures'] => !
"""


def read(raw: bytes, *, name: str) -> Content:  # noqa: ARG001  every reader takes a name
    """Read a document: tracked deletions, comments, headers and hidden text are left out.

    Raises:
        UnreadableError: it is no DOCX, is damaged or protected, or comes to too much.
    """
    parts = _parts(raw)
    check_elements(parts)
    trees = {part: _tree(part, xml) for part, xml in parts.items()}
    check_contents(trees)
    _hide(trees)
    front, noted = said(dict(_properties(trees)))
    content = web_page.read_text(_html(trees), title=noted.get("title", ""))
    return replace(content, front=front, properties=noted)


def _parts(raw: bytes) -> dict[str, bytes]:
    if raw.startswith(_OLE):
        raise UnreadableError(
            "an old (.doc) or password-protected Word file; save it as .docx without a password"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            wanted = [part for part in archive.infolist() if _PARTS.fullmatch(part.filename)]
            _check(archive, wanted)
            return {part.filename: archive.read(part) for part in wanted}
    except _DAMAGE as err:
        raise UnreadableError(f"damaged: {err}") from err


def _check(archive: zipfile.ZipFile, wanted: list[zipfile.ZipInfo]) -> None:
    names = [part.filename for part in wanted]
    if _DOCUMENT not in names or "[Content_Types].xml" not in names:
        raise UnreadableError("no Word document: a zip file without word/document.xml")
    if len(archive.infolist()) > _MAX_PARTS or len(set(names)) < len(names):
        raise UnreadableError("damaged: too many parts, or a part that is there twice")
    unpacked = sum(part.file_size for part in wanted)
    if unpacked > MAX_UNPACKED:
        raise UnreadableError(f"unpacks to {unpacked:,} bytes; the limit is {MAX_UNPACKED:,}")


def _tree(part: str, xml: bytes) -> ET.Element:
    # Office's XML has no document type; one would be there to define entities.
    if b"<!DOCTYPE" in xml.replace(b"\0", b""):
        raise UnreadableError(f"damaged: {part} defines entities")
    try:
        return ET.fromstring(xml)  # noqa: S314  without entities there is no attack
    except (ET.ParseError, RecursionError, ValueError) as err:
        raise UnreadableError(f"damaged: {part}: {err}") from err


def check_elements(parts: Mapping[str, bytes]) -> None:
    """Refuse XML of more elements than are read in a minute.

    Raises:
        UnreadableError: there are more than the limit.
    """
    _hold("elements of XML", sum(xml.count(b"<") - xml.count(b"</") for xml in parts.values()))


def check_contents(trees: Mapping[str, ET.Element]) -> None:
    """Refuse notes that multiply, and fields that are opened and not closed.

    Raises:
        UnreadableError: there is more than the limit.
    """
    elements = [element for tree in trees.values() for element in tree.iter()]
    _check_fields(elements)
    _check_notes(elements)


def _check_fields(elements: list[ET.Element]) -> None:
    count = 0
    for element in elements:
        if _local(element) == "fldChar":
            count += {"begin": 1, "end": -1}.get(_attribute(element, "fldCharType"), 0)
            if count > MAX_FIELDS:
                raise UnreadableError(f"opens more than {MAX_FIELDS} fields at once; save it anew")


def _check_notes(elements: list[ET.Element]) -> None:
    """Count a note each time that it is referred to: so often it is written out."""
    referred = Counter(_attribute(each, "id") for each in elements if _local(each) in _REFERENCES)
    notes = [each for each in elements if _local(each) in ("footnote", "endnote")]
    often = [referred[_attribute(note, "id")] for note in notes]
    sizes = [sum(1 for _ in note.iter()) for note in notes]
    lengths = [sum(map(len, note.itertext())) for note in notes]
    _hold("elements in its notes", sum(a * b for a, b in zip(often, sizes, strict=True)))
    if sum(a * b for a, b in zip(often, lengths, strict=True)) > MAX_UNPACKED:
        raise UnreadableError(f"its notes come to more than {MAX_UNPACKED:,} letters; split it")


def _hold(what: str, count: int) -> None:
    if count > MAX_ELEMENTS:
        raise UnreadableError(f"has {count:,} {what}; the limit is {MAX_ELEMENTS:,}; split it")


def _hide(trees: Mapping[str, ET.Element]) -> None:
    """Take runs out that Word does not show."""
    hiding = {
        _attribute(style, "styleId")
        for style in _descendants(trees.get("word/styles.xml"), "style")
        if any(_is_on(mark) for mark in _descendants(style, "vanish"))
    }
    for part in (_DOCUMENT, "word/footnotes.xml", "word/endnotes.xml"):
        for parent in list(_descendants(trees.get(part))):
            # All at once: each removal by itself would look through those before it.
            parent[:] = [child for child in parent if not _is_hidden(child, hiding)]


def _is_hidden(element: ET.Element, hiding: set[str]) -> bool:
    properties = next((child for child in element if _local(child) == "rPr"), None)
    if _local(element) != "r" or properties is None:
        return False
    for mark in properties:
        if _local(mark) in ("vanish", "webHidden"):
            return _is_on(mark)
    return any(
        _local(mark) == "rStyle" and _attribute(mark, "val") in hiding for mark in properties
    )


def _html(trees: Mapping[str, ET.Element]) -> str:
    try:
        html: str = mammoth.convert_to_html(
            _packed(trees),
            style_map=_STYLES,
            include_embedded_style_map=False,
            convert_image=mammoth.images.img_element(lambda _image: {}),
        ).value
    except MemoryError:
        raise
    except Exception as err:  # what damage makes of a parser cannot be foreseen
        raise UnreadableError(f"damaged: {type(err).__name__}: {err}") from err
    return html


def _packed(trees: Mapping[str, ET.Element]) -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part, tree in trees.items():
            archive.writestr(part, ET.tostring(tree, encoding="utf-8"))
    packed.seek(0)
    return packed


def _properties(trees: Mapping[str, ET.Element]) -> Iterator[tuple[str, str]]:
    """Yield what Word notes (core properties), then what the writer has set (custom ones)."""
    for item in trees.get("docProps/core.xml", ()):
        yield _local(item), item.text or ""
    for item in _descendants(trees.get("docProps/custom.xml"), "property"):
        yield item.get("name", ""), "".join(item.itertext())


def _descendants(tree: ET.Element | None, name: str | None = None) -> Iterator[ET.Element]:
    for element in tree.iter() if tree is not None else ():
        if name is None or _local(element) == name:
            yield element


def _local(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _attribute(element: ET.Element, name: str) -> str:
    found = (value for key, value in element.attrib.items() if key.rpartition("}")[2] == name)
    return next(found, "")


def _is_on(mark: ET.Element) -> bool:
    return _attribute(mark, "val").lower() not in ("0", "false", "off")
