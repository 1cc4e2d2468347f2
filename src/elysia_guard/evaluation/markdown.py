"""The report as Markdown for a pull request: what changed first, the whole of it folded away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elysia_guard.evaluation import table
from elysia_guard.evaluation.report import Report


def render(report: Report) -> str:
    """Return the report; questions and names in it cannot turn into markup."""
    return "\n".join(_lines(report)) + "\n"


def fenced(text: str) -> str:
    """Return text as a block that is shown as it stands, whatever marks are in it."""
    fence = "`" * max(3, *(len(found) + 1 for found in re.findall("`+", text)), 3)
    return f"{fence}text\n{text}\n{fence}"


def _lines(report: Report) -> Iterator[str]:
    meta, answers = report["meta"], report["metrics"]["answers"]
    yield "## Answer quality"
    yield ""
    yield (
        f"**{meta['pass_count']} of {meta['total_queries']} right**,"
        f" {answers['wrong_answers']} wrong answers, {answers['wrong_refusals']} wrong refusals,"
        f" {meta['could_not_run_count']} could not run"
    )
    yield ""
    yield from (f"- {line}" for line in table.told_certainty(report["metrics"]["certainty"]))
    yield ""
    if comparison := report.get("baseline"):
        yield f"### Against the baseline: {_verdict(comparison)}"
        yield ""
        yield fenced(table.render_comparison(comparison, report["questions"]))
        yield ""
    yield "<details><summary>All figures, failures and misses</summary>"
    yield ""
    alone = {name: part for name, part in report.items() if name != "baseline"}
    yield fenced(table.render(alone))
    yield ""
    yield "</details>"


def _verdict(comparison: Report) -> str:
    if comparison.get("refused"):
        return "not compared"
    return f"regression gate {'passed' if comparison['passed'] else '**failed**'}"
