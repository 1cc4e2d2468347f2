"""Reading the settings: YAML, the environment, and errors that name file, key and value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from elysia_guard.domain.errors import ConfigError

PREFIX = "ELYSIA_GUARD_"
SECRETS = ("_API_KEY", "_TOKEN", "_API_BASE")
"""Elysia takes variables of these endings out of the environment; none of them is a setting."""

LANGUAGES = f"{PREFIX}LANGUAGES"
"""The folder of language packs of one's own, which ``language.pack`` reads."""
ACCESS = (f"{PREFIX}SECRET", f"{PREFIX}ADMIN_SECRET")
"""What lets people into the web chat: secrets, which no file holds and nothing shows."""

Model = TypeVar("Model", bound=BaseModel)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a file that holds a mapping.

    Raises:
        ConfigError: it is missing, cannot be read, or holds something else.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as err:
        raise ConfigError(f"{path}: there is no such file; name one with --config") from err
    except (OSError, UnicodeDecodeError) as err:
        raise ConfigError(f"{path}: cannot be read: {err}") from err
    except yaml.YAMLError as err:
        raise ConfigError(f"{path}: is not valid YAML: {err}") from err
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: holds no settings; it must be a mapping of keys to values")
    return raw


def apply_environment(raw: dict[str, Any], env: Mapping[str, str]) -> None:
    """Let ``ELYSIA_GUARD_INDEX__PATH`` override ``index.path``, and so on."""
    for name, value in sorted(env.items()):
        elsewhere = name in {f"{PREFIX}CONFIG", LANGUAGES, *ACCESS} or name.endswith(SECRETS)
        if elsewhere or not name.startswith(PREFIX):
            continue
        *parents, key = name.removeprefix(PREFIX).lower().split("__")
        section = raw
        for parent in parents:
            section = section.setdefault(parent, {})
            if not isinstance(section, dict):
                raise ConfigError(f"{name}: '{parent}' is not a section of the configuration")
        try:
            section[key] = yaml.safe_load(value) if value else None
        except yaml.YAMLError as err:
            raise ConfigError(f"{name}: its value is not valid YAML: {err}") from err


def validate(model: type[Model], raw: dict[str, Any], path: Path) -> Model:
    """Make a section of what was read.

    Raises:
        ConfigError: a key is unknown, missing, or its value out of range.
    """
    try:
        return model.model_validate(raw)
    except ValidationError as err:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])} is {_shown(item)}: {item['msg']}"
            for item in err.errors()
        )
        raise ConfigError(f"{path}: {problems}") from err


def _shown(item: ErrorDetails) -> str:
    """Show a value that is wrong, unless it may be a key that somebody wrote into the file."""
    value, names = item["input"], " ".join(str(part) for part in item["loc"]).lower()
    if isinstance(value, dict):
        return f"a section of {', '.join(map(str, value)) or 'nothing'}"
    secret = any(word in names for word in ("key", "token", "secret", "password"))
    return "not shown" if secret else repr(value)
