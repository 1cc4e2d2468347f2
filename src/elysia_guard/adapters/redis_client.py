"""A Redis that a cache is kept in: opened by its address, and never waited for long."""

from __future__ import annotations

from typing import Any

from elysia_guard.domain.errors import ConfigError

TIMEOUT_S = 0.05
"""A cache that is slower than what it spares is none: no search takes as long."""


def opened(url: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """Return a client of the Redis at an address, and what it raises where that is away.

    It connects when it is first used, and belongs to the event loop in which that is.

    Raises:
        ConfigError: the extra is not installed, or this is no address.
    """
    try:
        from redis import asyncio as redis
        from redis.exceptions import RedisError
    except ImportError as err:
        raise ConfigError("a cache in Redis needs: pip install 'elysia-guard[redis]'") from err
    try:
        client: Any = redis.Redis.from_url(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
        )
    except ValueError as err:
        raise ConfigError("the address of Redis must begin with redis:// or rediss://") from err
    return client, (RedisError, OSError)
