"""What the Data page asks of a table: rows that pass filters, in an order, a page of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.elysia.webapp.pages.rows import Row

MOST_ROWS = 500
LONGEST_QUERY = 500


class ViewError(GuardError):
    """What is asked of a table cannot be done; the message says why."""


class Condition(BaseModel):
    """One filter; values are compared as texts, and as numbers where both are."""

    field: str
    operator: Literal[
        "equal",
        "not_equal",
        "greater_than",
        "greater_or_equal",
        "less_than",
        "less_or_equal",
        "contains",
        "not_contains",
        "is_empty",
        "is_not_empty",
    ]
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
