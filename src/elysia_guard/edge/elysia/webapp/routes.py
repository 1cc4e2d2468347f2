"""The few routes that answer in place of Elysia's, where no method of a manager can.

Elysia's own decide inside the route, and without a Weaviate end in an error or in nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from elysia_guard.edge.elysia.webapp import judgements
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager
from elysia_guard.edge.elysia.webapp.protection.nearby import has_own_conversations

# After managers, which makes the import of Elysia need no network.
import elysia.api  # isort: skip
from elysia.api.api_types import AddFeedbackData, RemoveFeedbackData  # isort: skip
from elysia.api.dependencies import common  # isort: skip
from elysia.api.routes import db, feedback  # isort: skip

router = APIRouter()

FRESH = {"Cache-Control": "no-cache"}
NOWHERE_TO_KEEP = {
    "error": "Feedback is kept in a Weaviate or a decision log, and none is configured."
}


def _users() -> GuardedUserManager:
    users: GuardedUserManager = common.get_user_manager()
    return users


async def _has_weaviate(user_id: str) -> bool:
    user = await _users().get_user_local(user_id)
    return bool(user["client_manager"].is_client)


@router.get("/icon.svg")
async def icon() -> FileResponse:
    """The icon, which the page looks for at the root."""
    return FileResponse(Path(str(elysia.api.__file__)).parent / "static" / "icon.svg")


@router.get("/db/{user_id}/saved_trees")
async def saved_trees(user_id: str, request: Request) -> Response:
    """The conversations to go on with: without a Weaviate those in memory, for a reload."""
    users = _users()
    if await users.can_save(user_id):
        answer: Response = await db.get_saved_trees(user_id, users)
        return answer
    trees = await users.get_saved_trees(user_id) if has_own_conversations(request) else {}
    return JSONResponse({"trees": trees, "error": ""}, headers=FRESH)


@router.get("/feedback/metadata/{user_id}")
async def feedback_metadata(user_id: str) -> Any:
    """The feedback given so far; without a Weaviate, none."""
    if await _has_weaviate(user_id):
        return await feedback.run_feedback_metadata(user_id, _users())
    values = {"negative": 0, "positive": 0, "superpositive": 0}
    return {
        "error": "",
        "total_feedback": 0,
        "feedback_by_value": values,
        "feedback_by_date": {},
    }


@router.post("/feedback/add")
async def add_feedback(data: AddFeedbackData) -> Any:
    """Keep a person's judgement: in the decision log, in a Weaviate, or in both."""
    kept: Any = NOWHERE_TO_KEEP
    if decisions := _users().wiring.decisions:
        kept = await judgements.keep_thumb(decisions, data.query_id, data.feedback)
    if await _has_weaviate(data.user_id):
        kept = await feedback.run_add_feedback(data, _users())
    return kept


@router.post("/feedback/remove")
async def remove_feedback(data: RemoveFeedbackData) -> Any:
    """Take a judgement back, wherever it is kept."""
    kept: Any = NOWHERE_TO_KEEP
    if decisions := _users().wiring.decisions:
        kept = await judgements.take_back(decisions, data.query_id)
    if await _has_weaviate(data.user_id):
        kept = await feedback.run_remove_feedback(data, _users())
    return kept


@router.post("/guard/feedback")
async def judge(said: judgements.Said) -> JSONResponse:
    """Keep what a person, or a page of one's own, says of a reply."""
    return await judgements.keep(_users().wiring.decisions, said)
