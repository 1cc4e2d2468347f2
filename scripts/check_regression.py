"""Fail when an evaluation is worse than its baseline (IR0003, gap B).

    python scripts/check_regression.py --current results.json --baseline baseline.json \
        --precision-threshold 0.05 --recall-threshold 0.05

It fails when precision or recall drop by more than allowed, overall or in a collection, or the
share of answers that hold the sentence that answers by more than recall may; when less of what is
asserted is right than was before, the right passage is shown less often, or more near misses are
asserted or hedged, than allowed; when fewer than 97 of 100 asserted answers are right, whatever it
was before; when more questions are refused than allowed, or the guard adds more time than allowed
to a plain search of the same questions in the same run; when a metric is gone; when a gate that
turned passages away turns away none; and when more questions could not run than allowed. It names
the collections and the questions.

exit codes:
  0  no regression
  1  a regression
  2  wrong use
  3  cannot be compared: another golden set, split, profile, index, vocabulary or model, or no
     results
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path

from elysia_guard.edge.cli.eval import shipped
from elysia_guard.evaluation import regression, table
from elysia_guard.evaluation.regression import Allowance, IncomparableError
from elysia_guard.running import into_pipe

PASSED, REGRESSED, INCOMPARABLE = 0, 1, 3


def main() -> int:
    """Compare, print, and return the verdict."""
    options = _options()
    allowed = Allowance(
        precision=options.precision_threshold,
        recall=options.recall_threshold,
        abstention=options.abstention_threshold,
        p95_ms=options.p95_threshold,
        could_not_run=options.max_could_not_run,
        asserted=options.asserted_threshold,
        asserted_floor=options.min_asserted_precision,
        shown=options.shown_threshold,
        near_asserted=options.near_asserted_threshold,
        near_hedged=options.near_hedged_threshold,
    )
    try:
        current = regression.read(options.current)
        baseline = regression.read(shipped(options.baseline))
        comparison = regression.compare(current, baseline, allowed)
    except IncomparableError as err:
        print(f"error: {err}", file=sys.stderr)
        return INCOMPARABLE
    if options.json:
        print(json.dumps(comparison, indent=2, ensure_ascii=False))
    else:
        print(table.render_comparison(comparison, current["questions"]))
    return PASSED if comparison["passed"] else REGRESSED


def _share(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _milliseconds(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or value < 0.0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of milliseconds")
    return value


def _count(text: str) -> int:
    if (value := int(text)) < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return value


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--current", type=Path, required=True, help="the results of eval_rag_quality.py")
    add(
        "--baseline",
        type=Path,
        required=True,
        help="the results to hold them against; a bare name that is not here is one that ships",
    )
    add(
        "--precision-threshold",
        type=_share,
        default=0.05,
        metavar="SHARE",
        help="how far precision may drop (default 0.05)",
    )
    add(
        "--recall-threshold",
        type=_share,
        default=0.05,
        metavar="SHARE",
        help="how far recall, and the share of answers that hold the sentence that answers, may"
        " drop (default 0.05)",
    )
    add(
        "--abstention-threshold",
        type=_share,
        default=0.05,
        metavar="SHARE",
        help="by what share of itself the rate of refused questions may rise (default 0.05)",
    )
    add(
        "--p95-threshold",
        type=_milliseconds,
        default=100.0,
        metavar="MS",
        help="how many milliseconds more than before the guard may add to a plain search, 95th"
        " percentile, at the pace of the baseline's machine (default 100)",
    )
    add(
        "--max-could-not-run",
        type=_count,
        default=0,
        metavar="N",
        help="how many questions may fail to run (default 0)",
    )
    _of_outcomes(add)
    add("--json", action="store_true", help="print the comparison as JSON")
    return parser.parse_args()


def _of_outcomes(add: Callable[..., object]) -> None:
    """Add what the three outcomes are held to."""
    default = Allowance()
    for name, value, what in (
        (
            "--min-asserted-precision",
            default.asserted_floor,
            "the share of asserted answers that must be right, whatever it was; 0 asks for none",
        ),
        (
            "--asserted-threshold",
            default.asserted,
            "how far the share of asserted answers that are right may drop",
        ),
        (
            "--shown-threshold",
            default.shown,
            "how far the share of answerable questions that are shown the right passage may drop",
        ),
        (
            "--near-asserted-threshold",
            default.near_asserted,
            "how far the share of near misses that are asserted may rise",
        ),
        (
            "--near-hedged-threshold",
            default.near_hedged,
            "how far the share of near misses that are hedged may rise",
        ),
    ):
        add(name, type=_share, default=value, metavar="SHARE", help=f"{what} (default {value})")


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
