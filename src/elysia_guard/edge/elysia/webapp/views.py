"""The routes of our own pages: a document, a concept, why an answer is given."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.origin import OriginState
from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.webapp.managers import Payload, current_users
from elysia_guard.edge.elysia.webapp.protection.access import preferred
from elysia_guard.edge.linking import LONGEST_QUERY, placed
from elysia_guard.edge.views import answers, concepts, documents, page
from elysia_guard.language.pack import langs
from elysia_guard.pipeline import Pipeline

router = APIRouter(prefix="/guard", include_in_schema=False)

log = logging.getLogger(__name__)

Uri = Annotated[str, Query(max_length=LONGEST_QUERY)]
Words = Annotated[list[str], Query(max_length=documents.MOST_WORDS)]


def _pipeline() -> Pipeline:
    return current_users().wiring.pipeline


def _lang(request: Request) -> Lang:
    """The language of the link, or else the one that the browser prefers."""
    asked = request.query_params.get("lang", "")
    return asked if asked in langs() else preferred(request.headers.get("accept-language", ""))


@router.get("/style.css")
async def style() -> Response:
    """The style sheet of these pages."""
    return Response(page.style(), media_type="text/css", headers={"Cache-Control": "no-cache"})


@router.get("/model/{user_id}")
async def model(user_id: str) -> PlainTextResponse:
    """Which language model the user's questions are asked of, in one line for the first screen."""
    told = await current_users().model_told(user_id)
    return PlainTextResponse(told, headers={"Cache-Control": "no-store"})


@router.get("/documents/{collection_name}/{document_id}")
async def document(
    request: Request,
    collection_name: str,
    document_id: str,
    words: Words = [],  # noqa: B006
) -> HTMLResponse:
    """A document of the index, with words marked that stand in it."""
    lang, pipeline = _lang(request), _pipeline()
    try:
        every = await pipeline.index.documents(Filters(approval=None))
        found = next((each for each in every if each.id == document_id), None)
        if found is None or pipeline.collections.get(found.kind) != collection_name:
            return _page(page.missing(lang, "page.no_document"), HTTPStatus.NOT_FOUND)
        passages = await pipeline.index.passages(found.id)
        lines = await pipeline.lines([(found, words[0])] if words else [])
        origin = (await pipeline.origins.documents([found])).get(found.id)
    except (SourceUnavailableError, PassageIndexError):
        return _page(page.missing(lang, "page.unavailable"), HTTPStatus.SERVICE_UNAVAILABLE)
    opened = documents.Opened(
        document=found,
        passages=passages,
        others=every,
        collections=pipeline.collections,
        lang=lang,
        words=[item[:LONGEST_QUERY] for item in words],
        lines=placed(lines[0]) if lines else "",
        state=origin.state if origin else OriginState.UNCHANGED,
    )
    return _page(await asyncio.to_thread(documents.page, opened))


@router.get("/concepts")
async def concept(request: Request, uri: Uri = "") -> HTMLResponse:
    """A concept of the vocabulary, with those around it."""
    lang, terminology = _lang(request), _pipeline().terminology
    if terminology is None or not uri:
        return _page(page.missing(lang, "page.no_concept"), HTTPStatus.NOT_FOUND)
    try:
        found = await terminology.concepts([uri])
    except SourceUnavailableError:
        return _page(page.missing(lang, "page.unavailable"), HTTPStatus.SERVICE_UNAVAILABLE)
    if not found:
        return _page(page.missing(lang, "page.no_concept"), HTTPStatus.NOT_FOUND)
    around: Sequence[Concept] = ()
    with suppress(SourceUnavailableError):  # they are then named by their URIs
        around = await terminology.concepts(concepts.neighbours(found[0]))
    return _page(concepts.page(found[0], around, lang=lang))


@router.get("/answers/{user_id}/{conversation_id}/{query_id}")
async def answer(
    request: Request, user_id: str, conversation_id: str, query_id: str
) -> HTMLResponse:
    """Why an answer was given; its user is made the sender's own on the way here."""
    lang = _lang(request)
    asked = answers.recorded(await _shown(user_id, conversation_id), query_id)
    if asked is None:
        return _page(page.missing(lang, "page.no_answer"), HTTPStatus.NOT_FOUND)
    return _page(await asyncio.to_thread(answers.page, asked, lang=lang))


async def _shown(user_id: str, conversation_id: str) -> list[Payload]:
    """What a conversation has shown: of one that is open nowhere, as it was kept."""
    users = current_users()
    manager = (await users.get_user_local(user_id))["tree_manager"]
    if manager.tree_exists(conversation_id):
        shown: list[Payload] = manager.shown(conversation_id)
        return shown
    try:
        return await users.load_tree(user_id, conversation_id)
    # Whatever a store that is away raises, and a conversation of somebody else's: it is not here.
    except Exception:
        log.warning("Conversation %s could not be read", conversation_id, exc_info=True)
        return []


def _page(html: str, status: HTTPStatus = HTTPStatus.OK) -> HTMLResponse:
    headers = {"Content-Security-Policy": page.POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(html, status, headers=headers)
