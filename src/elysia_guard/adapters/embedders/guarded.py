"""An embedder behind a circuit breaker."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from elysia_guard.adapters.embedders.errors import TextRefusedError
from elysia_guard.domain.document import DocumentKind
from elysia_guard.ports import Embedder, Vector
from elysia_guard.resilience.breaker import Breaker

Result = TypeVar("Result")


class GuardedEmbedder:
    """Leaves a model alone while its breaker is open.

    A server that turns a text down is well: nobody opens the breaker for all by asking what is
    too long for the model.
    """

    def __init__(self, embedder: Embedder, breaker: Breaker) -> None:
        """Wrap an embedder; every call passes the breaker."""
        self._embedder = embedder
        self._breaker = breaker

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self._attempt(self._embedder.embed(texts))

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        return await self._attempt(self._embedder.embed_question(text, kinds=kinds))

    async def _attempt(self, work: Coroutine[Any, Any, Result]) -> Result:
        try:
            with self._breaker.attempt():
                try:
                    return await work
                except TextRefusedError as err:
                    refused = err
        finally:
            work.close()
        raise refused
