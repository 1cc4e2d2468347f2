"""Reading folders of Markdown: who a document is, what its sections say, how it is cut."""

from elysia_guard.adapters.documents.chunks import embedding_text
from elysia_guard.adapters.documents.reader import ParsedDocument, Skipped, read_folder

__all__ = ["ParsedDocument", "Skipped", "embedding_text", "read_folder"]
