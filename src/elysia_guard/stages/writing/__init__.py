"""The writing stage: a model writes, and what it wrote points at sentences of the sources."""

from elysia_guard.stages.writing.generator import SOURCE, AnswerGenerator, flags_of, noted
from elysia_guard.stages.writing.told import (
    is_written,
    may_be_written,
    passed,
    passing,
    told_of,
    widened,
)

__all__ = [
    "SOURCE",
    "AnswerGenerator",
    "flags_of",
    "is_written",
    "may_be_written",
    "noted",
    "passed",
    "passing",
    "told_of",
    "widened",
]
