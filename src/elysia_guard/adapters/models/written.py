"""What a model wrote to the last prompts, so that the same question is read the same again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from hashlib import sha256

AT_MOST = 256
"""Prompts that are remembered; each is kept as its digest."""


class Written:
    """The last texts of one model, by prompt; threads may share it.

    >>> written = Written(at_most=1)
    >>> written.keep("a", "first"), written.keep("a", "second"), written.keep("b", "third")
    ('first', 'first', 'third')
    >>> written.to("a") is None
    True
    """

    def __init__(self, at_most: int = AT_MOST) -> None:
        """Remember nothing yet."""
        self._at_most = at_most
        self._lock = threading.Lock()
        self._texts: OrderedDict[bytes, str] = OrderedDict()

    def to(self, prompt: str) -> str | None:
        """Return what was written to a prompt; None where that is not known, or no longer."""
        key = _digest(prompt)
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
            return self._texts.get(key)

    def keep(self, prompt: str, text: str) -> str:
        """Keep a text, and return the one that counts: of two at once, the first."""
        with self._lock:
            kept = self._texts.setdefault(_digest(prompt), text)
            if len(self._texts) > self._at_most:
                self._texts.popitem(last=False)
            return kept


def _digest(prompt: str) -> bytes:
    return sha256(prompt.encode("utf-8", "surrogatepass")).digest()
