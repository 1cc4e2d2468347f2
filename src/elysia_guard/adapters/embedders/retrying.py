"""Patience, for an ingest: nobody waits for it as one waits for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from elysia_guard.adapters.embedders.errors import LastingError
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.ports import Embedder, Vector

PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0)


class Retrying:
    """Asks again for a batch of passages that failed, after longer and longer pauses.

    Questions are asked once, and what does not pass by itself is not asked for again.

    Args:
        embedder: is asked.
        batch_size: texts in a call, each with the embedder's whole deadline.
        pauses_s: before each new attempt.
        sleep: waits.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        batch_size: int = 32,
        pauses_s: Sequence[float] = PAUSES_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._embedder = embedder
        self._batch_size = batch_size
        self._pauses_s = pauses_s
        self._sleep = sleep

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), self._batch_size):
            vectors += await self._batch(texts[start : start + self._batch_size])
        return vectors

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        return await self._embedder.embed_question(text, kinds=kinds)

    async def _batch(self, texts: Sequence[str]) -> Sequence[Vector]:
        for pause_s in self._pauses_s:
            try:
                return await self._embedder.embed(texts)
            except LastingError:
                raise
            except SourceUnavailableError:
                await self._sleep(pause_s)
        return await self._embedder.embed(texts)
