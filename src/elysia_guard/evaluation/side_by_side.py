"""The policy profiles beside each other on one golden set: what each design document comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from elysia_guard.domain.profiles import PROFILES, Profile, ProfileName
from elysia_guard.evaluation.markdown import fenced
from elysia_guard.evaluation.metrics import ANSWER
from elysia_guard.evaluation.report import Report

WIDTH = 22
STATED = (
    "Each profile has the limits of its document, set for another embedding model than {model}: on"
    " this one they may turn away what answers. --profile-limits measured compares the rules alone."
)
MEASURED = (
    "Each profile has the rules of its document, and the limits that were measured for {model}."
)


def build(reports: Mapping[ProfileName, Report]) -> Report:
    """Put the figures of one golden set beside each other, with what each profile leaves out."""
    first = next(iter(reports.values()))
    measured = any(report["setting"]["profile"] != name for name, report in reports.items())
    return {
        "meta": {name: value for name, value in first["meta"].items() if name in _SHARED},
        "setting": {name: value for name, value in first["setting"].items() if name not in _OWN},
        "note": (MEASURED if measured else STATED).format(model=first["setting"]["model_id"]),
        "profiles": {
            str(name): {**_described(PROFILES[name]), **_figures(report)}
            for name, report in reports.items()
        },
    }


_OWN = ("limits", "profile")
_SHARED = ("timestamp", "config_hash", "golden_set_hash", "golden_set_version", "total_queries")


def _described(profile: Profile) -> Report:
    return {
        "document": profile.document,
        "rule": profile.rule,
        "without": list(profile.without),
        "beyond": list(profile.beyond),
    }


def _figures(report: Report) -> Report:
    meta, figures = report["meta"], report["metrics"]
    reasons: Counter[str] = Counter()
    for came in figures["outcomes"].values():
        reasons.update({reason: count for reason, count in came.items() if reason != ANSWER})
    return {
        "right": meta["pass_count"],
        "could_not_run": meta["could_not_run_count"],
        "precision": figures["overall"]["precision"],
        "recall": figures["overall"]["recall"],
        "f1": figures["overall"]["f1"],
        **figures["answers"],
        "abstentions": dict(sorted(reasons.items())),
        "p50_ms": figures["latency"]["p50_ms"],
        "limits": report["setting"]["limits"],
    }


Cell = Callable[[Report], str]
COLUMNS: tuple[tuple[str, Cell], ...] = (
    ("right", lambda item: str(item["right"])),
    ("precision", lambda item: f"{item['precision']:.3f}"),
    ("recall", lambda item: f"{item['recall']:.3f}"),
    ("wrong answers", lambda item: str(item["wrong_answers"])),
    ("wrong refusals", lambda item: str(item["wrong_refusals"])),
    ("could not run", lambda item: str(item["could_not_run"])),
)


def render(found: Report) -> str:
    """Write the comparison for a terminal."""
    lines = (_head(found), "", *_figures_table(found), "", *_reasons_table(found), "")
    return "\n".join((*lines, *_left_out(found), found["note"]))


def render_markdown(found: Report) -> str:
    """Write the comparison for a pull request."""
    return f"## Policy profiles side by side\n\n{fenced(render(found))}\n"


def _head(found: Report) -> str:
    meta, setting = found["meta"], found["setting"]
    return (
        f"golden set {meta['golden_set_version']} ({meta['golden_set_hash'][:12]})"
        f", split {setting['split']} · {meta['total_queries']} cases · route {setting['route']}"
        f" · store {setting['store']} · model {setting['model_id']}"
    )


def _figures_table(found: Report) -> Iterator[str]:
    titles = [title for title, _ in COLUMNS]
    yield _row("profile", titles, titles)
    for name, item in found["profiles"].items():
        yield _row(name, [cell(item) for _, cell in COLUMNS], titles)


def _reasons_table(found: Report) -> Iterator[str]:
    profiles = found["profiles"]
    yield _row("abstained for", list(profiles), list(profiles))
    for reason in _reasons(found):
        counts = [str(item["abstentions"].get(reason, 0)) for item in profiles.values()]
        yield _row(reason, counts, list(profiles))


def _row(name: str, cells: Sequence[str], titles: Sequence[str]) -> str:
    aligned = (f"{cell:>{len(title)}}" for cell, title in zip(cells, titles, strict=True))
    return f"{name:{WIDTH}} {'  '.join(aligned)}"


def _reasons(found: Report) -> list[str]:
    """Name the reasons that any profile gave, those that differ first."""
    given = [item["abstentions"] for item in found["profiles"].values()]
    names = sorted({name for counts in given for name in counts})
    return sorted(names, key=lambda name: len({counts.get(name, 0) for counts in given}) == 1)


def _left_out(found: Report) -> Iterator[str]:
    for name, item in found["profiles"].items():
        yield f"{name} ({item['document']}): {item['rule']}"
        for text in item["without"]:
            yield f"  without: {text}"
        for text in item["beyond"]:
            yield f"  beyond:  {text}"
        yield ""
