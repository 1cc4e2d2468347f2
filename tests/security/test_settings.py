"""Settings: who may change them, and which addresses they may name."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from tests.loopback import LoopbackServer
from tests.security.served import ADMIN_SECRET, SECRET, Route, Served
from tests.security.test_keys import body_for
from tests.security.test_login import logged_in
from websockets.exceptions import ConnectionClosed

from elysia_guard.config import ServerSection
from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp.protection.settings import SettingsRefusedError, check

FREE = {"/user/config/models", "/user/config/{user_id}", "/user/config/{user_id}/list"}
BEGIN = ("/user/config", "/tools/{", "/ws/process_collection")


def changes_something(route: Route) -> bool:
    """Whether a route changes a setting, names an address, or writes into a store."""
    if route.path == "/tree/config/{user_id}/{conversation_id}":
        return route.method == "POST"
    begins = route.path.startswith((*BEGIN, "/tree/config"))
    writes = route.path.startswith("/collections") and route.method in {"PATCH", "DELETE"}
    return writes or (begins and route.path not in FREE)


def test_b3_only_administrators_change_settings(public: Served) -> None:
    """Where others can reach the chat, the secret alone changes no setting, on any route."""
    routes = [route for route in public.over_http if changes_something(route)]
    assert len(routes) > 15
    named = public.behind_the_proxy("ada")
    with public.client(SECRET) as program, logged_in(public) as browser, named as person:
        for client in (program, browser, person):
            for route in routes:
                answer = client.request(route.method, route.at(), json=body_for(route))
                assert (route.path, answer.status_code) == (route.path, 403)
                assert "ELYSIA_GUARD_ADMIN_SECRET" in answer.json()["error"]
    sent = {"Authorization": f"Bearer {SECRET}"}
    with public.socket("/ws/process_collection", additional_headers=sent) as socket:
        socket.send(json.dumps({"user_id": "x1", "collection_name": "Mine"}))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(30)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_b3_an_administrator_and_the_owner_do(public: Served, owners: Served) -> None:
    """With the admin secret, or on loopback as the owner, the settings page works."""
    user = str(uuid.uuid4())
    entered = logged_in(public, ADMIN_SECRET)
    with public.client(ADMIN_SECRET) as admin, owners.client() as owner, entered as browser:
        for client in (admin, owner, browser):
            client.post(f"/init/user/{user}")
            sent = {
                "name": "mine",
                "config": {
                    "settings": {"BASE_MODEL": "m", "BASE_PROVIDER": "p"},
                    "style": "Brief.",
                },
                "frontend_config": {"save_configs_to_weaviate": False},
                "default": True,
            }
            saved = client.post(f"/user/config/{user}/x1", json=sent).json()
            assert (saved["error"], saved["config"]["settings"]["BASE_MODEL"]) == ("", "m")


class Elsewhere(LoopbackServer[bytes]):
    """A server that must not be called."""

    async def _exchange(self, reader: Any, writer: Any) -> bool:
        self._take(await reader.read(1))
        return False


def at(url: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Every way to make the server call an address: method, path, body."""
    host, port = url.split("//")[1].split(":")
    custom = {"custom_http_host": host, "custom_http_port": int(port)}
    saved = {f"save_location_{name}": value for name, value in custom.items()}
    settings: list[dict[str, Any]] = [
        {"WCD_URL": url},
        {"wcd_url": f"{host}:{port}"},
        {"MODEL_API_BASE": url},
        {"BASE_MODEL": url, "BASE_PROVIDER": "huggingface"},
        {"BASE_PROVIDER": "x", "BASE_MODEL": f"huggingface/{url}"},
        {"WEAVIATE_IS_CUSTOM": True, **custom},
        {"WEAVIATE_IS_LOCAL": True, "LOCAL_WEAVIATE_PORT": int(port)},
        {"API_KEYS": {"openai_api_base": url}},
        {"API_KEYS": {"https_proxy": url}},
        {"API_KEYS": {"aws_region_name": f"{host}:{port}/x"}},
    ]
    frontend: list[dict[str, Any]] = [
        {"save_location_wcd_url": url},
        {"save_location_weaviate_is_custom": True, **saved},
        {
            "save_location_weaviate_is_local": True,
            "save_location_local_weaviate_port": int(port),
        },
    ]
    ways = [
        ("POST", "/user/config/{user}/x1", {"config": {"settings": item}, "frontend_config": {}})
        for item in settings
    ]
    ways += [("POST", "/tree/config/{user}/c", {"settings": item}) for item in settings]
    ways += [
        ("POST", "/user/config/{user}/x1", {"config": {}, "frontend_config": item})
        for item in frontend
    ]
    ways += [
        ("PATCH", "/user/config/frontend_config/{user}", {"config": item}) for item in frontend
    ]
    return ways


