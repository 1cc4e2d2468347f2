"""The routes of Elysia's Data page and start page, answered from our own store.

Where a user has connected a Weaviate, what is in there is listed beside what is ours, and Elysia's
own answers stand for it.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import JSONResponse, Response

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.elysia.webapp import thumbs
from elysia_guard.edge.elysia.webapp.connected import collections as theirs
from elysia_guard.edge.elysia.webapp.keeping import KeepingUserManager
from elysia_guard.edge.elysia.webapp.pages import given, rows, toolbox
from elysia_guard.edge.elysia.webapp.pages.holdings import UNREACHABLE, Holdings
from elysia_guard.edge.elysia.webapp.pages.shelves import Shelf
from elysia_guard.edge.elysia.webapp.pages.viewing import View, ViewError
from elysia_guard.edge.elysia.webapp.protection.principal import KEY, Principal

# After managers, which makes the import of Elysia need no network.
from elysia.api.api_types import (  # isort: skip
    InitialiseTreeData,
    UpdateCollectionMetadataData,
    ViewPaginatedCollectionData,
)
from elysia.api.dependencies import common  # isort: skip
from elysia.api.routes import collections, init, processor  # isort: skip
from elysia.api.utils.websocket import help_websocket  # isort: skip

log = logging.getLogger(__name__)

router = APIRouter()

FRESH = {"Cache-Control": "no-cache"}
DOWN = "The knowledge base cannot be read at the moment. Try again later."
NOT_HERE = "There is no such collection."
UNMODELLED = "Elysia needs a model to analyze a collection: name one on the Settings page."
READ_ONLY = "This collection is filled by 'elysia-guard ingest' and cannot be changed here."


def _users() -> KeepingUserManager:
    users: KeepingUserManager = common.get_user_manager()
    return users


async def _has_weaviate(user_id: str) -> bool:
    user = await _users().get_user_local(user_id)
    return bool(user["client_manager"].is_client)


@router.get("/collections/{user_id}/list")
async def listed(user_id: str) -> JSONResponse:
    """The collections with their counts, and questions to begin with."""
    connected: list[dict[str, Any]] = []
    error = ""
    await _users().get_user_local(user_id)
    await _users().take_up_settings(user_id)
    if await _has_weaviate(user_id):
        connected, error = await theirs.listed(user_id, _users())
    try:
        found = await _users().holdings.listed()
    except UNREACHABLE as err:
        log.warning("collections could not be listed: %s", err)
        found, error = [], DOWN
    taken = {item["name"] for item in connected}
    ours = [item for item in found if item["name"] not in taken]
    return JSONResponse({"collections": [*ours, *connected], "error": error}, headers=FRESH)


@router.post("/collections/{user_id}/view/{collection_name}")
async def viewed(user_id: str, collection_name: str, data: dict[str, Any], request: Request) -> Any:
    """A page of a collection: searched, filtered, sorted. Of the thumbs, the user's own."""
    principal: Principal = request.scope[KEY]
    own = collection_name == given.COLLECTION
    if own and principal.admin:
        own = given.asks_for_own(data, user_id)
    if not own and await _is_theirs(user_id, collection_name):
        asked = ViewPaginatedCollectionData.model_validate(data)
        return await collections.view_paginated_collection(
            user_id, collection_name, asked, _users()
        )
    try:
        view = View.model_validate(data)
        if collection_name == given.COLLECTION:
            every = await thumbs.listed(_users(), user_id)
            return _page(given.TYPES, given.viewed(every, view))
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


@router.get("/collections/{user_id}/get_object/{collection_name}/{uuid}")
async def one(user_id: str, collection_name: str, uuid: str) -> Any:
    """A document with its text, or a concept."""
    if await _is_theirs(user_id, collection_name):
        return await collections.get_object(user_id, collection_name, uuid, _users())
    try:
        holdings, shelf = await _shelf(collection_name)
        row = await holdings.one(shelf, uuid) if shelf else None
    except UNREACHABLE as err:
        log.warning("a document could not be shown: %s", err)
        return _page({}, [], DOWN)
    if row is None:
        return _page({}, [], "There is no such document.", HTTPStatus.NOT_FOUND)
    return _page(rows.types_of([row]), [row])


