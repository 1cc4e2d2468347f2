"""Where a sentence may be several of its source joined, each saying the same without the rest.

Joined, a sentence may say what it does not say by itself: a pronoun then stands for what was named
last, a condition before an 'and' holds for both sides. Where that may be, nothing is joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_words import ClaimWords, claim_words

MOST_JOINTS = 6
"""So many places where a sentence may be joined of two are looked at."""
_SCOPES = ("condition", "exception", "only")
_TIMES = ("before", "after")


def joined(text: str, lang: Lang) -> Iterator[tuple[str, str]]:
    """Find the two sides of a sentence at each 'and' and semicolon that may join sentences."""
    for joint in islice(_joint(lang).finditer(text), MOST_JOINTS):
        head, tail = text[: joint.start()], text[joint.end() :]
        if _apart(head, tail, claim_words(lang), closed=";" in joint.group()):
            yield head, tail


def _apart(head: str, tail: str, words: ClaimWords, *, closed: bool) -> bool:
    """Whether two sides say joined what they say by themselves; ``closed``: by a semicolon.

    No word of the second points back, and behind an 'and' nothing of one side may hold for both.
    """
    if words.pronouns.search(tail) or words.back.search(tail):
        return False
    if closed:
        return True
    scopes = [words.limits[name] for name in _SCOPES if name in words.limits]
    scopes += [words.comparison[name] for name in _TIMES if name in words.comparison]
    first = head.split(maxsplit=1)[:1]
    is_set = "," in head or any(each.casefold() in words.prepositions for each in first)
    in_front = is_set or words.denies.search(head)
    return not in_front and not any(each.search(f"{head} {tail}") for each in scopes)


@cache
def _joint(lang: Lang) -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(claim_words(lang).joins))) or "(?!)"
    return re.compile(rf"\s*;\s+(?:(?:{words})\s+)?|,?\s+(?:{words})\s+", re.IGNORECASE)
