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


def filled(messages: Sequence[Mapping[str, Any]], text: str) -> str:
    """Return a decision to show a text, in the form that DSPy's chat adapter reads.

    What is no decision is answered with the text alone.
    """
    asked = _OUTPUTS.search(str(messages[0].get("content", ""))) if messages else None
    names = _FIELD.findall(asked[1]) if asked else []
    if not names:
        return text
    parts = [f"[[ ## {name} ## ]]\n{_field(name, text)}" for name in names]
    return "\n\n".join((*parts, "[[ ## completed ## ]]"))


def _field(name: str, text: str) -> str:
    decided = {
        "reasoning": "The question can be answered.",
        "message_update": "One moment.",
        "impossible": "False",
        "end_actions": "True",
        "function_name": TOOL,
        "function_inputs": json.dumps({"text": text}, ensure_ascii=False),
    }
    return decided.get(name, text)
