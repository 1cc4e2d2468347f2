"""Keys never leave the process: not in an answer, a log line, an error or a saved tree."""

from __future__ import annotations

import json
import uuid

import httpx
import pytest
from tests.security.served import ADMIN_SECRET, CANARIES, SECRET, Route, Served, leaked

from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.edge.elysia.webapp.protection.vault import Vault, is_handle, masked

POSTED = {
    "posted": "canary-posted-6e2b7c1d",
    "saved": "canary-saved-aa01bb23",
    "malformed": "canary-malformed-9911",
}
ALL = {**CANARIES, **POSTED, "secret": SECRET, "admin": ADMIN_SECRET}


def body_for(route: Route) -> dict[str, object]:
    """Something that the route may take for what it asks."""
    return {
        "user_id": "x1",
        "conversation_id": "x1",
        "query_id": "x1",
        "request_id": "x1",
        "text": "CIM",
        "feedback": 1,
        "judgement": "right",
        "name": "mine",
        "default": True,
        "low_memory": False,
        "page_size": 1,
        "page_number": 1,
        "tool_name": "x",
        "branch_id": "x",
        "from_tool_ids": [],
        "id": "x",
        "description": "x",
        "instruction": "x",
        "from_branch_id": "",
        "status": "x",
        "root": False,
        "config": (
            {"save_location_wcd_api_key": POSTED["saved"]}
            if "frontend_config" in route.path
            else {"settings": {"API_KEYS": {"some_api_key": POSTED["posted"]}}}
        ),
        "frontend_config": {"save_location_wcd_api_key": POSTED["saved"]},
        "settings": {"LOGGING_LEVEL": "DEBUG", "API_KEYS": {"some_api_key": POSTED["posted"]}},
    }


@pytest.mark.parametrize(
    ("name", "token"),
    [("owners", ""), ("public", ""), ("public", SECRET), ("public", ADMIN_SECRET)],
)
def test_b1_no_key_in_any_answer_or_log_line(
    servers: dict[str, Served], name: str, token: str
) -> None:
    """Whatever is asked of whichever route, right or wrong, no key comes back or is logged."""
    user, served = str(uuid.uuid4()), servers[name]
    with served.client(token) as client:
        client.post(f"/init/user/{user}")
        for _ in range(2):  # what the first round has set shows in the second
            for route in served.over_http:
                path = route.at(user_id=user)
                client.request(route.method, path)
                if route.method in {"POST", "PATCH", "PUT"}:
                    client.request(route.method, path, json=body_for(route))
                    wrong = {"config": POSTED["malformed"], "text": [POSTED["malformed"]]}
                    client.request(route.method, path, json=wrong)
    if token or name == "owners":
        chat_about_keys(served, token, user)
        # What was looked through did hold settings.
        assert b'"openai_api_key":"set:' in served.received
    assert leaked(bytes(served.received), ALL) == []
    assert leaked(served.log.read_text(), ALL) == []


def chat_about_keys(served: Served, token: str, user: str) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with served.socket(additional_headers=headers) as socket:
        for question in ("What is CIMXML?", f"Say {CANARIES['WCD_API_KEY']}", "Tell me a story"):
            served.ask(socket, question, user_id=user, query_id=str(uuid.uuid4()))


def settings_of(client: httpx.Client, user: str) -> dict[str, object]:
    return dict(client.get(f"/user/config/{user}").json())


def test_b1_what_is_set_is_shown_as_set(owners: Served) -> None:
    """The settings page sees which keys are set, and a handle in the place of each."""
    user = str(uuid.uuid4())
    with owners.client() as client:
        for shown in (
            client.post(f"/init/user/{user}").json(),
            client.get(f"/user/config/{user}").json(),
            client.post(f"/user/config/{user}/new").json(),
        ):
            settings = shown["config"]["settings"]
            assert is_handle(settings["API_KEYS"]["openai_api_key"])
            assert is_handle(settings["WCD_API_KEY"])
            assert is_handle(shown["frontend_config"]["save_location_wcd_api_key"])
        assert client.post(f"/init/user/{user}").json()["correct_settings"]["wcd_api_key"] is True


