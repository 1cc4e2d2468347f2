"""The policy profiles: each document's rule on the real stages, and what none of them gives up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.small_world import COLLECTIONS, THRESHOLDS, World, cited, hit, index, inquiry, named

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import Hit
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.profiles import DEFAULT, PROFILES, CoverageSpan, Nearness, ProfileName
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Named
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import report
from elysia_guard.ports import Vector
from elysia_guard.stages import answering, gates
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import TRANSFORMER

AINSTEIN = PROFILES[ProfileName.AINSTEIN]
RELEVANCE_GUARD = PROFILES[ProfileName.RELEVANCE_GUARD]
MULTI_GATE = PROFILES[ProfileName.MULTI_GATE]
VERIFIED_SYNTHESIS = PROFILES[ProfileName.VERIFIED_SYNTHESIS]
ASKED = "Which fallback do encrypted connections have?"
UNSURE = Calibration(intercept=0.0, similarity=0.0, coverage=0.0, lexical=0.0)
"""0.5 for everything: below the 0.60 of the documents that have a confidence gate."""

every_profile = pytest.mark.parametrize("name", ProfileName)


class Compass(HashEmbedder):
    """Every passage lies in one direction, and every question at one distance from it."""

    def __init__(self, distance: float) -> None:
        super().__init__(model_id="compass@1", dimension=2)
        self._similarity = 1.0 - distance

    async def embed_question(self, text: str, **_: object) -> Vector:
        """Point away from the passages by the distance."""
        await self.embed([text])
        return [self._similarity, math.sqrt(1.0 - self._similarity**2)]

    def _vector(self, text: str) -> Vector:
        return [1.0, 0.0]


def world(
    name: ProfileName, *, distance: float = 0.2, thresholds: Thresholds = THRESHOLDS
) -> World:
    """The real pipeline under a profile, over passages at one distance from every question."""
    compass = Compass(distance)
    limits = thresholds.under(PROFILES[name])
    return World(thresholds=limits, embedder=compass, made_index=index(embedder=compass))


def unsure(thresholds: Thresholds = THRESHOLDS) -> Thresholds:
    return replace(thresholds, default=replace(thresholds.default, calibration=UNSURE))


def judge(
    name: ProfileName,
    *hits: Hit,
    text: str = "CIM domain language",
    thresholds: Thresholds = THRESHOLDS,
) -> Verdict:
    asked = inquiry(text, evidence=Evidence(hits=hits, looked_at=("decision",)))
    limits = thresholds.under(PROFILES[name])
    return gates.judge(asked, thresholds=limits, collections=COLLECTIONS)


def gate(verdict: Verdict, name: str) -> GateReading:
    (found,) = [item for item in verdict.readings if item.gate == name]
    return found


def gates_met(response: RAGResponse) -> set[str]:
    return {item.gate for step in response.trace for item in step.readings}


class TestDefault:
    def test_it_changes_nothing(self) -> None:
        """Limits under the default profile are the limits, to the last field."""
        assert THRESHOLDS.under(DEFAULT) == THRESHOLDS
        assert Thresholds(default=THRESHOLDS.default).profile is DEFAULT
        assert DEFAULT.measured == DEFAULT

    def test_every_passage_is_measured_by_itself(self) -> None:
        """By its nearest sentence, its own words and its own confidence."""
        assert DEFAULT.distance is not None
        assert DEFAULT.coverage is not None
        assert (DEFAULT.distance.nearness, DEFAULT.coverage.span) == (
            Nearness.SENTENCE,
            CoverageSpan.EACH,
        )
        assert DEFAULT.limits == {}
        far = replace(hit("ADR-0012#2", distance=0.99), sentence_distance=0.3)
        assert judge(ProfileName.DEFAULT, far).outcome is Outcome.ANSWER
        for name in (ProfileName.AINSTEIN, ProfileName.RELEVANCE_GUARD, ProfileName.MULTI_GATE):
            assert judge(name, far).reason is RefusalReason.NOT_RELEVANT


class TestTable:
    def test_there_is_one_profile_a_document(self) -> None:
        """Each under its name, and no document twice."""
        assert list(PROFILES) == list(ProfileName)
        assert all(profile.name is name for name, profile in PROFILES.items())
        assert len({profile.document for profile in PROFILES.values()}) == 5

    def test_the_limits_are_the_documents(self) -> None:
        """IR0001: 0.5 and 0.2. TD-080: similarity 0.4. ADR-004: 0.7 and 0.6. ADR-0031: none."""
        assert AINSTEIN.limits == {
            "distance_threshold": 0.5,
            "min_query_coverage": 0.2,
            "entity_min_coverage": 0.2,
        }
        assert RELEVANCE_GUARD.limits == {"distance_threshold": 0.6}
        assert MULTI_GATE.limits["distance_threshold"] == pytest.approx(1 - 0.7)
        assert MULTI_GATE.limits["min_confidence"] == 0.6
        assert VERIFIED_SYNTHESIS.gates == {}

    @every_profile
    def test_each_says_what_it_leaves_out(self, name: ProfileName) -> None:
        """All but the default; each gate is put in words."""
        profile = PROFILES[name]
        assert bool(profile.without) == bool(profile.beyond) == (profile is not DEFAULT)
        gates = ["passages", "distance", "term coverage", "confidence", "answer type"]
        assert list(profile.described) == gates

    def test_a_rule_is_put_in_words(self) -> None:
        """With its limit, or where that is set."""
        assert "≤ 0.60, for all the mean of the first 3" in RELEVANCE_GUARD.described["distance"]
        assert "warned" in MULTI_GATE.described["term coverage"]
        assert VERIFIED_SYNTHESIS.described["confidence"] == "no such gate"
        assert DEFAULT.described["confidence"].startswith("≥ thresholds.yaml")
        assert AINSTEIN.described["passages"] == "the first 5"

    def test_a_profile_can_have_measured_limits(self) -> None:
        """The document's rules, and the limits that fit the model in use."""
        measured = MULTI_GATE.measured
        assert measured.limits == {}
        assert measured.label == "multi-gate with measured limits"
        assert (MULTI_GATE.label, DEFAULT.measured.label) == ("multi-gate", "default")
        limits = THRESHOLDS.under(measured)
        assert replace(limits, profile=DEFAULT) == THRESHOLDS
        assert limits.source("min_confidence") == "confidence.min_confidence"

    def test_a_report_names_the_limits_that_a_gate_looks_at(self) -> None:
        """A limit that nothing is held against is not in force."""
        named_limits = report.limits(THRESHOLDS.under(RELEVANCE_GUARD))
        assert named_limits == {
            "default.distance_threshold": 0.6,
            "confidence.entity_match": 0.95,
            "confidence.skos_match": 0.98,
        }
        assert "confidence.min_confidence" in report.limits(THRESHOLDS)


