"""Who gets in: every route of the running server, against everybody who should not."""

from __future__ import annotations

import os
from ipaddress import IPv4Address
from pathlib import Path

import httpx
import pytest
from tests import prepared
from tests.security.served import ADMIN_SECRET, PATIENCE_S, SECRET, Served, refused

from elysia_guard.config import ServerSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.access_policy import Policy

EVIL = "https://evil.example"
EVERYWHERE = str(IPv4Address(0))
METRICS = {"/metrics", "/metrics.json"}
"""They have a setting of their own, and no login."""
ALIVE = "/healthz"
OPEN = METRICS | {ALIVE}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def statuses(served: Served, **headers: str) -> dict[tuple[str, str], int]:
    """What every route answers to a request with these headers."""
    with served.client(headers=headers) as client:
        return {
            (route.method, route.path): client.request(route.method, route.at()).status_code
            for route in served.over_http
        }


def test_b1_every_documented_route_is_tried(any_server: Served) -> None:
    """No route of the server is left out of these tests, also one that is new."""
    tried = {(route.method, route.path) for route in any_server.over_http}
    assert any_server.documented <= tried
    assert {route.path for route in any_server.websockets} == {
        "/ws/query",
        "/ws/process_collection",
    }


def test_b1_no_form_of_another_name_or_page_is_let_in(any_server: Served) -> None:
    """Whatever way a foreign host or origin is written, it gets no answer."""
    hosts = ["evil.example", "evil.example:80", "10.0.0.1"]
    origins = ["http://localhost", "file://"]
    sent = [{"Host": host} for host in hosts] + [{"Origin": origin} for origin in origins]
    with any_server.client(headers=bearer(ADMIN_SECRET)) as client:
        found = [client.get("/guard/ready", headers=headers).status_code for headers in sent]
    assert found == [400] * len(hosts) + [403] * len(origins)


@pytest.mark.parametrize("host", ["127.0.0.1.evil.example", "[::2]", "a b"])
def test_b1_every_route_answers_to_its_own_names_alone(any_server: Served, host: str) -> None:
    """A name that is not the server's gets no answer on any route: no other site's leads in."""
    assert set(statuses(any_server, Host=host, **bearer(ADMIN_SECRET)).values()) == {400}


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example"])
def test_b1_a_websocket_answers_to_its_own_names_alone(any_server: Served, host: str) -> None:
    """A websocket with a foreign name is refused, whatever page it says that it comes from."""
    for route in any_server.websockets:
        headers = {"Host": host, "Origin": f"http://{host}", **bearer(ADMIN_SECRET)}
        assert refused(any_server, route.at(), additional_headers=headers)


@pytest.mark.parametrize("origin", [EVIL, "null", "http://127.0.0.1:1"])
def test_b1_no_page_of_another_site_may_call(any_server: Served, origin: str) -> None:
    """A request from a page of another site, or of another port, is refused on every route."""
    assert set(statuses(any_server, Origin=origin, **bearer(ADMIN_SECRET)).values()) == {403}
    for route in any_server.websockets:
        headers = {**bearer(ADMIN_SECRET), "Origin": origin}
        assert refused(any_server, route.at(), additional_headers=headers)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_b1_no_picture_or_script_of_another_site_may_call(any_server: Served, site: str) -> None:
    """What another site embeds is refused also where the browser names no origin."""
    fetched = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
    assert set(statuses(any_server, **fetched, **bearer(ADMIN_SECRET)).values()) == {403}


@pytest.mark.parametrize(
    "sent", [{}, bearer("wrong-wrong-wrong"), {"Authorization": "Bearer"}, {"Authorization": "x"}]
)
def test_b1_nobody_gets_in_without_the_secret(public: Served, sent: dict[str, str]) -> None:
    """Where others can reach the chat, every route asks for the secret; a wrong one is none."""
    found = statuses(public, **sent)
    assert {status for (_, path), status in found.items() if path not in OPEN} == {401}
    assert {status for (_, path), status in found.items() if path in METRICS} <= {401, 403, 405}
    for route in public.websockets:
        assert refused(public, route.at(), additional_headers=sent)


def test_b1_a_wrong_token_is_refused_on_loopback_too(owners: Served) -> None:
    """Who shows a token is held to it, also where the owner needs none."""
    found = statuses(owners, **bearer("wrong-wrong-wrong"))
    assert {status for (_, path), status in found.items() if path not in OPEN} == {401}
    for route in owners.websockets:
        assert refused(owners, route.at(), additional_headers=bearer("wrong-wrong-wrong"))


