"""Which conversations a question is under way in, told by advisory locks of a PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from elysia_guard.adapters import sql
from elysia_guard.adapters.conversations.locks import place_of
from elysia_guard.adapters.conversations.schema import SETTING
from elysia_guard.domain.errors import ConversationStoreError, SourceUnavailableError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.resilience.breaker import Breaker

POLL_S = 0.05
"""How often to ask whether another process has let go of a conversation."""
REST_S = 5.0
"""How long a server is left alone that could not be asked twice."""

logger = logging.getLogger(__name__)

_TAKE = text("SELECT pg_try_advisory_lock(:place)")
_LET_GO = text("SELECT pg_advisory_unlock(:place)")


class AdvisoryLocks:
    """Locks that processes of several machines share, all held by one connection of this one.

    The server lets go of them with the connection: at once where a process was killed, and after
    half a minute where its machine is gone. A pooler that hands connections on between
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
        self._place = sql.name_of(url)
        self._deadline_s = deadline_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="conversation-locks")
        self._open: Connection | None = None
        self._breaker = Breaker(
            "conversations", failure_threshold=2, success_threshold=1, rest_s=REST_S
        )

    async def enter(self, key: ConversationKey) -> None:
        """Wait until no other process is in a conversation, and keep others out."""
        place = place_of(key)
        try:
            # Nobody tells when another process lets go.
            while not await self._taken(place):  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
        except SourceUnavailableError as err:
            raise ConversationStoreError(str(err)) from err

    def leave(self, key: ConversationKey) -> None:
        """Let others into a conversation; waits for nothing."""
        self._let_go(place_of(key))

    def close(self) -> None:
        """Let go of everything."""
        self._thread.shutdown(wait=True)
        self._drop()
        self._engine.dispose()

    async def _taken(self, place: int) -> bool:
        with self._breaker.attempt():
            try:
                taking = asyncio.get_running_loop().run_in_executor(self._thread, self._take, place)
            except RuntimeError as err:
                raise ConversationStoreError(f"{self._place} is closed") from err
            try:
                async with asyncio.timeout(self._deadline_s):
                    return await asyncio.shield(taking)
            except TimeoutError as err:
                raise ConversationStoreError(
                    f"{self._place}: no answer within {self._deadline_s:g} s"
                ) from err
            except (SQLAlchemyError, OSError) as err:
                raise ConversationStoreError(f"{self._place}: {sql.reason_of(err)}") from err
            finally:
                # Whoever has given up waiting must not hold it, once it is theirs.
                if not taking.done():
                    taking.add_done_callback(lambda done: self._unwanted(place, done))

    def _unwanted(self, place: int, done: asyncio.Future[bool]) -> None:
        if not done.cancelled() and not done.exception() and done.result():
            self._let_go(place)

    def _let_go(self, place: int) -> None:
        # Closed: then everything is let go of anyway.
        with suppress(RuntimeError):
            self._thread.submit(self._give, place)

    def _take(self, place: int) -> bool:
        """Try once, or once more over a new connection: one that nobody used may have been cut."""
        try:
            return self._tried(place)
        except DBAPIError as err:
            if not err.connection_invalidated:
                raise
            self._drop()
            return self._tried(place)

    def _tried(self, place: int) -> bool:
        if self._open is None:
            self._open = self._engine.connect()
        return bool(self._open.execute(_TAKE, {"place": place}).scalar())

    def _give(self, place: int) -> None:
        held = False
        try:
            if self._open is not None:
                held = bool(self._open.execute(_LET_GO, {"place": place}).scalar())
        except (SQLAlchemyError, OSError):
            self._drop()
        if not held:
            logger.warning(
                "%s let go of a conversation before its question was answered; "
                "another may have been answered in it meanwhile",
                self._place,
            )

    def _drop(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            with suppress(SQLAlchemyError, OSError):
                opened.invalidate()
                opened.close()
