"""Whose a conversation is that is saved in a Weaviate. Elysia finds them by their id alone."""

from __future__ import annotations

from weaviate.util import generate_uuid5

from elysia_guard.edge.elysia.host import ClientManager


class NotTheirsError(ValueError):
    """A conversation of somebody else: to whoever asks, it is not there."""


async def owner_of(
    collection: str, conversation_id: str, client_manager: ClientManager
) -> str | None:
    """Return the user that a saved conversation belongs to; None if there is none."""
    async with client_manager.connect_to_async_client() as client:
        if not await client.collections.exists(collection):
            return None
        found = await client.collections.get(collection).query.fetch_object_by_id(
            generate_uuid5(conversation_id)
        )
    return str(found.properties["user_id"]) if found else None


async def check_owner(
    collection: str, conversation_id: str, client_manager: ClientManager, user_id: str
) -> bool:
    """Tell whether a conversation is saved, and is this user's.

    Raises:
        NotTheirsError: it is somebody else's.
    """
    owner = await owner_of(collection, conversation_id, client_manager)
    if owner not in {None, user_id}:
        raise NotTheirsError(f"No conversation found for id '{conversation_id}'.")
    return owner is not None
