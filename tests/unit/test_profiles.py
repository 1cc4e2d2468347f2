"""The policy profiles: each document's rule on the real stages, and what none of them gives up."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.unit.small_world import COLLECTIONS, THRESHOLDS, World, hit, index, inquiry, named

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


class TestCoverage:
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
