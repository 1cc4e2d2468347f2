"""Measure whether a field of a document is told apart from what the document says.

    python scripts/eval_fields.py                     both halves; misses of tuning alone
    python scripts/eval_fields.py --split tuning --misses
    python scripts/eval_fields.py --corpus govuk=FOLDER,VOCABULARY.ttl

The demo corpus needs nothing. Questions over a corpus that is not there are counted, and not asked.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from corpora import CORPORA, ROOT, Corpus, corpus_option, over_each

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import fields
from elysia_guard.evaluation.golden import Split
from elysia_guard.running import into_pipe

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Ask the questions, print the figures and what went wrong."""
    options = _options()
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    try:
        asked = [case for case in fields.load(options.fields) if case.split in splits]
        outcomes = asyncio.run(_ask(asked, {**CORPORA, **dict(options.corpus)}))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    figures = {
        split.value: fields.report(item for item in outcomes if item.case.split is split)
        for split in splits
    }
    for name, counted in figures.items():
        print(fields.render(name, counted))
    if options.misses:
        for item in outcomes:
            if item.case.split is Split.TUNING and not item.right:
                print(f"  {item.case.id} {item.case.question!r}")
    if options.json:
        text = json.dumps({"version": __version__, "halves": figures}, indent=2)
        options.json.write_text(text + "\n", encoding="utf-8")
    return DONE


async def _ask(
    asked: list[fields.FieldCase], corpora: dict[str, Corpus]
) -> list[fields.FieldOutcome]:
    return [
        await fields.ask(pipeline, case)
        async for pipeline, own in over_each(asked, lambda case: case.corpus, corpora)
        for case in own
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("all", *(split.value for split in Split)), default="all")
    add("--fields", type=Path, metavar="PATH",
        default=ROOT / "data" / "evaluation" / "fields.jsonl")  # fmt: skip
    add("--corpus", type=corpus_option, action="append", default=[],
        metavar="NAME=FOLDER,VOCABULARY",
        help="where another corpus lies; may be given several times")  # fmt: skip
    add("--misses", action="store_true", help="show the tuning questions that are told wrongly")
    add("--json", type=Path, metavar="PATH", help="write the figures there too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
