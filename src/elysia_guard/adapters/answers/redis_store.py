"""Answers kept in Redis, for several processes to share."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Collection

from pydantic import TypeAdapter, ValidationError

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.redis_client import opened
from elysia_guard.domain.kept import KeptAnswer

PREFIX = "elysia-guard:answer:"
_PRINT = 12

_ANSWER = TypeAdapter(KeptAnswer)


class RedisAnswers:
    """Keeps answers in Redis; where it is away, nothing is kept and every answer is made anew.

    What is written bears the form of its entries in its key: programs of different versions share
    a Redis and nothing else. Serves callers in any loop.

    Args:
        url: the address of a Redis, for example ``redis://localhost:6379/0``.
        secret: what entries are signed with, so that nobody who can write to that Redis can put an
            answer there, or one in the place of another; without one they are not signed.
        prefix: what its keys begin with.
    """

    def __init__(self, url: str, *, secret: str = "", prefix: str = PREFIX) -> None:
        """Open nothing yet.

        Raises:
            ConfigError: the extra is not installed, or this is no address.
        """
        self._redis, self._away = opened(url)
        self._secret = secret.encode()
        self._prefix = f"{prefix}{_form()}:"
        self._loop = BackgroundLoop("elysia-guard-answers")

    async def get(self, key: str) -> KeptAnswer | None:
        """Return what is kept under a key; what cannot be read is not there."""
        return await self._loop.arun(self._get(key))

    async def put(
        self, key: str, answer: KeptAnswer, *, ttl_s: float, scopes: Collection[str] = ()
    ) -> None:
        """Keep an answer for so many seconds."""
        await self._loop.arun(self._put(key, answer, round(ttl_s * 1000), scopes))

    async def forget(self, scope: str) -> None:
        """Forget the answers of a scope."""
        await self._loop.arun(self._forget(scope))

    def close(self) -> None:
        """Close the connections."""
        self._loop.run(self._redis.aclose())
        self._loop.close()

    async def _get(self, key: str) -> KeptAnswer | None:
        try:
            written = await self._redis.get(self._prefix + key)
            said = self._signed_by_us(key, written) if written else None
            return _ANSWER.validate_json(said) if said else None
        except ValidationError:
            return None
        except self._away:
            return None

    async def _put(
        self, key: str, answer: KeptAnswer, ttl_ms: int, scopes: Collection[str]
    ) -> None:
        try:
            # A gate that counts has whole numbers where the form has any; that is no news.
            written = _ANSWER.dump_json(answer, warnings=False)
        except ValueError:
            return  # half a surrogate pair is no text
        try:
            signed = self._signature(key, written) + written
            await self._redis.set(self._prefix + key, signed, px=ttl_ms)
            for scope in scopes:
                await self._join(self._members(scope), self._prefix + key, ttl_ms)
        except self._away:
            return

    async def _join(self, members: str, key: str, ttl_ms: int) -> None:
        """Put a key to those of a scope, which stay as long as the last of them."""
        await self._redis.sadd(members, key)
        if await self._redis.pttl(members) < ttl_ms:
            await self._redis.pexpire(members, ttl_ms)

    async def _forget(self, scope: str) -> None:
        members = self._members(scope)
        try:
            await self._redis.delete(*await self._redis.smembers(members), members)
        except self._away:
            return

    def _signature(self, key: str, written: bytes) -> bytes:
        if not self._secret:
            return b""
        signed = f"{self._prefix}{key}\n".encode() + written
        return hmac.digest(self._secret, signed, "sha256")

    def _signed_by_us(self, key: str, found: bytes) -> bytes | None:
        """Return what was written under a key; None where the signature is not ours."""
        size = hashlib.sha256().digest_size if self._secret else 0
        signature, written = found[:size], found[size:]
        return written if hmac.compare_digest(signature, self._signature(key, written)) else None

    def _members(self, scope: str) -> str:
        return f"{self._prefix}scope:{_print(scope)}"


def _form() -> str:
    """Name the form in which an answer is written: another whenever a field of it is another."""
    return _print(json.dumps(_ANSWER.json_schema(), sort_keys=True))


def _print(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_PRINT]
