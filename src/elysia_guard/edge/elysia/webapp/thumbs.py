"""Thumbs under the replies of the chat: kept beside their conversation, and in the decision log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from elysia_guard.adapters.decision_log import (
    DecisionLogError,
    DecisionWriter,
    Feedback,
    ReplyJudgement,
    utc_now,
)
from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.saved import ConversationKey, Thumb
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager
from elysia_guard.edge.service.routes import FLUSH_S
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify

log = logging.getLogger(__name__)

VALUES = range(-2, 3)
"""What may be said of a reply; see ``Thumb.value``."""
NAMES = ("negative", "positive", "superpositive")


class ThumbOutcome(StrEnum):
    """What became of a thumb, the best first; the values name messages."""

    YES = "kept"
    FAILED = "failed"
    GONE = "gone"
    NOWHERE = "nowhere"


async def keep(
    users: GuardedUserManager, key: ConversationKey, query_id: str, value: int | None
) -> ThumbOutcome:
    """Keep a thumb in the decision log and wherever its conversation is; None takes it back."""
    found = {
        await _in_log(users, query_id, value),
        await _in_store(users, key, query_id, value),
    }
    return next(item for item in ThumbOutcome if item in found)


def reason(
    users: GuardedUserManager, key: ConversationKey, query_id: str, became: ThumbOutcome
) -> str:
    """Say why a thumb was not kept, in the language of the question; empty where it was."""
    if became is ThumbOutcome.YES:
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


async def _in_log(users: GuardedUserManager, query_id: str, value: int | None) -> ThumbOutcome:
    if users.wiring.decisions is None:
        return ThumbOutcome.NOWHERE
    try:
        await asyncio.to_thread(_judge, users.wiring.decisions, query_id, value)
    except DecisionLogError:
        return ThumbOutcome.GONE
    return ThumbOutcome.YES


def _judge(writer: DecisionWriter, query_id: str, value: int | None) -> None:
    """Keep a thumb as a judgement: down on a refusal says that it should have been answered."""
    if value is None:
        writer.log.unjudge(query_id)
        return
    writer.flush(FLUSH_S)
    entry = writer.log.find(query_id)
    if entry is None:
        raise DecisionLogError(f"no entry for request '{query_id}'")
    judgement = ReplyJudgement.RIGHT if value > 0 else ReplyJudgement.WRONG
    if value <= 0 and not judgement.fits(entry.ruling.outcome):
        judgement = ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED
    writer.log.judge(query_id, Feedback(judgement=judgement, given_at=utc_now()))


async def _in_store(
    users: GuardedUserManager, key: ConversationKey, query_id: str, value: int | None
) -> ThumbOutcome:
    if users.keeper is None:
        return ThumbOutcome.NOWHERE
    try:
        there = await users.keeper.thumb(key, query_id, value)
    except ConversationStoreError as err:
        log.warning("a thumb was not kept: %s", err)
        return ThumbOutcome.FAILED
    return ThumbOutcome.YES if there else ThumbOutcome.GONE


def _lang(users: GuardedUserManager, key: ConversationKey, query_id: str) -> Lang:
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
