"""What can be wrong with the decision log; the message names the place and the way out."""

from __future__ import annotations

from elysia_guard.domain.errors import GuardError


class DecisionLogError(GuardError):
    """The decision log cannot be had, or does not hold what was asked of it."""


class JudgementError(DecisionLogError):
    """A judgement that cannot be said of this decision: an answer was not refused."""
