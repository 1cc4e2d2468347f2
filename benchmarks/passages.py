"""What a large knowledge base costs: to ingest, to open, to search and to answer from.

The documents are generated, from a seed: decisions, principles and policies with the headings of
MADR, in English and Dutch, their words drawn by Zipf's law from the glossary and from invented
words. A first part is embedded by the real model, which gives its rate, and is what the questions
are about; the rest gets vectors drawn from its texts' checksums, since the model would take half an
hour for 200,000 chunks. Everything is read, cut and written by ``ingest``, and every question is
embedded by the real model.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from library import SECTIONS, DrawnVectors, Library
from vocabulary import marks

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import Beside, ingest
from elysia_guard.adapters.word_likeness import WordFile, WordVectors
from elysia_guard.direct import Guard
from elysia_guard.domain.document import Filters
from elysia_guard.domain.events import EmbeddingEnded, Event, SearchEnded
from elysia_guard.language.stems import content_words
from elysia_guard.wiring import Wiring

AIMS_MS = {20_000: 15.0, 200_000: 100.0}
"""What the median of a direct-route answer is to stay under, by chunks."""
PEAK = """
def megabytes():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024
"""
"""The most memory held; Linux. ``ru_maxrss`` counts that of the parent in."""
COLD = """
import asyncio, json, sys, time
from pathlib import Path
import numpy as np
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.domain.document import Filters

def search():
    started = time.perf_counter()
    asyncio.run(index.search(sys.argv[2], vector, filters=Filters()))
    return time.perf_counter() - started

{PEAK}

vector = np.ones(int(sys.argv[3]), dtype=np.float32)
before, started = megabytes(), time.perf_counter()
index = SqliteIndex.open(sys.argv[1])
opened = time.perf_counter() - started
print(json.dumps({"open_s": opened, "first_search_s": search(), "second_search_s": search(),
                  "index_mb": megabytes() - before}))
"""
WHOLE = """
import json, sys, time
from pathlib import Path
started = time.perf_counter()
from elysia_guard import Guard
Guard(index=Path(sys.argv[1])).ask(sys.argv[2])
taken = time.perf_counter() - started
{PEAK}
print(json.dumps({"first_answer_s": taken, "process_mb": megabytes()}))
"""
"""Run in processes of their own."""


def timed(work: Callable[[], object]) -> float:
    """Time one call, in seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


async def filled(library: Library, index: Path, embedder: Any) -> tuple[float, int]:
    """Bring the index up to date with the library; return the seconds, and the chunks it holds."""
    started = time.perf_counter()
    model = BundledEmbedder()
    file = WordFile(Path(f"{index}.words"), model_id=model.model_id)
    words = WordVectors(model, file=file)
    report = await ingest([library.folder], index, embedder, beside=Beside(words=words))
    return time.perf_counter() - started, report.passages


async def searched(wiring: Wiring, questions: Sequence[str]) -> list[float]:
    """Time hybrid searches, the question's vector at hand."""
    taken = []
    for question in questions:
        vector = await wiring.embedder.embed_question(question)
        started = time.perf_counter()
        await wiring.index.search(question, vector, filters=Filters(), limit=15)
        taken.append(time.perf_counter() - started)
    return taken[1:]


async def answered(wiring: Wiring, questions: Sequence[str]) -> dict[str, Any]:
    """Time answers of the direct route, and what their stages take of them."""
    guard, stages, taken, right = Guard(wiring=wiring), defaultdict(list), [], 0

    def watch(event: Event) -> None:
        if isinstance(event, EmbeddingEnded):
            stages["embedding"].append(event.elapsed_ms)
        elif isinstance(event, SearchEnded):
            stages["search"].append(event.elapsed_ms)

    wiring.observers.append(watch)
    await guard.aask(questions[0])
    stages.clear()
    for question in questions[1:]:
        started = time.perf_counter()
        response = await guard.aask(question)
        taken.append(time.perf_counter() - started)
        right += not response.refused
        for step in response.trace:
            stages[step.stage].append(step.elapsed_ms)
    wiring.observers.remove(watch)
    sums = {name: sum(times) / 1000 for name, times in stages.items()}
    sums["retrieval, the rest"] = sums.pop("retrieval") - sums["embedding"] - sums["search"]
    sums["between stages"] = sum(taken) - sum(sums.values())
    shares = {name: round(value / sum(taken), 4) for name, value in sums.items()}
    return {"answer_ms": marks(taken, 1e3), "answered": right / len(taken), "shares": shares}


