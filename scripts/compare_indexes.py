"""Compare what the embedded index and a Weaviate find, on the tuning half of the golden set.

    ELYSIA_GUARD_INDEX__WEAVIATE__URL=http://127.0.0.1:8080 python scripts/compare_indexes.py

Both must have been filled from the same documents. The held-out questions are never looked at.
Exit codes: 0 done, 1 the overlap is below the one asked for, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.domain.errors import ConfigError, GuardError
from elysia_guard.evaluation import golden, overlap
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"

DONE, BELOW, COULD_NOT_RUN = 0, 1, 3


def main() -> int:
    """Search both, and print in how far they agree."""
    options = _options()
    try:
        found = asyncio.run(_compared(options.golden))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    print(overlap.render(found, left="sqlite", right="weaviate"))
    least = sum(each.overlap for each in found) / len(found)
    if least < options.min_overlap:
        print(f"error: the overlap is {least:.4f}; at least {options.min_overlap} is asked for",
              file=sys.stderr)  # fmt: skip
        return BELOW
    return DONE


async def _compared(path: Path) -> list[overlap.Comparison]:
    config = configuration.load()
    if config.index.weaviate is None:
        raise ConfigError(
            "index.weaviate is not set; name its url: ELYSIA_GUARD_INDEX__WEAVIATE__URL"
        )
    wirings = [
        Wiring(config.model_copy(update={"index": config.index.model_copy(update={"kind": kind})}))
        for kind in ("sqlite", "weaviate")
    ]
    left, right = wirings
    cases = golden.load(path).select(golden.Split.TUNING)
    try:
        held = [await wiring.index.info() for wiring in wirings]
        if len({(info.documents, info.passages) for info in held}) > 1:
            raise ConfigError(
                "the two indexes do not hold the same: "
                + ", ".join(f"{info.passages} passages in {info.location}" for info in held)
                + "; run 'elysia-guard ingest' for both"
            )
        return await overlap.compare(cases, left.index, right.index, left.embedder)
    finally:
        for wiring in wirings:
            wiring.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden set")
    parser.add_argument("--min-overlap", type=float, default=0.0, metavar="SHARE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
