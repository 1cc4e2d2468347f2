"""What stands around the guard: packages, Elysia, a model, Weaviate. Nothing here is imported."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from elysia_guard import __version__
from elysia_guard.adapters.bounded import read_bounded

PACKAGES = ("click", "dspy", "httpx", "numpy", "pydantic", "pyoxigraph", "rich", "weaviate-client")
# The names under which Elysia looks for a model and for Weaviate; values are never shown.
MODELS = ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER")
WEAVIATE = ("WCD_URL", "WCD_API_KEY", "WEAVIATE_IS_LOCAL", "WEAVIATE_IS_CUSTOM", "CUSTOM_HTTP_HOST")

MAX_BYTES = 1_000_000
"""Of a .env file."""
_ASSIGNED = re.compile(r"^[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*\S", re.MULTILINE)


class PartState(StrEnum):
    """How a part is."""

    OK = "ok"
    MISSING = "missing"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Check:
    """One part and its state; without a ``needed`` part the guard cannot answer."""

    part: str
    state: PartState
    text: str
    _: KW_ONLY
    needed: bool = False
    rows: tuple[tuple[str, ...], ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


def program() -> Check:
    """Name the versions."""
    found = {name: shown for name in PACKAGES if (shown := _version(name))}
    packages = ", ".join(f"{name} {number}" for name, number in found.items())
    python = platform.python_version()
    text = f"elysia-guard {__version__}, Python {python}; {packages}"
    data = {"version": __version__, "python": python, "packages": found}
    return Check("program", PartState.OK, text, data=data)


def elysia() -> Check:
    """Look for Elysia without importing it, which takes seconds and reads a .env file."""
    found = _version("elysia-ai")
    if not found:
        text = "elysia-ai is not installed: no tree and no chat (pip install elysia-ai)"
        return Check("elysia", PartState.MISSING, text)
    pinned = _pinned("elysia-ai")
    data = {"version": found, "tested_with": pinned}
    if pinned and pinned != found:
        text = f"elysia-ai {found}; the guard is tested with {pinned}"
        return Check("elysia", PartState.ERROR, text, data=data)
    return Check("elysia", PartState.OK, f"elysia-ai {found}", data=data)


def language_model() -> Check:
    """Say whether Elysia will find a model."""
    found = _set([*MODELS, "MODEL_API_BASE"])
    names = [*found, *sorted(name for name in _known() if _is_model_key(name))]
    data = {"variables": names}
    lacking = [name for name in MODELS if name not in found]
    if not lacking:
        text = f"set: {', '.join(names)}"
        return Check("LLM", PartState.OK, text, data=data)
    given = f"set: {', '.join(names)}; " if names else ""
    text = f"{given}not set: {', '.join(lacking)}; answers are quoted from the sources"
    return Check("LLM", PartState.MISSING, text, data=data)


def weaviate() -> Check:
    """Say whether Elysia will find a Weaviate."""
    names = _set(WEAVIATE)
    if not {"WCD_URL", "WEAVIATE_IS_LOCAL", "CUSTOM_HTTP_HOST"} & set(names):
        text = "not configured (WCD_URL): none for Elysia's own tools; the guard needs none"
        return Check("Weaviate", PartState.MISSING, text, data={"variables": names})
    text = f"set: {', '.join(names)}"
    return Check("Weaviate", PartState.OK, text, data={"variables": names})


def _set(names: Sequence[str]) -> list[str]:
    known = _known()
    return [name for name in names if name in known]


def _known() -> set[str]:
    """Name the variables that Elysia will see: the environment, and a .env file in this folder."""
    names = {name for name, value in os.environ.items() if value}
    try:
        text = read_bounded(Path(".env"), MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return names
    return names | set(_ASSIGNED.findall(text))


def _is_model_key(name: str) -> bool:
    return name.endswith("_API_KEY") and name != "WCD_API_KEY"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _pinned(package: str) -> str:
    """Return the exact version that our own metadata ask for, if we are installed."""
    try:
        needed = requires("elysia-guard") or []
    except PackageNotFoundError:
        return ""
    exact = (item.partition("==") for item in needed)
    return next((number for name, _, number in exact if name.strip() == package), "")
