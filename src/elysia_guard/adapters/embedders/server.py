"""What there is to know of a model server before it is asked."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from elysia_guard.adapters.embedders.conventions import Convention, convention
from elysia_guard.adapters.embedders.retrying import PAUSES_S, Retrying
from elysia_guard.ports import Clock, Embedder

if TYPE_CHECKING:
    from elysia_guard.adapters.embedders.served import ServedEmbedder


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """How a kind of server is spoken to."""

    name: str
    """Before a reader."""
    root: str
    """Follows the address, unless that ends with it."""
    path: str
    options: Mapping[str, object]
    """Sent beside the model and the texts."""
    rows: Callable[[object], object]
    """Picks the vectors out of an answer, in the order of the texts; None where there are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelServer:
    """A model server, and how it is asked. Prefixes and ``max_chars`` of None are the model's."""

    kind: Literal["ollama", "openai"]
    url: str = field(repr=False)
    """Its address; it may hold a password, and is never shown."""
    model: str
    dimension: int
    api_key: str = field(default="", repr=False)
    question_prefix: str | None = None
    passage_prefix: str | None = None
    max_chars: int | None = None
    timeout_ms: int = 2_000
    """The time for a whole call on the way of a question, with every request that it takes."""
    batch_size: int = 32
    """Texts in a request."""
    batch_timeout_seconds: float = 60.0
    """The time for a batch of an ingest."""
    retries: int = 5
    """How often an ingest asks again."""

    @property
    def convention(self) -> Convention:
        """What the model wants of its texts, where nothing else is set."""
        own = convention(self.model)
        question, passage, longest = self.question_prefix, self.passage_prefix, self.max_chars
        return Convention(
            question_prefix=own.question_prefix if question is None else question,
            passage_prefix=own.passage_prefix if passage is None else passage,
            max_chars=own.max_chars if longest is None else longest,
        )

    def for_questions(self, closing: ExitStack, *, clock: Clock = time.monotonic) -> Embedder:
        """Return an embedder for callers in any loop; ``closing`` learns how to close it."""
        from elysia_guard.adapters.background import BackgroundLoop
        from elysia_guard.adapters.embedders.any_loop import FromAnyLoop

        model = self.client(timeout_s=self.timeout_ms / 1000, clock=clock)
        loop = BackgroundLoop("elysia-guard-embeddings")
        closing.callback(loop.close)
        closing.callback(lambda: loop.run(model.aclose()))
        return FromAnyLoop(model, loop)

    @asynccontextmanager
    async def for_ingest(self) -> AsyncIterator[Embedder]:
        """Open an embedder that is patient: nobody waits for it as one waits for an answer."""
        pauses_s = PAUSES_S[: self.retries]
        async with self.client(timeout_s=self.batch_timeout_seconds) as model:
            yield Retrying(model, batch_size=self.batch_size, pauses_s=pauses_s)

    def client(self, *, timeout_s: float, clock: Clock = time.monotonic) -> ServedEmbedder:
        """Return an embedder for the event loop in which it is first used.

        Raises:
            ConfigError: the address is none.
        """
        # httpx takes a tenth of a second to import, and the bundled model has no use for it.
        from elysia_guard.adapters.embedders.ollama import OLLAMA
        from elysia_guard.adapters.embedders.openai import OPENAI
        from elysia_guard.adapters.embedders.served import ServedEmbedder

        dialect = OLLAMA if self.kind == "ollama" else OPENAI
        return ServedEmbedder(self, dialect, timeout_s=timeout_s, clock=clock)
