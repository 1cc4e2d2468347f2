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
import tempfile
from pathlib import Path

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import dialogues
from elysia_guard.evaluation.golden import Split
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
CORPORA = {
    "demo": ROOT / "data" / "knowledge",
    "esa": ROOT.parent / "shared" / "corpus" / "esa",
}
VOCABULARY = ROOT / "data" / "vocabulary" / "vennet.ttl"
"""Of both: without it, terms would not be known over another corpus."""
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
    with tempfile.TemporaryDirectory() as folder:
        for corpus, documents in CORPORA.items():
            own = [item for item in asked if item.corpus == corpus]
            if not documents.is_dir():
                print(
                    f"{corpus}: {len(own)} dialogues not run, no folder {documents}",
                    file=sys.stderr,
                )
                continue
            wiring = Wiring.load(index=Path(folder) / f"{corpus}.sqlite", vocabulary=VOCABULARY)
            try:
                await wiring.fill_index([documents])
                for place, item in enumerate(own, start=1):
                    outcomes += await dialogues.run(wiring.pipeline, item)
                    if not quiet and sys.stderr.isatty():
                        print(f"\r{corpus}: {place} of {len(own)}", end="", file=sys.stderr)
            finally:
                wiring.close()
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
