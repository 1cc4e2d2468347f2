"""What code tells of labelled sentences, as tables: by label, by kind, and by language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from elysia_guard.evaluation.claims import (
    ClaimCase,
    ClaimOutcome,
    Label,
    Rates,
    rates,
    rates_by,
    told_apart,
)

HEADER = ("sentences", "count", "hold", "open", "fail", "shown with a second opinion")
BY = ("", "supported", "hold", "open", "fail", "others", "hold", "open", "fail")


def markdown(outcomes: Sequence[ClaimOutcome], control: Mapping[Label, float]) -> str:
    """Write what became of the sentences, and what they alone tell, as tables."""
    labels = [(label, [each for each in outcomes if each.case.label is label]) for label in Label]
    bad = [each for each in outcomes if not each.case.supported]
    rows = [_row(label.value, rates(found)) for label, found in labels if found]
    rows.append(_row("all that are not supported", rates(bad)))
    alone = ", ".join(f"{label.value} {value:.2f}" for label, value in control.items())
    told = (
        f"AUC {told_apart(outcomes):.2f}; of the words of the sentence alone, on sources left "
        f"out: {alone}."
    )
    return "\n\n".join(
        [
            _table(HEADER, rows),
            told,
            _beside("kind", outcomes, lambda case: case.kind),
            _beside("source, sentence", outcomes, _langs),
        ]
    )


def _langs(case: ClaimCase) -> str:
    return f"{case.lang_source}, {case.lang_sentence}"


def _beside(name: str, outcomes: Sequence[ClaimOutcome], key: Callable[[ClaimCase], str]) -> str:
    found = rates_by(outcomes, key)
    rows = [(key_, *_cells(good), *_cells(bad)) for key_, (good, bad) in found.items()]
    return _table((name, *BY[1:]), rows)


def _row(name: str, found: Rates) -> tuple[str, ...]:
    return (name, *_cells(found), f"{found.with_opinion:.3f}")


def _cells(found: Rates) -> tuple[str, ...]:
    if not found.count:
        return ("0", "", "", "")
    return (str(found.count), *(f"{each:.3f}" for each in (found.holds, found.open, found.fails)))


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)
