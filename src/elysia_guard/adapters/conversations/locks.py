"""One question at a time in a conversation, in this process and in all that share its locks."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from elysia_guard.adapters import sql
from elysia_guard.adapters.conversations.store import SETTING, OneThread
from elysia_guard.domain.errors import ConversationStoreError, SourceUnavailableError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.ports import ConversationLocks
from elysia_guard.resilience.breaker import Breaker

FILE_POLL_S, SERVER_POLL_S = 0.02, 0.05
"""How often to ask whether another process has let go of a conversation: nobody tells."""
REST_S = 5.0
"""How long a server is left alone that could not be asked twice."""
_PLACES = 2**62
_TAKE = text("SELECT pg_try_advisory_lock(:place)")
_LET_GO = text("SELECT pg_advisory_unlock(:place)")

logger = logging.getLogger(__name__)


class Turnstile:
    """Lets one at a time into each conversation.

    With locks, other processes are kept out too. Where they cannot be had, nobody waits for them,
    and the log says so once.
    """

    def __init__(self, locks: ConversationLocks | None = None) -> None:
        """Take the locks that processes share."""
        self._locks = locks
        self._failing = False
        self._in: dict[ConversationKey, tuple[asyncio.Lock, int]] = {}

    @property
    def shared(self) -> bool:
        """Whether processes keep each other out too."""
        return self._locks is not None

    @asynccontextmanager
    async def of(self, key: ConversationKey) -> AsyncIterator[None]:
        """Wait until nobody else is in this conversation, and keep others out."""
        lock, waiting = self._in.get(key, (asyncio.Lock(), 0))
        self._in[key] = lock, waiting + 1
        try:
            async with lock:
                held = await self._held(key)
                try:
                    yield
                finally:
                    if self._locks and held:
                        self._locks.leave(key)
        finally:
            _, waiting = self._in.pop(key)
            if waiting > 1:
                self._in[key] = lock, waiting - 1

    def close(self) -> None:
        """Let go of everything."""
        if self._locks:
            self._locks.close()

    async def _held(self, key: ConversationKey) -> bool:
        """Wait for other processes; tell whether they are kept out."""
        if self._locks is None:
            return False
        try:
            await self._locks.enter(key)
        except ConversationStoreError as err:
            if not self._failing:
                logger.warning("%s; questions do not wait for each other", err)
            self._failing = True
            return False
        self._failing = False
        return True


def place_of(key: ConversationKey) -> int:
    """Return the number that stands for a conversation in a file, or in a database."""
    named = f"{key.user_id}\0{key.conversation_id}".encode("utf-8", "replace")
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "big") % _PLACES


class FileLocks:
    """Each conversation is a byte of a file of this machine, locked as long as somebody is in.

    The system lets go of what a process held that was killed. It needs POSIX.
    """

    def __init__(self, file: Path) -> None:
        """Take the file that processes share; it is made when it is first needed."""
        self._file = file
        self._open: int | None = None

    async def enter(self, key: ConversationKey) -> None:
        """Wait until no other process is in a conversation, and keep others out."""
        place = place_of(key)
        try:
            # Once: to close any handle of it would let go of all that this process holds.
            if self._open is None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._open = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            while not _locked(self._open, place):  # noqa: ASYNC110
                await asyncio.sleep(FILE_POLL_S)
        except OSError as err:
            raise ConversationStoreError(f"{self._file}: {err.strerror}") from err

    def leave(self, key: ConversationKey) -> None:
        """Let others into a conversation."""
        import fcntl

        if self._open is not None:
            fcntl.lockf(self._open, fcntl.LOCK_UN, 1, place_of(key))

    def close(self) -> None:
        """Let go of everything."""
        if self._open is not None:
            os.close(self._open)
            self._open = None


def _locked(file: int, place: int) -> bool:
    import fcntl  # POSIX alone has it, and only several workers need it

    # A lock of this kind is the whole process's: the turnstile keeps its own questions apart.
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except BlockingIOError:
        return False
    return True


class AdvisoryLocks:
    """Locks that processes of several machines share, all held by one connection of this one.

    The PostgreSQL lets go of them with the connection: at once where a process was killed, and
    after half a minute where its machine is gone. A pooler that hands connections on between
    transactions (PgBouncer's ``transaction``) takes them away; the log says so.
    """

    def __init__(self, url: URL, *, wait_s: float = 2.0, deadline_s: float = 5.0) -> None:
        """Take an address; nothing is opened before it is needed.

        Args:
            url: of a PostgreSQL.
            wait_s: how long to wait for the server to be reached.
            deadline_s: after how long it counts as one that cannot be asked.

        Raises:
            ConfigError: its driver is not installed.
        """
        engine = sql.engine_of(url, wait_s=wait_s, setting=SETTING)
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._thread = OneThread("conversation-locks", sql.name_of(url), deadline_s)
        self._open: Connection | None = None
        self._breaker = Breaker(
            "conversations", failure_threshold=2, success_threshold=1, rest_s=REST_S
        )

    async def enter(self, key: ConversationKey) -> None:
        """Wait until no other process is in a conversation, and keep others out."""
        place = place_of(key)
        try:
            while not await self._taken(place):  # noqa: ASYNC110
                await asyncio.sleep(SERVER_POLL_S)
        except SourceUnavailableError as err:
            raise ConversationStoreError(str(err)) from err

    def leave(self, key: ConversationKey) -> None:
        """Let others into a conversation; waits for nothing."""
        self._let_go(place_of(key))

    def close(self) -> None:
        """Let go of everything."""
        self._thread.pool.shutdown(wait=True)
        self._drop()
        self._engine.dispose()

    async def _taken(self, place: int) -> bool:
        # Whoever has given up waiting must not hold it, once it is theirs.
        def unwanted(taken: bool) -> None:  # noqa: FBT001
            if taken:
                self._let_go(place)

        with self._breaker.attempt():
            return await self._thread.run(lambda: self._take(place), unwanted=unwanted)

    def _let_go(self, place: int) -> None:
        # Closed: then everything is let go of anyway.
        with suppress(RuntimeError):
            self._thread.pool.submit(self._give, place)

    def _take(self, place: int) -> bool:
        """Try once, or once more over a new connection: one that nobody used may have been cut."""
        try:
            return self._done(_TAKE, place)
        except DBAPIError as err:
            if not err.connection_invalidated:
                raise
            self._drop()
            return self._done(_TAKE, place)

    def _give(self, place: int) -> None:
        held = False
        try:
            held = self._open is not None and self._done(_LET_GO, place)
        except (SQLAlchemyError, OSError):
            self._drop()
        if not held:
            logger.warning(
                "%s let go of a conversation before its question was answered; "
                "another may have been answered in it meanwhile",
                self._thread.place,
            )

    def _done(self, statement: object, place: int) -> bool:
        if self._open is None:
            self._open = self._engine.connect()
        return bool(self._open.execute(statement, {"place": place}).scalar())  # type: ignore[call-overload]

    def _drop(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            with suppress(SQLAlchemyError, OSError):
                opened.invalidate()
                opened.close()
