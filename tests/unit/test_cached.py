"""What is remembered of a vocabulary, for how long, and what never is."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from tests.contract.terminology_contract import TerminologyContract

from elysia_guard.adapters.cached import Cached, Matches, MemoryStore
from elysia_guard.adapters.skosmos.redis_store import RedisStore
from elysia_guard.domain.concept import Concept, LabelRole, TermMatch, Text
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.testing.clock import FakeClock
from elysia_guard.testing.terminology import (
    ASSET,
    CONCEPTS,
    METER,
    FakeTerminology,
    ScriptedFailure,
)


class TestCached(TerminologyContract):
    @pytest.fixture
    def source(self) -> Cached:
        return Cached(FakeTerminology(CONCEPTS))


class Slow(FakeTerminology):
    """A vocabulary that answers when it is let go, and counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(CONCEPTS)
        self.go = asyncio.Event()
        self.fetched: list[Sequence[str]] = []

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        found = await super().lookup(term, lang=lang)
        await self.go.wait()
        return found

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        self.fetched.append(list(uris))
        return await super().concepts(uris)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def vocabulary() -> Slow:
    slow = Slow()
    slow.go.set()
    return slow


async def test_a_hit_is_kept_for_ten_minutes(vocabulary: Slow, clock: FakeClock) -> None:
    """Whatever its case and blanks; then it is asked for again."""
    cached = Cached(vocabulary, clock=clock)
    (first,) = await cached.lookup("meter", lang="en")
    clock.advance(599.9)
    assert await cached.lookup("  METER ", lang="en") == (first,)
    assert vocabulary.asked == ["meter"]
    clock.advance(0.1)
    await cached.lookup("meter", lang="en")
    assert vocabulary.asked == ["meter", "meter"]


async def test_a_miss_is_kept_for_a_minute(vocabulary: Slow, clock: FakeClock) -> None:
    """A term that is added today is found today."""
    cached = Cached(vocabulary, clock=clock)
    await cached.lookup("FooBarBaz", lang="en")
    clock.advance(59.9)
    assert await cached.find("foobarbaz", lang="en") == ((), True)
    clock.advance(0.1)
    assert await cached.find("foobarbaz", lang="en") == ((), False)


async def test_languages_and_vocabularies_do_not_mix(vocabulary: Slow) -> None:
    """They are parts of the key, so several vocabularies can share a store."""
    store: MemoryStore[Matches] = MemoryStore()
    grid = Cached(vocabulary, store=store, vocabulary="grid")
    law = Cached(FakeTerminology(), store=store, vocabulary="law")
    await grid.lookup("meter", lang="en")
    assert not (await grid.find("meter", lang="nl")).cached
    assert (await law.find("meter", lang="en")).matches == ()
    assert len(store) == 3


@pytest.mark.parametrize("failure", list(ScriptedFailure))
async def test_that_it_could_not_be_asked_is_never_kept(
    vocabulary: Slow, failure: ScriptedFailure
) -> None:
    """The next question asks again."""
    store: MemoryStore[Matches] = MemoryStore()
    cached = Cached(vocabulary, store=store)
    vocabulary.failure = failure
    with pytest.raises(SourceUnavailableError):
        await cached.lookup("meter", lang="en")
    with pytest.raises(SourceUnavailableError):
        await cached.concepts([METER.uri])
    assert len(store) == 0
    vocabulary.failure = None
    assert await cached.lookup("meter", lang="en")
    assert list(await cached.concepts([METER.uri])) == [METER]


async def test_a_thousand_at_once_are_one_call() -> None:
    """And those who come later are answered from what is kept."""
    vocabulary, told = Slow(), list[str]()
    cached = Cached(vocabulary, on_kept=lambda term, _: told.append(term))
    waiting = asyncio.gather(*(cached.find("meter", lang="en") for _ in range(1_000)))
    await asyncio.sleep(0)
    vocabulary.go.set()
    assert [found.cached for found in await waiting] == [False, *([True] * 999)]
    assert (vocabulary.asked, told) == (["meter"], ["meter"] * 999)
    await cached.lookup("Meter", lang="en")
    assert (vocabulary.asked, told[999:]) == (["meter"], ["Meter"])


async def test_concepts_are_kept_by_uri(vocabulary: Slow, clock: FakeClock) -> None:
    """Only unknown ones are fetched; that one is not there is kept shorter."""
    cached = Cached(vocabulary, clock=clock)
    gone = "https://vocab.vennet.example/grid/gone"
    assert list(await cached.concepts([METER.uri, gone])) == [METER]
    assert list(await cached.concepts([ASSET.uri, gone, METER.uri])) == [ASSET, METER]
    assert list(await cached.concepts([METER.uri, ASSET.uri])) == [METER, ASSET]
    clock.advance(60)
    assert list(await cached.concepts([METER.uri, gone])) == [METER]
    assert vocabulary.fetched == [[METER.uri, gone], [ASSET.uri], [gone]]


