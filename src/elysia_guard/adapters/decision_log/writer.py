"""Who writes the log: an observer that takes no time, and a thread that may take all it needs."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from elysia_guard.adapters.decision_log.entry import DecisionLogError, Settings, entry_of
from elysia_guard.adapters.decision_log.log import DecisionLog, Selection
from elysia_guard.adapters.sql import reason_of, utc_now
from elysia_guard.domain.events import DecisionMade, Event

CAPACITY = 1_000
DAY = timedelta(days=1)

logger = logging.getLogger(__name__)


class DecisionWriter:
    """Writes every decision it is told of, behind the answer's back.

    Whatever the database does, no answer waits for it and none fails: what cannot be written is
    dropped and counted, which is told once for each outage.

    Args:
        log: is written to.
        settings: says what a decision is made with, when it is written.
        texts: whether what may repeat the question is kept.
        retention: how long a decision is kept; None keeps it until somebody deletes it.
        now: tells the time.
        capacity: how many decisions may wait for the database.
        patience_s: how long ``close`` waits for those that still do.
    """

    def __init__(  # noqa: PLR0913 - each has a good default
        self,
        log: DecisionLog,
        settings: Callable[[], Settings],
        *,
        texts: bool = True,
        retention: timedelta | None = None,
        now: Callable[[], datetime] = utc_now,
        capacity: int = CAPACITY,
        patience_s: float = 5.0,
    ) -> None:
        self.log = log
        self._settings = settings
        self._texts = texts
        self._retention = retention
        self._now = now
        self._patience_s = patience_s
        self._waiting: queue.Queue[tuple[datetime, DecisionMade]] = queue.Queue(capacity)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._failing = False
        self._told = 0
        self._purged: datetime | None = None
        self.dropped = 0
        """How many decisions were lost so far."""

    def __call__(self, event: Event) -> None:
        """Take note of a decision; returns at once."""
        if not isinstance(event, DecisionMade):
            return
        try:
            self._start()
            self._waiting.put_nowait((self._now(), event))
        except queue.Full:
            self._lose(f"{self._waiting.maxsize} decisions are waiting to be written")
        # No thread can be had: the answer is worth more than its record.
        except RuntimeError as err:
            self._lose(str(err))

    def flush(self, within_s: float) -> bool:
        """Wait until what was noted is written, or lost; say whether it came to that."""
        if not self._running:
            return True
        waiting = self._waiting
        with waiting.all_tasks_done:
            return waiting.all_tasks_done.wait_for(lambda: not waiting.unfinished_tasks, within_s)

    def close(self) -> None:
        """Write what is waiting, as far as that takes no longer than it should."""
        written = self.flush(self._patience_s)
        with self._lock:
            lost = self.dropped - self._told + (0 if written else self._waiting.unfinished_tasks)
            self._told = self.dropped
        if lost:
            logger.warning("decision log %s: decisions lost: %d", self.log.place, lost)
        if written:
            self.log.close()

    @property
    def _running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self) -> None:
        with self._lock:
            if self._running:
                return
            if self._thread:
                # In a process that was forked off: what waits is the parent's to write.
                self._waiting = queue.Queue(self._waiting.maxsize)
            self._thread = threading.Thread(target=self._write, name="decision-log", daemon=True)
            self._thread.start()
            atexit.register(self.close)

    def _write(self) -> None:
        while True:
            self._put_down(*self._waiting.get())
            self._waiting.task_done()

    def _put_down(self, at: datetime, event: DecisionMade) -> None:
        # Nothing that a database or a driver may raise must end the thread.
        try:
            settings = self._settings()
            entry = entry_of(event, asked_at=at, settings=settings, texts=self._texts)
            self.log.add([entry])
        except Exception as err:  # noqa: BLE001
            self._lose(reason_of(err))
            return
        with self._lock:
            again, self._failing = self._failing, False
        if again:
            told = "decision log %s is written again; decisions lost: %d"
            logger.warning(told, self.log.place, self.dropped)
        self._purge(at)

    def _purge(self, now: datetime) -> None:
        """Delete what has been kept long enough: at the start, and once a day."""
        retention = self._retention
        if retention is None or (self._purged and now - self._purged < DAY):
            return
        self._purged = now
        try:
            self.log.delete(Selection(before=now - retention))
        except DecisionLogError as err:
            told = "decision log: what is older than %s stays: %s"
            logger.warning(told, retention, err)

    def _lose(self, reason: str) -> None:
        with self._lock:
            self.dropped += 1
            first, self._failing = not self._failing, True
        if first:
            told = "decision log %s cannot be written: %s; answers go on, without a record"
            logger.warning(told, self.log.place, reason)
