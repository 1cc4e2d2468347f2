"""Let models that invent answer the golden set, and look for what they made up in what is shown.

    python scripts/eval_adversaries.py                          # both routes, the whole golden set
    python scripts/eval_adversaries.py --split tuning --limit 50 --kinds number,negation
    python scripts/eval_adversaries.py --into docs/adversaries.md

The models stand behind a server on loopback. Each question that reaches the writer is written on
once for every few kinds: what is right first, inventions among it. Exit codes: 0 nothing invented
was shown, 1 something was, 2 wrong use, 3 could not run, 4 not done yet in the time given.

The whole set by all kinds takes minutes to hours, so it can be asked in parts:

    python scripts/eval_adversaries.py --resume build/adversaries.jsonl --minutes 20   # and again
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from corpora import GOLDEN
from ways import Direct, Headless, Plain, Way, put, wiring_of

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.mode import Mode
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.adversaries.journal import Journal
from elysia_guard.evaluation.adversaries.policies import SEED
from elysia_guard.evaluation.adversaries.server import AdversaryServer
from elysia_guard.evaluation.adversaries.tally import Counted, Leak, Tally, counted, markdown
from elysia_guard.evaluation.adversaries.told import Kind
from elysia_guard.evaluation.golden import Case, Split

DONE, SHOWN, COULD_NOT_RUN, NOT_DONE = 0, 1, 3, 4
IN_A_ROUND = 4
"""Kinds that share an answer: it holds eight sentences, half of them right."""
NOT_HERE = frozenset({Kind.OBEYED})
"""What the documents of the golden set have no instruction for; `tests` hold it to the attacks."""


def main() -> int:
    """Run, print, and say whether anything invented was shown."""
    options = _options()
    try:
        tallies, done = asyncio.run(measured(options))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    told = "\n\n".join((_head(options, tallies), markdown(tallies)))
    print(told)
    leaks = [leak for tally in tallies if tally.name != Plain.name for leak in tally.leaks]
    if options.leaks:
        options.leaks.write_text("".join(f"{_record(leak)}\n" for leak in leaks), encoding="utf-8")
    for leak in leaks[: options.show]:
        print(_line(leak), file=sys.stderr)
    if not done:
        print("not done: the same command goes on", file=sys.stderr)
        return SHOWN if leaks else NOT_DONE
    if options.into:
        put(told, options.into, "adversaries")
    return SHOWN if leaks else DONE


async def measured(options: argparse.Namespace) -> tuple[list[Tally], bool]:
    """Ask the golden set on each route, in as many rounds as the kinds need.

    Returns what came of it, and whether all was asked in the time that there is.
    """
    run = Run(options)
    with AdversaryServer() as server:
        tallies = [
            await run.asked(way, server) for way in (Direct, Headless) if way.name in options.routes
        ]
        if options.plain and not run.late:
            with closing(wiring_of(server)) as wiring:
                tallies.append(await _plainly(Direct(wiring), run.cases, server, options))
    return tallies, not run.late


class Run:
    """The questions of a run, how far it has come, and whether its time is over."""

    def __init__(self, options: argparse.Namespace) -> None:
        questions = golden.load(GOLDEN)
        cases = questions.select(None if options.split == "all" else Split(options.split))
        self.cases = cases[:: max(1, len(cases) // options.limit)] if options.limit else cases
        self.late = False
        self._options = options
        self._ends = time.monotonic() + options.minutes * 60 if options.minutes else math.inf
        settings = {
            "golden": questions.blob_hash,
            "asked": len(self.cases),
            "split": options.split,
            "policy": options.policy,
            "kinds": list(options.kinds),
            "seed": options.seed,
        }
        self._journal = Journal(options.resume, settings)

    async def asked(self, kind_of_way: type[Direct | Headless], server: AdversaryServer) -> Tally:
        """Ask all questions on one way, round for round; go on where the journal ends."""
        options, left = self._options, list(self.cases)
        tally = Tally(name=kind_of_way.name)
        for at in range(0, len(options.kinds), IN_A_ROUND):
            group = "+".join(options.kinds[at : at + IN_A_ROUND])
            server.playing = f"{options.policy}:{group}:{options.seed}"
            # What no model wrote on in the first round, it does not in the others; and what one
            # wrote is remembered, so each round has parts of its own.
            with ExitStack() as opened:
                way = _Opened(kind_of_way, server, opened)
                reached = []
                for case in left:
                    key = (tally.name, group, case.id)
                    if key not in self._journal:
                        if self.late or time.monotonic() > self._ends:
                            self.late = True
                            break
                        self._journal.note(key, await _counted(way(), case, server))
                    tally.asked += 1
                    if found := self._journal[key]:
                        tally.take(found)
                        reached.append(case)
            left = reached
            told = f"{tally.name}: {server.playing}: {len(left)} question(s)"
            print(f"{told}{', stopped' if self.late else ''}", file=sys.stderr)
            if self.late:
                break
        return tally


class _Opened:
    """A way whose parts are put together when the first question of a round is asked."""

    def __init__(
        self, kind: type[Direct | Headless], server: AdversaryServer, opened: ExitStack
    ) -> None:
        self._kind, self._server, self._opened = kind, server, opened
        self._way: Way | None = None

    def __call__(self) -> Way:
        if self._way is None:
            self._way = self._kind(self._opened.enter_context(closing(wiring_of(self._server))))
        return self._way


async def _counted(way: Way, case: Case, server: AdversaryServer) -> Counted | None:
    """Ask a question, and count what was made up; None where no model was asked at all."""
    server.requests.clear()
    server.taken()
    started = time.perf_counter()
    try:
        reply, shown = await way.ask(case.query)
    except GuardError:
        return None  # one that cannot be asked at all
    if not server.requests:
        return None
    return counted(
        case.id,
        server.taken(),
        shown,
        ms=(time.perf_counter() - started) * 1000,
        answered=not reply.refused,
        written=reply.mode is not Mode.INSTANT,
    )


async def _plainly(
    way: Direct, cases: Sequence[Case], server: AdversaryServer, options: argparse.Namespace
) -> Tally:
    """Have Elysia itself answer some questions, by a model that says what the guard's said."""
    plain = Plain(server)
    tally = Tally(name=plain.name)
    for n, case in enumerate(cases):
        if tally.asked >= options.plain:
            break
        group = options.kinds[n % len(options.kinds) :][:IN_A_ROUND]
        server.playing = f"{options.policy}:{'+'.join(group)}:{options.seed}"
        server.requests.clear()
        server.taken()
        await way.ask(case.query)
        if not (server.requests and (made := server.taken())):
            continue
        tally.asked += 1
        server.saying = " ".join(dict.fromkeys(item.text for item in made))
        started = time.perf_counter()
        shown = await plain.ask(case.query)
        server.saying = ""
        ms = (time.perf_counter() - started) * 1000
        said = bool(shown)
        tally.take(counted(case.id, made, shown, ms=ms, answered=said, written=said))
    print(f"{plain.name}: {tally.asked} question(s)", file=sys.stderr)
    return tally


