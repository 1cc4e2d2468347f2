"""The results of an evaluation: IR0003's JSON field for field with more groups, and a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from elysia_guard.evaluation import metrics
from elysia_guard.evaluation.golden import GoldenSet
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scoring import Score

DIGITS = 4
WIDTH = 22

Report = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """What was evaluated: kept beside the figures, so that only equals are compared.

    ``collections`` names the collection of each document type; ``seed`` is None: nothing is drawn.
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
    concurrency: int
    collections: Mapping[str, str]
    seed: None = None


def build(
    scores: Sequence[Score], not_run: Sequence[Run], golden: GoldenSet, setting: Setting
) -> Report:
    """Put the figures together; ``meta``, ``metrics``, ``failures`` hold every field of IR0003."""
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
        "metrics": _metrics(scores, setting.collections),
        "failures": [_failure(item) for item in wrong],
        "could_not_run": [
            {"id": run.case.id, "query": run.case.query, "error": run.error} for run in not_run
        ],
    }
    rounded: Report = _rounded(report)
    return rounded


def _metrics(scores: Sequence[Score], collections: Mapping[str, str]) -> Report:
    overall = metrics.quality(scores)
    return {
        "overall": _quality(overall),
        "by_collection": {
            name: {**_quality(item), "count": item.count}
            for name, item in metrics.by_collection(scores, collections).items()
        },
        "abstention": asdict(metrics.abstention(scores)),
        "latency": asdict(metrics.latency(scores)),
        "answers": {
            "wrong_answers": sum(item.wrong_answer for item in scores),
            "wrong_refusals": sum(item.wrong_refusal for item in scores),
        },
        "route_accuracy": metrics.route_accuracy(scores),
        "by_category": _groups(metrics.groups(scores, lambda item: item.case.category)),
        "by_language": _groups(metrics.groups(scores, lambda item: item.case.lang)),
        "calibration": {
            "all": asdict(metrics.reliability(scores)),
            "searched": asdict(metrics.reliability(scores, searched=True)),
        },
    }


def _quality(item: metrics.Quality) -> Report:
    return {"precision": item.precision, "recall": item.recall, "f1": item.f1}


def _groups(groups: Mapping[str, metrics.Group]) -> Report:
    return {name: {**asdict(item), "accuracy": item.accuracy} for name, item in groups.items()}


def _failure(item: Score) -> Report:
    response = item.response
    return {
        "id": item.case.id,
        "split": item.case.split,
        "query": item.case.query,
        "category": item.case.category,
        "expected": item.case.expected.model_dump(mode="json", exclude_none=True),
        "actual": {
            "route": sorted(item.routes),
            "intent": response.intent,
            "abstain": not item.answered,
            "reason": response.refusal_reason,
            "doc_types": sorted({source.doc_type for source in response.sources}),
            "doc_ids": sorted(item.cited),
            "confidence": response.retrieval_quality.confidence_score,
        },
        "reason": item.failure,
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


def render(report: Report) -> str:
    """Write the report for a terminal, with every failure and everything that could not run."""
    parts = (_head, _figures, _groups_table, _problems)
    return "\n".join(line for part in parts for line in part(report))


def _head(report: Report) -> Iterator[str]:
    meta, setting = report["meta"], report["setting"]
    yield (
        f"golden set {meta['golden_set_version']} ({meta['golden_set_hash'][:12]})"
        f", split {setting['split']} · thresholds {meta['config_hash'][:12]}"
        f" · route {setting['route']}"
    )
    yield (
        f"elysia-guard {setting['version']}, Python {setting['python']}"
        f" · model {setting['model_id']}"
        f" · {setting['documents']} documents, {setting['passages']} passages · seed none"
    )
    yield (
        f"{meta['total_queries']} cases · {meta['pass_count']} right · {meta['fail_count']} wrong"
        f" · {meta['could_not_run_count']} could not run"
    )


def _figures(report: Report) -> Iterator[str]:
    figures = report["metrics"]
    yield ""
    yield f"{'':{WIDTH}} precision   recall       f1    count"
    rows = {"overall": figures["overall"], **figures["by_collection"]}
    for name, item in rows.items():
        count = item.get("count", report["meta"]["pass_count"] + report["meta"]["fail_count"])
        yield (
            f"{name:{WIDTH}} {item['precision']:9.3f}{item['recall']:9.3f}{item['f1']:9.3f}"
            f"{count:9d}"
        )
    answers, latency = figures["answers"], figures["latency"]
    searched = figures["calibration"]["searched"]
    yield ""
    yield f"wrong answers {answers['wrong_answers']} · wrong refusals {answers['wrong_refusals']}"
    yield f"route accuracy {figures['route_accuracy']:.3f}"
    yield (
        f"calibration error {figures['calibration']['all']['ece']:.3f}"
        f" · of searches {searched['ece']:.3f} ({searched['count']} answers)"
    )
    yield (
        f"latency p50 {latency['p50_ms']:.0f} ms · p95 {latency['p95_ms']:.0f} ms"
        f" · p99 {latency['p99_ms']:.0f} ms · max {latency['max_ms']:.0f} ms"
    )
    reasons = figures["abstention"]["by_reason"].items()
    given = ", ".join(f"{name} {share:.3f}" for name, share in reasons if share)
    yield f"abstention {figures['abstention']['total_rate']:.3f}" + (f": {given}" if given else "")


def _groups_table(report: Report) -> Iterator[str]:
    for title in ("by_category", "by_language"):
        yield ""
        yield f"{title.replace('_', ' '):{WIDTH + 2}} right      of  wrong answers  wrong refusals"
        for name, item in report["metrics"][title].items():
            yield (
                f"{name:{WIDTH + 2}} {item['correct']:5d} {item['count']:7d}"
                f" {item['wrong_answers']:14d} {item['wrong_refusals']:15d}"
            )


def _problems(report: Report) -> Iterator[str]:
    if report["failures"]:
        yield ""
        yield "failures"
    for item in report["failures"]:
        expected, actual = item["expected"], item["actual"]
        if item["split"] == "held_out":
            # Who reads a held-out question starts to tune on it.
            yield f"  {item['id']} {item['reason']} (held out; the question is in the JSON alone)"
            continue
        yield f"  {item['id']} {item['reason']}: {item['query']}"
        yield f"      expected {_outcome(expected)}; got {_outcome(actual)} ({actual['intent']})"
    if report["could_not_run"]:
        yield ""
        yield "could not run"
    for item in report["could_not_run"]:
        yield f"  {item['id']} {item['error']}: {item['query']}"


def _outcome(side: Report) -> str:
    if side["abstain"]:
        return f"abstention ({side.get('reason') or 'any reason'})"
    return ", ".join(side["doc_ids"]) or "an answer without sources"
