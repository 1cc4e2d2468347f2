"""Measure how questions of people who know neither rules nor labels are read.

    python scripts/eval_readings.py                      both halves; misses of tuning alone
    python scripts/eval_readings.py --split tuning --misses
    python scripts/eval_readings.py --corpus govuk=FOLDER,VOCABULARY.ttl

The demo corpus needs nothing. Questions over a corpus that is not there are counted, and not read.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from corpora import CORPORA, ROOT, Corpus, corpus_option, over_each

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import readings, readings_run
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.readings import ReadingCase
from elysia_guard.evaluation.readings_run import ReadCase
from elysia_guard.running import into_pipe

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Read the questions, print the figures and what went wrong."""
    options = _options()
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    try:
        asked = readings.load(options.readings)
        cases = [case for case in asked.cases if case.split in splits]
        found = asyncio.run(_read(cases, {**CORPORA, **dict(options.corpus)}))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    figures = {
        split.value: readings_run.report([item for item in found if item.case.split is split])
        for split in splits
    }
    for name, counted in figures.items():
        print(readings_run.render(name, counted))
    if options.misses:
        for item in found:
            if item.case.split is Split.TUNING and not item.right:
                print(readings_run.render_miss(item))
    if options.output:
        content = {"version": __version__, "readings_hash": asked.blob_hash, "halves": figures}
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return DONE


async def _read(cases: Sequence[ReadingCase], corpora: dict[str, Corpus]) -> list[ReadCase]:
    return [
        await readings_run.read(pipeline, case)
        async for pipeline, own in over_each(cases, lambda case: case.corpus, corpora)
        for case in own
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("all", *(split.value for split in Split)), default="all")
    add("--readings", type=Path, metavar="PATH",
        default=ROOT / "data" / "evaluation" / "readings.jsonl")  # fmt: skip
    add("--corpus", type=corpus_option, action="append", default=[],
        metavar="NAME=FOLDER,VOCABULARY",
        help="where another corpus lies; may be given several times")  # fmt: skip
    add("--misses", action="store_true", help="show the tuning questions that are read wrongly")
    add("--output", type=Path, metavar="PATH", help="write the figures there too, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
