"""What steps say of themselves, told in words and in the language of the question."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.unit.small_world import World

from elysia_guard.adapters.decision_log.reasons import AT_MOST
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Against
from elysia_guard.domain.question import Aspect, Owner, Reference, Scope
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Order,
    ReadBy,
    Relation,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.remark import Remark, remark
from elysia_guard.domain.response import Trace, TraceStep, Validation
from elysia_guard.edge.elysia.sourcing import Rejection
from elysia_guard.language import noted
from elysia_guard.language.catalogue import has
from elysia_guard.language.pack import langs
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
    Listing(kinds=tuple(DocumentKind), counted=True, order=Order.OLDEST),
    Listing(kinds=(), order=Order.OLDEST, first=2),
    Comparison(terms=("a", "b"), topic="a and b"),
    Search(topic="keys", kinds=(DocumentKind.POLICY,), term="key", meaning_of="lock"),
    SmallTalk(about="greeting"),
    Unclear(),
)


def every() -> Iterator[Remark]:
    """Every remark that depends on a closed set of things, for each of them."""
    for asks in ASKED:
        yield from noting._asks(asks)
    for by in ReadBy:
        yield remark(f"by_{by}", **({"percent": 90} if by is ReadBy.INTENT_MODEL else {}))
    for outcome in Outcome:
        for reason in RefusalReason:
            yield from noting.decided(Verdict(outcome=outcome, confidence=0.7, reason=reason))
    for mode in (Mode.INSTANT, Mode.AUTO, Mode.THINKING):
        yield from noting.by_difficulty(mode)
    against = tuple(map(str, Against))
    for total, places in ((0, ()), (2, ()), (2, against)):
        found = Validation(sources_verified=1, sources_total=total, confidence=1.0, against=places)
        yield from noting.held(found)
    yield from noting.of_tool("echo", 2, {why.name.lower(): 3 for why in Rejection})
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


@pytest.mark.parametrize("lang", langs())
def test_whatever_is_said_is_said_in_every_language(lang: str) -> None:
    """With all its values: nothing is left to be filled in, and no name of a program's stands."""
    for item in every():
        (said,) = noted.told(TraceStep(stage="x", note="", elapsed_ms=0.0, remarks=(item,)), lang)
        assert not re.search(r"[{}_]", said), (item, said)


@pytest.mark.parametrize(
    ("lang", "asked", "wanted"),
    [
        ("en", "What is a busbar?", "what a term means: 'busbar'"),
        ("nl", "Wat is een busbar?", "wat een term betekent: 'busbar'"),
        ("de", "Was ist ein Busbar?", "was ein Begriff bedeutet: 'Busbar'"),
    ],
)
def test_a_trace_is_told_in_the_language_of_the_question(
    lang: str, asked: str, wanted: str
) -> None:
    reply = World().ask(asked)
    assert reply.lang == lang
    told = [noted.told(step, lang) for step in reply.trace]
    assert all(told)
    assert wanted in " ".join(told[0])
    assert not [said for said in told[0] if "{" in said or "(" in said]


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
    assert [step.stage for step in reply.trace if not noted.told(step, "en")] == []


def test_a_follow_up_is_told_as_it_was_understood() -> None:
    world, talk = World(), Conversation()
    world.ask("What does ADR-0012 decide?", conversation=talk)
    reply = world.ask("who approved it?", conversation=talk)
    assert "Understood as: 'Who approved ADR-0012?'" in noted.told(reply.trace[0], "en")


def test_what_is_hedged_says_how_much_is_lacking() -> None:
    (said,) = noting.decided(Verdict(outcome=Outcome.ANSWER, confidence=0.71))
    step = TraceStep(stage="gates", note="", elapsed_ms=0.0, remarks=(said,))
    assert noted.told(step, "en") == (
        "It is answered with a caveat: sure to 71%, where 85% would do without one.",
    )


class TestMeasured:
    @pytest.mark.parametrize(
        ("gate", "limit"), [("distance", "at most 0.60"), ("confidence", "at least 0.60")]
    )
    def test_a_measure_stands_beside_its_limit(self, gate: str, limit: str) -> None:
        """Not rounded to the limit that it missed."""
        reading = GateReading(gate=gate, passed=False, value=0.603, threshold=0.6, source="a")
        found = noted.measured(reading, "en")
        assert (found.value, found.limit) == ("0.603", limit)

    def test_what_is_no_number_is_told_by_its_name_alone(self) -> None:
        reading = GateReading(
            gate="terminology", passed=True, value="1 concept", threshold="1 concept", source="a"
        )
        assert noted.measured(reading, "nl")[1:] == ("", "")

    def test_limits_lie_on_the_same_side_as_in_the_log(self) -> None:
        assert noted.AT_MOST == AT_MOST


class TestKept:
    def test_what_another_version_said_is_left_out(self) -> None:
        """And its note for programs stands in its place."""
        other = (remark("of_tomorrow", x=1), remark("spelling", typed="ownre"))
        step = TraceStep(stage="spelling", note="as it was", elapsed_ms=0.0, remarks=other)
        assert noted.told(step, "en") == ()
        assert noted.noted(step, "en") == "as it was"

    def test_a_name_that_nobody_knows_is_told_as_it_is(self) -> None:
        """Kinds may be configured, and then have no words in the packs."""
        said = Remark(key="listing", named={"kinds": ("kind.runbook",)})
        assert not has("kind.runbook")
        step = TraceStep(stage="router", note="", elapsed_ms=0.0, remarks=(said,))
        assert noted.told(step, "en") == ("Read as a question for a list: runbook.",)

    def test_a_trace_keeps_its_language_where_it_is_copied(self) -> None:
        import copy
        import pickle

        trace = World().ask("Wat is een busbar?").trace
        assert isinstance(trace, Trace)
        assert trace.lang == "nl"
        for same in (copy.deepcopy(trace), pickle.loads(pickle.dumps(trace))):  # noqa: S301
            assert same == trace
            assert same.lang == "nl"
