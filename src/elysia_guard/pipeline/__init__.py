"""The stages in their order: ``order.py`` is the way of a question, the others its steps."""

from elysia_guard.pipeline.order import Pipeline

__all__ = ["Pipeline"]
