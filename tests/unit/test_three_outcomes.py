"""Asserted, hedged, refused: how sure a reply is stands first in it, on every channel."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.small_world import COLLECTIONS, LIMITS, THRESHOLDS, World, cited, document

from elysia_guard.config import load_thresholds
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.document import Document, DocumentKind, SectionRole
from elysia_guard.domain.origin import Against, Origin, OriginState
from elysia_guard.domain.quality import confidence_level
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import ReadKind
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.language.catalogue import say
from elysia_guard.ports import NoOrigins

SHIPPED = Path(__file__).parents[2] / "config" / "thresholds.yaml"
SEARCHED = "Why do we use CIM as the domain language?"
UNSURE = Calibration(intercept=-0.2, similarity=0.0, coverage=0.0, lexical=0.0)
"""A chance of 0.45: too little for an answer, enough to say where the matter is mentioned."""
MEASURED = replace(THRESHOLDS, search_ceiling=0.75)
DOUBTFUL = replace(THRESHOLDS, default=replace(LIMITS, calibration=UNSURE))
FAR = replace(THRESHOLDS, default=replace(LIMITS, calibration=replace(UNSURE, intercept=-3.0)))


def asked(text: str, thresholds: Thresholds = MEASURED) -> RAGResponse:
    return World(thresholds=thresholds).ask(text)


class TestHedged:
    def test_a_search_is_hedged_first_of_all(self) -> None:
        """However sure its measures are: they have not shown to be right in 97 of 100."""
        reply = asked(SEARCHED)
        caveat = say("en", "transparency.hedged")
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.answer.startswith(f"{caveat}\n\n")
        assert (reply.transparency.statement, reply.transparency.show_to_user) == (caveat, True)
        assert not reply.refused
        assert cited(reply) == ["ADR-0012"]
        assert reply.retrieval_quality.confidence_score == MEASURED.search_ceiling

    def test_beside_an_option_stands_what_was_decided(self) -> None:
        """'Why did we choose RACI?' is not answered by what RACI is, where DACI was chosen."""
        made = document(
            DocumentKind.DECISION,
            2,
            "Decide together",
            (SectionRole.OPTIONS, "RACI names who is responsible, and suits small teams."),
            (SectionRole.SUBSTANCE, "We adopt DACI for every larger decision."),
        )
        reply = World(passages=tuple(made), thresholds=MEASURED).ask(
            "Why does RACI suit small teams?"
        )
        assert reply.outcome is ReplyOutcome.HEDGED
        assert "RACI names who is responsible" in reply.answer
        assert "We adopt DACI" in reply.answer

    def test_what_a_named_document_says_of_a_matter_is_hedged(self) -> None:
        reply = asked("What does ADR-12 say about other models?")
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.answer.startswith(say("en", "transparency.hedged"))

    def test_a_channel_says_it_once(self) -> None:
        """The chat adds a statement only where the answer does not hold it already."""
        reply = asked(SEARCHED)
        text = str(next(iter(render(reply))).to_json()["objects"])
        assert text.count(say("en", "transparency.hedged")) == 1


class TestAsserted:
    def test_a_search_is_asserted_where_a_judge_has_shown_it(self) -> None:
        """A program that configures no ceiling takes the measures at their word."""
        assert asked(SEARCHED, THRESHOLDS).outcome is ReplyOutcome.ASSERTED

    def test_what_ships_lets_no_search_be_asserted(self) -> None:
        assert confidence_level(load_thresholds(SHIPPED).search_ceiling) == "medium"

    @pytest.mark.parametrize(
        "text",
        [
            "What is a transformer?",
            "What does ADR-12 decide?",
            "What is the status of ADR-0003?",
            "List all principles",
        ],
    )
    def test_what_is_known_by_identity_is_asserted(self, text: str) -> None:
        """A term, a whole document, a field of it, a list: no likeness decides them."""
        reply = asked(text)
        assert reply.outcome is ReplyOutcome.ASSERTED
        assert not reply.transparency.show_to_user
        assert say("en", "transparency.hedged") not in reply.answer


class TestRefused:
    def test_a_refusal_says_where_the_matter_is_mentioned(self) -> None:
        reply = asked(SEARCHED, DOUBTFUL)
        assert reply.outcome is ReplyOutcome.REFUSED
        assert reply.refusal_reason is RefusalReason.LOW_CONFIDENCE
        assert [item.doc_id for item in reply.mentions][:1] == ["ADR-0012"]
        assert len(reply.mentions) <= 3
        assert reply.sources == ()
        assert "[source:" not in reply.answer
        before, _, after = reply.answer.partition(say("en", "refusal.mentioned"))
        assert reply.mentions[0].quote in after
        assert say("en", "refusal.opening") in before

    def test_what_is_far_is_not_mentioned(self) -> None:
        reply = asked(SEARCHED, FAR)
        assert reply.outcome is ReplyOutcome.REFUSED
        assert reply.mentions == ()
        assert say("en", "refusal.mentioned") not in reply.answer

    @pytest.mark.parametrize("text", ["What does ADR-0050 decide?", "What is a flurb?"])
    def test_beside_what_does_not_exist_nothing_is_mentioned(self, text: str) -> None:
        """Another document's words beside it would look like its own."""
        reply = asked(text, DOUBTFUL)
        assert reply.outcome is ReplyOutcome.REFUSED
        assert reply.mentions == ()

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("What does ADR-12 say about models of salaries?", RefusalReason.LOW_COVERAGE),
            ("How much do other models in ADR-12 cost?", RefusalReason.NOT_RELEVANT),
            ("How many other models are there in ADR-12?", RefusalReason.NOT_RELEVANT),
        ],
    )
    def test_what_a_named_document_does_not_say_is_mentioned_from_it_alone(
        self, text: str, reason: RefusalReason
    ) -> None:
        """It was asked of: its own nearest words show whether the refusal is right."""
        reply = asked(text)
        assert reply.refusal_reason is reason
        assert reply.sources == ()
        assert {item.doc_id for item in reply.mentions} == {"ADR-0012"}
        assert len(reply.mentions) <= 3

    def test_a_term_whose_meaning_may_be_asked_is_told_as_a_mention(self) -> None:
        """What the vocabulary says of it is quoted, and is no answer."""

        async def perhaps_a_meaning(
            _masked: str, /, *, lang: Lang, terms: int, documents: int
        ) -> Mapping[ReadKind, float]:
            assert (lang, terms, documents) == ("en", 1, 0)
            chances = dict.fromkeys(ReadKind, 0.0)
            return {**chances, ReadKind.DEFINITION: 0.4, ReadKind.SEARCH: 0.6}

        world = World(thresholds=FAR)
        world.pipeline = replace(world.pipeline, intents=perhaps_a_meaning)
        reply = world.ask("My neighbour heard a transformer hum all night long")
        assert reply.outcome is ReplyOutcome.REFUSED
        (told,) = reply.mentions
        assert told.doc_type == "Vocabulary"
        before, _, after = reply.answer.partition(say("en", "refusal.mentioned"))
        quoted = "> " + told.quote.replace("\n", "\n> ")
        assert quoted in after
        assert quoted not in before

    def test_a_mention_that_no_longer_stands_is_left_out(self) -> None:
        """A mention is a quote like any other, held against the file as it is now."""

        class Gone(NoOrigins):
            async def documents(
                self, documents: Sequence[Document], *, read: Collection[str] = ()
            ) -> Mapping[str, Origin]:
                gone = Origin(state=OriginState.GONE, text="", against=Against.FILE)
                return {item.id: gone for item in documents}

        world = World(thresholds=DOUBTFUL)
        world.pipeline = replace(world.pipeline, origins=Gone())
        reply = world.ask(SEARCHED)
        assert reply.refused
        assert reply.mentions == ()
        assert say("en", "refusal.mentioned") not in reply.answer


class TestRecord:
    def test_a_program_reads_outcome_and_mentions(self) -> None:
        told = json.loads(json.dumps(asked(SEARCHED, DOUBTFUL).to_dict()))
        assert told["outcome"] == "refused"
        assert told["mentions"][0]["doc_id"] == "ADR-0012"
        assert told["mentions"][0]["collection"] in COLLECTIONS.values()

    def test_a_question_back_and_small_talk_claim_nothing(self) -> None:
        assert asked("What is an asset?").outcome is ReplyOutcome.CLARIFIED
        assert asked("Hello").outcome is ReplyOutcome.CONVERSED

    def test_parts_are_as_sure_as_the_weakest(self) -> None:
        reply = asked("What does ADR-12 decide, and what does ADR-12 say about other models?")
        assert reply.outcome is ReplyOutcome.HEDGED
