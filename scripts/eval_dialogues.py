"""Measure follow-ups: each turn as it is typed, beside the same turn written out.

    python scripts/eval_dialogues.py                     both halves; misses of tuning alone
    python scripts/eval_dialogues.py --split tuning --misses

The demo corpus needs nothing; dialogues over ESA are counted, and not run, where ../shared is not.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from corpora import CORPORA, ROOT, over_each

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import dialogues
from elysia_guard.evaluation.golden import Split
from elysia_guard.running import into_pipe

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Ask the dialogues, print the figures and what went wrong."""
    options = _options()
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    try:
        asked = [item for item in dialogues.load(options.dialogues) if item.split in splits]
        outcomes = asyncio.run(_run(asked, quiet=options.quiet))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    figures = {
        split.value: dialogues.report([item for item in outcomes if item.dialogue.split is split])
        for split in splits
    }
    for split, found in figures.items():
        print(dialogues.render(split, found))
    if options.misses:
        for item in outcomes:
            if item.dialogue.split is Split.TUNING and item.whole_right and not item.typed_right:
                print(f"  {item.dialogue.id} {item.turn.typed!r}: read as {item.read_as!r}")
    if options.json:
        text = json.dumps({"version": __version__, "halves": figures}, indent=2)
        options.json.write_text(text + "\n", encoding="utf-8")
    return DONE


async def _run(asked: list[dialogues.Dialogue], *, quiet: bool) -> list[dialogues.Outcome]:
    outcomes: list[dialogues.Outcome] = []
    async for pipeline, own in over_each(asked, lambda item: item.corpus, CORPORA):
        for place, item in enumerate(own, start=1):
            outcomes += await dialogues.run(pipeline, item)
            if not quiet and sys.stderr.isatty():
                print(f"\r{item.corpus}: {place} of {len(own)}", end="", file=sys.stderr)
    return outcomes


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("all", *(split.value for split in Split)), default="all")
    add("--dialogues", type=Path, metavar="PATH",
        default=ROOT / "data" / "evaluation" / "dialogues.jsonl")  # fmt: skip
    add("--misses", action="store_true", help="show the tuning turns that are misunderstood")
    add("--json", type=Path, metavar="PATH", help="write the figures there too")
    add("--quiet", action="store_true", help="no progress")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
