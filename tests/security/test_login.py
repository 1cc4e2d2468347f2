"""Logging in with a browser: once, with the secret, for a cookie that no script can read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from tests.security.served import ADMIN_SECRET, SECRET, Served, refused

from elysia_guard.config import ServerSection
from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp.protection import principal
from elysia_guard.edge.elysia.webapp.protection.principal import COOKIE, Session

PAGE = {"Accept": "text/html"}


@contextmanager
def logged_in(served: Served, secret: str = SECRET) -> Iterator[httpx.Client]:
    """A browser that has logged in."""
    with served.client(headers=PAGE) as client:
        assert client.post("/guard/login", data={"secret": secret}).status_code == 303
        yield client


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Log in"), ("nl-NL,nl", "Inloggen"), ("de", "Anmelden"), ("xx", "Log in")],
)
def test_b1_a_browser_is_asked_for_the_secret(public: Served, lang: str, said: str) -> None:
    """Whoever opens the chat without a cookie gets the login, in their language."""
    with public.client(headers={**PAGE, "Accept-Language": lang}) as client:
        answer = client.get("/")
        assert answer.status_code == 401
        assert f">{said}<" in answer.text
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert client.post("/init/user/x1").json() != answer.text


def test_b1_logging_in_gives_a_cookie_that_opens_everything(public: Served) -> None:
    """After the login the page, its requests and its websocket need nothing more."""
    with logged_in(public) as client:
        cookie = client.cookies[COOKIE]
        assert client.get("/api/health").status_code == 200
        sent = {"Cookie": f"{COOKIE}={cookie}", "Origin": public.address}
        assert not refused(public, "/ws/query", additional_headers=sent)


def test_b1_the_cookie_is_for_this_site_and_no_script(public: Served) -> None:
    """The cookie is HttpOnly and SameSite=Strict, and Secure where the browser speaks HTTPS."""
    with public.client() as client:
        plain = client.post("/guard/login", data={"secret": SECRET})
        secure = client.post(
            "/guard/login", data={"secret": SECRET}, headers={"X-Forwarded-Proto": "https"}
        )
    kept = plain.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=strict" in kept
    assert "secure" not in kept
    assert "secure" in secure.headers["set-cookie"].lower()
    assert SECRET not in kept


@pytest.mark.parametrize(
    "secret", ["", "wrong-wrong-wrong", SECRET[:-1], f"{SECRET}x", "x" * 5_000]
)
def test_b1_a_wrong_secret_is_told_and_gives_nothing(public: Served, secret: str) -> None:
    """A wrong secret shows the login again, which says so, and no cookie comes."""
    with public.client(headers=PAGE) as client:
        answer = client.post("/guard/login", data={"secret": secret})
        assert answer.status_code == 401
        assert 'role="alert"' in answer.text
        assert "set-cookie" not in answer.headers


def test_b1_a_link_with_the_secret_logs_in_once(public: Served) -> None:
    """`?token=` gives the cookie and leads to the address without the secret."""
    with public.client() as client:
        answer = client.get("/", params={"page": "chat", "token": SECRET})
        assert (answer.status_code, answer.headers["location"]) == (303, "/?page=chat")
        assert client.get("/api/health").status_code == 200
        elsewhere = client.get("//evil.example/", params={"token": SECRET})
        assert not elsewhere.headers.get("location", "/").startswith("//")


def test_b1_leaving_takes_the_cookie_back(public: Served) -> None:
    """After the logout the browser is asked again."""
    with logged_in(public) as client:
        client.post("/guard/logout")
        assert client.get("/").status_code == 401


def test_b1_another_site_cannot_log_a_browser_in(public: Served) -> None:
    """A form of another site is refused."""
    with public.client(headers={"Origin": "https://evil.example"}) as client:
        assert client.post("/guard/login", data={"secret": SECRET}).status_code == 403


POLICY = Policy(server=ServerSection(public=True), secret=SECRET, admin_secret=ADMIN_SECRET)


@pytest.mark.parametrize("admin", [False, True])
def test_b1_a_session_is_what_was_signed_and_runs_out(admin: bool) -> None:
    """A cookie that is changed, old, or signed with another secret is no session."""
    session = Session(id=principal.new_id(), admin=admin)
    cookie = principal.sign(session, POLICY, now=1_000)
    assert principal.read(cookie, POLICY, now=1_000 + principal.LASTS_S) == session
    assert principal.read(cookie, POLICY, now=1_001 + principal.LASTS_S) is None
    kind, own, issued, signature = cookie.split(".")
    other = Policy(server=POLICY.server, secret="x" * 20, admin_secret="y" * 20)
    nobody = Policy(server=POLICY.server)
    changed = [
        f"{'user' if admin else 'admin'}.{own}.{issued}.{signature}",
        f"{kind}.{principal.new_id()}.{issued}.{signature}",
        f"{kind}.{own}.{int(issued) + 1}.{signature}",
        f"{kind}.{own}.{issued}.",
        "",
        "...",
        f"root.{own}.{issued}.{signature}",
    ]
    assert [principal.read(item, POLICY, now=1_000) for item in changed] == [None] * len(changed)
    assert principal.read(cookie, other, now=1_000) is None
    assert principal.read(cookie, nobody, now=1_000) is None
