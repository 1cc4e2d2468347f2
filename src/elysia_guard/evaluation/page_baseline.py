"""What changed since the baseline, on the page: the verdict first, then figures and questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.evaluation import changes, markup
from elysia_guard.evaluation.markup import Markup, table, tag
from elysia_guard.evaluation.report import HELD_OUT, Report

TITLE = "Against the baseline"


def section(report: Report) -> Markup:
    """Show the comparison; nothing where there was none."""
    comparison = report.get("baseline")
    if not comparison:
        return Markup()
    if refused := comparison.get("refused"):
        return markup.section(TITLE, tag("p", f"Not compared: {refused}", class_="verdict bad"))
    settings = changes.settings(comparison)
    return markup.section(
        TITLE,
        _verdict(comparison, report["questions"]),
        table(
            ("where", "precision", "recall", "f1"),
            [(where, *map(_marked, cells)) for where, *cells in changes.quality_rows(comparison)],
            caption=f"Before → after, since {comparison['timestamp']}",
        ),
        table(
            ("figure", "before → after"), changes.other_rows(comparison), caption="Other figures"
        ),
        table(("setting", "before", "after"), settings, caption="Settings that differ")
        if settings
        else tag("p", "The settings are the same."),
        *(tag("p", note, class_="soft") for note in comparison["notes"]),
        *_turned(comparison),
    )


def _marked(figure: str) -> Markup:
    return tag("span", figure, class_="failed" if figure.endswith("FAIL") else None)


def _verdict(comparison: Report, questions: Report) -> Markup:
    if comparison["passed"]:
        said = "The regression gate passes: nothing is worse than allowed."
        return tag("p", said, class_="verdict")
    items = [
        tag(
            "li",
            tag("strong", item["where"]),
            f": {item['message']}",
            _named(item["questions"], questions),
        )
        for item in comparison["regressions"]
    ]
    told = tag("p", tag("strong", "The regression gate fails."))
    return tag("div", told, tag("ul", *items), class_="verdict bad")


def _named(names: Sequence[str], questions: Report) -> Markup:
    if not names:
        return Markup()
    listed = [
        tag("li", tag("code", name), " ", questions.get(name, {}).get("query", HELD_OUT))
        for name in names
    ]
    return tag("details", tag("summary", f"{len(names)} question(s)"), tag("ul", *listed))


def _turned(comparison: Report) -> Iterator[Markup]:
    if wrong := comparison["gone_wrong"]:
        rows = [
            (
                tag("code", item["id"]),
                item["query"],
                item["reason"].replace("_", " "),
                ", ".join(item["collections"]),
            )
            for item in changes.told(wrong)
        ]
        head = ("id", "question", "what is wrong", "collections")
        yield tag(
            "details",
            tag("summary", f"Right before, wrong now: {len(wrong)} question(s)"),
            table(head, rows, caption="Tuning questions"),
            tag("p", changes.hidden(wrong)),
        )
    if mended := comparison["mended"]:
        yield tag("p", f"Wrong before, right now: {', '.join(mended)}")