class TestDistance:
    @pytest.mark.parametrize(
        ("distance", "answering"),
        [
            (0.25, set(ProfileName)),
            (0.40, set(ProfileName) - {"multi-gate"}),
            (0.55, {"default", "relevance-guard", "verified-synthesis"}),
            (0.70, {"default", "verified-synthesis"}),
            (0.95, {"verified-synthesis"}),
        ],
    )
    def test_each_document_has_its_own_limit(self, distance: float, answering: set[str]) -> None:
        """The same passage at the same distance: near enough for one, too far for another."""
        replies = {name: world(name, distance=distance).ask(ASKED) for name in ProfileName}
        assert {name for name, reply in replies.items() if not reply.refused} == answering
        refused = [reply for reply in replies.values() if reply.refused]
        assert {reply.refusal_reason for reply in refused} <= {RefusalReason.NOT_RELEVANT}

    @pytest.mark.parametrize(("distance", "passed"), [(0.5, True), (0.5001, False)])
    def test_ainstein_takes_the_nearest_of_all(self, distance: float, passed: bool) -> None:
        """IR0001, check 2: min(distances) > 0.5 abstains; the reading names the profile."""
        far = hit("ADR-0012#0", distance=0.8)
        verdict = judge(ProfileName.AINSTEIN, far, hit("ADR-0012#2", distance=distance))
        read = gate(verdict, "distance")
        assert (read.passed, read.value) == (passed, distance)
        assert read.source == "profiles.ainstein.distance_threshold"
        assert len(verdict.support) == (2 if passed else 0)

    def test_ainstein_looks_at_five_passages(self) -> None:
        """IR0001's queries have limit=5: a sixth that is near helps nobody."""
        ids = ("ADR-0012#0", "ADR-0012#1", "ADR-0012#2", "ADR-0012#3", "ADR-0012D#0")
        far = [hit(id_, distance=0.8) for id_ in ids]
        near = hit("ADR-0027#1", distance=0.1)
        assert judge(ProfileName.AINSTEIN, *far, near).reason is RefusalReason.NOT_RELEVANT
        assert judge(ProfileName.AINSTEIN, near, *far).outcome is Outcome.ANSWER

    def test_relevance_guard_takes_the_mean_of_the_first_three(self) -> None:
        """TD-080, option 2: one good passage does not save two poor ones; a fourth counts not."""
        ids = ("ADR-0012#0", "ADR-0012#1", "ADR-0012#2")
        mixed = [hit(id_, distance=d) for id_, d in zip(ids, (0.3, 0.7, 0.8), strict=True)]
        assert gate(judge(ProfileName.RELEVANCE_GUARD, *mixed), "distance").value == 0.6
        assert judge(ProfileName.RELEVANCE_GUARD, *mixed).outcome is Outcome.ANSWER
        worse = [replace(mixed[0], distance=0.4), *mixed[1:], hit("ADR-0012#3", distance=0.1)]
        assert judge(ProfileName.RELEVANCE_GUARD, *worse).reason is RefusalReason.NOT_RELEVANT

    def test_the_documents_own_example_is_refused(self) -> None:
        """TD-080: passages of 38 % similarity do not answer 'Was ist ein Knowledge Graph?'."""
        verdict = judge(ProfileName.RELEVANCE_GUARD, hit("ADR-0012#2", distance=1 - 0.38))
        assert verdict.reason is RefusalReason.NOT_RELEVANT

    @pytest.mark.parametrize("name", ["ainstein", "relevance-guard", "multi-gate"])
    def test_without_a_true_distance_it_fails_closed(self, name: str) -> None:
        """IR0001 skips its check then; no profile does."""
        verdict = judge(ProfileName(name), hit("ADR-0012#2", distance=None))
        assert (verdict.reason, gate(verdict, "distance").value) == (
            RefusalReason.NOT_RELEVANT,
            None,
        )

    def test_a_mean_needs_all_its_distances(self) -> None:
        """One that is not true makes the mean of the others say nothing."""
        some = (hit("ADR-0012#2", distance=0.1), hit("ADR-0012#1", distance=None))
        assert judge(ProfileName.RELEVANCE_GUARD, *some).reason is RefusalReason.NOT_RELEVANT
        assert judge(ProfileName.MULTI_GATE, *some).outcome is Outcome.ANSWER

    @pytest.mark.parametrize(
        ("name", "answered"),
        [
            ("default", True),
            ("ainstein", False),
            ("relevance-guard", False),
            ("multi-gate", False),
            ("verified-synthesis", True),
        ],
    )
    def test_words_alone_answer_where_the_document_lets_them(
        self, name: str, answered: bool
    ) -> None:
        """IR0003's BM25 fallback, and ADR-0031's 'partial results rather than failure'."""
        offline = world(ProfileName(name))
        offline.embedder.down = True  # type: ignore[attr-defined]
        response = offline.ask(ASKED)
        assert response.refused is not answered
        assert response.retrieval_quality.fallback_reasons == ("bm25_only",)


