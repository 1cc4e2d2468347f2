"""The gates: each alone, with what it measured, against what, and where that limit is set."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import (
    COLLECTIONS,
    DECISION,
    LIMITS,
    SURE,
    THRESHOLDS,
    hit,
    inquiry,
    named,
)

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.question import Aspect, Lang, Owner, Reference, Scope
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Search,
    SmallTalk,
)
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.stages import gates
from elysia_guard.stages.gates.limits import confidence_gate, coverage_gate, distance_gate
from elysia_guard.testing.terminology import ASSET, CIM_DUMP, METER, REGULATED_ASSET

UNSURE = Calibration(intercept=0.0, similarity=0.0, coverage=0.0, lexical=0.0)
"""A calibration that gives 0.5 to everything."""


def judge(
    text: str,
    evidence: Evidence,
    *,
    lang: Lang = "en",
    thresholds: Thresholds = THRESHOLDS,
    asks: Asks | None = None,
) -> Verdict:
    under_way = inquiry(text, lang=lang, evidence=evidence, asks=asks)
    return gates.judge(under_way, thresholds=thresholds, collections=COLLECTIONS)


def found(*hits: Hit, **values: object) -> Evidence:
    return Evidence(hits=hits, looked_at=("decision",), **values)  # type: ignore[arg-type]


class TestDistance:
    @pytest.mark.parametrize(
        ("distance", "passed"), [(0.0, True), (0.9, True), (0.9001, False), (2.0, False)]
    )
    def test_near_enough_passes(self, distance: float, passed: bool) -> None:
        """The limit itself is near enough; the reading says value, limit and where it is set."""
        read = distance_gate(distance, LIMITS)
        assert (read.gate, read.passed) == ("distance", passed)
        assert (read.value, read.threshold) == (distance, 0.9)
        assert read.source == "collections.ADR_Ollama.distance_threshold"
        assert read.reason is (None if passed else RefusalReason.NOT_RELEVANT)

    def test_without_a_true_distance_it_fails_closed(self) -> None:
        """Weaviate's hybrid search gives none; the gate refuses rather than guess."""
        read = distance_gate(None, LIMITS)
        assert (read.passed, read.value) == (False, None)
        assert read.reason is RefusalReason.NOT_RELEVANT

    def test_without_any_vector_there_is_nothing_to_measure(self) -> None:
        """With the embedder down the gate steps aside and says so; the confidence pays for it."""
        read = distance_gate(None, LIMITS, by_words_alone=True)
        assert (read.passed, read.value, read.source) == (True, None, "bm25_only")


class TestCoverageAndConfidence:
    @pytest.mark.parametrize(("coverage", "passed"), [(1.0, True), (0.5, True), (0.49, False)])
    def test_enough_words_pass(self, coverage: float, passed: bool) -> None:
        """The limit itself is enough."""
        read = coverage_gate(coverage, LIMITS)
        assert (read.gate, read.passed, read.value) == ("term_coverage", passed, coverage)
        assert read.source == "collections.ADR_Ollama.min_query_coverage"
        assert read.reason is (None if passed else RefusalReason.LOW_COVERAGE)

    @pytest.mark.parametrize(("confidence", "passed"), [(0.6, True), (0.599, False)])
    def test_confident_enough_passes(self, confidence: float, passed: bool) -> None:
        """IR0001: below 0.60 abstain."""
        read = confidence_gate(confidence, 0.60)
        assert (read.gate, read.passed, read.threshold) == ("confidence", passed, 0.6)
        assert read.source == "confidence.min_confidence"
        assert read.reason is (None if passed else RefusalReason.LOW_CONFIDENCE)


