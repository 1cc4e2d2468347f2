"""One contract for every store of answers: in memory, and in a Redis."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from elysia_guard.adapters.answers import MemoryAnswers, RedisAnswers
from elysia_guard.domain.errors import ConfigError
from elysia_guard.ports import AnswerStore
from elysia_guard.testing.answers_contract import ANSWER, OTHER, AnswerStoreContract
from elysia_guard.testing.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


class TestMemoryAnswers(AnswerStoreContract):
    """What is kept in this process."""

    @pytest.fixture
    def store(self, clock: FakeClock) -> MemoryAnswers:
        return MemoryAnswers(clock=clock)

    async def test_the_one_used_longest_ago_makes_room(self, clock: FakeClock) -> None:
        """The size is a promise."""
        store = MemoryAnswers(max_size=2, clock=clock)
        await store.put("a", ANSWER, ttl_s=60)
        await store.put("b", ANSWER, ttl_s=60)
        assert await store.get("a")
        await store.put("c", OTHER, ttl_s=60)
        assert [bool(await store.get(key)) for key in "abc"] == [True, False, True]
        clock.advance(60)
        assert [await store.get(key) for key in "abc"] == [None, None, None]
        assert len(store) == 0

    def test_threads_may_share_it(self) -> None:
        """Nothing is lost, and the size holds."""
        store = MemoryAnswers(max_size=10)

        def work(name: str) -> None:
            async def put() -> None:
                for n in range(200):
                    await store.put(f"{name}{n % 7}", ANSWER, ttl_s=60, scopes=(name,))
                    await store.get(f"{name}{n % 5}")
                    await store.forget("x")

            asyncio.run(put())

        threads = [threading.Thread(target=work, args=(name,)) for name in "xyz"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert 0 < len(store) <= 10


class FakeRedis:
    """The commands that are used, over a dictionary and a clock."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.values: dict[str, bytes] = {}
        self.sets: dict[str, set[bytes]] = {}
        self.ends: dict[str, float] = {}
        self.down = False

    def _look(self) -> None:
        if self.down:
            raise ConnectionError("redis is away")
        for key in [key for key, end in self.ends.items() if self.clock() >= end]:
            self._drop(key)

    def _drop(self, key: str) -> None:
        self.ends.pop(key, None)
        self.values.pop(key, None)
        self.sets.pop(key, None)

    async def get(self, key: str) -> bytes | None:
        self._look()
        return self.values.get(key)

    async def set(self, key: str, value: bytes, *, px: int) -> None:
        self._look()
        self.values[key] = value
        self.ends[key] = self.clock() + px / 1000

    async def sadd(self, key: str, member: str) -> None:
        self._look()
        self.sets.setdefault(key, set()).add(member.encode())

    async def pexpire(self, key: str, ms: int) -> None:
        self._look()
        self.ends[key] = self.clock() + ms / 1000

    async def pttl(self, key: str) -> int:
        self._look()
        return round((self.ends[key] - self.clock()) * 1000) if key in self.ends else -1

    async def smembers(self, key: str) -> set[bytes]:
        self._look()
        return set(self.sets.get(key, ()))

    async def delete(self, *keys: str | bytes) -> None:
        self._look()
        for key in keys:
            self._drop(key.decode() if isinstance(key, bytes) else key)

    async def aclose(self) -> None:
        self.down = True


