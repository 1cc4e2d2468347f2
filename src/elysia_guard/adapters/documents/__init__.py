"""Reading folders of documents: who a document is, what its sections say, how it is cut."""

from elysia_guard.adapters.documents.chunks import embedding_text
from elysia_guard.adapters.documents.memory import Memory
from elysia_guard.adapters.documents.parsed import ParsedDocument, Skipped
from elysia_guard.adapters.documents.reader import read_files, read_folder
from elysia_guard.adapters.documents.register import linked
from elysia_guard.adapters.documents.sentence_texts import sentence_texts

__all__ = [
    "Memory",
    "ParsedDocument",
    "Skipped",
    "embedding_text",
    "linked",
    "read_files",
    "read_folder",
    "sentence_texts",
]
