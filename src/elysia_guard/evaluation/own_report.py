"""The three outcomes over documents of one's own, by category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation.metrics import percentile
from elysia_guard.evaluation.own_run import Asked

ALL = "all"
Report = dict[str, Any]


def report(asked: Sequence[Asked], *, not_asked: int = 0) -> Report:
    """Put the figures together: of all questions, and of each category.

    ``recall@1`` and ``recall@5`` are shares of the answerable questions with a right document among
    the first found; ``shown`` of those whose reply holds a sentence that answers. ``asserted`` and
    ``hedged`` are counts of replies, near misses too; ``right`` of those from a right document, and
    of these ``asserted_shown`` and ``hedged_shown`` hold a sentence that answers too.
    A share of nothing is None.
    """
    categories = sorted({item.question.category for item in asked})
    return {
        "not_asked": not_asked,
        "by_category": {
            name: figures([item for item in asked if item.question.category == name])
            for name in categories
        },
        ALL: figures(asked),
    }


def figures(asked: Sequence[Asked]) -> Report:
    """Count some questions together."""
    answerable = [item for item in asked if item.question.answerable]
    near = [item for item in asked if not item.question.answerable]
    asserted = _of(asked, ReplyOutcome.ASSERTED)
    hedged = _of(asked, ReplyOutcome.HEDGED)
    shown = sum(item.shown for item in answerable)
    times = sorted(item.elapsed_ms for item in asked) or [0.0]
    return {
        "answerable": len(answerable),
        "near_misses": len(near),
        "recall@1": _share(sum(item.among(1) for item in answerable), len(answerable)),
        "recall@5": _share(sum(item.among(5) for item in answerable), len(answerable)),
        "shown": shown,
        "shown_share": _share(shown, len(answerable)),
        "asserted": len(asserted),
        "asserted_right": sum(item.right for item in asserted),
        "asserted_precision": _share(sum(item.right for item in asserted), len(asserted)),
        "asserted_shown": sum(item.shown for item in asserted),
        "hedged": len(hedged),
        "hedged_right": sum(item.right for item in hedged),
        "hedged_shown": sum(item.shown for item in hedged),
        "near_misses_asserted": len(_of(near, ReplyOutcome.ASSERTED)),
        "near_misses_hedged": len(_of(near, ReplyOutcome.HEDGED)),
        "silent": sum(item.silent for item in asked),
        "p50_ms": round(percentile(times, 0.5), 1),
    }


def _of(asked: Sequence[Asked], outcome: ReplyOutcome) -> list[Asked]:
    return [item for item in asked if item.outcome is outcome]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


COLUMNS = (
    ("answerable", "answerable"),
    ("recall@1", "recall@1"),
    ("recall@5", "recall@5"),
    ("shown", "shown_share"),
    ("asserted", "asserted"),
    ("precision", "asserted_precision"),
    ("with sentence", "asserted_shown"),
    ("hedged", "hedged"),
    ("right", "hedged_right"),
    ("with sentence", "hedged_shown"),
    ("near misses", "near_misses"),
    ("asserted", "near_misses_asserted"),
    ("hedged", "near_misses_hedged"),
)


def render(found: Report) -> str:
    """Write the figures as a table, a row for each category."""
    named = {**found["by_category"], ALL: found[ALL]}
    rows = [[name, *(_cell(item[key]) for _, key in COLUMNS)] for name, item in named.items()]
    rows.insert(0, ["", *(name for name, _ in COLUMNS)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    lost = f"; {found['not_asked']} could not be asked" if found["not_asked"] else ""
    return "\n".join([*lines, f"half of them within {found[ALL]['p50_ms']:.0f} ms{lost}"])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = row
    cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
    return "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def misses(asked: Sequence[Asked]) -> Iterator[str]:
    """Tell every answerable question that was not shown its sentence, and every wrong assertion."""
    for item in asked:
        question, response = item.question, item.response
        wrong = item.outcome is ReplyOutcome.ASSERTED and not item.right
        if not wrong and (item.shown or not question.answerable):
            continue
        places = (at for at, path in enumerate(item.found, 1) if question.is_answered_by(path))
        place = next(places, None)
        reason = f" ({response.refusal_reason})" if response.refusal_reason else ""
        yield (
            f"{question.id} [{question.category}] {item.outcome}{reason}: {question.query}\n"
            f"    answers: {', '.join(question.documents) or 'nothing'};"
            f" found as {place or 'none'}\n"
            f"    cited:   {', '.join(source.location for source in response.sources) or 'nothing'}"
        )
