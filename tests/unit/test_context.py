"""The request under way, as IR0003 describes it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from elysia_guard.domain.context import (
    RequestContext,
    within,
)
from elysia_guard.domain.events import Event
from elysia_guard.testing.clock import FakeClock


def test_it_has_the_fields_of_every_log_line() -> None:
    """IR0003's contract of to_log_context."""
    clock = FakeClock()
    context = RequestContext(request_id="req-abc123", route="tree", clock=clock)
    clock.advance(0.12)
    context.add_fallback("bm25_only")
    context.add_fallback("circuit_open")
    context.add_fallback("bm25_only")
    assert context.to_log_context() == {
        "request_id": "req-abc123",
        "route": "tree",
        "fallback_flags": ["bm25_only", "circuit_open"],
        "elapsed_ms": 120.0,
    }


async def test_each_task_works_for_its_own_request() -> None:
    """Side by side, and in what they start."""

    async def event_of(name: str) -> str:
        with within(RequestContext(request_id=name, route="direct")):
            await asyncio.sleep(0)
            return await asyncio.create_task(made())

    async def made() -> str:
        return Event().request_id

    names = [f"req-{n}" for n in range(5)]
    assert await asyncio.gather(*map(event_of, names)) == names


def test_c7_it_is_made_as_ir0003_makes_it() -> None:
    """Id, route, flags and the moment it came in, in this order; flags and moment by themselves."""
    moment = datetime(2026, 2, 9, 10, 30, tzinfo=UTC)
    context = RequestContext("req-def456", "tree", ["bm25_only"], moment)
    assert (context.request_id, context.route) == ("req-def456", "tree")
    assert (context.fallback_flags, context.start_time) == (["bm25_only"], moment)
    one, two = RequestContext("req-1", "tree"), RequestContext("req-2", "direct")
    one.add_fallback("circuit_open")
    assert two.fallback_flags == []
    assert one.start_time.utcoffset() == timedelta(0)
    assert one.start_time <= two.start_time
