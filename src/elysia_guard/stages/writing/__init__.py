"""The writing stage: a model writes an answer, and what code cannot prove of it is not kept."""

from elysia_guard.stages.writing.desk import Desk, Prover
from elysia_guard.stages.writing.kept import SOURCE, flags_of, noted, share, still_answers
from elysia_guard.stages.writing.told import is_written, may_be_written, told_of, widened

__all__ = [
    "SOURCE",
    "Desk",
    "Prover",
    "flags_of",
    "is_written",
    "may_be_written",
    "noted",
    "share",
    "still_answers",
    "told_of",
    "widened",
]