def _head(options: argparse.Namespace, tallies: Sequence[Tally]) -> str:
    questions = golden.load(GOLDEN)
    spent_s = sum(sum(tally.times_ms) for tally in tallies) / 1000
    return (
        f"Golden set {questions.version} ({questions.blob_hash[:12]}), split {options.split}; "
        f"elysia-guard {__version__}, elysia-ai {version('elysia-ai')}, "
        f"Python {platform.python_version()}; policy {options.policy}, seed {options.seed}; "
        f"{spent_s:.0f} s of answering."
    )


def _line(leak: Leak) -> str:
    """Say what was shown; the question by its id alone, which may be held out."""
    made = leak.made
    told = f"{leak.question} {made.kind}: {made.text!r}"
    return f"{told}\n    of: {made.original!r}" if made.original else told


def _record(leak: Leak) -> str:
    return json.dumps({"question": leak.question, **asdict(leak.made)}, ensure_ascii=False)


def _kinds(text: str) -> tuple[Kind, ...]:
    try:
        return tuple(Kind(each.strip()) for each in text.split(","))
    except ValueError as err:
        raise argparse.ArgumentTypeError(f"{err}; there are: {', '.join(Kind)}") from None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("tuning", "held_out", "all"), default="all")
    everything = tuple(kind for kind in Kind if kind not in NOT_HERE)
    add("--kinds", type=_kinds, default=everything, metavar="A,B", help="the kinds to invent")
    add("--policy", choices=("mixed", "fabricate"), default="mixed")
    add("--routes", nargs="+", choices=("direct", "tree"), default=["direct", "tree"])
    add("--limit", type=int, metavar="N", help="ask about N questions, spread over the set")
    add("--plain", type=int, default=20, metavar="N", help="ask plain Elysia N questions beside it")
    add("--seed", type=int, default=SEED)
    add("--show", type=int, default=40, metavar="N", help="print N of what was shown")
    add("--leaks", type=Path, metavar="FILE", help="write what was shown as JSON lines")
    add("--resume", type=Path, metavar="FILE", help="note what was asked, and go on from there")
    add("--minutes", type=float, default=0, metavar="N", help="stop then (needs --resume)")
    add("--into", type=Path, help="put the tables into a document, at its marks")
    options = parser.parse_args()
    if options.minutes and not options.resume:
        parser.error("--minutes loses what was asked without --resume")
    return options


if __name__ == "__main__":
    sys.exit(main())
