"""The collections of a Weaviate that is connected, and ours beside them."""

from __future__ import annotations

import json
import re
from typing import Any

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia.host import ClientManager
from elysia_guard.edge.elysia.webapp.connected.asking import asked, bounded, ready
from elysia_guard.edge.elysia.webapp.managers import GuardedTreeManager, GuardedUserManager

# After managers, which makes the import of Elysia need no network.
from elysia.api.routes import collections  # isort: skip

AWAY = "The Weaviate of the settings cannot be read at the moment. Try again later."
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

Payload = dict[str, Any]


async def listed(user_id: str, users: GuardedUserManager) -> tuple[list[Payload], str]:
    """Return what Elysia lists of it, and what to say where it cannot be read."""
    try:
        async with bounded():
            await ready(users.users[user_id]["client_manager"])
            answer = await collections.collections_list(user_id, users)
    except SourceUnavailableError:
        return [], AWAY
    said = json.loads(bytes(answer.body))
    return said["collections"], AWAY if said["error"] else ""


def names_models(manager: GuardedTreeManager) -> bool:
    """Tell whether a user's settings name the models that Elysia analyses a collection with."""
    own = manager.settings
    return bool(own.BASE_MODEL and own.BASE_PROVIDER)


async def holds(clients: ClientManager, name: str) -> bool:
    """Tell whether there is a collection of this name; where it cannot be asked, there is none."""
    if not _NAME.fullmatch(name):
        return False
    try:
        async with asked(clients) as client:
            there: bool = await client.collections.exists(name)
    except SourceUnavailableError:
        return False
    return there
