"""A search is asserted where one sentence says all that is asked; a matter is as sure as that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.small_world import THRESHOLDS, HashEmbedder, World, document
from tests.unit.test_judging import NO, TRUSTED, YES, Scripted
from tests.unit.test_signals import hit, measured

from elysia_guard.config import load_thresholds
from elysia_guard.domain.calibration import MatterCalibration
from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.quality import confidence_level
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.judging import RelevanceJudge

SHIPPED = Path(__file__).parents[2] / "config" / "thresholds.yaml"
RULED = replace(THRESHOLDS, search_ceiling=0.75, search_said=0.97)
MATTER = MatterCalibration(intercept=0.4, said=3.0)
CUSTOM = tuple(
    document(
        DocumentKind.DECISION,
        2,
        "Decide together",
        (SectionRole.SUBSTANCE, "We adopt DACI for every larger decision."),
        (SectionRole.CONTEXT, "Teams wait long for an approver. Reviews were held in spring."),
    )
)


def asked(text: str, thresholds: Thresholds = RULED) -> RAGResponse:
    return World(passages=CUSTOM, thresholds=thresholds).ask(text)


class TestSaid:
    @pytest.mark.parametrize(
        ("question", "text", "lang", "said"),
        [
            ("Do meters send readings hourly?", "Meters send readings hourly.", "en", 1.0),
            ("Do gateways send readings hourly?", "Gateways send readings.", "en", 0.0),
            ("Sturen meters standen door?", "Meters sturen elk uur standen door.", "nl", 1.0),
            ("How long are readings kept?", "Readings are kept for seven years.", "en", 1.0),
            ("How long are readings kept?", "Readings are kept in the archive.", "en", 0.0),
            ("When were readings kept?", "Readings were kept in 2019.", "en", 1.0),
            ("When were readings kept?", "Readings were kept in the archive.", "en", 0.0),
            ("How many meters are there?", "There are 140 meters.", "en", 1.0),
            ("How many meters are there?", "Meters were bought in 2019.", "en", 0.0),
            ("Which archive keeps readings?", "An archive keeps readings.", "en", 0.0),
        ],
    )
    def test_one_sentence_says_all_that_is_asked_or_not(
        self, question: str, text: str, lang: Lang, said: float
    ) -> None:
        """Every content word, and the kind of thing asked for; which archive is not told by it."""
        assert measured(question, hit(text, lang=lang), lang=lang).said == said

    def test_two_sentences_do_not_say_it_together(self) -> None:
        found = measured("Do gateways send readings?", hit("Gateways send. Readings are kept."))
        assert (found.document, found.said) == (1.0, 0.0)

    def test_the_title_counts_with_each_sentence(self) -> None:
        found = measured("Do meters send readings?", hit("They send readings.", title="Meters"))
        assert found.said == 1.0


class TestSearches:
    def test_one_that_a_sentence_answers_in_all_its_words_is_asserted(self) -> None:
        reply = asked("What do we adopt for larger decisions?")
        assert reply.outcome is ReplyOutcome.ASSERTED
        assert reply.retrieval_quality.confidence_score == RULED.search_said
        assert "We adopt DACI" in reply.answer

    @pytest.mark.parametrize(
        "text",
        [
            "Do teams wait long for reviews?",
            "Which larger decision do we adopt DACI for?",
            "When do we adopt DACI for larger decisions?",
        ],
    )
    def test_all_others_are_hedged(self, text: str) -> None:
        """Its words are spread over the document; a thing, or a date, that no sentence shows."""
        assert asked(text).outcome is ReplyOutcome.HEDGED

    def test_without_the_rule_it_is_hedged(self) -> None:
        unruled = replace(RULED, search_said=0.0)
        reply = asked("What do we adopt for larger decisions?", unruled)
        assert reply.outcome is ReplyOutcome.HEDGED

    def test_a_part_of_a_question_is_not_asserted_by_it(self) -> None:
        """A part is read out of the whole: half of what is asked may stand in the other half."""
        reply = asked("What do we adopt for larger decisions? And who waits for an approver?")
        assert reply.outcome is ReplyOutcome.HEDGED

    def test_without_vectors_it_is_hedged_all_the_same(self) -> None:
        """IR0003 takes a fifth of the confidence of a lesser search."""
        world = World(passages=CUSTOM, thresholds=RULED)
        assert isinstance(world.embedder, HashEmbedder)
        world.embedder.down = True
        reply = world.ask("What do we adopt for larger decisions?")
        assert reply.outcome is ReplyOutcome.HEDGED


class TestJudged:
    def judged(self, judge: Scripted, thresholds: Thresholds = RULED) -> ReplyOutcome:
        world = World(passages=CUSTOM, thresholds=thresholds)
        world.pipeline = replace(world.pipeline, relevance_judge=RelevanceJudge(judge=judge))
        return world.ask("What do we adopt for larger decisions?").outcome

    def test_a_judge_that_denies_it_is_heard(self) -> None:
        assert self.judged(Scripted(lambda _: NO)) is not ReplyOutcome.ASSERTED

    def test_one_that_agrees_changes_nothing(self) -> None:
        says = "We adopt DACI for every larger decision."
        agrees = Scripted(lambda item: YES if says in item.text else NO)
        assert self.judged(agrees) is ReplyOutcome.ASSERTED

    def test_a_calibrated_judge_that_does_not_assert_it_is_heard(self) -> None:
        """Its word was measured beside all else, so it counts for more than the rule."""
        says = "We adopt DACI for every larger decision."
        half = Scripted(lambda item: Judgement(chance=0.6) if says in item.text else NO)
        never = replace(RULED, judge=replace(TRUSTED, asserted_from=None))
        assert self.judged(half, never) is ReplyOutcome.HEDGED


class TestMatters:
    def test_it_is_never_refused_nor_asserted_by_that(self) -> None:
        """The gates have let it through; and it was not right in 97 of 100, however sure."""
        low, high = MatterCalibration(intercept=-9.0, said=0.0), replace(MATTER, said=9.0)
        limits = replace(THRESHOLDS, search_ceiling=0.84)
        assert replace(limits, matter=low).matter_confidence(1.0) == limits.entity_matter
        assert replace(limits, matter=high).matter_confidence(1.0) == limits.search_ceiling

    def test_a_document_that_says_it_in_one_sentence_is_surer(self) -> None:
        limits = replace(RULED, matter=MATTER)
        told, spread = (
            asked(f"What does ADR-2 say about {matter}?", limits).retrieval_quality
            for matter in ("larger decisions", "approvers of reviews")
        )
        assert spread.confidence_score < told.confidence_score <= limits.search_ceiling
        assert told.confidence_level == "medium"


class TestShipped:
    def test_what_ships_asserts_no_search_and_hedges_matters(self) -> None:
        """A sentence with every word of 'who rotates the keys?' may not say who."""
        shipped = load_thresholds(SHIPPED)
        assert shipped.search_said == 0
        assert confidence_level(shipped.matter_confidence(1.0)) == "medium"
        assert shipped.matter_confidence(0.0) < shipped.matter_confidence(1.0)
        assert confidence_level(shipped.list_match) == "high"
