"""What all locks on conversations do, as tests: subclass ``ConversationLocksContract``."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from elysia_guard.domain.saved import ConversationKey
from elysia_guard.ports import ConversationLocks

TALK = ConversationKey(user_id="mine", conversation_id="one")
OTHER_TALK = ConversationKey(user_id="mine", conversation_id="two")
PATIENCE_S = 30.0

_HOLDING = """
import asyncio, sys
from elysia_guard.domain.saved import ConversationKey

TALK = ConversationKey(user_id="mine", conversation_id="one")

async def hold():
    print("asks", flush=True)
    await locks.enter(TALK)
    print("in", flush=True)
    sys.stdin.read()

asyncio.run(hold())
"""

Process = subprocess.Popen[str]


class ConversationLocksContract:
    """The behaviour of the ``ConversationLocks`` port, between processes."""

    def opened(self) -> AbstractContextManager[tuple[ConversationLocks, str]]:
        """Yield locks, and Python that makes ``locks`` in another process; once a test."""
        raise NotImplementedError

    def test_who_comes_second_waits_until_the_first_is_killed(self) -> None:
        """Whatever keeps the locks lets go of what a killed process held."""

        async def use(locks: ConversationLocks, recipe: str) -> None:
            with _process(recipe) as holding:
                assert _says(holding) == "in"
                waiting = asyncio.create_task(locks.enter(TALK))
                await _let(locks.enter(OTHER_TALK))
                locks.leave(OTHER_TALK)
                assert not waiting.done()
                holding.kill()
                await _let(waiting)
                locks.leave(TALK)

        self._with(use)

    def test_leaving_lets_another_process_in(self) -> None:
        """And then this one waits."""

        async def use(locks: ConversationLocks, recipe: str) -> None:
            await _let(locks.enter(TALK))
            with _process(recipe) as other:
                locks.leave(TALK)
                assert await asyncio.to_thread(_says, other) == "in"
                waiting = asyncio.create_task(locks.enter(TALK))
                await _let(locks.enter(OTHER_TALK))
                assert not waiting.done()
                other.kill()
                await _let(waiting)

        self._with(use)

    def test_who_gives_up_waiting_is_not_in(self) -> None:
        """Also where the conversation becomes free at that moment."""

        async def use(locks: ConversationLocks, recipe: str) -> None:
            with _process(recipe) as holding:
                assert _says(holding) == "in"
                waiting = asyncio.create_task(locks.enter(TALK))
                await _let(locks.enter(OTHER_TALK))
                holding.kill()
                holding.wait(PATIENCE_S)
                waiting.cancel()
                await asyncio.wait({waiting})
                if not waiting.cancelled():
                    locks.leave(TALK)
            with _process(recipe) as next_one:
                assert await asyncio.to_thread(_says, next_one) == "in"

        self._with(use)

    def test_closing_lets_go_of_everything(self) -> None:
        """Of what was not left too."""

        async def use(locks: ConversationLocks, recipe: str) -> None:
            await _let(locks.enter(TALK))
            locks.close()
            with _process(recipe) as other:
                assert await asyncio.to_thread(_says, other) == "in"

        self._with(use)

    def _with(self, use: Callable[[ConversationLocks, str], Coroutine[Any, Any, None]]) -> None:
        with self.opened() as (locks, recipe):
            asyncio.run(use(locks, recipe))


async def _let(waiting: Coroutine[Any, Any, None] | asyncio.Task[None]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await waiting


@contextmanager
def _process(recipe: str) -> Iterator[Process]:
    """Another process, which asks for a conversation and stays in it until it is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", recipe + _HOLDING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        try:
            if started.stdout is None or started.stdout.readline() != "asks\n":
                raise AssertionError("the other process does not start")
            yield started
        finally:
            started.kill()


def _says(process: Process) -> str:
    """What the other process says next."""
    return process.stdout.readline().strip() if process.stdout else ""
