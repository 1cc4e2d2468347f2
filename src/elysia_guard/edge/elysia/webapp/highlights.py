"""``/util/ner``: which words of a text are names and nouns.

Elysia parses whatever comes, on the loop that all conversations share.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

# The one of the websocket's, which is bounded by the longest question.
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager

from elysia.api.dependencies import common  # isort: skip
from elysia.api.routes import query  # isort: skip

router = APIRouter()
_one_at_a_time = asyncio.Semaphore(1)


class Text(BaseModel):
    """A text to look through."""

    text: Annotated[str, Field(max_length=100_000)]


@router.post("/util/ner")
async def highlights(text: Text) -> JSONResponse:
    """Where names and nouns stand in a text as long as a question may be; 413 for a longer one."""
    users: GuardedUserManager = common.get_user_manager()
    most = users.wiring.config.max_question_chars
    if len(text.text) > most:
        return JSONResponse({"error": f"The text has more than {most} characters."}, 413)
    async with _one_at_a_time:
        found: dict[str, Any] = await asyncio.to_thread(query.named_entity_recognition, text.text)
    return JSONResponse(found)
