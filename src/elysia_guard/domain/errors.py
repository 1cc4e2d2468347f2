"""The one tree of errors. Each message names the thing, the value and the way out."""

from __future__ import annotations

from typing import ClassVar


class GuardError(Exception):
    """Root of everything this package raises on purpose; the edge alone catches it."""


class ConfigError(GuardError):
    """A setting is missing, unknown or out of range; the message names file, key and value."""


class QuestionError(GuardError):
    """A question that cannot be asked.

    ``code`` is ``empty``, ``too_long`` or ``no_words``.
    """

    _MESSAGES: ClassVar[dict[str, str]] = {
        "empty": "the question is empty",
        "too_long": "the question has {length} characters; at most {limit} are allowed",
        "no_words": "the question holds no words to search for",
    }

    def __init__(self, code: str, **values: int) -> None:
        """Name the fault, and the numbers that its message needs."""
        super().__init__(self._MESSAGES[code].format(**values))
        self.code = code
        self.values = values


class ScopeError(GuardError):
    """A question is restricted to collections that are not there; the message names those there."""


class DocumentError(GuardError):
    """A document or vocabulary file that cannot be read; the message names file and place."""


class PassageIndexError(GuardError):
    """The passage index is missing, damaged, or was built by something else."""


class IndexBusyError(PassageIndexError):
    """Another process writes the passage index."""


class SourceUnavailableError(GuardError):
    """A source could not be asked. Never the same as 'it is not there'."""

    def __init__(self, message: str, *, source: str) -> None:
        super().__init__(message)
        self.source = source


class ConversationStoreError(SourceUnavailableError):
    """Conversations cannot be kept or read; the message names the place, no word of them."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source="conversations")


class SourceTimeoutError(SourceUnavailableError):
    """A source did not answer within its deadline."""


class CircuitOpenError(SourceUnavailableError):
    """A source was not asked, because it has failed too often of late."""
