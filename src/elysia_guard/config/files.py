"""Where settings are read from, and how: YAML, the environment, errors with file, key and value."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

try:
    from yaml import CSafeLoader as FastLoader
except ImportError:  # where PyYAML was built without libyaml
    from yaml import SafeLoader as FastLoader  # type: ignore[assignment]

from elysia_guard.config.base import Folders
from elysia_guard.domain.errors import ConfigError

PREFIX = "ELYSIA_GUARD_"
SECRETS = ("_API_KEY", "_TOKEN", "_API_BASE")
"""Elysia takes variables of these endings out of the environment; none of them is a setting."""

LANGUAGES = f"{PREFIX}LANGUAGES"
"""The folder of language packs of one's own, which ``language.pack`` reads."""
ACCESS = (f"{PREFIX}SECRET", f"{PREFIX}ADMIN_SECRET")
"""What lets people into the web chat: secrets, which no file holds and nothing shows."""

SETTINGS = Path("config") / "guard.yaml"
KINDS = "kinds.toml"
FOLDER = "languages"
"""Beside the settings: languages of one's own, and what the house calls its kinds."""
_NAMED_IN_ADDRESS = re.compile(r"//\S*@")

Model = TypeVar("Model", bound=BaseModel)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a file that holds a mapping.

    Raises:
        ConfigError: it is missing, cannot be read, or holds something else.
    """
    try:
        raw = parse_yaml(path.read_text(encoding="utf-8"))
    except FileNotFoundError as err:
        raise ConfigError(f"{path}: there is no such file; name one with --config") from err
    except (OSError, UnicodeDecodeError) as err:
        raise ConfigError(f"{path}: cannot be read: {err}") from err
    except yaml.YAMLError as err:
        raise ConfigError(f"{path}: is not valid YAML: {err}") from err
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: holds no settings; it must be a mapping of keys to values")
    return raw


def parse_yaml(text: str) -> Any:
    """Return what a text of YAML holds.

    The parser in C takes a fifteenth of the time, and the limits are read three times at a start.
    What it turns down the other one names, with the line as it stands.

    Raises:
        yaml.YAMLError: it is not valid YAML.
    """
    try:
        return yaml.load(text, Loader=FastLoader)
    except yaml.YAMLError:
        return yaml.safe_load(text)


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


def validate(
    model: type[Model], raw: dict[str, Any], path: Path, folders: Folders | None = None
) -> Model:
    """Make a section of what was read, its relative paths taken from the folders.

    Raises:
        ConfigError: a key is unknown, missing, or its value out of range.
    """
    try:
        return model.model_validate(raw, context=folders)
    except ValidationError as err:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])} is {_shown(item)}: {item['msg']}"
            for item in err.errors()
        )
        raise ConfigError(f"{path}: {problems}") from err


def _shown(item: ErrorDetails) -> str:
    """Show a value that is wrong, but no key that somebody wrote into the file or an address."""
    value, names = item["input"], " ".join(str(part) for part in item["loc"]).lower()
    if isinstance(value, dict):
        return f"a section of {', '.join(map(str, value)) or 'nothing'}"
    secret = any(word in names for word in ("key", "token", "secret", "password"))
    return "not shown" if secret else _NAMED_IN_ADDRESS.sub("//\u2026@", repr(value))


def home() -> Path:
    """The folder that holds ``config`` and ``data``: the checkout, or what the wheel brought."""
    checkout = Path(__file__).resolve().parents[3]
    return checkout if (checkout / SETTINGS).is_file() else _installed()


def chosen(env: Mapping[str, str]) -> Path:
    """The settings where none are named: of the environment, of this folder, or that ship."""
    if named := env.get(f"{PREFIX}CONFIG"):
        return Path(named)
    return SETTINGS.absolute() if SETTINGS.is_file() else home() / SETTINGS


def shipped_thresholds() -> Path:
    """The limits where none are named."""
    return home() / "config" / "thresholds.yaml"


def kept_below(base: Path) -> Path:
    """Where what is made is kept: beside the settings, and in no installed package.

    Beside settings that were installed that is a folder below ``XDG_DATA_HOME``, by default
    ``~/.local/share``.
    """
    if base != _installed():
        return base
    data = os.environ.get("XDG_DATA_HOME", "").strip() or Path("~/.local/share").expanduser()
    return Path(data) / "elysia-guard"


def kinds_file(file: Path, env: Mapping[str, str]) -> Path:
    """Where the house that some settings are of says what its kinds of documents are."""
    named = env.get(LANGUAGES, "").strip()
    return (Path(named) if named else file.absolute().parent / FOLDER) / KINDS


def check_languages(file: Path, env: Mapping[str, str]) -> None:
    """Tell where languages beside the settings are not read, which happens when a program starts.

    Raises:
        ConfigError: they are beside settings that neither the environment nor the folder names.
    """
    beside = file.resolve().parent / FOLDER
    if env.get(LANGUAGES) or not beside.is_dir() or file.resolve() == chosen(env).resolve():
        return
    if not any(item.is_dir() for item in beside.iterdir()):
        return  # what it calls its kinds of documents belongs to the settings
    raise ConfigError(
        f"{beside} is read where a program starts above its 'config', not for settings that are "
        f"named later; set {LANGUAGES}={beside}"
    )


def _installed() -> Path:
    return Path(__file__).resolve().parents[1] / "_data"
