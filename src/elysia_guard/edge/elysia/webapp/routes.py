"""The few routes that answer in place of Elysia's, where no method of a manager can."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from prometheus_client.registry import Collector
from pydantic import BaseModel, ConfigDict, Field

from elysia_guard.domain.errors import ConfigError, GuardError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.host import Tree
from elysia_guard.edge.elysia.webapp import thumbs
from elysia_guard.edge.elysia.webapp.managers import current_users
from elysia_guard.edge.elysia.webapp.protection.principal import (
    has_own_conversations,
    may_read_metrics,
)
from elysia_guard.observability import exposition
from elysia_guard.observability.workers import counted

# After host, which makes the import of Elysia need no network.
import elysia.api  # isort: skip
from elysia.api.api_types import (  # isort: skip
    AddBranchToTreeData,
    AddFeedbackData,
    AddToolToTreeData,
    RemoveBranchFromTreeData,
    RemoveFeedbackData,
    RemoveToolFromTreeData,
)
from elysia.api.routes import query, tools, user_config  # isort: skip

router = APIRouter()
_one_at_a_time = asyncio.Semaphore(1)

FRESH = {"Cache-Control": "no-cache"}
MAX_TITLE_CHARS = 200


class NewTitle(BaseModel):
    """What a conversation is to be called."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]


@router.get("/icon.svg")
async def icon() -> FileResponse:
    """The icon, which the page looks for at the root."""
    return FileResponse(Path(str(elysia.api.__file__)).parent / "static" / "icon.svg")


@router.post("/user/config/{user_id}/new")
async def new_settings(user_id: str) -> Response:
    """Settings to begin with: Elysia's own."""
    found: Response = await user_config.new_user_config(user_id, current_users())
    return found


@router.get("/db/{user_id}/saved_trees")
async def saved_trees(user_id: str, request: Request) -> Response:
    """The conversations to go on with, of our own store."""
    trees = await current_users().get_saved_trees(user_id) if has_own_conversations(request) else {}
    return JSONResponse({"trees": trees, "error": ""}, headers=FRESH)


@router.post("/db/{user_id}/rename_tree/{conversation_id}")
async def rename(user_id: str, conversation_id: str, wanted: NewTitle) -> JSONResponse:
    """Give a conversation another title; Elysia knows no way to."""
    try:
        renamed = await current_users().rename(user_id, conversation_id, wanted.title)
    except GuardError as err:
        return JSONResponse({"error": str(err)}, HTTPStatus.SERVICE_UNAVAILABLE)
    if not renamed:
        return JSONResponse({"error": "There is no such conversation."}, HTTPStatus.NOT_FOUND)
    return JSONResponse({"error": ""})


@router.get("/feedback/metadata/{user_id}")
async def feedback_metadata(user_id: str) -> Any:
    """The feedback given so far."""
    keeper = current_users().keeper
    return thumbs.overview(await keeper.thumbs(user_id) if keeper else ())


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
    became = await thumbs.keep(current_users(), key, data.query_id, value)
    return {"error": thumbs.reason(current_users(), key, data.query_id, became)}


class TextToScan(BaseModel):
    """A text to look through."""

    text: Annotated[str, Field(max_length=100_000)]


@router.post("/util/ner")
async def highlights(text: TextToScan) -> JSONResponse:
    """Where names and nouns stand in a text as long as a question may be; 413 for a longer one.

    Elysia parses whatever comes, on the loop that all conversations share.
    """
    most = current_users().wiring.config.max_question_chars
    if len(text.text) > most:
        return JSONResponse({"error": f"The text has more than {most} characters."}, 413)
    async with _one_at_a_time:
        found: dict[str, Any] = await asyncio.to_thread(query.named_entity_recognition, text.text)
    return JSONResponse(found)


@router.post("/tools/{user_id}/add")
async def add_tool(user_id: str, data: AddToolToTreeData) -> JSONResponse:
    """Add a tool to a branch of every open conversation."""
    return await _with_tool(
        user_id, data, lambda tree, tool: tree.add_tool(tool, data.branch_id, data.from_tool_ids)
    )


@router.post("/tools/{user_id}/remove")
async def remove_tool(user_id: str, data: RemoveToolFromTreeData) -> JSONResponse:
    """Take a tool out of a branch of every open conversation."""
    return await _with_tool(
        user_id,
        data,
        lambda tree, tool: tree.remove_tool(
            tool.get_metadata()["name"], data.branch_id, data.from_tool_ids
        ),
    )


@router.post("/tools/{user_id}/add_branch")
async def add_branch(user_id: str, data: AddBranchToTreeData) -> JSONResponse:
    """Add a branch to every open conversation."""
    named = data.model_dump(exclude={"id"})
    return await _changed(user_id, lambda tree: tree.add_branch(branch_id=data.id, **named))


@router.post("/tools/{user_id}/remove_branch")
async def remove_branch(user_id: str, data: RemoveBranchFromTreeData) -> JSONResponse:
    """Take a branch out of every open conversation."""
    return await _changed(user_id, lambda tree: tree.remove_branch(data.id))


async def _changed(user_id: str, change: Callable[[Tree], object]) -> JSONResponse:
    manager = (await current_users().get_user_local(user_id))["tree_manager"]
    trees = [manager.get_tree(each) for each in manager.trees]
    if not trees:
        return _wrong(HTTPStatus.NOT_FOUND, "There is no open conversation to change.")
    try:
        for tree in trees:
            change(tree)
    except (ValueError, TypeError, LookupError) as err:
        said = err.args[0] if err.args else "That cannot be done."
        return _wrong(HTTPStatus.UNPROCESSABLE_ENTITY, f"{said}")
    # All of a user's look the same.
    return JSONResponse({"tree": trees[-1].tree, "error": ""})


async def _with_tool(
    user_id: str,
    data: AddToolToTreeData | RemoveToolFromTreeData,
    change: Callable[[Tree, Any], object],
) -> JSONResponse:
    known = tools.find_tool_classes()
    if tool := known.get(data.tool_name):
        return await _changed(user_id, lambda tree: change(tree, tool))
    there = ", ".join(sorted(known))
    return _wrong(HTTPStatus.NOT_FOUND, f"There is no tool '{data.tool_name}'; there are: {there}.")


def _wrong(status: HTTPStatus, why: str) -> JSONResponse:
    return JSONResponse({"tree": {}, "error": why}, status)


NOT_FROM_HERE = (
    "The metrics are shown on this machine, or to whoever sends the secret; "
    "observability.metrics_for: everyone changes that."
)


# Not `async`: the files of other workers are read in a thread.
@router.get("/metrics")
def metrics(request: Request) -> Response:
    """What has been counted since the start, in the text format of Prometheus."""
    return _counted(request, exposition.as_text, exposition.CONTENT_TYPE)


@router.get("/metrics.json")
def metrics_json(request: Request) -> Response:
    """What has been counted since the start, as JSON."""
    return _counted(request, exposition.as_json, "application/json")


def _counted(request: Request, write: Callable[[Collector], str], kind: str) -> Response:
    """Return the metrics of all workers, or why this request does not get them."""
    wiring = current_users().wiring
    if wiring.config.observability.metrics_for != "everyone" and not may_read_metrics(request):
        return PlainTextResponse(f"{NOT_FROM_HERE}\n", status_code=403)
    headers = {"Cache-Control": "no-store"}
    try:
        return Response(write(counted(wiring.metrics)), media_type=kind, headers=headers)
    except ConfigError as err:
        return PlainTextResponse(f"{err}\n", status_code=503, headers=headers)
