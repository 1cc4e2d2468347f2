"""Fit the confidence model on the tuning questions, and suggest limits.

    python scripts/fit_calibration.py           # prints
    python scripts/fit_calibration.py --write   # and updates config/thresholds.yaml
    python scripts/fit_calibration.py --write --keep-limits     # the models, not the limits

The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import yaml

from elysia_guard import config as configuration
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import calibration, thresholds_file, tuning_questions
from elysia_guard.evaluation.calibration import Fit
from elysia_guard.evaluation.thresholds_text import Values
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
RETRIEVAL = ROOT / "data" / "evaluation" / "retrieval.jsonl"
THRESHOLDS = ROOT / "config" / "thresholds.yaml"

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    try:
        thresholds = configuration.load_thresholds(options.config)
        golden = tuning_questions.from_golden(options.golden)
        others = tuning_questions.from_retrieval(options.retrieval)
        wiring = _wiring(options.config)
        asked = (*golden.asked, *others.asked)
        found = asyncio.run(calibration.samples(wiring.pipeline, asked))
        fits = calibration.fit(found, lambda name: thresholds.for_collection(name).calibration)
        print(_table(fits))
        if options.write:
            fitted = {
                "model": wiring.embedder.model_id,
                "golden_set_hash": golden.blob_hash,
                "cases": len({item.case_id for item in found}),
            }
            sections = _sections(
                fits, thresholds, _written(options.config), keep_limits=options.keep_limits
            )
            _write(options.config, {**sections, ("fitted",): fitted})
            print(f"wrote {options.config}")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


def _wiring(thresholds: Path) -> Wiring:
    config = configuration.load()
    wiring = Wiring(config.model_copy(update={"thresholds": thresholds, "test_triggers": True}))
    wiring.ensure_index()
    return wiring


def _table(fits: Sequence[Fit]) -> str:
    heading = (
        "collection            intercept similarity coverage lexical  questions passages right"
        "  log loss (now)   suggested: distance coverage"
    )
    lines = [heading]
    for fit in fits:
        model = fit.calibration
        name = fit.collection or "pooled"
        note = "" if fit.own or not fit.collection else "  shares the pooled model"
        lines.append(
            f"{name:21} {model.intercept:9.3f} {model.similarity:10.3f} {model.coverage:8.3f}"
            f" {model.lexical:7.3f} {fit.questions:10} {fit.passages:8} {fit.positives:5}"
            f"  {fit.log_loss:8.3f} ({fit.current_log_loss:.3f})"
            f"            {fit.distance_threshold:8.2f} {fit.min_query_coverage:8.2f}{note}"
        )
    return "\n".join(lines)


def _sections(
    fits: Sequence[Fit], thresholds: Thresholds, written: Collection[str], *, keep_limits: bool
) -> dict[tuple[str, ...], Values]:
    """Return the pooled fit as the default, and the fits of collections that have their own.

    One whose model is ``written`` in the file, and that now shares the pooled fit, gets that.
    """
    sections: dict[tuple[str, ...], Values] = {}
    for fit in fits:
        values: dict[str, object] = {}
        if not keep_limits:
            values["distance_threshold"] = fit.distance_threshold
            values["min_query_coverage"] = fit.min_query_coverage
        if not fit.collection:
            sections["default",] = {**values, "calibration": fit.calibration}
        elif fit.collection in thresholds.collections:
            if fit.own or fit.collection in written:
                values["calibration"] = fit.calibration
            sections["collections", fit.collection] = values
    return sections


def _written(path: Path) -> list[str]:
    """Name the collections that have a model of their own in the file."""
    file = configuration.ThresholdsFile.model_validate(yaml.safe_load(thresholds_file.read(path)))
    return [name for name, section in file.collections.items() if section.calibration]


def _write(path: Path, sections: Mapping[tuple[str, ...], Values]) -> None:
    old = thresholds_file.read(path)
    check = configuration.ThresholdsFile.model_validate
    thresholds_file.write(
        path, old=old, new=thresholds_file.changed(old, sections, path, check=check)
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--config", type=Path, default=THRESHOLDS, help="the thresholds to update")
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden set, JSON lines")
    parser.add_argument(
        "--retrieval", type=Path, default=RETRIEVAL, help="the retrieval questions, JSON lines"
    )
    parser.add_argument("--write", action="store_true", help="write the numbers into --config")
    parser.add_argument(
        "--keep-limits",
        action="store_true",
        help="with --write: leave distance_threshold and min_query_coverage as they are",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
