"""How a judge fails. No message holds what a model or its server wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from elysia_guard.adapters.embedders.errors import ModelServerError, TextRefusedError
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError

SOURCE = "judge"


class JudgeError(SourceUnavailableError):
    """A judge could not be asked, or said nothing of use."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


class NoJudgementError(JudgeError):
    """The judge is well, but nothing came of this call: it turned it down, or wrote nonsense."""


def late(seconds: float) -> SourceTimeoutError:
    """Make the error for a judge that takes too long."""
    return SourceTimeoutError(f"the judge did not answer within {seconds:g} s", source=SOURCE)


@contextmanager
def of_judge() -> Iterator[None]:
    """Turn errors of the wire to a model server into those of a judge."""
    try:
        yield
    except TextRefusedError as err:
        raise NoJudgementError(str(err)) from None
    except ModelServerError as err:
        raise JudgeError(str(err)) from None