class TestSearch:
    def test_a_near_covered_confident_passage_answers(self) -> None:
        """And supports the answer."""
        verdict = judge("CIM domain language", found(hit("ADR-0012#2")))
        assert verdict.outcome is Outcome.ANSWER
        assert verdict.reason is None
        assert [item.passage.id for item in verdict.support] == ["ADR-0012#2"]
        assert [read.gate for read in verdict.readings] == [
            "no_results",
            "distance",
            "term_coverage",
            "confidence",
        ]
        assert all(read.passed for read in verdict.readings)

    def test_the_nearest_sentence_counts(self) -> None:
        """A passage may be long, and its answer one sentence."""
        near = replace(hit("ADR-0012#2", distance=0.99), sentence_distance=0.3)
        verdict = judge("CIM domain language", found(near))
        assert verdict.outcome is Outcome.ANSWER
        (read,) = [item for item in verdict.readings if item.gate == "distance"]
        assert read.value == 0.3
        assert (
            verdict.confidence == judge("CIM domain language", found(hit("ADR-0012#2"))).confidence
        )

    def test_a_sentence_is_no_stand_in_for_a_true_distance(self) -> None:
        """A passage without one is refused, whatever its sentences say."""
        claimed = replace(hit("ADR-0012#2", distance=None), sentence_distance=0.1)
        assert claimed.nearest is None
        assert judge("CIM domain language", found(claimed)).reason is RefusalReason.NOT_RELEVANT

    @pytest.mark.parametrize(
        ("text", "evidence", "thresholds", "reason"),
        [
            pytest.param("CIM", found(), THRESHOLDS, RefusalReason.NO_RESULTS, id="nothing"),
            pytest.param(
                "what is the", found(hit("ADR-0012#2")), THRESHOLDS, RefusalReason.NO_RESULTS,
                id="no-words",
            ),
            pytest.param(
                "CIM domain language",
                found(hit("ADR-0012#2", distance=0.95)),
                THRESHOLDS,
                RefusalReason.NOT_RELEVANT,
                id="too-far",
            ),
            pytest.param(
                "CIM domain language",
                found(hit("ADR-0012#2", distance=None)),
                THRESHOLDS,
                RefusalReason.NOT_RELEVANT,
                id="no-true-distance",
            ),
            pytest.param(
                "hydrogen storage tanks CIM",
                found(hit("ADR-0012#2")),
                THRESHOLDS,
                RefusalReason.LOW_COVERAGE,
                id="other-words",
            ),
            pytest.param(
                "CIM domain language",
                found(hit("ADR-0012#2")),
                Thresholds(
                    default=Limits(
                        distance_threshold=0.9,
                        min_query_coverage=0.5,
                        calibration=UNSURE,
                        source="default",
                    ),
                ),
                RefusalReason.LOW_CONFIDENCE,
                id="unsure",
            ),
        ],
    )  # fmt: skip
    def test_each_gate_refuses_alone(
        self, text: str, evidence: Evidence, thresholds: Thresholds, reason: RefusalReason
    ) -> None:
        """One failed gate is a refusal with that gate's reason, and supports nothing."""
        verdict = judge(text, evidence, thresholds=thresholds)
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, reason)
        assert verdict.support == ()
        (failed,) = [read for read in verdict.readings if not read.passed]
        assert failed.reason is reason

    def test_only_what_passes_every_gate_supports(self) -> None:
        """A far passage beside a near one lends no support."""
        evidence = found(hit("ADR-0012#2"), hit("ADR-0027#1"), hit("ADR-0012#3", distance=None))
        verdict = judge("CIM domain language", evidence)
        assert [item.passage.id for item in verdict.support] == ["ADR-0012#2"]

    def test_the_reading_shown_is_that_of_the_passage_that_came_furthest(self) -> None:
        """A near passage without the words says more than a far one with them."""
        evidence = found(hit("ADR-0012#2", distance=0.99), hit("ADR-0027#1", distance=0.2))
        assert judge("CIM domain language", evidence).reason is RefusalReason.LOW_COVERAGE

    def test_the_limits_are_those_of_the_passages_own_collection(self) -> None:
        """What is near enough for a principle may be too far for a decision."""
        strict = Limits(
            distance_threshold=0.1,
            min_query_coverage=0.5,
            calibration=SURE,
            source="collections.ADR_Ollama",
        )
        thresholds = Thresholds(default=LIMITS, collections={"ADR_Ollama": strict})
        refused = judge("CIM domain language", found(hit("ADR-0012#2")), thresholds=thresholds)
        assert refused.reason is RefusalReason.NOT_RELEVANT
        answered = judge("replicas converge", found(hit("PCP-0010#0")), thresholds=thresholds)
        assert answered.outcome is Outcome.ANSWER

    def test_a_passage_in_another_language_answers_by_words_that_mean_alike(self) -> None:
        """They count as much as they are alike; without them, it does not speak of it."""
        asked, passage = "facts possession", hit("PCP-0012#0", distance=0.3)
        alike = {"facts": {"gegevens": 1.0}, "possession": {"eigenaar": 0.8}}
        near = judge(asked, found(passage, likeness=alike))
        assert near.outcome is Outcome.ANSWER
        coverage = next(read for read in near.readings if read.gate == "term_coverage")
        assert (coverage.passed, coverage.value) == (True, pytest.approx(0.9))
        assert judge(asked, found(passage)).reason is RefusalReason.LOW_COVERAGE

    def test_a_passage_of_no_known_language_is_compared(self) -> None:
        """What another tool found has no language; its words are held to the question's."""
        bare = hit("PCP-0012#0")
        bare = replace(
            bare,
            passage=replace(bare.passage, document=replace(bare.passage.document, lang="")),
        )
        assert judge("data ownership", found(bare)).reason is RefusalReason.LOW_COVERAGE

    def test_a_rare_word_counts_for_more(self) -> None:
        """'language' stands everywhere; a passage without 'hydrogen' does not speak of it."""
        common = {"hydrogen": 1.0, "domain": 0.1, "language": 0.1}
        asked = "hydrogen domain language"
        assert judge(asked, found(hit("ADR-0012#2"))).outcome is Outcome.ANSWER
        weighed = judge(asked, found(hit("ADR-0012#2"), rarity=common))
        assert weighed.reason is RefusalReason.LOW_COVERAGE

    def test_by_words_alone_the_words_decide(self) -> None:
        """With bm25_only no distance is asked for; the words still are."""
        bare = hit("ADR-0012#2", distance=None)
        evidence = found(bare, fallbacks=("bm25_only",))
        assert judge("CIM domain language", evidence).outcome is Outcome.ANSWER
        assert judge("hydrogen tanks", evidence).reason is RefusalReason.LOW_COVERAGE

    def test_an_index_that_could_not_be_asked_is_not_an_empty_one(self) -> None:
        """The refusal has a reason of its own."""
        evidence = found(missing=(SourceFailure(source="index", timeout=False),))
        verdict = judge("CIM", evidence)
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.INDEX_ERROR)
        assert verdict.readings[0].value == "could not be asked"


