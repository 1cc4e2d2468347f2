"""What filling an index needs of it: to say what it holds, and to be written whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.ports import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Damage:
    """What of an index does not stand there as it was written.

    ``documents`` are the ids of those to be written again; ``findings`` say what is wrong, for a
    person; ``leftover`` counts what belongs to no document, which does no harm and is cleared away.
    """

    documents: frozenset[str] = frozenset()
    findings: tuple[str, ...] = ()
    leftover: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything to mend."""
        return bool(self.documents or self.findings or self.leftover)


@dataclass(frozen=True, kw_only=True, slots=True)
class Embedded:
    """What a passage was embedded as: its own vector, and those of its sentences."""

    vector: Vector
    sentences: Sequence[Vector]

    @classmethod
    def unpacked(cls, vector: bytes, sentences: bytes, *, dimension: int) -> Self | None:
        """Read what an index keeps; None where it is not of this dimension."""
        numbers = np.frombuffer(vector, dtype="<f4")
        if numbers.shape != (dimension,) or not np.isfinite(numbers).all():
            return None
        if len(sentences) % dimension:
            return None
        parts = np.frombuffer(sentences, dtype=np.int8).reshape(-1, dimension)
        return cls(vector=numbers.tolist(), sentences=parts.astype(np.float32).tolist())


Key = Callable[[Passage], bytes]
"""Tells a passage by the texts that are embedded of it."""
FindEmbedded = Callable[[bytes], Embedded | None]
"""Finds what passages of a key were embedded as."""


class IndexWriter(Protocol):
    """Puts whole documents into an index that nobody reads yet."""

    async def fingerprints(self) -> Mapping[str, str]:
        """What it holds so far, work of an ingest that was cut off included."""

    async def put(
        self,
        document: Document,
        passages: Sequence[Passage],
        vectors: Sequence[Vector],
        *,
        sentences: Sequence[Sequence[Vector]] = (),
        fingerprint: str = "",
    ) -> None:
        """Add a document, or replace the one with its id: whole, or not at all.

        ``sentences`` are, for each passage, the vectors of its sentences: none for a passage of
        one, and for an index that does not rank by them.
        """

    async def locate(self, document: Document, *, fingerprint: str) -> None:
        """Note where a document that is held now lies; its text has not changed."""

    async def remove(self, document_id: str) -> None:
        """Take a document out."""


class IndexStore(Protocol):
    """An index, seen by who fills it."""

    async def why_rebuild(self, *, model_id: str, dimension: int) -> str:
        """Say why every document is to be written anew; empty if that is not necessary.

        Raises:
            PassageIndexError: what is there is no index, or is damaged.
        """

    async def fingerprints(self) -> Mapping[str, str]:
        """What the index holds: document id to the fingerprint it was put with."""

    async def damage(self) -> Damage:
        """Hold all that the index holds against what was written into it.

        Raises:
            PassageIndexError: it cannot be mended from here; the message names the way out.
        """

    async def embedded(
        self, key: Key, *, model_id: str, dimension: int, of: Collection[str] | None
    ) -> FindEmbedded:
        """Find what the index holds of a model's vectors, before it is written.

        ``of`` are the documents whose passages are looked at; None is all of them.
        """

    async def drops(self, *, model_id: str, dimension: int) -> Sequence[str]:
        """Name what of the index is deleted before anything is written; mostly nothing."""

    def writing(self, *, model_id: str, dimension: int) -> AbstractAsyncContextManager[IndexWriter]:
        """Give a writer; what it wrote takes the place of what was there when the block ends.

        Raises:
            PassageIndexError: another process writes, or the index cannot be written.
        """


def bare_passage(title: str, lang: str, section: str, text: str) -> Passage:
    """Make a passage of what is embedded of it."""
    kind = DocumentKind.DOCUMENT
    document = Document(id="", kind=kind, title=title, lang=lang, path="", sha256="")
    return Passage(id="", document=document, section=section, text=text, position=0)


def digest(text: str) -> bytes:
    """Return the digest of a passage's text, by which an index notices that somebody changed it.

    It has 16 bytes, and takes two microseconds a passage.
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
