"""Fit the confidence model on the tuning questions, and suggest limits.

    python -m scripts.lab fit_calibration           # prints
    python -m scripts.lab fit_calibration --write   # and updates config/thresholds.yaml
    python -m scripts.lab fit_calibration --write --keep-limits   # the models, not the limits
    python -m scripts.lab fit_calibration --write --words-alone   # those without a vector
    python -m scripts.lab fit_calibration --write --shapes        # how often each shape was right
    python -m scripts.lab fit_calibration --register other.yaml=questions.jsonl   # from others too

A register is a configuration and the questions on it, JSON lines with paths (``from_register``);
its name is the file's, and the ``corpus`` of its questions. Its passages count for the weights, not
for the scale.

Nothing is fitted on held-out questions; the shapes are measured on them, in totals: those of the
golden set, of fields.jsonl, and the turns of dialogues.jsonl as they are written out.
Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from dataclasses import fields as names_of
from datetime import UTC, datetime
from pathlib import Path

import yaml
from scripts.lab import dialogues, fields, shapes
from scripts.lab.corpora import DONE, GOLDEN, QUESTIONS, ROOT
from scripts.lab.shapes import ShapedAnswer

from elysia_guard import config as configuration
from elysia_guard.domain.calibration import Calibration, WordsAlone
from elysia_guard.domain.document import DocumentKind, Filters, Hit
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import FALLBACK_PENALTY
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.edge.evaluating import DirectRoute
from elysia_guard.evaluation import (
    calibration,
    degraded,
    golden,
    scoring,
    thresholds_file,
    tuning_record,
)
from elysia_guard.evaluation.calibration import ConfidenceModel, Fit
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.runner import run
from elysia_guard.evaluation.thresholds_file import Sections, Values
from elysia_guard.evaluation.tuning_record import Questions, RecordedQuestion, Sample
from elysia_guard.pipeline import Pipeline
from elysia_guard.wiring import Wiring

RETRIEVAL = QUESTIONS / "retrieval.jsonl"
HELD_OUT = Split.HELD_OUT
THRESHOLDS = ROOT / "config" / "thresholds.yaml"
BY_WORDS = ConfidenceModel(model=WordsAlone, ceiling=FALLBACK_PENALTY)
"""What the reduction leaves of its output is to be the chance."""
AnyFit = Fit[Calibration] | Fit[WordsAlone]


@dataclass(frozen=True, kw_only=True, slots=True)
class ByWords(Sample):
    """A passage found by words alone; its similarity is not known, and 0."""

    @property
    def inputs(self) -> tuple[float, ...]:
        """What the confidence model looks at, in the order of its coefficients."""
        return self.by_words


async def samples_by_words(
    pipeline: Pipeline, questions: Sequence[RecordedQuestion]
) -> list[Sample]:
    """Search for every question without an embedder; measure what was found as the gates do.

    Those are learnt from too that nothing answers: without a vector only their words betray them.
    """
    every = [replace(question, learnt_from=True) for question in questions]
    return await tuning_record.samples(pipeline, every, measure=_measured)


def _measured(
    question: RecordedQuestion, inquiry: Inquiry, collections: Mapping[DocumentKind, str]
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do where no vector could be had."""
    found = tuning_record.by_words(question, inquiry, collections)
    return [(hit, _without_vector(sample)) for hit, sample in found]


def _without_vector(sample: Sample) -> ByWords:
    return ByWords(**{item.name: getattr(sample, item.name) for item in names_of(Sample)})


def from_register(path: Path, ids: Mapping[str, str], *, corpus: str = "") -> Questions:
    """Read questions on another register: JSON lines that name documents by their paths.

    Each line has ``id``, ``query``, ``documents``, ``near_miss`` and the ``corpus`` it is asked of.

    Args:
        path: the file.
        ids: the id of each document there is, by its path.
        corpus: whose questions are read; all where empty.

    Raises:
        GuardError: it cannot be used.
    """
    try:
        text = path.read_bytes()
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        asked = tuple(
            RecordedQuestion(
                id=row["id"],
                query=row["query"],
                expected=frozenset() if row["near_miss"] else _named(row["documents"], ids),
                about=_named(row["documents"], ids),
            )
            for row in rows
            if corpus in {"", row["corpus"]}
        )
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise GuardError(f"{path}: cannot be used as questions: {err!r}") from err
    return Questions(name=corpus or path.stem, asked=asked, blob_hash=golden.blob_hash(text))


def _named(paths: Sequence[str], ids: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        id_ for known, id_ in ids.items() for path in paths if f"/{path}".endswith(f"/{known}")
    )


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    if options.shapes:
        sections = _shapes(options)
    else:
        wiring = _wiring(options)
        tuned = tuning_record.from_golden(options.golden)
        asked = (*tuned.asked, *tuning_record.from_retrieval(options.retrieval).asked)
        fit = _by_words if options.words_alone else _by_meaning
        sections, on = fit(wiring, asked, options)
        fitted: Values = {"golden_set_hash": tuned.blob_hash, **on}
        sections["fitted",] = {"words_alone": fitted} if options.words_alone else fitted
    if options.write:
        old = thresholds_file.read(options.config)
        check = configuration.ThresholdsFile.model_validate
        new = thresholds_file.changed(old, sections, options.config, check=check)
        thresholds_file.write(options.config, old=old, new=new)
        print(f"wrote {options.config}")
    return DONE