class TestTerminology:
    def look(self, *matches: TermMatch, **values: object) -> Verdict:
        evidence = Evidence(matches=matches, looked_at=("V",), **values)  # type: ignore[arg-type]
        return judge("What is CIM?", evidence, asks=Definition(term="CIM"))

    def match(self, concept: object) -> TermMatch:
        return TermMatch(concept=concept, label=METER.preferred[0], role="prefLabel")  # type: ignore[arg-type]

    def test_one_living_defined_concept_answers(self) -> None:
        """With the fixed confidence of a governed term."""
        verdict = self.look(self.match(METER))
        assert (verdict.outcome, verdict.confidence) == (Outcome.ANSWER, THRESHOLDS.skos_match)

    def test_none_is_not_found(self) -> None:
        """Never invent."""
        verdict = self.look()
        assert (verdict.outcome, verdict.reason) == (
            Outcome.REFUSE,
            RefusalReason.TERMINOLOGY_NOT_FOUND,
        )
        assert verdict.subject == "CIM"

    @pytest.mark.parametrize(
        ("timeout", "reason"),
        [(True, RefusalReason.TERMINOLOGY_TIMEOUT), (False, RefusalReason.TERMINOLOGY_ERROR)],
    )
    def test_a_vocabulary_that_could_not_be_asked_never_says_not_found(
        self, timeout: bool, reason: RefusalReason
    ) -> None:
        """A timeout and an error are reasons of their own."""
        verdict = self.look(missing=(SourceFailure(source="skosmos", timeout=timeout),))
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, reason)

    def test_several_are_asked_back(self) -> None:
        """Ambiguous is a question, not a failure."""
        verdict = self.look(self.match(ASSET), self.match(REGULATED_ASSET))
        assert verdict.outcome is Outcome.CLARIFY
        assert verdict.reason is RefusalReason.TERMINOLOGY_AMBIGUOUS
        assert verdict.readings[0].value == "2 concepts"

    def test_a_deprecated_one_is_refused(self) -> None:
        """There, but no longer in force."""
        assert self.look(self.match(CIM_DUMP)).reason is RefusalReason.TERMINOLOGY_DEPRECATED

    def test_one_without_definition_is_refused_as_such(self) -> None:
        """Listed, but not defined, is not the same as not listed."""
        bare = type(METER)(uri="urn:x", vocabulary="v", preferred=METER.preferred)
        verdict = self.look(self.match(bare))
        assert verdict.reason is RefusalReason.TERMINOLOGY_NOT_FOUND
        assert verdict.details == {"variant": "undefined"}

    def test_a_bare_term_that_was_found_passes_the_same_gate(self) -> None:
        """'meter' alone is open, but its concept is held to what every concept is held to."""
        evidence = Evidence(matches=(self.match(CIM_DUMP),), looked_at=("V",))
        asks = Search(term="CIM dump", topic="CIM dump")
        verdict = judge("CIM dump", evidence, asks=asks)
        assert verdict.reason is RefusalReason.TERMINOLOGY_DEPRECATED

    def test_what_is_compared_is_the_subject(self) -> None:
        """Both terms, for the decision log."""
        evidence = Evidence(matches=(self.match(METER),), looked_at=("V",))
        asks = Comparison(terms=("meter", "asset"), topic="meter versus asset")
        assert judge("meter versus asset", evidence, asks=asks).subject == "meter versus asset"


