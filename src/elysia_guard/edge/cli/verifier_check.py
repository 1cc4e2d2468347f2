"""What ``elysia-guard doctor`` says of the second opinion: which is in force, and from where on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from elysia_guard.domain.calibration import VerifierCalibration
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

_WORDS = "Keys are rotated every twelve months by the security team."
_SAID, _OTHER = "The security team rotates keys every twelve months.", "Doors are painted green."
_MEASURE = "make claims measures it"


def look(wiring: Wiring) -> Check:
    """Ask it about two sentences, of which the words of a source say the first alone."""
    section, verifier = wiring.config.verifier, wiring.verifier
    if verifier is None:
        text = "none is configured; what code cannot prove is not shown"
        return Check(part="verifier", state=State.OK, text=text, data={"kind": section.kind})
    model = verifier.model_id
    worth = wiring.unwritten.thresholds.verifier
    from_ = wiring.unwritten.thresholds.supported_from(model, wiring.config.writer.supported_from)
    data: dict[str, object] = {
        "kind": section.kind,
        "model_id": model,
        "supported_from": from_,
        "calibrated": worth is not None and worth.model == model,
    }
    started = time.perf_counter()
    try:
        asked = verifier([(_SAID, _WORDS), (_OTHER, _WORDS)], lang="en")
        said, other = run_anywhere(asked)
    except SourceUnavailableError as err:
        text = f"{model}: {err}; what code cannot prove is not shown until it answers"
        return Check(part="verifier", state=State.ERROR, text=text, data=data)
    if other >= said:
        text = f"{model}: of two sentences it does not prefer the one that the words say"
        return Check(part="verifier", state=State.ERROR, text=text, data=data)
    data["answered_ms"] = elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
    text = f"{model}; answers in {elapsed_ms:.0f} ms; {_worth(worth, model, from_)}"
    if not _is_writer(wiring):
        text += "; nobody writes, so it is not asked"
    return Check(part="verifier", state=State.OK, text=text, data=data)


def _is_writer(wiring: Wiring) -> bool:
    return wiring.config.writer.kind != "none"


def _worth(found: VerifierCalibration | None, model: str, limit: float | None) -> str:
    by_hand = f"shows from {limit} on, which is writer.supported_from and measured for no model"
    if found is None:
        return f"not calibrated: {by_hand}; {_MEASURE}"
    if found.model != model:
        return f"the calibration is of {found.model}: {by_hand}; {_MEASURE}"
    if limit is None:
        return (
            f"calibrated on {found.sentences} sentences, and not asked: there is no chance from "
            "which it was right often enough"
        )
    return (
        f"shows from {limit:.2f} on; of {found.sentences} sentences left out, {found.kept:.3f} of "
        f"the supported were shown then, and {found.shown:.3f} of the others"
    )
