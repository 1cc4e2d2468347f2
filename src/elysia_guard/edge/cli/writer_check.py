"""What ``elysia-guard doctor`` says of the writer: which is in force, and whether it writes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from elysia_guard.domain.claim import Told
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.language.verbatim import as_written
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

_SAMPLE = "Keys are rotated every twelve months by the security team."


def look(wiring: Wiring) -> Check:
    """Have the writer answer from one source, as a question would, and find the words it names."""
    section, desk = wiring.config.writer, wiring.desk
    if desk is None:
        text = "none is configured; answers are quotes"
        if wiring.config.writes_with_elysia:
            text = (
                f"the language model of Elysia's settings, mode {section.mode}, on trees that "
                "have one; else answers are quotes"
            )
        return Check(part="writer", state=State.OK, text=text, data={"kind": section.kind})
    model = desk.writer.model_id
    data: dict[str, object] = {"kind": section.kind, "model_id": model, "mode": str(desk.mode)}
    told = Told(text=_SAMPLE, title="Keys")
    started = time.perf_counter()
    try:
        found = run_anywhere(desk.writer("How often are keys rotated?", [told], lang="en"))
    except SourceUnavailableError as err:
        text = f"{model}: {err}; answers are quotes until it writes"
        return Check(part="writer", state=State.ERROR, text=text, data=data)
    named = [each for claim in found.claims for each in claim.supports]
    if not any(each.source == 1 and as_written(each.words, _SAMPLE) for each in named):
        text = f"{model}: it names no words of its source, so nothing it writes would be shown"
        return Check(part="writer", state=State.ERROR, text=text, data=data)
    data["answered_ms"] = elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
    text = f"{model}, mode {desk.mode}; writes in {elapsed_ms:.0f} ms and names its words"
    return Check(part="writer", state=State.OK, text=text, data=data)
