"""A few scored questions, for the tests of the evaluation; their figures are easy to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.refusal import GateReading, RefusalReason
from elysia_guard.domain.response import RAGResponse, Source, TraceStep
from elysia_guard.evaluation import report, scoring
from elysia_guard.evaluation.golden import Case, Expected, GoldenSet
from elysia_guard.evaluation.probing import Effect
from elysia_guard.evaluation.report import Probed, Report
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score

COLLECTIONS = {
    "ADR": "ADR_Ollama",
    "DAR": "ADR_Ollama",
    "Vocabulary": "Vocabulary_Ollama",
    "Principle": "Principle_Ollama",
    "Policy": "Policy_Ollama",
}
TRACE = (
    TraceStep(stage="router", note="open: no rule", elapsed_ms=1.0),
    TraceStep(stage="retrieval", note="<b>12</b> passages", elapsed_ms=4.0),
    TraceStep(
        stage="gates",
        note="answer",
        elapsed_ms=2.0,
        readings=(
            GateReading(
                gate="distance",
                passed=True,
                value=0.3,
                threshold=0.9,
                source="collections.ADR_Ollama.distance_threshold",
            ),
            GateReading(
                gate="confidence",
                passed=False,
                value=0.4,
                threshold=0.6,
                source="confidence.min_confidence",
                reason=RefusalReason.LOW_CONFIDENCE,
            ),
        ),
    ),
)
TYPES = {"ADR": "ADR", "PCP": "Principle", "POL": "Policy"}


def kind_of(name: str) -> str:
    if name.startswith("http"):
        return "Vocabulary"
    return "DAR" if name.endswith("D") else TYPES[name[:3]]


def case(
    *ids: str,
    number: int = 1,
    category: str = "adr_retrieval",
    reason: str | None = None,
    **changes: Any,
) -> Case:
    types = tuple(dict.fromkeys(kind_of(name) for name in ids))
    expected = {
        "route": "adr",
        "abstain": not ids,
        "reason": reason,
        "doc_types": types,
        "doc_ids": ids,
        **changes.pop("expected", {}),
    }
    return Case.model_validate(
        {
            "id": f"GS-{number:03d}",
            "query": f"Question {number}?",
            "category": category,
            "lang": "en",
            "split": "tuning",
            "expected": Expected.model_validate(expected),
            **changes,
        }
    )


def response(
    *ids: str,
    reason: RefusalReason | None = None,
    intent: str = "entity",
    confidence: float = 0.95,
    answer: str = "",
) -> RAGResponse:
    sources = tuple(
        Source(n=n, doc_type=kind_of(name), doc_id=name, title="", collection="", quote="")
        for n, name in enumerate(ids, start=1)
    )
    return RAGResponse(
        answer=answer,
        request_id="r",
        route="direct",
        lang="en",
        intent=intent,
        retrieval_quality=RetrievalQuality.from_retrieval(confidence, ()),
        transparency=TransparencyStatement(statement=None, show_to_user=False),
        sources=sources,
        refused=reason is not None,
        refusal_reason=reason,
        trace=TRACE,
    )


def scored(asked: Case, answer: RAGResponse, *, latency_ms: float = 10.0) -> Score:
    return scoring.score(Run(case=asked, latency_ms=latency_ms), answer)


def four() -> list[Score]:
    """Two right answers (one cites a wrong document too), a wrong refusal and a wrong answer."""
    return [
        scored(case("ADR-0012", number=1), response("ADR-0012"), latency_ms=10),
        scored(case("ADR-0012", number=2), response("ADR-0012", "ADR-0013"), latency_ms=20),
        scored(
            case("POL-0001", number=3, category="policy_retrieval", lang="nl"),
            response(reason=RefusalReason.LOW_CONFIDENCE, intent="single_collection"),
            latency_ms=30,
        ),
        scored(
            case(number=4, category="semantic_search", expected={"route": "semantic"}),
            response("POL-0001", intent="open", confidence=0.65),
            latency_ms=40,
        ),
    ]


SENTENCE = "Readings are <kept> for *two* years."
WANTED = {"expected": {"quote": SENTENCE}}


def three_quoted() -> list[Score]:
    """Of three right answers the first holds the sentence; a fourth, wrong one holds it too."""
    held, other = f"> {SENTENCE} [source:1]", "> They are kept. [source:1]"
    return [
        scored(case("ADR-0012", number=11, **WANTED), response("ADR-0012", answer=held)),
        scored(case("ADR-0012", number=12, **WANTED), response("ADR-0012", answer=other)),
        scored(
            case("POL-0001", number=13, category="policy_retrieval", **WANTED),
            response("POL-0001", answer=other),
        ),
        scored(case("ADR-0012", number=14, **WANTED), response("ADR-0013", answer=held)),
    ]


def setting() -> report.Setting:
    return report.Setting(
        timestamp="2026-02-09T10:30:00Z",
        config_hash="c" * 64,
        split="all",
        route="direct",
        version="0.1.0",
        python="3.11.7",
        model_id="model",
        documents=68,
        passages=342,
        index_hash="e" * 64,
        vocabulary_hash="f" * 64,
        store="sqlite",
        concurrency=1,
        collections=COLLECTIONS,
        limits={"default.distance_threshold": 0.9},
    )


def golden_set(*scores: Score) -> GoldenSet:
    return GoldenSet(
        cases=tuple(item.case for item in scores),
        version="v1.2.0",
        blob_hash="d" * 40,
        path=Path("golden.jsonl"),
    )


def probed() -> Probed:
    """What the gates and other limits do to the four questions, made up."""
    return Probed(
        effects={
            "ADR_Ollama": {
                "distance": Effect(
                    passages=20, turned_away=6, right_turned_away=1, questions=["GS-001", "GS-004"]
                )
            }
        },
    )


def built(*scores: Score, lost: int = 0) -> Report:
    """The report of some scores, by default the four; ``lost`` questions could not run."""
    kept = scores or tuple(four())
    not_run = [
        Run(case=case("ADR-0012", number=900 + n), latency_ms=1, error="SourceTimeoutError: slow")
        for n in range(lost)
    ]
    return report.build(kept, not_run, golden_set(*kept), setting(), probed=probed())
