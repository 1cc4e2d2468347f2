"""What was decided, kept so that it can be explained: any database, by default an SQLite file."""

from elysia_guard.adapters.decision_log.entry import (
    DecisionLogError,
    Feedback,
    JudgementError,
    LoggedDecision,
    ReplyJudgement,
)
from elysia_guard.adapters.decision_log.log import DecisionLog, Selection
from elysia_guard.adapters.decision_log.writer import DecisionWriter
from elysia_guard.adapters.sql import utc_now

__all__ = [
    "DecisionLog",
    "DecisionLogError",
    "DecisionWriter",
    "Feedback",
    "JudgementError",
    "LoggedDecision",
    "ReplyJudgement",
    "Selection",
    "utc_now",
]
