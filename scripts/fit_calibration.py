"""Fit the confidence model on the tuning questions, and suggest limits.

    python scripts/fit_calibration.py           # prints
    python scripts/fit_calibration.py --write   # and updates config/thresholds.yaml
    python scripts/fit_calibration.py --write --keep-limits     # the models, not the limits
    python scripts/fit_calibration.py --write --words-alone     # those without a vector
    python scripts/fit_calibration.py --write --judge           # the judge of the settings
    python scripts/fit_calibration.py --register other.yaml=questions.jsonl      # and from others

A register is a configuration and the questions on it, JSON lines with paths (``from_register``);
its name is the file's, and the ``corpus`` of its questions. Its passages count for the weights, not
for the scale. With one or more, each is left out in turn, and so are the measures, one by one.


The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from pathlib import Path

import yaml

from elysia_guard import config as configuration
from elysia_guard.domain.calibration import Calibration, WordsAlone
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import (
    ablation,
    calibration,
    judge_fit,
    judge_table,
    samples,
    thresholds_file,
    tuning_questions,
    words_alone,
)
from elysia_guard.evaluation.calibration import Fit
from elysia_guard.evaluation.samples import Sample
from elysia_guard.evaluation.thresholds_file import Sections
from elysia_guard.evaluation.thresholds_text import Values
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
RETRIEVAL = ROOT / "data" / "evaluation" / "retrieval.jsonl"
THRESHOLDS = ROOT / "config" / "thresholds.yaml"

DONE, COULD_NOT_RUN = 0, 3

AnyFit = Fit[Calibration] | Fit[WordsAlone]


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    try:
        thresholds = configuration.load_thresholds(options.config)
        golden = tuning_questions.from_golden(options.golden)
        others = tuning_questions.from_retrieval(options.retrieval)
        wiring = _wiring(options)
        asked = (*golden.asked, *others.asked)
        if options.judge:
            return _judge(wiring, asked, options)
        fit = _by_words if options.words_alone else _by_meaning
        sections, on = fit(wiring, asked, thresholds, options)
        if options.write:
            fitted = {"golden_set_hash": golden.blob_hash, **on}
            if options.words_alone:
                fitted = {"words_alone": fitted}
            _write(options.config, {**sections, ("fitted",): fitted})
            print(f"wrote {options.config}")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


def _by_meaning(
    wiring: Wiring, asked: Sequence[Question], thresholds: Thresholds, options: argparse.Namespace
) -> tuple[Sections, Values]:
    found = asyncio.run(samples.samples(wiring.pipeline, asked))
    others = dict(_registers(options.register))
    texts = {item.id: item.query for item in asked}
    texts |= {item.id: item.query for questions, _ in others.values() for item in questions}
    elsewhere = {name: measured for name, (_, measured) in others.items()}
    fits = calibration.fit(
        found,
        lambda name: thresholds.for_collection(name).calibration,
        elsewhere=[item for measured in elsewhere.values() for item in measured],
        apart=options.apart,
    )
    print(_table(fits))
    if elsewhere:
        print("\n".join(_left_out({"here": found, **elsewhere}, texts)))
    written = _written("calibration", options.config)
    sections = _sections(fits, thresholds, written, keep_limits=options.keep_limits)
    cases = _questions([*found, *(item for each in elsewhere.values() for item in each)])
    return sections, {"model": wiring.embedder.model_id, "cases": cases}


def _registers(
    named: Sequence[str],
) -> Iterator[tuple[str, tuple[Sequence[Question], list[Sample]]]]:
    """Ask the questions on each other register."""
    for item in named:
        config, _, questions = item.partition("=")
        path = Path(config)
        chosen = {"test_triggers": True, "log_level": "ERROR"}
        wiring = Wiring(configuration.load(path).model_copy(update=chosen))
        wiring.ensure_index()
        documents = asyncio.run(wiring.pipeline.index.documents(Filters(approval=None)))
        ids = {document.path: document.id for document in documents}
        asked = tuning_questions.from_register(Path(questions), ids, corpus=path.stem).asked
        yield path.stem, (asked, asyncio.run(samples.samples(wiring.pipeline, asked)))


def _left_out(corpora: Mapping[str, Sequence[Sample]], texts: Mapping[str, str]) -> Iterator[str]:
    """Write what a fit on the other corpora does, what each measure is worth, and the control."""
    found = ablation.left_out(corpora)
    yield f"{'left out':24} questions  area   ECE  best is right"
    for item in found:
        yield (
            f"{item.corpus:24} {item.questions:9} {item.area:.3f} {item.ece:.3f} {item.found:14.3f}"
        )
    whole = ablation.mean_area(found)
    yield f"{'without':24} mean area (with: {whole:.4f})"
    for name in ablation.MEASURES:
        kept = [each for each in ablation.MEASURES if each != name]
        without = ablation.mean_area(ablation.left_out(corpora, kept))
        yield f"{name:24} {without:.4f} ({without - whole:+.4f})"
    control = ablation.question_only(corpora, texts)
    mean = sum(area for _, area in control) / len(control)
    yield f"{'the question alone':24} {mean:.3f}"
    yield from (f"  {name:22} {area:.3f}" for name, area in control)


def _judge(wiring: Wiring, asked: Sequence[Question], options: argparse.Namespace) -> int:
    """Fit what the word of the judge that the settings name is worth; it is asked everything."""
    if wiring.bench is None:
        print("error: the settings name no judge; set judge.kind", file=sys.stderr)
        return COULD_NOT_RUN
    fit = judge_fit.fit(
        asyncio.run(judge_fit.judged(wiring.pipeline, asked)), wiring.bench.judge.model_id
    )
    print(judge_table.told(fit))
    if options.write:
        _write(options.config, {("judge",): judge_table.values(fit.calibration)})
        print(f"wrote {options.config}")
    return DONE


def _by_words(
    wiring: Wiring, asked: Sequence[Question], thresholds: Thresholds, options: argparse.Namespace
) -> tuple[Sections, Values]:
    """Fit on what is found while no vector can be had; a limit is none that it depends on.

    Once where it is known which words mean alike, and once where that is not known either.
    """
    sections: Sections = {}
    cases = 0
    for key, pipeline in (
        ("words_alone", words_alone.without_embedder(wiring.pipeline)),
        ("forms_alone", words_alone.without_models(wiring.pipeline)),
    ):
        found = asyncio.run(words_alone.samples(pipeline, asked))
        in_force = {name: _in_force(key, thresholds, name) for name in _collections(found)}
        fits = calibration.fit_as(
            words_alone.BY_WORDS, found, in_force.__getitem__, apart=options.apart
        )
        print(f"{key}\n{_table(fits)}")
        written = _written(key, options.config)
        fitted = _sections(fits, thresholds, written, keep_limits=True, key=key)
        for section, values in fitted.items():
            sections[section] = {**sections.get(section, {}), **values}
        cases = max(cases, _questions(found))
    return sections, {"cases": cases}


def _in_force(key: str, thresholds: Thresholds, collection: str) -> WordsAlone:
    unfitted = WordsAlone(intercept=0.0, coverage=0.0, lexical=0.0)
    model: WordsAlone | None = getattr(thresholds.for_collection(collection), key)
    return model or unfitted


def _collections(found: Sequence[Sample]) -> set[str]:
    return {item.collection for item in found}


def _questions(found: Sequence[Sample]) -> int:
    return len({item.case_id for item in found})


def _wiring(options: argparse.Namespace) -> Wiring:
    config = configuration.load()
    # That the embedder is switched off for a fit is no news.
    chosen = {"thresholds": options.config, "test_triggers": True, "log_level": "ERROR"}
    # What the gates measure does not depend on a judge, and asking one costs time.
    judge = config.judge if options.judge else configuration.JudgeSection()
    wiring = Wiring(config.model_copy(update={**chosen, "judge": judge}))
    wiring.ensure_index()
    return wiring


def _table(fits: Sequence[AnyFit]) -> str:
    names = [item.name for item in fields(fits[0].calibration)]
    limits = isinstance(fits[0].calibration, Calibration)
    heading = "".join(f"{name:>11}" for name in names)
    suggested = "   suggested: distance coverage" if limits else ""
    lines = [f"{'collection':20}{heading}  questions passages right  log loss (now){suggested}"]
    for fit in fits:
        model = "".join(f"{value:11.3f}" for value in astuple(fit.calibration))
        note = "" if fit.own or not fit.collection else "  shares the pooled model"
        found = f"{fit.distance_threshold:20.2f} {fit.min_query_coverage:8.2f}" if limits else ""
        lines.append(
            f"{fit.collection or 'pooled':20}{model} {fit.questions:10} {fit.passages:8}"
            f" {fit.positives:5}  {fit.log_loss:8.3f} ({fit.current_log_loss:.3f}){found}{note}"
        )
    return "\n".join(lines)


def _sections(
    fits: Sequence[AnyFit],
    thresholds: Thresholds,
    written: Collection[str],
    *,
    keep_limits: bool,
    key: str = "calibration",
) -> Sections:
    """Return the pooled fit as the default, and the fits of collections that have their own.

    One whose model is ``written`` in the file, and that now shares the pooled fit, gets that.
    """
    sections: Sections = {}
    for fit in fits:
        values: dict[str, object] = {}
        if not keep_limits:
            values["distance_threshold"] = fit.distance_threshold
            values["min_query_coverage"] = fit.min_query_coverage
        if not fit.collection:
            sections["default",] = {**values, key: fit.calibration}
        elif fit.collection in thresholds.collections:
            if fit.own or fit.collection in written:
                values[key] = fit.calibration
            sections["collections", fit.collection] = values
    return sections


def _written(key: str, path: Path) -> list[str]:
    """Name the collections that have a model of their own in the file."""
    file = configuration.ThresholdsFile.model_validate(yaml.safe_load(thresholds_file.read(path)))
    return [name for name, section in file.collections.items() if getattr(section, key)]


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
    parser.add_argument(
        "--words-alone",
        action="store_true",
        help="fit the model for when no vector can be had, and no limits",
    )
    parser.add_argument(
        "--judge",
        action="store_true",
        help="fit what the word of the judge that the settings name is worth, and no limits",
    )
    parser.add_argument(
        "--register",
        action="append",
        default=[],
        metavar="CONFIG=QUESTIONS",
        help="another register to learn from; may be given again",
    )
    parser.add_argument(
        "--apart", action="store_true", help="let a collection have coefficients of its own"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
