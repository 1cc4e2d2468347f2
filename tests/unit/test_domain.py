"""The nouns of the guard: what they say of themselves, and the numbers that IR0003 fixes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.small_world import LIMITS, inquiry, verdict

from elysia_guard.domain.calibration import Calibration, saturate
from elysia_guard.domain.concept import Concept, Text, in_language
from elysia_guard.domain.context import (
    RequestContext,
    current_request,
    current_request_id,
    within,
)
from elysia_guard.domain.document import Document, DocumentKind, Identity
from elysia_guard.domain.events import Event
from elysia_guard.domain.inquiry import GATHERING, Step
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement, confidence_level
from elysia_guard.domain.question import Owner, Scope
from elysia_guard.domain.reading import Asks, Definition, Listing, Named, Search
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.testing.clock import FakeClock


def text(value: str, lang: str | None) -> Text:
    return Text(value=value, lang=lang)


class TestConcept:
    @pytest.mark.parametrize(
        ("langs", "asked", "shown"),
        [
            (["en", "nl", None], "nl", "nl"),
            (["en", "nl-BE"], "nl", "nl-BE"),
            (["en", "NL"], "nl", "NL"),
            (["en", None, "fr"], "nl", None),
            (["fr", "en"], "nl", "en"),
            (["fr", "es"], "nl", "fr"),
        ],
    )
    def test_the_nearest_language_is_shown(
        self, langs: list[str | None], asked: str, shown: str | None
    ) -> None:
        """The asked language, else an untagged text, else English, else the first."""
        chosen = in_language([text(f"in {lang}", lang) for lang in langs], asked)
        assert chosen == text(f"in {shown}", shown)

    def test_nothing_to_show_is_none(self) -> None:
        """No text is no text, not an empty one."""
        assert in_language([], "en") is None

    def test_a_concept_without_label_is_called_by_its_uri(self) -> None:
        """There is always something to call it, and never a made-up definition."""
        bare = Concept(uri="urn:x", vocabulary="v")
        assert bare.label("en") == "urn:x"
        assert bare.definition("en") is None

    def test_it_is_called_as_it_is_labelled_where_it_has_no_word_in_a_language(self) -> None:
        """A reader of a language without labels is told the names that there are."""
        texts = [("hub", "en"), ("knooppunt", "nl"), ("node", "en")]
        first, *others = (Text(value=value, lang=lang) for value, lang in texts)
        concept = Concept(uri="urn:x", vocabulary="v", preferred=(first,), alternative=(*others,))
        assert concept.label("fr") == "hub"
        assert concept.names("fr") == ("hub", "node")
        assert concept.names("nl") == ("knooppunt",)


class TestIdentity:
    @pytest.mark.parametrize(
        ("kind", "approval", "name", "type_"),
        [
            (DocumentKind.DECISION, False, "ADR-0012", "ADR"),
            (DocumentKind.DECISION, True, "ADR-0012D", "DAR"),
            (DocumentKind.PRINCIPLE, False, "PCP-0012", "Principle"),
            (DocumentKind.PRINCIPLE, True, "PCP-0012D", "DAR"),
            (DocumentKind.POLICY, False, "POL-0012", "Policy"),
            (DocumentKind.DOCUMENT, False, "DOC-0012", "Document"),
        ],
    )
    def test_an_identity_reads_as_the_house_writes_it(
        self, kind: DocumentKind, approval: bool, name: str, type_: str
    ) -> None:
        """Prefix, four digits, and D for an approval record: a DAR, whatever it approves."""
        identity = Identity(kind=kind, number=12, approval=approval)
        assert (str(identity), identity.doc_type) == (name, type_)

    def test_a_document_is_called_by_its_own_identifier(self) -> None:
        """'ADR.12' stays 'ADR.12' where the document writes it so."""
        made = Document(
            id="a",
            kind=DocumentKind.DECISION,
            number=12,
            title="Use CIM",
            identifier="ADR.12",
            path="a.md",
            sha256="0",
            approval=True,
        )
        assert made.name == "ADR.12"
        assert str(made.identity) == "ADR-0012D"
        assert made.doc_type == "DAR"


class TestConfidence:
    @pytest.mark.parametrize(
        ("base", "flags", "adjusted", "level"),
        [
            pytest.param(0.85, (), 0.85, "high", id="CONF-01"),
            pytest.param(0.85, ("bm25_only",), 0.68, "medium", id="CONF-02"),
            pytest.param(0.90, ("circuit_open",), 0.72, "medium", id="CONF-03"),
            pytest.param(0.80, ("bm25_only", "circuit_open"), 0.64, "medium", id="CONF-04"),
            pytest.param(0.50, ("bm25_only",), 0.40, "low", id="CONF-05"),
        ],
    )
    def test_a_fallback_costs_a_fifth_once(
        self, base: float, flags: tuple[str, ...], adjusted: float, level: str
    ) -> None:
        """IR0003's table: one or more fallbacks reduce the confidence by 20 %, once."""
        quality = RetrievalQuality.from_retrieval(base, flags)
        assert quality.confidence_score == adjusted
        assert quality.confidence_level == level
        assert quality.fallback_reasons == flags
        assert quality.fallback_active == quality.degraded == bool(flags)

    @pytest.mark.parametrize(
        ("flags", "degraded"),
        [
            (("llm_timeout",), False),
            (("llm_error",), False),
            (("llm_error", "circuit_open"), False),
            (("llm_timeout", "bm25_only"), True),
            (("llm_error", "circuit_open", "skosmos_error"), True),
            (("circuit_open",), True),
        ],
    )
    def test_c4_a_model_that_fails_lessens_no_evidence(
        self, flags: tuple[str, ...], *, degraded: bool
    ) -> None:
        """A language model that was asked in vain is told, and costs no confidence."""
        quality = RetrievalQuality.from_retrieval(0.9, flags)
        assert quality.fallback_active
        assert quality.fallback_reasons == flags
        assert quality.degraded == degraded
        assert quality.confidence_score == (0.72 if degraded else 0.9)
        note = TransparencyStatement.from_quality(quality)
        assert note.show_to_user
        assert ("simplified search" in str(note.statement)) == degraded
        assert all(flag in str(note.statement) for flag in flags)

    @pytest.mark.parametrize(
        ("score", "level"),
        [
            (1.0, "high"),
            (0.85, "high"),
            (0.849, "medium"),
            (0.6, "medium"),
            (0.599, "low"),
            (0, "low"),
        ],
    )
    def test_levels_have_sharp_edges(self, score: float, level: str) -> None:
        """High from 0.85, medium from 0.60, low below."""
        assert confidence_level(score) == level

    def test_a_degraded_answer_says_so(self) -> None:
        """The reader sees which fallbacks were in force, in IR0003's words."""
        quality = RetrievalQuality.from_retrieval(0.85, ("bm25_only", "circuit_open"))
        note = TransparencyStatement.from_quality(quality)
        assert note.show_to_user
        assert note.statement == (
            "This response uses simplified search (bm25_only, circuit_open). "
            "Results may be less comprehensive."
        )

    def test_a_weak_answer_says_so(self) -> None:
        """A low confidence asks the reader to rephrase."""
        note = TransparencyStatement.from_quality(RetrievalQuality.from_retrieval(0.5, ()))
        assert note.show_to_user
        assert "Consider rephrasing" in (note.statement or "")


