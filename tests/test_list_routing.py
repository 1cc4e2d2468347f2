"""A reference is answered from its document and a list holds what was asked for (IR0003)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.shipped import KNOWLEDGE, shipped_guard
from tests.tables import table
from tests.unit.small_world import read

from elysia_guard.direct import Guard
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import IntentKind

ROWS = table("lists")
"""``found`` is all that is cited, or ``prefix`` begins it; ``heading`` is the list's first line.

``why`` is what a list that would be empty is refused with.
"""
REFERENCES = [
    "ADR.12",
    "Show ADR-0012",
    "Define the encryption requirements in ADR-0015",
    "List the options considered in ADR-0012",
    "Show all requirements of ADR-0015",
    "Noem de gevolgen van besluit 12",
    "Geef een overzicht van ADR-0012",
    "Welche Folgen hat ADR-0012?",
]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    with shipped_guard(tmp_path_factory.mktemp("lists") / "index.sqlite") as guard:
        yield guard


@pytest.mark.parametrize("text", REFERENCES)
def test_a_reference_is_not_routed_to_a_list(text: str) -> None:
    """Also where it is asked with the words of a list."""
    assert read(text).kind is IntentKind.ENTITY


@pytest.mark.parametrize("row", ROWS, ids=[row["asked"] for row in ROWS])
def test_what_is_cited_is_exact_however_it_is_asked_for(
    shipped: Guard, row: dict[str, Any]
) -> None:
    """No document too many and none too few, and how many there are and what they share."""
    response = shipped.ask(row["asked"])
    ids = {source.doc_id for source in response.sources}
    assert response.refused == ("why" in row), response.answer
    if "prefix" in row:
        assert {id_.partition("-")[0] for id_ in ids} == {row["prefix"]}
        assert not [id_ for id_ in ids if id_.endswith("D")]
    else:
        assert sorted(ids) == row["found"]
    if "heading" in row:
        assert response.answer.splitlines()[0] == row["heading"]
    if "why" in row:
        assert response.refusal_reason == "no_results"
        assert response.answer.splitlines()[2].endswith(row["why"])


@pytest.mark.parametrize("number", [0, 50, 9999])
def test_a_reference_to_nothing_is_no_list(shipped: Guard, number: int) -> None:
    """A document that is not there is refused by name, and no list is given in its place."""
    response = shipped.ask(f"List the consequences of ADR-{number:04d}")
    assert response.refusal_reason == "entity_not_found"
    assert response.sources == ()


def test_the_caller_may_name_the_kind(shipped: Guard) -> None:
    """A list of one kind is asked for by argument too."""
    response = shipped.ask("List all of them", kind=DocumentKind.POLICY)
    assert {source.doc_type for source in response.sources} <= {"Policy"}


def test_approval_records_are_listed_alone_or_with_their_decisions(shipped: Guard) -> None:
    """All of them, as they are asked for."""
    alone = shipped.ask("show me every approval record we have for decisions")
    assert {source.doc_type for source in alone.sources} == {"DAR"}
    assert len(alone.sources) == len(list((KNOWLEDGE / "decisions").glob("*D-*.md")))
    both = shipped.ask("List all decisions and their approval records")
    assert {source.doc_type for source in both.sources} == {"ADR", "DAR"}
