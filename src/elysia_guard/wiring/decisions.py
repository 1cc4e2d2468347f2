"""The decision log of a configuration: where it is, what it keeps, and what decisions rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.profiles import DEFAULT

# SQLAlchemy takes a quarter of a second to import, and most configurations keep no log.
if TYPE_CHECKING:
    from elysia_guard.adapters.decision_log import DecisionLog, DecisionWriter
    from elysia_guard.adapters.decision_log.entry import Settings

FILE = "decisions.sqlite"
WRITER_WAITS_S = 30.0
"""For another that writes: long enough for a file that is being compacted."""


def log_of(config: Config, *, wait_s: float = 5.0) -> DecisionLog:
    """Return the log that a configuration names; nothing is opened yet.

    Raises:
        ConfigError: it names none, or one that cannot be.
    """
    section = config.decision_log
    if section is None:
        raise ConfigError(
            "no decision log is kept: no decision is stored unless guard.yaml says so; "
            "write 'decision_log: {retention_days: 30}' there, and ask again"
        )
    from elysia_guard.adapters.decision_log import DecisionLog

    beside = f"sqlite:///{config.index.path.with_name(FILE).absolute()}"
    return DecisionLog.at(section.url or beside, wait_s=wait_s)


def writer_of(config: Config, *, model: Callable[[], str], index: str) -> DecisionWriter | None:
    """Return who writes the log; None where none is kept, or an evaluation asks.

    Args:
        config: says where, what and for how long.
        model: names the model of the vectors, once it is known.
        index: where the index is, as a person calls it.

    Raises:
        ConfigError: the log or the candidate limits cannot be had.
    """
    section = config.decision_log
    if section is None or config.test_triggers:
        return None
    from elysia_guard.adapters.decision_log import DecisionWriter, Keeping
    from elysia_guard.adapters.decision_log.entry import Settings

    hashes, program = (config_hash(config), shadow_hash(config)), program_version()

    def settings() -> Settings:
        return Settings(
            config_hash=hashes[0],
            shadow_hash=hashes[1],
            index=_state(config, index),
            model=model(),
            program=program,
        )

    days = section.retention_days
    return DecisionWriter(
        log_of(config, wait_s=WRITER_WAITS_S),
        settings,
        keeping=Keeping(
            texts=config.log_queries == "full",
            retention=None if days is None else timedelta(days=days),
        ),
    )


def config_hash(config: Config) -> str:
    """Return the hash of everything that can change a decision.

    Another profile counts with its rules, and a house with its kinds; the default one adds nothing,
    nor does a house without kinds of its own, so that the hashes of decisions from before there
    were any stay what they are.

    Raises:
        ConfigError: the limits cannot be read.
    """
    from elysia_guard.adapters.decision_log.fingerprint import deciding, fingerprint

    settings = config.model_dump(mode="json", exclude={"profile", "profile_limits"})
    rules = () if config.policy == DEFAULT else (asdict(config.policy),)
    house = ({"kinds": config.kinds.digest},) if config.kinds.digest else ()
    return fingerprint(deciding(settings), _limits(config.thresholds), *rules, *house)


def shadow_hash(config: Config) -> str:
    """Return the hash of the candidate limits; empty without any.

    Raises:
        ConfigError: they cannot be read.
    """
    from elysia_guard.adapters.decision_log.fingerprint import fingerprint

    path = config.shadow_thresholds
    return fingerprint(_limits(path)) if path else ""


def _limits(path: Path) -> dict[str, object]:
    """Return the limits of a file; where they were fitted changes no decision."""
    return configuration.read_thresholds(path).model_dump(mode="json", exclude={"fitted"})


def _state(config: Config, place: str) -> str:
    """Name the index, and where it is a file the moment it was moved into place (ADR 0007)."""
    if config.index.kind != "sqlite":
        return place
    try:
        moved = datetime.fromtimestamp(config.index.path.stat().st_mtime, UTC)
    except OSError:
        return place
    return f"{config.index.path.name} of {moved:%Y-%m-%dT%H:%M:%SZ}"


def program_version() -> str:
    """Name the version of this program, as far as it was installed."""
    try:
        return version("elysia-guard")
    except PackageNotFoundError:
        return "unknown"
