"""Thumbs under replies, kept where Elysia keeps them: in the Weaviate that is connected.

Elysia's own way needs two language models and a key of OpenAI, and calls a thumb kept that is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from weaviate.classes.config import Configure, DataType, Property
from weaviate.classes.query import Filter, Sort
from weaviate.util import generate_uuid5

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.saved import ConversationKey, Thumb
from elysia_guard.edge.elysia.host import ClientManager
from elysia_guard.edge.elysia.webapp.connected.asking import asked

COLLECTION = "ELYSIA_FEEDBACK__"
MOST_LISTED, MOST_COUNTED = 500, 9_999

Given = dict[str, Any]
_TEXTS = ("user_id", "conversation_id", "query_id", "user_prompt", "base_lm_used")
_BRIEF = ("user_id", "conversation_id", "query_id", "feedback", "feedback_date")
_LISTS = ("conversation_history", "action_information", "route", "tasks_completed")


async def keep(clients: ClientManager, given: Given) -> None:
    """Keep one, in the place of what was said of the same reply before.

    Raises:
        SourceUnavailableError: it was not kept.
    """
    key = _id(given)
    properties = {name: value for name, value in given.items() if value not in ([], None)}
    async with asked(clients) as client:
        if not await client.collections.exists(COLLECTION):
            await _create(client)
        data = client.collections.get(COLLECTION).data
        if await data.exists(key):
            await data.replace(properties=properties, uuid=key)
        else:
            await data.insert(properties=properties, uuid=key)


async def take_back(clients: ClientManager, key: ConversationKey, query_id: str) -> None:
    """Forget one.

    Raises:
        SourceUnavailableError: it may still be there.
    """
    named = {"user_id": key.user_id, "conversation_id": key.conversation_id, "query_id": query_id}
    async with asked(clients) as client:
        if await client.collections.exists(COLLECTION):
            await client.collections.get(COLLECTION).data.delete_by_id(_id(named))


async def forget(clients: ClientManager, key: ConversationKey) -> None:
    """Forget all of a conversation that is deleted: each has its questions and answers.

    Raises:
        SourceUnavailableError: they may still be there.
    """
    async with asked(clients) as client:
        if await client.collections.exists(COLLECTION):
            wanted = Filter.by_property("user_id").equal(key.user_id) & Filter.by_property(
                "conversation_id"
            ).equal(key.conversation_id)
            await client.collections.get(COLLECTION).data.delete_many(where=wanted)


async def listed(clients: ClientManager, user_id: str) -> list[Given]:
    """Return a user's own, the newest first, each with its conversation.

    Raises:
        SourceUnavailableError: they cannot be read.
    """
    return await _read(clients, user_id, MOST_LISTED)


async def counted(clients: ClientManager, user_id: str) -> list[Thumb]:
    """Return a user's own, the newest first.

    Raises:
        SourceUnavailableError: they cannot be read.
    """
    return [
        Thumb(
            value=item["feedback"],
            given_at=datetime.fromisoformat(item["feedback_date"]),
            conversation_id=item["conversation_id"],
            query_id=item["query_id"],
        )
        for item in await _read(clients, user_id, MOST_COUNTED, _BRIEF)
    ]


async def of_conversation(
    clients: ClientManager, user_id: str, conversation_id: str
) -> dict[str, int]:
    """Return what was said of the replies of a conversation; nothing where it cannot be read."""
    with suppress(SourceUnavailableError):
        every = await counted(clients, user_id)
        return {
            item.query_id: item.value for item in every if item.conversation_id == conversation_id
        }
    return {}


async def _read(
    clients: ClientManager, user_id: str, most: int, only: Sequence[str] | None = None
) -> list[Given]:
    async with asked(clients) as client:
        if not await client.collections.exists(COLLECTION):
            return []
        found = await client.collections.get(COLLECTION).query.fetch_objects(
            filters=Filter.by_property("user_id").equal(user_id),
            sort=Sort.by_property("feedback_date", ascending=False),
            limit=most,
            return_properties=list(only) if only else None,
        )
    # Compared word by word there: another's name may have the same words.
    return [
        _shown(item.properties)
        for item in found.objects
        if item.properties.get("user_id") == user_id
    ]


def _shown(properties: Mapping[str, Any]) -> Given:
    at = properties.get("feedback_date")
    return {
        **properties,
        **{name: properties.get(name) or [] for name in _LISTS},
        "feedback": round(properties.get("feedback") or 0),
        "feedback_date": at.isoformat() if isinstance(at, datetime) else str(at),
    }


def _id(given: Mapping[str, Any]) -> str:
    """The id that Elysia gives to what is said of a reply."""
    named = {name: given[name] for name in ("user_id", "conversation_id", "query_id")}
    return str(generate_uuid5(named))


async def _create(client: Any) -> None:
    """Make the collection with Elysia's names and types, and without a model that needs a key."""
    texts = [Property(name=name, data_type=DataType.TEXT) for name in _TEXTS]
    await client.collections.create(
        COLLECTION,
        properties=[
            *texts,
            Property(name="feedback", data_type=DataType.NUMBER),
            Property(name="feedback_date", data_type=DataType.DATE),
            Property(name="time_taken_seconds", data_type=DataType.NUMBER),
            Property(name="route", data_type=DataType.TEXT_ARRAY),
            Property(
                name="conversation_history",
                data_type=DataType.OBJECT_ARRAY,
                nested_properties=[
                    Property(name=name, data_type=DataType.TEXT) for name in ("role", "content")
                ],
            ),
        ],
        vector_config=Configure.Vectors.self_provided(name="user_prompt"),
    )