class TestNamedDocuments:
    REFERENCE = Reference(number=12, written="ADR.12", kind=DocumentKind.DECISION)

    def asks(self, *references: Reference, matter: str = "") -> Named:
        return Named(references=references or (self.REFERENCE,), matter=matter)

    def named(self, **values: object) -> Evidence:
        hits = tuple(hit(f"ADR-0012#{n}") for n in range(4))
        fields: dict[str, object] = {"hits": hits, "documents": (named("ADR-0012"),), **values}
        return Evidence(looked_at=("decision",), **fields)  # type: ignore[arg-type]

    def test_an_existing_document_answers(self) -> None:
        """With the fixed confidence of an exact identity."""
        verdict = judge("ADR.12", self.named(), asks=self.asks())
        assert (verdict.outcome, verdict.confidence) == (Outcome.ANSWER, THRESHOLDS.entity_match)
        assert verdict.readings[0].gate == "entity_existence"

    def test_a_field_beside_which_more_is_asked_is_less_sure(self) -> None:
        """'Does each service need an owner' may ask what the document says of owners."""
        dated = self.named(documents=(replace(named("ADR-0012"), date="2025-10-23"),))
        alone = replace(self.asks(), aspect=Aspect.DATE)
        beside = replace(alone, beside=True)
        said = [judge("ADR.12", dated, asks=asks).confidence for asks in (alone, beside)]
        assert said == [THRESHOLDS.entity_match, THRESHOLDS.entity_matter]

    def test_a_sum_is_asked_of_one_that_names_a_sum(self) -> None:
        """What a document costs does not stand in one without an amount."""
        asked = "How much does ADR.12 cost?"
        verdict = judge(asked, self.named(), asks=self.asks())
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.NOT_RELEVANT)
        assert verdict.details["variant"] == "entity_money"
        priced = replace(
            hit("ADR-0012#0"),
            passage=replace(hit("ADR-0012#0").passage, text="It costs EUR 40,000 a year."),
        )
        verdict = judge(asked, self.named(hits=(priced,)), asks=self.asks())
        assert verdict.outcome is Outcome.ANSWER
        assert verdict.readings[-1].gate == "answer_type"

    def test_a_date_is_asked_of_one_that_tells_a_date(self) -> None:
        """Where it speaks of the matter; a date that it tells of something else is none of it."""
        asked = "Until what date does ADR.12 allow the old protocol?"
        asks = replace(self.asks(), matter="the old protocol", dated=True)
        spoken = hit("ADR-0012#0")

        def says(text: str) -> Hit:
            return replace(spoken, passage=replace(spoken.passage, text=text))

        undated = says("The old protocol is allowed. Work began on 1 May 2024.")
        verdict = judge(asked, self.named(hits=(undated,)), asks=asks)
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.NOT_RELEVANT)
        assert verdict.details["variant"] == "entity_date"
        dated = says("The old protocol is allowed until 31 March 2026.")
        verdict = judge(asked, self.named(hits=(dated,)), asks=asks)
        assert verdict.outcome is Outcome.ANSWER

    def test_an_absent_one_is_not_found(self) -> None:
        """By its identity, never by likeness."""
        gone = Reference(number=50, written="ADR-0050", kind=DocumentKind.DECISION)
        evidence = Evidence(absent=(gone,), looked_at=("decision",))
        verdict = judge("ADR-0050", evidence, asks=self.asks(gone))
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.ENTITY_NOT_FOUND)
        assert verdict.subject == "ADR-0050"

    def test_an_absent_bare_number_is_named_as_it_was_written(self) -> None:
        """It has no kind to be named by."""
        gone = Reference(number=99, written="99")
        evidence = Evidence(absent=(gone,), looked_at=("decision",))
        assert judge("99", evidence, asks=self.asks(gone)).subject == "99"

    def test_an_absent_one_beside_an_existing_one_is_answered_for_the_latter(self) -> None:
        """What exists is answered; the response warns of the other."""
        gone = Reference(number=50, written="ADR-0050", kind=DocumentKind.DECISION)
        evidence = self.named(absent=(gone,))
        verdict = judge("ADR.12 and ADR.50", evidence, asks=self.asks(self.REFERENCE, gone))
        assert (verdict.outcome, verdict.subject) == (Outcome.ANSWER, "ADR-0012")

    def test_a_number_of_two_documents_is_asked_back(self) -> None:
        """Decision 12 or principle 12?"""
        evidence = Evidence(
            undecided=(named("ADR-0012"), named("PCP-0012")), looked_at=("decision",)
        )
        verdict = judge("12", evidence, asks=self.asks(Reference(number=12, written="12")))
        assert verdict.outcome is Outcome.CLARIFY
        assert verdict.subject == "12"

    def test_a_document_that_does_not_speak_of_it_is_refused(self) -> None:
        """That ADR.12 exists does not make it speak of hydrogen."""
        asks = self.asks(matter="hydrogen storage")
        verdict = judge("What does ADR.12 say about hydrogen storage?", self.named(), asks=asks)
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.LOW_COVERAGE)
        assert verdict.details == {"variant": "entity"}
        assert verdict.readings[1].value == 0.0
        assert verdict.mentioned == ()

    def test_a_document_that_nearly_speaks_of_it_is_mentioned(self) -> None:
        """What it says nearest to the matter is no answer, and yet the place to look."""
        asks = self.asks(matter="hydrogen storage domain")
        verdict = judge("What does ADR.12 say?", self.named(), asks=asks)
        assert verdict.reason is RefusalReason.LOW_COVERAGE
        assert {item.passage.document.id for item in verdict.mentioned} == {"ADR-0012"}

    def test_a_document_in_another_language_is_held_to_words_that_mean_alike(self) -> None:
        """It was named, and still has to speak of what is asked."""
        evidence = Evidence(
            hits=(hit("PCP-0012#0"),),
            documents=(named("PCP-0012"),),
            looked_at=("principle",),
            likeness={"possession": {"eigenaar": 0.8}},
        )
        spoken_of = judge("PCP.12 possession", evidence, asks=self.asks(matter="possession"))
        assert spoken_of.outcome is Outcome.ANSWER
        assert spoken_of.readings[1].value == pytest.approx(0.8)
        other = judge("PCP.12 pizza", evidence, asks=self.asks(matter="pizza"))
        assert other.reason is RefusalReason.LOW_COVERAGE


