"""Let models that invent answer the golden set, and look for what they made up in what is shown.

    python -m scripts.lab adversaries                          # both routes, the whole golden set
    python -m scripts.lab adversaries --split tuning --limit 50 --kinds number,negation
    python -m scripts.lab adversaries --into docs/internals/adversaries.md

Nothing leaves the machine. Elysia itself answers some questions beside, by the same model.
Exit codes: 0 nothing invented was shown, 1 something was, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from scripts.lab.adversaries.policies import SEED
from scripts.lab.adversaries.server import AdversaryServer
from scripts.lab.adversaries.tally import Leak, Tally, markdown, shown_in
from scripts.lab.adversaries.told import InventionKind
from scripts.lab.corpora import DONE, FAILED, GOLDEN, put

from elysia_guard import Guard, RAGResponse, __version__
from elysia_guard import config as configuration
from elysia_guard.config import AnswerCacheSection, LanguageModelSection
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.mode import Mode
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.wiring import Wiring

IN_A_ROUND = 4
"""Kinds that share an answer: of eight units that it points at, half are right."""
NOT_HERE = frozenset({InventionKind.OBEYED})
"""What the documents of the golden set have no instruction for; `tests` hold it to the attacks."""


class DirectChannel:
    """The direct route; all that a program is given is what is shown."""

    name = "direct"

    def __init__(self, wiring: Wiring) -> None:
        self._guard = Guard(wiring=wiring)

    async def ask(self, query: str) -> tuple[RAGResponse, str]:
        """Answer a question; return the response, and every text that it holds."""
        reply = await self._guard.aask(query, request_id="adversary")
        return reply, shown_in(reply, reply.to_dict())


class Headless:
    """The tree; all that it sends and keeps is what is shown."""

    name = "tree"

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    async def ask(self, query: str) -> tuple[RAGResponse, str]:
        """Answer a question; return the response, and every text that was sent or kept."""
        from elysia_guard.edge.elysia import GuardedTree

        self._wiring.pipeline.check(query)
        tree = GuardedTree(wiring=self._wiring)
        sent = [item async for item in tree.async_run(query, query_id="adversary")]
        if tree.last_response is None:
            raise GuardError("the tree ended without a response")
        kept = (tree.conversation_history, tree.tree_data.tasks_completed, tree.returner.store)
        return tree.last_response, shown_in(sent, kept, tree.last_response.to_dict())


class Plain:
    """Elysia itself, told by its model what the guard's was told: its text is what is shown."""

    name = "plain Elysia"

    def __init__(self, server: AdversaryServer) -> None:
        import dspy

        from elysia_guard.edge.elysia.host import Settings

        dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
        self._settings = Settings()
        self._settings.BASE_MODEL = self._settings.COMPLEX_MODEL = "adversary"
        self._settings.BASE_PROVIDER = self._settings.COMPLEX_PROVIDER = "openai"
        self._settings.MODEL_API_BASE = server.url
        self._settings.API_KEYS = {"openai_api_key": "none"}
        self._settings.LOGGING_LEVEL_INT = logging.CRITICAL
        self._settings.logger.setLevel(logging.CRITICAL)
        # DSPy warns of whole prompts.
        logging.getLogger("dspy").setLevel(logging.ERROR)

    async def ask(self, query: str) -> str:
        """Answer a question; return the texts that a page would show."""
        from elysia_guard.edge.elysia.host import Tree

        tree = Tree("default", settings=self._settings)
        sent = [item async for item in tree.async_run(query) if item]
        return shown_in([item["payload"] for item in sent if item["type"] == "text"])


Way = DirectChannel | Headless


def wiring_of(server: AdversaryServer) -> Wiring:
    """Put the parts together with the server's model, which plans and points."""
    chosen: dict[str, object] = {
        "llm": LanguageModelSection(url=server.url, model="adversary"),
        "test_triggers": True,
        "log_level": "ERROR",
        # A question that is asked twice is to be pointed at twice.
        "answer_cache": AnswerCacheSection(enabled=False),
    }
    wiring = Wiring(configuration.load().model_copy(update=chosen))
    wiring.ensure_index()
    return wiring


