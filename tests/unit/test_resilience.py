"""Deadlines, shared calls and turns, and breakers, on a clock that the tests turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable

import pytest

from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.resilience.breaker import Breaker, BreakerState, CircuitOpenError
from elysia_guard.resilience.calls import Deadline
from elysia_guard.resilience.sharing import SingleFlight, Turns
from elysia_guard.testing.clock import FakeClock

SOON_S = 0.005


def too_late() -> SourceTimeoutError:
    return SourceTimeoutError("the vocabulary did not answer in time", source="skosmos")


def deadline(seconds: float, clock: FakeClock | None = None) -> Deadline:
    return (
        Deadline(seconds, late=too_late, clock=clock) if clock else Deadline(seconds, late=too_late)
    )


async def value(result: str = "done") -> str:
    return result


async def forever() -> str:
    await asyncio.Event().wait()
    return "never"


class TestDeadline:
    async def test_work_that_does_not_end_is_cancelled(self) -> None:
        """The error is ours, and the work is gone when it is raised."""
        with pytest.raises(SourceTimeoutError, match="did not answer in time"):
            await deadline(SOON_S).bound(forever())
        assert asyncio.all_tasks() == {asyncio.current_task()}

    async def test_time_that_passes_before_the_wait_begins_counts(self) -> None:
        """Another thread moves the clock once, while the wait is set up: it is over at once."""

        class Late(Deadline):
            @property
            def left_s(self) -> float:
                left_s = super().left_s
                clock.advance(0.3)
                return left_s

        clock = FakeClock()
        kept = Late(0.3, late=too_late, clock=clock)
        async with asyncio.timeout(5):
            with pytest.raises(SourceTimeoutError):
                await kept.bound(forever())

    async def test_the_time_runs_over_all_steps(self) -> None:
        """What the first step used up is missing for the second, which is not begun."""
        clock = FakeClock()
        kept = deadline(0.3, clock)

        async def slow() -> str:
            clock.advance(0.2)
            return "slow"

        assert await kept.bound(slow()) == "slow"
        assert kept.left_s == pytest.approx(0.1)
        assert await kept.bound(slow()) == "slow"
        assert kept.left_s == 0.0
        with pytest.raises(SourceTimeoutError):
            await kept.bound(slow())
        assert clock.now == pytest.approx(0.4)

    async def test_a_timeout_of_the_work_itself_keeps_its_name(self) -> None:
        """ETIMEDOUT of a socket is a TimeoutError too."""

        async def etimedout() -> str:
            raise TimeoutError(110, "Connection timed out")

        with pytest.raises(TimeoutError, match="Connection timed out"):
            await deadline(1).bound(etimedout())

    async def test_cancellation_from_outside_is_no_timeout(self) -> None:
        """Whoever cancels gets a cancelled task."""
        task = asyncio.create_task(deadline(1).bound(forever()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


class Call:
    """A call that waits to be let go, and counts how often it was made."""

    def __init__(self) -> None:
        self.made = 0
        self.cancelled = 0
        self.go = asyncio.Event()

    async def __call__(self) -> str:
        self.made += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return f"result {self.made}"


async def begun(*works: Awaitable[str]) -> list[asyncio.Task[str]]:
    tasks = [asyncio.ensure_future(work) for work in works]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


class TestSingleFlight:
    async def test_a_cancelled_waiter_leaves_the_others(self) -> None:
        """Not even the one who began the call takes it along."""
        flights: SingleFlight[str, str] = SingleFlight()
        call = Call()
        first, second = await begun(flights.run("cim", call), flights.run("cim", call))
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        call.go.set()
        assert await second == "result 1"
        assert call.cancelled == 0

    async def test_the_last_waiter_takes_the_call_along(self) -> None:
        """When its cancellation is seen, the call has ended: no task is left behind."""
        flights: SingleFlight[str, str] = SingleFlight()
        call = Call()
        tasks = await begun(flights.run("cim", call), flights.run("cim", call))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert (call.cancelled, len(flights)) == (1, 0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    async def test_nobody_joins_a_call_that_is_being_cancelled(self) -> None:
        """Who asks while the abandoned call cleans up begins a new one."""
        flights: SingleFlight[str, str] = SingleFlight()
        cleaning, cleaned = asyncio.Event(), asyncio.Event()

        async def cleans_up() -> str:
            try:
                return await forever()
            finally:
                cleaning.set()
                await cleaned.wait()

        (abandoned,) = await begun(flights.run("cim", cleans_up))
        abandoned.cancel()
        await cleaning.wait()
        assert await flights.run("cim", value) == "done"
        cleaned.set()
        with pytest.raises(asyncio.CancelledError):
            await abandoned
        assert len(flights) == 0


DOWN = SourceUnavailableError("the vocabulary cannot be reached", source="skosmos")


class World:
    """A breaker, its clock, and what it said of itself."""

    def __init__(self, **options: float) -> None:
        self.clock = FakeClock()
        self.changes: list[str] = []
        numbers = {"failure_threshold": 3, "success_threshold": 2} | options
        self.breaker = Breaker(
            "skosmos", **numbers, rest_s=30, clock=self.clock, on_change=self.changes.append
        )

    def succeed(self, times: int = 1) -> None:
        for _ in range(times):
            with self.breaker.attempt():
                pass

    def fail(self, times: int = 1, error: BaseException = DOWN) -> None:
        for _ in range(times):
            with pytest.raises(type(error)), self.breaker.attempt():
                raise error


class TestBreaker:
    def test_while_open_the_source_is_left_alone(self) -> None:
        """The message says who is left alone and for how long."""
        world = World()
        world.fail(3)
        world.clock.advance(10)
        with pytest.raises(CircuitOpenError, match=r"skosmos .* ask again in 20 s") as caught:
            world.succeed()
        assert caught.value.source == "skosmos"

    def test_after_the_rest_two_successes_close_it(self) -> None:
        """Half open is a state that others can see."""
        world = World()
        world.fail(3)
        world.clock.advance(30)
        assert world.breaker.state is BreakerState.HALF_OPEN
        world.succeed()
        assert world.breaker.state is BreakerState.HALF_OPEN
        world.succeed()
        assert world.changes == ["open", "half_open", "closed"]

    def test_a_failure_while_half_open_opens_it_again(self) -> None:
        """For another rest."""
        world = World()
        world.fail(3)
        world.clock.advance(30)
        world.succeed()
        world.fail()
        assert world.changes == ["open", "half_open", "open"]

    def test_half_open_lets_one_call_through_at_a_time(self) -> None:
        """The others are turned away while it is under way."""
        world = World()
        world.fail(3)
        world.clock.advance(30)
        with world.breaker.attempt(), pytest.raises(CircuitOpenError, match="in 0 s"):
            world.succeed()
        world.succeed()
        assert world.breaker.state is BreakerState.CLOSED

    @pytest.mark.parametrize("error", [KeyError("a mistake of ours"), asyncio.CancelledError()])
    def test_what_says_nothing_of_the_source_does_not_count(self, error: BaseException) -> None:
        """And a probe that ends so leaves room for the next."""
        world = World()
        world.fail(5, error)
        assert world.breaker.state is BreakerState.CLOSED
        world.fail(3)
        world.clock.advance(30)
        world.fail(1, error)
        assert world.breaker.state is BreakerState.HALF_OPEN
        world.succeed(2)
        assert world.breaker.state is BreakerState.CLOSED

    def test_a_call_from_before_a_change_says_nothing_after_it(self) -> None:
        """A slow success of old does not close what has opened since."""
        world = World()
        with world.breaker.attempt():
            world.fail(3)
            world.clock.advance(30)
            assert world.breaker.state is BreakerState.HALF_OPEN
        assert world.breaker.state is BreakerState.HALF_OPEN
        world.succeed()
        assert world.changes == ["open", "half_open"]

    def test_it_needs_no_watcher(self) -> None:
        """The defaults of IR0003: five failures, two successes, thirty seconds."""
        breaker = Breaker("embeddings")
        for _ in range(5):
            with pytest.raises(SourceUnavailableError), breaker.attempt():
                raise DOWN
        assert breaker.state is BreakerState.OPEN


async def test_only_the_first_end_counts() -> None:
    """Whoever is done and says so again ends nobody else's work."""
    turns: Turns[str, str] = Turns()
    first = turns.take("k")
    first.done(None)
    second = turns.take("k")
    waiting = turns.take("k")
    first.done("late")
    assert len(turns) == 1
    second.done("right")
    assert waiting.told
    assert await waiting.told == "right"


