"""Files read up to a limit: never a pipe that would wait, never more than was allowed."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_PIECE = 1_000_000


def read_bounded(path: Path, limit: int) -> bytes:
    """Return the bytes of a file that holds at most ``limit`` of them.

    Raises:
        OSError: it cannot be read, is no regular file (EINVAL), or holds more (EFBIG).
    """
    # Without waiting: a pipe that nobody writes to would hold its reader for ever.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        # Piece by piece, so that a small file does not take the room of a large one; and one byte
        # more than allowed, so that it shows if it grows meanwhile.
        raw = bytearray()
        while piece := file.read(min(_PIECE, limit + 1 - len(raw))):
            raw += piece
    if len(raw) > limit:
        reason = f"more than {limit:,} bytes, which is the limit"
        raise OSError(errno.EFBIG, reason, str(path))
    return bytes(raw)
