"""The real pipeline over documents, with a toy embedder: lists and references need no model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from elysia_guard.direct import Guard
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

KNOWLEDGE = Path(__file__).parents[1] / "data" / "knowledge"


@contextmanager
def shipped_guard(index: Path, folder: Path = KNOWLEDGE) -> Iterator[Guard]:
    """Yield a guard over an index of its own, filled from a folder; closed at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Wiring, "embedder", HashEmbedder())
        wiring = Wiring.load(index=index)
        run_anywhere(wiring.fill_index([folder]))
        yield Guard(wiring=wiring)
        wiring.close()
