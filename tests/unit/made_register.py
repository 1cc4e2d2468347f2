"""A register asked through the whole pipeline, written for a test or kept in ``tests/data``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.tables import FOLDER

from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.direct import Guard
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring


def kept(name: str) -> dict[str, str]:
    """The files of a register of ``tests/data/registers``, by their path."""
    folder = FOLDER / "registers" / name
    files = sorted(folder.rglob("*.md"))
    return {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in files}


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


def check(reply: RAGResponse, row: dict[str, Any]) -> None:
    """Hold a reply against all that a row says of it."""
    quotes, checked = [source.quote for source in reply.sources], reply.validation
    found = {
        "listed": sorted(set(listed(reply))),
        "quote": next(iter(quotes), None),
        "quotes": quotes,
        "verified": bool(checked and checked.sources_verified == checked.sources_total),
        "warnings": [warning.type for warning in reply.warnings],
        "warned_first": any(
            reply.answer.startswith(f"⚠ {item.message}") for item in reply.warnings[:1]
        ),
        "refused": reply.refusal_reason,
    }
    wanted = {key: value for key, value in row.items() if key in found}
    assert {key: found[key] for key in wanted} == wanted
    assert [said for said in row.get("says", ()) if said not in reply.answer] == []


def decision(title: str, *, status: str = "", date: str = "", body: str = "") -> str:
    """Write a decision with front matter."""
    front = "".join(
        f"{key}: {value}\n" for key, value in (("status", status), ("date", date)) if value
    )
    text = body or "We use it."
    return f"---\n{front}---\n# {title}\n\n## Decision\n\n{text}\n"
