"""The gates: what each measures and refuses, of evidence that no small world brings."""

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
from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Aspect, Owner, Reference, Scope
from elysia_guard.domain.reading import Asks, Comparison, Definition, Listing, Named
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages import gates
from elysia_guard.stages.gates.passages import coverage_gate, distance_gate
from elysia_guard.testing.terminology import METER

NOTHING_SURE = Calibration(intercept=0.0, similarity=0.0, coverage=0.0, lexical=0.0)
"""A calibration that gives 0.5 to everything."""
CIM, NEAR = "CIM domain language", "ADR-0012#2"


def judge(
    text: str,
    evidence: Evidence,
    *,
    thresholds: Thresholds = THRESHOLDS,
    asks: Asks | None = None,
) -> Verdict:
    under_way = inquiry(text, evidence=evidence, asks=asks)
    return gates.judge(under_way, thresholds=thresholds, collections=COLLECTIONS)


def found(*hits: Hit, **values: object) -> Evidence:
    return Evidence(hits=hits, looked_at=("decision",), **values)  # type: ignore[arg-type]


class TestDistance:
    @pytest.mark.parametrize(
        ("read", "passed", "reason", "source"),
        [
            (distance_gate(0.9, LIMITS), True, None, "ADR_Ollama.distance_threshold"),
            (distance_gate(0.9001, LIMITS), False, RefusalReason.NOT_RELEVANT, "threshold"),
            (distance_gate(None, LIMITS, words_alone=True), True, None, "bm25_only"),
            (coverage_gate(0.5, LIMITS), True, None, "ADR_Ollama.min_query_coverage"),
            (coverage_gate(0.49, LIMITS), False, RefusalReason.LOW_COVERAGE, "coverage"),
        ],
    )
    def test_the_limit_itself_passes(
        self, read: object, passed: bool, reason: object, source: str
    ) -> None:
        """The reading says against what, and where that is set."""
        assert (read.passed, read.reason) == (passed, reason)  # type: ignore[attr-defined]
        assert source in read.source  # type: ignore[attr-defined]

    def test_without_a_true_distance_it_fails_closed(self) -> None:
        """Weaviate's hybrid search gives none; a sentence's is no stand-in for it."""
        read = distance_gate(None, LIMITS)
        assert (read.passed, read.value) == (False, None)
        assert read.reason is RefusalReason.NOT_RELEVANT
        claimed = replace(hit(NEAR, distance=None), sentence_distance=0.1)
        assert claimed.nearest is None
        assert judge(CIM, found(claimed)).reason is RefusalReason.NOT_RELEVANT


class TestSearch:
    def test_the_nearest_sentence_counts(self) -> None:
        """A passage may be long, and its answer one sentence."""
        near = replace(hit(NEAR, distance=0.99), sentence_distance=0.3)
        verdict = judge(CIM, found(near))
        assert verdict.outcome is Outcome.ANSWER
        assert verdict.confidence == judge(CIM, found(hit(NEAR))).confidence

    @pytest.mark.parametrize(
        ("text", "evidence", "reason"),
        [
            ("CIM", found(), RefusalReason.NO_RESULTS),
            ("what is the", found(hit(NEAR)), RefusalReason.NO_RESULTS),
            (CIM, found(hit(NEAR, distance=0.95)), RefusalReason.NOT_RELEVANT),
            (CIM, found(hit(NEAR, distance=None)), RefusalReason.NOT_RELEVANT),
            ("hydrogen storage tanks CIM", found(hit(NEAR)), RefusalReason.LOW_COVERAGE),
            (CIM, found(hit(NEAR)), RefusalReason.LOW_CONFIDENCE),
        ],
    )
    def test_each_gate_refuses_alone(
        self, text: str, evidence: Evidence, reason: RefusalReason
    ) -> None:
        """One failed gate is a refusal with that gate's reason, and supports nothing."""
        unsure = reason is RefusalReason.LOW_CONFIDENCE
        limits = replace(LIMITS, calibration=NOTHING_SURE if unsure else SURE)
        verdict = judge(text, evidence, thresholds=Thresholds(default=limits))
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, reason)
        assert verdict.support == ()
        (failed,) = [read for read in verdict.readings if not read.passed]
        assert failed.reason is reason

    def test_only_what_passes_every_gate_supports(self) -> None:
        """Of what does not, the reading shown is that of the passage that came furthest."""
        evidence = found(hit(NEAR), hit("ADR-0027#1"), hit("ADR-0012#3", distance=None))
        assert [item.passage.id for item in judge(CIM, evidence).support] == [NEAR]
        evidence = found(hit(NEAR, distance=0.99), hit("ADR-0027#1", distance=0.2))
        assert judge(CIM, evidence).reason is RefusalReason.LOW_COVERAGE

    def test_the_limits_are_those_of_the_passages_own_collection(self) -> None:
        """What is near enough for a principle may be too far for a decision."""
        strict = replace(LIMITS, distance_threshold=0.1)
        thresholds = Thresholds(default=LIMITS, collections={"ADR_Ollama": strict})
        refused = judge(CIM, found(hit(NEAR)), thresholds=thresholds)
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
        assert coverage.value == pytest.approx(0.9)
        assert judge(asked, found(passage)).reason is RefusalReason.LOW_COVERAGE
        document = replace(passage.passage.document, lang="")  # as another tool's texts
        bare = replace(passage, passage=replace(passage.passage, document=document))
        assert judge("data ownership", found(bare)).reason is RefusalReason.LOW_COVERAGE

    def test_a_rare_word_counts_for_more(self) -> None:
        """'language' stands everywhere; a passage without 'hydrogen' does not speak of it."""
        common = {"hydrogen": 1.0, "domain": 0.1, "language": 0.1}
        asked = "hydrogen domain language"
        assert judge(asked, found(hit(NEAR))).outcome is Outcome.ANSWER
        weighed = judge(asked, found(hit(NEAR), rarity=common))
        assert weighed.reason is RefusalReason.LOW_COVERAGE


