"""What steps say of themselves, told in words."""

from __future__ import annotations

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Reference
from elysia_guard.edge import steps

ADR = Reference(number=12, written="ADR-12", kind=DocumentKind.DECISION)


@pytest.mark.parametrize(
    ("lang", "asked", "term"),
    [
        ("en", "What is a busbar?", "busbar"),
        ("nl", "Wat is een busbar?", "busbar"),
        ("de", "Was ist ein Busbar?", "Busbar"),
    ],
)
def test_a_trace_is_told_in_english(lang: str, asked: str, term: str) -> None:
    """Whatever the language of the question and of its reply."""
    reply = World().ask(asked)
    assert reply.lang == lang
    assert reply.trace[0].remarks[0] == f"Read as a question for what a term means: '{term}'."


@pytest.mark.parametrize(
    "asked",
    [
        "What does ADR-0012 decide?",
        "Who approved ADR-0012?",
        "How are connections encrypted?",
        "List all decisions",
        "What is FooBarBaz?",
        "What does ADR-0999 decide?",
        "What does ADR-0012 decide and who approved ADR-0027?",
        "Hello",
    ],
)
def test_no_step_of_any_question_is_left_untold(asked: str) -> None:
    reply = World().ask(asked)
    assert [step.stage for step in reply.trace if not step.remarks] == []
    assert {step.stage for step in reply.trace} <= set(steps.STAGES)
    assert {item.gate for step in reply.trace for item in step.readings} <= set(steps.GATES)
