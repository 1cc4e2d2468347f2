"""What a tuning run found as one HTML page: no script, no network."""

from __future__ import annotations

from elysia_guard.evaluation.markup import Markup, section, table, tag
from elysia_guard.evaluation.page import document, tile
from elysia_guard.evaluation.trade_off import Curve, Place, trade_off
from elysia_guard.evaluation.tuning_report import Report
from elysia_guard.evaluation.tuning_table import COUNTED, arrow, called

_HEADS = tuple(key.replace("_", " ") for key in COUNTED)


def render(report: Report) -> str:
    """Return the page."""
    parts = (_opening, _overall, _by_collection, _left_out, _change)
    return document("Tuning the limits", *(part(report) for part in parts))


def _opening(report: Report) -> Markup:
    sets = " and ".join(f"{number} {name}" for name, number in report["questions"].items())
    old, new = report["in_force"], report["proposed"]
    verdict = "New values are proposed" if report["changed"] else "Everything stays as it is"
    tiles = [
        tile(name, arrow(str(old[key]), str(new[key])), note)
        for name, key, note in zip(
            _HEADS, COUNTED, ("the failure to avoid", "an answer existed", "of all"), strict=True
        )
    ]
    tiles.append(
        tile(
            "wrong of the answers",
            f"{new['wrong_share']:.1%}",
            f"allowed {report['max_wrong']:.1%}",
        )
    )
    return tag(
        "header",
        tag("h1", "Tuning the limits"),
        tag(
            "p",
            f"{sets} questions of the tuning half, {report['searched']} of which go to a search;"
            f" rule {report['rule']}",
            class_="soft",
        ),
        tag("dl", *tiles, class_="tiles"),
        tag(
            "div",
            tag("p", tag("strong", f"{verdict}.")),
            tag("ul", *(tag("li", reason) for reason in report["reasons"])),
            class_="verdict",
        ),
    )


def _overall(report: Report) -> Markup:
    return section(
        "Wrong answers against wrong refusals",
        tag(
            "p",
            "Each dot is a value of min_confidence, and a ring is the chosen one. The nearer to the"
            " lower left corner, the better.",
        ),
        _figure("All questions", report["curve"], report, single=True),
    )


def _by_collection(report: Report) -> Markup:
    figures = [_figure(item["section"], item["curve"], report) for item in report["sections"]]
    rows = [
        (
            item["section"],
            *(
                arrow(f"{item['in_force'][key]:.2f}", f"{item['proposed'][key]:.2f}")
                for key in ("distance_threshold", "min_query_coverage")
            ),
            *(
                arrow(str(item["in_force"][key]), str(item["proposed"][key]))
                for key in ("wrong_answers", "answers", "wrong_refusals", "answerable")
            ),
        )
        for item in report["sections"]
    ]
    head = (
        "collection",
        "distance_threshold",
        "min_query_coverage",
        "wrong answers",
        "of answers",
        "wrong refusals",
        "of answerable",
    )
    return section(
        "By collection",
        tag(
            "p",
            "Of the questions that go to a search. A refusal counts in the collections that would"
            " have answered, an answer in those that it cites.",
        ),
        tag("div", *figures, class_="grid-of"),
        table(head, rows, caption="Limits and counts, in force and proposed"),
    )


def _figure(name: str, curve: list[Report], report: Report, *, single: bool = False) -> Markup:
    named = {"in_force": "values in force"}
    if report["best_differs"]:
        named["best"] = called(report)
    curves = []
    for side, shown in named.items():
        places = {item["min_confidence"]: _place(item, side) for item in curve}
        marked = places[report[side]["min_confidence"]]
        curves.append(Curve(name=shown, places=tuple(places.values()), marked=marked))
    rows = [
        (f"{item['min_confidence']:.2f}", *(item[side][key] for side in named for key in COUNTED))
        for item in curve
    ]
    head = (
        "min_confidence",
        *(f"{key}, {shown}" for shown in named.values() for key in _HEADS),
    )
    return tag(
        "figure",
        tag("h3", name),
        trade_off(curves, title=f"{name}: wrong answers (upwards) against wrong refusals"),
        tag("figcaption", "; ".join(f"{item.name}: {item.marked.told}" for item in curves)),
        tag(
            "details",
            tag("summary", "The figures as a table"),
            table(head, rows, caption=f"{name}, over min_confidence"),
        ),
        class_="single" if single else None,
    )


def _place(item: Report, side: str) -> Place:
    counts = item[side]
    return Place(
        min_confidence=item["min_confidence"],
        wrong_refusals=counts["wrong_refusals"],
        wrong_answers=counts["wrong_answers"],
    )


def _left_out(report: Report) -> Markup:
    if not report["folds"]:
        note = "This rule looks at the counts alone; nothing was cross-validated."
        return section("On questions left out", tag("p", note))
    rows = [
        (
            number,
            item["left_out"]["questions"],
            f"{item['min_confidence']:.2f}",
            *(arrow(str(item["in_force"][key]), str(item["left_out"][key])) for key in COUNTED),
        )
        for number, item in enumerate(report["folds"], start=1)
    ]
    rows.append(
        (
            "all",
            report["left_out"]["questions"],
            "",
            *(arrow(str(report["in_force"][key]), str(report["left_out"][key])) for key in COUNTED),
        )
    )
    return section(
        "On questions left out",
        tag("p", "Values chosen without each fold, counted on it: in force → chosen."),
        table(("fold", "questions", "min_confidence", *_HEADS), rows, caption="Cross-validation"),
    )


def _change(report: Report) -> Markup:
    shown = tag("pre", report["diff"]) if report["diff"] else tag("p", "Nothing would change.")
    return section("The change of thresholds.yaml", shown)
