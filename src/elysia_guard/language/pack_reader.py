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
    given = dict(table)
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


def _value(kind: Any, value: object, where: str) -> Any:
    if hasattr(kind, "_fields"):
        return read_section(kind, value, where)
    if kind == Words:
        return tuple(words_in(value, where))
    if get_origin(kind) is tuple and isinstance(value, list):
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return tuple(_value(inner[0], item, where) for item in value)
        if len(inner) == len(value):
            return tuple(_value(one, item, where) for one, item in zip(inner, value, strict=True))
    if isinstance(kind, type) and type(value) is kind:
        return value
    raise PackError(f"{where}: is {value!r}; it must be {_called(kind)}")


def words_in(value: object, where: str) -> list[str]:
    """Read words in one string, or a list of phrases.

    Raises:
        PackError: it is neither.
    """
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value):
        return value
    raise PackError(f"{where}: is {value!r}; it must be words in one string, or a list of phrases")


def _called(kind: Any) -> str:
    return {str: "a string", int: "a number", bool: "true or false"}.get(kind, "a list")
