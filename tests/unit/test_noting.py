"""What steps say of themselves, told in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.unit.small_world import World

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
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import Validation
from elysia_guard.edge import steps
from elysia_guard.edge.elysia.sourcing import Rejection
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
