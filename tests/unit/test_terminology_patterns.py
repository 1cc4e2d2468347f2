"""The wordings by which IR0003 tells a question for a meaning, and those by which it tells none."""

from __future__ import annotations

import pytest
from tests.unit.small_world import read, term_of

from elysia_guard.domain.question import IntentKind


@pytest.mark.parametrize(
    ("query", "term"),
    [
        pytest.param("What is CGMES?", "cgmes", id="what-is"),
        pytest.param("Define load shedding", "load shedding", id="define"),
        pytest.param("Define load shedding?", "load shedding", id="define-asked"),
        pytest.param("Meaning of asset management", "asset management", id="meaning-of"),
        pytest.param("Definition of asset management", "asset management", id="definition-of"),
        pytest.param("CIM term busbar", "busbar", id="cim-term"),
        pytest.param("SKOSMOS term busbar", "busbar", id="skosmos-term"),
        pytest.param("Explain the term CGMES", "cgmes", id="explain-the-term"),
        pytest.param("explain term CGMES", "cgmes", id="explain-term"),
        pytest.param("What does IEC 61970 mean?", "iec 61970", id="what-does-mean"),
    ],
)
def test_a_pattern_asks_for_a_meaning(query: str, term: str) -> None:
    """Each wording that IR0003 lists, with another term in it."""
    asks = read(query)
    assert asks.kind is IntentKind.TERMINOLOGY
    assert (term_of(asks) or "").casefold() == term


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("What is ADR-0012?", id="adr-reference"),
        pytest.param("List ADRs", id="list"),
        pytest.param("Show all principles", id="show-all"),
        pytest.param("What is decided about TLS?", id="decided"),
        pytest.param("What should I use for encryption?", id="should"),
        pytest.param("What can I use for encryption?", id="can"),
        pytest.param("What will the new meter cost?", id="will"),
        pytest.param("What is in the CIM policy?", id="in-the-policy"),
    ],
)
def test_an_exclusion_asks_for_none(query: str) -> None:
    """Though some of them begin as a question for a meaning does."""
    assert read(query).kind is not IntentKind.TERMINOLOGY
