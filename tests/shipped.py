"""The real pipeline over documents, with a toy embedder: lists and references need no model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from elysia_guard import config as configuration
from elysia_guard.config import Config
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import GuardError
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


@cache
def shipped_index() -> Path:
    """Return the index of the checkout, since embedding takes long; a new one where it is old."""
    config = configuration.load(environ={})
    parts = Wiring(config)
    try:
        parts.ensure_index()
        parts.index  # noqa: B018 (opens it)
    except GuardError:
        return Path(mkdtemp()) / "index.sqlite"
    finally:
        parts.close()
    return config.index.path


def shipped_config() -> Config:
    """Return the settings that ship, over that index, which is there."""
    shipped = configuration.load(configuration.home() / "config" / "guard.yaml", environ={})
    index = shipped.index.model_copy(update={"path": shipped_index()})
    made = shipped.model_copy(update={"index": index, "log_level": "ERROR"})
    wiring = Wiring(made)
    wiring.ensure_index()
    wiring.close()
    return made