def test_a_concept_without_definition_is_told_by_what_else_is_said_of_it() -> None:
    """Listed, but not defined, is not the same as not listed; the trace says so."""
    bare = replace(METER, definitions=())
    match = TermMatch(concept=bare, label=METER.preferred[0], role="prefLabel")  # type: ignore[arg-type]
    evidence = Evidence(matches=(match,), looked_at=("V",))
    verdict = judge("What is CIM?", evidence, asks=Definition(term="CIM"))
    assert verdict.outcome is Outcome.ANSWER
    assert next(reading.value for reading in verdict.readings) == "1 concept, no definition"
    asks = Comparison(terms=("meter", "asset"), topic="meter versus asset")
    assert judge("meter versus asset", evidence, asks=asks).subject == "meter versus asset"


class TestNamedDocuments:
    ASKS = Named(references=(Reference(number=12, written="ADR.12", kind=DECISION),))

    def named(self, **values: object) -> Evidence:
        hits = tuple(hit(f"ADR-0012#{n}") for n in range(4))
        fields: dict[str, object] = {"hits": hits, "documents": (named("ADR-0012"),), **values}
        return Evidence(looked_at=("decision",), **fields)  # type: ignore[arg-type]

    def test_a_field_beside_which_more_is_asked_is_less_sure(self) -> None:
        """'Does each service need an owner' may ask what the document says of owners."""
        alone = replace(self.ASKS, aspect=Aspect.DATE)
        beside = replace(alone, beside=True)
        said = [judge("ADR.12", self.named(), asks=asks).confidence for asks in (alone, beside)]
        assert said == [THRESHOLDS.entity_match, THRESHOLDS.entity_matter]

    def test_a_document_in_another_language_is_held_to_words_that_mean_alike(self) -> None:
        """It was named, and still has to speak of what is asked."""
        evidence = self.named(
            hits=(hit("PCP-0012#0"),),
            documents=(named("PCP-0012"),),
            likeness={"possession": {"eigenaar": 0.8}},
        )
        asks = replace(self.ASKS, matter="possession")
        spoken_of = judge("PCP.12 possession", evidence, asks=asks)
        assert spoken_of.outcome is Outcome.ANSWER
        assert spoken_of.readings[1].value == pytest.approx(0.8)
        other = judge("PCP.12 pizza", evidence, asks=replace(asks, matter="pizza"))
        assert other.reason is RefusalReason.LOW_COVERAGE


def test_of_many_owners_a_dozen_is_named() -> None:
    """Where the one asked for is none of them: a reader is to find one in them."""
    asked = Listing(kinds=(DECISION,), filters=Scope(owner=Owner(written="the stewards")))
    for count, threshold in ((2, "O1, O2"), (13, "O12, \u2026")):
        owners = tuple(f"O{n}" for n in range(1, count + 1))
        verdict = judge("x", Evidence(other_owners=owners), asks=asked)
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.NO_RESULTS)
        (read,) = verdict.readings
        assert (read.passed, read.value) == (False, "the stewards")
        assert str(read.threshold).endswith(threshold)
