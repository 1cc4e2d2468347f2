"""Which part of a document is asked for, where one reply cannot hold it: 'part 2'."""

from __future__ import annotations

import re
from functools import cache

from elysia_guard.language.pack import either
from elysia_guard.language.phrases import compiled


def without_portion(text: str) -> tuple[str, int]:
    """Return a question without 'part 2' at its end, and the number of that part; 1 without any.

    >>> without_portion("What does ADR-0015 say, part 2?")
    ('What does ADR-0015 say?', 2)
    """
    found = _portion().search(text)
    part = int(found["part"]) if found else 1
    return (f"{text[: found.start()]}?", part) if found and part > 1 else (text, 1)


@cache
def _portion() -> re.Pattern[str]:
    words = either(lambda core: core.questions.portions)
    return compiled(rf",? ({words}) (?P<part>[0-9]{{1,3}})[ ?.!]*\Z")
