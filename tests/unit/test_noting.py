"""What steps say of themselves, told in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.origin import Against
from elysia_guard.domain.question import Aspect, Owner, Reference, Scope
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Order,
    Part,
    ReadBy,
    Relation,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import TraceStep, Validation
from elysia_guard.edge import steps
from elysia_guard.edge.elysia.sourcing import Rejection
from elysia_guard.language.catalogue import has
from elysia_guard.pipeline import noting

ADR = Reference(number=12, written="ADR-12", kind=DocumentKind.DECISION)
ASKED = (
    *(Definition(term="CIM", relation=relation) for relation in Relation),
    *(Named(references=(ADR,), aspect=aspect) for aspect in Aspect),
    Named(references=(ADR, ADR), matter="backups"),
    Named(references=(ADR,), another=True),
    Listing(
        kinds=(),
        topic="keys",
        filters=Scope(statuses=("accepted",), lang="nl", since="2024", owner=Owner(written="us")),
        order=Order.NEWEST,
        first=3,
    ),
    Listing(kinds=STANDING_KINDS, counted=True, order=Order.OLDEST),
    Listing(kinds=(), order=Order.OLDEST, first=2),
    Comparison(terms=("a", "b"), topic="a and b"),
    Search(topic="keys", kinds=(DocumentKind.POLICY,), term="key", meaning_of="lock"),
    SmallTalk(about="greeting"),
    Unclear(),
)


def every() -> Iterator[str]:
    """Every remark that depends on a closed set of things, for each of them."""
    for asks in ASKED:
        yield from noting._asks(asks)
    for by in ReadBy:
        yield from noting._reading(
            Part(asks=ASKED[0], text="x", reason="", read_by=by), "x", "y", 2
        )
    for outcome in Outcome:
        for reason in RefusalReason:
            yield from noting.decided(Verdict(outcome=outcome, confidence=0.7, reason=reason))
    against = tuple(map(str, Against))
    for total, places in ((0, ()), (2, ()), (2, against)):
        found = Validation(sources_verified=1, sources_total=total, confidence=1.0, against=places)
        yield from noting.held(found)
    yield from noting.of_tool("echo", 2, {why.value: 3 for why in Rejection})
    for whom in ("rules", "gates", "quotes"):
        flags = ("skosmos_timeout", "writer_error", "circuit_open", "bm25_only", "nobody_knows")
        yield from noting.left_to(whom, flags)
    for count in (0, 1, 2):
        yield from noting.explained("CIM", count)
        yield from noting.taken_apart(count)
        yield from noting.mentioning(count)
        yield from noting.ways_on(count)
    for age_s in (0, 1, 60, 179, 36_000):
        yield from noting.given_again(age_s)


def test_whatever_is_said_is_whole() -> None:
    """Nothing is left to be filled in, and no name of a program's stands."""
    for said in every():
        assert not re.search(r"[{}_]", said), said
        assert said[0].isupper() or said[0].isdigit() or said[0] == "'", said


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


def test_a_follow_up_is_told_as_it_was_understood() -> None:
    world, talk = World(), Conversation()
    world.ask("What does ADR-0012 decide?", conversation=talk)
    reply = world.ask("who approved it?", conversation=talk)
    assert "Understood as: 'Who approved ADR-0012?'" in reply.trace[0].remarks


def test_what_is_hedged_says_how_much_is_lacking() -> None:
    assert noting.decided(Verdict(outcome=Outcome.ANSWER, confidence=0.71)) == (
        "It is answered with a caveat: sure to 71%, where 85% would do without one.",
    )


class TestMeasured:
    @pytest.mark.parametrize(
        ("gate", "limit"), [("distance", "at most 0.60"), ("confidence", "at least 0.60")]
    )
    def test_a_measure_stands_beside_its_limit(self, gate: str, limit: str) -> None:
        """Not rounded to the limit that it missed."""
        reading = GateReading(gate=gate, passed=False, value=0.603, threshold=0.6, source="a")
        found = steps.measured(reading)
        assert (found.value, found.limit) == ("0.603", limit)

    def test_what_is_no_number_is_told_by_its_name_alone(self) -> None:
        reading = GateReading(
            gate="terminology", passed=True, value="1 concept", threshold="1 concept", source="a"
        )
        assert steps.measured(reading)[1:] == ("", "")


def test_a_step_without_sentences_is_told_by_its_note() -> None:
    assert steps.told(TraceStep(stage="x", note="as it was", elapsed_ms=0.0)) == ("as it was",)


def test_a_kind_that_nobody_has_named_is_told_as_it_is() -> None:
    """Kinds may be configured, and then have no words in the packs."""
    assert not has("kind.runbook")
    assert noting._kinds(("decision", "runbook")) == "decisions, runbook"