def _by_meaning(
    wiring: Wiring, asked: Sequence[RecordedQuestion], options: argparse.Namespace
) -> tuple[Sections, Values]:
    thresholds = configuration.load_thresholds(options.config)
    found = asyncio.run(tuning_record.samples(wiring.pipeline, asked))
    elsewhere = list(_registers(options.register))
    fits = calibration.fit(
        found,
        lambda name: thresholds.for_collection(name).calibration,
        elsewhere=elsewhere,
        apart=options.apart,
    )
    print(_table(fits))
    written = _written("calibration", options.config)
    sections = _sections(fits, thresholds, written, keep_limits=options.keep_limits)
    cases = len({item.case_id for item in (*found, *elsewhere)})
    return sections, {"model": wiring.embedder.model_id, "cases": cases}


def _shapes(options: argparse.Namespace) -> Sections:
    """Measure how often the answers of each shape are right, on held-out questions."""
    found = shapes.measured(asyncio.run(_told(options)))
    for item in found:
        print(f"{item.shape:18} {item.share:.3f}  {item.origin}")
    shown = {item.shape: item.share for item in found if item.shape in shapes.SHAPES}
    fitted = {
        "golden_set_hash": golden.load(options.golden).blob_hash,
        "measured": f'"{datetime.now(UTC).date().isoformat()}"',
        **{item.shape: f'"{item.origin}"' for item in found},
    }
    return {("confidence",): shown, ("fitted",): {"shapes": fitted}}


async def _told(options: argparse.Namespace) -> list[ShapedAnswer]:
    """Ask the held-out questions of the golden set, of fields and of dialogues, and the shapes'."""
    asker = DirectRoute(_wiring(options))
    runs = await run(golden.load(options.golden).select(HELD_OUT), asker)
    scores, _ = scoring.score_all(runs)
    told = [
        ShapedAnswer(shapes.shape_of(item.response), "golden", item.right_answer) for item in scores
    ]
    cases = [item for item in fields.load(fields.FIELDS) if item.split is HELD_OUT]
    outcomes = await fields.asked(cases)
    told += [ShapedAnswer(item.shape, "fields", item.right) for item in outcomes if item.answered]
    talks = [item for item in dialogues.load(dialogues.DIALOGUES) if item.split is HELD_OUT]
    turns = await dialogues.asked(talks)
    told += [ShapedAnswer(item.shape, "dialogues", item.whole_right) for item in turns]
    return told + await shapes.asked()


def _registers(named: Sequence[str]) -> Iterator[Sample]:
    """Ask the questions on each other register."""
    for item in named:
        config, _, questions = item.partition("=")
        path = Path(config)
        chosen = {"test_triggers": True, "log_level": "ERROR"}
        wiring = Wiring(configuration.load(path).model_copy(update=chosen))
        wiring.ensure_index()
        documents = asyncio.run(wiring.pipeline.index.documents(Filters(approval=None)))
        ids = {document.path: document.id for document in documents}
        asked = from_register(Path(questions), ids, corpus=path.stem).asked
        yield from asyncio.run(tuning_record.samples(wiring.pipeline, asked))


def _by_words(
    wiring: Wiring, asked: Sequence[RecordedQuestion], options: argparse.Namespace
) -> tuple[Sections, Values]:
    """Fit on what is found while no vector can be had; a limit is none that it depends on.

    Once where it is known which words mean alike, and once where that is not known either.
    """
    thresholds = configuration.load_thresholds(options.config)
    sections: Sections = {}
    cases = 0
    for key, pipeline in (
        ("words_alone", degraded.without_embedder(wiring.pipeline)),
        ("forms_alone", degraded.without_models(wiring.pipeline)),
    ):
        found = asyncio.run(samples_by_words(pipeline, asked))
        in_force = {
            name: _in_force(key, thresholds, name) for name in {item.collection for item in found}
        }
        fits = calibration.fit_as(BY_WORDS, found, in_force.__getitem__, apart=options.apart)
        print(f"{key}\n{_table(fits)}")
        written = _written(key, options.config)
        fitted = _sections(fits, thresholds, written, keep_limits=True, key=key)
        for section, values in fitted.items():
            sections[section] = {**sections.get(section, {}), **values}
        cases = max(cases, len({item.case_id for item in found}))
    return sections, {"cases": cases}


def _in_force(key: str, thresholds: Thresholds, collection: str) -> WordsAlone:
    unfitted = WordsAlone(intercept=0.0, coverage=0.0, lexical=0.0)
    model: WordsAlone | None = getattr(thresholds.for_collection(collection), key)
    return model or unfitted


def _wiring(options: argparse.Namespace) -> Wiring:
    config = configuration.load()
    # That the embedder is switched off for a fit is no news.
    chosen = {"thresholds": options.config, "test_triggers": True, "log_level": "ERROR"}
    wiring = Wiring(config.model_copy(update=chosen))
    wiring.ensure_index()
    return wiring


def _table(fits: Sequence[AnyFit]) -> str:
    names = [item.name for item in names_of(fits[0].calibration)]
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
        "--shapes",
        action="store_true",
        help="measure how often each shape of answer is right on held-out questions, and fit none",
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
