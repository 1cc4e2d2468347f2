"""The failing questions on the page, each with its trace; held-out ones are only counted.

Right answers without the sentence that answers are listed after them.
"""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.evaluation import markup
from elysia_guard.evaluation.markup import Markup, joined, table, tag
from elysia_guard.evaluation.report import Report
from elysia_guard.evaluation.table import outcome

SEVERITY = (
    "answered_instead_of_abstaining",
    "wrong_collection",
    "wrong_document",
    "abstained_instead_of_answering",
)
"""The failures that do most harm come first."""


def section(report: Report) -> Markup:
    """List the failures, and what could not run."""
    told = [item for item in report["failures"] if item["trace"]]
    rank = {name: place for place, name in enumerate(SEVERITY)}
    told.sort(key=lambda item: (rank.get(item["reason"], len(rank)), item["id"]))
    hidden = len(report["failures"]) - len(told)
    note = (
        f"{len(told)} tuning question(s), the most harmful first."
        f" {hidden} held-out question(s) failed too: who reads those starts to tune on them."
    )
    lost = [
        tag("li", tag("code", item["id"]), f" {item['error']}: {item['query']}")
        for item in report["could_not_run"]
    ]
    beside = [
        tag("li", tag("code", item["id"]), f" {item['query']}: ", tag("q", item["quote"]))
        for item in report["notes"]
    ]
    return markup.section(
        "Failures",
        tag("p", note),
        *(_case(item) for item in told),
        *_list("Could not run", lost),
        *_list("Right, without the sentence that answers", beside),
    )


def _list(title: str, items: Sequence[Markup]) -> Sequence[Markup]:
    return [tag("h3", title), tag("ul", *items)] if items else []


def _case(item: Report) -> Markup:
    kind = tag("span", item["reason"].replace("_", " "), class_="kind")
    actual = item["actual"]
    steps = [
        (step["stage"], step["note"], f"{step['elapsed_ms']:.1f}", _readings(step["readings"]))
        for step in item["trace"]
    ]
    return tag(
        "details",
        tag("summary", tag("code", item["id"]), " ", kind, " ", item["query"]),
        tag(
            "dl",
            *_described("category", item["category"]),
            *_described("expected", f"{outcome(item['expected'])} ({item['expected']['route']})"),
            *_described("came", f"{outcome(actual)} ({actual['intent']})"),
            *_described("confidence", f"{actual['confidence']:.3f}"),
        ),
        table(("stage", "what it found", "ms", "gates"), steps, caption="Trace"),
        class_="case",
    )


def _described(name: str, value: str) -> tuple[Markup, Markup]:
    return tag("dt", name), tag("dd", value)


def _readings(readings: Sequence[Report]) -> Markup:
    return joined(
        tag(
            "div",
            tag(
                "span",
                "passed" if item["passed"] else "refused",
                class_="passed" if item["passed"] else "failed",
            ),
            f" {item['gate']}: {item['value']} against {item['threshold']} ({item['source']})",
        )
        for item in readings
    )
