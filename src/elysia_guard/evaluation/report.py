"""The results of an evaluation: IR0003's JSON field for field, with more groups beside.

Everything that is shown (terminal, Markdown, HTML) is written from this report. Of a held-out
question it holds the id and the kind of failure, and nothing else: who reads it tunes on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.response import TraceStep
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import metrics, probing
from elysia_guard.evaluation.golden import GoldenSet, Split
from elysia_guard.evaluation.probing import Effect, Miss
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score

Report = dict[str, Any]

DIGITS = 4
HELD_OUT = "(held out)"
SENTENCES_HELD = "sentences_held"
"""Whether, or in what share, right answers hold the sentence that answers."""
WITHOUT_SENTENCE = "right_without_the_sentence_that_answers"
"""The note on an answer that cites what answers, and quotes something else of it."""
COMPARED = ("precision", "recall", SENTENCES_HELD, "outcome", "shown", "collections")
"""What a baseline keeps of a question."""


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

    ``effects`` are what the passages of the tuning questions say of the gates; ``misses`` where
    right passages were lost, and ``matters`` the ids of the questions that ask a named document for
    a matter, in both halves. ``silent`` counts the replies of a run without its embedder that do
    not say so; None of a run with it. ``own`` are the figures of the program's own sentences.
    """

    effects: Mapping[str, Mapping[str, Effect]] = field(default_factory=dict)
    misses: Sequence[Miss] | None = None
    matters: frozenset[str] = frozenset()
    silent: int | None = None
    own: Mapping[str, Any] = field(default_factory=dict)


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
        "own_sentences": probed.own,
        "misses": probing.listed(probed.misses or ()),
        "failures": [_failure(item) for item in wrong],
        "notes": [
            _note(item)
            for item in scores
            if item.quoted is False and item.case.split is Split.TUNING
        ],
        "could_not_run": [_not_run(run) for run in not_run],
        "questions": {
            item.case.id: _question(item, setting.collections)
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
    return {
        "overall": metrics.quality(scores),
        "by_collection": metrics.by_collection(scores, collections),
        "abstention": metrics.abstention(scores),
        "latency": metrics.latency(item.latency_ms for item in scores),
        **_held_against_control(scores),
        "latency_by_stage": metrics.latency_by_stage(scores),
        "answers": {
            "wrong_answers": sum(item.wrong_answer for item in scores),
            "wrong_refusals": sum(item.wrong_refusal for item in scores),
        },
        "certainty": metrics.certainty(scores),
        "sentences": metrics.sentences(scores),
        "route_accuracy": metrics.route_accuracy(scores),
        "routes": metrics.routes(scores),
        "outcomes": metrics.outcomes(scores),
        "by_category": metrics.groups(scores, lambda item: item.case.category),
        "by_language": metrics.groups(scores, lambda item: item.case.lang),
        "by_split": metrics.groups(scores, lambda item: item.case.split),
        "calibration": metrics.calibration(scores, probed.matters),
        "silent_replies": probed.silent,
        "misses": {} if probed.misses is None else probing.miss_figures(probed.misses),
        "gates": _gates(probed.effects),
    }


def _held_against_control(scores: Sequence[Score]) -> Report:
    """What the store alone took, and what the guard took beyond it; nothing without a control."""
    if all(item.control_ms is None for item in scores):
        return {}
    return {
        "control": metrics.latency(item.control_ms for item in scores),
        "added": metrics.latency(item.added_ms for item in scores),
    }


def _gates(effects: Mapping[str, Mapping[str, Effect]]) -> Report:
    return {
        name: {gate: asdict(effect) for gate, effect in gates.items()}
        for name, gates in effects.items()
    }


def _question(item: Score, collections: Mapping[str, str]) -> Report:
    """What a tuning question asks, and how good its reply was; None where a figure has none."""
    expected = item.case.expected
    return {
        "query": item.case.query,
        "precision": metrics.share_right(item) if item.answered else None,
        "recall": None if expected.abstain else metrics.found(item),
        SENTENCES_HELD: None if item.quoted is None else float(item.quoted),
        "outcome": item.response.outcome,
        "shown": None if item.near_miss else float(item.shown),
        "collections": sorted({collections[kind] for kind in expected.doc_types}),
    }


def _failure(item: Score) -> Report:
    """What went wrong with a question; its words, expectation and trace where it is for tuning."""
    return {
        "id": item.case.id,
        "split": item.case.split,
        "category": item.case.category,
        "reason": item.failure,
        **_told(item),
    }


def _note(item: Score) -> Report:
    """A right answer without the sentence that answers."""
    return {
        "id": item.case.id,
        "split": item.case.split,
        "category": item.case.category,
        "note": WITHOUT_SENTENCE,
        "query": item.case.query,
        "quote": item.case.expected.quote,
    }


def _told(item: Score) -> Report:
    if item.case.split is Split.HELD_OUT:
        return {"query": HELD_OUT, "expected": {}, "actual": {}, "trace": []}
    response = item.response
    return {
        "query": item.case.query,
        "expected": item.case.expected.model_dump(
            mode="json", exclude_none=True, exclude={"quote"}
        ),
        "actual": {
            "route": sorted(item.routes),
            "intent": response.intent,
            "abstain": not item.answered,
            "reason": response.refusal_reason,
            "doc_types": sorted({source.doc_type for source in response.sources}),
            "doc_ids": sorted(item.cited),
            "confidence": response.retrieval_quality.confidence_score,
        },
        "trace": [_step(step) for step in response.trace],
    }


def _step(step: TraceStep) -> Report:
    return {
        "stage": step.stage,
        "note": step.note,
        "elapsed_ms": step.elapsed_ms,
        "readings": [asdict(reading) for reading in step.readings],
    }


def _not_run(run: Run) -> Report:
    """A question that could not be asked, and why."""
    case = run.case
    if case.split is Split.HELD_OUT:
        error, query = run.error.split(":", maxsplit=1)[0], HELD_OUT
    else:
        error, query = run.error, case.query
    return {"id": case.id, "split": case.split, "query": query, "error": error}


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
