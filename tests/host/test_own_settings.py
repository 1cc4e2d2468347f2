"""Settings and memory of the web app's users, in Elysia's own managers."""

from __future__ import annotations

from typing import Any

import pytest

from elysia_guard.config import ServerSection
from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp import app
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager
from elysia_guard.edge.elysia.webapp.protection.settings import SettingsRefusedError, Vetting
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

KEYS = {"openai_api_key": "canary-openai-41c7d9e2", "mine_api_key": "canary-mine-5b0e"}
PUBLIC = Policy(server=ServerSection(public=True, allowed_addresses=["here.example.org"]))


def users_of(wiring: Wiring, monkeypatch: pytest.MonkeyPatch, **limits: int) -> GuardedUserManager:
    """Users of a web app with limits of its own."""
    from elysia.api.dependencies import common

    section = wiring.config.server.model_copy(update=limits)
    own = wiring.config.model_copy(update={"server": section})
    monkeypatch.setattr(wiring, "config", own)
    users = GuardedUserManager(wiring, Vetting(policy=Policy()))
    monkeypatch.setattr(common, "user_manager", users)
    return users


@pytest.fixture
async def users(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> GuardedUserManager:
    made = users_of(wiring, monkeypatch)
    await made.update_config("ada", settings={"API_KEYS": KEYS, "WCD_API_KEY": "canary-wcd-93ab"})
    return made


def shown(users: GuardedUserManager) -> dict[str, str]:
    return {name: users.vetting.vault.handle(value) for name, value in KEYS.items()}


async def test_b1_handles_become_keys_again_in_every_setting(users: GuardedUserManager) -> None:
    """What the page was shown for a key is that key, in settings, storage and a conversation."""
    manager = users.users["ada"]["tree_manager"]
    handle = users.vetting.vault.handle("canary-wcd-93ab")
    await users.update_config("ada", settings={"API_KEYS": shown(users), "WCD_API_KEY": handle})
    assert manager.settings.API_KEYS == KEYS
    assert manager.settings.WCD_API_KEY == "canary-wcd-93ab"
    await users.update_frontend_config("ada", {"save_location_wcd_api_key": handle})
    assert users.users["ada"]["frontend_config"].save_location_wcd_api_key == "canary-wcd-93ab"
    tree = await users.initialise_tree("ada", "c")
    tree.configure(API_KEYS=shown(users))
    assert tree.settings.API_KEYS == KEYS


async def test_b1_a_password_in_an_address_is_a_key(users: GuardedUserManager) -> None:
    """An address is shown without the password in it, and posted back so it keeps it."""
    where = "https://me:canary-pass-77@models.example.org/v1"
    await users.update_config("ada", settings={"MODEL_API_BASE": where})
    seen = users.shown("ada")["MODEL_API_BASE"]
    assert seen == "https://me:***@models.example.org/v1"
    await users.update_config("ada", settings={"MODEL_API_BASE": seen})
    assert where == users.users["ada"]["tree_manager"].settings.MODEL_API_BASE


async def test_b3_no_way_leads_around_the_addresses(users: GuardedUserManager) -> None:
    """Settings that come from a store, and not with a request, are held to the same list."""
    users.vetting = Vetting(policy=PUBLIC)
    await users.update_config("eve", settings={"WCD_URL": ""})
    tree = await users.initialise_tree("eve", "c")
    elsewhere: dict[str, Any] = {"WCD_URL": "https://elsewhere.example"}
    with pytest.raises(SettingsRefusedError):
        await users.update_config("eve", settings=elsewhere)
    with pytest.raises(SettingsRefusedError):
        await users.update_frontend_config("eve", {"save_location_wcd_url": "https://x.example"})
    with pytest.raises(SettingsRefusedError):
        tree.configure(**elsewhere)


async def test_b4_users_and_conversations_in_memory_are_bounded(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of made-up users and conversations leave no more behind than configured."""
    users = users_of(wiring, monkeypatch, max_users=5, max_conversations=3)
    for number in range(20):
        await users.add_user_local(f"user-{number}")
        await users.initialise_tree("user-0", f"conversation-{number}")
        assert "user-0" in users.users
    assert len(users.users) == 5
    assert list(users.users["user-0"]["tree_manager"].trees)[-1] == "conversation-19"
    assert len(users.users["user-0"]["tree_manager"].trees) == 3


def test_b1_the_application_is_protected_once(wiring: Wiring) -> None:
    """However often it is made, each layer stands around Elysia's application once."""
    from elysia_guard.edge.elysia.webapp.protection import LAYERS

    made = [app.create_app(wiring) for _ in range(2)][-1]
    layers = [item.cls for item in made.user_middleware]
    assert [item for item in layers if item in LAYERS] == list(LAYERS)


async def test_b1_what_is_entered_is_kept_out_of_everything(users: GuardedUserManager) -> None:
    """A key that somebody enters is hidden from then on, wherever it would be shown."""
    assert users.vetting.vault.redact(f"no such key: {KEYS['mine_api_key']}") == "no such key: ***"