@router.get("/collections/{user_id}/metadata/{collection_name}")
async def described(user_id: str, collection_name: str) -> Any:
    """What is said of a collection: summary, properties, how many."""
    if await _is_theirs(user_id, collection_name):
        return await collections.collection_metadata(user_id, collection_name, _users())
    try:
        holdings, shelf = await _shelf(collection_name)
        told = await holdings.described(shelf) if shelf else {}
    except UNREACHABLE as err:
        log.warning("a collection could not be described: %s", err)
        return JSONResponse({"metadata": {}, "error": DOWN}, headers=FRESH)
    error = "" if told else NOT_HERE
    return JSONResponse({"metadata": told, "error": error}, headers=FRESH)


@router.patch("/collections/{user_id}/metadata/{collection_name}")
async def changed(user_id: str, collection_name: str, data: UpdateCollectionMetadataData) -> Any:
    """Nothing of ours is changed from the page."""
    if await _is_theirs(user_id, collection_name):
        return await collections.update_metadata(user_id, collection_name, data, _users())
    return JSONResponse({"metadata": {}, "error": READ_ONLY}, HTTPStatus.CONFLICT)


@router.delete("/collections/{user_id}/metadata/{collection_name}")
async def cleared(user_id: str, collection_name: str) -> Any:
    """Nothing of ours is deleted from the page."""
    if await _is_theirs(user_id, collection_name):
        return await collections.delete_metadata(user_id, collection_name, _users())
    return JSONResponse({"error": READ_ONLY}, HTTPStatus.CONFLICT)


@router.delete("/collections/{user_id}/metadata/delete/all")
async def all_cleared(user_id: str) -> Any:
    """Nothing of ours is deleted from the page."""
    if await _has_weaviate(user_id):
        return await collections.delete_all_metadata(user_id, _users())
    return JSONResponse({"error": READ_ONLY}, HTTPStatus.CONFLICT)


@router.post("/init/tree/{user_id}/{conversation_id}")
async def opened(user_id: str, conversation_id: str, data: InitialiseTreeData) -> Response:
    """A conversation with the tools that it can take: none of Elysia's own ever runs."""
    answer: JSONResponse = await init.initialise_tree(user_id, conversation_id, data, _users())
    return toolbox.runnable(answer, _users(), user_id, conversation_id)


@router.websocket("/ws/process_collection")
async def analysed(websocket: WebSocket) -> None:
    """Nothing of ours is analysed from the page: it is, when it is ingested."""
    await help_websocket(websocket, _analyse)


async def _analyse(data: dict[str, Any], websocket: WebSocket) -> None:
    name = data["collection_name"]
    told = {"type": "error", "collection_name": name, "progress": 0, "message": ""}
    if not await _is_theirs(data["user_id"], name):
        await websocket.send_json({**told, "error": READ_ONLY})
    elif not theirs.names_models((await _users().get_user_local(data["user_id"]))["tree_manager"]):
        await websocket.send_json({**told, "error": UNMODELLED})
    else:
        await processor.process_collection(data, websocket, _users())


async def _is_theirs(user_id: str, name: str) -> bool:
    """Tell whether a name means a collection of a Weaviate that is connected, and none of ours."""
    clients = (await _users().get_user_local(user_id))["client_manager"]
    if not clients.is_client:
        return False
    return not _users().holdings.is_shown_as(name) or await theirs.holds(clients, name)


async def _shelf(name: str) -> tuple[Holdings, Shelf | None]:
    holdings = _users().holdings
    await holdings.look()
    return holdings, holdings.named(name)


def _page(
    properties: dict[str, str], items: list[Any], error: str = "", status: int = HTTPStatus.OK
) -> JSONResponse:
    content = {"properties": properties, "items": items, "error": error}
    return JSONResponse(content, status, headers=FRESH)
