"""What the messages to a model ask of it: to write, to take a question apart, or to check."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from elysia_guard.evaluation.adversaries.told import Source, sources_of


def asked(messages: Sequence[Mapping[str, Any]]) -> tuple[str, tuple[Source, ...], int]:
    """Return what the messages ask, from which sources, and how often it was asked before."""
    found: dict[str, Any] = {}
    for message in messages:
        text = str(message.get("content", ""))
        for at in (at for at, sign in enumerate(text) if sign == "{"):
            with contextlib.suppress(json.JSONDecodeError, RecursionError):
                said = json.JSONDecoder().raw_decode(text[at:])[0]
                if "question" in said and "sources" in said:
                    found = said
                    break
    turn = bool(found.get("failed")) + sum(item.get("role") == "assistant" for item in messages)
    return str(found.get("question", "")), sources_of(found.get("sources", ())), turn


def looked_at(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return what is said to a plan or a check that is asked for; nothing where neither is.

    A plan has no searches of its own, and whatever is to be checked is vouched for, invented too.
    """
    try:
        data = json.loads(str(messages[-1].get("content", ""))) if messages else None
    except (json.JSONDecodeError, RecursionError):
        return ""
    match data:
        case {"sentences": [*rows]}:
            checks = [
                {"id": row["id"], "supported": True, "confidence": 0.95}
                for row in rows
                if isinstance(row, Mapping) and "id" in row
            ]
            return json.dumps({"checks": checks})
        case {"question": _, **rest} if not rest:
            return json.dumps({"searches": []})
        case _:
            return ""