class TestCoverage:
    def test_ainstein_counts_the_words_of_all_passages_together(self) -> None:
        """IR0001, check 4: the fraction of query terms found in results, at least 0.2."""
        together = (hit("ADR-0012#2"), hit("ADR-0027#1"))
        text = "domain language encrypted courier tapes"
        read = gate(judge(ProfileName.AINSTEIN, *together, text=text), "term_coverage")
        assert (read.value, read.passed) == (0.6, True)
        assert gate(judge(ProfileName.DEFAULT, *together, text=text), "term_coverage").value == 0.4

    def test_ainstein_refuses_below_a_fifth(self) -> None:
        """A fifth itself is enough."""
        few = "domain courier tapes meter nightly"
        assert judge(ProfileName.AINSTEIN, hit("ADR-0012#2"), text=few).outcome is Outcome.ANSWER
        less = f"{few} blockchain"
        verdict = judge(ProfileName.AINSTEIN, hit("ADR-0012#2"), text=less)
        assert verdict.reason is RefusalReason.LOW_COVERAGE

    def test_multi_gate_warns_of_missing_words(self) -> None:
        """ADR-004, gate 2: warn the user, still attempt the answer."""
        response = world(ProfileName.MULTI_GATE).ask(f"{ASKED} Pigeons?")
        assert not response.refused
        (warning,) = [item for item in response.warnings if item.type == "MISSING_WORDS"]
        assert "pigeons" in warning.message
        assert warning.message in response.answer
        assert not world(ProfileName.VERIFIED_SYNTHESIS).ask(f"{ASKED} Pigeons?").warnings

    def test_multi_gate_does_not_warn_where_all_words_are_there(self) -> None:
        """A warning that is always there is none."""
        warnings = world(ProfileName.MULTI_GATE).ask("encrypted connections with TLS").warnings
        assert "MISSING_WORDS" not in {item.type for item in warnings}

    @pytest.mark.parametrize("name", ["relevance-guard", "verified-synthesis"])
    def test_two_documents_have_no_such_gate(self, name: str) -> None:
        """What is near or found is quoted, whatever it speaks of."""
        response = world(ProfileName(name)).ask("encrypted pigeons carry parcels abroad")
        assert not response.refused
        assert "term_coverage" not in gates_met(response)


