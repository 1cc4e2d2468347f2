"""The contract of every store of answers, in memory."""

from __future__ import annotations

import asyncio
import threading

import pytest
from tests.contract.answers_contract import ANSWER, OTHER, AnswerStoreContract

from elysia_guard.adapters.cached import MemoryStore
from elysia_guard.testing.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


class TestMemoryStore(AnswerStoreContract):
    """What is kept in this process."""

    @pytest.fixture
    def store(self, clock: FakeClock) -> MemoryStore:
        return MemoryStore(clock=clock)

    async def test_the_one_used_longest_ago_makes_room(self, clock: FakeClock) -> None:
        """The size is a promise."""
        store = MemoryStore(max_size=2, clock=clock)
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
        store = MemoryStore(max_size=10)

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
