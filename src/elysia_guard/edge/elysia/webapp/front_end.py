"""Elysia's page, with what is wrong in it mended on the way to the browser.

As it ships it asks for a Weaviate that is not needed, says that a thumb is kept whatever the server
answers, and asks another site for a script; nothing that the server may send changes that. Its
files stay as they are; ``page_mends`` says what is changed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

from elysia_guard.edge.elysia.webapp.mends import Mends
from elysia_guard.edge.elysia.webapp.page_mends import EVERY, PRELOADED

# After host, which makes the import of Elysia need no network.
from elysia_guard.edge.elysia import host  # isort: skip  # noqa: F401
import elysia.api  # isort: skip

log = logging.getLogger(__name__)

STATIC = Path(str(elysia.api.__file__)).parent / "static"
SCRIPTS = STATIC / "_next" / "static" / "chunks"
ADDRESS = "/_next/static/chunks"
REACH = Path(__file__).with_name("reach.js")
"""Names what the page shows without words, and leads keys to what it gives to the mouse alone."""
UNREACHED = "what it shows without words has no names, and what the mouse may press no key reaches"
_HEAD = "</head>"
_REACHED = f'<script src="{ADDRESS}/{REACH.name}" async=""></script>{_HEAD}'


def mended(script: str, mends: Mends) -> str | None:
    """Return the script with every place of a group mended, None where it is another script."""
    if any(script.count(found) != 1 for found, _ in mends.pairs):
        return None
    for found, better in mends.pairs:
        script = script.replace(found, better)
    return script


def router(scripts: Path = SCRIPTS, page: Path = STATIC / "index.html") -> APIRouter:
    """Return the routes that serve the page and its mended scripts in place of those that ship."""
    routes = APIRouter()
    made: set[str] = set()
    for name, script, done in _mended_in(scripts):
        made.update(item.without for item in done)
        serve = _serving(script, "text/javascript")
        routes.add_api_route(f"{ADDRESS}/{name}", serve, include_in_schema=False)
    for item in EVERY:
        if item.without not in made:
            log.warning("Elysia's page is another one than is known: %s", item.without)
    html = page.read_text(encoding="utf-8").replace(PRELOADED, "") if page.exists() else ""
    if html:
        if html.count(_HEAD) != 1:
            log.warning("Elysia's page is another one than is known: %s", UNREACHED)
        _add_page(routes, html.replace(_HEAD, _REACHED))
    return routes


def _add_page(routes: APIRouter, html: str) -> None:
    serve = _serving(html, "text/html")
    routes.add_api_route("/", serve, methods=["GET", "HEAD"], include_in_schema=False)
    serve = _serving(REACH.read_text(encoding="utf-8"), "text/javascript")
    routes.add_api_route(f"{ADDRESS}/{REACH.name}", serve, include_in_schema=False)


def _mended_in(scripts: Path) -> Iterator[tuple[str, str, Sequence[Mends]]]:
    for file in sorted(scripts.rglob("*.js")):
        script, done = file.read_text(encoding="utf-8"), []
        for mends in EVERY:
            if better := mended(script, mends):
                script = better
                done.append(mends)
        if done:
            yield file.relative_to(scripts).as_posix(), script, done


def _serving(text: str, media_type: str):  # type: ignore[no-untyped-def]
    mark = f'"{sha256(text.encode()).hexdigest()[:16]}"'

    async def serve() -> Response:
        headers = {"Cache-Control": "no-cache", "ETag": mark}
        return Response(text, media_type=media_type, headers=headers)

    return serve