class TestThresholds:
    MODEL = Calibration(intercept=-5.0, similarity=4.0, coverage=4.0, lexical=4.0)
    share = st.floats(0, 1)

    @given(similarity=share, coverage=share, lexical=st.floats(0, 1e6))
    def test_confidence_is_a_probability(
        self, similarity: float, coverage: float, lexical: float
    ) -> None:
        """Whatever was measured, 0 to 1."""
        got = self.MODEL.probability(similarity=similarity, coverage=coverage, lexical=lexical)
        assert 0.0 <= got <= 1.0

    def test_nearer_and_better_covered_is_more_confident(self) -> None:
        """Each measure counts in favour."""
        low = self.MODEL.probability(similarity=0.2, coverage=0.2, lexical=1.0)
        assert self.MODEL.probability(similarity=0.4, coverage=0.2, lexical=1.0) > low
        assert self.MODEL.probability(similarity=0.2, coverage=0.4, lexical=1.0) > low
        assert self.MODEL.probability(similarity=0.2, coverage=0.2, lexical=5.0) > low

    def test_an_extreme_calibration_is_still_a_probability(self) -> None:
        """A coefficient that somebody mistyped refuses; it does not overflow."""
        extreme = Calibration(intercept=-5000.0, similarity=0, coverage=0, lexical=0)
        assert extreme.probability(similarity=1, coverage=1, lexical=1) == pytest.approx(
            0.0, abs=1e-20
        )

    @given(st.floats(0, 1e9))
    def test_a_long_question_does_not_win_by_length(self, bm25: float) -> None:
        """However high a BM25 score, it saturates at 1."""
        assert 0.0 <= saturate(bm25) <= 1.0

    def test_a_collection_without_limits_gets_the_default(self) -> None:
        """And one that has its own gets its own."""
        own = Limits(
            distance_threshold=0.1, min_query_coverage=0.1, calibration=self.MODEL, source="own"
        )
        limits = Thresholds(default=LIMITS, collections={"A": own})
        assert limits.for_collection("A") is own
        assert limits.for_collection("B") is LIMITS


