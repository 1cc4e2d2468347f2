"""Elysia's page, with what it does about thumbs mended on the way to the browser.

As it ships, a thumb turns green whatever the server answers, and is forgotten when a conversation
is opened again; nothing that the server may send changes either. Its files stay as they are.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

# After host, which makes the import of Elysia need no network.
from elysia_guard.edge.elysia import host  # isort: skip  # noqa: F401
import elysia.api  # isort: skip

log = logging.getLogger(__name__)

SCRIPTS = Path(str(elysia.api.__file__)).parent / "static" / "_next" / "static" / "chunks"
ADDRESS = "/_next/static/chunks"

_SHOWN_AGAIN = "let r=X(e,t.payload.prompt,t.query_id,j);"
_SAID_WHY_NOT = (
    '((m=>m&&(Y([{type:"user_timeout_error",id:(0,a.Z)(),conversation_id:e,query_id:t,'
    'user_id:l||"",payload:{text:m}}],e,t),1))((await ee(l||"",e,t,r)).error)||E('
)
MENDED = (
    # A conversation that is opened again shows the thumbs that came with its questions.
    (_SHOWN_AGAIN, f"{_SHOWN_AGAIN}r.feedback=t.payload.feedback??null;"),
    # A thumb is taken back once the server has done so, ...
    ('(await (0,h.q)(l||"",e,t),E(', '((await (0,h.q)(l||"",e,t)).error||E('),
    # ... and green once it is kept; else the page says in its grey box why it is not.
    ('(ee(l||"",e,t,r),E(', _SAID_WHY_NOT),
)
"""What stands in the script, and what takes its place; each stands there once."""


def mended(script: str) -> str | None:
    """Return the script with every place mended, None where it is another script."""
    if any(script.count(found) != 1 for found, _ in MENDED):
        return None
    for found, better in MENDED:
        script = script.replace(found, better)
    return script


def router(scripts: Path = SCRIPTS) -> APIRouter:
    """Return the route that serves the mended script in place of the one that ships."""
    routes = APIRouter()
    for name, script in _mended_in(scripts):
        routes.add_api_route(f"{ADDRESS}/{name}", _serving(script), include_in_schema=False)
    if not routes.routes:
        log.warning("Elysia's page is another one than is known: thumbs are green also when lost")
    return routes


def _mended_in(scripts: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(scripts.glob("*.js")):
        if script := mended(file.read_text(encoding="utf-8")):
            yield file.name, script


def _serving(script: str):  # type: ignore[no-untyped-def]
    mark = f'"{sha256(script.encode()).hexdigest()[:16]}"'

    async def serve() -> Response:
        headers = {"Cache-Control": "no-cache", "ETag": mark}
        return Response(script, media_type="text/javascript", headers=headers)

    return serve
