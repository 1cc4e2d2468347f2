"""The writing stage: a model writes an answer, and what code cannot prove of it is not kept."""

from elysia_guard.stages.writing.desk import Desk
from elysia_guard.stages.writing.difficulty import Difficulty, difficulty
from elysia_guard.stages.writing.kept import (
    SOURCE,
    answers_alone,
    flags_of,
    is_aside,
    noted,
    share,
    still_answers,
)
from elysia_guard.stages.writing.opening import Opening, Stands
from elysia_guard.stages.writing.proofs import Prover
from elysia_guard.stages.writing.sides import sides_of
from elysia_guard.stages.writing.taken_apart import (
    FEWEST,
    as_one,
    found_by,
    is_most_of,
    is_taken_apart,
    untold,
)
from elysia_guard.stages.writing.told import (
    is_written,
    may_be_in_part,
    may_be_written,
    passing,
    told_of,
    widened,
)

__all__ = [
    "FEWEST",
    "SOURCE",
    "Desk",
    "Difficulty",
    "Opening",
    "Prover",
    "Stands",
    "answers_alone",
    "as_one",
    "difficulty",
    "flags_of",
    "found_by",
    "is_aside",
    "is_most_of",
    "is_taken_apart",
    "is_written",
    "may_be_in_part",
    "may_be_written",
    "noted",
    "passing",
    "share",
    "sides_of",
    "still_answers",
    "told_of",
    "untold",
    "widened",
]