def bare(index: Path, questions: Sequence[str], dimension: int) -> dict[str, Any]:
    """Time what a search cannot do without: one matrix product, and one query for its words."""
    query = np.full(dimension, 1 / math.sqrt(dimension), dtype=np.float32)
    with closing(sqlite3.connect(index)) as connection:
        rows = connection.execute("SELECT vector FROM passages")
        vectors = np.stack([np.frombuffer(row[0], dtype=np.float32) for row in rows])
        products = [timed(lambda: vectors @ query) for _ in questions]

        def match(question: str) -> None:
            terms = " OR ".join(f'"{word}"' for word in content_words(question, "en"))
            ranked = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50"
            connection.execute(ranked, (terms,)).fetchall()

        words = [timed(lambda question=question: match(question)) for question in questions]
    disk = round(index.stat().st_size / 1e6, 1)
    return {
        "file_mb": disk,
        "numpy_product_ms": marks(products[1:], 1e3),
        "fts5_query_ms": marks(words[1:], 1e3),
    }


def alone(script: str, *arguments: str) -> dict[str, float]:
    """Run a script in a process of its own; the medians of three runs."""
    runs = [
        json.loads(
            subprocess.run(  # noqa: S603  our own interpreter
                [sys.executable, "-c", script.replace("{PEAK}", PEAK), *arguments],
                check=True, capture_output=True, text=True,
            ).stdout
        )
        for _ in range(3)
    ]  # fmt: skip
    return {name: round(statistics.median(run[name] for run in runs), 3) for name in runs[0]}


async def measure(index: Path, questions: Sequence[str]) -> dict[str, Any]:
    """Measure one index."""
    wiring = Wiring.load(index=index)
    try:
        info = await wiring.index.info()
        result = {
            "chunks": info.passages,
            "documents": info.documents,
            "load_average": round(os.getloadavg()[0], 2),
            "search_ms": marks(await searched(wiring, questions), 1e3),
            **await answered(wiring, questions),
        }
    finally:
        wiring.close()
    return {
        **result,
        **bare(index, questions, info.dimension),
        **alone(COLD, str(index), questions[0], str(info.dimension)),
        **alone(WHOLE, str(index), questions[0]),
    }


