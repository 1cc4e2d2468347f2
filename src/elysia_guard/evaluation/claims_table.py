"""What code tells of labelled sentences, as tables: by label, by kind, and by language."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from elysia_guard.domain.calibration import VerifierCalibration
from elysia_guard.evaluation.claims import (
    ClaimCase,
    ClaimOutcome,
    Label,
    Rates,
    rates,
    rates_by,
    told_apart,
)

MOST_ALONE = 0.6
"""The AUC up to which the words of a sentence alone say nothing of use."""
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
        f"out: {alone}.{_unbalanced(control)}"
    )
    return "\n\n".join(
        [
            _table(HEADER, rows),
            told,
            _by("kind", outcomes, lambda case: case.kind),
            _by("source, sentence", outcomes, _langs),
        ]
    )


def calibrated(found: VerifierCalibration) -> str:
    """Write what a second opinion is worth as the section ``verifier`` of ``thresholds.yaml``."""
    told = "\n".join(f"  {key}: {json.dumps(value)}" for key, value in asdict(found).items())
    return f"for thresholds.yaml, sources left out:\nverifier:\n{told}"


def _unbalanced(control: Mapping[Label, float]) -> str:
    """Name the labels that a sentence gives away, whose rates so say less of who reads sources."""
    named = [label.value for label, value in control.items() if value > MOST_ALONE]
    if not named:
        return ""
    return (
        f" Above {MOST_ALONE:.2f}, and so not in balance: {', '.join(named)}. What the sentence "
        "gives away, a model may tell without reading its source."
    )


def _langs(case: ClaimCase) -> str:
    return f"{case.lang_source}, {case.lang_sentence}"


def _by(name: str, outcomes: Sequence[ClaimOutcome], key: Callable[[ClaimCase], str]) -> str:
    found = rates_by(outcomes, key)
    rows = [(key_, *_cells(good), *_cells(bad)) for key_, (good, bad) in found.items()]
    return _table((name, *BY[1:]), rows)


def _row(name: str, found: Rates) -> tuple[str, ...]:
    return (name, *_cells(found), f"{found.with_opinion:.3f}")


def _cells(found: Rates) -> tuple[str, ...]:
    if not found.count:
        return ("0", "", "", "")
    return (str(found.count), *(f"{each:.3f}" for each in (found.holds, found.open, found.fails)))


def beside(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write rows of cells under a header, as a table of Markdown."""
    return _table(header, rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)
