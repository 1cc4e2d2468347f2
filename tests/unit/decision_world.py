"""Decisions over the small world, a writer with a time of its own, and a log in a real file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from tests.unit.small_world import World

from elysia_guard.adapters.decision_log import (
    DecisionLog,
    DecisionWriter,
    LoggedDecision,
    Selection,
)
from elysia_guard.adapters.decision_log.entry import Settings, entry_of
from elysia_guard.adapters.decision_log.log import EVERYTHING
from elysia_guard.domain.events import DecisionMade

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
SETTINGS = Settings(config_hash="c0ffee", index="index.sqlite", model="hash@1", program="0.1.0")

ANSWERED = "What is a netvlak?"
REFUSED = "What is a quuxifier?"
ASKED_BACK = "What is an asset?"
SEARCHED = "How are connections encrypted with TLS?"
OFF_SUBJECT = "Where can I eat pizza tonight?"
NAMED = "What does ADR-0027 decide?"
NOT_THERE = "What does ADR-0099 decide?"
NUMBER = "12"
LISTED = "List all principles"
SMALL_TALK = "hello"
QUESTIONS = (
    ANSWERED,
    REFUSED,
    ASKED_BACK,
    SEARCHED,
    OFF_SUBJECT,
    NAMED,
    NOT_THERE,
    NUMBER,
    LISTED,
    SMALL_TALK,
)

WRITERS: list[DecisionWriter] = []
"""Those that a test has made, for it to close."""


class Now:
    """A time that moves when a test says so."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, by: timedelta) -> None:
        self.moment += by


def decision(
    question: str, *, request_id: str = "req-1", conversation_id: str = ""
) -> DecisionMade:
    """What the small world decides of a question."""
    return replace(_decided(question), request_id=request_id, conversation_id=conversation_id)


@cache
def _decided(question: str) -> DecisionMade:
    """Ask a world, and return what it says that it decided."""
    asked = World()
    asked.ask(question)
    return next(event for event in reversed(asked.events) if isinstance(event, DecisionMade))


def entry(
    question: str = REFUSED,
    *,
    request_id: str = "req-1",
    conversation_id: str = "",
    at: datetime = NOON,
    texts: bool = True,
) -> LoggedDecision:
    """What is kept of a question."""
    event = decision(question, request_id=request_id, conversation_id=conversation_id)
    return entry_of(event, asked_at=at, settings=SETTINGS, texts=texts)


def entries(count: int) -> Iterator[LoggedDecision]:
    """Many decisions of one question, a minute apart; ids and conversations are numbered."""
    one = entry()
    for n in range(count):
        yield replace(
            one,
            request_id=f"req-{n}",
            conversation_id=f"talk-{n % 3}",
            asked_at=NOON + timedelta(minutes=n),
        )


def all_of(log: DecisionLog, selection: Selection = EVERYTHING) -> list[LoggedDecision]:
    """The entries of a selection, the oldest first."""
    return log.latest(selection, limit=None)[::-1]


def log_in(folder: Path, *, wait_s: float = 5.0) -> DecisionLog:
    """A log in a file of its own."""
    return DecisionLog.at(f"sqlite:///{folder / 'decisions.sqlite'}", wait_s=wait_s)


def writer_to(log: DecisionLog, **options: object) -> DecisionWriter:
    """A writer with a time of its own, which keeps everything."""
    given = {"now": Now(), **options}
    made = DecisionWriter(log, lambda: SETTINGS, **given)  # type: ignore[arg-type]
    WRITERS.append(made)
    return made


def bytes_of(folder: Path) -> bytes:
    """All that stands in the file and in what SQLite keeps beside it."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("decisions.sqlite*")))
