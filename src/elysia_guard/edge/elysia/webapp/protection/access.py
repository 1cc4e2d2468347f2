"""Nobody in whom we do not know; they log in once, with the secret, on a page of our own."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from urllib.parse import parse_qs, urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from elysia_guard.domain.question import Lang
from elysia_guard.edge.access_policy import ADMIN_SECRET, SECRET, Policy
from elysia_guard.edge.elysia.webapp.protection import principal
from elysia_guard.edge.elysia.webapp.protection.bounds import Refusal, body_of, refuse
from elysia_guard.edge.elysia.webapp.protection.principal import (
    COOKIE,
    KEY,
    Session,
    forwarded,
    who,
)
from elysia_guard.edge.service.routes import ALIVE
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
    """Take what the page sends; the right secret gives a cookie.

    Raises:
        Refusal: it does not arrive.
    """
    try:
        body = await body_of(request, _LONGEST, policy.server.arrival_seconds)
    except Refusal as no:
        if no.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
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
    admin = principal.same(given, policy.admin_secret)
    if not (principal.same(given, policy.secret) or admin):
        return page(request, wrong=True)
    before = principal.read(request.cookies.get(COOKIE, ""), policy)
    # Whoever logs in again keeps their conversations.
    own = Session(id=before.id if before else principal.new_id(), admin=admin)
    answer = RedirectResponse(to, status_code=303, headers=FRESH)
    answer.set_cookie(
        COOKIE,
        principal.sign(own, policy),
        max_age=principal.LASTS_S,
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


NO_SECRET = f"Send the secret: 'Authorization: Bearer ...' with the value of {SECRET}."
NO_NAME = "The proxy in front of this server has not said who you are."
PASSED_ON = (
    "This request came through a proxy, and the server was started for its owner alone. Set "
    f"{SECRET}, or server.user_header and server.proxies; docs/security.md shows both."
)
NOT_OWNER = "This server answers its owner alone, on its own machine."
OPEN = ("/metrics", "/metrics.json", ALIVE)
"""The metrics have a setting of their own, and ask it; a probe is told nothing else."""


class KnownOnly:
    """Asks who somebody is, and lets them log in."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes from somebody known, and say so in the scope."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        policy: Policy = scope["app"].state.policy
        try:
            if scope["type"] == "http" and await _at_the_door(
                Request(scope, receive), policy, send
            ):
                return
        except Refusal as no:
            await refuse(scope, send, no.status, no.why)
            return
        connection = HTTPConnection(scope)
        scope[KEY] = who(connection, policy)
        if scope[KEY] or scope["path"] in OPEN:
            await self._app(scope, receive, send)
            return
        if policy.has_login and _is_page(connection):
            await page(Request(scope, receive))(scope, receive, send)
            return
        status, why = _why(connection, policy)
        headers = {"www-authenticate": "Bearer"} if status == 401 else None  # noqa: PLR2004
        await refuse(scope, send, status, why, headers)


async def _at_the_door(request: Request, policy: Policy, send: Send) -> bool:
    """Answer what belongs to the login; tell whether something did."""
    if not policy.has_login:
        return False
    path, method = request.url.path, request.method
    if path == PATH and method in {"GET", "HEAD"}:
        answer = page(request)
    elif path == PATH and method == "POST":
        answer = await enter(request, policy)
    elif path == LEAVE and method == "POST":
        answer = leave()
    elif method == "GET" and "token" in request.query_params:
        answer = enter_by_link(request, policy)
    else:
        return False
    await answer(request.scope, request.receive, send)
    return True


def _is_page(connection: HTTPConnection) -> bool:
    plain = connection.scope["type"] == "http" and connection.scope["method"] in {"GET", "HEAD"}
    return plain and "text/html" in connection.headers.get("accept", "")


def _why(connection: HTTPConnection, policy: Policy) -> tuple[int, str]:
    if policy.has_login:
        return 401, NO_SECRET
    if policy.server.user_header:
        return 401, NO_NAME
    if "authorization" in connection.headers:
        return 401, f"No secret is set here: {SECRET} and {ADMIN_SECRET} are empty."
    return 403, PASSED_ON if forwarded(connection) else NOT_OWNER
