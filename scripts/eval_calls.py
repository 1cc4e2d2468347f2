"""Count calls and tokens by kind of question, in each mode, and those of plain Elysia beside them.

    python scripts/eval_calls.py                               # print the table
    python scripts/eval_calls.py --each 40 --into docs/evaluation.md

Questions of the tuning half, as they were read. The model writes what the sources say. Plain Elysia
is told to search once, for the passages that the index has for the question, and then to answer
with the same words: the least that it can do. Exit codes: 0 done, 1 a limit is exceeded, 2 wrong
use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from corpora import GOLDEN
from ways import Plain, put, wiring_of

from elysia_guard import Guard, __version__
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.mode import ASKABLE, Mode
from elysia_guard.edge.elysia.host import Result, Tool
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.adversaries.server import AdversaryServer
from elysia_guard.evaluation.calls import FREE, Cost, Costed, kind_of, markdown
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.wiring import Wiring

DONE, EXCEEDED, COULD_NOT_RUN = 0, 1, 3
ELYSIA = "plain Elysia"
MOST_TOKENS = 3_000
"""Of all prompts to a question in mode auto, at the median."""
PASSAGES = 5
"""So many objects does Elysia's own query return, if nothing else is said."""
Costs = dict[Costed, dict[str, list[Cost]]]


def main() -> int:
    """Run, print, and say whether a limit is exceeded."""
    options = _options()
    try:
        costs = asyncio.run(measured(options))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    table = [(kind, list(costs[kind].items())) for kind in Costed if kind in costs]
    told = f"{_head(options)}\n\n{markdown(table)}"
    print(told)
    if options.into:
        put(told, options.into, "calls")
    found = list(_exceeded(costs))
    for each in found:
        print(f"exceeded: {each}", file=sys.stderr)
    return EXCEEDED if found else DONE


def _exceeded(costs: Costs) -> Iterator[str]:
    for kind, by_way in costs.items():
        if kind in FREE and any(each.calls for mode in ASKABLE for each in by_way[mode]):
            yield f"a model was asked about {kind}"
    auto = [each for by_way in costs.values() for each in by_way[Mode.AUTO] if each.calls]
    if auto and median(each.prompt for each in auto) >= MOST_TOKENS:
        yield f"mode auto takes {median(each.prompt for each in auto):.0f} tokens at the median"


async def measured(options: argparse.Namespace) -> Costs:
    """Ask so many questions of each kind, in each mode and of plain Elysia."""
    costs: Costs = defaultdict(lambda: defaultdict(list))
    cases = golden.load(GOLDEN).select(Split.TUNING)
    with ExitStack() as opened, AdversaryServer() as server:
        server.playing = "right"
        parts = {mode: opened.enter_context(closing(wiring_of(server))) for mode in ASKABLE}
        counter = Counter(server)
        plain = Searching(server, parts[Mode.INSTANT])
        for case in _spread(cases):
            kind = await _kind(case, parts[Mode.INSTANT])
            if kind is None or len(costs[kind][Mode.INSTANT]) >= options.each:
                continue
            said = ""
            for mode in ASKABLE:
                wiring = parts[mode]
                reply = await counter(Guard(wiring=wiring).aask, case.query, mode=mode)
                costs[kind][mode].append(counter.cost)
                said = reply.answer
            await counter(plain.searched, case.query, said)
            costs[kind][ELYSIA].append(counter.cost)
    return costs


def _spread(cases: Sequence[Case], stride: int = 97) -> list[Case]:
    """Return all questions, neighbours apart: those beside each other are alike."""
    return [case for start in range(stride) for case in cases[start::stride]]


async def _kind(case: Case, wiring: Wiring) -> Costed | None:
    """Say of what kind a question is; None where it cannot be asked, or is of none."""
    try:
        inquiry = await wiring.pipeline.begin(case.query, request_id="kind", route="direct")
        reply = await wiring.pipeline.answer(inquiry)
    except GuardError:
        return None
    return kind_of(inquiry, reply)


class Counter:
    """Counts what a server was asked, and wrote, while something was done."""

    def __init__(self, server: AdversaryServer) -> None:
        self._server = server
        self._count = tokens()
        self.cost = Cost(calls=0, prompt=0, written=0)

    async def __call__(self, do: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Do it, and count."""
        self._server.requests.clear()
        self._server.texts.clear()
        done = await do(*given, **named)
        asked = [_contents(request) for request in self._server.requests]
        self.cost = Cost(
            calls=len(asked),
            prompt=sum(self._count(text) for text in asked),
            written=sum(self._count(text) for text in self._server.texts),
        )
        return done


def _contents(request: Mapping[str, Any]) -> str:
    return "\n".join(str(message.get("content", "")) for message in request["messages"])


def tokens() -> Callable[[str], int]:
    """Return what counts tokens, by the encoding cl100k, whose table comes with LiteLLM."""
    found = find_spec("litellm")
    folder = Path(found.submodule_search_locations[0] if found else "")  # type: ignore[index]
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder / "litellm_core_utils" / "tokenizers")
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base")
    return lambda text: len(encoding.encode(text, disallowed_special=()))


class Searching(Plain):
    """Elysia itself, with a tool that searches our index, and no guard."""

    def __init__(self, server: AdversaryServer, wiring: Wiring) -> None:
        super().__init__(server)
        self._server, self._wiring = server, wiring

    async def searched(self, query: str, said: str) -> str:
        """Have it search, and then say what was said."""
        vector = await self._wiring.embedder.embed_question(query)
        index = self._wiring.pipeline.index
        hits = await index.search(query, vector, filters=Filters(), limit=PASSAGES)
        rows = [
            {
                "document": hit.passage.document.id,
                "title": hit.passage.document.title,
                "section": hit.passage.section,
                "content": hit.passage.text,
            }
            for hit in hits
        ]
        self._server.saying, self._server.picking = said or "-", [SearchDocuments.NAME]
        try:
            return await self.ask(query, tools=[SearchDocuments(rows)])
        finally:
            self._server.saying = ""


class SearchDocuments(Tool):  # type: ignore[misc]
    """Puts passages into Elysia's environment, as its own query does."""

    NAME = "search_documents"

    def __init__(self, rows: Sequence[Mapping[str, str]] = (), **_: Any) -> None:
        super().__init__(
            name=self.NAME,
            description="Search the knowledge base for passages about the user's question.",
            status="Searching...",
            inputs={},
            end=False,
        )
        self._rows = rows

    async def __call__(self, **_: Any) -> AsyncIterator[Result]:
        """Return the passages."""
        yield Result(objects=[dict(row) for row in self._rows], name="documents")


def _head(options: argparse.Namespace) -> str:
    questions = golden.load(GOLDEN)
    return (
        f"Golden set {questions.version} ({questions.blob_hash[:12]}), tuning half, up to "
        f"{options.each} questions of each kind; medians; tokens by cl100k; elysia-guard "
        f"{__version__}, elysia-ai {version('elysia-ai')}, Python {platform.python_version()}."
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--each", type=int, default=25, metavar="N", help="questions of each kind")
    add("--into", type=Path, help="put the table into a document, at its marks")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
