"""Thumbs under the replies of the chat: kept wherever there is a place for them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from elysia_guard.domain.errors import ConversationStoreError, SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.saved import ConversationKey, Thumb
from elysia_guard.edge.elysia.webapp import judgements
from elysia_guard.edge.elysia.webapp.connected import thumbs as elsewhere
from elysia_guard.edge.elysia.webapp.connected.asking import place_of
from elysia_guard.edge.elysia.webapp.keeping import KeepingUserManager
from elysia_guard.edge.elysia.webapp.pages import given
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify

log = logging.getLogger(__name__)

VALUES = range(-2, 3)
"""What may be said of a reply; see ``Thumb.value``."""
NAMES = ("negative", "positive", "superpositive")


class Kept(StrEnum):
    """What became of a thumb, the best first; the values name messages."""

    YES = "kept"
    FAILED = "failed"
    GONE = "gone"
    NOWHERE = "nowhere"


async def keep(
    users: KeepingUserManager, key: ConversationKey, query_id: str, value: int | None
) -> Kept:
    """Keep a thumb in the decision log and wherever its conversation is; None takes it back."""
    found = {
        await _in_log(users, query_id, value),
        await _in_store(users, key, query_id, value),
        await _in_weaviate(users, key, query_id, value),
    }
    return next(item for item in Kept if item in found)


def reason(users: KeepingUserManager, key: ConversationKey, query_id: str, became: Kept) -> str:
    """Say why a thumb was not kept, in the language of the question; empty where it was."""
    if became is Kept.YES:
        return ""
    return say(_lang(users, key, query_id), f"feedback.{became}")


def overview(thumbs: Sequence[Thumb]) -> dict[str, Any]:
    """Count thumbs as Elysia's page shows them: by value, and by day."""
    days: dict[str, list[int]] = {}
    for thumb in thumbs:
        days.setdefault(f"{thumb.given_at:%Y-%m-%d}", []).append(min(max(thumb.value, 0), 2))
    every = [value for values in days.values() for value in values]
    return {
        "error": "",
        "total_feedback": len(every),
        "feedback_by_value": _counted(every),
        "feedback_by_date": {
            day: {**_counted(values), "mean": sum(values) / len(values), "count": len(values)}
            for day, values in days.items()
        },
    }


async def counted(users: KeepingUserManager, user_id: str) -> list[Thumb]:
    """Return a user's thumbs, of our own store and of a Weaviate that is connected."""
    found = list(await users.keeper.thumbs(user_id)) if users.keeper else []
    if clients := place_of(await users.get_user_local(user_id)):
        with suppress(SourceUnavailableError):
            found = [*await elsewhere.counted(clients, user_id), *found]
    once = {(item.conversation_id, item.query_id): item for item in reversed(found)}
    return list(once.values())


async def listed(users: KeepingUserManager, user_id: str) -> list[given.Given]:
    """Return the same with their conversations."""
    found = await given.thumbs(users.keeper, user_id) if users.keeper else []
    if clients := place_of(await users.get_user_local(user_id)):
        with suppress(SourceUnavailableError):
            found = [*map(given.clamped, await elsewhere.listed(clients, user_id)), *found]
    once = {(item["conversation_id"], item["query_id"]): item for item in reversed(found)}
    return list(once.values())


async def _in_log(users: KeepingUserManager, query_id: str, value: int | None) -> Kept:
    decisions = users.wiring.decisions
    if decisions is None:
        return Kept.NOWHERE
    if value is None:
        kept = await judgements.take_back(decisions, query_id)
    else:
        kept = await judgements.keep_thumb(decisions, query_id, value)
    return Kept.YES if kept else Kept.GONE


async def _in_store(
    users: KeepingUserManager, key: ConversationKey, query_id: str, value: int | None
) -> Kept:
    if users.keeper is None:
        return Kept.NOWHERE
    try:
        there = await users.keeper.thumb(key, query_id, value)
    except ConversationStoreError as err:
        log.warning("a thumb was not kept: %s", err)
        return Kept.FAILED
    return Kept.YES if there else Kept.GONE


async def _in_weaviate(
    users: KeepingUserManager, key: ConversationKey, query_id: str, value: int | None
) -> Kept:
    """Keep it where Elysia keeps thumbs, if the user has connected a Weaviate."""
    user = await users.get_user_local(key.user_id)
    clients = place_of(user)
    if clients is None:
        return Kept.NOWHERE
    try:
        if value is None:
            await elsewhere.take_back(clients, key, query_id)
            return Kept.YES
        if not user["tree_manager"].tree_exists(key.conversation_id):
            return Kept.GONE
        shown = user["tree_manager"].shown(key.conversation_id)
        if all(item["query_id"] != query_id for item in shown):
            return Kept.GONE
        thumb = Thumb(value=value, given_at=datetime.now(UTC), query_id=query_id)
        await elsewhere.keep(clients, given.of_shown(key, thumb, shown) | {"feedback": value})
    except SourceUnavailableError:
        return Kept.FAILED
    return Kept.YES


def _lang(users: KeepingUserManager, key: ConversationKey, query_id: str) -> Lang:
    """The language of the question, as far as the conversation is at hand."""
    default = users.wiring.config.default_lang
    manager = users.users.get(key.user_id, {}).get("tree_manager")
    if manager is None or not manager.tree_exists(key.conversation_id):
        return default
    asked = (
        item["payload"]["prompt"]
        for item in manager.shown(key.conversation_id)
        if item["type"] == "user_prompt" and item["query_id"] == query_id
    )
    return identify(next(asked, ""), default=default)


def _counted(values: Sequence[int]) -> dict[str, int]:
    return {name: values.count(value) for value, name in enumerate(NAMES)}
