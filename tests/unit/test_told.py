"""What a writer is told, breadth first: what passed, and beside it what came near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.made_writers import MADE_UP, SURE, TLS, Opinion, Scripted, seated, writing
from tests.unit.small_world import (
    COLLECTIONS,
    KNOWLEDGE,
    LIMITS,
    THRESHOLDS,
    World,
    document,
    hit,
    inquiry,
    question,
    verdict,
)

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Reference
from elysia_guard.domain.reading import Named, Search
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.stages.gates.passages import search_gates
from elysia_guard.stages.verification.claims import prove
from elysia_guard.stages.writing import Desk, told_of

ASKED = "How are connections encrypted?"
BY_WORDS = Calibration(intercept=-2.0, similarity=0.0, coverage=6.0, lexical=0.0)
"""Half of the words covered make 0.73, a third of them 0.5, none 0.12."""
OTHER = "Tapes are carried by hand."
OWN, NEAR = "ADR-0027#1", "ADR-0012#2"


def hits(passages: Sequence[Passage]) -> tuple[Hit, ...]:
    return tuple(Hit(passage=each, score=1.0, distance=0.3, lexical=5.0) for each in passages)


def found(*own: Hit, beside: tuple[Hit, ...] = ()) -> Inquiry:
    return inquiry(
        ASKED,
        evidence=Evidence(hits=(*own, *beside)),
        verdict=verdict(support=own, ranking=(*own, *beside), beside=beside),
    )


def ids(passages: Sequence[Passage]) -> list[str]:
    return [each.id for each in passages]


class TestOrder:
    def test_the_best_of_each_document_comes_before_second_ones(self) -> None:
        """Those beside stand behind those that passed."""
        asked = found(hit(OWN), hit("ADR-0027#0"), hit("PCP-0010#0"), beside=(hit(NEAR),))
        assert ids(told_of(asked)) == [OWN, "PCP-0010#0", NEAR, "ADR-0027#0"]

    def test_what_a_document_states_comes_before_what_leads_up_to_it(self) -> None:
        asked = found(hit("ADR-0012#0"), hit("ADR-0012#1"), hit("ADR-0012#2"))
        assert ids(told_of(asked)) == ["ADR-0012#0", "ADR-0012#2", "ADR-0012#1"]

    def test_no_more_than_a_few_stand_beside(self) -> None:
        numbers = range(90, 99)
        rule = (SectionRole.SUBSTANCE, "So.")
        many = [document(DocumentKind.POLICY, n, f"Rule {n}", rule)[0] for n in numbers]
        asked = found(hit(OWN), beside=hits(many))
        assert ids(told_of(asked)) == [OWN, *(each.id for each in many[:4])]

    def test_of_a_named_document_no_other_is_told(self) -> None:
        asked = found(hit(OWN), beside=(hit(NEAR),))
        reference = Reference(kind=DocumentKind.DECISION, number=27, written="ADR-0027")
        asks = Named(references=(reference,), matter="TLS")
        asked.part = replace(asked.part, asks=asks)
        assert ids(told_of(asked)) == [OWN]

    def test_what_does_not_fit_leaves_room_for_what_does(self) -> None:
        """The first is told however long it is."""
        long = document(DocumentKind.POLICY, 90, "Long", (SectionRole.SUBSTANCE, "So. " * 100))[0]
        asked = found(*hits([long]), hit(OWN), hit(NEAR))
        assert ids(told_of(asked, max_chars=50)) == [long.id]
        asked = found(hit(OWN), *hits([long]), hit("PCP-0010#0"))
        assert ids(told_of(asked, max_chars=200)) == [OWN, "PCP-0010#0"]


class TestGate:
    def judged(self, *found: Hit, judged: dict[str, Judgement] | None = None) -> list[str]:
        limits = replace(LIMITS, min_query_coverage=0.1, calibration=BY_WORDS)
        verdict = search_gates(
            question("connections encrypted domain language"),
            Search(topic="connections encrypted domain language"),
            Evidence(hits=found, judged=judged or {}),
            thresholds=replace(THRESHOLDS, default=limits),
            collections=COLLECTIONS,
        )
        assert verdict.outcome is Outcome.ANSWER
        return [each.passage.id for each in verdict.beside]

    def test_what_wants_confidence_alone_stands_beside(self) -> None:
        near = document(DocumentKind.POLICY, 90, "Rules", (SectionRole.SUBSTANCE, "A language."))
        assert self.judged(hit(OWN), *hits(near)) == [near[0].id]

    @pytest.mark.parametrize("other", [hit("POL-0003#0"), hit("ADR-0012#2", distance=0.99)])
    def test_what_is_far_or_says_nothing_of_it_does_not(self, other: Hit) -> None:
        assert self.judged(hit(OWN), other) == []

    def test_a_further_passage_of_what_passed_is_no_other_document(self) -> None:
        assert self.judged(hit(OWN), hit("ADR-0027#0")) == []


PARTNERS = "Connections of partners are listed."
NEARBY = document(DocumentKind.POLICY, 90, "Rules", (SectionRole.SUBSTANCE, f"{PARTNERS} {OTHER}"))


async def test_a_sentence_of_what_came_near_has_to_be_about_it() -> None:
    """However true it is."""
    asked = found(hit(OWN), beside=hits(NEARBY))
    writer = Scripted(writing((TLS, TLS), (PARTNERS, PARTNERS), (OTHER, OTHER)))
    desk = Desk(writer=writer, clock=lambda: 0.0)
    made = await desk.written(asked, prove, mode=Mode.AUTO, ends=9.0)
    assert [each.claim.text for each in made.shown] == [TLS, PARTNERS]
    assert [each.claim.text for each in made.withheld] == [OTHER]


ALSO = "Connections of partners are encrypted as well."
PARTNER_RULES = document(
    DocumentKind.POLICY, 91, "Partners", (SectionRole.SUBSTANCE, f"{ALSO} {OTHER}")
)
LEFT_OPEN = "Links of partners are protected as well."


def answered(*sentences: tuple[str, str], **desk: object) -> RAGResponse:
    world = World(passages=(*KNOWLEDGE, *PARTNER_RULES), thresholds=SURE)
    return seated(Scripted(writing((TLS, TLS), *sentences)), world, **desk).ask(ASKED)


class TestWhatIsLeftOpen:
    def test_its_source_says_it_itself(self) -> None:
        """The whole sentence, under its document; what was written is told to be left out."""
        reply = answered((LEFT_OPEN, "Connections of partners are encrypted"))
        assert reply.mode is Mode.AUTO
        assert LEFT_OPEN not in reply.answer
        assert f"> {ALSO} [source:2]" in reply.answer
        assert [source.quote for source in reply.sources] == [TLS, ALSO]
        assert [each.type for each in reply.warnings] == ["UNVERIFIED_FIELDS"]
        assert reply.validation
        assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 2)
        assert not reply.complete

    def test_a_second_opinion_shows_the_sentence_in_its_place(self) -> None:
        reply = answered((LEFT_OPEN, ALSO), verifier=Opinion(1.0))
        assert f"{LEFT_OPEN} [source:2]" in reply.answer
        assert f"> {ALSO}" not in reply.answer

    def test_what_is_said_already_is_not_said_again(self) -> None:
        reply = answered((LEFT_OPEN, TLS))
        assert reply.answer.count(TLS) == 1

    @pytest.mark.parametrize(
        ("sentence", "words"),
        [
            (MADE_UP, ALSO),
            ("Somebody brings reels along.", OTHER),
            (LEFT_OPEN, "Connections of partners are scrambled."),
        ],
    )
    def test_what_fails_and_what_says_nothing_of_it_is_not_quoted(
        self, sentence: str, words: str
    ) -> None:
        reply = answered((sentence, words))
        assert reply.mode is Mode.AUTO
        assert [source.quote for source in reply.sources] == [TLS]


@pytest.mark.parametrize(
    ("sentences", "outcome", "mode"),
    [
        ([TLS], ReplyOutcome.ASSERTED, Mode.AUTO),
        ([TLS, PARTNERS], ReplyOutcome.HEDGED, Mode.AUTO),
        ([PARTNERS], ReplyOutcome.HEDGED, Mode.INSTANT),
    ],
)
def test_what_came_near_is_asserted_by_nothing_and_answers_nothing_alone(
    sentences: list[str], outcome: ReplyOutcome, mode: Mode
) -> None:
    limits = replace(LIMITS, min_query_coverage=0.1, calibration=BY_WORDS)
    thresholds = replace(THRESHOLDS, default=limits, search_ceiling=0.95)
    world = World(passages=(*KNOWLEDGE, *NEARBY), thresholds=thresholds)
    writer = Scripted(writing(*((each, each) for each in sentences)))
    reply = seated(writer, world).ask("How are connections encrypted to be protected?")
    told = [each.identifiers for each in writer.asked[0][1]]
    assert ("POL-0090",) in told
    assert (reply.outcome, reply.mode) == (outcome, mode)
    assert (PARTNERS in reply.answer) is (mode is Mode.AUTO and PARTNERS in sentences)
