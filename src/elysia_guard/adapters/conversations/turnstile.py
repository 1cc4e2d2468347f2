"""One question at a time in a conversation, in this process and in all that share its locks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.ports import ConversationLocks

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
            async with lock, self._alone(key):
                yield
        finally:
            _, waiting = self._in.pop(key)
            if waiting > 1:
                self._in[key] = lock, waiting - 1

    def close(self) -> None:
        """Let go of everything."""
        if self._locks:
            self._locks.close()

    @asynccontextmanager
    async def _alone(self, key: ConversationKey) -> AsyncIterator[None]:
        locks = self._locks
        held = locks is not None and await self._held(locks, key)
        try:
            yield
        finally:
            if locks and held:
                locks.leave(key)

    async def _held(self, locks: ConversationLocks, key: ConversationKey) -> bool:
        """Wait for a conversation; tell whether it is held."""
        try:
            await locks.enter(key)
        except ConversationStoreError as err:
            if not self._failing:
                logger.warning("%s; questions do not wait for each other", err)
            self._failing = True
            return False
        self._failing = False
        return True
