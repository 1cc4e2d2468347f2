"""What may reach a terminal, and whether there is one."""

from __future__ import annotations

import os
import unicodedata
from typing import TextIO

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at the stream, on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def visible(text: str) -> str:
    """Drop what would act on a terminal: control characters, and those that turn text around."""
    return "".join(
        char
        for char in text
        if char == "\n" or (unicodedata.category(char) != "Cc" and char not in _TURNING)
    )


def one_line(text: str) -> str:
    """Put a text in one line, fit for a terminal."""
    return visible(" ".join(text.split()))
