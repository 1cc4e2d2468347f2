"""How a question is read: whole, before any route, across a conversation."""

from elysia_guard.reading.read import Reader

__all__ = ["Reader"]
