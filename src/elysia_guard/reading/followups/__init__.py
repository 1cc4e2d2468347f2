"""A follow-up made a whole question, before it is read: 'and who approved it?' after ADR-0029."""

from elysia_guard.reading.followups.asked import Candidates, Whole
from elysia_guard.reading.followups.evidence import chosen
from elysia_guard.reading.followups.message import Subject
from elysia_guard.reading.followups.resolving import resolve

__all__ = ["Candidates", "Subject", "Whole", "chosen", "resolve"]
