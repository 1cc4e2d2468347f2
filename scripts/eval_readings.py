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
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import readings, readings_run
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.readings import ReadingCase
from elysia_guard.evaluation.readings_run import ReadCase
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
DONE, COULD_NOT_RUN = 0, 3


class Corpus(NamedTuple):
    """Documents, and the vocabulary that is asked beside them."""

    documents: Path
    vocabulary: Path


VOCABULARY = ROOT / "data" / "vocabulary"
CORPORA = {
    "demo": Corpus(ROOT / "data" / "knowledge", VOCABULARY),
    "esa": Corpus(ROOT.parent / "shared" / "corpus" / "esa", VOCABULARY),
}


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
    found: list[ReadCase] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted({case.corpus for case in cases}):
            own = [case for case in cases if case.corpus == name]
            corpus = corpora.get(name)
            if corpus is None or not corpus.documents.is_dir():
                print(f"{name}: {len(own)} questions not read, no documents", file=sys.stderr)
                continue
            index = Path(folder) / f"{name}.sqlite"
            wiring = Wiring.load(index=index, vocabulary=corpus.vocabulary)
            try:
                await wiring.fill_index([corpus.documents])
                found += [await readings_run.read(wiring.pipeline, case) for case in own]
            finally:
                wiring.close()
    return found


def _corpus(text: str) -> tuple[str, Corpus]:
    name, _, places = text.partition("=")
    documents, _, vocabulary = places.partition(",")
    if not (name and documents and vocabulary):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FOLDER,VOCABULARY")
    return name, Corpus(Path(documents), Path(vocabulary))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("all", *(split.value for split in Split)), default="all")
    add("--readings", type=Path, metavar="PATH",
        default=ROOT / "data" / "evaluation" / "readings.jsonl")  # fmt: skip
    add("--corpus", type=_corpus, action="append", default=[], metavar="NAME=FOLDER,VOCABULARY",
        help="where another corpus lies; may be given several times")  # fmt: skip
    add("--misses", action="store_true", help="show the tuning questions that are read wrongly")
    add("--output", type=Path, metavar="PATH", help="write the figures there too, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
