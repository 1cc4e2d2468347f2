"""Fit the confidence in what a named document says of a matter, on the tuning questions.

    python scripts/fit_matters.py           # prints: the model, and what it does where not seen
    python scripts/fit_matters.py --write   # and updates config/thresholds.yaml
    python scripts/fit_matters.py --register other.yaml=questions.jsonl   # learns from others too

A register is a configuration and the questions on it, as for `fit_calibration.py`. Its questions
count for what the measure is worth, and not for how often a document answers.

The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.domain.calibration import MatterCalibration
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import matters, thresholds_file, tuning_questions
from elysia_guard.evaluation.matters import LeftOut, Matter
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
THRESHOLDS = ROOT / "config" / "thresholds.yaml"

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    try:
        thresholds = configuration.load_thresholds(options.config)
        golden = tuning_questions.from_golden(options.golden)
        wiring = _wiring(configuration.load(), thresholds=options.config)
        found = asyncio.run(matters.of_numbers(wiring.pipeline, golden.asked))
        elsewhere = dict(map(_register, options.register))
        fitted = matters.fit(found, [item for items in elsewhere.values() for item in items])
        told = matters.left_out(found, elsewhere, thresholds)
        print("\n".join(_table(fitted, len(found), told)))
        if options.write:
            _write(options.config, fitted)
            print(f"wrote {options.config}")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


def _register(named: str) -> tuple[str, list[Matter]]:
    """Ask the questions on another register, each of the document that it is about."""
    config, _, questions = named.partition("=")
    path = Path(config)
    wiring = _wiring(configuration.load(path))
    documents = asyncio.run(wiring.pipeline.index.documents(Filters(approval=None)))
    ids = {document.path: document.id for document in documents}
    asked = tuning_questions.from_register(Path(questions), ids, corpus=path.stem).asked
    return path.stem, asyncio.run(matters.as_if_named(wiring.pipeline, asked))


def _wiring(config: configuration.Config, **chosen: object) -> Wiring:
    # What documents say does not depend on a judge, and asking one costs time.
    quiet = {"log_level": "ERROR", "judge": configuration.JudgeSection()}
    wiring = Wiring(config.model_copy(update={**quiet, **chosen}))
    wiring.ensure_index()
    return wiring


def _table(fitted: MatterCalibration, count: int, told: Iterable[LeftOut]) -> list[str]:
    lines = [
        f"{count} questions: intercept {fitted.intercept:.3f}, said {fitted.said:.3f}",
        "| left out | questions | area | calibration error | mean confidence | right |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {item.group} | {item.questions} | {item.area:.3f} | {item.ece:.3f} |"
        f" {item.chance:.3f} | {item.right:.3f} |"
        for item in told
    ]
    return lines


def _write(path: Path, fitted: MatterCalibration) -> None:
    old = thresholds_file.read(path)
    values = {"intercept": f"{fitted.intercept:.3f}", "said": f"{fitted.said:.3f}"}
    check = configuration.ThresholdsFile.model_validate
    new = thresholds_file.changed(old, {("matter",): values}, path, check=check)
    thresholds_file.write(path, old=old, new=new)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--config", type=Path, default=THRESHOLDS, help="the thresholds to update")
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden set, JSON lines")
    parser.add_argument("--write", action="store_true", help="write the numbers into --config")
    parser.add_argument(
        "--register",
        action="append",
        default=[],
        metavar="CONFIG=QUESTIONS",
        help="another register to learn from; may be given again",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
