"""What was decided, kept so that it can be explained: any database, by default an SQLite file."""

from elysia_guard.adapters.decision_log.entry import Entry, Feedback, Judgement
from elysia_guard.adapters.decision_log.errors import DecisionLogError
from elysia_guard.adapters.decision_log.log import DecisionLog
from elysia_guard.adapters.decision_log.selection import Selection
from elysia_guard.adapters.decision_log.writer import DecisionWriter, Keeping

__all__ = [
    "DecisionLog",
    "DecisionLogError",
    "DecisionWriter",
    "Entry",
    "Feedback",
    "Judgement",
    "Keeping",
    "Selection",
]