def main() -> int:
    """Run, print, and say whether anything invented was shown."""
    options = _options()
    tallies = asyncio.run(measured(options))
    told = "\n\n".join((_head(options, tallies), markdown(tallies)))
    print(told)
    leaks = [leak for tally in tallies if tally.name != Plain.name for leak in tally.leaks]
    if options.leaks:
        rows = (json.dumps({"question": leak.question, **asdict(leak.made)}) for leak in leaks)
        options.leaks.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    for leak in leaks[: options.show]:
        print(_line(leak), file=sys.stderr)
    if options.into:
        put(told, options.into, "adversaries")
    return FAILED if leaks else DONE


async def measured(options: argparse.Namespace) -> list[Tally]:
    """Ask the golden set on each route, in as many rounds as the kinds need."""
    cases = golden.load(GOLDEN).select(None if options.split == "all" else Split(options.split))
    cases = cases[:: max(1, len(cases) // options.limit)] if options.limit else cases
    with AdversaryServer() as server:
        tallies = [
            await _asked(way, cases, server, options)
            for way in (DirectChannel, Headless)
            if way.name in options.routes
        ]
        if options.plain:
            with closing(wiring_of(server)) as wiring:
                tallies.append(await _plainly(DirectChannel(wiring), cases, server, options))
    return tallies


async def _asked(
    kind_of_way: type[DirectChannel | Headless],
    cases: Sequence[Case],
    server: AdversaryServer,
    options: argparse.Namespace,
) -> Tally:
    """Ask all questions on one way, round for round."""
    tally, left = Tally(name=kind_of_way.name), list(cases)
    for at in range(0, len(options.kinds), IN_A_ROUND):
        group = "+".join(options.kinds[at : at + IN_A_ROUND])
        server.playing = f"{options.policy}:{group}:{options.seed}"
        # What no model was asked in the first round, it is not in the others; and what one wrote
        # is remembered, so each round has parts of its own.
        with closing(wiring_of(server)) as wiring:
            way, reached = kind_of_way(wiring), []
            for case in left:
                tally.asked += 1
                if await _added(tally, way, case, server):
                    reached.append(case)
        left = reached
        print(f"{tally.name}: {server.playing}: {len(left)} question(s)", file=sys.stderr)
    return tally


async def _added(tally: Tally, way: Way, case: Case, server: AdversaryServer) -> bool:
    """Ask a question, and count what was made up; tell whether a model was asked at all."""
    server.requests.clear()
    server.taken()
    started = time.perf_counter()
    try:
        reply, shown = await way.ask(case.query)
    except GuardError:
        return False  # one that cannot be asked at all
    if not server.requests:
        return False
    tally.add(
        case.id,
        server.taken(),
        shown,
        ms=(time.perf_counter() - started) * 1000,
        answered=not reply.refused,
        written=reply.mode is not Mode.INSTANT,
    )
    return True


async def _plainly(
    way: DirectChannel, cases: Sequence[Case], server: AdversaryServer, options: argparse.Namespace
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
        tally.add(case.id, made, shown, ms=ms, answered=said, written=said)
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


def _kinds(text: str) -> tuple[InventionKind, ...]:
    try:
        return tuple(InventionKind(each.strip()) for each in text.split(","))
    except ValueError as err:
        raise argparse.ArgumentTypeError(f"{err}; there are: {', '.join(InventionKind)}") from None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("tuning", "held_out", "all"), default="all")
    everything = tuple(kind for kind in InventionKind if kind not in NOT_HERE)
    add("--kinds", type=_kinds, default=everything, metavar="A,B", help="the kinds to invent")
    add("--policy", choices=("mixed", "fabricate"), default="mixed")
    add("--routes", nargs="+", choices=("direct", "tree"), default=["direct", "tree"])
    add("--limit", type=int, metavar="N", help="ask about N questions, spread over the set")
    add("--plain", type=int, default=20, metavar="N", help="ask plain Elysia N questions beside it")
    add("--seed", type=int, default=SEED)
    add("--show", type=int, default=40, metavar="N", help="print N of what was shown")
    add("--leaks", type=Path, metavar="FILE", help="write what was shown as JSON lines")
    add("--into", type=Path, help="put the tables into a document, at its marks")
    return parser.parse_args()
