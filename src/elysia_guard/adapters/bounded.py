"""Files read up to a limit: never a pipe that would wait, never more than was allowed."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


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
        # One more than allowed: what grows while it is read, or lies about its size, shows.
        raw = file.read(limit + 1)
    if len(raw) > limit:
        reason = f"more than {limit:,} bytes, which is the limit"
        raise OSError(errno.EFBIG, reason, str(path))
    return raw
