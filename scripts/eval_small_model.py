"""Let a real model write answers, behind a real server, and list what of its own is shown.

    make adversary-model                                                  # one of a package
    python scripts/eval_small_model.py --url http://127.0.0.1:11434/v1 --model qwen2.5:7b
    python scripts/eval_small_model.py --serve build/model/bin/python --into docs/adversaries.md

Questions of the tuning half are asked on the direct route until so many were written on. Exit
codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from corpora import GOLDEN, ROOT
from relay import Relay
from ways import Direct, put, wiring_of

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.mode import Mode
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.adversaries.overheard import Overheard, markdown
from elysia_guard.evaluation.golden import Split

DONE, COULD_NOT_RUN = 0, 3
MOST_ASKED = 4
"""Questions asked for each that is to be written on."""
PATIENCE: Mapping[str, float] = {"deadline_seconds": 60.0}
FEW = {**PATIENCE, "max_chars": 1_500, "source_max_chars": 700}
"""What a small model on a processor is told: it reads a hundred tokens a second."""


def main() -> int:
    """Run, print, and list the model's own sentences that were shown."""
    options = _options()
    try:
        with ExitStack() as opened:
            url = options.url or opened.enter_context(_served(options.serve))
            told = asyncio.run(overheard(url, options))
    except (GuardError, OSError, StopIteration) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    text = f"{_head(options)}\n\n{markdown(told)}"
    print(text)
    if options.said:
        rows = (json.dumps(asdict(each), ensure_ascii=False) for each in told.said)
        options.said.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    for each in told.own:
        if each.shown:
            print(f"{each.question}: {each.text}", file=sys.stderr)
    if options.into:
        put(text, options.into, "small-model")
    return DONE


async def overheard(url: str, options: argparse.Namespace) -> Overheard:
    """Ask until the model wrote on so many questions."""
    told, ends = Overheard(), time.monotonic() + options.minutes * 60
    cases = golden.load(GOLDEN).select(Split.TUNING)
    cases = cases[:: max(1, len(cases) // (options.limit * MOST_ASKED))]
    small = not options.url
    with ExitStack() as opened:
        relay = opened.enter_context(Relay(url, options.model, brief=small))
        wiring = wiring_of(relay, patience=FEW if small else PATIENCE)
        way = Direct(opened.enter_context(closing(wiring)))
        for case in cases:
            if told.reached >= options.limit or time.monotonic() > ends:
                break
            relay.replies.clear()
            relay.requests.clear()
            started = time.perf_counter()
            try:
                reply, shown = await way.ask(case.query)
            except GuardError:
                continue  # one that cannot be asked at all
            told.asked += 1
            if relay.requests:
                told.add(case.id, relay.replies, shown)
                told.written += reply.mode is not Mode.INSTANT
                told.times_ms.append((time.perf_counter() - started) * 1000)
                print(f"{told.reached} of {options.limit}", file=sys.stderr)
    return told


@contextmanager
def _served(python: Path) -> Iterator[str]:
    """Start the small model's server; yield its address, and stop it afterwards."""
    command = [str(python), str(ROOT / "scripts" / "serve_model.py")]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True) as server:
        try:
            if server.stdout is None or not (address := server.stdout.readline().strip()):
                raise OSError(f"{python} serves no model: make adversary-model")
            yield f"{address}/v1"
        finally:
            server.kill()


def _head(options: argparse.Namespace) -> str:
    questions = golden.load(GOLDEN)
    return (
        f"{options.named}; golden set {questions.version} ({questions.blob_hash[:12]}), tuning "
        f"half, direct route, mode auto; elysia-guard {__version__}, "
        f"Python {platform.python_version()}."
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--url", help="a server of OpenAI's chat completions, with its /v1")
    where.add_argument("--serve", type=Path, metavar="PYTHON", help="that has the small model")
    add("--model", default="", help="its name on that server")
    add("--limit", type=int, default=60, metavar="N", help="questions that it writes on")
    add("--minutes", type=float, default=60.0, metavar="N", help="ask no more after so long")
    add("--said", type=Path, metavar="FILE", help="write every sentence as JSON lines")
    add("--into", type=Path, help="put the tables into a document, at its marks")
    options = parser.parse_args()
    options.named = options.model or "SmolLM2-135M-Instruct (4 bits)"
    return options


if __name__ == "__main__":
    sys.exit(main())
