"""The tables of Elysia's Data page: rows, filters, facts, names."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as random
from hypothesis import strategies as st
from pydantic import ValidationError

from elysia_guard import config as configuration
from elysia_guard.edge.elysia.webapp.pages import holdings
from elysia_guard.edge.elysia.webapp.pages.viewing import View

ROWS = [
    {"title": "ten", "number": "10", "owner": "Ada", "date": "2024-01-02"},
    {"title": "nine", "number": "9", "owner": "", "date": "2023-05-01"},
    {"title": "Two", "number": "2", "owner": "Eve", "date": ""},
]


def shown(**asked: Any) -> list[str]:
    return [row["title"] for row in View.model_validate(asked).of(ROWS)]


def where(field: str, operator: str, value: object = "") -> dict[str, Any]:
    return {"filters": [{"field": field, "operator": operator, "value": value}]}


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        (where("owner", "equal", "ada"), ["ten"]),
        (where("owner", "not_equal", "Ada"), ["nine", "Two"]),
        (where("number", "greater_than", 2), ["ten", "nine"]),
        (where("number", "less_or_equal", "9"), ["nine", "Two"]),
        (where("date", "greater_or_equal", "2024-01-01"), ["ten"]),
        (where("date", "less_than", "2024-01-01"), ["nine"]),
        (where("title", "contains", "N"), ["ten", "nine"]),
        (where("title", "not_contains", "n"), ["Two"]),
        (where("owner", "is_empty"), ["nine"]),
        (where("owner", "is_not_empty"), ["ten", "Two"]),
        ({"type": "and", "filters": []}, ["ten", "nine", "Two"]),
    ],
)
def test_filters(condition: dict[str, Any], kept: list[str]) -> None:
    assert shown(filter_config=condition) == kept


def test_numbers_are_ordered_as_numbers_and_what_is_empty_comes_last() -> None:
    assert shown(sort_on="number") == ["Two", "nine", "ten"]
    assert shown(sort_on="date", ascending=True) == ["nine", "ten", "Two"]
    assert shown(sort_on="date", ascending=False) == ["ten", "nine", "Two"]


@pytest.mark.parametrize(
    "asked",
    [
        {"query": "x" * 501},
        {"page_size": 0},
        {"page_size": 501},
        {"page_number": 0},
        {"filter_config": where("x", "?")},
    ],
)
def test_what_cannot_be_asked_is_said(asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        View.model_validate(asked)


@random(
    st.lists(st.fixed_dictionaries({"a": st.text(), "b": st.text()}), max_size=12),
    st.sampled_from(["a", "b", None]),
    st.booleans(),
    st.integers(1, 5),
)
def test_pages_hold_every_row_once(
    table: list[dict[str, str]], column: str | None, ascending: bool, size: int
) -> None:
    pages = [
        View(page_size=size, page_number=n, sort_on=column, ascending=ascending).of(table)
        for n in range(1, 15)
    ]
    found = [row for page in pages for row in page]
    key = lambda row: (row["a"], row["b"])  # noqa: E731
    assert sorted(found, key=key) == sorted(table, key=key)


def test_names_can_stand_in_an_address() -> None:
    """The page writes them there as they are."""
    config = configuration.load(environ={})
    section = config.terminology.model_copy(update={"name": "a/b?c #d"})
    named = holdings.shelves_of(config.model_copy(update={"terminology": section}))
    assert named[-1].name == "Vocabulary a b c d"
    assert holdings.shelf_named(named, "decisions") == holdings.shelf_named(named, "ADR_Ollama")
    assert holdings.shelf_named(named, "ELYSIA_CONFIG__") is None
