"""What the Data page asks of a table: rows that pass filters, in an order, a page of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

from elysia_guard.adapters.conversations import Keeper
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.saved import ConversationKey, SavedConversation, Thumb
from elysia_guard.edge.elysia.webapp.pages.rows import Row

MOST_ROWS = 500
LONGEST_QUERY = 500


class ViewError(GuardError):
    """What is asked of a table cannot be done; the message says why."""


def _known(operator: str) -> str:
    if operator not in _HOLDS:
        raise ValueError(f"choose one of {', '.join(_HOLDS)}")
    return operator


class Condition(BaseModel):
    """One filter; values are compared as texts, and as numbers where both are."""

    field: str
    operator: Annotated[str, AfterValidator(_known)]
    value: Any = ""


class Conditions(BaseModel):
    """Filters, all of which hold, or any."""

    type: Literal["all", "and", "any", "or"] = "all"
    filters: Annotated[list[Condition], Field(max_length=50)] = []


class View(BaseModel):
    """A page of a table. Pages count from 1."""

    page_size: Annotated[int, Field(ge=1, le=MOST_ROWS)] = 50
    page_number: Annotated[int, Field(ge=1)] = 1
    query: Annotated[str, Field(max_length=LONGEST_QUERY)] = ""
    sort_on: str | None = None
    ascending: bool = True
    filter_config: Conditions = Conditions()

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """Return the page of these rows.

        Raises:
            ViewError: a column that is named is none of theirs.
        """
        columns = set().union(*rows)
        named = [self.sort_on, *(item.field for item in self.filter_config.filters)]
        for column in named:
            if rows and column and column not in columns:
                raise ViewError(f"There is no column '{column}'.")
        kept = [row for row in rows if _passes(row, self.filter_config)]
        if column := self.sort_on:
            # What has no value comes last, whichever way.
            valued = [row for row in kept if row[column]]
            valued.sort(key=lambda row: _order(row[column]), reverse=not self.ascending)
            kept = [*valued, *(row for row in kept if not row[column])]
        begin = (self.page_number - 1) * self.page_size
        return kept[begin : begin + self.page_size]


def _passes(row: Row, conditions: Conditions) -> bool:
    held = [_HOLDS[item.operator](row[item.field], item.value) for item in conditions.filters]
    return not held or (any(held) if conditions.type in {"any", "or"} else all(held))


def _order(value: str) -> tuple[int, float, str]:
    """Numbers by their value, before all that is none."""
    try:
        return 0, float(value), ""
    except ValueError:
        return 1, 0.0, value.casefold()


def _compared(
    holds: Callable[[tuple[int, float, str], tuple[int, float, str]], bool],
) -> Callable[[str, Any], bool]:
    return lambda have, want: bool(have) and holds(_order(have), _order(str(want)))


def _same(have: str, want: Any) -> bool:
    return have.casefold() == str(want).casefold()


def _within(have: str, want: Any) -> bool:
    return str(want).casefold() in have.casefold()


_HOLDS: Mapping[str, Callable[[str, Any], bool]] = {
    "equal": _same,
    "not_equal": lambda have, want: not _same(have, want),
    "greater_than": _compared(lambda have, want: have > want),
    "greater_or_equal": _compared(lambda have, want: have >= want),
    "less_than": _compared(lambda have, want: have < want),
    "less_or_equal": _compared(lambda have, want: have <= want),
    "contains": _within,
    "not_contains": lambda have, want: not _within(have, want),
    "is_empty": lambda have, _want: not have,
    "is_not_empty": lambda have, _want: bool(have),
}


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


def _equal(item: Given, condition: Condition) -> bool:
    # Whose they are is settled already.
    return condition.field == "user_id" or item.get(condition.field) == condition.value


def _given(key: ConversationKey, thumb: Thumb, saved: SavedConversation) -> Given:
    turn = next((item for item in saved.turns if item.query_id == thumb.query_id), None)
    own = turn.payloads if turn else ()
    response: Payload = next(
        (item["payload"] for item in own if item["type"] == "rag_response"), {}
    )
    trace = [item for item in response.get("trace") or () if isinstance(item, dict)]
    ms = [item.get("elapsed_ms") for item in trace]
    model = response.get("written_by") or NO_MODEL
    every = [payload for item in saved.turns for payload in item.payloads]
    return {
        "user_id": key.user_id,
        "conversation_id": key.conversation_id,
        "query_id": thumb.query_id,
        "feedback": min(max(thumb.value, 0), 2),  # 0 is down, 1 up, 2 very good
        "feedback_date": thumb.given_at.isoformat(),
        "user_prompt": next(
            (said["content"] for said in history(own) if said["role"] == "user"), ""
        ),
        "time_taken_seconds": sum(item for item in ms if isinstance(item, int | float)) / 1000,
        "base_lm_used": model,
        "complex_lm_used": model,
        "conversation_history": list(history(every)),
        "action_information": [],
        # The stages that the question went through, each once.
        "route": list(dict.fromkeys(str(item.get("stage", "")) for item in trace)),
        "tasks_completed": [],
    }


def history(payloads: Iterable[Payload]) -> Iterator[dict[str, str]]:
    """Yield what was asked and answered among what a conversation has shown."""
    for item in payloads:
        if item["type"] == "user_prompt":
            yield {"role": "user", "content": item["payload"]["prompt"]}
        elif item["type"] == "text":
            said = " ".join(part["text"] for part in item["payload"]["objects"])
            yield {"role": "assistant", "content": said}
