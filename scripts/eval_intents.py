"""Measure the reading of questions by their form on the labelled set.

    python scripts/eval_intents.py                           both splits; failures of tuning alone
    python scripts/eval_intents.py --split held_out --show   ends the innocence of the held-out half

Exit codes: 0 done, 1 below the accuracy asked for or a leak between splits, 2 wrong use,
3 could not run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import intents
from elysia_guard.evaluation.golden import Split
from elysia_guard.running import into_pipe

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "data" / "evaluation" / "intents.jsonl"

DONE, FAILED, COULD_NOT_RUN = 0, 1, 3


def main() -> int:
    """Read the questions, print the figures and what went wrong."""
    options = _options()
    try:
        cases = intents.load(options.questions)
    except GuardError as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    readings = {
        split: [intents.read(case) for case in cases if case.split is split] for split in splits
    }
    results = {split: intents.report(items) for split, items in readings.items()}
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        print(intents.render(results), end="")
        _show(readings, held_out=options.show and splits == [Split.HELD_OUT])
    return _judged(results, cases, options.min_accuracy)


def _show(readings: dict[Split, list[intents.Reading]], *, held_out: bool) -> None:
    for split, items in readings.items():
        if split is Split.TUNING or held_out:
            for item in items:
                if not item.correct:
                    print(intents.render_failure(item))


def _judged(
    results: dict[Split, intents.Report], cases: tuple[intents.IntentCase, ...], minimum: float
) -> int:
    errors = [
        f"{split}: accuracy is {figures['accuracy']:.4f}; at least {minimum} is asked for"
        for split, figures in results.items()
        if figures["accuracy"] < minimum
    ]
    errors += [
        f"{left} and {right} are {likeness:.0f} % alike, in different splits"
        for left, right, likeness in intents.alike(cases)
    ]
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return FAILED if errors else DONE


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="JSON lines")
    parser.add_argument("--split", choices=("tuning", "held_out", "all"), default="all")
    parser.add_argument(
        "--show", action="store_true", help="with --split held_out: show its failures too"
    )
    parser.add_argument("--min-accuracy", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
