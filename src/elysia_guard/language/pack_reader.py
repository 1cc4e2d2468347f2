"""How a file of a language pack becomes its sections, with errors that name file, key and value.

A string is read as the words in it, a list as phrases. A phrase is a small regular expression: it
may use round brackets, ``|`` and ``?``, and a blank in it is any white space
(``language.phrases.spoken``).
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from elysia_guard.domain.errors import ConfigError

Words = tuple[str, ...]
Apart = tuple[tuple[str, str], ...]
"""Pairs of phrases, however far apart."""

PLACES = tuple(map(str, range(1, 11)))


class PackError(ConfigError):
    """A language pack is missing, incomplete or wrong; the message names file, key and value."""


def read_section(cls: type[Any], table: object, where: str) -> Any:
    """Make a section of a table, and what lies in it.

    Args:
        cls: the section's class, a named tuple.
        table: what the file says.
        where: file and key, for errors.

    Raises:
        PackError: a key is unknown or missing, or its value of another type.
    """
    if not isinstance(table, dict):
        raise PackError(f"{where}: is {table!r}; it must be a section")
    given = _places(table, where) if "places" in cls._fields else dict(table)
    hints = _hints(cls)  # type: ignore[arg-type]
    values = {}
    for name in cls._fields:
        key = name.rstrip("_")
        if key in given:
            values[name] = _value(hints[name], given.pop(key), f"{where}: {key}")
        elif name not in cls._field_defaults:
            raise PackError(f"{where}: '{key}' is missing")
    if given:
        raise PackError(f"{where}: '{next(iter(given))}' is not a key that is known")
    return cls(**values)


_hints = cache(get_type_hints)


def _places(table: dict[str, Any], where: str) -> dict[str, Any]:
    """Read '1' to '10' as one list of places."""
    rest = dict(table)
    if missing := [place for place in PLACES if place not in rest]:
        raise PackError(f"{where}: '{missing[0]}' is missing")
    return rest | {"places": [rest.pop(place) for place in PLACES]}


def _value(kind: Any, value: object, where: str) -> Any:
    if hasattr(kind, "_fields"):
        return read_section(kind, value, where)
    if kind == Words:
        return _words(value, where)
    if get_origin(kind) is tuple and isinstance(value, list):
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return tuple(_value(inner[0], item, where) for item in value)
        if len(inner) == len(value):
            return tuple(_value(one, item, where) for one, item in zip(inner, value, strict=True))
    if isinstance(kind, type) and type(value) is kind:
        return value
    raise PackError(f"{where}: is {value!r}; it must be {_called(kind)}")


def _words(value: object, where: str) -> Words:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value):
        return tuple(value)
    raise PackError(f"{where}: is {value!r}; it must be words in one string, or a list of phrases")


def _called(kind: Any) -> str:
    return {str: "a string", int: "a number", bool: "true or false"}.get(kind, "a list")
