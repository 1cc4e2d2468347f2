"""Asking a Weaviate that a person has connected, no longer than anybody waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia.host import ClientManager

log = logging.getLogger(__name__)

PATIENCE_S = 10.0
"""After so long a Weaviate is taken as away; its own client would try for a minute."""
SOURCE = "weaviate"


def place_of(user: Mapping[str, Any]) -> ClientManager | None:
    """Return the Weaviate that a user has connected, for data or else to save in; None if none."""
    for clients in (user["client_manager"], user["frontend_config"].save_location_client_manager):
        if clients.is_client:
            return clients
    return None


@asynccontextmanager
async def bounded() -> AsyncIterator[None]:
    """Bound what is asked of a Weaviate.

    Raises:
        SourceUnavailableError: it cannot be asked, or did not answer in time.
    """
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield
    # Whatever a client raises, for a Weaviate that is down, or where what was asked is not allowed.
    except Exception as err:
        log.warning("the Weaviate of the settings could not be asked: %s", type(err).__name__)
        raise SourceUnavailableError(
            "the Weaviate of the settings cannot be asked", source=SOURCE
        ) from err


@asynccontextmanager
async def asked(clients: ClientManager) -> AsyncIterator[Any]:
    """Give a client to ask with, bounded.

    Raises:
        SourceUnavailableError: it cannot be asked, or did not answer in time.
    """
    async with bounded():
        await ready(clients)
        async with clients.connect_to_async_client() as client:
            yield client


async def ready(clients: ClientManager) -> None:
    """Make up for a Weaviate that was away when it was connected: Elysia then lacks a client.

    Whatever the client raises goes on: it is still away.
    """
    lacks = hasattr(clients, "get_client") and getattr(clients, "client", None) is None
    if clients.is_client and lacks:
        clients.client = await asyncio.to_thread(clients.get_client)
        clients.sync_restart_event.set()
