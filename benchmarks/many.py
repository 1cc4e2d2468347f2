"""How many questions a second ``Guard.ask_many`` answers: the golden set's working half, repeated.

Without a model that writes; the first question of the process, which loads the embedder, is apart.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice

from elysia_guard import Guard, config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.response import Replies
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import Split
from elysia_guard.wiring import Wiring

SET = "data/evaluation/golden_queries.jsonl"


def asked(guard: Guard, questions: list[str], at_once: int) -> tuple[Replies, float]:
    """Ask all of them; return the replies, and the seconds they took together."""
    started = time.perf_counter()
    replies = guard.ask_many(questions, at_once=at_once, progress=False)
    return replies, time.perf_counter() - started


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=500, help="how many (500)")
    given = parser.parse_args()
    wiring = Wiring(config.load())
    wiring.ensure_index()
    guard = Guard(wiring=wiring)
    different = [case.query for case in golden.load(config.home() / SET).select(Split.TUNING)]
    questions = list(islice(cycle(different), given.questions))
    print(f"elysia-guard {version('elysia-guard')}, Python {platform.python_version()}, ", end="")
    print(f"{os.cpu_count()} cores; {given.questions} questions, ", end="")
    print(f"{min(len(different), given.questions)} of them different")
    _, first_s = asked(guard, questions[:1], 1)
    print(f"the first question of the process: {first_s:.2f} s")
    print(f"{'at once':>8}{'a second':>10}{'seconds':>9}{'p50 ms':>8}{'p95 ms':>8}   outcomes")
    for at_once in (1, 4):
        replies, taken_s = asked(guard, questions, at_once)
        times = sorted(item.elapsed_ms for item in replies)
        p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
        ends = ", ".join(f"{count} {end}" for end, count in replies.outcomes.most_common())
        print(
            f"{at_once:8}{len(replies) / taken_s:10.1f}{taken_s:9.2f}{p50:8.1f}{p95:8.1f}   {ends}"
        )
    started = time.perf_counter()
    try:
        rows, columns = replies.to_frame().shape
        made = f"a pandas {version('pandas')} table of {rows} rows and {columns} columns"
    except (ConfigError, PackageNotFoundError):
        made = f"{len(replies.to_records())} records; pandas is not installed"
    print(f"{made}: {(time.perf_counter() - started) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
