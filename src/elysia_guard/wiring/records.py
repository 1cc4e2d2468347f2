"""What is kept of questions: conversations, the decision log, and answers to be given again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.adapters.cached import MemoryStore
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.profiles import DEFAULT
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.pipeline.answer_cache import AnswerMemory
from elysia_guard.ports import Clock

# SQLAlchemy takes a quarter of a second to import; only the chat keeps conversations, and most
# configurations keep no log.
if TYPE_CHECKING:
    from sqlalchemy import URL

    from elysia_guard.adapters.conversations import Keeper
    from elysia_guard.adapters.decision_log import DecisionLog, DecisionWriter
    from elysia_guard.adapters.decision_log.entry import Settings
    from elysia_guard.ports import ConversationLocks

CONVERSATIONS = "conversations.sqlite"
DATABASES = frozenset({"sqlite", "postgresql"})
"""Held against the contract. Others compare ids without case, or round numbers in what they keep,
and what they lock is let go of after a time, whether or not somebody is still in."""

DECISIONS = "decisions.sqlite"
WRITER_WAITS_S = 30.0
"""For another that writes: long enough for a file that is being compacted."""

# What is written down, and how loudly, decides no question; the limits are hashed by what they say.
_SILENT = frozenset(
    {"conversations", "decision_log", "log_level", "log_queries", "server", "thresholds"}
)
_SECRET = re.compile(r"key|token|secret|password", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


def file_of(config: Config) -> Path:
    """Return the file that conversations are kept in where no address is named, or would be."""
    return config.conversations.path or config.index.path.with_name(CONVERSATIONS)


def keeper_of(config: Config) -> Keeper | None:
    """Return who keeps conversations; None where nobody does, or an evaluation asks.

    Raises:
        ConfigError: the address is none, or of a database that conversations are not kept in.
    """
    section = config.conversations
    if not section.enabled or config.test_triggers:
        return None
    from elysia_guard.adapters.conversations import Keeper, SqlConversations, Turnstile

    url, days = _address(config), section.keep_days
    store = SqlConversations(url)
    return Keeper(
        store,
        place=store.place,
        keep_for=None if days is None else timedelta(days=days),
        turnstile=Turnstile(_locks(url) if section.shared else None),
    )


def _address(config: Config) -> URL:
    from sqlalchemy import URL

    from elysia_guard.adapters import sql
    from elysia_guard.adapters.conversations.store import SETTING

    named = config.conversations.url
    if not named:
        return URL.create("sqlite", database=str(file_of(config).absolute()))
    url = sql.address(named, setting=SETTING)
    if url.get_backend_name() not in DATABASES:
        raise ConfigError(
            f"{SETTING} names {url.get_backend_name()}; conversations are kept in SQLite "
            "(sqlite:////data/conversations.sqlite) or PostgreSQL (postgresql+psycopg://host/name)"
        )
    return url


def _locks(url: URL) -> ConversationLocks:
    from elysia_guard.adapters import sql
    from elysia_guard.adapters.conversations import AdvisoryLocks, FileLocks

    if file := sql.file_of(url):
        return FileLocks(Path(f"{file.absolute()}.turns"))
    return AdvisoryLocks(url)


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

    beside = f"sqlite:///{config.index.path.with_name(DECISIONS).absolute()}"
    return DecisionLog.at(section.url or beside, wait_s=wait_s)


def writer_of(config: Config, *, model: Callable[[], str], index: str) -> DecisionWriter | None:
    """Return who writes the log; None where none is kept, or an evaluation asks.

    Args:
        config: says where, what and for how long.
        model: names the model of the vectors, once it is known.
        index: where the index is, as a person calls it.

    Raises:
        ConfigError: the log or the limits cannot be had.
    """
    section = config.decision_log
    if section is None or config.test_triggers:
        return None
    from elysia_guard.adapters.decision_log import DecisionWriter
    from elysia_guard.adapters.decision_log.entry import Settings

    limits, program = config_hash(config), program_version()

    def settings() -> Settings:
        return Settings(
            config_hash=limits,
            index=_state(config, index),
            model=model(),
            program=program,
        )

    days = section.retention_days
    return DecisionWriter(
        log_of(config, wait_s=WRITER_WAITS_S),
        settings,
        texts=config.log_queries == "full",
        retention=None if days is None else timedelta(days=days),
    )


def config_hash(config: Config) -> str:
    """Return the hash of everything that can change a decision.

    Another profile counts with its rules, and a house with its kinds; the default one adds nothing,
    nor does a house without kinds of its own, so that the hashes of decisions from before there
    were any stay what they are.

    Raises:
        ConfigError: the limits cannot be read.
    """
    settings = config.model_dump(mode="json", exclude={"profile", "profile_limits"})
    rules = () if config.policy == DEFAULT else (asdict(config.policy),)
    house = ({"kinds": config.kinds.digest},) if config.kinds.digest else ()
    return fingerprint(deciding(settings), _limits(config.thresholds), *rules, *house)


def deciding(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that can change a decision."""
    return {name: value for name, value in settings.items() if name not in _SILENT}


def fingerprint(*settings: Mapping[str, object]) -> str:
    """Return a short hash of settings; the order of their keys and their secrets do not matter."""
    plain = [_without_secrets(item) for item in settings]
    text = json.dumps(plain, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _without_secrets(value: object) -> object:
    if isinstance(value, Mapping):
        return {
            str(name): _without_secrets(item)
            for name, item in value.items()
            if not _SECRET.search(str(name))
        }
    if isinstance(value, list | tuple):
        return [_without_secrets(item) for item in value]
    return _CREDENTIALS.sub("", value) if isinstance(value, str) else value


def _limits(path: Path) -> dict[str, object]:
    """Return the limits of a file; where they were fitted changes no decision."""
    return configuration.read_thresholds(path).model_dump(mode="json", exclude={"fitted"})


def _state(config: Config, place: str) -> str:
    """Name the index, and where it is a file the moment it was moved into place."""
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


def memory_of(config: Config, limits: Thresholds, clock: Clock) -> AnswerMemory | None:
    """Make the memory of answers; None where none would ever be kept."""
    section, llm = config.answer_cache, config.llm
    lifetimes = section.lifetimes
    # Without a model every answer comes out instant.
    if not lifetimes or (llm.use == "none" and "instant" not in lifetimes):
        return None
    return AnswerMemory(
        store=MemoryStore(max_size=section.max_size, clock=clock),
        lifetimes=lifetimes,
        configuration=_configuration(config, limits),
        wait_s={
            "instant": llm.answer_seconds,
            "auto": llm.answer_seconds,
            "thinking": llm.thinking_seconds,
        },
        clock=clock,
    )


def _configuration(config: Config, limits: Thresholds) -> str:
    """Name the program and all its settings that can change an answer."""
    settings = deciding(config.model_dump(mode="json", exclude={"answer_cache"}))
    said = json.dumps(
        [program_version(), settings, repr(limits), config.kinds.digest], sort_keys=True
    )
    return hashlib.sha256(said.encode()).hexdigest()
