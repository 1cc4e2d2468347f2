"""Files of a language pack that hold roles of words, held against the English ones.

What English has nothing for may be left out. Open are the prepositions of ``adverbs``, and what
languages are called, which ``messages.toml`` says of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from elysia_guard.language.pack_reader import PackError, words_in
from elysia_guard.language.phrases import compiled

_OPEN: Final = frozenset({"adverbs", "languages"})
"""Sections whose keys are words, or codes of languages."""
LANGUAGE: Final = "lang_"
"""What a key begins with that says how documents in a language are asked for."""
_SLOT: Final = re.compile(r"\{([a-z]+)\}")


def held_against(
    found: Mapping[str, Any], english: Mapping[str, Any], where: str
) -> dict[str, Any]:
    """Return what a file says, with every key that the English one has.

    Args:
        found: what it says.
        english: what the English one says.
        where: file and section, for errors.

    Raises:
        PackError: a key is unknown or missing, or its value of another type.
    """
    held: dict[str, Any] = {}
    for key, model in english.items():
        if key in found:
            held[key] = _value(found[key], model, f"{where}: {key}", is_open=key in _OPEN)
        elif key.startswith(LANGUAGE):
            continue
        elif model and key not in _OPEN:
            raise PackError(f"{where}: '{key}' is missing")
        else:
            held[key] = {} if key in _OPEN else model
    further = [key for key in found if key not in held]
    for key in further:
        if not key.startswith(LANGUAGE):
            raise PackError(f"{where}: '{key}' is not a key that is known")
        held[key] = words_in(found[key], f"{where}: {key}")
    return held


def emptied(english: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file that says nothing, with every key that the English one has.

    >>> emptied({"refers": {"it": ["it"]}, "own": "of {it}"})
    {'refers': {'it': []}, 'own': ''}
    """
    return {
        key: emptied(value) if isinstance(value, Mapping) else type(value)()
        for key, value in english.items()
    }


def with_languages(name: str, table: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Add what languages are called to a file that asks for them, where it does not say.

    >>> with_languages("listings", {"lang_cy": ["welsh"]}, {"cy": "Welsh", "ga": "Irish"})
    {'lang_cy': ['welsh'], 'lang_ga': ['irish*']}
    """
    said = {code: name.casefold() for code, name in names.items()}
    if name == "listings":
        return {f"{LANGUAGE}{code}": [f"{each}*"] for code, each in said.items()} | table
    if name == "followups":
        own = {code: [each] for code, each in said.items()} | table["languages"]
        return {**table, "languages": own}
    return table


def phrases_of(table: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    """Every text that a file holds, with file and key."""
    for key, value in table.items():
        at = f"{where}: {key}"
        if isinstance(value, dict):
            yield from phrases_of(value, at)
        elif isinstance(value, list):
            yield from ((at, str(each)) for each in value)


def hold_slots(found: Mapping[str, Any], english: Mapping[str, Any], where: str) -> None:
    """Hold what stands in braces in the forms of a question against the English ones.

    Raises:
        PackError: a form lacks a place that each English one has, or has one that none has.
    """
    wanted: dict[str, list[set[str]]] = {}
    for at, phrase in phrases_of(english, where):
        wanted.setdefault(at, []).append(set(_SLOT.findall(phrase)))
    for at, phrase in phrases_of(found, where):
        slots = set(_SLOT.findall(phrase))
        needed, known = set.intersection(*wanted[at]), set.union(*wanted[at])
        if wrong := sorted(slots - known):
            raise PackError(f"{at}: '{phrase}' has '{{{wrong[0]}}}'; that is no place there")
        if lacking := sorted(needed - slots):
            raise PackError(f"{at}: '{phrase}' has no place for '{{{lacking[0]}}}'")


def hold_patterns(found: Mapping[str, Any], where: str) -> None:
    """Try whether the phrases of a file can be read as patterns.

    Raises:
        PackError: a bracket is not closed, or the like.
    """
    for at, phrase in phrases_of(found, where):
        try:
            compiled(phrase)
        except re.error as err:
            raise PackError(f"{at}: '{phrase}' cannot be read: {err}") from err


def _value(value: object, model: object, where: str, *, is_open: bool) -> Any:
    if isinstance(model, dict):
        if not isinstance(value, dict):
            raise PackError(f"{where}: is {value!r}; it must be a section")
        if is_open:
            return {key: words_in(each, f"{where}: {key}") for key, each in value.items()}
        return held_against(value, model, where)
    if isinstance(model, list):
        return words_in(value, where)
    if type(value) is not type(model):
        wanted = "true or false" if isinstance(model, bool) else "a string"
        raise PackError(f"{where}: is {value!r}; it must be {wanted}")
    return value
