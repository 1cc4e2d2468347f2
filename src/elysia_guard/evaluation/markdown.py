"""The report as Markdown for a pull request: what changed first, the details folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from elysia_guard.evaluation import changes, telling
from elysia_guard.evaluation.certainty import told
from elysia_guard.evaluation.report import HELD_OUT, Report
from elysia_guard.evaluation.table import NAMED, outcome

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#!|~@])")


def render(report: Report) -> str:
    """Return the report; questions and names in it cannot turn into markup."""
    parts = (
        _head,
        _compared,
        _figures,
        _calibration,
        _misses,
        _stages,
        _groups,
        _sentences,
        _failures,
        _notes,
        _missed,
        _foot,
    )
    return "\n".join(line for part in parts for line in part(report)) + "\n"


def plain(text: object) -> str:
    """Return text as Markdown that reads as it is, on one line."""
    return _ACTIVE.sub(r"\\\1", " ".join(str(text).split()))


def grid(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Write a table, and the empty line after it."""
    columns = tuple(head)
    yield "| " + " | ".join(columns) + " |"
    yield "|---" + "|---:" * (len(columns) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(plain(cell) for cell in row) + " |"
    yield ""


def _head(report: Report) -> Iterator[str]:
    meta, answers = report["meta"], report["metrics"]["answers"]
    yield "## Answer quality"
    yield ""
    yield (
        f"**{meta['pass_count']} of {meta['total_queries']} right**,"
        f" {answers['wrong_answers']} wrong answers, {answers['wrong_refusals']} wrong refusals,"
        f" {meta['could_not_run_count']} could not run"
    )
    yield ""
    yield from (f"- {line}" for line in told(report["metrics"]["certainty"]))
    yield ""


def _compared(report: Report) -> Iterator[str]:
    comparison = report.get("baseline")
    if not comparison:
        return
    if refused := comparison.get("refused"):
        yield f"**Not compared with the baseline:** {plain(refused)}"
        yield ""
        return
    passed = "passed" if comparison["passed"] else "**failed**"
    yield f"### Against the baseline: regression gate {passed}"
    yield ""
    for item in comparison["regressions"]:
        yield f"- **{plain(item['where'])}**: {plain(item['message'])}"
        yield from _named(item["questions"], report["questions"])
    yield from (f"- {plain(note)}" for note in comparison["notes"])
    yield ""
    head = ("Where", "Precision", "Recall", "F1")
    yield from grid(head, changes.quality_rows(comparison))
    yield from grid(("Figure", "Before → after"), changes.other_rows(comparison))
    if moved := changes.settings(comparison):
        yield from grid(("Setting", "Before", "After"), moved)
    yield from _turned(comparison)


def _named(names: Sequence[str], questions: Report) -> Iterator[str]:
    for name in names[:NAMED]:
        yield f"  - {name}: {plain(questions.get(name, {}).get('query', HELD_OUT))}"
    if more := names[NAMED:]:
        yield f"  - and {len(more)} more: {', '.join(more)}"


def _turned(comparison: Report) -> Iterator[str]:
    if wrong := comparison["gone_wrong"]:
        rows = (
            (item["query"], item["reason"], ", ".join(item["collections"]), item["id"])
            for item in changes.told(wrong)
        )
        head = ("Question", "What is wrong", "Collections", "Id")
        lines = [*grid(head, rows), changes.hidden(wrong), ""]
        yield from _folded(f"Right before, wrong now: {len(wrong)}", lines)
    if mended := comparison["mended"]:
        yield f"Wrong before, right now: {', '.join(mended)}"
        yield ""


def _figures(report: Report) -> Iterator[str]:
    figures = report["metrics"]
    total = report["meta"]["pass_count"] + report["meta"]["fail_count"]
    yield from grid(
        ("Collection", "Precision", "Recall", "F1", "Questions"),
        (
            (name, *(f"{item[key]:.3f}" for key in ("precision", "recall", "f1")), item["count"])
            for name, item in {
                "overall": figures["overall"] | {"count": total},
                **figures["by_collection"],
            }.items()
        ),
    )
    searched, latency = figures["calibration"]["searched"], figures["latency"]
    yield (
        f"Calibration error {figures['calibration']['all']['ece']:.3f} (of searches"
        f" {searched['ece']:.3f}) · route accuracy {figures['route_accuracy']:.3f} · abstention"
        f" {figures['abstention']['total_rate']:.3f} · p50 {latency['p50_ms']:.0f} ms,"
        f" p95 {latency['p95_ms']:.0f} ms"
    )
    yield ""


def _folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from lines
    yield "</details>"
    yield ""


def _calibration(report: Report) -> Iterator[str]:
    head = tuple(name.capitalize() for name in telling.KIND_HEAD)
    yield from _folded("Calibration by kind of question", grid(head, telling.kind_rows(report)))


def _misses(report: Report) -> Iterator[str]:
    if not (told := telling.misses_told(report)):
        return
    lines = (
        *grid(("Where it was lost", "Tuning", "Held out"), telling.miss_rows(report)),
        *grid(("Refused by", "Questions"), telling.gate_rows(report)),
    )
    yield from _folded(told.capitalize(), lines)


def _missed(report: Report) -> Iterator[str]:
    """List them near the end: what a pull request shows is cut off, and they are many."""
    if missed := report["misses"]:
        listed = ((item["query"], telling.lost(item), item["id"]) for item in missed)
        lines = grid(("Question", "Where it was lost", "Id"), listed)
        yield from _folded(f"Right passage not shown, tuning questions: {len(missed)}", lines)


def _stages(report: Report) -> Iterator[str]:
    keys = ("p50_ms", "p95_ms", "p99_ms", "max_ms")
    rows = (
        (name.replace("_", " "), *(f"{item[key]:.1f}" for key in keys), item["count"])
        for name, item in report["metrics"]["latency_by_stage"].items()
    )
    head = ("Stage", "p50 ms", "p95 ms", "p99 ms", "max ms", "Questions")
    yield from _folded("Latency by stage", grid(head, rows))


def _groups(report: Report) -> Iterator[str]:
    rows = (
        (name, item["correct"], item["count"], item["wrong_answers"], item["wrong_refusals"])
        for key in ("by_category", "by_language", "by_split")
        for name, item in report["metrics"][key].items()
    )
    head = ("Group", "Right", "Of", "Wrong answers", "Wrong refusals")
    yield from _folded("By category, language and split", grid(head, rows))


def _sentences(report: Report) -> Iterator[str]:
    if told := changes.sentences_held(report):
        rows = (
            (name, item["held"], item["count"])
            for name, item in report["metrics"]["sentences"]["by_category"].items()
        )
        yield from _folded(told.capitalize(), grid(("Category", "Hold it", "Of"), rows))


def _failures(report: Report) -> Iterator[str]:
    told = [item for item in report["failures"] if item["query"] != HELD_OUT]
    rows = (
        (
            item["query"],
            item["reason"],
            outcome(item["expected"]),
            outcome(item["actual"]),
            item["id"],
        )
        for item in told
    )
    head = ("Question", "What is wrong", "Expected", "Came", "Id")
    title = f"Failures: {len(told)} tuning, {len(report['failures']) - len(told)} held out"
    yield from _folded(title, grid(head, rows))
    if report["could_not_run"]:
        lost = ((item["query"], item["error"], item["id"]) for item in report["could_not_run"])
        yield from _folded("Could not run", grid(("Question", "Why", "Id"), lost))


def _notes(report: Report) -> Iterator[str]:
    if notes := report["notes"]:
        rows = ((item["query"], item["quote"], item["id"]) for item in notes)
        lines = grid(("Question", "The sentence that answers", "Id"), rows)
        yield from _folded(f"Right, without the sentence that answers: {len(notes)}", lines)


def _foot(report: Report) -> Iterator[str]:
    meta, setting = report["meta"], report["setting"]
    yield (
        f"Golden set {meta['golden_set_version']} (`{meta['golden_set_hash'][:12]}`), split"
        f" {setting['split']}, thresholds `{meta['config_hash'][:12]}`, route {setting['route']},"
        f" profile {setting['profile']}, model {plain(setting['model_id'])},"
        f" {setting['documents']} documents in {setting['passages']} passages"
    )