def test_b1_saving_what_was_shown_changes_no_key(owners: Served) -> None:
    """Settings posted back as they were shown keep every key, and a new key takes its place."""
    user = str(uuid.uuid4())
    with owners.client() as client:
        client.post(f"/init/user/{user}")
        shown = client.get(f"/user/config/{user}").json()
        shown["config"]["settings"]["API_KEYS"]["mine_api_key"] = POSTED["posted"]
        sent = {
            "name": "mine",
            "config": shown["config"],
            "frontend_config": {**shown["frontend_config"], "save_configs_to_weaviate": False},
            "default": True,
        }
        saved = client.post(f"/user/config/{user}/{uuid.uuid4()}", json=sent).json()
        again = client.get(f"/user/config/{user}").json()
        assert saved["error"] == ""
        # The same handle is the same key: had it been taken for one, its own would be another.
        before = shown["config"]["settings"]["API_KEYS"]
        after = again["config"]["settings"]["API_KEYS"]
        assert {name: after[name] for name in before if name != "mine_api_key"} == {
            name: value for name, value in before.items() if name != "mine_api_key"
        }
        assert is_handle(after["mine_api_key"])
        assert after["mine_api_key"] not in before.values()
        assert (
            again["config"]["settings"]["WCD_API_KEY"] == shown["config"]["settings"]["WCD_API_KEY"]
        )
        key = "save_location_wcd_api_key"
        assert again["frontend_config"][key] == shown["frontend_config"][key]


def test_b1_an_old_handle_keeps_the_key_that_is_there(owners: Served) -> None:
    """A page from before a restart posts handles that nobody knows; the keys stay."""
    user, stale = str(uuid.uuid4()), "set:" + "0" * 32
    with owners.client() as client:
        client.post(f"/init/user/{user}")
        before = client.get(f"/user/config/{user}").json()["config"]["settings"]
        settings = {"API_KEYS": {"openai_api_key": stale}, "WCD_API_KEY": stale}
        sent = {
            "name": "x",
            "config": {"settings": settings},
            "frontend_config": {},
            "default": True,
        }
        client.post(f"/user/config/{user}/x1", json=sent)
        after = client.get(f"/user/config/{user}").json()["config"]["settings"]
        assert after["WCD_API_KEY"] == before["WCD_API_KEY"]
        assert after["API_KEYS"]["openai_api_key"] == before["API_KEYS"]["openai_api_key"]


def test_b1_a_saved_conversation_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exported tree has no key in it; taken up again it has those of the process."""
    from elysia.config import settings as of_the_process

    own = {"openai_api_key": "the-process-has-this-one"}
    monkeypatch.setattr(of_the_process, "API_KEYS", own)
    settings = Settings()
    settings.API_KEYS = {"openai_api_key": POSTED["posted"]}
    settings.WCD_API_KEY = POSTED["saved"]
    tree = GuardedTree(settings=settings)
    saved = json.dumps(tree.export_to_json())
    assert leaked(saved, POSTED) == []
    assert {"openai_api_key": POSTED["posted"]} == tree.settings.API_KEYS
    again = GuardedTree.import_from_json(json.loads(saved))
    assert again.conversation_id == tree.conversation_id
    assert again.settings.API_KEYS == again.tree_data.settings.API_KEYS == own


def test_b1_every_form_of_a_key_is_hidden() -> None:
    """A key is found as it is, in JSON and in an address; a short word is no key to hide."""
    vault = Vault()
    vault.learn([*CANARIES.values(), "ollama"])
    for value in CANARIES.values():
        for text in (value, json.dumps({"a": value}), json.dumps(value, ensure_ascii=False)):
            assert leaked(vault.redact(f"Error: {text}!"), CANARIES) == []
    assert vault.redact("Ask ollama") == "Ask ollama"


def test_b1_handles_tell_nothing_and_stand_for_one_key() -> None:
    """A handle gives its key back in the process that made it, and in no other."""
    vault, other = Vault(), Vault()
    handle = vault.handle("a-key-of-mine")
    assert vault.key(handle) == "a-key-of-mine"
    assert other.key(handle) is None
    assert other.handle("a-key-of-mine") != handle
    shown = masked(
        {"API_KEYS": {"x": "k", "null": "null"}, "WCD_API_KEY": "", "a": [1]}, vault.handle
    )
    assert shown["API_KEYS"] == {"x": vault.handle("k"), "null": "null"}
    assert (shown["WCD_API_KEY"], shown["a"]) == ("", [1])
