"""The thumbs that were given, as the Feedback page lists them, with their conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from elysia_guard.adapters.conversations import Keeper
from elysia_guard.domain.saved import ConversationKey, SavedConversation, Standing, Thumb, Turn
from elysia_guard.edge.elysia.webapp.pages.viewing import Condition, View

COLLECTION = "ELYSIA_FEEDBACK__"
"""Where Elysia looks for thumbs."""
TYPES = {
    "user_prompt": "text",
    "feedback": "number",
    "feedback_date": "date",
    "time_taken_seconds": "number",
    "conversation_id": "uuid",
    "query_id": "uuid",
}
NO_MODEL = "none"
WRITER = "the writer of guard.yaml"

Given = dict[str, Any]
Payload = Mapping[str, Any]


async def thumbs(keeper: Keeper, user_id: str) -> list[Given]:
    """Return a user's thumbs, each with its question and all that was shown before and after."""
    found: list[Given] = []
    talks: dict[str, SavedConversation | None] = {}
    for thumb in await keeper.thumbs(user_id):
        key = ConversationKey(user_id=user_id, conversation_id=thumb.conversation_id)
        if thumb.conversation_id not in talks:
            talks[thumb.conversation_id] = await keeper.load(key)
        if saved := talks[thumb.conversation_id]:
            found.append(_given(key, thumb, saved))
    return found


def viewed(every: Sequence[Given], view: View) -> list[Given]:
    """Return the page of them that is asked for; a column that none has orders nothing."""
    wanted = view.filter_config.filters
    kept = [item for item in every if all(_equal(item, condition) for condition in wanted)]
    column = view.sort_on if view.sort_on in TYPES else "feedback_date"
    kept.sort(key=lambda item: item[str(column)], reverse=not view.ascending)
    begin = (view.page_number - 1) * view.page_size
    return kept[begin : begin + view.page_size]


def clamped(item: Given) -> Given:
    """Return a thumb as the page tells them: 0 is down, 1 up, 2 very good."""
    return {**item, "feedback": min(max(item["feedback"], 0), 2)}


def asks_for_own(asked: Mapping[str, Any], user_id: str) -> bool:
    """Tell whether what is asked of the list is the user's own, as the page asks it."""
    config = asked.get("filter_config")
    filters = config.get("filters") if isinstance(config, Mapping) else None
    wanted = {"field": "user_id", "operator": "equal", "value": user_id}
    return isinstance(filters, list) and wanted in filters


def of_shown(key: ConversationKey, thumb: Thumb, payloads: Sequence[Payload]) -> Given:
    """Return one thumb with its question, and all that was shown of its conversation."""
    by_query: dict[str, list[Payload]] = {}
    for item in payloads:
        by_query.setdefault(str(item["query_id"]), []).append(item)
    turns = tuple(
        Turn(query_id=query_id, payloads=tuple(own)) for query_id, own in by_query.items()
    )
    return _given(key, thumb, SavedConversation(standing=Standing(title=""), turns=turns))


def _equal(item: Given, condition: Condition) -> bool:
    # Whose they are is settled already.
    return condition.field == "user_id" or item.get(condition.field) == condition.value


def _given(key: ConversationKey, thumb: Thumb, saved: SavedConversation) -> Given:
    turn = next((item for item in saved.turns if item.query_id == thumb.query_id), None)
    own = turn.payloads if turn else ()
    response: Payload = next(
        (item["payload"] for item in own if item["type"] == "rag_response"), {}
    )
    every = [payload for item in saved.turns for payload in item.payloads]
    told = {
        "user_id": key.user_id,
        "conversation_id": key.conversation_id,
        "query_id": thumb.query_id,
        "feedback": thumb.value,
        "feedback_date": _date(thumb.given_at),
        "user_prompt": next(_prompts(own), ""),
        "time_taken_seconds": _seconds(response),
        "base_lm_used": (model := _model(response)),
        "complex_lm_used": model,
        "conversation_history": list(_history(every)),
        "action_information": [],
        "route": _route(response),
        "tasks_completed": [],
    }
    return clamped(told)


def _model(response: Payload) -> str:
    return NO_MODEL if response.get("mode", "instant") == "instant" else WRITER


def _date(at: datetime) -> str:
    return at.isoformat()


def _prompts(payloads: Sequence[Payload]) -> Iterator[str]:
    for item in payloads:
        if item["type"] == "user_prompt":
            yield item["payload"]["prompt"]


def _history(payloads: Sequence[Payload]) -> Iterator[dict[str, str]]:
    for item in payloads:
        if item["type"] == "user_prompt":
            yield {"role": "user", "content": item["payload"]["prompt"]}
        elif item["type"] == "text":
            said = " ".join(part["text"] for part in item["payload"]["objects"])
            yield {"role": "assistant", "content": said}


def _trace(response: Payload) -> list[Payload]:
    trace = response.get("trace")
    return [item for item in trace if isinstance(item, dict)] if isinstance(trace, list) else []


def _seconds(response: Payload) -> float:
    taken = [item.get("elapsed_ms") for item in _trace(response)]
    return sum(item for item in taken if isinstance(item, int | float)) / 1000


def _route(response: Payload) -> list[str]:
    """The stages that the question went through, each once."""
    return list(dict.fromkeys(str(item.get("stage", "")) for item in _trace(response)))
