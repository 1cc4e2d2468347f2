"""How much anybody may send, and of what kind; what goes beyond is refused before it is read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request
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


LONGEST_ID = 255
LONGEST_PATH = 2_048
DEEPEST = 32
IDS = frozenset({"user_id", "conversation_id", "query_id", "request_id", "config_id", "uuid"})
NAMES = IDS | {"collection_name", "document_id", "tool_name", "branch_id", "id", "name"}
MOST = {"page_size": 500, "page_number": 1_000_000}


@dataclass(frozen=True, kw_only=True)
class Refusal(Exception):  # noqa: N818  it is what is answered
    """What was sent is not accepted, with the status that says so."""

    status: int
    why: str


def check_address(path: str, query: bytes) -> None:
    """Hold the address of a request against its bound.

    Raises:
        Refusal: it is too long, or holds signs that no address of ours does.
    """
    if len(path) > LONGEST_PATH or len(query) > LONGEST_PATH:
        raise Refusal(status=414, why=f"The address is longer than {LONGEST_PATH} characters.")
    if not path.isprintable():
        raise Refusal(status=400, why="The address holds signs that cannot be printed.")


async def body_of(request: Request, limit: int, within_s: float) -> bytes:
    """Read a body, no further than its bound in bytes, and no longer than ``within_s`` seconds.

    Raises:
        Refusal: it is too large, or does not arrive.
    """
    announced = request.headers.get("content-length", "0")
    too_large = Refusal(status=413, why=f"The body has more than {limit} bytes.")
    if not announced.isdecimal() or int(announced[:20]) > limit:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(within_s):
            async for part in request.stream():
                body += part
                if len(body) > limit:
                    raise too_large
    except TimeoutError as err:
        raise Refusal(status=408, why="The body did not arrive in time.") from err
    except ClientDisconnect as err:
        raise Refusal(status=400, why="The body did not arrive.") from err
    return bytes(body)


def read_json(text: bytes | str) -> Any:
    """Return what a JSON text says, if it is strict, not too deep, and its ids are no essays.

    Raises:
        Refusal: it is not; 400 for what is no JSON, 422 for what it says.
    """
    try:
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as err:
        raise Refusal(status=400, why="What was sent is not JSON that is understood here.") from err
    for name, value in _entries(found):
        check_entry(name, value)
    return found


def check_entry(name: str, value: object) -> None:
    """Hold an id or a number against its bound.

    Raises:
        Refusal: it is beyond it.
    """
    if name in IDS and not isinstance(value, str | None):
        raise Refusal(status=422, why=f"'{name}' must be a text.")
    if name in NAMES and isinstance(value, str) and not _is_short_line(value):
        why = f"'{name}' must have at most {LONGEST_ID} characters that can be printed."
        raise Refusal(status=422, why=why)
    if (most := MOST.get(name)) and isinstance(value, int | float) and not 0 <= value <= most:
        raise Refusal(status=422, why=f"'{name}' must lie between 0 and {most}.")


def _entries(found: Any) -> Iterator[tuple[str, Any]]:
    """The named values of a JSON value, level by level."""
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        pairs = [pair for item in level if isinstance(item, Mapping) for pair in item.items()]
        yield from pairs
        lists = [inner for item in level if isinstance(item, list) for inner in item]
        level = [value for _, value in pairs] + lists
        level = [item for item in level if isinstance(item, Mapping | list)]
        if not level:
            return
    raise Refusal(status=422, why=f"What was sent is nested more than {DEEPEST} levels deep.")


def _is_short_line(text: str) -> bool:
    # Half a surrogate pair is not printable either.
    return len(text) <= LONGEST_ID and text.isprintable()


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
