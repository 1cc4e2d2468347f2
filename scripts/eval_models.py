"""Ask the same questions with every scripted model that may write, and without one.

    python scripts/eval_models.py                              # print the table
    python scripts/eval_models.py --limit 0 --models right     # the whole golden set, one model
    python scripts/eval_models.py --into docs/adversaries.md

TD-080's criteria by model and language: what is invented and shown, what is refused though a source
answers, what time is added. Each question is asked with one model after the other, so that a busy
machine is busy for all of them. Exit codes: 0 nothing invented was shown, 1 something was, 2 wrong
use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from corpora import GOLDEN
from ways import Direct, Headless, Way, put, wiring_of

from elysia_guard import __version__
from elysia_guard.config import BreakerSection, CircuitBreakersSection
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.mode import Mode
from elysia_guard.evaluation import golden, scoring
from elysia_guard.evaluation.adversaries.policies import POLICIES, SEED
from elysia_guard.evaluation.adversaries.server import AdversaryServer
from elysia_guard.evaluation.adversaries.tally import counted
from elysia_guard.evaluation.adversaries.told import Kind
from elysia_guard.evaluation.by_model import Asked, figures, markdown
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.runner import WARM_UP, Run
from elysia_guard.running import settle

DONE, SHOWN, COULD_NOT_RUN = 0, 1, 3
QUOTES = "quotes alone"
SELDOM = {"slow": 10}
"""What is asked of every so manieth question alone: it takes two seconds over each."""
NOT_HERE = frozenset({Kind.OBEYED})
IN_AN_ANSWER = 4
"""Kinds that share an answer; each question has the next of them."""
WAYS: dict[str, type[Direct | Headless]] = {way.name: way for way in (Direct, Headless)}


def main() -> int:
    """Run, print, and say whether anything invented was shown."""
    options = _options()
    try:
        asked = asyncio.run(measured(options))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    told = f"{_head(options)}\n\n{markdown(asked)}"
    print(told)
    if options.into:
        put(told, options.into, "models")
    return SHOWN if any(figures(rows).shown for _, rows in asked) else DONE


async def measured(options: argparse.Namespace) -> list[tuple[str, Sequence[Asked]]]:
    """Ask each question without a model, and then with each."""
    found: dict[str, list[Asked]] = {QUOTES: []} | {name: [] for name in options.models}
    # A model that fails is to be asked every time: what a breaker does is another matter.
    patient = CircuitBreakersSection(llm=BreakerSection(failure_threshold=1_000_000))
    with ExitStack() as opened, AdversaryServer() as server:

        def way(writes: AdversaryServer | None) -> Way:
            wiring = wiring_of(writes, circuit_breaker=patient)
            return WAYS[options.route](opened.enter_context(closing(wiring)))

        warming, quotes = way(None), way(None)
        models = {name: way(server) for name in options.models}
        for each in (quotes, *models.values()):
            await each.ask(WARM_UP)
        settle()  # as the server of the chat does
        for n, case in enumerate(chosen(options.limit)):
            try:
                await warming.ask(case.query)
            except GuardError:
                continue  # one that cannot be asked at all
            alone = await _asked(quotes, case, server, None)
            found[QUOTES].append(alone)
            for name, writing in models.items():
                if n % SELDOM.get(name, 1) == 0:
                    server.playing = f"{name}:{_kinds(n)}:{options.seed}"
                    found[name].append(await _asked(writing, case, server, alone))
            if n % 50 == 49:  # noqa: PLR2004
                print(f"{n + 1} question(s)", file=sys.stderr)
    return list(found.items())


def chosen(limit: int) -> list[Case]:
    """Return so many questions of each language, spread over the golden set; 0: all."""
    cases = golden.load(GOLDEN).cases
    kept: list[Case] = []
    for lang in dict.fromkeys(case.lang for case in cases):
        some = [case for case in cases if case.lang == lang]
        count = min(limit, len(some)) or len(some)
        kept += [some[n * len(some) // count] for n in range(count)]
    return kept


async def _asked(way: Way, case: Case, server: AdversaryServer, alone: Asked | None) -> Asked:
    server.requests.clear()
    server.taken()
    server.spent_ms = 0.0
    started = time.perf_counter()
    reply, shown = await way.ask(case.query)
    ms = (time.perf_counter() - started) * 1000
    score = scoring.score(Run(case=case, latency_ms=ms, response=reply), reply)
    if alone is None or not server.requests:
        return Asked(score=score, without_ms=alone.score.latency_ms if alone else ms)
    written = reply.mode is not Mode.INSTANT
    return Asked(
        score=score,
        counted=counted(
            case.id, server.taken(), shown, ms=ms, answered=score.answered, written=written
        ),
        without_ms=alone.score.latency_ms,
        model_ms=server.spent_ms,
    )


def _kinds(n: int) -> str:
    kinds = [kind for kind in Kind if kind not in NOT_HERE]
    return "+".join(kinds[(n + more) % len(kinds)] for more in range(IN_AN_ANSWER))


def _head(options: argparse.Namespace) -> str:
    questions = golden.load(GOLDEN)
    some = f"{options.limit} questions of each language" if options.limit else "all questions"
    return (
        f"Golden set {questions.version} ({questions.blob_hash[:12]}), {some}, {options.route}, "
        f"mode auto; elysia-guard {__version__}, Python {platform.python_version()}; "
        f"seed {options.seed}."
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    every = list(POLICIES)
    add("--models", nargs="+", choices=every, default=every, metavar="NAME", help=", ".join(every))
    add("--limit", type=int, default=0, metavar="N", help="of each language so many; 0: all")
    add("--route", choices=sorted(WAYS), default=Direct.name)
    add("--seed", type=int, default=SEED)
    add("--into", type=Path, help="put the table into a document, at its marks")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