async def run(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Let one library grow from size to size, and measure its index at each."""
    index = folder / "index.sqlite"
    library, model = Library(folder / "documents", given.seed), BundledEmbedder()
    await model.embed_question("warm up")
    library.grow(given.sample)
    known, (seconds, chunks) = library.documents, await filled(library, index, model)
    rate = round(chunks / seconds, 1)
    questions = [library.question(turn, known) for turn in range(given.rounds + 1)]
    sizes = []
    for size in sorted(given.sizes):
        tell(f"growing to {size} chunks")
        library.grow(size)
        before = chunks
        seconds, chunks = await filled(library, index, DrawnVectors())
        tell(f"measuring {size} chunks")
        written = round((chunks - before) / seconds, 1)
        sizes.append({"drawn_chunks_s": written, **await measure(index, questions)})
    return {
        "seed": given.seed,
        "rounds": given.rounds,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sqlite": sqlite3.sqlite_version,
        "cpus": os.cpu_count(),
        "model": model.model_id,
        "sample": known * len(SECTIONS["en"]),
        "model_chunks_s": rate,
        "sizes": sizes,
        "growth": [growth(*pair) for pair in pairwise(sizes)],
    }


def growth(small: dict[str, Any], large: dict[str, Any]) -> dict[str, float]:
    """By which power of the number of chunks a time or a size grows; 1 is in proportion."""
    more = math.log(large["chunks"] / small["chunks"])
    figures = ("search_ms", "answer_ms", "first_search_s", "index_mb", "file_mb")
    return {
        name: round(math.log(_value(large[name]) / _value(small[name])) / more, 2)
        for name in figures
    }


def _value(figure: float | dict[str, float]) -> float:
    return figure["p50"] if isinstance(figure, dict) else max(figure, 1e-3)


def tell(text: str) -> None:
    """Say on a terminal what takes time."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def show(result: dict[str, Any]) -> None:
    """Print for a person."""
    print(
        f"{result['model']}, seed {result['seed']}, {result['rounds']} questions, "
        f"Python {result['python']}, numpy {result['numpy']}, SQLite {result['sqlite']}, "
        f"{result['cpus']} CPUs"
    )
    print(
        f"ingest with the model: {result['model_chunks_s']} chunks/s (measured on "
        f"{result['sample']}; the other chunks have drawn vectors)"
    )
    for size in result["sizes"]:
        show_size(size)
    names = list(result["growth"][0]) if result["growth"] else []
    for name in names:
        powers = ", ".join(f"n^{step[name]:.2f}" for step in result["growth"])
        print(f"growth of {name.rpartition('_')[0].replace('_', ' '):16}{powers}")


def show_size(size: dict[str, Any]) -> None:
    """Print the figures of one size."""
    print(f"\n{size['chunks']} chunks of {size['documents']} documents", end="")
    print(f" (load average {size['load_average']})")
    print(f"{'milliseconds':24}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>9}")
    rows = {
        "direct-route answer": "answer_ms",
        "hybrid search": "search_ms",
        "bare matrix product": "numpy_product_ms",
        "bare FTS5 query": "fts5_query_ms",
    }
    for label, name in rows.items():
        print(f"{label:24}" + "".join(f"{value:9.2f}" for value in size[name].values()))
    limit = size["numpy_product_ms"]["p50"] + size["fts5_query_ms"]["p50"]
    print(f"a search takes {size['search_ms']['p50'] / limit:.2f}x of the bare two", end="")
    print(f"; answered {size['answered']:.0%}", end="")
    aim = next((aim for chunks, aim in AIMS_MS.items() if size["chunks"] <= chunks * 1.01), None)
    median = size["answer_ms"]["p50"]
    print(f"; aim {aim:.0f} ms: {'met' if median <= aim else 'missed'}" if aim else "")
    shares = sorted(size["shares"].items(), key=lambda item: -item[1])
    print("share of the answer: " + ", ".join(f"{name} {share:.0%}" for name, share in shares))
    print(
        f"file {size['file_mb']} MB, memory of the index {size['index_mb']:.0f} MB, of the process "
        f"{size['process_mb']:.0f} MB; writing {size['drawn_chunks_s']:.0f} chunks/s"
    )
    print(
        f"cold: open {size['open_s'] * 1000:.0f} ms, first search {size['first_search_s']:.2f} s, "
        f"second {size['second_search_s']:.3f} s; process to first answer "
        f"{size['first_answer_s']:.2f} s"
    )


def sizes_of(text: str) -> list[int]:
    """Read '1000,20000'."""
    return [int(part) for part in text.split(",")]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sizes", type=sizes_of, default=[1_000, 20_000], help="chunks (1000,20000)"
    )
    parser.add_argument("--rounds", type=int, default=200, help="questions at each size (200)")
    parser.add_argument("--sample", type=int, default=500, help="chunks for the model (500)")
    parser.add_argument("--seed", type=int, default=7, help="of the generator (7)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(run(Path(folder), given))
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)


if __name__ == "__main__":
    main()
