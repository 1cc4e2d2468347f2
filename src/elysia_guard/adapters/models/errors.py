"""How a language model fails, and what a response then says of it.

One that could not be reached raises ``SourceUnavailableError`` itself, one that is late
``SourceTimeoutError``, one that is left alone ``CircuitOpenError``. No message holds what a model
or its server wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from elysia_guard.adapters.embedders.errors import ModelServerError, TextRefusedError
from elysia_guard.domain.errors import (
    CircuitOpenError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import CallOutcome

SOURCE = "llm"


class ModelFailedError(SourceUnavailableError):
    """The model's server answered with a failure of its own, or asked to be left alone."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


class NothingUsableError(ModelFailedError):
    """The server is well, but nothing came of this call.

    It turned the call down (a wrong key, too long a text), or what the model wrote has not the
    form that was asked for.
    """


def unreachable(message: str = "the language model cannot be reached") -> SourceUnavailableError:
    """Make the error for a model that no call gets through to."""
    return SourceUnavailableError(message, source=SOURCE)


def late() -> SourceTimeoutError:
    """Make the error for a model that takes too long."""
    return SourceTimeoutError("the language model did not answer in time", source=SOURCE)


def outcome_of(err: SourceUnavailableError) -> CallOutcome:
    """Name a failure, as metrics and log lines do."""
    match err:
        case CircuitOpenError():
            return "circuit_open"
        case SourceTimeoutError():
            return "timeout"
        case ModelFailedError():
            return "error"
        case _:
            return "unavailable"


def flags_of(err: SourceUnavailableError) -> tuple[str, ...]:
    """Return the fallback flags of a failure: ``llm_timeout``, ``llm_error``, ``llm_unavailable``.

    While the breaker is open it is ``llm_unavailable`` and ``circuit_open``.
    """
    outcome = outcome_of(err)
    if outcome == "circuit_open":
        return ("llm_unavailable", "circuit_open")
    return (f"llm_{outcome}",)


@contextmanager
def of_model() -> Iterator[None]:
    """Turn errors of the wire to a model server into those of a language model."""
    try:
        yield
    except TextRefusedError as err:
        raise NothingUsableError(str(err)) from None
    except ModelServerError as err:
        raise ModelFailedError(str(err)) from None
