"""Fit the small model of wordings on the tuning questions, and say what it is worth.

    python scripts/fit_intents.py           # prints: each corpus by a model of the others
    python scripts/fit_intents.py --write   # and updates the weights that the guard reads

The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import golden, intent_examples, intent_fit, intents, readings
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.intent_examples import OWN, Example, Spot
from elysia_guard.evaluation.intent_table import table
from elysia_guard.reading.spans import Spotter
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
SETS = ROOT / "data" / "evaluation"
WEIGHTS = ROOT / "src" / "elysia_guard" / "adapters" / "intent_model.json"
OF_OWN_VOCABULARY = frozenset({OWN, "esa"})
"""Corpora whose questions are asked beside the vocabulary of our own."""

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    try:
        asked = golden.load(options.sets / "golden_queries.jsonl")
        labelled = options.sets / "intents.jsonl"
        read = readings.load(options.sets / "readings.jsonl")
        spots = asyncio.run(_spots())
        tuning = (case for case in intents.load(labelled) if case.split is Split.TUNING)
        found: list[Example] = [
            *intent_examples.of_golden(asked.select(Split.TUNING), spots(OWN)),
            *intent_examples.of_intents(tuning, spots(OWN)),
            *intent_examples.of_readings(read.select(Split.TUNING), spots),
        ]
        embedder = BundledEmbedder()
        fitted = asyncio.run(intent_fit.fit(embedder, found))
        print(table(fitted))
        if options.write:
            sets = {
                "golden_queries.jsonl": asked.blob_hash,
                "intents.jsonl": golden.blob_hash(labelled.read_bytes()),
                "readings.jsonl": read.blob_hash,
            }
            text = intent_fit.written(fitted, model=embedder.model_id, sets=sets)
            options.weights.write_text(text, encoding="utf-8")
            print(f"wrote {options.weights}")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


async def _spots() -> intent_examples.Spots:
    """What finds spans: of our own corpus all; elsewhere what is not labelled is known here alone.

    The documents of the other corpora are labelled in every question that mentions them.
    """
    wiring = Wiring.load()
    try:
        labels = (await wiring.terminology.labels()).all if wiring.terminology else ()
        own = Spotter.of(labels, await wiring.index.documents(Filters(approval=None)))
    finally:
        wiring.close()
    beside, none = Spotter.of(labels, ()), Spotter.of((), ())

    def of(corpus: str) -> Spot:
        if corpus == OWN:
            return own.spot
        return (beside if corpus in OF_OWN_VOCABULARY else none).spot

    return of


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--sets", type=Path, default=SETS, help="the folder of the labelled sets")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the file to write")
    parser.add_argument("--write", action="store_true", help="write the weights")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