@pytest.mark.parametrize(
    ("scope", "date", "dated", "within"),
    [
        (Scope(since="2024"), "2024-01-01", True, True),
        (Scope(since="2024"), "2023-12-31", True, False),
        (Scope(until="2024"), "2024-12-31", True, True),
        (Scope(until="2023-06"), "2023-07-01", True, False),
        (Scope(since="2024-03", until="2024-03"), "2024-03-31", True, True),
        (Scope(since="2024"), "", False, False),
        (Scope(until="2024"), "", False, False),
        (Scope(since="2024"), "spring 2025", False, False),
        (Scope(since="2024-03"), "2023", True, False),
        (Scope(since="2024-03"), "2025", True, True),
        (Scope(since="2024-03"), "2024", False, False),
        (Scope(until="2024-03"), "2024", False, False),
    ],
)
def test_a_period_is_held_against_dates_that_are_exact_enough(
    scope: Scope, date: str, dated: bool, within: bool
) -> None:
    """Both ends are included; a year alone says nothing of a month, and what is no date nothing."""
    assert (scope.is_dated([date]), scope.is_in_period([date])) == (dated, within)


@pytest.mark.parametrize(
    ("owner", "owners", "topic"),
    [
        (None, (), "whole"),
        (Owner(written="board"), ("Board",), "whole"),
        (Owner(written="board", topic="beside"), ("Board",), "beside"),
        (Owner(written="board", topic="beside"), (), "whole"),
    ],
)
def test_a_list_is_about_what_is_said_beside_its_owner(
    owner: Owner | None, owners: tuple[str, ...], topic: str
) -> None:
    """Where that owner is one that there is; else what may name it is a subject too."""
    asked = Listing(kinds=(DocumentKind.DECISION,), topic="whole", filters=Scope(owner=owner))
    assert asked.topic_beside(owners) == topic


@pytest.mark.parametrize(
    ("asks", "outcome", "step"),
    [
        (Definition(term="x"), None, Step.SKOSMOS_LOOKUP),
        (Listing(kinds=()), None, Step.LIST_DOCUMENTS),
        (Named(references=()), None, Step.GUARDED_SEARCH),
        (Search(topic="x"), None, Step.GUARDED_SEARCH),
        (Search(topic="x"), Outcome.ANSWER, Step.GROUNDED_ANSWER),
        (Search(topic="x"), Outcome.CONVERSE, Step.GROUNDED_ANSWER),
        (Search(topic="x"), Outcome.CLARIFY, Step.CLARIFY),
        (Search(topic="x"), Outcome.REFUSE, Step.ABSTAIN),
    ],
)
def test_what_is_asked_gathers_and_a_verdict_ends(
    asks: Asks, outcome: Outcome | None, step: Step
) -> None:
    """Only an open question that nothing has decided leaves a choice; none ends unjudged."""
    under_way = inquiry("a question", asks=asks, verdict=verdict(outcome) if outcome else None)
    assert under_way.next_step() is step
    assert (step in GATHERING) is (outcome is None)
    assert under_way.undecided is (outcome is None and isinstance(asks, Search))
    if outcome is None:
        with pytest.raises(RuntimeError, match="not judged"):
            under_way.decided()


def test_it_has_the_fields_of_every_log_line() -> None:
    """IR0003's contract of to_log_context."""
    clock = FakeClock()
    context = RequestContext(request_id="req-abc123", route="tree", clock=clock)
    clock.advance(0.12)
    context.add_fallback("bm25_only")
    context.add_fallback("circuit_open")
    context.add_fallback("bm25_only")
    assert context.to_log_context() == {
        "request_id": "req-abc123",
        "route": "tree",
        "fallback_flags": ["bm25_only", "circuit_open"],
        "elapsed_ms": 120.0,
    }


async def test_each_task_works_for_its_own_request() -> None:
    """Side by side, and in what they start."""

    async def event_of(name: str) -> str:
        with within(RequestContext(request_id=name, route="direct")):
            await asyncio.sleep(0)
            return await asyncio.create_task(made())

    async def made() -> str:
        return Event().request_id

    names = [f"req-{n}" for n in range(5)]
    assert await asyncio.gather(*map(event_of, names)) == names


def test_outside_of_any_request_there_is_none() -> None:
    """Also again, when one has ended."""
    with within(RequestContext(request_id="req-1", route="tree")):
        assert current_request_id() == "req-1"
    assert (current_request(), Event().request_id) == (None, "")


def test_c7_it_is_made_as_ir0003_makes_it() -> None:
    """Id, route, flags and the moment it came in, in this order; flags and moment by themselves."""
    moment = datetime(2026, 2, 9, 10, 30, tzinfo=UTC)
    context = RequestContext("req-def456", "tree", ["bm25_only"], moment)
    assert (context.request_id, context.route) == ("req-def456", "tree")
    assert (context.fallback_flags, context.start_time) == (["bm25_only"], moment)
    one, two = RequestContext("req-1", "tree"), RequestContext("req-2", "direct")
    one.add_fallback("circuit_open")
    assert two.fallback_flags == []
    assert one.start_time.utcoffset() == timedelta(0)
    assert one.start_time <= two.start_time
