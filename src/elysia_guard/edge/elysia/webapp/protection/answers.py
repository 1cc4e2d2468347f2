"""Saying no: as JSON over HTTP, as a close code on a websocket."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.types import Scope, Send

POLICY_VIOLATION = 1008


async def refuse(
    scope: Scope, send: Send, status: int, why: str, headers: Mapping[str, str] | None = None
) -> None:
    """Answer an HTTP request with a status and a reason; do not accept a websocket."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why[:120]})
        return
    body = json.dumps({"error": why}).encode()
    fields = {
        "content-type": "application/json",
        "cache-control": "no-store",
        "content-length": str(len(body)),
        **(headers or {}),
    }
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
