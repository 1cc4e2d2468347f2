"""IR0001's four checks before an answer, each alone, through the whole pipeline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import KNOWLEDGE, THRESHOLDS, World, cited, document

from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse

TLS = "How are connections encrypted?"


def readings(response: RAGResponse, gate: str) -> list[bool]:
    """Whether a gate passed, each time it was read."""
    return [read.passed for step in response.trace for read in step.readings if read.gate == gate]


def test_check_1_no_results_at_all() -> None:
    """An index without documents has no answer, whatever is asked."""
    reply = World(passages=()).ask(TLS)
    assert reply.refusal_reason is RefusalReason.NO_RESULTS
    assert readings(reply, "no_results") == [False]


def test_check_2_the_distance_is_absolute() -> None:
    """What is best is not yet near: with a limit that nothing meets, nothing answers."""
    assert not World().ask(TLS).refused
    strict = replace(THRESHOLDS, default=replace(THRESHOLDS.default, distance_threshold=0.01))
    reply = World(thresholds=strict).ask(TLS)
    assert reply.refusal_reason is RefusalReason.NOT_RELEVANT
    assert readings(reply, "distance") == [False]


@pytest.mark.parametrize(
    "question",
    [
        "What does ADR-0050 decide?",
        "ADR.50",
        "adr 50",
        "besluit 50",
        "What does decision 50 say about encryption?",
    ],
)
def test_check_3_a_named_document_exists(question: str) -> None:
    """N3: also where the index is full of passages that mention it."""
    mentions = document(
        DocumentKind.DECISION,
        27,
        "Use TLS to protect connections, see ADR-0050",
        (SectionRole.SUBSTANCE, "ADR-0050 decides how connections are encrypted. ADR.50, adr 50."),
    )
    others = [item for item in KNOWLEDGE if item.document.number != 27]
    reply = World(passages=(*others, *mentions)).ask(question)
    assert reply.refusal_reason is RefusalReason.ENTITY_NOT_FOUND
    assert (reply.sources, readings(reply, "entity_existence")) == ((), [False])
    assert "ADR-0050 does not exist" in reply.answer or "ADR-0050 bestaat niet" in reply.answer


def test_check_4_the_words_of_the_question_are_covered() -> None:
    """A passage that is near but speaks of something else does not answer."""
    covered = replace(THRESHOLDS.default, min_query_coverage=0.9)
    world = World(thresholds=replace(THRESHOLDS, default=covered))
    reply = world.ask("How are connections of hydrogen storage tanks encrypted?")
    assert reply.refusal_reason is RefusalReason.LOW_COVERAGE
    assert readings(reply, "term_coverage") == [False]


def test_what_passes_all_four_is_answered() -> None:
    """OK, and from its source."""
    reply = World().ask(TLS)
    assert cited(reply) == ["ADR-0027"]
    assert all(read.passed for step in reply.trace for read in step.readings)
