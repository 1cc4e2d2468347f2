"""A follow-up made a whole question, before it is read: 'and who approved it?' after ADR-0029."""

from elysia_guard.reading.followups.followup import Perhaps, Whole
from elysia_guard.reading.followups.resolving import resolve
from elysia_guard.reading.followups.text import Subject

__all__ = ["Perhaps", "Subject", "Whole", "resolve"]
