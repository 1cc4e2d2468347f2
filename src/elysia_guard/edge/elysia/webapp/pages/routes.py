"""The routes of Elysia's Data page and start page, answered from our own store."""

from __future__ import annotations

import json
import logging
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, WebSocket
from fastapi.responses import JSONResponse, Response

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Step
from elysia_guard.edge.elysia.tree import GuardedTree
from elysia_guard.edge.elysia.webapp.managers import current_users
from elysia_guard.edge.elysia.webapp.pages import rows, viewing
from elysia_guard.edge.elysia.webapp.pages.holdings import UNREACHABLE, Holdings, Shelf
from elysia_guard.edge.elysia.webapp.pages.viewing import View, ViewError
from elysia_guard.edge.elysia.wrapping import GuardedTool
from elysia_guard.language.catalogue import say

# After managers, which makes the import of Elysia need no network.
from elysia.api.api_types import InitialiseTreeData  # isort: skip
from elysia.api.routes import init  # isort: skip
from elysia.api.utils.websocket import help_websocket  # isort: skip

log = logging.getLogger(__name__)

router = APIRouter()

FRESH = {"Cache-Control": "no-cache"}
DOWN = "The knowledge base cannot be read at the moment. Try again later."
NOT_HERE = "There is no such collection."
READ_ONLY = "This collection is filled by 'elysia-guard ingest' and cannot be changed here."

_OURS = frozenset(step.value for step in Step)


@router.get("/collections/{user_id}/list")
async def listed(user_id: str) -> JSONResponse:
    """The collections with their counts, and questions to begin with."""
    users = current_users()
    error = say(users.wiring.config.default_lang, "settings.no_weaviate")
    error = error if await users.names_a_weaviate(user_id) else ""
    try:
        found = await users.holdings.listed()
    except UNREACHABLE as err:
        log.warning("collections could not be listed: %s", err)
        found, error = [], DOWN
    return JSONResponse({"collections": found, "error": error}, headers=FRESH)


@router.post("/collections/{user_id}/view/{collection_name}")
async def viewed(user_id: str, collection_name: str, data: dict[str, Any]) -> JSONResponse:
    """A page of a collection: searched, filtered, sorted. Of the thumbs, the user's own."""
    try:
        view = View.model_validate(data)
        if collection_name == viewing.COLLECTION:
            keeper = current_users().keeper
            every = await viewing.thumbs(keeper, user_id) if keeper else []
            return _page(viewing.TYPES, viewing.viewed(every, view))
        holdings, shelf = await _shelf(collection_name)
        if shelf is None:
            return _page({}, [], NOT_HERE, HTTPStatus.NOT_FOUND)
        types, shown = await holdings.viewed(shelf, view)
    except (ViewError, ValueError) as err:
        why = str(err) if isinstance(err, GuardError) else "This cannot be asked of a collection."
        return _page({}, [], why, HTTPStatus.UNPROCESSABLE_ENTITY)
    except UNREACHABLE as err:
        log.warning("a collection could not be shown: %s", err)
        return _page({}, [], DOWN)
    return _page(types, shown)


@router.get("/collections/{user_id}/get_object/{collection_name}/{uuid}")  # noqa: FAST003  (whoever it is)
async def one(collection_name: str, uuid: str) -> JSONResponse:
    """A document with its text, or a concept."""
    try:
        holdings, shelf = await _shelf(collection_name)
        row = await holdings.one(shelf, uuid) if shelf else None
    except UNREACHABLE as err:
        log.warning("a document could not be shown: %s", err)
        return _page({}, [], DOWN)
    if row is None:
        return _page({}, [], "There is no such document.", HTTPStatus.NOT_FOUND)
    return _page(rows.types_of([row]), [row])


@router.get("/collections/{user_id}/metadata/{collection_name}")  # noqa: FAST003  (whoever it is)
async def described(collection_name: str) -> JSONResponse:
    """What is said of a collection: summary, properties, how many."""
    try:
        holdings, shelf = await _shelf(collection_name)
        told = await holdings.described(shelf) if shelf else {}
    except UNREACHABLE as err:
        log.warning("a collection could not be described: %s", err)
        return JSONResponse({"metadata": {}, "error": DOWN}, headers=FRESH)
    error = "" if told else NOT_HERE
    return JSONResponse({"metadata": told, "error": error}, headers=FRESH)


@router.patch("/collections/{user_id}/metadata/{collection_name}")  # noqa: FAST003
@router.delete("/collections/{user_id}/metadata/{collection_name}")
@router.delete("/collections/{user_id}/metadata/delete/all")
async def changed() -> JSONResponse:
    """Nothing of ours is changed or deleted from the page."""
    return JSONResponse({"metadata": {}, "error": READ_ONLY}, HTTPStatus.CONFLICT)


@router.post("/init/tree/{user_id}/{conversation_id}")
async def opened(user_id: str, conversation_id: str, data: InitialiseTreeData) -> Response:
    """A conversation with the tools that it can take: none of Elysia's own ever runs."""
    answer: JSONResponse = await init.initialise_tree(
        user_id, conversation_id, data, current_users()
    )
    return _runnable(answer, user_id, conversation_id)


def _runnable(answer: JSONResponse, user_id: str, conversation_id: str) -> JSONResponse:
    """Return the answer to who opens a conversation, without the tools that its root never takes.

    The rules choose among our own steps and what was wrapped; the tools that Elysia seats beside
    them need a model to choose them, and have none.
    """
    said: dict[str, Any] = json.loads(bytes(answer.body))
    if said["error"] or not isinstance(said["tree"], dict):
        return answer
    tree: GuardedTree = current_users().users[user_id]["tree_manager"].get_tree(conversation_id)
    seated = tree.decision_nodes[tree.root].options
    taken = {
        name
        for name, option in seated.items()
        if name in _OURS or isinstance(option["action"], GuardedTool)
    }
    shown = said["tree"]
    options = {name: item for name, item in shown["options"].items() if name in taken}
    return JSONResponse({**said, "tree": {**shown, "options": options}}, answer.status_code)


@router.websocket("/ws/process_collection")
async def analysed(websocket: WebSocket) -> None:
    """Nothing of ours is analysed from the page: it is, when it is ingested."""
    await help_websocket(websocket, _analyse)


async def _analyse(data: dict[str, Any], websocket: WebSocket) -> None:
    told = {"type": "error", "collection_name": data["collection_name"], "progress": 0}
    await websocket.send_json({**told, "message": "", "error": READ_ONLY})


async def _shelf(name: str) -> tuple[Holdings, Shelf | None]:
    holdings = current_users().holdings
    await holdings.refresh()
    return holdings, holdings.named(name)


def _page(
    properties: dict[str, str], items: list[Any], error: str = "", status: int = HTTPStatus.OK
) -> JSONResponse:
    content = {"properties": properties, "items": items, "error": error}
    return JSONResponse(content, status, headers=FRESH)
