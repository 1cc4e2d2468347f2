"""The report as one HTML page: no script, no network, readable on a phone and without colours."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from elysia_guard.evaluation import (
    changes,
    charts,
    outcome_charts,
    page_baseline,
    page_failures,
    page_misses,
)
from elysia_guard.evaluation.markup import Markup, section, table, tag
from elysia_guard.evaluation.report import Report

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(report: Report) -> str:
    """Return the page; it refers to nothing outside of itself."""
    parts = (
        _opening,
        page_baseline.section,
        _quality,
        outcome_charts.section,
        page_misses.section,
        _sentences,
        _sweeps,
        _calibration,
        _abstention,
        _latency,
        _routes,
    )
    sections = [part(report) for part in (*parts, _gates, page_failures.section, _setting)]
    return document(f"Answer quality, golden set {report['meta']['golden_set_version']}", *sections)


def document(title: str, *sections: Markup) -> str:
    """Return a page of some sections, which refers to nothing outside of itself."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("title", title),
        tag("style", Markup(style)),
    )
    body = tag("body", tag("main", *sections))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _opening(report: Report) -> Markup:
    meta, setting = report["meta"], report["setting"]
    return tag(
        "header",
        tag("h1", "Answer quality"),
        tag(
            "p",
            f"Golden set {meta['golden_set_version']} ({meta['golden_set_hash'][:12]}), split"
            f" {setting['split']}, route {setting['route']}, store {setting['store']},"
            f" profile {setting['profile']},"
            f" thresholds {meta['config_hash'][:12]}, {meta['timestamp']}",
            class_="soft",
        ),
        tag("dl", *(tile(*item) for item in _tiles(report)), class_="tiles"),
    )


def _tiles(report: Report) -> Iterator[tuple[str, str, str]]:
    meta, figures = report["meta"], report["metrics"]
    overall, latency = figures["overall"], figures["latency"]
    yield "right", f"{meta['pass_count']}", f"of {meta['total_queries']} questions"
    yield "wrong answers", f"{figures['answers']['wrong_answers']}", "the failure to avoid"
    yield "wrong refusals", f"{figures['answers']['wrong_refusals']}", "an answer existed"
    certain = figures["certainty"]
    yield "asserted", f"{certain['asserted_precision']:.3f}", f"right, of {certain['asserted']}"
    yield "hedged", f"{certain['hedged_right']}", f"right, of {certain['hedged']}"
    yield (
        "near misses",
        f"{certain['near_misses_asserted']} · {certain['near_misses_hedged']}",
        f"asserted · hedged, of {certain['near_misses']}",
    )
    yield "right passage shown", f"{certain['shown_share']:.3f}", "of what is answerable"
    yield "could not run", f"{meta['could_not_run_count']}", "neither right nor wrong"
    yield "precision", f"{overall['precision']:.3f}", "of what was cited"
    yield "recall", f"{overall['recall']:.3f}", "of what was to be found"
    yield (
        "calibration error",
        f"{figures['calibration']['all']['ece']:.3f}",
        f"of searches {figures['calibration']['searched']['ece']:.3f}",
    )
    yield "p95 latency", f"{latency['p95_ms']:.0f} ms", f"p50 {latency['p50_ms']:.0f} ms"


def tile(name: str, value: str, note: str) -> Markup:
    """Return a figure under its name, with a note."""
    return tag("div", tag("dt", name), tag("dd", value, tag("small", note)))


def _quality(report: Report) -> Markup:
    figures = report["metrics"]
    rows = [
        (name, *(f"{item[key]:.3f}" for key in ("precision", "recall", "f1")), item["count"])
        for name, item in figures["by_collection"].items()
    ]
    head = ("collection", "precision", "recall", "f1", "questions")
    return section(
        "By collection, category and language",
        table(head, rows, caption="A question counts in each collection that it is about"),
        tag(
            "div",
            *(
                _group(figures[key], key.removeprefix("by_"))
                for key in ("by_category", "by_language", "by_split")
            ),
            class_="row-of",
        ),
    )


def _group(groups: Report, called: str) -> Markup:
    rows = [
        (
            name.replace("_", " "),
            item["correct"],
            item["count"],
            item["wrong_answers"],
            item["wrong_refusals"],
        )
        for name, item in groups.items()
    ]
    head = (called, "right", "of", "wrong answers", "wrong refusals")
    return table(head, rows, caption=f"By {called}")


def _sentences(report: Report) -> Markup:
    if not (told := changes.sentences_held(report)):
        return Markup()
    rows = [
        (name.replace("_", " "), item["held"], item["count"])
        for name, item in report["metrics"]["sentences"]["by_category"].items()
    ]
    return section(
        "Whether the right sentence is quoted",
        tag("p", f"{told.capitalize()}. Right answers alone count; they stay right without it."),
        table(("category", "hold it", "of"), rows, caption="By category"),
    )


def _sweeps(report: Report) -> Markup:
    return section(
        "What other limits would do",
        tag(
            "p",
            "Tuning questions only. Each limit is set to one value in every collection while the"
            " others stay; the dashed upright line is the limit in force.",
        ),
        *charts.sweeps(report),
    )


def _calibration(report: Report) -> Markup:
    return section("Whether confidence can be believed", charts.calibration(report))


def _abstention(report: Report) -> Markup:
    return section("Abstentions by reason", charts.abstention(report))


def _latency(report: Report) -> Markup:
    return section("Latency by stage", charts.latency(report))


def _routes(report: Report) -> Markup:
    accuracy = report["metrics"]["route_accuracy"]
    return section("Routes", tag("p", f"Route accuracy {accuracy:.3f}."), charts.confusion(report))


def _gates(report: Report) -> Markup:
    rows = [
        (
            name,
            gate.replace("_", " "),
            effect["passages"],
            effect["turned_away"],
            effect["right_turned_away"],
            len(effect["questions"]),
        )
        for name, gates in report["metrics"]["gates"].items()
        for gate, effect in gates.items()
    ]
    head = ("collection", "gate", "passages", "turned away", "of them right", "in questions")
    return section(
        "What each gate does",
        tag("p", "Over every passage that a search found for a tuning question, each gate alone."),
        table(head, rows, caption="Passages by gate"),
    )


def _setting(report: Report) -> Markup:
    shown = {**report["meta"], **report["setting"]}
    rows = [
        (name.replace("_", " "), tag("code", str(value)))
        for name, value in shown.items()
        if name not in ("collections", "limits")
    ]
    rows += [(name, tag("code", str(value))) for name, value in report["setting"]["limits"].items()]
    return section("What was measured", table(("", ""), rows, caption="Setting and limits"))
