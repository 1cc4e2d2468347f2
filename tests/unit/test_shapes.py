"""How often answers of a shape were right decides whether such an answer is asserted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripts.lab.shapes import shape_of
from tests.unit.small_world import THRESHOLDS, World

from elysia_guard.domain.response import RAGResponse, ReplyOutcome

ASKED = {
    "skos_match": "What is a transformer?",
    "entity_match": "What does ADR-0012 decide?",
    "field_match": "What is the status of ADR-0012?",
    "comparison_match": "Compare ADR-0012 and ADR-0027",
    "list_match": "List all principles",
}


def answered(question: str, **limits: float) -> RAGResponse:
    return World(thresholds=replace(THRESHOLDS, **limits)).ask(question)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", ASKED)
@pytest.mark.parametrize(
    ("right", "outcome", "shown"),
    [
        (0.99, ReplyOutcome.ASSERTED, 0.99),
        (0.96, ReplyOutcome.HEDGED, 0.84),
        (0.7, ReplyOutcome.HEDGED, 0.7),
    ],
)
def test_a_shape_that_was_right_too_seldom_is_hedged(
    shape: str, right: float, outcome: ReplyOutcome, shown: float
) -> None:
    """Below 97 of 100 it is said first that it may be no answer; a gate reads the measure."""
    reply = answered(ASKED[shape], asserted_from=0.97, **{shape: right})
    (row,) = [row for step in reply.trace for row in step.readings if row.gate == "shape"]
    assert (reply.outcome, reply.retrieval_quality.confidence_score) == (outcome, shown)
    assert (row.value, row.threshold, row.passed) == (right, 0.97, right >= 0.97)
    assert row.source == f"confidence.{shape}"
    assert shape_of(reply) == shape


def test_what_is_sought_or_held_back_for_another_reason_has_no_shape_of_its_own() -> None:
    """A search and a matter have their own confidence; a term with more beside it is hedged."""
    assert shape_of(answered("How are connections encrypted?")) == "search"
    assert shape_of(answered("What does ADR-0012 say about the domain language?")) == "matter"
    assert shape_of(answered("What does ADR-0099 decide?")) == ""
    assert shape_of(replace(answered(ASKED["skos_match"]), trace=())) == "search"
