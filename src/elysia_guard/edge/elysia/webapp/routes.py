"""The few routes that answer in place of Elysia's, where no method of a manager can.

Elysia's own decide inside the route, and without a Weaviate end in an error or in nothing.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.webapp import judgements, thumbs
from elysia_guard.edge.elysia.webapp.keeping import KeepingUserManager
from elysia_guard.edge.elysia.webapp.protection.nearby import has_own_conversations

# After managers, which makes the import of Elysia need no network.
import elysia.api  # isort: skip
from elysia.api.api_types import (  # isort: skip
    AddFeedbackData,
    RemoveFeedbackData,
    SaveConfigUserData,
)
from elysia.api.dependencies import common  # isort: skip
from elysia.api.routes import db, user_config  # isort: skip

router = APIRouter()

FRESH = {"Cache-Control": "no-cache"}
MAX_TITLE_CHARS = 200


class NewTitle(BaseModel):
    """What a conversation is to be called."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]


def _users() -> KeepingUserManager:
    users: KeepingUserManager = common.get_user_manager()
    return users


@router.get("/icon.svg")
async def icon() -> FileResponse:
    """The icon, which the page looks for at the root."""
    return FileResponse(Path(str(elysia.api.__file__)).parent / "static" / "icon.svg")


@router.post("/user/config/{user_id}/new")
async def new_settings(user_id: str) -> Response:
    """Settings to begin with: Elysia's own."""
    found: Response = await user_config.new_user_config(user_id, _users())
    return found


@router.post("/user/config/{user_id}/{config_id}")
async def save_settings(user_id: str, config_id: str, data: SaveConfigUserData) -> Response:
    """Save settings as Elysia does, and say what of them ends with the server."""
    users = _users()
    found = await user_config.save_config_user(user_id, config_id, data, users)
    said = json.loads(bytes(found.body))
    if said.get("error") or not data.default:
        return JSONResponse(said)
    return JSONResponse({**said, "warnings": [*said["warnings"], *users.remarks(user_id)]})


@router.get("/db/{user_id}/saved_trees")
async def saved_trees(user_id: str, request: Request) -> Response:
    """The conversations to go on with: without a Weaviate, those of our own store."""
    users = _users()
    if await users.can_save(user_id):
        answer: Response = await db.get_saved_trees(user_id, users)
        return answer
    trees = await users.get_saved_trees(user_id) if has_own_conversations(request) else {}
    return JSONResponse({"trees": trees, "error": ""}, headers=FRESH)


@router.post("/db/{user_id}/rename_tree/{conversation_id}")
async def rename(user_id: str, conversation_id: str, wanted: NewTitle) -> JSONResponse:
    """Give a conversation another title; Elysia knows no way to."""
    try:
        renamed = await _users().rename(user_id, conversation_id, wanted.title)
    except GuardError as err:
        return JSONResponse({"error": str(err)}, HTTPStatus.SERVICE_UNAVAILABLE)
    if not renamed:
        return JSONResponse({"error": "There is no such conversation."}, HTTPStatus.NOT_FOUND)
    return JSONResponse({"error": ""})


@router.get("/feedback/metadata/{user_id}")
async def feedback_metadata(user_id: str) -> Any:
    """The feedback given so far: in our own store, and in a Weaviate, if one is connected."""
    return thumbs.overview(await thumbs.counted(_users(), user_id))


@router.post("/feedback/add")
async def add_feedback(data: AddFeedbackData) -> Any:
    """Keep a person's judgement wherever there is a place for it; say so where there is none."""
    if data.feedback not in thumbs.VALUES:
        return JSONResponse({"error": "feedback is -2 to 2"}, HTTPStatus.UNPROCESSABLE_ENTITY)
    return await _kept(data, data.feedback)


@router.post("/feedback/remove")
async def remove_feedback(data: RemoveFeedbackData) -> Any:
    """Take a judgement back, wherever it is kept."""
    return await _kept(data, None)


async def _kept(data: AddFeedbackData | RemoveFeedbackData, value: int | None) -> Any:
    key = ConversationKey(user_id=data.user_id, conversation_id=data.conversation_id)
    became = await thumbs.keep(_users(), key, data.query_id, value)
    return {"error": thumbs.reason(_users(), key, data.query_id, became)}


@router.post("/guard/feedback")
async def judge(said: judgements.Said) -> JSONResponse:
    """Keep what a person, or a page of one's own, says of a reply."""
    return await judgements.keep(_users().wiring.decisions, said)
