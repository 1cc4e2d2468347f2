"""Every origin does the same: today the files of documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.origins_contract import OriginsContract, Source

from elysia_guard.adapters.documents import ParsedDocument, read_folder
from elysia_guard.adapters.origins import DocumentFiles, IndexOrigins, LiveVocabulary
from elysia_guard.ports import Origins

TEXT = "# ADR-0027: Encrypt\n\n## Decision outcome\n\n{}\n"


class TestDocumentFiles(OriginsContract):
    """The files that were ingested."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "decisions"
        self.folder.mkdir()

    def make(self) -> Origins:
        return IndexOrigins(DocumentFiles(within_s=5), LiveVocabulary())

    def source(self) -> Source:
        file = self.folder / "0027-encrypt.md"

        def write(sentence: str) -> None:
            file.write_text(TEXT.format(sentence), encoding="utf-8")

        write("One sentence.")
        (read,) = read_folder([self.folder])
        assert isinstance(read, ParsedDocument)
        return Source(document=read.document, write=write, remove=file.unlink)