LISTED = Listing(kinds=(DECISION,))


class TestListsAndTalk:
    def test_something_to_list_is_listed(self) -> None:
        """With the confidence of exact identities."""
        evidence = Evidence(documents=(named("ADR-0012"),), looked_at=("decision",))
        verdict = judge("List ADRs", evidence, asks=LISTED)
        assert (verdict.outcome, verdict.confidence) == (Outcome.ANSWER, THRESHOLDS.entity_match)

    def test_nothing_to_list_is_refused_as_a_list(self) -> None:
        """Zero documents is an answer only as a refusal that says so."""
        verdict = judge("List ADRs", Evidence(looked_at=("decision",)), asks=LISTED)
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.NO_RESULTS)
        assert verdict.details == {"variant": "list"}

    def test_owners_are_named_where_the_one_asked_for_is_none_of_them(self) -> None:
        """A dozen at most: a reader is to find one in them."""
        owner = Owner(written="the stewards")
        asked = Listing(kinds=(DECISION,), filters=Scope(owner=owner))
        for count, threshold in ((2, "O1, O2"), (13, "O12, \u2026")):
            owners = tuple(f"O{n}" for n in range(1, count + 1))
            verdict = judge("x", Evidence(other_owners=owners), asks=asked)
            assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.NO_RESULTS)
            (read,) = verdict.readings
            assert (read.passed, read.value) == (False, "the stewards")
            assert str(read.threshold).endswith(threshold)

    def test_small_talk_needs_no_evidence(self) -> None:
        """It claims nothing."""
        verdict = judge("hi", Evidence(), asks=SmallTalk(about="greeting"))
        assert verdict.outcome is Outcome.CONVERSE
