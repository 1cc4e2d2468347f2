"""Fit the confidence model on the tuning questions of the golden set, and suggest limits.

    python scripts/fit_calibration.py           # prints
    python scripts/fit_calibration.py --write   # and updates config/thresholds.yaml
    python scripts/fit_calibration.py --write --keep-limits     # the models, not the limits

The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.thresholds import Calibration, Thresholds
from elysia_guard.evaluation import calibration, golden, thresholds_file
from elysia_guard.evaluation.calibration import MIN_QUESTIONS, CrossLanguageFit, Fit
from elysia_guard.evaluation.thresholds_text import Values
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
        questions = golden.load(options.golden)
        wiring = _wiring(options.config)
        cases = questions.select(golden.Split.TUNING)
        found = asyncio.run(calibration.samples(wiring.pipeline, cases))
        fits = calibration.fit(found, lambda name: thresholds.for_collection(name).calibration)
        foreign = calibration.fit_cross_language(found, thresholds.cross_language)
        print(_table(fits))
        print(_row(foreign))
        if options.write:
            fitted = {
                "model": wiring.embedder.model_id,
                "golden_set_hash": questions.blob_hash,
                "cases": len({item.case_id for item in calibration.in_own_language(found)}),
            }
            sections = _sections(fits, thresholds, keep_limits=options.keep_limits)
            if foreign.calibration:
                sections[()] = {"cross_language": _coefficients(foreign.calibration)}
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


def _row(fit: CrossLanguageFit) -> str:
    """Return the line of the passages in another language, or why there is no model of them."""
    counts = f"{fit.questions:10} {fit.passages:8} {fit.positives:5}"
    if fit.calibration is None:
        return (
            f"{'cross_language':21} {'':37}{counts}  left as it is: a fit needs {MIN_QUESTIONS}"
            " questions with a right passage, and wrong passages"
        )
    model = fit.calibration
    return (
        f"{'cross_language':21} {model.intercept:9.3f} {model.similarity:10.3f} {'-':>8}"
        f" {model.lexical:7.3f}"
        f" {counts}  {fit.log_loss:8.3f} ({fit.current_log_loss:.3f})"
    )


def _coefficients(model: Calibration) -> dict[str, float]:
    return {
        "intercept": model.intercept,
        "similarity": model.similarity,
        "lexical": model.lexical,
    }


def _sections(
    fits: Sequence[Fit], thresholds: Thresholds, *, keep_limits: bool
) -> dict[tuple[str, ...], Values]:
    """Return the pooled fit as the default, and the fits of collections that have their own."""
    sections: dict[tuple[str, ...], Values] = {}
    for fit in fits:
        values: dict[str, object] = {}
        if not keep_limits:
            values["distance_threshold"] = fit.distance_threshold
            values["min_query_coverage"] = fit.min_query_coverage
        if not fit.collection:
            sections["default",] = {**values, "calibration": fit.calibration}
        elif fit.collection in thresholds.collections:
            if fit.own:
                values["calibration"] = fit.calibration
            sections["collections", fit.collection] = values
    return sections


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
    parser.add_argument("--write", action="store_true", help="write the numbers into --config")
    parser.add_argument(
        "--keep-limits",
        action="store_true",
        help="with --write: leave distance_threshold and min_query_coverage as they are",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
