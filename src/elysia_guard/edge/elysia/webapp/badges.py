"""How a reply is meant, in colour: our rules behind those of Elysia's style sheet.

Its grey and red are lightened to be read.
The signs and words stand in the text; of links to why an answer is given the page makes badges.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

from elysia_guard.edge.linking import ANSWERS

# After host, which makes the import of Elysia need no network.
from elysia_guard.edge.elysia import host  # isort: skip  # noqa: F401
import elysia.api  # isort: skip

SHEETS = Path(str(elysia.api.__file__)).parent / "static" / "_next" / "static" / "css"
ADDRESS = "/_next/static/css"
_KNOWN = ".prose :where(blockquote)"
"""Stands in the sheet that rules how replies look."""
_BADGE = f'.markdown-container a[title][href^="{ANSWERS}/"]'
RULES = f"""
:root:root{{--secondary:0 0% 66%;--muted-foreground:0 0% 66%;--error:353 80% 70%}}
{_BADGE}{{display:inline-block;font-weight:700;text-decoration:none;border:2px solid currentColor;
border-radius:1rem;padding:0 .75rem}}
{_BADGE}[href$="#asserted"]{{color:#7ee2a0}}
{_BADGE}[href$="#hedged"]{{color:#f2c66d;border-style:dashed}}
{_BADGE}[href$="#refused"]{{color:#ff9aa8;border-style:double;border-width:4px}}
{_BADGE}[href$="#clarified"]{{color:#7ab7ff;border-style:dotted}}
.markdown-container a:focus-visible,[role="button"]:focus-visible,
[tabindex="0"][data-reach]:focus-visible{{
outline:3px solid #7ab7ff;outline-offset:2px}}
tr[data-reach]:focus-visible,th[data-reach]:focus-visible,[data-reach="scrolled"]:focus-visible{{
outline-offset:-3px}}
"""


def router(sheets: Path = SHEETS) -> APIRouter:
    """Return the route that serves the style sheet with our rules; none where it is another."""
    routes = APIRouter()
    for file in sorted(sheets.glob("*.css")):
        sheet = file.read_text(encoding="utf-8")
        if _KNOWN in sheet:
            routes.add_api_route(
                f"{ADDRESS}/{file.name}", _serving(sheet + RULES), include_in_schema=False
            )
    return routes


def _serving(sheet: str):  # type: ignore[no-untyped-def]
    mark = f'"{sha256(sheet.encode()).hexdigest()[:16]}"'

    async def serve() -> Response:
        headers = {"Cache-Control": "no-cache", "ETag": mark}
        return Response(sheet, media_type="text/css", headers=headers)

    return serve