async def test_the_one_used_longest_ago_makes_room(clock: FakeClock) -> None:
    """The size is a promise."""
    store: MemoryStore[str] = MemoryStore(max_size=2, clock=clock)
    await store.put("a", "1", ttl_s=60)
    await store.put("b", "2", ttl_s=60)
    assert await store.get("a") == "1"
    await store.put("c", "3", ttl_s=60)
    assert [await store.get(key) for key in "abc"] == ["1", None, "3"]
    clock.advance(60)
    assert [await store.get(key) for key in "abc"] == [None, None, None]
    assert len(store) == 0


class FakeRedis:
    """The two commands that are used, over a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[bytes, int]] = {}
        self.down = False

    async def get(self, key: str) -> bytes | None:
        if self.down:
            raise ConnectionError("redis is away")
        return self.kept[key][0] if key in self.kept else None

    async def set(self, key: str, value: bytes, *, px: int) -> None:
        if self.down:
            raise ConnectionError("redis is away")
        self.kept[key] = (value, px)

    async def aclose(self) -> None:
        self.down = True


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> FakeRedis:
    fake = FakeRedis()

    def from_url(url: str, **options: float) -> FakeRedis:
        if not url.startswith("redis://"):
            raise ValueError(url)
        return fake

    client = SimpleNamespace(Redis=SimpleNamespace(from_url=from_url))
    monkeypatch.setitem(sys.modules, "redis", SimpleNamespace(asyncio=client))
    monkeypatch.setitem(sys.modules, "redis.asyncio", client)
    errors = SimpleNamespace(RedisError=type("RedisError", (Exception,), {}))
    monkeypatch.setitem(sys.modules, "redis.exceptions", errors)
    return fake


class TestRedisStore:
    async def test_two_processes_share_what_one_found(self, redis: FakeRedis) -> None:
        """Values come back equal, to the last relation; keys say whose they are."""
        vocabulary = FakeTerminology(CONCEPTS)
        one = Cached(vocabulary, store=RedisStore("redis://cache"), vocabulary="iec")
        other = Cached(FakeTerminology(), store=RedisStore("redis://cache"), vocabulary="iec")
        for term in ("asset", "power transformer", "FooBarBaz", "CIM dump"):
            found = await one.find(term, lang="en")
            assert await other.find(term, lang="en") == (found.matches, True)
        (_, kept), *_ = redis.kept.values()
        assert kept == 600_000
        assert set(redis.kept) >= {"elysia-guard:term:iec\nen\nasset"}

    async def test_without_redis_the_vocabulary_is_asked(self, redis: FakeRedis) -> None:
        """A cache that is away is no outage."""
        redis.down = True
        cached = Cached(FakeTerminology(CONCEPTS), store=RedisStore("redis://cache"))
        for _ in range(2):
            assert len((await cached.find("meter", lang="en")).matches) == 1

    @pytest.mark.parametrize("written", [b"", b"{}", b'[{"concept": {}}]', b"\xff", b"[[[["])
    async def test_what_another_version_wrote_is_not_there(
        self, redis: FakeRedis, written: bytes
    ) -> None:
        """It is written anew."""
        store = RedisStore("redis://cache", prefix="")
        redis.kept["k"] = (written, 1)
        assert await store.get("k") is None
        await store.put("k", (), ttl_s=60)
        assert await store.get("k") == ()
        await store.aclose()
        assert redis.down

    def test_a_wrong_address_is_named(self, redis: FakeRedis) -> None:
        """By what it should look like; it may hold a password."""
        with pytest.raises(ConfigError, match="redis://"):
            RedisStore("memcached://secret@cache")

    def test_without_the_extra_the_message_names_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What to install."""
        monkeypatch.setitem(sys.modules, "redis", None)
        with pytest.raises(ConfigError, match=r"elysia-guard\[redis\]"):
            RedisStore("redis://cache")


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="there is no redis-server here")
async def test_a_real_redis(tmp_path: object) -> None:
    """The same over a real server, with its own clock."""
    pytest.importorskip("redis")
    socket = f"{tmp_path}/redis.sock"
    server = await asyncio.create_subprocess_exec(
        "redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--daemonize", "no",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert server.stdout
        async with asyncio.timeout(10):
            async for line in server.stdout:
                if b"ready to accept" in line.lower():
                    break
        store = RedisStore(f"unix://{socket}")
        match = TermMatch(concept=METER, label=Text(value="m", lang="en"), role=LabelRole.HIDDEN)
        await store.put("k", (match,), ttl_s=60)
        assert await store.get("k") == (match,)
        await store.put("gone", (match,), ttl_s=0.001)
        async with asyncio.timeout(10):
            while await store.get("gone") is not None:
                pass
        await store.aclose()
    finally:
        server.terminate()
        await server.wait()