async def test_who_is_given_up_still_tells_those_who_wait() -> None:
    """The next works anew, and neither ends the work of the other."""
    turns: Turns[str, str] = Turns()
    slow, waits = turns.take("k"), turns.take("k")
    turns.give_up("k", waits)
    anew, waits_anew = turns.take("k"), turns.take("k")
    assert anew.is_own
    slow.done("late")
    anew.done("anew")
    assert waits.told
    assert waits_anew.told
    assert (await waits.told, await waits_anew.told) == ("late", "anew")
    assert len(turns) == 0


async def test_what_is_given_up_by_several_is_begun_anew_once() -> None:
    """The last of those who waited for the first work does not end the second."""
    turns: Turns[str, str] = Turns()
    turns.take("k")
    one, two = turns.take("k"), turns.take("k")
    turns.give_up("k", one)
    assert turns.take("k").is_own
    turns.give_up("k", two)
    assert not turns.take("k").is_own


def test_loops_and_threads_share_a_turn() -> None:
    """Whoever waits may be in another loop; one that has ended is passed by."""
    turns: Turns[str, str] = Turns()
    taken, told = threading.Barrier(2), list[str | None]()

    async def lead() -> None:
        own = turns.take("k")
        await asyncio.to_thread(taken.wait)
        await asyncio.to_thread(taken.wait)
        own.done("result")

    async def leave() -> None:
        turns.take("k")

    async def follow() -> None:
        turn = turns.take("k")
        await asyncio.to_thread(taken.wait)
        assert turn.told
        told.append(await turn.told)

    leading = threading.Thread(target=asyncio.run, args=(lead(),))
    leading.start()
    taken.wait()
    asyncio.run(leave())
    asyncio.run(follow())
    leading.join()
    assert told == ["result"]
