"""The results of an evaluation: IR0003's JSON field for field, with more groups beside.

Everything that is shown (terminal, Markdown, HTML) is written from this report. Of a held-out
question it holds the id and the kind of failure, and nothing else: who reads it tunes on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import breakdowns, metrics, misses, outcome_sweeps, reliability
from elysia_guard.evaluation import report_questions as questions
from elysia_guard.evaluation.certainty import certainty
from elysia_guard.evaluation.golden import GoldenSet, Split
from elysia_guard.evaluation.misses import Miss
from elysia_guard.evaluation.outcome_sweeps import OutcomeSweep
from elysia_guard.evaluation.probing import Effect
from elysia_guard.evaluation.report_questions import (
    COMPARED,
    HELD_OUT,
    SENTENCES_HELD,
    WITHOUT_SENTENCE,
    Report,
)
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.evaluation.sweeps import Sweep

__all__ = ["HELD_OUT", "SENTENCES_HELD", "WITHOUT_SENTENCE", "Report", "baseline", "build"]

DIGITS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """What was evaluated: kept beside the figures, so that only equals are compared.

    ``collections`` names the collection of each document type; the hashes are of what was
    indexed and of the vocabulary; ``seed`` is None: nothing is drawn.
    """

    timestamp: str
    config_hash: str
    split: str
    route: str
    version: str
    python: str
    model_id: str
    documents: int
    passages: int
    index_hash: str
    vocabulary_hash: str
    store: str
    concurrency: int
    collections: Mapping[str, str]
    limits: Mapping[str, float]
    profile: str = ProfileName.DEFAULT
    seed: None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Probed:
    """What is known of the questions beside their replies, by looking again.

    ``effects``, ``sweeps`` and ``outcomes`` are what the passages of the tuning questions say of
    the gates and of other limits; ``misses`` where right passages were lost, and ``matters`` the
    ids of the questions that ask a named document for a matter, in both halves. ``silent`` counts
    the replies of a run without its embedder that do not say so; None of a run with it.
    """

    effects: Mapping[str, Mapping[str, Effect]] = field(default_factory=dict)
    sweeps: Sequence[Sweep] = ()
    outcomes: Sequence[OutcomeSweep] = ()
    misses: Sequence[Miss] | None = None
    matters: frozenset[str] = frozenset()
    silent: int | None = None


def limits(thresholds: Thresholds) -> dict[str, float]:
    """Name every limit that a gate looks at by its key in ``thresholds.yaml``."""
    gated = thresholds.profile.gates
    searched = {"default": thresholds.default, **thresholds.collections}
    named = {
        f"{name}.{key}": getattr(item, key)
        for name, item in searched.items()
        for key in ("distance_threshold", "min_query_coverage")
        if key in gated
    }
    keys = [key for key in ("min_confidence", "entity_min_coverage") if key in gated]
    fixed = (*keys, "entity_match", "skos_match")
    return named | {f"confidence.{key}": getattr(thresholds, key) for key in fixed}


def build(
    scores: Sequence[Score],
    not_run: Sequence[Run],
    golden: GoldenSet,
    setting: Setting,
    *,
    probed: Probed | None = None,
) -> Report:
    """Put the figures together; ``meta``, ``metrics``, ``failures`` hold every field of IR0003."""
    probed = probed or Probed()
    setting_fields = asdict(setting)
    wrong = [item for item in scores if not item.correct]
    report = {
        "meta": {
            "timestamp": setting_fields.pop("timestamp"),
            "config_hash": setting_fields.pop("config_hash"),
            "golden_set_hash": golden.blob_hash,
            "golden_set_version": golden.version,
            "total_queries": len(scores) + len(not_run),
            "pass_count": len(scores) - len(wrong),
            "fail_count": len(wrong),
            "could_not_run_count": len(not_run),
        },
        "setting": setting_fields,
        "metrics": _metrics(scores, setting.collections, probed),
        "sweeps": [asdict(item) for item in probed.sweeps],
        "outcome_sweeps": [outcome_sweeps.figures(item) for item in probed.outcomes],
        "misses": misses.listed(probed.misses or ()),
        "failures": [questions.failure(item) for item in wrong],
        "notes": [
            questions.note(item)
            for item in scores
            if item.quoted is False and item.case.split is Split.TUNING
        ],
        "could_not_run": [questions.not_run(run) for run in not_run],
        "questions": {
            item.case.id: questions.question(item, setting.collections)
            for item in scores
            if item.case.split is Split.TUNING
        },
    }
    rounded: Report = _rounded(report)
    return rounded


def baseline(report: Report) -> Report:
    """Return what a later run is compared with: figures, and questions by their ids alone."""
    kept = {name: report[name] for name in ("meta", "setting", "metrics")}
    return kept | {
        "failures": [
            _only(item, "id", "split", "category", "reason") for item in report["failures"]
        ],
        "could_not_run": [_only(item, "id", "split") for item in report["could_not_run"]],
        "questions": {name: _only(item, *COMPARED) for name, item in report["questions"].items()},
    }


def _only(item: Report, *names: str) -> Report:
    return {name: item[name] for name in names}


def _metrics(scores: Sequence[Score], collections: Mapping[str, str], probed: Probed) -> Report:
    overall = metrics.quality(scores)
    return {
        "overall": _quality(overall),
        "by_collection": {
            name: {**_quality(item), "count": item.count}
            for name, item in metrics.by_collection(scores, collections).items()
        },
        "abstention": asdict(metrics.abstention(scores)),
        "latency": asdict(metrics.latency(scores)),
        "latency_by_stage": {
            name: asdict(item) for name, item in breakdowns.latency_by_stage(scores).items()
        },
        "answers": {
            "wrong_answers": sum(item.wrong_answer for item in scores),
            "wrong_refusals": sum(item.wrong_refusal for item in scores),
        },
        "certainty": certainty(scores).figures(),
        "sentences": _sentences(scores),
        "route_accuracy": metrics.route_accuracy(scores),
        "routes": breakdowns.routes(scores),
        "outcomes": breakdowns.outcomes(scores),
        "by_category": _groups(metrics.groups(scores, lambda item: item.case.category)),
        "by_language": _groups(metrics.groups(scores, lambda item: item.case.lang)),
        "by_split": _groups(metrics.groups(scores, lambda item: item.case.split)),
        "calibration": _calibration(scores, probed.matters),
        "silent_replies": probed.silent,
        "misses": {} if probed.misses is None else misses.figures(probed.misses),
        "gates": _gates(probed.effects),
    }


def _calibration(scores: Sequence[Score], matters: frozenset[str]) -> Report:
    by_kind = reliability.by_asked(scores, matters)
    bands = reliability.bands(scores)
    return {
        "all": asdict(reliability.reliability(scores)),
        "searched": asdict(reliability.reliability(scores, searched=True)),
        "by_kind": {kind: asdict(item) for kind, item in by_kind.items()},
        "by_outcome": {outcome: asdict(item) for outcome, item in bands.items()},
    }


def _quality(item: metrics.Quality) -> Report:
    return {"precision": item.precision, "recall": item.recall, "f1": item.f1}


def _groups(groups: Mapping[str, metrics.Group]) -> Report:
    return {name: {**asdict(item), "accuracy": item.accuracy} for name, item in groups.items()}


def _sentences(scores: Sequence[Score]) -> Report:
    overall = metrics.sentences(scores)
    by_category = metrics.sentences_by_category(scores)
    return {
        **asdict(overall),
        "share": overall.share,
        "by_category": {name: asdict(item) for name, item in by_category.items()},
    }


def _gates(effects: Mapping[str, Mapping[str, Effect]]) -> Report:
    return {
        name: {gate: asdict(effect) for gate, effect in gates.items()}
        for name, gates in effects.items()
    }


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return round(value, DIGITS)
        case Mapping():
            return {str(name): _rounded(item) for name, item in value.items()}
        case list() | tuple():
            return [_rounded(item) for item in value]
        case str():
            return str(value)
    return value
