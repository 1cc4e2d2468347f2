"""Elysia's page, with what is wrong in it mended on the way to the browser.

As it ships it asks for a Weaviate that is not needed, says that a thumb is kept whatever the server
answers, and asks another site for a script; nothing that the server may send changes that. Its
files stay as they are; ``page_mends`` says what is changed. Behind its style sheet stand rules of
ours: of links to why an answer is given the page makes badges, in colour beside the signs and
words of the text, and its grey and red are lightened to be read.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

from elysia_guard.edge.elysia.webapp.page_mends import EVERY, PRELOADED, Mends
from elysia_guard.edge.linking import ANSWERS

# After host, which makes the import of Elysia need no network.
from elysia_guard.edge.elysia import host  # isort: skip  # noqa: F401
import elysia.api  # isort: skip

log = logging.getLogger(__name__)

STATIC = Path(str(elysia.api.__file__)).parent / "static"
FILES = "_next/static"
"""Below it lie scripts and style sheets, in the folder as in their addresses."""
SCRIPTS = STATIC / FILES / "chunks"
REACH = Path(__file__).with_name("reach.js")
"""Names what the page shows without words, and leads keys to what it gives to the mouse alone."""
UNREACHED = "what it shows without words has no names, and what the mouse may press no key reaches"
_HEAD = "</head>"
_REACHED = f'<script src="/{FILES}/chunks/{REACH.name}" async="" data-most="%d"></script>{_HEAD}'
_KNOWN = ".prose :where(blockquote)"
"""Stands in the sheet that rules how replies look."""
_BADGE = f'.markdown-container a[title][href^="{ANSWERS}/"]'
RULES = f"""
:root:root{{--secondary:0 0% 66%;--muted-foreground:0 0% 66%;--error:353 80% 70%}}
.fixed.bottom-8.gap-1{{bottom:0;padding-bottom:2rem;background:hsl(var(--background))}}
.markdown-container a[href^="{ANSWERS}/"]{{white-space:nowrap}}
{_BADGE}{{display:inline-block;font-weight:700;text-decoration:none;border:2px solid currentColor;
border-radius:1rem;padding:0 .75rem}}
{_BADGE}[href$="#asserted"]{{color:#7ee2a0}}
{_BADGE}[href$="#hedged"]{{color:#f2c66d;border-style:dashed}}
{_BADGE}[href$="#refused"]{{color:#ff9aa8;border-style:double;border-width:4px}}
{_BADGE}[href$="#clarified"]{{color:#7ab7ff;border-style:dotted}}
.markdown-container summary{{color:hsl(var(--primary));cursor:pointer;width:fit-content}}
.markdown-container :is(a,summary):focus-visible,[role="button"]:focus-visible,
[tabindex="0"][data-reach]:focus-visible{{
outline:3px solid #7ab7ff;outline-offset:2px}}
tr[data-reach]:focus-visible,th[data-reach]:focus-visible,[data-reach="scrolled"]:focus-visible{{
outline-offset:-3px}}
"""


def mended(script: str, mends: Mends) -> str | None:
    """Return the script with every place of a group mended, None where it is another script."""
    if any(script.count(found) != 1 for found, _ in mends.pairs):
        return None
    for found, better in mends.pairs:
        script = script.replace(found, better)
    return script


def router(static: Path = STATIC, *, most: int = 2_000) -> APIRouter:
    """Return the routes that serve page, scripts and style sheet in place of those that ship.

    ``most`` is how many characters a question may have.
    """
    routes = APIRouter()
    made: set[str] = set()
    for name, script, done in _mended_in(static / FILES / "chunks"):
        made.update(item.without for item in done)
        _serve(routes, f"/{FILES}/chunks/{name}", script, "text/javascript")
    for item in EVERY:
        if item.without not in made:
            log.warning("Elysia's page is another one than is known: %s", item.without)
    page = static / "index.html"
    if html := page.read_text(encoding="utf-8").replace(PRELOADED, "") if page.exists() else "":
        if html.count(_HEAD) != 1:
            log.warning("Elysia's page is another one than is known: %s", UNREACHED)
        _serve(routes, "/", html.replace(_HEAD, _REACHED % most), "text/html")
        reach = REACH.read_text(encoding="utf-8")
        _serve(routes, f"/{FILES}/chunks/{REACH.name}", reach, "text/javascript")
    for file in sorted((static / FILES / "css").glob("*.css")):
        sheet = file.read_text(encoding="utf-8")
        if _KNOWN in sheet:
            _serve(routes, f"/{FILES}/css/{file.name}", sheet + RULES, "text/css")
    return routes


def _mended_in(scripts: Path) -> Iterator[tuple[str, str, Sequence[Mends]]]:
    for file in sorted(scripts.rglob("*.js")):
        script, done = file.read_text(encoding="utf-8"), []
        for mends in EVERY:
            if better := mended(script, mends):
                script = better
                done.append(mends)
        if done:
            yield file.relative_to(scripts).as_posix(), script, done


def _serve(routes: APIRouter, address: str, text: str, media_type: str) -> None:
    mark = f'"{sha256(text.encode()).hexdigest()[:16]}"'

    async def serve() -> Response:
        headers = {"Cache-Control": "no-cache", "ETag": mark}
        return Response(text, media_type=media_type, headers=headers)

    methods = ["GET", "HEAD"] if address == "/" else ["GET"]
    routes.add_api_route(address, serve, methods=methods, include_in_schema=False)
