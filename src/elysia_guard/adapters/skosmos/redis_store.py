"""Terms kept in Redis, for several processes to share."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from elysia_guard.adapters.cached import Matches
from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.errors import ConfigError

PREFIX = "elysia-guard:term:"
TIMEOUT_S = 0.05
"""A cache that is slower than what it spares is none: no search takes as long."""

_MATCHES = TypeAdapter(tuple[TermMatch, ...])


class RedisStore:
    """Keeps terms in Redis; where it is away, nothing is kept and Skosmos is asked.

    Belongs to the event loop in which it is first used.
    """

    def __init__(self, url: str, *, prefix: str = PREFIX) -> None:
        """Take the address of a Redis, for example ``redis://localhost:6379/0``.

        Raises:
            ConfigError: the extra is not installed, or this is no address.
        """
        self._redis, self._away = _opened(url)
        self._prefix = prefix

    async def get(self, key: str) -> Matches | None:
        """Return the matches kept for a key; what cannot be read is not there."""
        try:
            kept = await self._redis.get(self._prefix + key)
            return None if kept is None else _MATCHES.validate_json(kept)
        except ValidationError:
            return None
        except self._away:
            return None

    async def put(self, key: str, value: Matches, /, *, ttl_s: float) -> None:
        """Keep matches for so many seconds."""
        written = _MATCHES.dump_json(value)
        try:
            await self._redis.set(self._prefix + key, written, px=round(ttl_s * 1000))
        except self._away:
            return

    async def aclose(self) -> None:
        """Close the connections."""
        await self._redis.aclose()


def _opened(url: str) -> tuple[Any, tuple[type[Exception], ...]]:
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
