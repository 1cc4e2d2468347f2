"""What dialogues lose, and what is crossed, where each question may go to another server.

Two ways, behind a proxy on loopback that knows no sessions: two servers over one store, asked in
turn; and one server of several workers, of which one is killed in the middle.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import psutil
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import dialogues
from tests.dialogues import Dialogue
from tests.round_robin import RoundRobin

from elysia_guard import config as configuration
from elysia_guard.observability.workers import VARIABLE
from elysia_guard.wiring import Wiring

STOPPED_S = 30
REQUESTS = "rag_request_total"


@dataclass(kw_only=True)
class Place:
    """An index, and a folder for what servers over it keep."""

    wiring: Wiring
    folder: Path
    shared: bool = True

    @contextmanager
    def serving(self, *options: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
        """Start the chat at a free port."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        words = [sys.executable, "-m", "elysia_guard.edge.cli.main", "chat", "--port", str(port)]
        with (self.folder / "chat.log").open("a") as log:
            process = subprocess.Popen(  # noqa: S603
                [*words, *options],
                env=self._environment(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        try:
            if process.stdout is None or str(port) not in process.stdout.readline():
                raise SystemExit((self.folder / "chat.log").read_text())
            yield port, process
        finally:
            process.terminate()
            process.wait(STOPPED_S)

    def _environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if "ELYSIA_GUARD_" not in name}
        return own | {
            "ELYSIA_GUARD_INDEX__PATH": str(self.wiring.config.index.path.absolute()),
            "ELYSIA_GUARD_CONVERSATIONS__PATH": str(self.folder / "conversations.sqlite"),
            "ELYSIA_GUARD_CONVERSATIONS__SHARED": str(self.shared).lower(),
            "ELYSIA_GUARD_DECISION_LOG__URL": f"sqlite:///{self.folder / 'decisions.sqlite'}",
            VARIABLE: str(self.folder / "metrics"),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "OMP_NUM_THREADS": "1",
        }

    def shares(self) -> str:
        """How many questions each process has answered, by what it has counted."""
        files = sorted((self.folder / "metrics").glob("counter_*.db"))
        counted = [MultiProcessCollector.merge([str(file)]) for file in files]
        # Who started them has files too, and answers nothing.
        return ", ".join(str(count) for found in counted if (count := sum(map(_answered, found))))

    def kept(self) -> str:
        """What the files hold afterwards."""
        turns = _count(self.folder / "conversations.sqlite", "guard_turns")
        decisions = _count(self.folder / "decisions.sqlite", "guard_decisions")
        size = (self.folder / "conversations.sqlite").stat().st_size
        return f"{turns} turns ({size / 1e6:.1f} MB), {decisions} entries in the decision log"


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


async def in_turn(place: Place, played: Sequence[Dialogue], at_once: int) -> int:
    """Two servers, asked in turn."""
    with ExitStack() as end:
        ports = [end.enter_context(place.serving())[0] for _ in range(2)]
        proxy = end.enter_context(RoundRobin(ports))
        found = await outcome_of(proxy.url, played, at_once=at_once, told=lambda: None)
        tell("two servers in turn", played, found)
        print(f"  followed by a request to the other server: {proxy.moves}")
    print(f"  questions answered by each process: {place.shares()}")
    print(f"  kept: {place.kept()}")
    return len(found.other) + len(found.lost)


async def by_workers(place: Place, played: Sequence[Dialogue], at_once: int, workers: int) -> int:
    """One server of several workers, one of them killed when half of the questions are answered."""
    half = sum(len(one.questions) for one in played) // 2
    answered = 0
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
    print(f"  questions answered by each process: {place.shares()}")
    print(f"  kept: {place.kept()}")
    return len(found.other) + len(found.lost)


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


def _answered(metric: Metric) -> int:
    counts = (item.value for item in metric.samples if item.name == REQUESTS)
    return int(sum(counts))


def _count(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as opened:
        found: int = opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
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
    given = parser.parse_args()
    wiring = Wiring(configuration.load())
    wiring.ensure_index()
    info = await wiring.index.info()
    print(f"elysia-guard {version('elysia-guard')}, elysia-ai {version('elysia-ai')}, ", end="")
    print(f"uvicorn {version('uvicorn')}, Python {platform.python_version()}, SQLite ", end="")
    print(f"{sqlite3.sqlite_version}; {os.cpu_count()} cores; {info.passages} passages")
    wrong = 0
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        played = await dialogues.written(given.dialogues, wiring)
        place = Place(wiring=wiring, folder=Path(one), shared=not given.alone)
        wrong += await in_turn(place, played, given.at_once)
        if not given.alone:
            played = await dialogues.written(given.dialogues, wiring)
            place = Place(wiring=wiring, folder=Path(other))
            wrong += await by_workers(place, played, given.at_once, given.workers)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
