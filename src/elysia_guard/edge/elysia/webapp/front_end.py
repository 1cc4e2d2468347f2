"""Elysia's page, with what it does about thumbs, links and unfinished answers mended on the way.

As it ships, a thumb turns green whatever the server answers, and is forgotten when a conversation
is opened again; and of an answer that grows, all but its last piece is folded away. Nothing that
the server may send changes that. Its files stay as they are.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import Response

from elysia_guard.edge.elysia.rendering import BEGUN

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
Places = tuple[tuple[str, str], ...]

THUMBS: Places = (
    # A conversation that is opened again shows the thumbs that came with its questions.
    (_SHOWN_AGAIN, f"{_SHOWN_AGAIN}r.feedback=t.payload.feedback??null;"),
    # A thumb is taken back once the server has done so, ...
    ('(await (0,h.q)(l||"",e,t),E(', '((await (0,h.q)(l||"",e,t)).error||E('),
    # ... and green once it is kept; else the page says in its grey box why it is not.
    ('(ee(l||"",e,t,r),E(', _SAID_WHY_NOT),
)
GROWING: Places = (
    # A text takes the place of what its answer began with.
    (
        "messages:[...n.queries[r].messages,...e]",
        (
            'messages:[...("text"===e[0]?.type?n.queries[r].messages.filter('
            f"m=>!m.payload?.metadata?.{BEGUN}):n.queries[r].messages),...e]"
        ),
    ),
)
STEADY: Places = (
    # A text that grows stays where it is, and does not come in anew with every sentence.
    (
        "(0,n.jsx)(O,{text:t[t.length-1].text})})]},t[t.length-1].text)]})}",
        '(0,n.jsx)(O,{text:t[t.length-1].text})})]},"last")]})}',
    ),
)
_STATUS = '""!=i?(0,n.jsxs)("div",{className:"flex gap-2 items-center'
APART: Places = (
    # What is under way stands on a ground of its own, and not in the words behind it.
    (_STATUS, f"{_STATUS} bg-background rounded-xl px-2 py-1"),
)
_TEXT = 'components:{span:e=>{let{node:t,...a}=e;if("true"===a["data-citation"])'
OPENING: Places = (
    # A link in a reply opens beside the conversation, which would else have to be loaded again.
    (
        _TEXT,
        _TEXT.replace(
            "components:{",
            'components:{a:e=>{let{node:t,...a}=e;return(0,n.jsx)("a",{...a,target:"_blank",'
            'rel:"noopener"})},',
        ),
    ),
)
MENDED: Mapping[str, Places] = {
    "thumbs are green also when lost": THUMBS,
    "an answer that is being written is folded away": GROWING,
    "an answer that is being written fades in with every sentence": STEADY,
    "what is under way is written over a long answer": APART,
    "links in replies leave the conversation": OPENING,
}
"""What stands in the scripts, and what takes its place; each stands there once. By what the page
does without it."""


def mended(script: str) -> str | None:
    """Return the script with every place mended, None where it is another script."""
    better = script
    for places in _found(script):
        for found, instead in MENDED[places]:
            better = better.replace(found, instead)
    return better if better != script else None


def _found(script: str) -> list[str]:
    return [
        name
        for name, places in MENDED.items()
        if all(script.count(found) == 1 for found, _ in places)
    ]


def router(scripts: Path = SCRIPTS) -> APIRouter:
    """Return the routes that serve mended scripts in place of those that ship."""
    routes, missing = APIRouter(), dict.fromkeys(MENDED)
    for file in sorted(scripts.rglob("*.js")):
        script = file.read_text(encoding="utf-8")
        for name in _found(script):
            missing.pop(name, None)
        if better := mended(script):
            path = f"{ADDRESS}/{file.relative_to(scripts).as_posix()}"
            routes.add_api_route(path, _serving(better), include_in_schema=False)
    for name in missing:
        log.warning("Elysia's page is another one than is known: %s", name)
    return routes


def _serving(script: str):  # type: ignore[no-untyped-def]
    mark = f'"{sha256(script.encode()).hexdigest()[:16]}"'

    async def serve() -> Response:
        headers = {"Cache-Control": "no-cache", "ETag": mark}
        return Response(script, media_type="text/javascript", headers=headers)

    return serve
