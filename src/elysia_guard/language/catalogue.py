"""The sentences a person reads, in their language, from the packs' ``messages.toml``."""

from __future__ import annotations

from collections.abc import Mapping

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import SPOKEN_FIRST, langs, language_names, pack


def catalogue(lang: Lang) -> Mapping[str, str]:
    """Return all messages of a language, keys flattened with dots ('refusal.no_results')."""
    return pack(lang).messages


def say(lang: Lang, key: str, /, **values: object) -> str:
    """Return one message with its values filled in.

    Raises:
        KeyError: there is no such message, or it asks for a value that is not given.
    """
    return pack(lang).messages[key].format_map(values)


def has(key: str) -> bool:
    """Tell whether there is such a message (the packs are held alike)."""
    return key in catalogue(SPOKEN_FIRST)


def called(lang: Lang, named: str) -> str:
    """Name a language in the words of another; by its own name where CLDR knows none.

    >>> called("en", "nl")
    'Dutch'
    """
    own = pack(named).core.name if named in langs() else named
    return language_names(lang).get(named, own)


def languages(lang: Lang) -> str:
    """Name every language that a question may be in.

    >>> "Dutch" in languages("en")
    True
    """
    return ", ".join(called(lang, each) for each in langs())
