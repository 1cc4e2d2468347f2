"""The same sentences, said to Elysia itself: in the fields that DSPy asks a model to fill."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

TOOL = "text_response"
"""Elysia's own tool that shows a model's words."""

_OUTPUTS = re.compile(r"Your output fields are:\n(.*?)\n(?:All interactions|Your input)", re.DOTALL)
_FIELD = re.compile(r"^\d+\. `(\w+)`", re.MULTILINE)


def filled(messages: Sequence[Mapping[str, Any]], text: str, tool: str = TOOL) -> str:
    """Return a decision to show a text, in the form that DSPy's chat adapter reads.

    A decision for another ``tool`` calls that, and ends nothing. What is no decision is answered
    with the text alone.
    """
    asked = _OUTPUTS.search(str(messages[0].get("content", ""))) if messages else None
    names = _FIELD.findall(asked[1]) if asked else []
    if not names:
        return text
    parts = [f"[[ ## {name} ## ]]\n{_field(name, text, tool)}" for name in names]
    return "\n\n".join((*parts, "[[ ## completed ## ]]"))


def _field(name: str, text: str, tool: str) -> str:
    said = tool == TOOL
    decided = {
        "reasoning": "The question can be answered.",
        "message_update": "One moment.",
        "impossible": "False",
        "end_actions": str(said),
        "function_name": tool,
        "function_inputs": json.dumps({"text": text} if said else {}, ensure_ascii=False),
    }
    return decided.get(name, text)
