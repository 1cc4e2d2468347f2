"""Small talk: what asks nothing of the sources, in any language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from elysia_guard.language.pack import packs
from elysia_guard.language.pack_files import SmallTalkWords
from elysia_guard.language.phrases import compiled
from elysia_guard.language.text import words

KINDS = tuple(name for name in SmallTalkWords._fields if name != "joins")
"""The kinds of small talk, the most telling first."""


def small_talk(text: str) -> str:
    """Name the most telling small talk in a text that is nothing else; empty for any other.

    >>> small_talk("Hello! Who are you?"), small_talk("Merci beaucoup"), small_talk("What is CIM?")
    ('identity', 'thanks', '')
    """
    rest = " ".join(words(text)).replace("' ", "'")
    found = set()
    while rest:
        matches = [(form.match(rest), kind) for kind, form in _forms()]
        end, kind = max(((match.end(), kind) for match, kind in matches if match), default=(0, ""))
        if not end:
            return ""
        found.add(kind)
        rest = _joins().sub("", rest[end:].strip())
    return next((kind for kind in KINDS if kind in found), "")


def talk_in(text: str) -> str:
    """Name the most telling small talk that a text holds beside other words; ``help`` for none.

    >>> talk_in("You saved me a walk there, cheers"), talk_in("survived the weekend?")
    ('thanks', 'help')
    """
    said = words(text)
    rests = [" ".join(said[place:]).replace("' ", "'") for place in range(len(said))]
    return next((kind for kind, form in _forms() if any(map(form.match, rests))), "help")


@cache
def _forms() -> Sequence[tuple[str, re.Pattern[str]]]:
    """The forms of each kind in each language: the one that says most is taken."""
    return [
        (kind, compiled(rf"({'|'.join(getattr(item.talk, kind))})(?=\s|$)"))
        for kind in KINDS
        for item in packs().values()
    ]


@cache
def _joins() -> re.Pattern[str]:
    said = "|".join(word for item in packs().values() for word in item.talk.joins)
    return compiled(rf"^({said}|:) (?=\w)")
