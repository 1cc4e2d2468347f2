"""Fit the models that hear a question for a meaning, on the tuning questions.

    python scripts/fit_meanings.py           # prints
    python scripts/fit_meanings.py --write   # and updates the weights that the guard reads

The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import golden, meaning_fit
from elysia_guard.evaluation.golden import Category, Split
from elysia_guard.evaluation.meaning_fit import Fitted
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
WEIGHTS = ROOT / "src" / "elysia_guard" / "adapters" / "meaning_model.json"
CHANCES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    try:
        asked = golden.load(options.golden)
        embedder = BundledEmbedder()
        fitted = asyncio.run(_fit(asked, embedder))
        print(_table(fitted))
        if options.write:
            text = meaning_fit.written(
                fitted, model=embedder.model_id, golden_set_hash=asked.blob_hash
            )
            options.weights.write_text(text, encoding="utf-8")
            print(f"wrote {options.weights}")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


async def _fit(asked: golden.GoldenSet, embedder: BundledEmbedder) -> Fitted:
    wiring = Wiring(configuration.load())
    found = await meaning_fit.examples(
        wiring.terminology, asked.select(Split.TUNING), default=wiring.config.default_lang
    )
    return await meaning_fit.fit(embedder, found)


def _table(fitted: Fitted) -> str:
    columns = (
        ("of the term", meaning_fit.TERMS),
        ("of another", meaning_fit.MEANINGS - meaning_fit.TERMS),
        ("something else", frozenset(Category) - meaning_fit.MEANINGS),
    )
    sizes = [fitted.count(categories) for _, categories in columns]
    lines = [
        f"{len(fitted.chances)} questions, {fitted.mentions} mentions of terms",
        f"cross-validated over {meaning_fit.FOLDS} parts; asked is the meaning ...",
        "chance at least" + "".join(f"{name:>18}" for name, _ in columns),
    ]
    for chance in CHANCES:
        counts = [fitted.count(categories, at_least=chance) for _, categories in columns]
        cells = (f"{count:>10} of {size:4}" for count, size in zip(counts, sizes, strict=True))
        lines.append(f"{chance:15.2f}" + "".join(f"{cell:>18}" for cell in cells))
    return "\n".join(lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden set, JSON lines")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the file to write")
    parser.add_argument("--write", action="store_true", help="write the weights")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
