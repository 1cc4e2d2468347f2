"""PDF: headings by their type, paragraphs, lists and ruled tables, each with its page."""

from __future__ import annotations

import io
import logging
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pdfminer.cmapdb import CMapParser, FileUnicodeMap
from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LTChar, LTPage
from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect
from pdfminer.pdffont import PDFFont
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFStream, resolve1, stream_value
from pdfminer.utils import decode_text

from elysia_guard.adapters.documents.content import (
    Content,
    ContentBlock,
    Item,
    UnreadableError,
    outlined,
)
from elysia_guard.adapters.documents.particulars import said
from elysia_guard.adapters.documents.pdf_page import Found, read_page
from elysia_guard.adapters.documents.pdf_text import items_of

MAX_PAGES = 2_000
MAX_UNPACKED = 300_000_000
"""Bytes that its streams may unpack to."""
MAX_OBJECTS = 1_000_000
MAX_CONTENT = 50_000_000
"""Bytes of drawing operators; what a form is drawn with counts each time it is drawn."""
MAX_LETTERS = 100_000
"""Of one page: a dense page has 10,000."""
MAX_LAYERS = 20
"""How often the letters of a page may cover it: each must be held against those it lies on."""
MAX_FORMS = 10_000
MAX_CODES = 1_000_000
"""Letters that a font may name."""
_HIGHEST_CODE = 65_535
_FEW = 200
"""Letters of a page that may be as large as they like."""
_STREAM = re.compile(rb"stream\r?\n")
_END = re.compile(rb"endstream")
_ZLIB = re.compile(rb"[\x08-\x78][\x01\x5e\x9c\xda]")
_UNKNOWN = re.compile(r"\(cid:\d+\)")


def read(raw: bytes, *, name: str) -> Content:  # noqa: ARG001  every reader takes a name
    """Read a PDF that holds its text as text.

    Raises:
        UnreadableError: it is damaged, wants a password, unpacks to too much, or is a scan.
    """
    if b"%PDF-" not in raw[:1_024]:
        raise UnreadableError("damaged: it does not begin like a PDF")
    _check_streams(raw)
    try:
        document = _opened(raw)
        properties = dict(_properties(document))
        pages = list(_pages(document))
    except (UnreadableError, MemoryError):
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
    return outlined(items, title=noted.get("title", ""), front=front, properties=noted)


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

    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    try:
        document = PDFDocument(PDFParser(io.BytesIO(raw)))
    except PDFPasswordIncorrect as err:
        raise UnreadableError("encrypted; save it without a password") from err
    check_objects(document)
    return document


def _pages(document: PDFDocument) -> Iterator[list[Found]]:

    resources = Resources()
    device = Device(resources)
    interpreter = Interpreter(resources, device)
    for number, page in enumerate(PDFPage.create_pages(document), start=1):
        if number > MAX_PAGES:
            raise UnreadableError(f"more than {MAX_PAGES:,} pages")
        interpreter.process_page(page)
        yield read_page(device.get_result(), number)


def _properties(document: PDFDocument) -> Iterator[tuple[str, str]]:
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
    text = "".join(item.text if isinstance(item, ContentBlock) else item[1] for item in items)
    unknown = sum(len(match) for match in _UNKNOWN.findall(text)) + text.count("\ufffd")
    if unknown > 0.2 * len(text):
        raise UnreadableError("its fonts do not say which letters they draw; print it to a new PDF")


def check_objects(document: PDFDocument) -> None:
    """Refuse a document whose list of objects is longer than any file.

    Raises:
        UnreadableError: it names more than the limit.
    """
    counts = (count for xref in document.xrefs for _, count in getattr(xref, "ranges", ()))
    if sum(counts) > MAX_OBJECTS:
        raise UnreadableError(f"names more than {MAX_OBJECTS:,} objects")


class Device(PDFPageAggregator):
    """Gathers what is drawn, as far as the limits."""

    def __init__(self, resources: PDFResourceManager) -> None:
        super().__init__(resources)
        self._forms = self._letters = self._content = 0
        self._area = 0.0

    def begin_page(self, page: Any, ctm: Any) -> None:
        """Begin a page: letters are counted by the page."""
        self._letters, self._area = 0, 0.0
        super().begin_page(page, ctm)

    def begin_figure(self, name: Any, bbox: Any, matrix: Any) -> None:
        """Begin a form."""
        self._forms += 1
        if self._forms > MAX_FORMS:
            raise UnreadableError(
                f"draws forms more than {MAX_FORMS:,} times; print it to a new PDF"
            )
        super().begin_figure(name, bbox, matrix)

    def render_char(self, *args: Any, **options: Any) -> float:
        """Draw a letter."""
        self._letters += 1
        if self._letters > MAX_LETTERS:
            raise UnreadableError(f"more than {MAX_LETTERS:,} letters on a page; split it")
        advance = super().render_char(*args, **options)
        self._lay()
        return advance

    def take(self, size: int) -> None:
        """Count drawing operators, in bytes.

        Raises:
            UnreadableError: there are more than the limit.
        """
        self._content += size
        if self._content > MAX_CONTENT:
            raise UnreadableError(
                f"draws with more than {MAX_CONTENT:,} bytes of operators; split it"
            )

    def _lay(self) -> None:
        """Count the area that the last letter covers on its page."""
        page = self._stack[0] if self._stack else self.cur_item
        letter = self.cur_item._objs[-1]  # noqa: SLF001  there is no other way to the last one
        if not (isinstance(page, LTPage) and isinstance(letter, LTChar)):
            return
        width = min(abs(letter.width), page.width)
        self._area += width * min(abs(letter.height), page.height)
        if self._letters > _FEW and self._area > MAX_LAYERS * page.width * page.height:
            raise UnreadableError(
                f"its letters cover a page more than {MAX_LAYERS} times; print it to a new PDF"
            )


class Interpreter(PDFPageInterpreter):
    """Runs drawing operators, and lets its device count them."""

    def execute(self, streams: Sequence[object]) -> None:
        """Run the operators of a page or form."""
        if isinstance(self.device, Device):
            for stream in streams:
                self.device.take(len(stream_value(stream).get_data()))
        super().execute(streams)


class Resources(PDFResourceManager):
    """Makes fonts, unless their tables have no end."""

    def get_font(self, objid: object, spec: Mapping[str, object]) -> PDFFont:
        """Make a font.

        Raises:
            UnreadableError: its tables name more letters than there are.
        """
        for key in ("W", "W2"):
            widths = resolve1(spec.get(key))
            numbers = widths if isinstance(widths, list) else []
            if any(isinstance(each, int) and each > _HIGHEST_CODE for each in numbers):
                raise UnreadableError("a font names letters that cannot be; print it to a new PDF")
        for key in ("ToUnicode", "Encoding"):
            stream = resolve1(spec.get(key))
            if isinstance(stream, PDFStream):
                CMapParser(_Counted(), io.BytesIO(stream.get_data())).run()
        return super().get_font(objid, spec)


class _Counted(FileUnicodeMap):
    """A font's table that is counted, not kept."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def add_cid2unichr(self, *_: object) -> None:
        """Count a letter."""
        self._count += 1
        if self._count > MAX_CODES:
            raise UnreadableError(
                f"a font names more than {MAX_CODES:,} letters; print it to a new PDF"
            )

    def add_code2cid(self, *_: object) -> None:
        """Count a code."""
        self.add_cid2unichr()
