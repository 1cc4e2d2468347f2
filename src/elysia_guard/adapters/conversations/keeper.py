"""Who keeps conversations for the chat: behind the answer's back, and never at its cost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from datetime import datetime, timedelta
from typing import TypeVar

from elysia_guard.adapters.conversations.locks import Turnstile
from elysia_guard.adapters.sql import utc_now
from elysia_guard.domain.errors import ConversationStoreError, SourceUnavailableError
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    Standing,
    Thumb,
    Turn,
)
from elysia_guard.ports import ConversationStore
from elysia_guard.resilience.breaker import Breaker

CAPACITY = 200
"""Turns that may wait to be written."""
DAY = timedelta(days=1)

Found = TypeVar("Found")

logger = logging.getLogger(__name__)


class Keeper:
    """Keeps conversations in a store that may fail.

    What cannot be written is lost and what cannot be read is not there: the chat goes on, and the
    log says so once for each outage. What is done for a person who asks for it (a thumb, a title, a
    deletion) raises, so that they are not told that it was done.

    Args:
        store: keeps them.
        place: where that is, for the log.
        keep_for: how long after its last turn a conversation is kept; None keeps it.
        now: tells the time.
        capacity: how many turns may wait for the store.
        turnstile: lets one question at a time into a conversation.
    """

    def __init__(
        self,
        store: ConversationStore,
        *,
        place: str,
        keep_for: timedelta | None,
        now: Callable[[], datetime] = utc_now,
        capacity: int = CAPACITY,
        turnstile: Turnstile | None = None,
    ) -> None:
        self.store = store
        self._turnstile = turnstile or Turnstile()
        self.place = place
        self.keep_for = keep_for
        self.now = now
        self._capacity = capacity
        self._writing: set[asyncio.Task[bool]] = set()
        self._failing = False
        self._takes = True
        self._purged: datetime | None = None
        # Whoever opens a conversation waits for the store; not one after another for a dead one.
        self._breaker = Breaker("conversations", failure_threshold=2, success_threshold=1)
        self.lost = 0
        """How many turns could not be written so far."""

    @property
    def shared(self) -> bool:
        """Whether other processes keep the same conversations.

        What is in memory of one is then old as soon as another has answered in it, and a turn is to
        be written before its answer is given.
        """
        return self._turnstile.shared

    def turn(self, key: ConversationKey) -> AbstractAsyncContextManager[None]:
        """Wait until nobody else asks in this conversation, and keep others out of it."""
        return self._turnstile.of(key)

    def put(self, key: ConversationKey, turn: Turn, standing: Standing) -> asyncio.Future[bool]:
        """Keep a turn; returns at once, and tells later whether it was kept."""
        loop = asyncio.get_running_loop()
        if len(self._writing) >= self._capacity:
            self._lost(f"{self._capacity} turns are waiting to be written")
            full: asyncio.Future[bool] = loop.create_future()
            full.set_result(False)
            return full
        writing = loop.create_task(self._write(key, turn, standing))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        return writing

    async def written(self) -> None:
        """Wait until what was put so far is written, or lost."""
        if self._writing:
            await asyncio.wait(set(self._writing))

    async def is_there(self) -> bool:
        """Tell whether the store answers, and has taken the last turn that was put.

        One that failed twice is not asked for a while.
        """
        try:
            with self._asking():
                await self.store.listed("")
        except ConversationStoreError:
            return False
        return self._takes

    async def load(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation; None where it is not there, or cannot be read."""
        return await self._read(lambda: self.store.load(key), None)

    async def current(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation as it is kept at this moment, None where it is not there.

        Raises:
            ConversationStoreError: that cannot be known.
        """
        with self._asking():
            return await self.store.load(key)

    async def listed(self, user_id: str) -> Sequence[ListedConversation]:
        """Return a user's conversations, as far as they can be read."""
        return await self._read(lambda: self.store.listed(user_id), ())

    async def thumbs(self, user_id: str) -> Sequence[Thumb]:
        """Return what a user has said of replies, as far as it can be read."""
        return await self._read(lambda: self.store.thumbs(user_id), ())

    async def delete(self, key: ConversationKey) -> bool:
        """Delete a conversation.

        Raises:
            ConversationStoreError: it may still be there.
        """
        await self.written()
        return await self.store.delete(key)

    async def rename(self, key: ConversationKey, title: str) -> bool:
        """Give a conversation another title.

        Raises:
            ConversationStoreError: it may have its old one still.
        """
        await self.written()
        return await self.store.rename(key, title)

    async def thumb(self, key: ConversationKey, query_id: str, value: int | None) -> bool:
        """Keep what was said of a reply, None to forget it; tell whether the reply is there.

        Raises:
            ConversationStoreError: it may not have been kept.
        """
        await self.written()
        if value is None:
            return await self.store.take_thumb(key, query_id)
        return await self.store.give_thumb(key, query_id, Thumb(value=value, given_at=self.now()))

    async def purge(self) -> None:
        """Delete what has been kept long enough: at the start, and once a day."""
        now = self.now()
        if self.keep_for is None or (self._purged and now - self._purged < DAY):
            return
        self._purged = now
        before = now - self.keep_for
        await self._read(lambda: self.store.purge(before), 0)

    def close(self) -> None:
        """Close the store."""
        self.store.close()
        self._turnstile.close()

    async def _write(self, key: ConversationKey, turn: Turn, standing: Standing) -> bool:
        try:
            await self.store.add_turn(key, turn, standing, at=self.now())
        except ConversationStoreError as err:
            self._lost(str(err))
        else:
            self._takes = True
            self._recovered()
        return self._takes

    def _lost(self, reason: str) -> None:
        self.lost += 1
        self._takes = False
        self._tell(reason)

    async def _read(self, reading: Callable[[], Awaitable[Found]], otherwise: Found) -> Found:
        try:
            with self._asking():
                return await reading()
        except ConversationStoreError:
            return otherwise

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            with self._breaker.attempt():
                yield
        except SourceUnavailableError as err:
            self._tell(str(err))
            raise ConversationStoreError(str(err)) from err

    def _tell(self, reason: str) -> None:
        first, self._failing = not self._failing, True
        if first:
            logger.warning("conversations cannot be kept: %s; answers go on without", reason)

    def _recovered(self) -> None:
        again, self._failing = self._failing, False
        if again:
            logger.warning(
                "conversations are kept again in %s; turns lost: %d", self.place, self.lost
            )
