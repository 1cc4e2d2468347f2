"""What turns texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elysia_guard.domain.document import DocumentKind

Vector = Sequence[float]


class Embedder(Protocol):
    """Turns texts into vectors of one length, normalised to 1."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; an index refuses vectors of another."""

    @property
    def dimension(self) -> int:
        """Length of the vectors."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed passages, in order.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed what is asked of passages: some models mark the two differently.

        ``kinds`` are those that are then searched, for whoever counts: empty means all, None none.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """
