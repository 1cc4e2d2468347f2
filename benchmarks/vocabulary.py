"""What a large vocabulary costs: loading it, looking terms up, suggesting near ones, copying it.

The concepts are generated, from a seed: labels of one to three words in English and Dutch, made of
word stems and endings, so that many share a word, as in a real thesaurus.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skos.check import check_files
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.adapters.skos.turtle import turtle as turtle_of

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix v: <https://vocab.example/large/> .
v:scheme a skos:ConceptScheme ; skos:prefLabel "Large"@en .
"""
ONSETS = "b d f g k l m n p r s t v st tr pl kr gr".split()
VOWELS = "a e i o u aa ee oo".split()
CODAS = "k l m n p r s t ld nk rt st".split()
ENDINGS = {"en": ["", "er", "ing", "ity"], "nl": ["", "er", "ing", "atie"]}
MEMORY = """
import resource, sys
from pathlib import Path
from elysia_guard.adapters.skos import SkosFile
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
source = SkosFile.load([Path(sys.argv[1])])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
"""Run in a process of its own; kilobytes, as Linux counts them."""


def label(rng: random.Random, words: Sequence[str], lang: str) -> str:
    """Make a label of one to three words; the last has an ending of the language."""
    count = rng.choice((1, 2, 2, 3))
    return " ".join(rng.choices(words, k=count)) + rng.choice(ENDINGS[lang])


def turtle(concepts: int, rng: random.Random) -> tuple[str, list[str]]:
    """Write a vocabulary; also return its English prefLabels, each its own."""
    words = sorted({
        "".join(rng.choice(part) for part in (ONSETS, VOWELS, CODAS, VOWELS, CODAS))
        for _ in range(concepts // 4)
    })  # fmt: skip
    labels: dict[str, None] = {}
    while len(labels) < concepts:
        labels[label(rng, words, "en")] = None
    statements = [PREFIXES]
    for number, name in enumerate(labels):
        broader = f" ; skos:broader v:c{rng.randrange(number)}" if number else ""
        statements.append(
            f"v:c{number} a skos:Concept ; skos:inScheme v:scheme{broader} ;\n"
            f'  skos:prefLabel "{name}"@en, "{label(rng, words, "nl")}"@nl ;\n'
            f'  skos:altLabel "{label(rng, words, "en")} {number}"@en ;\n'
            f'  skos:definition "Thing {number}: {" ".join(rng.choices(words, k=12))}."@en .\n'
        )
    return "".join(statements), list(labels)


def misspelt(term: str, rng: random.Random) -> str:
    """Swap two letters, and double one."""
    place = rng.randrange(1, len(term) - 1)
    swapped = term[: place - 1] + term[place] + term[place - 1] + term[place + 1 :]
    return swapped + swapped[-1]


async def times(work: Callable[[str], Awaitable[object]], terms: Sequence[str]) -> list[float]:
    """Time one call a term, in seconds, after one unmeasured call."""
    await work(terms[0])
    taken = []
    for term in terms:
        started = time.perf_counter()
        await work(term)
        taken.append(time.perf_counter() - started)
    return taken


def marks(taken: Sequence[float], unit: float) -> dict[str, float]:
    """Median, 95th and 99th percentile, and the longest."""
    cut = statistics.quantiles(taken, n=100, method="inclusive")
    found = {"p50": cut[49], "p95": cut[94], "p99": cut[98], "max": max(taken)}
    return {name: round(value * unit, 2) for name, value in found.items()}


async def asked(source: SkosFile, labels: Sequence[str], rounds: int, rng: random.Random) -> dict:
    """Time look-ups and suggestions; make sure first that hits hit and misses miss."""
    chosen = rng.choices(labels, k=rounds)
    terms = {
        "hit": chosen,
        "plural": [f"{term}s" for term in chosen],
        "miss": [f"{misspelt(term, rng)}qx" for term in chosen],
    }
    rates = {
        name: len([term for term in asked if await source.lookup(term, lang="en")]) / rounds
        for name, asked in terms.items()
    }
    wrong = [misspelt(term, rng) for term in chosen]
    suggested = [await source.suggest(term, lang="en") for term in wrong]
    right = sum(
        any(term == concept.label("en") for concept in found)
        for term, found in zip(chosen, suggested, strict=True)
    )
    return {
        "found": rates,
        "suggested_right": right / rounds,
        "lookup_us": {
            name: marks(await times(lambda term: source.lookup(term, lang="en"), asked), 1e6)
            for name, asked in terms.items()
        },
        "suggestion_ms": marks(
            await times(lambda term: source.suggest(term, lang="en"), wrong), 1e3
        ),
    }


def timed(work: Callable[[], object], runs: int) -> float:
    """The median of some runs, in seconds."""
    taken = []
    for _ in range(runs):
        gc.collect()
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return round(statistics.median(taken), 3)


def measure(path: Path, labels: Sequence[str], rounds: int, rng: random.Random) -> dict:
    """Measure one vocabulary."""
    memory = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", MEMORY, str(path)], check=True, capture_output=True, text=True
    )
    report = check_files([path])
    return {
        "parse_s": timed(lambda: read_concepts([path]), 3),
        "load_s": timed(lambda: SkosFile.load([path]), 3),
        "check_s": timed(lambda: check_files([path]), 1),
        "write_s": timed(lambda: turtle_of(report.concepts, report.schemes), 3),
        "memory_mb": round(float(memory.stdout), 1),
        **asyncio.run(asked(SkosFile.load([path]), labels, rounds, rng)),
    }


def show(result: dict) -> None:
    """Print for a person."""
    print(
        f"{result['concepts']} concepts, {result['megabytes']} MB of Turtle, "
        f"seed {result['seed']}, {result['rounds']} terms each, Python {result['python']}"
    )
    print(
        f"parse {result['parse_s']} s, load {result['load_s']} s (parse and label index), "
        f"check {result['check_s']} s, write {result['write_s']} s, memory {result['memory_mb']} MB"
    )
    print(f"\n{'':20}{'p50':>10}{'p95':>10}{'p99':>10}{'max':>10}{'found':>9}")
    for name, taken in result["lookup_us"].items():
        row = "".join(f"{value:10.1f}" for value in taken.values())
        print(f"{f'lookup, {name} (µs)':20}{row}{result['found'][name]:9.0%}")
    row = "".join(f"{value:10.2f}" for value in result["suggestion_ms"].values())
    print(f"{'suggestion (ms)':20}{row}{result['suggested_right']:9.0%}")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--concepts", type=int, default=20_000, help="how many (20000)")
    parser.add_argument("--rounds", type=int, default=1_000, help="terms of each kind (1000)")
    parser.add_argument("--seed", type=int, default=7, help="of the generator (7)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    text, labels = turtle(given.concepts, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.ttl"
        path.write_text(text, encoding="utf-8")
        result = {
            "concepts": given.concepts,
            "megabytes": round(len(text.encode()) / 1e6, 1),
            "seed": given.seed,
            "rounds": given.rounds,
            "python": platform.python_version(),
            **measure(path, labels, given.rounds, rng),
        }
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)


if __name__ == "__main__":
    main()
