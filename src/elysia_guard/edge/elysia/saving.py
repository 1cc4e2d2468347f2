"""A saved conversation, without the keys of whoever held it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from elysia_guard.edge.elysia.host import Settings

_KEY = "WCD_API_KEY"
_KEYS = "API_KEYS"


def own_settings() -> Settings:
    """The settings of this process, which a tree has where it is given none."""
    from elysia.config import settings

    own: Settings = settings
    return own


def without_keys(saved: dict[str, Any]) -> dict[str, Any]:
    """Return an exported tree with no key in its settings; Elysia writes them in clear, twice."""
    return _with(saved, lambda own: {**own, _KEY: "", _KEYS: dict.fromkeys(own.get(_KEYS, {}), "")})


def with_keys(saved: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return a tree to import, with the keys of these settings."""

    def lent(own: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in own.get(_KEYS, {}).items() if value}
        key = settings.WCD_API_KEY or own.get(_KEY, "")
        return {**own, _KEY: key, _KEYS: {**kept, **settings.API_KEYS}}

    return _with(saved, lent)


def _with(saved: dict[str, Any], change: Any) -> dict[str, Any]:
    shown = dict(saved)
    for holder in _holders(shown):
        holder["settings"] = change(holder["settings"])
    return shown


def _holders(shown: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Where settings stand; each is a copy, so that the tree's own stay as they are."""
    if isinstance(shown.get("settings"), Mapping):
        yield shown
    if isinstance(inner := shown.get("tree_data"), Mapping) and "settings" in inner:
        shown["tree_data"] = dict(inner)
        yield shown["tree_data"]
