"""Which language model is used, and for what: one line, at the terminal and in the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elysia_guard.wiring.models import caller_of

if TYPE_CHECKING:
    from elysia_guard.adapters.models import Trouble
    from elysia_guard.wiring import Wiring

ASKED = "plans what is searched and points at what answers (two calls, some 5,000 tokens)"
NONE = "No language model is used: the rules answer."
_KEPT_BY = {
    "unfit": "failed its control questions, so it is not believed: the rules answer.",
    "rests": "failed, and is left alone for a while: until it is asked again the rules answer.",
}


def model_told(wiring: Wiring) -> str:
    """Say which model the settings use, for what, and what it costs: it reads the documents."""
    if guidance := wiring.guidance:
        model = guidance.guide.model_id.partition("@")[0]
        return of_model(wiring, model, caller_of(wiring.config, wiring.models).trouble)
    if wiring.config.points_with_elysia:
        return of_model(wiring, "The base model of Elysia's settings", or_else="; without one")
    return NONE


def of_model(
    wiring: Wiring, model: str, trouble: Trouble | None = None, *, or_else: str = ""
) -> str:
    """Say for what a model is used, or why it is not."""
    if wiring.config.llm.mode == "instant":
        return f"{model} is not asked (llm.mode: instant): the rules answer."
    if trouble:
        return f"{model} {_KEPT_BY[trouble]}"
    return f"{model} {ASKED}{or_else and f'{or_else} the rules answer'}."
