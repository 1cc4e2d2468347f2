"""Reading folders of documents: who a document is, what its sections say, how it is cut."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elysia_guard.adapters.documents.chunks import embedding_text, sentence_texts
    from elysia_guard.adapters.documents.content import ParsedDocument, Skipped
    from elysia_guard.adapters.documents.formats import ContentCache
    from elysia_guard.adapters.documents.joining import linked
    from elysia_guard.adapters.documents.reader import read_files, read_folder

# A question needs none of them, where no document has changed.
_HOMES = {
    "ContentCache": "formats",
    "ParsedDocument": "content",
    "Skipped": "content",
    "embedding_text": "chunks",
    "linked": "joining",
    "read_files": "reader",
    "read_folder": "reader",
    "sentence_texts": "chunks",
}

__all__ = [
    "ContentCache",
    "ParsedDocument",
    "Skipped",
    "embedding_text",
    "linked",
    "read_files",
    "read_folder",
    "sentence_texts",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
