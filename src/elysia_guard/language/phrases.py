"""Phrases as people say them, made into regular expressions."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

_PARTS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| \??|'|\((?!\?)", re.DOTALL)
_OPEN: Final = re.compile(r"\\.|\[[^\]]*\]|.?\{\d[^}]*\}|\{\w+\}|[^()|][?*]")
"""What need not stand there as it is written."""
_INNERMOST: Final = re.compile(r"\(([^()]*)\)([?*]?)")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_WRITTEN: Final = {" ": r"\s+", " ?": r"\s*", "'": "['\u2019]", "(": "(?:"}


def spoken(phrase: str) -> str:
    r"""Write a phrase as a regular expression.

    A space is any white space, an apostrophe one of any kind, and round brackets only group; a
    space and a question mark are white space or none. All else is as in ``re``; so what is a
    regular expression already stays as it is.

    >>> spoken("(don't|do not) know")
    "(?:don['’]t|do\\s+not)\\s+know"
    """
    return _PARTS.sub(lambda found: _WRITTEN.get(found.group(), found.group()), phrase)


def compiled(phrase: str) -> re.Pattern[str]:
    """Compile a phrase, without regard to case."""
    return re.compile(spoken(phrase), re.IGNORECASE)


class Form:
    """A phrase that is not compiled before a text has the words that it cannot do without."""

    def __init__(self, phrase: str, filled: str) -> None:
        """Take a phrase with slots, and the same with patterns in them."""
        self._filled, self._needed = filled, needed(phrase)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return compiled(self._filled)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match all of a text, without regard to case."""
        small = text.casefold()
        for either in self._needed:
            for word in either:
                if word in small:
                    break
            else:
                return None
        return self._pattern.fullmatch(text)


def needed(phrase: str) -> list[tuple[str, ...]]:
    """Return words of which a text must hold one each for a phrase to stand in it.

    >>> needed("what (do|does) {term} (mean|stand for)( here)?")
    [('what',), ('mean', 'stand'), ('do', 'does')]
    """
    groups: dict[str, list[str]] = {}

    def closed(group: re.Match[str]) -> str:
        longest = [max(_LETTERS.findall(each), key=len, default="") for each in group[1].split("|")]
        if group[2] or group[1].startswith("?") or not all(longest):
            return "\0"
        groups[sign := chr(0xE000 + len(groups))] = longest
        return sign

    text = _OPEN.sub("\0", phrase.casefold())
    while (inner := _INNERMOST.sub(closed, text)) != text:
        text = inner
    words = [[each] for each in _LETTERS.findall(text)] + [groups[c] for c in text if c in groups]
    found = [] if "|" in text else map(tuple, words)
    return sorted(found, key=lambda either: -min(map(len, either)))
