"""What people say of replies in the chat, kept in the decision log."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from elysia_guard.adapters.decision_log import (
    DecisionLogError,
    DecisionWriter,
    Feedback,
    Judgement,
)
from elysia_guard.adapters.decision_log.errors import JudgementError
from elysia_guard.adapters.decision_log.writer import utc_now

NO_LOG = "No decision log is kept."
FLUSH_S = 2.0
"""How long to wait until the reply that is judged is written."""


class Said(BaseModel):
    """A judgement of one reply; ``request_id`` is the page's query id."""

    model_config = ConfigDict(extra="forbid")

    request_id: Annotated[str, Field(min_length=1, max_length=255)]
    judgement: Judgement
    note: Annotated[str, Field(max_length=2_000)] = ""


async def keep(writer: DecisionWriter | None, said: Said) -> JSONResponse:
    """Keep a judgement; the answer says what was wrong with it."""
    if writer is None:
        return _answer(NO_LOG, HTTPStatus.NOT_FOUND)
    given = Feedback(judgement=said.judgement, given_at=utc_now(), note=said.note)
    try:
        await asyncio.to_thread(_judge, writer, said.request_id, given)
    except JudgementError as err:
        return _answer(str(err), HTTPStatus.CONFLICT)
    except DecisionLogError:
        # Its message names a file or a server: that is for operators.
        return _answer("There is no such request in the decision log.", HTTPStatus.NOT_FOUND)
    return _answer("")


async def keep_thumb(writer: DecisionWriter, request_id: str, thumb: int) -> bool:
    """Keep a thumb of Elysia's page: down on a refusal says that it should have been answered.

    False: the reply is not in the log, or the log cannot be had.
    """
    try:
        await asyncio.to_thread(_judge_by_thumb, writer, request_id, up=thumb > 0)
    except DecisionLogError:
        return False
    return True


async def take_back(writer: DecisionWriter, request_id: str) -> bool:
    """Forget what was said of a reply; False as for ``keep_thumb``."""
    try:
        await asyncio.to_thread(writer.log.unjudge, request_id)
    except DecisionLogError:
        return False
    return True


def _judge(writer: DecisionWriter, request_id: str, given: Feedback) -> None:
    writer.flush(FLUSH_S)
    writer.log.judge(request_id, given)


def _judge_by_thumb(writer: DecisionWriter, request_id: str, *, up: bool) -> None:
    writer.flush(FLUSH_S)
    entry = writer.log.find(request_id)
    if entry is None:
        raise DecisionLogError(f"no entry for request '{request_id}'")
    down = Judgement.WRONG
    if not down.fits(entry.ruling.outcome):
        down = Judgement.SHOULD_HAVE_BEEN_ANSWERED
    given = Feedback(judgement=Judgement.RIGHT if up else down, given_at=utc_now())
    writer.log.judge(request_id, given)


def _answer(error: str, status: HTTPStatus = HTTPStatus.OK) -> JSONResponse:
    return JSONResponse({"error": error}, status_code=status)
