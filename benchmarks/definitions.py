"""What a definition costs in CPU time on the direct route, beside the bare look-up of its term.

Each form is asked of every term of a vocabulary in turn, so that no question comes twice in a row:
what is kept of the last texts helps none. Ratios are of medians within this run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from elysia_guard import config as configuration
from elysia_guard.direct import Guard
from elysia_guard.wiring import Wiring

FORMS = (
    "What is X?",
    "what does X mean",
    "Wat is X?",
    "Wat betekent X?",
    "Was ist X?",
    "Was bedeutet X?",
)
LIMIT_MS = 2.0
"""A question, at the median of each form."""


def cpu_ms(work: Callable[[str], object], texts: Sequence[str], repeats: int) -> dict[str, float]:
    """The least and the median CPU time of one call, over rounds of one call a text."""
    for text in texts:
        work(text)
    taken = []
    for _ in range(repeats):
        started = time.process_time()
        for text in texts:
            work(text)
        taken.append((time.process_time() - started) * 1000 / len(texts))
    return {"min_ms": min(taken), "median_ms": statistics.median(taken)}


def measure(terms: int, repeats: int) -> dict:
    """Ask each form of some terms, and look the same terms up."""
    wiring = Wiring(configuration.load())
    guard = Guard(wiring=wiring)
    labels = asyncio.run(wiring.vocabulary.labels()).all
    chosen = sorted({label.text.value for label in labels if label.text.lang == "en"})[:terms]
    with asyncio.Runner() as runner:
        bare = cpu_ms(
            lambda term: runner.run(wiring.vocabulary.lookup(term, lang="en")), chosen, repeats
        )
        nothing = cpu_ms(lambda _: runner.run(asyncio.sleep(0)), chosen, repeats)
    asked = {
        form: cpu_ms(guard.ask, [form.replace("X", term) for term in chosen], repeats)
        for form in FORMS
    }
    return {"terms": len(chosen), "looked_up": bare, "event_loop": nothing, "asked": asked}


def show(result: dict) -> None:
    """Print for a person."""
    bare = result["looked_up"]["median_ms"]
    print(
        f"{result['terms']} terms, {result['repeats']} rounds, Python {result['python']}; "
        f"limit of a question {LIMIT_MS} ms"
    )
    print(f"\n{'CPU of one (ms)':24}{'min':>9}{'median':>9}{'ratio':>9}")
    rows = {
        "an empty event loop": result["event_loop"],
        "bare look-up": result["looked_up"],
        **result["asked"],
    }
    for name, taken in rows.items():
        print(f"{name:24}{taken['min_ms']:9.3f}{taken['median_ms']:9.3f}", end="")
        print(f"{taken['median_ms'] / bare:8.1f}x")


def main() -> None:
    """Run and print; end with 1 where a form is beyond its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--terms", type=int, default=200, help="how many, in turn (200)")
    parser.add_argument("--repeats", type=int, default=5, help="rounds over all terms (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    measured = measure(given.terms, given.repeats)
    result = {"repeats": given.repeats, "python": platform.python_version(), **measured}
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)
    slow = [form for form, taken in result["asked"].items() if taken["median_ms"] > LIMIT_MS]
    if slow:
        sys.exit(f"beyond its limit: {', '.join(slow)}")


if __name__ == "__main__":
    main()
