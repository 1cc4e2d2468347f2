"""The JSON schema of a response: what ``RAGResponse.to_dict`` and ``ask --json`` give."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from elysia_guard.domain.response import RAGResponse, ReplyOutcome

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def response_schema() -> dict[str, Any]:
    """Return the schema; every field is always there, and later versions may add others.

    >>> response_schema()["properties"]["refused"]["type"]
    'boolean'
    """
    made = TypeAdapter(RAGResponse).json_schema(mode="serialization")
    made["properties"] |= {
        "outcome": {"enum": [item.value for item in ReplyOutcome], "type": "string"},
        "fallback_mode": {"type": "boolean"},
    }
    for part in (made, *made["$defs"].values()):
        if "properties" in part:
            part["required"] = sorted(part["properties"])
    return {"$schema": DIALECT, **_told(made)}


def _told(part: Any) -> Any:
    """Leave out what pydantic adds for its own: titles made of names, and defaults."""
    if isinstance(part, list):
        return [_told(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: {name: _told(item) for name, item in value.items()}
        if key in {"properties", "$defs"}
        else _told(value)
        for key, value in part.items()
        if key not in {"title", "default"}
    }