@pytest.mark.parametrize(
    "passed_on",
    [{"X-Forwarded-For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}, {"X-Real-IP": "::2"}],
)
def test_b1_a_proxy_makes_nobody_the_owner(owners: Served, passed_on: dict[str, str]) -> None:
    """A chat for its owner refuses what a proxy passes on, and says what to configure."""
    found = statuses(owners, **passed_on)
    assert {status for (_, path), status in found.items() if path != ALIVE} == {403}
    with owners.client() as client:
        assert "ELYSIA_GUARD_SECRET" in client.get("/api/health", headers=passed_on).text
    for route in owners.websockets:
        assert refused(owners, route.at(), additional_headers=passed_on)


def test_b1_the_secret_opens_and_the_owner_needs_none(public: Served, owners: Served) -> None:
    """With the secret a program uses the chat; on loopback its owner just opens it."""
    with public.client(SECRET) as program, owners.client() as owner:
        for client in (program, owner):
            assert client.get("/api/health").json() == {"status": "healthy"}
            assert "<html" in client.get("/").text
    assert not refused(public, "/ws/query", additional_headers=bearer(SECRET))
    assert not refused(owners, "/ws/query")


@pytest.mark.parametrize("host", ["localhost", "[::1]", "127.0.0.1:99", "chat.example.org"])
def test_b1_configured_names_are_answered(public: Served, host: str) -> None:
    """The names of this machine and those in server.allowed_hosts are the server's own."""
    with public.client(SECRET, headers={"Host": host}) as client:
        assert client.get("/api/health").status_code == 200


def test_b1_a_page_behind_a_proxy_may_call(public: Served) -> None:
    """A page under a configured name may call although its proxy speaks to another one."""
    with public.client(SECRET, headers={"Origin": "https://chat.example.org"}) as client:
        assert client.get("/api/health").status_code == 200
    with public.client(SECRET, headers={"Origin": "https://chat.example.org:8443"}) as client:
        assert client.get("/api/health").status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([("X-Remote-User", "ada")], 200),
        ([], 401),
        ([("X-Remote-User", "")], 401),
        ([("X-Remote-User", "ada"), ("X-Remote-User", "root")], 401),
        ([("X_Remote_User", "ada")], 401),
        ([("X-Remote-User", "a" * 300)], 401),
    ],
)
def test_b1_a_proxy_says_who_somebody_is(
    public: Served, headers: list[tuple[str, str]], status: int
) -> None:
    """Behind a proxy that logs people in, its header names them: once, or nobody gets in."""
    with public.behind_the_proxy() as client:
        assert client.get("/api/health", headers=httpx.Headers(headers)).status_code == status


def test_b1_the_header_is_believed_from_the_proxy_alone(public: Served) -> None:
    """Who writes the header themselves is nobody."""
    with public.client(headers={"X-Remote-User": "ada"}) as client:
        assert client.get("/api/health").status_code == 401


@pytest.mark.parametrize(
    ("environ", "settings", "said"),
    [
        ({}, {}, "ELYSIA_GUARD_SECRET"),
        ({"ELYSIA_GUARD_SECRET": "short"}, {}, "5 characters"),
        ({"ELYSIA_GUARD_SECRET": "spaces are not for a header"}, {}, "no spaces"),
        ({"ELYSIA_GUARD_ADMIN_SECRET": ADMIN_SECRET}, {}, "ELYSIA_GUARD_SECRET"),
        ({"ELYSIA_GUARD_SECRET": SECRET, "ELYSIA_GUARD_ADMIN_SECRET": SECRET}, {}, "the same"),
        ({}, {"proxies": ["192.0.2.1"]}, "server.user_header"),
    ],
)
@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.0.2.7", "chat.example.org"])
def test_b1_nothing_stands_open_to_others(
    host: str, environ: dict[str, str], settings: dict[str, list[str]], said: str
) -> None:
    """At an address that others reach there is no chat without a way to know who they are."""
    with pytest.raises(ConfigError, match=said) as refusal:
        Policy.of(ServerSection.model_validate(settings), host, environ)
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8", "LOCALHOST."])
def test_b1_on_loopback_nothing_is_asked_unless_it_is_public(host: str) -> None:
    """A chat on loopback is its owner's; one that a proxy makes public is not."""
    assert Policy.of(ServerSection(), host, {}).is_owners
    with pytest.raises(ConfigError, match="ELYSIA_GUARD_SECRET"):
        Policy.of(ServerSection(public=True), host, {})


def test_b1_the_command_does_not_start_open_to_others(tmp_path: Path) -> None:
    """`elysia-guard chat --host 0.0.0.0` says what to set, in one line, and ends."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ELYSIA_")}
    log = tmp_path / "chat.log"
    with log.open("w") as told:
        program = prepared.begin(
            ["chat", "--host", EVERYWHERE],
            module="elysia_guard.edge.cli.main",
            folder=Path.cwd(),
            environment=kept,
            stderr=told,
        )
    with program.stdout:
        assert program.wait(PATIENCE_S) == 3
    assert "set ELYSIA_GUARD_SECRET" in log.read_text()
    assert "Traceback" not in log.read_text()


def test_b1_metrics_are_for_this_machine_or_who_has_the_secret(
    owners: Served, public: Served
) -> None:
    """Behind a proxy everybody seems to be on this machine, so the metrics need the secret."""
    with owners.client() as owner, public.client() as nobody, public.client(SECRET) as program:
        for path in METRICS:
            assert owner.get(path).status_code == 200
            assert owner.get(path, headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 403
            assert nobody.get(path).status_code == 403
            assert program.get(path).status_code == 200
    with public.behind_the_proxy() as passed_on, public.behind_the_proxy("ada") as person:
        for client in (passed_on, person):
            assert {client.get(path).status_code for path in METRICS} == {403}


def test_a_probe_without_the_secret_is_told_that_the_server_runs(any_server: Served) -> None:
    """And nothing else, whatever it sends; what needs the secret still does."""
    for sent in ({}, bearer("wrong-wrong-wrong"), {"X-Forwarded-For": "192.0.2.7"}):
        with any_server.client(headers=sent) as probe:
            answer = probe.get(ALIVE)
            assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
            assert not answer.cookies
            assert probe.post(ALIVE, json={}).status_code in {401, 403, 405}


def test_every_route_of_the_description_asks_for_the_secret_that_it_names(public: Served) -> None:
    """Without it each answers 401 as described, but the probe; with it none does."""
    with public.client() as nobody, public.client(SECRET) as program:
        told = program.get("/guard/openapi.json").json()
        assert set(told["components"]["securitySchemes"]) == {"secret"}
        for path, methods in told["paths"].items():
            for method, operation in methods.items():
                alone = nobody.request(method, path).status_code
                assert (path, alone) == (path, 200 if path == ALIVE else 401)
                assert bool(operation["security"]) == ("401" in operation["responses"])
                assert ("401" in operation["responses"]) == (path != ALIVE)
                assert program.request(method, path).status_code != 401