@pytest.fixture
def redis(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> FakeRedis:
    fake = FakeRedis(clock)

    def from_url(url: str, **_options: float) -> FakeRedis:
        if not url.startswith("redis://"):
            raise ValueError(url)
        return fake

    client = SimpleNamespace(Redis=SimpleNamespace(from_url=from_url))
    monkeypatch.setitem(sys.modules, "redis", SimpleNamespace(asyncio=client))
    monkeypatch.setitem(sys.modules, "redis.asyncio", client)
    errors = SimpleNamespace(RedisError=type("RedisError", (Exception,), {}))
    monkeypatch.setitem(sys.modules, "redis.exceptions", errors)
    return fake


class TestRedisAnswers(AnswerStoreContract):
    """What several processes share."""

    @pytest.fixture
    def store(self, redis: FakeRedis) -> Iterator[RedisAnswers]:
        store = RedisAnswers("redis://cache")
        yield store
        store.close()
        assert redis.down

    async def test_two_processes_share_what_one_made(
        self, store: AnswerStore, redis: FakeRedis
    ) -> None:
        """Under one key, which names the form it is written in."""
        other = RedisAnswers("redis://cache")
        await store.put("k", ANSWER, ttl_s=60, scopes=("index 1",))
        assert await other.get("k") == ANSWER
        await other.forget("index 1")
        assert await store.get("k") is None
        await store.put("k", ANSWER, ttl_s=60)
        (key,) = redis.values
        assert key.startswith("elysia-guard:answer:")
        assert key.endswith(":k")
        other.close()

    async def test_a_scope_lasts_as_long_as_its_last_answer(
        self, store: AnswerStore, clock: FakeClock
    ) -> None:
        """However short those are that are kept after it."""
        await store.put("long", ANSWER, ttl_s=600, scopes=("index 1",))
        await store.put("short", ANSWER, ttl_s=10, scopes=("index 1",))
        clock.advance(60)
        await store.forget("index 1")
        assert await store.get("long") is None

    async def test_what_others_write_is_not_shown(self, redis: FakeRedis) -> None:
        """With a secret: no entry made up, changed, unsigned, or moved to another question."""
        ours, theirs = (RedisAnswers("redis://cache", secret=it) for it in ("ours", "theirs"))
        plain = RedisAnswers("redis://cache")
        for forger in (theirs, plain):
            await forger.put("k", OTHER, ttl_s=60)
            assert await ours.get("k") is None
        await ours.put("k", ANSWER, ttl_s=60)
        assert await ours.get("k") == ANSWER
        assert await theirs.get("k") is None
        assert await plain.get("k") is None
        ((key, written),) = redis.values.items()
        redis.values[key[:-1] + "other"] = written
        assert await ours.get("other") is None
        redis.values[key] = written.replace(b"CIM", b"XML")
        assert await ours.get("k") is None
        for store in (ours, theirs, plain):
            store.close()

    async def test_without_redis_nothing_is_kept(
        self, store: AnswerStore, redis: FakeRedis
    ) -> None:
        """A cache that is away is no outage."""
        await store.put("k", ANSWER, ttl_s=60)
        redis.down = True
        assert await store.get("k") is None
        await store.put("k", OTHER, ttl_s=60, scopes=("index 1",))
        await store.forget("index 1")
        redis.down = False
        assert await store.get("k") == ANSWER

    @pytest.mark.parametrize("written", [b"", b"{}", b'{"response": {}}', b"\xff", b"[[[["])
    async def test_what_cannot_be_read_is_not_there(
        self, store: AnswerStore, redis: FakeRedis, written: bytes
    ) -> None:
        """It is written anew."""
        await store.put("k", ANSWER, ttl_s=60)
        redis.values = dict.fromkeys(redis.values, written)
        assert await store.get("k") is None
        await store.put("k", ANSWER, ttl_s=60)
        assert await store.get("k") == ANSWER

    def test_a_wrong_address_is_named(self, redis: FakeRedis) -> None:
        """By what it should look like; it may hold a password."""
        with pytest.raises(ConfigError, match="redis://") as raised:
            RedisAnswers("memcached://secret@cache")
        assert "secret" not in str(raised.value)

    def test_without_the_extra_the_message_names_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What to install."""
        monkeypatch.setitem(sys.modules, "redis", None)
        with pytest.raises(ConfigError, match=r"elysia-guard\[redis\]"):
            RedisAnswers("redis://cache")


SERVER = shutil.which("redis-server")


@pytest.mark.skipif(SERVER is None, reason="there is no redis-server here")
def test_a_real_redis(tmp_path: Path) -> None:
    """The same over a real server, with its own clock."""
    pytest.importorskip("redis")
    socket = f"{tmp_path}/redis.sock"
    server = subprocess.Popen(
        [str(SERVER), "--port", "0", "--unixsocket", socket, "--save", ""],
        stdout=subprocess.PIPE,
    )
    try:
        assert server.stdout
        for line in server.stdout:
            if b"ready to accept" in line.lower():
                break
        store = RedisAnswers(f"unix://{socket}")
        asyncio.run(_use(store))
        store.close()
    finally:
        server.terminate()
        server.communicate()


async def _use(store: RedisAnswers) -> None:
    await store.put("k", ANSWER, ttl_s=60, scopes=("index 1",))
    await store.put("other", OTHER, ttl_s=60, scopes=("index 2",))
    assert await store.get("k") == ANSWER
    await store.forget("index 1")
    assert await store.get("k") is None
    assert await store.get("other") == OTHER
    await store.put("gone", ANSWER, ttl_s=0.001)
    async with asyncio.timeout(10):
        while await store.get("gone") is not None:
            pass
