"""An embedder whose requests run in a loop of its own, for callers in any loop."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.domain.document import DocumentKind
from elysia_guard.ports import Embedder, Vector


class FromAnyLoop:
    """Embeds over there, for whoever asks: Elysia opens a loop for a question."""

    def __init__(self, embedder: Embedder, loop: BackgroundLoop) -> None:
        """Wrap an embedder that no other loop uses."""
        self._embedder = embedder
        self._loop = loop

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self._loop.arun(self._embedder.embed(texts))

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        return await self._loop.arun(self._embedder.embed_question(text, kinds=kinds))
