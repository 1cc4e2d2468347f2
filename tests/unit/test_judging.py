"""A judge beside the gates: what it says lands in the evidence, and counts as it is calibrated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tests.unit.small_world import LIMITS, THRESHOLDS, World, cited

from elysia_guard.domain.calibration import Calibration, JudgeCalibration
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.events import PassagesRejected, SourceFailed
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.stages.judging import RelevanceJudge

TLS = "Connections are encrypted with TLS 1.3."
ASKED = "How are connections encrypted?"
HEDGING = replace(THRESHOLDS, search_ceiling=0.75)
"""Limits under which a search is hedged, as those that ship."""
TRUSTED = JudgeCalibration(
    model="scripted", intercept=0.0, confidence=0.5, judged=1.5, asserted_from=0.9, ceiling=0.98
)
UNSURE = Calibration(intercept=-0.4, similarity=0.0, coverage=0.0, lexical=0.0)
"""A confidence of 0.40 in everything."""

Say = Callable[[Passage], Judgement]


class Scripted:
    """A judge that says what a test wants of each passage, and remembers what it was asked."""

    model_id = "scripted"

    def __init__(self, say: Say | SourceUnavailableError) -> None:
        self.say = say
        self.asked: list[tuple[str, list[str], Lang]] = []

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        self.asked.append((question, [item.id for item in passages], lang))
        if isinstance(self.say, SourceUnavailableError):
            raise self.say
        return [self.say(item) for item in passages]


YES, NO = Judgement(chance=0.95), Judgement(chance=0.05, denies=True)


def only(id_: str, said: Judgement) -> Say:
    return lambda item: said if item.id == id_ else NO


def ask(
    text: str,
    say: Say | SourceUnavailableError,
    thresholds: Thresholds = HEDGING,
    *,
    shown: int | None = None,
    **world: object,
) -> tuple[RAGResponse, World, Scripted]:
    made = World(thresholds=thresholds, **world)  # type: ignore[arg-type]
    judge = Scripted(say)
    bench = (
        RelevanceJudge(judge=judge)
        if shown is None
        else RelevanceJudge(judge=judge, passages=shown)
    )
    made.pipeline = replace(made.pipeline, relevance_judge=bench)
    return made.ask(text), made, judge


def noted(reply: RAGResponse) -> str:
    return next(step.note for step in reply.trace if step.stage == "judge")


RIGHT = only("ADR-0027#1", YES)
CALIBRATED = replace(HEDGING, judge=TRUSTED)
OF_27 = "What does ADR-27 say about encrypted connections?"


class TestCalibrated:
    def test_it_raises_a_search_above_the_ceiling(self) -> None:
        """What is told is the share that was right."""
        reply, _, judge = ask(ASKED, RIGHT, CALIBRATED)
        assert reply.outcome is ReplyOutcome.ASSERTED
        assert reply.retrieval_quality.confidence_score == 0.98
        assert reply.sources[0].quote == TLS
        assert judge.asked[0][0] == ASKED
        assert "scripted judged" in noted(reply)

    @pytest.mark.parametrize(
        ("thresholds", "asked", "outcome"),
        [
            # A calibration is of one judge.
            (replace(HEDGING, judge=replace(TRUSTED, model="x")), ASKED, ReplyOutcome.HEDGED),
            # Below the chance from which 97 of 100 were right nothing is asserted.
            (
                replace(HEDGING, judge=replace(TRUSTED, asserted_from=None)),
                *(ASKED, ReplyOutcome.HEDGED),
            ),
            # A score that is worth much outweighs a confidence that is not.
            (
                replace(CALIBRATED, default=replace(LIMITS, calibration=UNSURE)),
                *(ASKED, ReplyOutcome.ASSERTED),
            ),
            # What a named document says of a matter, the judge has read.
            (CALIBRATED, OF_27, ReplyOutcome.ASSERTED),
        ],
    )
    def test_what_a_score_is_worth(
        self, thresholds: Thresholds, asked: str, outcome: ReplyOutcome
    ) -> None:
        reply, *_ = ask(asked, RIGHT, thresholds)
        assert reply.outcome is outcome
        if outcome is ReplyOutcome.HEDGED:
            assert reply.retrieval_quality.confidence_score == 0.75

    def test_a_passage_it_was_not_shown_is_never_asserted(self) -> None:
        """It can be no likelier than the least likely of those it was shown."""
        reply, *_ = ask(ASKED, lambda _: NO, CALIBRATED, shown=1)
        assert reply.outcome is ReplyOutcome.REFUSED


class TestUncalibrated:
    def test_a_score_raises_nothing(self) -> None:
        """Nobody knows what it is worth."""
        alone = World(thresholds=HEDGING).ask(ASKED)
        reply, *_ = ask(ASKED, only("ADR-0027#1", Judgement(chance=1.0)))
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.retrieval_quality == alone.retrieval_quality

    def test_a_score_puts_its_passage_first(self) -> None:
        """Order claims nothing."""
        reply, *_ = ask("Which models are there?", only("ADR-0012#1", YES))
        assert reply.sources[0].quote == "The options were CIM and a homegrown model."

    def test_a_no_to_all_lowers_the_confidence(self) -> None:
        """Then it is refused, and still said where the matter is mentioned."""
        reply, *_ = ask(ASKED, lambda _: NO)
        assert reply.refused
        assert reply.retrieval_quality.confidence_score == 0.05
        assert {item.doc_id for item in reply.mentions} == {"ADR-0027"}

    def test_a_no_to_all_is_an_event(self) -> None:
        """Of the passage that the judge thinks likeliest, and how sure it is of that no."""
        likelier = Judgement(chance=0.3, denies=True)
        _, world, judge = ask(ASKED, only("ADR-0027#1", likelier))
        (said,) = [event for event in world.events if isinstance(event, PassagesRejected)]
        assert said.judged_by == "scripted"
        assert said.confidence == pytest.approx(0.7)
        assert said.passages == len(judge.asked[0][1])

    @pytest.mark.parametrize(
        "said",
        [Judgement(chance=0.1), SourceTimeoutError("late", source="judge")],
        ids=["a score", "nothing"],
    )
    def test_anything_else_is_no_such_event(self, said: Judgement | SourceTimeoutError) -> None:
        say = said if isinstance(said, SourceTimeoutError) else only("ADR-0027#1", said)
        _, world, _ = ask(ASKED, say)
        assert not [event for event in world.events if isinstance(event, PassagesRejected)]

    def test_a_score_says_no_no(self) -> None:
        """Scores of a rerank server are on no scale before they are calibrated."""
        score = Judgement(chance=0.1)
        reply, *_ = ask(ASKED, lambda item: replace(score, chance=0.1 + len(item.text) / 1e4))
        assert reply.outcome is ReplyOutcome.HEDGED

    def test_a_matter_of_a_named_document_is_refused_after_no(self) -> None:
        """What is read and says nothing of it, is no answer."""
        assert not World(thresholds=HEDGING).ask(OF_27).refused
        reply, *_ = ask(OF_27, lambda _: NO)
        assert reply.refused
        assert "judge" in {read.gate for step in reply.trace for read in step.readings}
        assert {item.doc_id for item in reply.mentions} == {"ADR-0027"}


def test_the_same_score_of_all_tells_nothing() -> None:
    """The gates judge as if nobody had been asked, calibrated or not."""
    reply, *_ = ask(ASKED, lambda _: Judgement(chance=0.9), CALIBRATED)
    assert reply.outcome is ReplyOutcome.HEDGED
    assert "the same of all" in noted(reply)


class TestFailing:
    @pytest.mark.parametrize(
        ("error", "flag"),
        [
            (SourceTimeoutError("late", source="judge"), "judge_timeout"),
            (SourceUnavailableError("down", source="judge"), "judge_error"),
        ],
    )
    def test_the_gates_stand(self, error: SourceUnavailableError, flag: str) -> None:
        """The reply says that it was asked in vain, and is as sure as without it."""
        alone = World(thresholds=HEDGING).ask(ASKED)
        reply, world, _ = ask(ASKED, error, CALIBRATED)
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.sources == alone.sources
        assert reply.retrieval_quality.confidence_score == alone.retrieval_quality.confidence_score
        assert reply.retrieval_quality.fallback_reasons == (flag,)
        assert flag in noted(reply)
        assert flag in (reply.transparency.statement or "")
        assert [item.source for item in world.events if isinstance(item, SourceFailed)] == ["judge"]

    def test_too_few_judgements_are_none(self) -> None:
        """Which passage they are about, nobody knows."""

        class Forgetful(Scripted):
            async def __call__(
                self, question: str, passages: Sequence[Passage], /, *, lang: Lang
            ) -> Sequence[Judgement]:
                return [NO]

        world = World(thresholds=HEDGING)
        world.pipeline = replace(
            world.pipeline, relevance_judge=RelevanceJudge(judge=Forgetful(lambda _: NO))
        )
        reply = world.ask(ASKED)
        assert reply.retrieval_quality.fallback_reasons == ("judge_error",)


class TestWhoIsAsked:
    @pytest.mark.parametrize("asked", ["What does ADR-27 decide?", "Which principles are there?"])
    def test_identities_and_lists_are_not_judged(self, asked: str) -> None:
        """They are known, or they are not."""
        reply, _, judge = ask(asked, lambda _: NO)
        assert judge.asked == []
        assert not reply.refused
        assert cited(reply)

    def test_the_likeliest_passages_are_shown(self) -> None:
        """Those that the gates would answer from, all at once and in their order."""
        *_, judge = ask(ASKED, lambda _: NO, shown=2)
        ((_, shown, lang),) = judge.asked
        assert len(shown) == 2
        assert "ADR-0027#1" in shown
        assert lang == "en"

    def test_without_a_judge_there_is_no_such_step(self) -> None:
        """And nothing costs more than before."""
        assert "judge" not in {step.stage for step in World().ask(ASKED).trace}


def test_a_chance_is_from_0_to_1() -> None:
    """Whatever an adapter was told."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        Judgement(chance=1.2)
