"""How a model server fails, and whether asking again could help."""

from __future__ import annotations

from elysia_guard.domain.errors import SourceUnavailableError

SOURCE = "embeddings"


class ModelServerError(SourceUnavailableError):
    """A model server could not be asked, or answered with what is no vector."""

    def __init__(self, message: str) -> None:
        """Say what went wrong, without address, key or anything that the server wrote."""
        super().__init__(message, source=SOURCE)


class LastingError(ModelServerError):
    """What does not pass by itself: a wrong key, model, address or dimension."""


class TextRefusedError(LastingError):
    """The server is well, and turned these texts down."""
