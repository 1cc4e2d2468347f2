"""A model behind HTTP: what Ollama and the servers that speak as OpenAI does have in common."""

from __future__ import annotations

import time
from collections.abc import Coroutine, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from elysia_guard.adapters.embedders.errors import SOURCE
from elysia_guard.adapters.embedders.server import Dialect, ModelServer
from elysia_guard.adapters.embedders.vectors import unit_vectors
from elysia_guard.adapters.embedders.wire import Wire
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.ports import Clock, Vector
from elysia_guard.resilience.deadline import Deadline

BYTES_PER_NUMBER = 40
BYTES_BESIDE = 100_000

Result = TypeVar("Result")


class ServedEmbedder:
    """Embeds over HTTP, in batches, within one deadline a call; asks once.

    Belongs to the event loop in which it is first used; ``FromAnyLoop`` makes it everybody's.

    Args:
        server: is asked.
        dialect: of the server.
        timeout_s: for a whole call, with every request that it takes.
        clock: tells the time.
    """

    def __init__(
        self,
        server: ModelServer,
        dialect: Dialect,
        *,
        timeout_s: float,
        clock: Clock = time.monotonic,
    ) -> None:
        self._server = server
        self._convention = server.convention
        self._dialect = dialect
        self._timeout_s = timeout_s
        self._clock = clock
        address = server.url.rstrip("/").removesuffix(dialect.path).removesuffix(dialect.root)
        self._wire = Wire(f"{address}{dialect.root}", name=dialect.name, api_key=server.api_key)

    @property
    def model_id(self) -> str:
        """The model, who serves it, and the mark of its passages: other marks, other vectors."""
        mark = self._convention.passage_prefix.strip(" :")
        served = f"{self._server.model}@{self._dialect.name.lower()}"
        return f"{served}+{mark}" if mark else served

    @property
    def dimension(self) -> int:
        return self._server.dimension

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed passages, in order; all batches share the deadline.

        Raises:
            SourceTimeoutError: the server did not answer within the deadline.
            ModelServerError: it could not be asked, or sent no usable vectors.
        """
        marked = [self._prepared(self._convention.passage_prefix, text) for text in texts]
        return await self._in_time(self._vectors(marked))

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed a question; errors as for ``embed``."""
        marked = [self._prepared(self._convention.question_prefix, text)]
        (vector,) = await self._in_time(self._vectors(marked))
        return vector

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _prepared(self, prefix: str, text: str) -> str:
        """Mark a text, cut it to what the model takes, and leave out what UTF-8 cannot say."""
        longest = self._convention.max_chars
        kept = text[:longest] if longest else text
        return f"{prefix}{kept}".encode("utf-8", "replace").decode("utf-8")

    async def _in_time(self, work: Coroutine[Any, Any, Result]) -> Result:
        deadline = Deadline(
            self._timeout_s,
            late=lambda: SourceTimeoutError(
                f"{self._dialect.name} did not answer within {self._timeout_s:g} s", source=SOURCE
            ),
            clock=self._clock,
        )
        return await deadline.bound(work)

    async def _vectors(self, texts: Sequence[str]) -> list[Vector]:
        size = self._server.batch_size
        vectors: list[Vector] = []
        for start in range(0, len(texts), size):
            vectors += await self._batch(texts[start : start + size])
        return vectors

    async def _batch(self, texts: Sequence[str]) -> list[Vector]:
        dimension = self._server.dimension
        answer = await self._wire.post(
            self._dialect.path,
            {"model": self._server.model, "input": list(texts), **self._dialect.options},
            max_bytes=BYTES_BESIDE + BYTES_PER_NUMBER * dimension * len(texts),
        )
        return unit_vectors(
            self._dialect.rows(answer),
            count=len(texts),
            dimension=dimension,
            name=self._dialect.name,
        )
