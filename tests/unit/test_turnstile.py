"""One question at a time in a conversation, in one process and between several."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.contract.conversations_contract import MINE, YOURS

from elysia_guard.adapters.conversations import FileLocks, Turnstile


@pytest.fixture(params=["in memory", "in a file"])
def turnstile(request: pytest.FixtureRequest, tmp_path: Path) -> Turnstile:
    return Turnstile(
        FileLocks(tmp_path / "talks" / "turns") if request.param == "in a file" else None
    )


async def test_whoever_comes_second_waits(turnstile: Turnstile) -> None:
    order = []

    async def ask(name: str) -> None:
        async with turnstile.of(MINE):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")

    await asyncio.gather(*map(ask, "abc"))
    assert order == ["a in", "a out", "b in", "b out", "c in", "c out"]
    turnstile.close()


async def test_another_conversation_waits_for_nobody(turnstile: Turnstile) -> None:
    async with turnstile.of(MINE), asyncio.timeout(5), turnstile.of(YOURS):
        pass
    turnstile.close()


async def test_who_gives_up_waiting_is_not_waited_for(turnstile: Turnstile) -> None:
    async def ask() -> None:
        async with turnstile.of(MINE):
            pass

    async with turnstile.of(MINE):
        waiting = asyncio.create_task(ask())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
    async with asyncio.timeout(5):
        await ask()
    turnstile.close()


async def test_without_its_file_nobody_waits_and_the_log_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    turnstile = Turnstile(FileLocks(tmp_path / "taken" / "turns"))
    for _ in range(2):
        async with turnstile.of(MINE):
            pass
    assert caplog.text.count("questions do not wait for each other") == 1
