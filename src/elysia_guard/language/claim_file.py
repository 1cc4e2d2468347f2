"""``claims.toml`` of a language pack, held to its shape: errors name file, section and key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.phrases import spoken

WORDS: Final = ("units", "adjectives", "often", "polarity", "voice")
"""Sections in which each key holds words in one string."""
PHRASES: Final = ("modality", "comparison", "limits", "joints", "asides", "sides", "ties")
"""Sections in which each key holds a list of phrases."""
DENIED_MUST: Final = ("forbidden", "free")


@cache
def claim_file(lang: Lang) -> Mapping[str, Any]:
    """Return the sections of a language's file; none where it has no such file, or no pack.

    Raises:
        PackError: the file cannot be read, or a section or key is not as it must be.
    """
    if lang not in langs():
        return {}
    found = pack(lang).table("claims", optional=True)
    hold(found, f"language pack {lang}/claims.toml")
    return found


def hold(found: Mapping[str, Any], where: str) -> None:
    """Hold what a file says to its shape.

    Args:
        found: its sections.
        where: the file, for errors.

    Raises:
        PackError: a section is unknown, or a value of another type than it must be.
    """
    for name, section in found.items():
        if name not in {"numbers", *WORDS, *PHRASES}:
            raise PackError(f"{where}: '{name}' is not a key that is known")
        if not isinstance(section, dict):
            raise PackError(f"{where}: {name}: is {section!r}; it must be a section")
        for key, value in section.items():
            _hold_value(name, key, value, f"{where}: {name}: {key}")


def _hold_value(section: str, key: str, value: object, where: str) -> None:
    if (section, key) == ("modality", "denied_must"):
        if value not in DENIED_MUST:
            raise PackError(f"{where}: is {value!r}; it must be {' or '.join(DENIED_MUST)}")
    elif section in PHRASES:
        _hold_phrases(value, where)
    elif section == "numbers" and isinstance(value, dict):
        for number, said in value.items():
            if not number.isdecimal() or not isinstance(said, str):
                raise PackError(f"{where}: {number} is {said!r}; it must be a number and its words")
    elif not isinstance(value, str):
        raise PackError(f"{where}: is {value!r}; it must be words in one string")


def _hold_phrases(value: object, where: str) -> None:
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        raise PackError(f"{where}: is {value!r}; it must be a list of phrases")
    for phrase in value:
        try:
            re.compile(spoken(phrase))
        except re.error as err:
            raise PackError(f"{where}: {phrase!r} is no phrase: {err}") from err