class TestConfidence:
    @pytest.mark.parametrize(
        ("name", "answered"),
        [
            ("default", False),
            ("ainstein", True),
            ("relevance-guard", True),
            ("multi-gate", False),
            ("verified-synthesis", True),
        ],
    )
    def test_an_unlikely_answer_is_refused_where_there_is_a_gate(
        self, name: str, answered: bool
    ) -> None:
        """ADR-004, gate 3; the others show a low confidence, and say so to the reader."""
        response = world(ProfileName(name), thresholds=unsure()).ask(ASKED)
        assert response.refused is not answered
        assert ("confidence" in gates_met(response)) is not answered
        if answered:
            assert response.retrieval_quality.confidence_level == "low"
            assert response.transparency.show_to_user
        else:
            assert response.refusal_reason is RefusalReason.LOW_CONFIDENCE

    def test_the_reading_names_who_sets_the_limit(self) -> None:
        """The profile, where it states one."""
        verdict = judge(ProfileName.MULTI_GATE, hit("ADR-0012#2"))
        assert gate(verdict, "confidence").source == "profiles.multi-gate.min_confidence"

    def test_without_the_gate_the_search_orders_the_answer(self) -> None:
        """What no gate looks at does not choose either."""
        first = hit("ADR-0027#1", score=2.0, distance=0.5, lexical=0.0)
        second = hit("ADR-0012#2", score=1.0, distance=0.1)
        by_similarity = Calibration(intercept=0.0, similarity=9.0, coverage=0.0, lexical=0.0)
        sure = replace(THRESHOLDS, default=replace(THRESHOLDS.default, calibration=by_similarity))
        text = "domain language of encrypted connections"

        def order(name: ProfileName) -> Sequence[str]:
            verdict = judge(name, first, second, text=text, thresholds=sure)
            return [item.passage.id for item in verdict.support]

        assert order(ProfileName.VERIFIED_SYNTHESIS) == ["ADR-0027#1", "ADR-0012#2"]
        assert order(ProfileName.MULTI_GATE) == ["ADR-0012#2", "ADR-0027#1"]


