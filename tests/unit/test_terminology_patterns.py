"""What a question asks by its form: ``tests/data/read_by_form.jsonl``, in three languages."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import cases
from tests.unit.small_world import read, term_of

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.reading import Asks, Listing, kinds_of, topic_of

IR0003 = ("pattern", "exclusion")


def told(asks: Asks) -> dict[str, object]:
    found: dict[str, object] = {"kind": asks.kind, "term": term_of(asks)}
    if isinstance(asks, Listing):
        scope = asks.filters
        names = ("lang", "since", "until", "approval")
        found |= {name: getattr(scope, name) for name in names}
        found |= {"statuses": list(scope.statuses), "denied": list(scope.denied)}
        found |= {"topic": topic_of(asks), "kinds": list(kinds_of(asks))}
        found |= {"owner": scope.owner.written if scope.owner else None}
    return found


def hold(row: dict[str, Any]) -> None:
    kind = DocumentKind(row["of"]) if "of" in row else None
    found = told(read(row["asked"], kind=kind))
    expected = {
        name: value for name, value in row.items() if name not in {"id", "about", "asked", "of"}
    }
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize("row", cases("read_by_form", "pattern"))
def test_a_pattern_asks_for_a_meaning(row: dict[str, Any]) -> None:
    """Each wording that IR0003 lists, with another term in it."""
    assert row["kind"] == "terminology"
    hold(row)


@pytest.mark.parametrize("row", cases("read_by_form", "exclusion"))
def test_an_exclusion_asks_for_none(row: dict[str, Any]) -> None:
    """Though some of them begin as a question for a meaning does."""
    assert row["kind"] != "terminology"
    hold(row)


@pytest.mark.parametrize(
    "row", [each for each in cases("read_by_form") if each.values[0]["about"] not in IR0003]
)
def test_each_row_is_read_as_it_says(row: dict[str, Any]) -> None:
    """What it asks for, and all that restricts a list: status, language, period, owner."""
    hold(row)
