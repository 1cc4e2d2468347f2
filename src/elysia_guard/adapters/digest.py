"""The digest of a passage's text, by which an index notices that somebody has changed it."""

from __future__ import annotations

import hashlib

_SIZE = 16


def digest(text: str) -> bytes:
    """Return the digest of a text: 16 bytes, in two microseconds a passage."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()
