"""The right passages that were not shown, on the page: counted by place, the tuning ones told."""

from __future__ import annotations

from itertools import groupby

from elysia_guard.evaluation import markup, telling
from elysia_guard.evaluation.markup import Markup, table, tag
from elysia_guard.evaluation.report import Report


def section(report: Report) -> Markup:
    """Return the section; nothing where nobody looked for them."""
    if not (told := telling.misses_told(report)):
        return Markup()
    by_place = groupby(report["misses"], key=lambda item: str(item["where"]))
    counts = tag(
        "div",
        table(
            telling.MISS_HEAD,
            telling.miss_rows(report),
            caption="By place, in the order of the way",
        ),
        table(("refused by", "questions"), telling.gate_rows(report), caption="Found, and refused"),
        class_="row-of",
    )
    return markup.section(
        "Where right passages were lost",
        tag("p", f"{told.capitalize()}. Each is counted where it was lost first."),
        counts,
        *(_listed(name, list(items)) for name, items in by_place),
    )


def _listed(name: str, items: list[Report]) -> Markup:
    listed = [
        (
            tag("code", item["id"]),
            item["query"],
            telling.lost(item),
            ", ".join(item["documents"]),
            item["quote"],
        )
        for item in items
    ]
    head = ("id", "question", "where", "answers", "the sentence that answers")
    return tag(
        "details",
        tag("summary", f"{telling.spaced(name).capitalize()}: {len(items)} tuning question(s)"),
        table(head, listed, caption=telling.spaced(name)),
    )
