"""Ollama's ``/api/embed``."""

from __future__ import annotations

from elysia_guard.adapters.embedders.server import Dialect


def _rows(answer: object) -> object:
    return answer.get("embeddings") if isinstance(answer, dict) else None


OLLAMA = Dialect(
    name="Ollama",
    root="/api",
    path="/embed",
    # Its own default, said because a text cut short is worth more than none.
    options={"truncate": True},
    rows=_rows,
)
