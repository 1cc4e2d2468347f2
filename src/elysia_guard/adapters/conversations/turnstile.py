"""One question at a time in a conversation, in this process and in all that share its file."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from elysia_guard.domain.saved import ConversationKey

POLL_S = 0.02
"""How often to look whether another process has let go of a conversation."""
_PLACES = 2**62

logger = logging.getLogger(__name__)


class Turnstile:
    """Lets one at a time into each conversation.

    With a file, processes of one machine keep each other out too: each conversation is a byte of
    it, locked as long as somebody is in. The system lets go of what a process held that was killed.
    Where the file cannot be had, nobody waits for it, and the log says so once.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Take the file that processes share; it is made when it is first needed."""
        self._file = file
        self._open: int | None = None
        self._failing = False
        self._in: dict[ConversationKey, tuple[asyncio.Lock, int]] = {}

    @property
    def shared(self) -> bool:
        """Whether processes keep each other out too."""
        return self._file is not None

    @asynccontextmanager
    async def of(self, key: ConversationKey) -> AsyncIterator[None]:
        """Wait until nobody else is in this conversation, and keep others out."""
        lock, waiting = self._in.get(key, (asyncio.Lock(), 0))
        self._in[key] = lock, waiting + 1
        try:
            async with lock, self._in_file(_place(key)):
                yield
        finally:
            _, waiting = self._in.pop(key)
            if waiting > 1:
                self._in[key] = lock, waiting - 1

    def close(self) -> None:
        """Let go of everything."""
        if self._open is not None:
            os.close(self._open)
            self._open = None

    @asynccontextmanager
    async def _in_file(self, place: int) -> AsyncIterator[None]:
        held = self._file and await self._held(self._file, place)
        try:
            yield
        finally:
            if held and self._open is not None:
                _unlock(self._open, place)

    async def _held(self, file: Path, place: int) -> bool:
        """Wait for a byte of the file; tell whether it is held."""
        try:
            # Once: to close any handle of it would let go of all that this process holds.
            if self._open is None:
                self._open = _opened(file)
            # Nobody tells when another process lets go.
            while not _locked(self._open, place):  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
        except OSError as err:
            if not self._failing:
                logger.warning("%s: %s; questions do not wait for each other", file, err.strerror)
            self._failing = True
            return False
        self._failing = False
        return True


def _opened(file: Path) -> int:
    file.parent.mkdir(parents=True, exist_ok=True)
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _locked(file: int, place: int) -> bool:
    import fcntl  # POSIX alone has it, and only several workers need it

    # A lock of this kind is the whole process's: `of` keeps its own questions apart.
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except BlockingIOError:
        return False
    return True


def _unlock(file: int, place: int) -> None:
    import fcntl

    fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


def _place(key: ConversationKey) -> int:
    named = f"{key.user_id}\0{key.conversation_id}".encode("utf-8", "replace")
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "big") % _PLACES
