"""Whether a sentence is several of its source joined, each of which says the same without the rest.

Joined, a sentence may say what it does not say by itself: a pronoun then stands for what was named
last, a condition before an 'and' holds for both sides, an item of a list is said of another list's
subject. Where that may be, nothing is joined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_words import ClaimWords, claim_words
from elysia_guard.stages.verification.claims.evidence import Evidence

MOST_JOINTS = 6
"""So many places where a sentence may be joined of two are looked at."""
_SCOPES = ("condition", "exception", "only")
_TIMES = ("before", "after")

IsSaid = Callable[[str, Sequence[tuple[str, Lang]]], bool]
"""Whether one of some texts, each in its language, says a sentence."""
Unit = tuple[str, Lang, int]
"""A text of a source, its language, and the list that it is an item of."""


def is_joined(text: str, evidence: Evidence, is_said: IsSaid) -> bool:
    """Tell whether a sentence is several joined by 'and' or a semicolon, each said by its own text.

    They are of one source and in its order: sentences, or items of one list.
    """
    if not evidence.is_one:
        return False
    found = zip(evidence.units, evidence.langs, evidence.lists, strict=True)
    return _is_joined(text, list(dict.fromkeys(found)), is_said)


def _is_joined(text: str, units: Sequence[Unit], is_said: IsSaid) -> bool:
    if len(units) < 2:  # noqa: PLR2004
        return False
    lang = units[0][1]
    for joint in islice(_joint(lang).finditer(text), MOST_JOINTS):
        head, tail = text[: joint.start()], text[joint.end() :]
        if not _apart(head, tail, claim_words(lang), closed=";" in joint.group()):
            continue
        at = next((n for n, one in enumerate(units) if is_said(head, [one[:2]])), len(units))
        later = [one for one in units[at + 1 :] if one[2] == units[at][2]]
        if later and (
            is_said(tail, [one[:2] for one in later]) or _is_joined(tail, later, is_said)
        ):
            return True
    return False


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
