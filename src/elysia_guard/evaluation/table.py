"""The report as a person reads it in a terminal, and the comparison with a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.evaluation import changes, telling
from elysia_guard.evaluation.certainty import told
from elysia_guard.evaluation.report import HELD_OUT, Report

WIDTH = 22
NAMED = 12
"""So many questions of one regression are named; the others are counted."""


def render(report: Report) -> str:
    """Write the report, with every failure and everything that could not run."""
    parts = (
        _head,
        _figures,
        _calibration,
        _latencies,
        _groups_table,
        _sentences,
        _misses,
        _problems,
        _notes,
        _compared,
    )
    return "\n".join(line for part in parts for line in part(report))


def render_comparison(comparison: Report, questions: Report) -> str:
    """Write what changed since the baseline, and every regression with its questions.

    Args:
        comparison: what ``regression.compare`` returned.
        questions: the tuning questions of the current report.
    """
    return "\n".join(_comparison(comparison, questions))


def _head(report: Report) -> Iterator[str]:
    meta, setting = report["meta"], report["setting"]
    yield (
        f"golden set {meta['golden_set_version']} ({meta['golden_set_hash'][:12]})"
        f", split {setting['split']} · profile {setting['profile']}"
        f" · thresholds {meta['config_hash'][:12]}"
        f" · route {setting['route']} · store {setting['store']}"
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
    answers = figures["answers"]
    searched = figures["calibration"]["searched"]
    yield ""
    yield f"wrong answers {answers['wrong_answers']} · wrong refusals {answers['wrong_refusals']}"
    yield from told(figures["certainty"])
    yield f"route accuracy {figures['route_accuracy']:.3f}"
    yield (
        f"calibration error {figures['calibration']['all']['ece']:.3f}"
        f" · of searches {searched['ece']:.3f} ({searched['count']} answers)"
    )
    reasons = figures["abstention"]["by_reason"].items()
    given = ", ".join(f"{name} {share:.3f}" for name, share in reasons if share)
    yield f"abstention {figures['abstention']['total_rate']:.3f}" + (f": {given}" if given else "")


def _calibration(report: Report) -> Iterator[str]:
    yield ""
    yield f"{'calibration':{WIDTH + 6}} answers   right   confidence   error"
    for name, count, right, mean, error in telling.kind_rows(report):
        yield f"{name:{WIDTH + 6}} {count:7d} {right:7d} {mean:>12} {error:>7}"


def _latencies(report: Report) -> Iterator[str]:
    yield ""
    yield f"{'latency in ms':{WIDTH}}       p50      p95      p99      max questions"
    figures, count = report["metrics"], report["meta"]["total_queries"]
    rows = {"in all": figures["latency"] | {"count": count}, **figures["latency_by_stage"]}
    for name, item in rows.items():
        times = "".join(f"{item[key]:9.1f}" for key in ("p50_ms", "p95_ms", "p99_ms", "max_ms"))
        yield f"{name.replace('_', ' '):{WIDTH}} {times} {item['count']:9d}"


def _groups_table(report: Report) -> Iterator[str]:
    for title in ("by_category", "by_language", "by_split"):
        yield ""
        yield f"{title.replace('_', ' '):{WIDTH + 2}} right      of  wrong answers  wrong refusals"
        for name, item in report["metrics"][title].items():
            yield (
                f"{name:{WIDTH + 2}} {item['correct']:5d} {item['count']:7d}"
                f" {item['wrong_answers']:14d} {item['wrong_refusals']:15d}"
            )


def _sentences(report: Report) -> Iterator[str]:
    if not (told := changes.sentences_held(report)):
        return
    yield ""
    yield told
    yield f"{'by category':{WIDTH + 3}} held      of"
    for name, item in report["metrics"]["sentences"]["by_category"].items():
        yield f"{name:{WIDTH + 2}} {item['held']:5d} {item['count']:7d}"


def _misses(report: Report) -> Iterator[str]:
    if not (told := telling.misses_told(report)):
        return
    yield ""
    yield told
    yield f"{'where it was lost':{WIDTH + 2}} tuning  held out"
    for name, tuning, held_out in telling.miss_rows(report):
        yield f"{name:{WIDTH + 2}} {tuning:6d} {held_out:9d}"
    refused = ", ".join(f"{name} {count}" for name, count in telling.gate_rows(report))
    if refused:
        yield f"refused by: {refused}"
    for item in report["misses"]:
        yield f"  {item['id']} {telling.lost(item)}: {item['query']}"


def _problems(report: Report) -> Iterator[str]:
    if report["failures"]:
        yield ""
        yield "failures"
    for item in report["failures"]:
        yield f"  {item['id']} {item['reason']}: {item['query']}"
        if item["query"] != HELD_OUT:
            expected, actual = item["expected"], item["actual"]
            yield f"      expected {outcome(expected)}; got {outcome(actual)} ({actual['intent']})"
    if report["could_not_run"]:
        yield ""
        yield "could not run"
    for item in report["could_not_run"]:
        yield f"  {item['id']} {item['error']}: {item['query']}"


def _notes(report: Report) -> Iterator[str]:
    if report["notes"]:
        yield ""
        yield "right, without the sentence that answers"
    for item in report["notes"]:
        yield f"  {item['id']}: {item['query']}"
        yield f"      wanted: {item['quote']}"


def outcome(side: Report) -> str:
    """Say what was expected, or what came."""
    if side["abstain"]:
        return f"abstention ({side.get('reason') or 'any reason'})"
    return ", ".join(side["doc_ids"]) or "an answer without sources"


def _compared(report: Report) -> Iterator[str]:
    if comparison := report.get("baseline"):
        yield ""
        yield from _comparison(comparison, report["questions"])


def _comparison(comparison: Report, questions: Report) -> Iterator[str]:
    if refused := comparison.get("refused"):
        yield f"not compared with the baseline: {refused}"
        return
    yield f"compared with the baseline of {comparison['timestamp']}"
    for name, before, after in changes.settings(comparison):
        yield f"  {name}: {before} → {after}"
    yield ""
    yield f"{'':{WIDTH}} {'precision':29} {'recall':29} f1"
    for where, precision, recall, f1 in changes.quality_rows(comparison):
        yield f"{where:{WIDTH}} {precision:29} {recall:29} {f1}"
    yield from (f"{name:{WIDTH}} {figure}" for name, figure in changes.other_rows(comparison))
    yield from (f"note: {note}" for note in comparison["notes"])
    yield from _regressions(comparison["regressions"], questions)
    yield from _turned(comparison)
    yield ""
    yield "regression gate: " + ("passed" if comparison["passed"] else "FAILED")


def _turned(comparison: Report) -> Iterator[str]:
    wrong = comparison["gone_wrong"]
    if wrong:
        yield ""
        yield f"right before, wrong now: {len(wrong)}"
    for item in changes.told(wrong):
        about = f" [{', '.join(item['collections'])}]" if item["collections"] else ""
        yield f"  {item['id']} {item['reason']}{about}: {item['query']}"
    if hidden := changes.hidden(wrong):
        yield f"  {hidden}"
    if comparison["mended"]:
        yield f"wrong before, right now: {', '.join(comparison['mended'])}"


def _regressions(regressions: Sequence[Report], questions: Report) -> Iterator[str]:
    for item in regressions:
        yield ""
        yield f"REGRESSION {item['where']}: {item['message']}"
        for name in item["questions"][:NAMED]:
            yield f"  {name}: {questions.get(name, {}).get('query', HELD_OUT)}"
        if (more := len(item["questions"]) - NAMED) > 0:
            yield f"  and {more} more: {', '.join(item['questions'][NAMED:])}"
