"""A reply as server-sent events: what it begins with as it is proved, and last the whole."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import asdict

from fastapi.responses import StreamingResponse

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.shown import Shown

EVENTS = "text/event-stream"
SHOWN, REPLY, ERROR = "shown", "reply", "error"
"""The names of the events."""
UNANSWERED = (
    "The question could not be answered: a part of the server cannot be had; its log says which."
)
_AS_IT_COMES = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""What lies between is not to gather events before it passes them on."""

logger = logging.getLogger(__name__)

Told = AsyncGenerator[Shown | RAGResponse, None]


def wants_events(accept: str) -> bool:
    """Tell whether a client asks for events, by its ``Accept``.

    >>> [wants_events(text) for text in ("text/event-stream", "application/json", "*/*")]
    [True, False, False]
    """
    return any(kind.split(";")[0].strip().lower() == EVENTS for kind in accept.split(","))


async def streamed(told: Told) -> StreamingResponse:
    """Return what is told as events; what is wrong before the first of them is raised.

    Raises:
        GuardError: the question cannot be asked, or a part cannot be had.
    """
    first = await anext(told)
    return StreamingResponse(_events(first, told), media_type=EVENTS, headers=_AS_IT_COMES)


async def _events(first: Shown | RAGResponse, told: Told) -> AsyncIterator[str]:
    async with aclosing(told):
        yield _event_of(first)
        try:
            async for each in told:
                yield _event_of(each)
        except GuardError as err:
            logger.warning("a question could not be answered: %s", err)
            yield _event(ERROR, {"error": UNANSWERED})


def _event_of(told: Shown | RAGResponse) -> str:
    if isinstance(told, RAGResponse):
        return _event(REPLY, told.to_dict())
    return _event(SHOWN, asdict(told))


def _event(name: str, data: Mapping[str, object]) -> str:
    # In ASCII: some readers of lines take other characters for the end of one.
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
