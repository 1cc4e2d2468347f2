"""The writing stage: a model writes, and what it wrote points at sentences of the sources."""

from elysia_guard.stages.writing.generator import SOURCE, AnswerGenerator
from elysia_guard.stages.writing.told import (
    is_written,
    may_be_written,
    passing,
    told_of,
    widened,
)

__all__ = [
    "SOURCE",
    "AnswerGenerator",
    "is_written",
    "may_be_written",
    "passing",
    "told_of",
    "widened",
]
