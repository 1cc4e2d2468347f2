"""What a sweep of the rankings' weights found: as plain values, and for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from elysia_guard.domain.search_weights import SearchWeights
from elysia_guard.evaluation.alpha_sweep import Drawn, Figures, Swept
from elysia_guard.evaluation.tuning_table import arrow, columns

Report = dict[str, Any]
KEYS = {"alpha": "alpha", "title": "title_weight", "section": "section_weight"}
"""What each weight is called in ``thresholds.yaml``."""
FLAT = "flat: nothing to gain"
WIDTH = 40


def values(old: SearchWeights, new: SearchWeights) -> dict[str, object]:
    """Return the keys of a section that have to be written for new weights, and no more."""
    return {
        key: getattr(new, name)
        for name, key in KEYS.items()
        if getattr(new, name) != getattr(old, name)
    }


def build(
    swept: Sequence[Swept],
    drawn: Drawn,
    *,
    asked: Mapping[str, int],
    before: Figures,
    after: Figures,
    unnamed: Sequence[str] = (),
) -> Report:
    """Put the figures together.

    Args:
        swept: what was found, collection by collection.
        drawn: how the choice was judged.
        asked: how many questions there are, by the name of their set.
        before: all questions by the weights in force.
        after: all questions by what is proposed.
        unnamed: collections without a section of their own, which are left as they are.
    """
    return {
        "questions": dict(asked),
        "searched": before.questions,
        **asdict(drawn),
        "before": asdict(before),
        "after": asdict(after),
        "unnamed": list(unnamed),
        "changed": any(not item.flat for item in swept),
        "sections": [
            {
                **asdict(item),
                "flat": item.flat,
                "values": values(item.in_force, item.proposed),
            }
            for item in swept
        ],
    }


def render(report: Report) -> str:
    """Return the tables and pictures, and what is proposed."""
    parts = [_opening(report)]
    for section in report["sections"]:
        parts += [_table(section), _picture(section), _verdict(section)]
    parts.append(_closing(report))
    return "\n\n".join("\n".join(part) for part in parts)


def _opening(report: Report) -> Iterator[str]:
    sets = " and ".join(f"{number} {name}" for name, number in report["questions"].items())
    yield f"{sets} questions of the tuning half; {report['searched']} that documents answer go to a"
    yield f"search. {report['folds']} folds, seed {report['seed']}. Each search is made once, and"
    yield "its rankings are fused anew: by words, by passage, by sentence."


def _table(section: Report) -> Iterator[str]:
    now = section["in_force"]
    own = section["along"][0]["own"]["questions"]
    rows: list[tuple[str, ...]] = [("", "recall@1", "recall@5", "MRR", "MRR of all", "")]
    rows += (
        (_named(item["weights"], now), *_figures(item), _mark(item, section))
        for item in section["along"]
    )
    yield f"{section['section']}: {own} questions that it answers; one weight changed at a time"
    yield from columns(list(dict.fromkeys(rows)))


def _named(weights: Report, now: Report) -> str:
    changed = [f"{KEYS[name]} {weights[name]:.1f}" for name in KEYS if weights[name] != now[name]]
    return changed[0] if changed else "in force: " + _told(now)


def _told(weights: Report) -> str:
    return ", ".join(f"{KEYS[name]} {weights[name]:.1f}" for name in KEYS)


def _figures(item: Report) -> tuple[str, ...]:
    own = item["own"]
    shares = (own["at_1"], own["at_5"], own["mrr"], item["every"]["mrr"])
    return tuple(f"{share:.3f}" for share in shares)


def _mark(item: Report, section: Report) -> str:
    if item["weights"] == section["in_force"]:
        return "<- in force"
    return "<- best" if item["weights"] == section["best"] else ""


def _picture(section: Report) -> Iterator[str]:
    """Draw the mean 1 / rank of all over alpha, from 0 to 1, so that what is flat looks flat."""
    now = section["in_force"]
    drawn: dict[float, float] = {}
    for item in section["along"]:
        weights = item["weights"]
        if all(weights[name] == now[name] for name in KEYS if name != "alpha"):
            drawn[weights["alpha"]] = item["every"]["mrr"]
    yield "  alpha: MRR of all questions, from 0 to 1"
    for alpha, mrr in sorted(drawn.items()):
        bar = "#" * round(WIDTH * mrr)
        mark = " <- in force" if alpha == now["alpha"] else ""
        yield f"  {alpha:.1f} |{bar.ljust(WIDTH)}| {mrr:.3f}{mark}"


def _verdict(section: Report) -> Iterator[str]:
    yield f"  Looks best: {_told(section['best'])} ({section['apparent']:+.3f} in MRR of all)."
    yield (
        f"  Chosen without each fold and judged on it: {section['gain']:+.3f}, in 95 of 100 draws"
        f" from {section['low']:+.3f} to {section['high']:+.3f}."
    )
    yield f"  {FLAT}." if section["flat"] else f"  Proposed: {_changes(section)}."


def _changes(section: Report) -> str:
    now, best = section["in_force"], section["best"]
    return ", ".join(
        f"{KEYS[name]} {arrow(f'{now[name]:.2f}', f'{best[name]:.2f}')}"
        for name in KEYS
        if now[name] != best[name]
    )


def _closing(report: Report) -> Iterator[str]:
    if report["unnamed"]:
        names = ", ".join(report["unnamed"])
        yield f"Not swept, since thresholds.yaml has no section for it: {names}"
    if not report["changed"]:
        yield "Proposal: leave everything as it is."
        return
    told = [
        f"{name} {arrow(*(format(report[side][key], '.3f') for side in ('before', 'after')))}"
        for name, key in (("recall@1", "at_1"), ("recall@5", "at_5"), ("MRR", "mrr"))
    ]
    yield f"Proposal: {', '.join(told)}."
