"""Which conversations a question is under way in, told by locks on a file of this machine."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path

from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey

POLL_S = 0.02
"""How often to look whether another process has let go of a conversation."""
_PLACES = 2**62


def place_of(key: ConversationKey) -> int:
    """Return the number that stands for a conversation in a file, or in a database."""
    named = f"{key.user_id}\0{key.conversation_id}".encode("utf-8", "replace")
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "big") % _PLACES


class FileLocks:
    """Each conversation is a byte of a file, locked as long as somebody is in.

    The system lets go of what a process held that was killed. It needs POSIX, and one machine.
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
                self._open = _opened(self._file)
            # Nobody tells when another process lets go.
            while not _locked(self._open, place):  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
        except OSError as err:
            raise ConversationStoreError(f"{self._file}: {err.strerror}") from err

    def leave(self, key: ConversationKey) -> None:
        """Let others into a conversation."""
        if self._open is not None:
            _unlock(self._open, place_of(key))

    def close(self) -> None:
        """Let go of everything."""
        if self._open is not None:
            os.close(self._open)
            self._open = None


def _opened(file: Path) -> int:
    file.parent.mkdir(parents=True, exist_ok=True)
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _locked(file: int, place: int) -> bool:
    import fcntl  # POSIX alone has it, and only several workers need it

    # A lock of this kind is the whole process's: the turnstile keeps its own questions apart.
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except BlockingIOError:
        return False
    return True


def _unlock(file: int, place: int) -> None:
    import fcntl

    fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
