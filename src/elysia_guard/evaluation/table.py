"""The report as a person reads it in a terminal, and the comparison with a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.evaluation.regression import ABSTENTION_RATE, CERTAINTY
from elysia_guard.evaluation.report import HELD_OUT, SENTENCES_HELD, Report

WIDTH = 22
SHARES = ("precision", "recall", "f1")
"""The figures that are told of each collection."""
FRACTIONS = (SENTENCES_HELD, ABSTENTION_RATE, *CERTAINTY)
"""The other figures that are shares; the rest are counts and times."""
EXAMPLES = 10
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
        _own_sentences,
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
    yield from told_certainty(figures["certainty"])
    yield f"route accuracy {figures['route_accuracy']:.3f}"
    yield (
        f"calibration error {figures['calibration']['all']['ece']:.3f}"
        f" · of searches {searched['ece']:.3f} ({searched['count']} answers)"
    )
    reasons = figures["abstention"]["by_reason"].items()
    given = ", ".join(f"{name} {share:.3f}" for name, share in reasons if share)
    yield f"abstention {figures['abstention']['total_rate']:.3f}" + (f": {given}" if given else "")


def told_certainty(figures: Report) -> list[str]:
    """Say what was asserted, hedged and shown, a line each."""
    return [
        (
            f"asserted {figures['asserted']}, right {figures['asserted_right']}"
            f" (precision {figures['asserted_precision']:.3f},"
            f" {figures['asserted_share']:.3f} of {figures['answerable']} answerable)"
        ),
        f"hedged {figures['hedged']}, right {figures['hedged_right']}",
        (
            f"near misses {figures['near_misses']}: asserted {figures['near_misses_asserted']},"
            f" hedged {figures['near_misses_hedged']}"
        ),
        (
            f"right passage shown {figures['shown']} of {figures['answerable']}"
            f" ({figures['shown_share']:.3f})"
        ),
    ]


def _calibration(report: Report) -> Iterator[str]:
    yield ""
    yield f"{'calibration':{WIDTH + 6}} answers   right   confidence   error"
    found = report["metrics"]["calibration"]
    for name, item in {**found["by_kind"], "all": found["all"]}.items():
        count = item["count"]
        right = round(sum(each["accuracy"] * each["count"] for each in item["bins"]))
        sure = sum(each["confidence"] * each["count"] for each in item["bins"])
        mean = sure / count if count else 0.0
        yield f"{spaced(name):{WIDTH + 6}} {count:7d} {right:7d} {mean:>12.3f} {item['ece']:>7.3f}"


def _latencies(report: Report) -> Iterator[str]:
    yield ""
    yield f"{'latency in ms':{WIDTH}}       p50      p95      p99      max questions"
    figures, count = report["metrics"], report["meta"]["total_queries"]
    whole = {"latency": "in all", "control": "a plain search", "added": "added to it"}
    measured = {
        said: figures[name] | {"count": count} for name, said in whole.items() if name in figures
    }
    rows = {**measured, **figures["latency_by_stage"]}
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
    found = report["metrics"]["sentences"]
    if not found["by_category"]:
        return
    yield ""
    yield f"answers that hold the sentence that answers: {found['held']} of {found['count']}"
    yield f"{'by category':{WIDTH + 3}} held      of"
    for name, item in found["by_category"].items():
        yield f"{name:{WIDTH + 2}} {item['held']:5d} {item['count']:7d}"


def _own_sentences(report: Report) -> Iterator[str]:
    if found := report["own_sentences"]:
        yield ""
        yield "own sentences: {sentences}, false: {false}, unknown: {unknown}".format_map(found)
        yield from (f"  {text}" for text in found["examples"][:EXAMPLES])


def _misses(report: Report) -> Iterator[str]:
    """Tell where passages were lost, in the order of the way; nothing where nobody looked."""
    if not (found := report["metrics"]["misses"]):
        return
    halves = found["by_split"]
    yield ""
    answerable = report["metrics"]["certainty"]["answerable"]
    yield f"right passage not shown: {found['count']} of {answerable}"
    yield f"{'where it was lost':{WIDTH + 2}} tuning  held out"
    for name, count in halves["tuning"].items():
        yield f"{spaced(name):{WIDTH + 2}} {count:6d} {halves['held_out'].get(name, 0):9d}"
    if refused := ", ".join(f"{spaced(name)} {count}" for name, count in found["by_gate"].items()):
        yield f"refused by: {refused}"
    for item in report["misses"]:
        yield f"  {item['id']} {_lost(item)}: {item['query']}"


def _lost(item: Report) -> str:
    """Say where one miss was lost: 'refused by confidence, found as 3, mentioned'."""
    parts = [spaced(item["where"]) + (f" by {spaced(item['by'])}" if item["by"] else "")]
    if item["rank"]:
        parts.append(f"found as {item['rank']}")
    if item["mentioned"]:
        parts.append("its document is mentioned")
    return ", ".join(parts)


def _problems(report: Report) -> Iterator[str]:
    if report["failures"]:
        yield ""
        yield "failures"
    for item in report["failures"]:
        yield f"  {item['id']} {item['reason']}: {item['query']}"
        if item["query"] != HELD_OUT:
            expected, actual = item["expected"], item["actual"]
            came = f"{_outcome(actual)} ({actual['intent']})"
            yield f"      expected {_outcome(expected)}; got {came}"
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


def _outcome(side: Report) -> str:
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
    for item in (*comparison["limits"], *comparison["settings"]):
        yield f"  {item['name']}: {_short(item['before'])} → {_short(item['after'])}"
    yield ""
    yield f"{'':{WIDTH}} {'precision':29} {'recall':29} f1"
    rows: dict[str, Report] = {}
    for item in comparison["changes"]:
        if item["metric"] in SHARES:
            rows.setdefault(item["where"], {})[item["metric"]] = _moved(item)
    for where, cells in rows.items():
        precision, recall, f1 = (cells.get(metric, "gone") for metric in SHARES)
        yield f"{where:{WIDTH}} {precision:29} {recall:29} {f1}"
    for item in comparison["changes"]:
        if item["metric"] not in SHARES:
            yield f"{spaced(item['metric']):{WIDTH}} {_moved(item)}"
    yield from (f"note: {note}" for note in comparison["notes"])
    yield from _regressions(comparison["regressions"], questions)
    yield from _turned(comparison)
    yield ""
    yield "regression gate: " + ("passed" if comparison["passed"] else "FAILED")


def _moved(item: Report) -> str:
    """Write a figure before and after; one that moved further than allowed says so."""
    digits = 3 if item["metric"] in (*SHARES, *FRACTIONS) else 0
    before, after = (f"{item[key]:.{digits}f}" for key in ("before", "after"))
    change = f" ({item['after'] - item['before']:+.{digits}f})" if before != after else ""
    return f"{before} → {after}{change}{' FAIL' if item['failed'] else ''}"


def _short(value: object) -> str:
    return "none" if value is None else str(value)[:12]


def _turned(comparison: Report) -> Iterator[str]:
    """Tell the tuning questions that turned; the held-out ones by their ids."""
    if wrong := comparison["gone_wrong"]:
        yield ""
        yield f"right before, wrong now: {len(wrong)}"
    for item in wrong:
        if item["query"] != HELD_OUT:
            about = f" [{', '.join(item['collections'])}]" if item["collections"] else ""
            yield f"  {item['id']} {item['reason']}{about}: {item['query']}"
    if hidden := [item["id"] for item in wrong if item["query"] == HELD_OUT]:
        yield f"  {len(hidden)} held out: {', '.join(hidden)}"
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


def spaced(name: str) -> str:
    """Write a key in words."""
    return name.replace("_", " ")
