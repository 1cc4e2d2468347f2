"""The settings of a house, and the kinds of documents that it says it has."""

from __future__ import annotations

import os
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.config import Config
from elysia_guard.domain.own_kinds import OwnKinds, under
from elysia_guard.language.own_kinds import own_kinds, read_kinds


def settings(path: Path | None) -> Config:
    """Read a configuration, under the kinds of documents that ``kinds.toml`` beside it names.

    Raises:
        ConfigError: either is not usable; the message names file, key and value.
    """
    with under(kinds_of(path)):
        return configuration.load(path)


def kinds_of(path: Path | None) -> OwnKinds:
    """Read which kinds of documents the house has that some settings are of.

    Raises:
        PackError: ``kinds.toml`` is not usable.
    """
    file = path or configuration.chosen(os.environ)
    return read_kinds(configuration.kinds_file(file, os.environ))


def of_house(config: Config) -> Config:
    """Return settings that were read elsewhere with the kinds of this process, if with none."""
    return config if config.has_kinds else config.under(own_kinds())