class TestNamedDocuments:
    @pytest.mark.parametrize(
        ("name", "reason", "warned"),
        [
            ("default", RefusalReason.LOW_COVERAGE, False),
            ("ainstein", RefusalReason.LOW_COVERAGE, False),
            ("relevance-guard", None, False),
            ("multi-gate", None, True),
            ("verified-synthesis", None, False),
        ],
    )
    def test_of_what_it_does_not_speak(
        self, name: str, reason: RefusalReason | None, warned: bool
    ) -> None:
        """The coverage rule holds for a named document too: refused, warned of, or let through."""
        response = world(ProfileName(name)).ask("What does ADR.12 say about pigeons?")
        assert response.refusal_reason is reason
        assert any(item.type == "MISSING_WORDS" for item in response.warnings) is warned

    def test_what_its_metadata_state_needs_no_words(self) -> None:
        """Its status is never among its words."""
        response = world(ProfileName.MULTI_GATE).ask("Is ADR.28 accepted?")
        assert cited(response) == ["ADR-0028"]
        assert response.warnings == ()


@every_profile
class TestWhatNoProfileGivesUp:
    def test_a_document_that_does_not_exist_is_refused(self, name: ProfileName) -> None:
        """IR0001's N3; the others do not speak of it, and would answer from likeness."""
        response = world(name).ask("What does ADR-9999 decide?")
        assert response.refusal_reason is RefusalReason.ENTITY_NOT_FOUND
        assert response.sources == ()

    def test_a_term_that_nobody_defined_is_refused(self, name: ProfileName) -> None:
        """However near any passage is: a definition comes from the vocabulary or not at all."""
        response = world(name, distance=0.0).ask("What is FooBarBaz?")
        assert response.refusal_reason is RefusalReason.TERMINOLOGY_NOT_FOUND

    def test_a_definition_is_the_vocabularys(self, name: ProfileName) -> None:
        """Word for word."""
        response = world(name).ask("What is a transformer?")
        assert response.sources[0].quote == TRANSFORMER.definitions[0].value

    def test_a_quote_that_does_not_hold_is_not_shown(
        self, name: ProfileName, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not even where the document would warn and go on."""
        draft = answering.draft

        def tampered(asked: Inquiry, **settings: object) -> Draft:
            made = draft(asked, **settings)  # type: ignore[arg-type]
            blocks = tuple(
                replace(
                    block,
                    quotes=tuple(
                        replace(item, text=f"{item.text} Always.") for item in block.quotes
                    ),
                )
                for block in made.blocks
            )
            return replace(made, blocks=blocks)

        monkeypatch.setattr(answering, "draft", tampered)
        response = world(name).ask(ASKED)
        assert response.refusal_reason is RefusalReason.UNVERIFIED_ANSWER
        assert "Always." not in response.answer

    def test_nothing_found_is_refused(self, name: ProfileName) -> None:
        """There is nothing to quote."""
        assert judge(name).reason is RefusalReason.NO_RESULTS

    def test_a_named_document_keeps_its_confidence(self, name: ProfileName) -> None:
        """An identity is an identity."""
        asks = Named(references=())
        lang: Lang = "en"
        evidence = Evidence(documents=(named("ADR-0012"),), looked_at=("decision",))
        asked = inquiry("ADR-0012", lang=lang, asks=asks, evidence=evidence)
        limits = THRESHOLDS.under(PROFILES[name])
        verdict = gates.judge(asked, thresholds=limits, collections=COLLECTIONS)
        assert (verdict.outcome, verdict.confidence) == (Outcome.ANSWER, limits.entity_match)
