"""What the report holds of single questions: of a held-out one its id and its failure alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from elysia_guard.domain.response import TraceStep
from elysia_guard.evaluation import metrics
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score

HELD_OUT = "(held out)"
SENTENCES_HELD = "sentences_held"
"""Whether, or in what share, right answers hold the sentence that answers."""
WITHOUT_SENTENCE = "right_without_the_sentence_that_answers"
"""The note on an answer that cites what answers, and quotes something else of it."""
COMPARED = ("precision", "recall", SENTENCES_HELD, "outcome", "shown", "collections")
"""What a baseline keeps of a question."""

Report = dict[str, Any]


def question(item: Score, collections: Mapping[str, str]) -> Report:
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


def failure(item: Score) -> Report:
    """What went wrong with a question; its words, expectation and trace where it is for tuning."""
    return {
        "id": item.case.id,
        "split": item.case.split,
        "category": item.case.category,
        "reason": item.failure,
        **_told(item),
    }


def note(item: Score) -> Report:
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


def not_run(run: Run) -> Report:
    """A question that could not be asked, and why."""
    case: Case = run.case
    if case.split is Split.HELD_OUT:
        error, query = run.error.split(":", maxsplit=1)[0], HELD_OUT
    else:
        error, query = run.error, case.query
    return {"id": case.id, "split": case.split, "query": query, "error": error}
