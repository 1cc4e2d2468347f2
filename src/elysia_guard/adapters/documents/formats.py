"""Which formats are read, by which reader, up to which size."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath

from elysia_guard.adapters.documents.content import Content, UnreadableError

MAX_TEXT_BYTES = 2_000_000
MAX_BYTES = 50_000_000
"""Of a file that holds more than its text: fonts, pictures, scripts."""

_MODULES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "markdown",
    ".html": "web_page",
    ".htm": "web_page",
    ".xhtml": "web_page",
    ".docx": "word",
    ".pdf": "pdf",
}
_WAY_OUT = {
    ".doc": "save it as .docx",
    ".docm": "save it as .docx",
    ".dotx": "save it as .docx",
    ".odt": "save it as .docx or PDF",
    ".rtf": "save it as .docx or PDF",
    ".pages": "save it as .docx or PDF",
    ".epub": "save it as PDF or HTML",
    ".ppt": "save it as PDF",
    ".pptx": "save it as PDF",
    ".odp": "save it as PDF",
    ".rst": "save it as Markdown or HTML",
    ".adoc": "save it as Markdown or HTML",
    ".mht": "save it as HTML or PDF",
    ".mhtml": "save it as HTML or PDF",
}


def is_document(path: PurePath) -> bool:
    """Tell a file that is read, or of which the report says why it is not."""
    return path.suffix.lower() in _MODULES.keys() | _WAY_OUT.keys()


def takes_time(path: PurePath) -> bool:
    """Tell a file that is worth remembering."""
    return _MODULES.get(path.suffix.lower()) in ("pdf", "word")


def is_text(path: PurePath) -> bool:
    """Tell a file whose lines a person can count."""
    return _MODULES.get(path.suffix.lower()) == "markdown"


def max_bytes(path: PurePath) -> int:
    """Return how large a file may be."""
    return MAX_TEXT_BYTES if is_text(path) else MAX_BYTES


def read(raw: bytes, *, path: str) -> Content:
    """Read a file as its suffix says; the libraries are loaded with the first that needs them.

    Raises:
        UnreadableError: it is of a format that is not read, or holds no document.
        DocumentError: the front matter is not well-formed; names file and line.
    """
    suffix = PurePath(path).suffix.lower()
    if way_out := _WAY_OUT.get(suffix):
        raise UnreadableError(f"{suffix} files are not read; {way_out}")
    if not raw.strip():
        raise UnreadableError("empty")
    name = _MODULES.get(suffix, "markdown")
    reader: Callable[..., Content] = import_module(f"elysia_guard.adapters.documents.{name}").read
    return reader(raw, name=path)
