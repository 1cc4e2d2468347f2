"""The sentences a person reads, in English, Dutch and German, from ``messages/*.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from elysia_guard.domain.question import Lang


@cache
def catalogue(lang: Lang) -> dict[str, str]:
    """Return all messages of a language, keys flattened with dots ('refusal.no_results')."""
    text = files(__package__).joinpath("messages", f"{lang}.toml").read_text(encoding="utf-8")
    return dict(_flatten(tomllib.loads(text), ""))


def say(lang: Lang, key: str, /, **values: object) -> str:
    """Return one message with its values filled in.

    Raises:
        KeyError: there is no such message, or it asks for a value that is not given.
    """
    return catalogue(lang)[key].format_map(values)


def has(key: str) -> bool:
    """Tell whether there is such a message (a test keeps the languages alike)."""
    return key in catalogue("en")


def _flatten(table: dict[str, Any], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for key, value in table.items():
        path = f"{prefix}.{key}" if prefix else key
        flat.extend(_flatten(value, path) if isinstance(value, dict) else [(path, str(value))])
    return flat
