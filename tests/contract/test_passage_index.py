"""Every passage index does the same: the embedded one and the fake."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from tests.contract.index_contract import PassageIndexContract

from elysia_guard.adapters.sqlite_index import SqliteIndex, writing
from elysia_guard.domain.document import Passage
from elysia_guard.ports import PassageIndex, Vector
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder


class TestFakeIndex(PassageIndexContract):
    """The index in memory."""

    def make(
        self, passages: Sequence[Passage], vectors: Sequence[Vector], embedder: HashEmbedder
    ) -> PassageIndex:
        by_id = {passage.id: vector for passage, vector in zip(passages, vectors, strict=True)}
        return FakeIndex(passages, by_id, model_id=embedder.model_id, dimension=embedder.dimension)


class TestSqliteIndex(PassageIndexContract):
    """The embedded index."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> Iterator[None]:
        self.path = tmp_path / "index.sqlite"
        self.opened: list[SqliteIndex] = []
        yield
        for index in self.opened:
            index.close()

    def make(
        self, passages: Sequence[Passage], vectors: Sequence[Vector], embedder: HashEmbedder
    ) -> PassageIndex:
        pairs = list(zip(passages, vectors, strict=True))
        with writing(self.path, model_id=embedder.model_id, dimension=embedder.dimension) as writer:
            for document, group in groupby(pairs, key=lambda pair: pair[0].document):
                asyncio.run(writer.put(document, *zip(*group, strict=True)))
        self.opened.append(SqliteIndex.open(self.path, model_id=embedder.model_id, dimension=64))
        return self.opened[-1]
