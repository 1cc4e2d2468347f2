"""Who writes the log: an observer that takes no time, and a thread that may take all it needs."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import OperationalError

from elysia_guard.adapters.decision_log.database import reason_of
from elysia_guard.adapters.decision_log.entry import Entry, Settings, entry_of
from elysia_guard.adapters.decision_log.errors import DecisionLogError
from elysia_guard.adapters.decision_log.log import DecisionLog
from elysia_guard.adapters.decision_log.selection import Selection
from elysia_guard.domain.events import DecisionMade, Event

CAPACITY = 1_000
BATCH = 100
DAY = timedelta(days=1)
_OUTAGES = (DecisionLogError, OperationalError, OSError)
"""What would happen to every entry alike."""

logger = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Return the moment, to the millisecond: databases differ beyond."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Keeping:
    """What is kept, and for how long; None keeps it until somebody deletes it."""

    texts: bool = True
    retention: timedelta | None = None


@dataclass(frozen=True, slots=True)
class _Noted:
    at: datetime
    event: DecisionMade


class DecisionWriter:
    """Writes every decision it is told of, behind the answer's back.

    Whatever the database does, no answer waits for it and none fails: what cannot be written is
    dropped and counted, which is told once for each outage.

    Args:
        log: is written to.
        settings: says what a decision is made with, when it is written.
        keeping: what is kept.
        now: tells the time.
        capacity: how many decisions may wait for the database.
        patience_s: how long ``close`` waits for those that still do.
    """

    def __init__(
        self,
        log: DecisionLog,
        settings: Callable[[], Settings],
        *,
        keeping: Keeping,
        now: Callable[[], datetime] = utc_now,
        capacity: int = CAPACITY,
        patience_s: float = 5.0,
    ) -> None:
        self.log = log
        self._settings = settings
        self._keeping = keeping
        self._now = now
        self._patience_s = patience_s
        self._waiting: queue.Queue[_Noted | threading.Event] = queue.Queue(capacity)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._failing = False
        self._told = 0
        self._unwritten = 0
        self._purged: datetime | None = None
        self.dropped = 0
        """How many decisions were lost so far."""

    def __call__(self, event: Event) -> None:
        """Take note of a decision; returns at once."""
        if not isinstance(event, DecisionMade):
            return
        try:
            self._start()
            self._waiting.put_nowait(_Noted(self._now(), event))
            self._wait_for(1)
        except queue.Full:
            self._lose(1, f"{self._waiting.maxsize} decisions are waiting to be written")
        # No thread can be had: the answer is worth more than its record.
        except RuntimeError as err:
            self._lose(1, str(err))

    def flush(self, within_s: float) -> bool:
        """Wait until what was noted so far is written, or lost; say whether it came to that."""
        written = threading.Event()
        try:
            self._waiting.put(written, timeout=within_s)
        except queue.Full:
            return False
        return not self._running or written.wait(within_s)

    def close(self) -> None:
        """Write what is waiting, as far as that takes no longer than it should."""
        written = not self._running or self.flush(self._patience_s)
        with self._lock:
            lost = self.dropped - self._told + (0 if written else self._unwritten)
            self._told = self.dropped
        if lost:
            logger.warning("decision log %s: decisions lost: %d", self.log.place, lost)
        if written:
            self.log.close()

    @property
    def _running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self) -> None:
        # Not alive either in a process that was forked off.
        if self._running:
            return
        with self._lock:
            if self._running:
                return
            self._thread = threading.Thread(target=self._write, name="decision-log", daemon=True)
            self._thread.start()
            atexit.register(self.close)

    def _write(self) -> None:
        while True:
            batch, written = self._next()
            if batch:
                self._put_down(batch)
                self._wait_for(-len(batch))
            for event in written:
                event.set()

    def _wait_for(self, more: int) -> None:
        with self._lock:
            self._unwritten += more

    def _next(self) -> tuple[list[_Noted], list[threading.Event]]:
        """Wait for something to write, and take what else is there, up to a batch."""
        noted: list[_Noted] = []
        written: list[threading.Event] = []
        item: _Noted | threading.Event | None = self._waiting.get()
        while item is not None:
            if isinstance(item, _Noted):
                noted.append(item)
            else:
                written.append(item)
            try:
                item = self._waiting.get_nowait() if len(noted) < BATCH else None
            except queue.Empty:
                item = None
        return noted, written

    def _put_down(self, batch: list[_Noted]) -> None:
        # Nothing that a database or a driver may raise must end the thread.
        try:
            self.log.add([self._entry(item) for item in batch])
        except Exception as err:  # noqa: BLE001
            if len(batch) == 1 or isinstance(err, _OUTAGES):
                self._lose(len(batch), reason_of(err))
                return
            # One that the database does not take must not cost the others their place.
            for item in batch:
                self._put_down([item])
            return
        self._recovered()
        self._purge(batch[-1].at)

    def _entry(self, item: _Noted) -> Entry:
        return entry_of(
            item.event, asked_at=item.at, settings=self._settings(), texts=self._keeping.texts
        )

    def _purge(self, now: datetime) -> None:
        """Delete what has been kept long enough: at the start, and once a day."""
        retention = self._keeping.retention
        if retention is None or (self._purged and now - self._purged < DAY):
            return
        self._purged = now
        try:
            self.log.delete(Selection(before=now - retention))
        except DecisionLogError as err:
            logger.warning("decision log: what is older than %s stays: %s", retention, err)

    def _lose(self, count: int, reason: str) -> None:
        with self._lock:
            self.dropped += count
            first, self._failing = not self._failing, True
        if first:
            logger.warning(
                "decision log %s cannot be written: %s; answers go on, without a record",
                self.log.place,
                reason,
            )

    def _recovered(self) -> None:
        with self._lock:
            again, self._failing = self._failing, False
        if again:
            logger.warning(
                "decision log %s is written again; decisions lost: %d",
                self.log.place,
                self.dropped,
            )
