"""A register written for a test, asked through the whole pipeline; named ones need no model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.direct import Guard
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring


class Register:
    """Files by their path, ingested into an index of their own."""

    def __init__(self, home: Path, files: Mapping[str, str]) -> None:
        self.folder = home / "register"
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        index = home / "index.sqlite"
        self.report: IngestReport = run_anywhere(ingest([self.folder], index, HashEmbedder()))
        wiring = Wiring.load(index=index)
        # The bundled model is not asked: it would not know the test's vectors.
        wiring.__dict__["embedder"] = HashEmbedder()
        self.guard = Guard(wiring=wiring)

    def ask(self, question: str) -> RAGResponse:
        """Ask one question on the direct route."""
        return self.guard.ask(question)

    @property
    def documents(self) -> dict[str, Document]:
        """What the index holds, by id."""
        found = run_anywhere(self.guard.pipeline.index.documents(Filters(approval=None)))
        return {document.id: document for document in found}


def listed(response: RAGResponse) -> list[str]:
    """The documents of an answer, in order."""
    return [source.doc_id for source in response.sources]


def decision(title: str, *, status: str = "", date: str = "", body: str = "") -> str:
    """Write a decision with front matter."""
    front = "".join(
        f"{key}: {value}\n" for key, value in (("status", status), ("date", date)) if value
    )
    text = body or "We use it."
    return f"---\n{front}---\n# {title}\n\n## Decision\n\n{text}\n"


def nygard(number: int, title: str, status: str) -> str:
    """Write a decision as adr-tools does."""
    return (
        f"# {number}. {title}\n\nDate: 2024-03-0{number % 9 + 1}\n\n## Status\n\n{status}\n\n"
        f"## Context\n\nIt was time.\n\n## Decision\n\nWe do it: {title}.\n"
    )
