"""PDF: headings by their type, paragraphs, lists and ruled tables, each with its page."""

from __future__ import annotations

import io
import logging
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from elysia_guard.adapters.documents.content import (
    Block,
    Content,
    Item,
    UnreadableError,
    outlined,
)
from elysia_guard.adapters.documents.properties import said

if TYPE_CHECKING:
    from pdfminer.pdfdocument import PDFDocument

    from elysia_guard.adapters.documents.pdf_page import Found

MAX_PAGES = 2_000
MAX_UNPACKED = 300_000_000
"""Bytes that its streams may unpack to."""
_STREAM = re.compile(rb"stream\r?\n")
_END = re.compile(rb"endstream")
_ZLIB = re.compile(rb"[\x08-\x78][\x01\x5e\x9c\xda]")
_UNKNOWN = re.compile(r"\(cid:\d+\)")


def read(raw: bytes, *, name: str) -> Content:  # noqa: ARG001  every reader takes a name
    """Read a PDF that holds its text as text.

    Raises:
        UnreadableError: it is damaged, wants a password, unpacks to too much, or is a scan.
    """
    from elysia_guard.adapters.documents.pdf_text import items_of

    if b"%PDF-" not in raw[:1_024]:
        raise UnreadableError("damaged: it does not begin like a PDF")
    _check_streams(raw)
    try:
        document = _opened(raw)
        properties = dict(_properties(document))
        pages = list(_pages(document))
    except UnreadableError:
        raise
    except Exception as err:  # what damage makes of a parser cannot be foreseen
        reason = f"{type(err).__name__}: {err}"[:120].rstrip(": ")
        raise UnreadableError(f"damaged: {reason}") from err
    found = [item for page in pages for item in page]
    if not found:
        raise UnreadableError("a PDF without text (a scan?); recognise its text first (OCR)")
    items = items_of(pages)
    _check_letters(items)
    front, noted = said(properties)
    heading, sections = outlined(items, title=noted.get("title", ""))
    return Content(heading=heading, sections=sections, front=front, properties=noted)


def _check_streams(raw: bytes) -> None:
    """Unpack what is packed, as far as the limit: the parser itself knows none."""
    left = MAX_UNPACKED
    ends = [found.start() for found in _END.finditer(raw)]
    for found in _STREAM.finditer(raw):
        start = found.end()
        at = bisect_left(ends, start)
        packed: bytes | memoryview = memoryview(raw)[start : ends[at] if at < len(ends) else None]
        while _ZLIB.match(packed):
            unpacker = zlib.decompressobj()
            try:
                packed = unpacker.decompress(packed, left)
            except zlib.error:
                break
            left -= len(packed)
            if left <= 0:
                reason = f"unpacks to more than {MAX_UNPACKED:,} bytes; print it to a new PDF"
                raise UnreadableError(reason)


def _opened(raw: bytes) -> PDFDocument:
    from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect
    from pdfminer.pdfparser import PDFParser

    from elysia_guard.adapters.documents.pdf_limits import check_objects

    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    try:
        document = PDFDocument(PDFParser(io.BytesIO(raw)))
    except PDFPasswordIncorrect as err:
        raise UnreadableError("encrypted; save it without a password") from err
    check_objects(document)
    return document


def _pages(document: PDFDocument) -> Iterator[list[Found]]:
    from pdfminer.pdfpage import PDFPage

    from elysia_guard.adapters.documents.pdf_limits import Device, Interpreter, Resources
    from elysia_guard.adapters.documents.pdf_page import read_page

    resources = Resources()
    device = Device(resources)
    interpreter = Interpreter(resources, device)
    for number, page in enumerate(PDFPage.create_pages(document), start=1):
        if number > MAX_PAGES:
            raise UnreadableError(f"more than {MAX_PAGES:,} pages")
        interpreter.process_page(page)
        yield read_page(device.get_result(), number)


def _properties(document: PDFDocument) -> Iterator[tuple[str, str]]:
    from pdfminer.pdftypes import resolve1
    from pdfminer.utils import decode_text

    for info in document.info:
        for key, value in info.items():
            text = resolve1(value)
            if isinstance(text, bytes):
                yield key, decode_text(text)
    lang = resolve1(document.catalog.get("Lang"))
    if isinstance(lang, bytes):
        yield "lang", decode_text(lang)


def _check_letters(items: Iterable[Item]) -> None:
    """Refuse a text whose fonts do not say which letters they draw."""
    text = "".join(item.text if isinstance(item, Block) else item[1] for item in items)
    unknown = sum(len(match) for match in _UNKNOWN.findall(text)) + text.count("\ufffd")
    if unknown > 0.2 * len(text):
        raise UnreadableError("its fonts do not say which letters they draw; print it to a new PDF")
