"""What ``elysia-guard doctor`` says of the judge: which is in force, and what its word is worth."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

_SAMPLE = Passage(
    id="doctor#0",
    document=Document(
        id="doctor", kind=DocumentKind.DOCUMENT, title="Keys", path="doctor", sha256=""
    ),
    section="",
    text="Keys are rotated every year.",
    position=0,
)
_OTHER = replace(
    _SAMPLE, id="doctor#1", text="Keys are kept in a cabinet on the first floor.", position=1
)
_FIT = "python scripts/fit_calibration.py --judge --write"


def look(wiring: Wiring) -> Check:
    """Ask the judge about two passages, as a question would: the second one answers."""
    section, bench = wiring.config.judge, wiring.bench
    if bench is None:
        text = "none is configured; the gates judge alone"
        if section.is_elysias:
            text = "the language model of Elysia's settings, on trees that have one; else the gates"
        return Check(part="judge", state=State.OK, text=text, data={"kind": section.kind})
    model = bench.judge.model_id
    worth = wiring.pipeline.thresholds.judge
    data: dict[str, object] = {
        "kind": section.kind,
        "model_id": model,
        "passages": bench.passages,
        "calibrated": worth is not None and worth.model == model,
        "asserted_from": worth.asserted_from if worth and worth.model == model else None,
    }
    started = time.perf_counter()
    try:
        asked = bench.judge("How often are keys rotated?", [_OTHER, _SAMPLE], lang="en")
        beside, answering = run_anywhere(asked)
    except SourceUnavailableError as err:
        text = f"{model}: {err}; the gates judge alone until it answers"
        return Check(part="judge", state=State.ERROR, text=text, data=data)
    if beside.chance >= answering.chance:
        text = f"{model}: of two passages it does not prefer the one that answers; is it the model?"
        return Check(part="judge", state=State.ERROR, text=text, data=data)
    data["answered_ms"] = elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
    return Check(
        part="judge",
        state=State.OK,
        text=f"{model}, {bench.passages} passages a question; answers in {elapsed_ms:.0f} ms; "
        f"{_worth(worth, model)}",
        data=data,
    )


def _worth(found: JudgeCalibration | None, model: str) -> str:
    if found is None:
        return f"not calibrated, so it may order and lower, and raise nothing: {_FIT}"
    if found.model != model:
        return f"the calibration is of {found.model}, so it may raise nothing: {_FIT}"
    if found.asserted_from is None:
        return "calibrated; nothing is asserted for it, for it was not right often enough"
    share = f"{found.ceiling:.3f} of what it says was right"
    return f"calibrated; asserts from {found.asserted_from:.2f} on, where {share}"
