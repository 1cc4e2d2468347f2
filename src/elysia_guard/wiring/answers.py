"""The answers that are kept: where, how long, and under which settings."""

from __future__ import annotations

import hashlib
import json

from elysia_guard.adapters.answers import MemoryAnswers, RedisAnswers
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.pipeline.recalling import Memory
from elysia_guard.ports import AnswerStore
from elysia_guard.wiring.decisions import program_version
from elysia_guard.wiring.surroundings import Surroundings


def memory_of(config: Config, limits: Thresholds, key: str, around: Surroundings) -> Memory | None:
    """Make the memory of answers; None where none would ever be kept.

    ``key`` is the secret that ``answer_cache.key_env`` names.

    Raises:
        ConfigError: it is to be in Redis, and the extra for that, or the secret, is not there.
    """
    section, writer = config.answer_cache, config.writer
    lifetimes = section.lifetimes
    # Without a writer every answer comes out instant.
    if not lifetimes or (writer.kind == "none" and "instant" not in lifetimes):
        return None
    return Memory(
        store=_store(config, key, around),
        lifetimes=lifetimes,
        configuration=_configuration(config, limits),
        wait_s={
            "instant": writer.deadline_seconds,
            "auto": writer.deadline_seconds,
            "thinking": writer.thinking_seconds,
            "by_difficulty": writer.thinking_seconds,
        },
        clock=around.clock,
    )


def _store(config: Config, key: str, around: Surroundings) -> AnswerStore:
    section = config.answer_cache
    if section.redis is None:
        return MemoryAnswers(max_size=section.max_size, clock=around.clock)
    if section.key_env and not key:
        raise ConfigError(
            f"answer_cache.key_env: the variable {section.key_env} holds no secret; set it before "
            "the start, or leave its name out"
        )
    store = RedisAnswers(section.redis, secret=key)
    around.opened.callback(store.close)
    return store


def _configuration(config: Config, limits: Thresholds) -> str:
    """Name the program and all its settings that can change an answer."""
    # The log's package loads a database, which few need.
    from elysia_guard.adapters.decision_log.fingerprint import deciding

    settings = deciding(config.model_dump(mode="json", exclude={"answer_cache"}))
    said = json.dumps(
        [program_version(), settings, repr(limits), config.kinds.digest], sort_keys=True
    )
    return hashlib.sha256(said.encode()).hexdigest()
