"""What would be quoted tells the kind of thing asked for, or it is mentioned and no answer."""

from __future__ import annotations

import pytest
from tests.unit.made_register import Register
from tests.unit.small_world import World

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse

BROKER = """---
identifier: ADR-0005
type: decision
title: Use an event broker
status: accepted
---

# Use an event broker

## Context and Problem Statement

Events were lost, and four teams repaired them by hand.

## Considered Options

- Apache Kafka
- The existing queue manager
- Polling of tables

## Decision Outcome

Chosen option: Apache Kafka, because a log lets every consumer read events again. There are five
brokers with a limit of 600 messages per minute.

### Consequences

- Good: The event broker keeps the order of messages.
- Bad: Teams must learn about the event broker.
"""
STORE = """---
identifier: ADR-0006
type: decision
title: Use a shared store
status: accepted
---

# Use a shared store

## Consequences

- Good: The shared store is cheap.
"""
ZONES = """---
identifier: ADR-0007
type: decision
title: Separate the networks
status: accepted
---

# Separate the networks

## Decision Outcome

The three zones are called field, control and office.
"""


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Register:
    files = {
        "decisions/0005-broker.md": BROKER,
        "decisions/0006-store.md": STORE,
        "decisions/0007-zones.md": ZONES,
    }
    return Register(tmp_path_factory.mktemp("telling"), files)


def telling(response: RAGResponse) -> list[str | float | None]:
    """What the gate found missing."""
    readings = [each for step in response.trace for each in step.readings]
    return [each.threshold for each in readings if each.gate == "answer_type"]


class TestTelling:
    def test_a_count_as_of_today_is_not_the_count_of_a_document(self, register: Register) -> None:
        """It counts five brokers, of the day that it was written; how many there are now it cannot
        know. Without a word for today the count is shown."""
        now = register.ask(
            "According to ADR-0005, how many brokers with a limit of messages are there today?"
        )
        assert now.refused
        assert now.refusal_reason == RefusalReason.NOT_RELEVANT
        assert "five" in register.ask("According to ADR-0005, how many brokers are there?").answer

    def test_what_would_have_been_shown_is_mentioned(self, register: Register) -> None:
        response = register.ask(
            "According to ADR-0005, how many brokers with a limit of messages are there today?"
        )
        assert {source.doc_id for source in response.mentions} == {"ADR-0005"}

    def test_a_why_of_figures_that_do_not_stand_there_is_not_answered(
        self, register: Register
    ) -> None:
        assert register.ask("Why does ADR-0005 limit messages to 600 and not 1000?").refused
        assert not register.ask("Why does ADR-0005 limit messages to 600?").refused

    def test_a_why_is_answered_by_the_outcome_that_gives_the_reason(
        self, register: Register
    ) -> None:
        response = register.ask("Why did ADR-0005 choose Apache Kafka?")
        assert "because a log lets every consumer read events again" in response.answer

    def test_of_an_option_that_was_not_chosen_what_was_is_told(self, register: Register) -> None:
        """A false premise."""
        response = register.ask("Why did ADR-0005 choose the existing queue manager?")
        assert "Chosen option: Apache Kafka" in response.answer

    def test_a_name_that_no_sentence_tells_is_not_answered(self, register: Register) -> None:
        """That there are five brokers does not say what they are called."""
        response = register.ask(
            "According to ADR-0005, what are brokers with a limit of messages called?"
        )
        assert response.refused
        assert telling(response) == ["a name"]
        assert {source.doc_id for source in response.mentions} == {"ADR-0005"}

    def test_names_that_are_enumerated_are_told(self, register: Register) -> None:
        response = register.ask("According to ADR-0007, what are the three zones called?")
        assert "field, control and office" in response.answer
        assert not response.refused


class TestSides:
    def test_what_speaks_for_it_is_not_quoted_where_drawbacks_are_asked_for(
        self, register: Register
    ) -> None:
        answer = register.ask("What are the drawbacks of the event broker of ADR-0005?").answer
        assert "Teams must learn about the event broker" in answer
        assert "The event broker keeps the order" not in answer

    def test_the_other_side_alone_is_no_answer(self, register: Register) -> None:
        """It is mentioned all the same."""
        response = register.ask("What are the drawbacks of the shared store in ADR-0006?")
        assert response.refused
        assert "- Good: The shared store is cheap." in response.answer


class TestSearches:
    def test_a_period_that_no_sentence_tells_is_not_answered(self) -> None:
        """The passage is near and speaks of it; it is mentioned, and no answer."""
        response = World().ask("How long are connections encrypted with TLS?")
        assert response.refused
        assert response.refusal_reason == RefusalReason.NOT_RELEVANT
        assert "ADR-0027" in {source.doc_id for source in response.mentions}

    def test_a_period_that_one_tells_is_shown(self) -> None:
        response = World().ask("After how long are measurements deleted?")
        assert not response.refused
        assert "Measurements are deleted after seven years." in response.answer
