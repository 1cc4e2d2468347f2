"""The contract of every store of answers, in memory."""

from __future__ import annotations

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
