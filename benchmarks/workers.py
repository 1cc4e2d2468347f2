"""What dialogues lose, and what is crossed, where each question may go to another server.

Three ways, behind a proxy on loopback that knows no sessions: two servers over one store, asked in
turn; two servers, of which one is killed in the middle and started anew; and one server of several
workers, of which one is killed. With ``--url`` the servers share a database and nothing else, as
two machines do: each has its own folder and its own index.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.chat_servers import STOPPED_S, Ground, Place, database
from tests import dialogues
from tests.dialogues import Dialogue
from tests.round_robin import RoundRobin

from elysia_guard import config as configuration
from elysia_guard.wiring import Wiring


@dataclass(kw_only=True)
class Outcome:
    """How a run of dialogues ended."""

    questions: int = 0
    taken_s: float = 0.0
    other: list[str] = field(default_factory=list)
    """Replies that one server alone would not have given."""
    lost: list[str] = field(default_factory=list)
    """Replies that were given, and are not in their conversation, or others in their place."""


async def outcome_of(
    address: str, played: Sequence[Dialogue], *, at_once: int, told: Callable[[], None]
) -> Outcome:
    """Hold dialogues, and look at each conversation afterwards."""
    found = Outcome()
    started = time.perf_counter()
    await dialogues.play(address, played, at_once=at_once, told=told)
    found.taken_s = time.perf_counter() - started
    for one in played:
        found.questions += len(one.replies)
        said = list(zip(one.questions, one.replies, one.expected, strict=True))
        found.other += [question for question, reply, meant in said if reply != meant]
        seen = await dialogues.shown(address, one)
        given = Counter((question, reply) for question, reply, _ in said)
        found.lost += [question for question, _ in (given - Counter(seen)).elements()]
    return found


async def in_turn(ground: Ground, played: Sequence[Dialogue], at_once: int) -> int:
    """Two servers, asked in turn."""
    places = [ground.place(name) for name in ("one", "two")]
    with ExitStack() as end:
        ports = [end.enter_context(place.serving())[0] for place in places]
        proxy = end.enter_context(RoundRobin(ports))
        found = await outcome_of(proxy.url, played, at_once=at_once, told=lambda: None)
        tell("two servers in turn", played, found)
        print(f"  followed by a request to the other server: {proxy.moves}")
    report(places)
    return len(found.other) + len(found.lost)


async def one_killed(ground: Ground, played: Sequence[Dialogue], at_once: int) -> int:
    """Two servers, one of them killed at half of the questions and started again at its port."""
    half = sum(len(one.questions) for one in played) // 2
    places = [ground.place(name) for name in ("one", "two")]
    answered = 0
    again: list[asyncio.Task[None]] = []
    with ExitStack() as end:
        port, first = end.enter_context(places[0].serving())
        ports = [port, end.enter_context(places[1].serving())[0]]

        async def replace() -> None:
            first.wait(STOPPED_S)
            serving = places[0].serving(port=port)
            await asyncio.to_thread(end.enter_context, serving)

        def told() -> None:
            nonlocal answered
            answered += 1
            if answered == half:
                first.kill()
                again.append(asyncio.create_task(replace()))

        with RoundRobin(ports) as proxy:
            found = await outcome_of(proxy.url, played, at_once=at_once, told=told)
            await asyncio.gather(*again)
            tell(f"two servers, kill -9 of one at question {half}", played, found)
    report(places)
    return len(found.other) + len(found.lost)


async def by_workers(ground: Ground, played: Sequence[Dialogue], at_once: int, workers: int) -> int:
    """One server of several workers, one of them killed when half of the questions are answered."""
    half = sum(len(one.questions) for one in played) // 2
    answered = 0
    place = ground.place()
    with place.serving("--workers", str(workers)) as (port, server):
        first = _workers_of(server.pid)

        def told() -> None:
            nonlocal answered
            answered += 1
            if answered == half:
                os.kill(first[0].pid, signal.SIGKILL)

        with RoundRobin([port]) as proxy:
            found = await outcome_of(proxy.url, played, at_once=at_once, told=told)
            tell(f"--workers {workers}, kill -9 of one at question {half}", played, found)
    report([place])
    return len(found.other) + len(found.lost)


def report(places: Sequence[Place]) -> None:
    """Print what the servers did, and what is kept."""
    # Without a database they share a folder.
    for place in {place.folder: place for place in places}.values():
        print(f"  questions answered by each process: {place.shares()}")
        print(f"  kept: {place.kept()}")


def tell(name: str, played: Sequence[Dialogue], found: Outcome) -> None:
    """Print what a run came to."""
    print(f"\n{name}: {len(played)} dialogues, {found.questions} questions")
    print(f"  {found.questions / found.taken_s:.1f} questions a second ({found.taken_s:.1f} s)")
    print(f"  not as one server alone replies: {len(found.other)} {found.other[:3] or ''}")
    print(f"  lost from their conversation: {len(found.lost)} {found.lost[:3] or ''}")
    again, kept = sum(one.again for one in played), sum(one.found for one in played)
    print(f"  asked again: {again}; answered, not delivered, and found kept: {kept}")


def _workers_of(parent: int) -> list[psutil.Process]:
    found = []
    for item in psutil.Process(parent).children():
        with suppress(psutil.Error):
            found += [item] if "spawn_main" in " ".join(item.cmdline()) else []
    return found


async def main() -> int:
    """Run and print; the status is 1 where a reply was lost or another's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=200, help="how many, of five questions")
    parser.add_argument("--at-once", type=int, default=8, help="dialogues under way at a time (8)")
    parser.add_argument("--workers", type=int, default=2, help="processes of the second run (2)")
    parser.add_argument(
        "--alone", action="store_true", help="let each server go by its own memory, to see why not"
    )
    parser.add_argument("--only", choices=["turn", "killed", "workers"], help="one of the runs")
    parser.add_argument("--url", default="", help="a PostgreSQL for conversations, to be emptied")
    given = parser.parse_args()
    wiring = Wiring(configuration.load())
    wiring.ensure_index()
    info = await wiring.index.info()
    print(f"elysia-guard {version('elysia-guard')}, elysia-ai {version('elysia-ai')}, ", end="")
    print(f"uvicorn {version('uvicorn')}, Python {platform.python_version()}, ", end="")
    print(f"{database(given.url)}; {os.cpu_count()} cores; {info.passages} passages")

    by = partial(by_workers, workers=given.workers)
    ways = {"turn": in_turn, "killed": one_killed, "workers": by}
    names = ["turn"] if given.alone else [given.only] if given.only else list(ways)
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            ground = Ground(
                wiring=wiring, folder=Path(folder), url=given.url, shared=not given.alone
            )
            ground.clear()
            played = await dialogues.written(given.dialogues, wiring)
            wrong += await ways[name](ground, played, given.at_once)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
