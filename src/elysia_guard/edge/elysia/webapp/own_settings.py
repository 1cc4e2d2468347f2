"""The settings that people make on the page, with real keys in place of what the page was shown."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from elysia_guard.edge.elysia.webapp.protection.policy import Policy
from elysia_guard.edge.elysia.webapp.protection.settings import (
    check,
    check_no_new_key,
    keys_of,
    resolved,
)
from elysia_guard.edge.elysia.webapp.protection.vault import Vault

# After host, which makes the import of Elysia need no network.
import elysia_guard.edge.elysia.host  # isort: skip  # noqa: F401
from elysia.api.services.user import UserManager  # isort: skip
from elysia.api.utils.config import FrontendConfig  # isort: skip


@dataclass(frozen=True, kw_only=True)
class Vetting:
    """What may be set, and which keys are known."""

    policy: Policy = field(default_factory=Policy)
    vault: Vault = field(default_factory=Vault)
    alone: bool = True
    """Whether no other process answers the same users: only then may they enter keys here."""

    def vetted(self, settings: Mapping[str, Any], current: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings as they are to be kept.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        meant = resolved(settings, self.vault, current)
        check(meant, self.policy, current)
        if not self.alone:
            check_no_new_key(meant, current)
        self.vault.learn(keys_of(meant))
        return meant


class ToldFrontendConfig(FrontendConfig):
    """Where a user's conversations and settings are saved, told as it is.

    By default they are to be saved in a Weaviate, also where there is none to save them in.
    """

    def to_json(self) -> dict[str, Any]:
        """Return the settings as the page is shown them."""
        told: dict[str, Any] = super().to_json()
        if self.save_location_client_manager.is_client:
            return told
        return told | {"save_trees_to_weaviate": False, "save_configs_to_weaviate": False}


class VettedUserManager(UserManager):
    """Elysia's users, who set nothing that may not be set, and no handle in the place of a key."""

    vetting = Vetting()

    async def update_config(self, user_id: str, *args: Any, **named: Any) -> None:
        """Change a user's settings.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        whole = inspect.signature(super().update_config).bind(user_id, *args, **named).arguments
        if whole.get("settings") is not None:
            await self.get_user_local(user_id)
            whole["settings"] = self.vetting.vetted(whole["settings"], self.in_use(user_id))
        await super().update_config(**whole)

    async def update_frontend_config(self, user_id: str, config: dict[str, Any]) -> None:
        """Change where a user's conversations and settings are saved.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        await self.get_user_local(user_id)
        config = self.vetting.vetted(config, self.in_use(user_id))
        await super().update_frontend_config(user_id, config)

    def shown(self, user_id: str) -> dict[str, Any]:
        """The settings that a user has now, as the page is shown them."""
        redact = self.vetting.vault.redact
        return {
            name: redact(value) if isinstance(value, str) else value
            for name, value in self.in_use(user_id).items()
        }

    def in_use(self, user_id: str) -> dict[str, Any]:
        """The settings that a user has now; of somebody new, none."""
        user = self.users.get(user_id, {})
        if "frontend_config" not in user or "tree_manager" not in user:
            return {}
        own: dict[str, Any] = user["tree_manager"].settings.to_json()
        return {**own, **user["frontend_config"].to_json()}
