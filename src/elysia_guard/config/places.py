"""Where settings are read from, and where the program keeps what it makes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import platformdirs

from elysia_guard.config.files import LANGUAGES, PREFIX
from elysia_guard.domain.errors import ConfigError

SETTINGS = Path("config") / "guard.yaml"
KINDS = "kinds.toml"
FOLDER = "languages"
"""Beside the settings: languages of one's own, and what the house calls its kinds."""


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
    """Where what is made is kept: beside the settings, and in no installed package."""
    if base != _installed():
        return base
    return platformdirs.user_data_path("elysia-guard", appauthor=False)


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
