"""Terms kept in Redis, for several processes to share."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from elysia_guard.adapters.cached import Matches
from elysia_guard.adapters.redis_client import opened
from elysia_guard.domain.concept import TermMatch

PREFIX = "elysia-guard:term:"

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
        self._redis, self._away = opened(url)
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

    async def put(self, key: str, value: Matches, *, ttl_s: float) -> None:
        """Keep matches for so many seconds."""
        written = _MATCHES.dump_json(value)
        try:
            await self._redis.set(self._prefix + key, written, px=round(ttl_s * 1000))
        except self._away:
            return

    async def aclose(self) -> None:
        """Close the connections."""
        await self._redis.aclose()
