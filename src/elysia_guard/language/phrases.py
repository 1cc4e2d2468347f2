"""Phrases as people say them, made into regular expressions."""

from __future__ import annotations

import re
from typing import Final

_PARTS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| \??|'|\((?!\?)", re.DOTALL)
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
