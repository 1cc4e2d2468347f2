"""The settings that people make on the page, kept beside their conversations, without their keys.

A key stays in the process that it was entered in, or comes from the environment of each.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from elysia_guard.adapters.conversations import Keeper
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import SavedSettings
from elysia_guard.edge.elysia.webapp.own_settings import Vetting
from elysia_guard.edge.elysia.webapp.protection.settings import SettingsRefusedError, check
from elysia_guard.edge.elysia.webapp.protection.vault import is_secret, passwords

log = logging.getLogger(__name__)

Values = dict[str, Any]

_TEXTS = ("name", "style", "agent_description", "end_goal", "branch_initialisation")
_OF_THE_PROCESS = frozenset({"SETTINGS_ID", "API_KEYS", "LOGGING_LEVEL", "LOGGING_LEVEL_INT"})
_TOGETHER = (
    frozenset(
        {"BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER", "MODEL_API_BASE"}
    ),
    frozenset(
        {
            "WCD_URL",
            "WEAVIATE_IS_LOCAL",
            "LOCAL_WEAVIATE_PORT",
            "LOCAL_WEAVIATE_GRPC_PORT",
            "WEAVIATE_IS_CUSTOM",
            "CUSTOM_HTTP_HOST",
            "CUSTOM_HTTP_PORT",
            "CUSTOM_HTTP_SECURE",
            "CUSTOM_GRPC_HOST",
            "CUSTOM_GRPC_PORT",
            "CUSTOM_GRPC_SECURE",
        }
    ),
)
"""Settings that mean something together alone: where one was set, all are kept."""


@dataclass(slots=True, weakref_slot=True)
class _Seen:
    """What is known here of one user's settings."""

    begun: Values
    """What they were before anybody set anything."""
    held: Mapping[str, str]
    """The keys that the environment held."""
    version: int = 0
    """Of what was kept, as far as it was applied here."""
    looked: WeakSet[asyncio.Task[Any]] = field(default_factory=WeakSet)
    """The requests that have looked whether there is something new."""


class KeptSettings:
    """Keeps what users set, and lets a user have it again: after a restart, in another process."""

    def __init__(self, keeper: Keeper, vetting: Vetting) -> None:
        """Take who keeps it, and what may be set."""
        self._keeper = keeper
        self._vetting = vetting
        self._seen: WeakKeyDictionary[Any, _Seen] = WeakKeyDictionary()

    async def refresh(self, user_id: str, manager: Any, *, again: bool = False) -> bool:
        """Let a user's settings be those that are kept; tell whether they have changed.

        The store is asked when the user is new here; where other processes write into it, once for
        each request as well, and for each question (``again``).
        """
        seen = self._seen.get(manager)
        task = asyncio.current_task()
        known = seen is not None and (
            not self._keeper.shared or (not again and task in seen.looked)
        )
        if known:
            return False
        seen = self._seen.setdefault(manager, _begun(manager))
        if task:
            seen.looked.add(task)
        found = await self._keeper.settings(user_id)
        if found is None or found.version == seen.version:
            return False
        seen.version = found.version
        return self._apply(manager, seen, found)

    async def keep(self, user_id: str, manager: Any) -> bool:
        """Keep what a user has set, as far as it is not what it was; tell whether it is kept."""
        seen = self._seen.setdefault(manager, _begun(manager))
        try:
            new = _differing(seen.begun, _chosen(manager))
            seen.version = await self._keeper.keep_settings(user_id, new)
        except ConversationStoreError as err:
            log.warning("settings are not kept: %s", err)
            return False
        return True

    def has_own_keys(self, manager: Any) -> bool:
        """Tell whether keys were entered that the environment does not hold."""
        seen, keys = self._seen.get(manager), manager.settings.API_KEYS
        held = seen.held if seen else {}
        return any(key and held.get(name) != key for name, key in keys.items() if name != "null")

    def _apply(self, manager: Any, seen: _Seen, found: SavedSettings) -> bool:
        whole = {**seen.begun, **{k: v for k, v in found.values.items() if k in seen.begun}}
        settings = {name: value for name, value in whole.items() if name not in _TEXTS}
        try:
            check(settings, self._vetting.policy, seen.begun)
        except SettingsRefusedError as err:
            log.warning("settings that were kept do not hold any more: %s", err)
            return False
        for name, value in deepcopy(settings).items():
            setattr(manager.settings, name, value)
        for name in _TEXTS:
            setattr(manager.config, name, whole[name])
        _tell_missing_keys(manager.settings)
        return True


def _begun(manager: Any) -> _Seen:
    return _Seen(begun=_chosen(manager), held=dict(manager.settings.API_KEYS))


def _chosen(manager: Any) -> Values:
    """What can be kept of a user's settings: no keys, and no address with a password."""
    settings = manager.settings.to_json()
    kept = {
        name: value
        for name, value in settings.items()
        if name not in _OF_THE_PROCESS and not is_secret(name) and not any(passwords([value]))
    }
    return deepcopy({**kept, **{name: getattr(manager.config, name) for name in _TEXTS}})


def _differing(begun: Values, now: Values) -> Values:
    """What was set: all else follows the environment, in whatever process."""
    names = {name for name, value in now.items() if begun.get(name) != value}
    for group in _TOGETHER:
        names |= group if names & group else set()
    return {name: value for name, value in now.items() if name in names}


def _tell_missing_keys(settings: Any) -> None:
    """Say in the log which keys of the settings this process does not hold."""
    from elysia.config import provider_to_api_keys

    for provider in {settings.BASE_PROVIDER, settings.COMPLEX_PROVIDER}:
        wanted = provider_to_api_keys.get(provider, ())
        if lacking := [name for name in wanted if not settings.API_KEYS.get(name)]:
            log.warning(
                "kept settings name a model of '%s', and this process holds no %s: set %s in its "
                "environment; until then it answers as if the model were away",
                provider,
                ", ".join(lacking),
                ", ".join(name.upper() for name in lacking),
            )
