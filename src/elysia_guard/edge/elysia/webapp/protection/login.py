"""Logging in once, with the secret; the page is our own, since Elysia's has none."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.webapp.protection import sessions
from elysia_guard.edge.elysia.webapp.protection.policy import Policy
from elysia_guard.edge.elysia.webapp.protection.sessions import COOKIE, Session
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import SPOKEN_FIRST, langs

PATH = "/guard/login"
LEAVE = "/guard/logout"
FRESH = {"Cache-Control": "no-store"}
_LONGEST = 1_024
_PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
)
_STYLE = """
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#171717;color:#f2f2f2;
font:16px/1.5 system-ui,sans-serif}
main{width:min(22rem,calc(100vw - 3rem))}h1{font-size:1.4rem;margin:0 0 .25rem}p{color:#b8b8b8}
label{display:block;margin:1.25rem 0 .4rem}
input,button{box-sizing:border-box;width:100%;padding:.7rem .8rem;border-radius:.5rem;font:inherit}
input{border:1px solid #555;background:#222;color:inherit}
button{margin-top:1rem;border:0;background:#a5ff90;color:#111;font-weight:600;cursor:pointer}
input:focus-visible,button:focus-visible{outline:2px solid #a5ff90;outline-offset:2px}
[role=alert]{color:#ff9b9b}
"""


def page(request: Request, *, wrong: bool = False) -> Response:
    """The page that asks for the secret, in the language that the browser prefers."""
    lang = preferred(request.headers.get("accept-language", ""))
    said = {key: escape(say(lang, f"login.{key}")) for key in ("title", "intro", "secret", "enter")}
    alert = f'<p role="alert">{escape(say(lang, "login.wrong"))}</p>' if wrong else ""
    html = (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{said["title"]}'
        '</title><meta name="viewport" content="width=device-width"><style>'
        f"{_STYLE}</style></head><body><main><h1>{said['title']}</h1><p>{said['intro']}</p>{alert}"
        f'<form method="post" action="{PATH}"><label for="secret">{said["secret"]}</label>'
        '<input id="secret" name="secret" type="password" autocomplete="current-password" '
        f"required autofocus><button>{said['enter']}</button></form></main></body></html>"
    )
    headers = {**FRESH, "Content-Security-Policy": _PAGE_POLICY, "WWW-Authenticate": "Bearer"}
    return HTMLResponse(html, status_code=401, headers=headers)


async def enter(request: Request, policy: Policy) -> Response:
    """Take what the page sends; the right secret gives a cookie."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST:
            return page(request, wrong=True)
    given = parse_qs(body.decode("utf-8", "replace")).get("secret", [""])[0]
    return admitted(request, policy, given.strip(), to="/")


def enter_by_link(request: Request, policy: Policy) -> Response:
    """Take a secret from the address, once, and lead on to the address without it."""
    rest = [item for item in request.query_params.multi_items() if item[0] != "token"]
    # Two slashes would name another server.
    path = "/" + request.url.path.lstrip("/\\")
    to = f"{path}?{urlencode(rest)}" if rest else path
    return admitted(request, policy, request.query_params["token"], to=to)


def admitted(request: Request, policy: Policy, given: str, *, to: str) -> Response:
    """Return a cookie for the right secret, and the page again for a wrong one."""
    admin = sessions.same(given, policy.admin_secret)
    if not (sessions.same(given, policy.secret) or admin):
        return page(request, wrong=True)
    before = sessions.read(request.cookies.get(COOKIE, ""), policy)
    # Whoever logs in again keeps their conversations.
    own = Session(id=before.id if before else sessions.new_id(), admin=admin)
    answer = RedirectResponse(to, status_code=303, headers=FRESH)
    answer.set_cookie(
        COOKIE,
        sessions.sign(own, policy),
        max_age=sessions.LASTS_S,
        httponly=True,
        samesite="strict",
        secure="https" in {request.url.scheme, request.headers.get("x-forwarded-proto")},
    )
    return answer


def leave() -> Response:
    """Take the cookie back."""
    answer = RedirectResponse(PATH, status_code=303, headers=FRESH)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def preferred(accepted: str) -> Lang:
    """Return the first language of an ``Accept-Language`` header that is spoken here."""
    for wanted in accepted.split(","):
        tag = wanted.partition(";")[0].partition("-")[0].strip().lower()
        if tag in langs():
            return tag
    return SPOKEN_FIRST
