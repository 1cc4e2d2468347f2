"""A model behind HTTP: Ollama, and any server that speaks OpenAI's ``/v1/embeddings``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.http import (
    SOURCE,
    LastingError,
    ModelServerError,
    ModelServerWire,
)
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.ports import Clock, Embedder, Vector
from elysia_guard.resilience.calls import Guarded, through

BYTES_PER_NUMBER = 40
BYTES_BESIDE = 100_000
PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Convention:
    """How a model tells questions from passages, and how long a text it takes (0: any)."""

    question_prefix: str = ""
    passage_prefix: str = ""
    max_chars: int = 0


_NOMIC = ("search_query: ", "search_document: ")
_KNOWN = {
    # 512 tokens; from 0.13.5 on, Ollama turns down what is longer, though asked to cut it.
    "nomic-embed-text-v2": Convention(
        question_prefix=_NOMIC[0], passage_prefix=_NOMIC[1], max_chars=1_400
    ),
    "nomic-embed-text": Convention(question_prefix=_NOMIC[0], passage_prefix=_NOMIC[1]),
}


def convention(model: str) -> Convention:
    """Return a model's convention by its name, with or without owner and tag."""
    name = model.rpartition("/")[2].lower()
    found = (made for known, made in _KNOWN.items() if name.startswith(known))
    return next(found, Convention())


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


def _rows_of_ollama(answer: object) -> object:
    return answer.get("embeddings") if isinstance(answer, dict) else None


def _rows_of_openai(answer: object) -> object:
    """Pick the vectors by their index: nothing promises that they come in order."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    by_index = {
        item["index"]: item.get("embedding") for item in data if type(item.get("index")) is int
    }
    if set(by_index) != set(range(len(data))):
        return None
    return [by_index[position] for position in range(len(data))]


OLLAMA = Dialect(
    name="Ollama",
    root="/api",
    path="/embed",
    # Its own default, said because a text cut short is worth more than none.
    options={"truncate": True},
    rows=_rows_of_ollama,
)
OPENAI = Dialect(
    name="OpenAI",
    # The address is the base URL that OpenAI's own client takes, with its `/v1`.
    root="",
    path="/embeddings",
    options={"encoding_format": "float"},
    rows=_rows_of_openai,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelServer:
    """A model server, and how it is asked. Prefixes and ``max_chars`` of None are the model's."""

    kind: Literal["ollama", "openai"]
    url: str = field(repr=False)
    """Its address; it may hold a password, and is never shown."""
    model: str
    dimension: int
    api_key: str = field(default="", repr=False)
    section: str = "embedder.server"
    """Of the settings; messages name it."""
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
        said = {
            "question_prefix": self.question_prefix,
            "passage_prefix": self.passage_prefix,
            "max_chars": self.max_chars,
        }
        own: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        return replace(convention(self.model), **own)

    def for_questions(self, closing: ExitStack, *, clock: Clock = time.monotonic) -> Embedder:
        """Return an embedder for callers in any loop; ``closing`` learns how to close it."""
        model = self.client(timeout_s=self.timeout_ms / 1000, clock=clock)
        loop = BackgroundLoop("elysia-guard-embeddings")
        closing.callback(loop.close)
        closing.callback(lambda: loop.run(model.aclose()))
        return through(model, loop.call, "embed", "embed_question")

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
        dialect = OLLAMA if self.kind == "ollama" else OPENAI
        return ServedEmbedder(self, dialect, timeout_s=timeout_s, clock=clock)


class ServedEmbedder:
    """Embeds over HTTP, in batches, within one deadline a call; asks once.

    Belongs to the event loop in which it is first used.

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
        self._guarded = Guarded(late=self._late, clock=clock)
        address = server.url.rstrip("/").removesuffix(dialect.path).removesuffix(dialect.root)
        self._wire = ModelServerWire(
            f"{address}{dialect.root}",
            name=dialect.name,
            api_key=server.api_key,
            section=server.section,
        )

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
        return await self._guarded.call(lambda: self._vectors(marked), seconds=self._timeout_s)

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed a question; errors as for ``embed``."""
        marked = [self._prepared(self._convention.question_prefix, text)]
        (vector,) = await self._guarded.call(lambda: self._vectors(marked), seconds=self._timeout_s)
        return vector

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    def _late(self, seconds: float) -> SourceTimeoutError:
        return SourceTimeoutError(
            f"{self._dialect.name} did not answer within {seconds:g} s", source=SOURCE
        )

    def _prepared(self, prefix: str, text: str) -> str:
        """Mark a text, cut it to what the model takes, and leave out what UTF-8 cannot say."""
        longest = self._convention.max_chars
        kept = text[:longest] if longest else text
        return f"{prefix}{kept}".encode("utf-8", "replace").decode("utf-8")

    async def _vectors(self, texts: Sequence[str]) -> list[Vector]:
        size = self._server.batch_size
        vectors: list[Vector] = []
        for start in range(0, len(texts), size):
            vectors += await self._batch(texts[start : start + size])
        return vectors

    async def _batch(self, texts: Sequence[str]) -> list[Vector]:
        name, dimension = self._dialect.name, self._server.dimension
        answer = await self._wire.post(
            self._dialect.path,
            {"model": self._server.model, "input": list(texts), **self._dialect.options},
            max_bytes=BYTES_BESIDE + BYTES_PER_NUMBER * dimension * len(texts),
        )
        rows = self._dialect.rows(answer)
        if not isinstance(rows, list):
            raise ModelServerError(f"{name} sent an answer without vectors")
        if len(rows) != len(texts):
            raise ModelServerError(f"{name} sent {len(rows)} vectors for {len(texts)} texts")
        return [_unit(row, self._server, name=name) for row in rows]


def _unit(row: object, server: ModelServer, *, name: str) -> Vector:
    """Return what a server sent as a vector of length 1.

    Raises:
        LastingError: it has another dimension than the configured one.
        ModelServerError: it is not made of numbers.
    """
    if not isinstance(row, list) or any(type(number) not in {int, float} for number in row):
        raise ModelServerError(f"{name} sent a vector that is no list of numbers")
    if len(row) != server.dimension:
        raise LastingError(
            f"{name} sent a vector of {len(row)} dimensions; {server.section}.dimension is "
            f"{server.dimension}"
        )
    vector = _numbers(row)
    largest = float(np.abs(vector).max())
    if not np.isfinite(vector).all() or largest == 0.0:
        raise ModelServerError(f"{name} sent a vector of zeros, or of what is no number")
    # Divided by the largest first: the squares of very large or small numbers are none.
    vector /= largest
    unit: list[float] = (vector / np.linalg.norm(vector)).tolist()
    return unit


def _numbers(row: list[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    try:
        return np.array(row, dtype=np.float64)
    except OverflowError:
        return np.full(len(row), np.inf)


class Retrying:
    """Asks again for a batch of passages that failed, after longer and longer pauses.

    For an ingest: nobody waits for it as one waits for an answer. Questions are asked once, and
    what does not pass by itself is not asked for again.

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
