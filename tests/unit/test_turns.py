"""The first works, the others get what comes of it, whatever becomes of the first."""

from __future__ import annotations

import asyncio
import threading

import pytest

from elysia_guard.resilience.sharing import Turns


async def test_whoever_comes_meanwhile_gets_the_result() -> None:
    """One works; it is told to all that wait, and the next works anew."""
    turns: Turns[str, str] = Turns()
    own = turns.take("k")
    others = [turns.take("k") for _ in range(3)]
    assert own.is_own
    assert not any(other.is_own for other in others)
    own.done("result")
    assert [await other.told for other in others if other.told] == ["result"] * 3
    assert len(turns) == 0
    assert turns.take("k").is_own


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


async def test_who_no_longer_waits_disturbs_nobody() -> None:
    """A waiter that is cancelled leaves the others waiting, and the work going on."""
    turns: Turns[str, str] = Turns()
    own, gone, waits = turns.take("k"), turns.take("k"), turns.take("k")
    assert gone.told
    assert waits.told
    gone.told.cancel()
    own.done("result")
    assert await waits.told == "result"
    with pytest.raises(asyncio.CancelledError):
        await gone.told


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