def test_b3_nobody_names_an_address_that_is_not_listed(public: Served) -> None:
    """Beyond loopback an administrator too names configured addresses alone, on every route."""
    user = str(uuid.uuid4())
    with Elsewhere() as elsewhere, public.client(ADMIN_SECRET) as admin:
        admin.post(f"/init/user/{user}")
        admin.post(f"/init/tree/{user}/c", json={})
        for method, path, body in at(elsewhere.url):
            sent = {"name": "x", "default": True, **body}
            answer = admin.request(method, path.format(user=user), json=sent)
            assert (path, body, answer.status_code) == (path, body, 403)
        admin.get(f"/collections/{user}/list")
        assert elsewhere.connections == 0


LISTED = Policy(
    server=ServerSection(
        public=True, allowed_addresses=["weaviate.example.org", "https://m.example.org:8443"]
    ),
    secret=SECRET,
)


@pytest.mark.parametrize(
    "settings",
    [
        {"WCD_URL": "https://weaviate.example.org"},
        {"WCD_URL": "weaviate.example.org:8080"},
        {"MODEL_API_BASE": "https://m.example.org:8443/v1"},
        {"MODEL_API_BASE": ""},
        {"WCD_URL": "https://here.already"},
        {"style": "See https://elsewhere.example"},
        {"API_KEYS": {"OPENAI_API_KEY": "x", "aws_region_name": "eu-west-1", "null": "null"}},
    ],
)
def test_b3_listed_and_present_addresses_may_be_set(settings: dict[str, Any]) -> None:
    """What the configuration lists may be named, and what stands already may stay."""
    check(settings, LISTED, {"WCD_URL": "https://here.already"})


@pytest.mark.parametrize(
    "settings",
    [
        {"WCD_URL": "https://weaviate.example.org.evil.example"},
        {"WCD_URL": "https://weaviate.example.org@evil.example"},
        {"WCD_URL": "https://evil.example/weaviate.example.org"},
        {"WCD_URL": "https://evil.example\\weaviate.example.org"},
        {"WCD_URL": "https://evil.example#@weaviate.example.org"},
        {"WCD_URL": "http://[::1"},
        {"MODEL_API_BASE": "http://m.example.org:8443"},
        {"MODEL_API_BASE": "https://m.example.org"},
        {"CUSTOM_HTTP_HOST": "169.254.169.254"},
        {"custom_http_port": 22},
        {"unheard_of": "gopher://evil.example"},
        {"API_KEYS": {"PATH": "/elsewhere"}},
        {"API_KEYS": {"LD_PRELOAD": "x"}},
    ],
)
def test_b3_what_only_looks_like_a_listed_address_may_not(settings: dict[str, Any]) -> None:
    """An address is compared by its parts, with all that is set already."""
    with pytest.raises(SettingsRefusedError):
        check(settings, LISTED, {"CUSTOM_HTTP_HOST": "here", "CUSTOM_HTTP_PORT": 8080})


def test_b3_the_owner_on_loopback_names_any_address_until_they_are_listed() -> None:
    """On loopback the owner says where; a list binds the owner too."""
    anywhere = {"WCD_URL": "https://anywhere.example"}
    check(anywhere, Policy(), {})
    with pytest.raises(SettingsRefusedError, match=r"server\.allowed_addresses"):
        check(anywhere, Policy(server=ServerSection(allowed_addresses=[])), {})
