"""Who writes the decision log: whatever the database does, answers go on."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event
from tests.unit.decision_world import (
    ANSWERED,
    NOON,
    QUESTIONS,
    REFUSED,
    SEARCHED,
    WRITERS,
    Now,
    all_of,
    bytes_of,
    decision,
    entries,
    log_in,
    writer_to,
)
from tests.unit.small_world import World

from elysia_guard.adapters.decision_log import DecisionLog, DecisionWriter, Selection

ROOT = Path(__file__).parents[2]
PATIENCE_S = 20.0


@pytest.fixture
def log(tmp_path: Path) -> DecisionLog:
    return log_in(tmp_path)


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    """What a test leaves would be told when all have ended."""
    yield
    while WRITERS:
        WRITERS.pop().close()


@contextmanager
def held(log: DecisionLog) -> Iterator[None]:
    """Another process that writes, and does not end."""
    connection = sqlite3.connect(log.place, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


class TestWriting:
    def test_every_decision_of_a_pipeline_is_written(self, log: DecisionLog) -> None:
        """As it happened, and at the moment it did."""
        world = World()
        writer, now = writer_to(log), Now()
        world.pipeline = replace(world.pipeline, observe=writer)
        for question in QUESTIONS:
            world.ask(question)
        assert writer.flush(PATIENCE_S)
        assert [item.question for item in all_of(log)] == list(QUESTIONS)
        assert {item.asked_at for item in all_of(log)} == {now()}
        assert writer.dropped == 0


class TestOutages:
    def test_a_locked_file_costs_records_and_no_answer(
        self, log: DecisionLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """It is told once, and again when it is over; what was asked is in neither."""
        log.add(list(entries(1)))
        writer = writer_to(log_in(tmp_path, wait_s=0.01))
        world = World()
        world.pipeline = replace(world.pipeline, observe=writer)
        with held(log):
            for _ in range(5):
                assert world.ask(REFUSED).refused
                assert writer.flush(PATIENCE_S)
        assert writer.dropped == 5
        world.ask(ANSWERED)
        assert writer.flush(PATIENCE_S)
        assert log.count() == 2
        lost, again = told(caplog)
        assert "locked; answers go on" in lost
        assert "written again; decisions lost: 5" in again
        assert "quuxifier" not in caplog.text

    def test_a_full_queue_drops_and_does_not_wait(
        self, log: DecisionLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The answer is worth more than its record."""
        log.add(list(entries(1)))
        writer = writer_to(log_in(tmp_path, wait_s=PATIENCE_S), capacity=3, patience_s=0.01)
        made = decision(ANSWERED)
        with held(log):
            for _ in range(50):
                writer(made)
            # Three wait, and up to three are being written.
            assert 50 - 3 - 3 <= writer.dropped <= 50 - 3
            writer.close()
            lines = told(caplog)
        # What waited is written once the file is free, and says so: here, and not in a later test.
        assert writer.flush(PATIENCE_S)
        assert lines[-1].endswith("decisions lost: 50")
        assert sum("cannot be written" in line for line in lines) == 1

    def test_a_full_disk_costs_records_and_no_answer(
        self, log: DecisionLog, caplog: pytest.LogCaptureFixture
    ) -> None:
        """What was written before stays readable."""
        log.add(list(entries(3)))
        log.close()

        @event.listens_for(log._database.engine, "connect")
        def fill(connection: sqlite3.Connection, _entry: object) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")

        writer = writer_to(log)
        for n in range(40):
            writer(replace(decision(SEARCHED), request_id=f"new-{n}"))
        assert writer.flush(PATIENCE_S)
        assert writer.dropped > 0
        assert log.count() == 3 + 40 - writer.dropped
        assert "full" in caplog.text

    @pytest.mark.parametrize("place", ["file:{}/d.sqlite?mode=ro&uri=true", "{}/taken/d.sqlite"])
    def test_where_nothing_can_be_written_records_are_lost_and_no_answer(
        self, tmp_path: Path, place: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        """A file that may only be read, and a folder that cannot be made; told once."""
        (tmp_path / "taken").write_text("")
        writer = writer_to(DecisionLog.at(f"sqlite:///{place.format(tmp_path)}"))
        for _ in range(3):
            writer(decision(ANSWERED))
        assert writer.flush(PATIENCE_S)
        assert writer.dropped == 3
        (line,) = told(caplog)
        assert "answers go on" in line

    def test_one_that_the_database_refuses_costs_itself_alone(
        self, log: DecisionLog, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Not the batch it came in."""
        writer = writer_to(log)
        good, bad = decision(ANSWERED), replace(decision(ANSWERED), total_ms=float("nan"))
        for n, made in enumerate([good, bad, good, bad, good]):
            writer(replace(made, request_id=f"req-{n}"))
        assert writer.flush(PATIENCE_S)
        assert [item.request_id for item in all_of(log)] == ["req-0", "req-2", "req-4"]
        assert writer.dropped == 2
        assert "NOT NULL" in caplog.text
        assert ANSWERED not in caplog.text


class TestRetention:
    def test_what_is_old_enough_goes_by_itself(self, log: DecisionLog, tmp_path: Path) -> None:
        """At the start, and then once a day."""
        log.add(list(entries(3)))
        now = Now(NOON + timedelta(days=29))
        writer = writer_to(log, retention=timedelta(days=30), now=now)
        self.ask(writer)
        assert log.count() == 4
        now.advance(timedelta(hours=23, minutes=59))
        self.ask(writer)
        assert log.count() == 5
        now.advance(timedelta(hours=1))
        self.ask(writer)
        assert log.count(Selection(conversation_id="talk-0")) == 0
        assert log.count() == 3
        log.close()
        assert b"talk-0" not in bytes_of(tmp_path)

    def test_what_cannot_be_deleted_is_told_and_costs_nothing(
        self, log: DecisionLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The decision itself is written."""
        log.add(list(entries(3)))
        reader = sqlite3.connect(log.place, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM guard_decisions").fetchone()
        now = Now(NOON + timedelta(days=99))
        writer = writer_to(log_in(tmp_path, wait_s=0.01), retention=timedelta(days=1), now=now)
        self.ask(writer)
        reader.close()
        assert writer.dropped == 0
        assert log.count() == 1
        assert "stays" in caplog.text

    def ask(self, writer: DecisionWriter) -> None:
        writer(decision(ANSWERED))
        assert writer.flush(PATIENCE_S)


PROGRAM = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.unit.decision_world import ANSWERED, decision, log_in, writer_to

writer, made = writer_to(log_in(Path(sys.argv[1]))), decision(ANSWERED)
for n in range(50):
    writer(replace(made, request_id=f"req-{n}"))
"""


def start(program: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.slow
class TestProcesses:
    def test_a_program_that_ends_has_written_all(self, tmp_path: Path) -> None:
        """Also when nobody closed anything."""
        with start(PROGRAM, tmp_path) as process:
            assert process.wait(60) == 0
        assert log_in(tmp_path).count() == 50
