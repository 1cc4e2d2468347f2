"""The charts of the report: which figures go into which plot, and the same figures as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from elysia_guard.evaluation import plots, telling
from elysia_guard.evaluation.breakdowns import ANSWER, ANY_REASON, REST
from elysia_guard.evaluation.markup import Markup, table, tag
from elysia_guard.evaluation.plots import Series
from elysia_guard.evaluation.report import Report

SHARES = (("precision", "precision"), ("recall", "recall"))
COUNTS = (("wrong answers", "wrong_answers"), ("wrong refusals", "wrong_refusals"))


def sweeps(report: Report) -> Iterator[Markup]:
    """Draw each limit twice: precision and recall, and wrong answers and refusals."""
    if not report["sweeps"]:
        yield tag("p", "No tuning question was asked, so there is nothing to sweep.")
    for sweep in report["sweeps"]:
        key = sweep["key"]
        in_force = f"in force: {', '.join(f'{value:.2f}' for value in sweep['in_force'])}"
        drawn = [
            plots.lines(
                [
                    Series(
                        name=name,
                        points=[(point["value"], point[field]) for point in sweep["points"]],
                        style=style,
                    )
                    for style, (name, field) in enumerate(fields, start=1)
                ],
                title=f"{' and '.join(name for name, _ in fields)} over {key}",
                x_label=key,
                marks=sweep["in_force"],
                shares=fields is SHARES,
            )
            for fields in (SHARES, COUNTS)
        ]
        rows = [
            (
                f"{point['value']:.2f}",
                f"{point['precision']:.3f}",
                f"{point['recall']:.3f}",
                point["wrong_answers"],
                point["wrong_refusals"],
            )
            for point in sweep["points"]
        ]
        head = (key, "precision", "recall", "wrong answers", "wrong refusals")
        yield tag(
            "div",
            *(tag("figure", drawing, tag("figcaption", in_force)) for drawing in drawn),
            class_="grid-of",
        )
        yield _fallback(head, rows, caption=f"Figures over {key}")


def calibration(report: Report) -> Markup:
    """Draw the reliability diagrams: answers from a search, and all; tell the kinds apart."""
    measured = report["metrics"]["calibration"]
    by_kind = table(
        telling.KIND_HEAD, telling.kind_rows(report), caption="By kind of question, as it was read"
    )
    by_outcome = table(telling.OUTCOME_HEAD, telling.outcome_rows(report), caption="By outcome")
    drawn = tag(
        "div",
        _reliability(measured["searched"], "Answers from a search"),
        _reliability(measured["all"], "All answers, with the fixed confidences"),
        class_="grid-of",
    )
    return tag("div", drawn, tag("div", by_kind, by_outcome, class_="row-of"))


def _reliability(measured: Report, title: str) -> Markup:
    bins = measured["bins"]
    drawing = plots.reliability(
        [(item["confidence"], item["accuracy"], item["count"]) for item in bins], title=title
    )
    rows = [
        (
            f"{item['lower']:.1f} to {item['upper']:.1f}",
            item["count"],
            f"{item['confidence']:.3f}",
            f"{item['accuracy']:.3f}",
        )
        for item in bins
    ]
    note = (
        f"{measured['count']} answers, calibration error {measured['ece']:.3f}. The number at a dot"
        " is how many answers it stands for; above the diagonal the guard is better than it says."
    )
    head = ("confidence", "answers", "mean confidence", "share right")
    return _figure(title, drawing, note, _fallback(head, rows, caption=title))


def abstention(report: Report) -> Markup:
    """Draw how often each reason was expected, and how often it came."""
    outcomes = report["metrics"]["outcomes"]
    expected = {name: sum(row.values()) for name, row in outcomes.items()}
    came: dict[str, int] = {}
    for row in outcomes.values():
        for name, number in row.items():
            came[name] = came.get(name, 0) + number
    named = sorted({*expected, *came} - {ANSWER})
    title = "Abstentions expected and given"
    drawing = plots.pairs(
        [(_spaced(name), expected.get(name, 0), came.get(name, 0)) for name in named],
        names=("expected", "given"),
        title=title,
    )
    note = (
        f"“{_spaced(ANY_REASON)}”: the golden set expects an abstention and leaves its reason open."
        f" Answers: {expected.get(ANSWER, 0)} expected, {came.get(ANSWER, 0)} given."
    )
    matrix = _matrix(
        outcomes,
        right=lambda row, column: row == column or (row == ANY_REASON and column != ANSWER),
        caption="What was expected (rows) and what came (columns)",
    )
    return tag("div", _figure(title, drawing, note), matrix)


def latency(report: Report) -> Markup:
    """Draw p50 and p95 of each stage."""
    stages = report["metrics"]["latency_by_stage"]
    whole = report["metrics"]["latency"]
    title = "Latency by stage"
    rows = [(_stage(name), item["p50_ms"], item["p95_ms"]) for name, item in stages.items()]
    drawing = plots.spans([*rows, ("in all", whole["p50_ms"], whole["p95_ms"])], title=title)
    head = ("stage", "p50 ms", "p95 ms", "p99 ms", "max ms", "questions")
    keys = ("p50_ms", "p95_ms", "p99_ms", "max_ms")
    counted = [
        (_stage(name), *(f"{item[key]:.2f}" for key in keys), item["count"])
        for name, item in stages.items()
    ]
    note = "Each stage over the questions that went through it."
    return _figure(title, drawing, note, _fallback(head, counted, caption=title))


def _stage(name: str) -> str:
    return "outside the stages" if name == REST else name


def confusion(report: Report) -> Markup:
    """Show where questions went, by where they belong."""
    return _matrix(
        report["metrics"]["routes"],
        right=lambda row, column: row == column,
        caption="Where questions belong (rows) and went (columns)",
    )


def _matrix(matrix: Report, *, right: Callable[[str, str], bool], caption: str) -> Markup:
    columns = sorted({column for row in matrix.values() for column in row})
    rows = [
        (
            _spaced(name),
            *(_heat(row.get(column, 0), row, right=right(name, column)) for column in columns),
        )
        for name, row in matrix.items()
    ]
    shown = table(("", *map(_spaced, columns)), rows, caption=caption)
    return tag("div", shown, class_="matrix")


def _heat(number: int, row: Report, *, right: bool) -> Markup:
    """A cell shaded by its share of the row; what went wrong is marked."""
    if not number:
        return tag("td", "·", class_="number soft")
    share = number / sum(row.values())
    kind = "number heat" if right else "number off"
    return tag("td", number, class_=kind, style=f"--share:{share:.2f}")


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _figure(title: str, drawing: Markup, note: str, *rest: Markup) -> Markup:
    return tag("figure", tag("h3", title), drawing, tag("figcaption", note), *rest, class_="single")


def _fallback(head: Sequence[str], rows: Iterable[Iterable[object]], *, caption: str) -> Markup:
    return tag(
        "details", tag("summary", "The figures as a table"), table(head, rows, caption=caption)
    )
