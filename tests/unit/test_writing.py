"""A model writes: what is shown is proved, and what comes in its place where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.unit.made_writers import (
    ASKED,
    CIM,
    FALLBACK,
    MADE_UP,
    SURE,
    TLS,
    Opinion,
    Say,
    Scripted,
    says_no,
    seated,
    source_of,
    writing,
)
from tests.unit.small_world import THRESHOLDS, World

from elysia_guard.domain.claim import (
    Claim,
    Manuscript,
    Proof,
    Proved,
    Support,
    Told,
    Written,
)
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.stages.writing import Desk
from elysia_guard.testing.clock import FakeClock


def ask(
    say: Say | Exception, text: str = ASKED, *, mode: Mode | None = None, **desk: object
) -> tuple[RAGResponse, Scripted, World]:
    writer = Scripted(say)
    world = seated(writer, **desk)
    inquiry = world.begin(text)
    for each in inquiry.every:
        each.mode = mode
    return world.reply(inquiry), writer, world


def quotes(text: str = ASKED) -> RAGResponse:
    """What the same world says without a writer."""
    return World(thresholds=SURE).ask(text)


def types(reply: RAGResponse) -> list[str]:
    return [item.type for item in reply.warnings]


class TestWhatIsProved:
    def test_a_sentence_is_shown_with_its_source_and_the_words_it_rests_on(self) -> None:
        reply, writer, _ = ask(writing((TLS, TLS), (FALLBACK, FALLBACK)))
        assert f"{TLS} [source:1]" in reply.answer
        assert f"{FALLBACK} [source:2]" in reply.answer
        assert [item.quote for item in reply.sources] == [TLS, FALLBACK]
        assert {item.doc_id for item in reply.sources} == {"ADR-0027"}
        assert (reply.mode, reply.written_by) == (Mode.AUTO, "scripted@write")
        assert reply.complete
        assert reply.validation
        assert (reply.validation.fields_verified, reply.validation.fields_total) == (2, 2)
        assert len(writer.asked) == 1

    def test_what_is_written_twice_is_shown_once(self) -> None:
        """Over the same words, and over fewer of them."""
        shorter = "Connections are encrypted"
        reply, *_ = ask(writing((TLS, TLS), (TLS, TLS), (TLS, shorter)))
        assert reply.answer.count(TLS) == 1
        assert reply.validation
        assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 1)

    def test_it_is_no_surer_than_the_quotes(self) -> None:
        reply, *_ = ask(writing((TLS, TLS)))
        assert reply.retrieval_quality == quotes().retrieval_quality
        assert reply.outcome is quotes().outcome

    def test_the_words_are_quoted_as_the_source_has_them(self) -> None:
        """White space does not count; they may be part of a sentence."""

        def spaced(told: Sequence[Told], _failed: Sequence[Proved]) -> Written:
            support = Support(source=source_of(TLS, told), words="Connections  are\nencrypted")
            return Written(
                answers=True,
                claims=(Claim(text=TLS, supports=(support,)),),
            )

        reply, *_ = ask(spaced)
        assert [item.quote for item in reply.sources] == ["Connections are encrypted"]


class TestWhatIsNot:
    def test_it_is_asked_once_more_with_what_failed(self) -> None:
        """And the second answer is taken where it holds."""

        def learning(told: Sequence[Told], failed: Sequence[Proved]) -> Written:
            return writing((TLS, TLS) if failed else (MADE_UP, MADE_UP))(told, failed)

        reply, writer, _ = ask(learning)
        assert [item.claim.text for item in writer.asked[1][3]] == [MADE_UP]
        assert TLS in reply.answer
        assert reply.mode is Mode.AUTO
        assert reply.complete

    def test_a_sentence_that_does_not_hold_is_left_out(self) -> None:
        reply, writer, _ = ask(writing((TLS, TLS), (MADE_UP, MADE_UP)))
        assert len(writer.asked) == 2
        assert TLS in reply.answer
        assert reply.outcome is ReplyOutcome.HEDGED
        assert "9.9" not in str(reply.to_dict())
        assert not reply.complete
        assert reply.validation
        assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 2)

    def test_where_none_holds_the_sources_speak_for_themselves(self) -> None:
        reply, *_ = ask(writing((MADE_UP, TLS)))
        alone = quotes()
        assert reply.mode is Mode.INSTANT
        assert reply.written_by == ""
        assert [item.quote for item in reply.sources] == [item.quote for item in alone.sources]
        assert types(reply) == ["UNVERIFIED_FIELDS"]
        assert "1842" not in str(reply.to_dict())

    @pytest.mark.parametrize(("right", "mode"), [(2, Mode.AUTO), (1, Mode.INSTANT)])
    def test_where_less_than_half_holds_the_quotes_are_shown(self, right: int, mode: Mode) -> None:
        """ADR-0031 goes on with a simpler mode below 0.5."""
        held = [(TLS, TLS), (FALLBACK, FALLBACK)][:right]
        wrong = [(MADE_UP, MADE_UP), (f"{MADE_UP} {MADE_UP}", MADE_UP)]
        reply, *_ = ask(writing(*held, *wrong))
        assert reply.mode is mode

    @pytest.mark.parametrize(
        ("named", "type_"),
        [(MADE_UP, "PHANTOM_FILE"), (TLS, "UNVERIFIED_FIELDS")],
    )
    def test_a_warning_says_what_was_wrong(self, named: str, type_: str) -> None:
        """A source that was not given, or words that do not say it; of what it wrote, nothing."""
        reply, *_ = ask(writing((TLS, TLS), (MADE_UP, named)))
        (warning,) = [item for item in reply.warnings if item.type == type_]
        assert warning.details["withheld"] == 1
        assert "1842" not in str(warning)

    @pytest.mark.parametrize(
        "mark",
        [
            " https://evil.example/?q=1",
            " ![](//evil.example/x.png)",
            "<img src=x>",
            " [more](x)",
            " &#x41;",
        ],
    )
    def test_a_link_or_markup_of_its_own_is_never_shown(self, mark: str) -> None:
        """Not even where a second opinion would let it through."""
        reply, *_ = ask(writing((TLS, TLS), (f"{FALLBACK}{mark}", FALLBACK)), verifier=Opinion(1))
        assert TLS in reply.answer
        assert mark.strip() not in str(reply.to_dict())

    def test_what_says_nothing_of_the_matter_is_no_answer(self) -> None:
        """It is proved, and about something else."""
        other = "Replicas converge; temporary divergence is tolerated."
        reply, *_ = ask(writing((other, other)))
        assert other not in reply.answer
        assert reply.mode is Mode.INSTANT


class TestASaysNo:
    def test_then_the_quotes_are_hedged(self) -> None:
        assert quotes().outcome is ReplyOutcome.ASSERTED
        reply, *_ = ask(says_no)
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.sources
        assert not reply.warnings


class TestASecondOpinion:
    NEAR = ("Every link is protected with TLS 1.3.", TLS)

    def test_without_one_what_code_cannot_tell_is_not_shown(self) -> None:
        reply, *_ = ask(writing(self.NEAR))
        assert self.NEAR[0] not in reply.answer

    @pytest.mark.parametrize(("chance", "shown"), [(0.8, True), (0.79, False)])
    def test_it_decides_from_its_limit_on(self, chance: float, shown: bool) -> None:
        opinion = Opinion(chance)
        reply, *_ = ask(writing(self.NEAR), verifier=opinion)
        assert (self.NEAR[0] in reply.answer) is shown
        assert opinion.pairs[0] == self.NEAR

    def test_it_is_not_asked_about_what_fails(self) -> None:
        opinion = Opinion(1.0)
        reply, *_ = ask(writing((MADE_UP, MADE_UP)), verifier=opinion)
        assert not opinion.pairs
        assert MADE_UP not in reply.answer

    def test_where_it_is_down_nothing_open_is_shown(self) -> None:
        opinion = Opinion(SourceUnavailableError("down", source="verifier"))
        reply, *_ = ask(writing((TLS, TLS), self.NEAR), verifier=opinion)
        assert self.NEAR[0] not in reply.answer
        assert reply.retrieval_quality.fallback_reasons == ("verifier_error",)


class TestFailing:
    @pytest.mark.parametrize(
        ("failure", "flag"),
        [
            (SourceTimeoutError("late", source="llm"), "writer_timeout"),
            (SourceUnavailableError("down", source="llm"), "writer_error"),
        ],
    )
    def test_the_quotes_stand_and_the_reply_says_so(self, failure: Exception, flag: str) -> None:
        """That a model was away lessens no evidence."""
        reply, *_ = ask(failure)
        alone = quotes()
        assert [item.quote for item in reply.sources] == [item.quote for item in alone.sources]
        assert reply.retrieval_quality.confidence_score == alone.retrieval_quality.confidence_score
        assert reply.retrieval_quality.fallback_reasons == (flag,)
        assert types(reply) == ["PIPELINE_ERROR"]
        # It was asked to write, not to search.
        assert reply.transparency.statement == (
            f"A language model was asked, and was of no help ({flag})."
        )

    def test_failing_the_second_time_keeps_what_held(self) -> None:
        def once(told: Sequence[Told], failed: Sequence[Proved]) -> Written:
            if failed:
                raise SourceTimeoutError("late", source="llm")
            return writing((TLS, TLS), (MADE_UP, MADE_UP))(told, failed)

        reply, *_ = ask(once)
        assert TLS in reply.answer
        assert reply.retrieval_quality.fallback_reasons == ("writer_timeout",)


class TestWhoIsAsked:
    @pytest.mark.parametrize(
        "text",
        [
            "What is CIM?",
            "Which decisions are there?",
            "What is the status of ADR-0027?",
            "Who approved ADR-0012?",
            "What does ADR-0027 say?",
            "What does ADR-0099 say about blockchain?",
            "What is the canteen's menu?",
            "Hello!",
        ],
    )
    def test_what_needs_no_writing_costs_no_call(self, text: str) -> None:
        """Terms, lists, fields, whole documents, refusals and small talk."""
        _, writer, _ = ask(writing((TLS, TLS)), text)
        assert not writer.asked

    @pytest.mark.parametrize(
        "text",
        [
            ASKED,
            "What does ADR-0027 say about attackers?",
            "Compare ADR-0012 and ADR-0027",
            "How do ADR-0027 and PCP-0010 relate?",
        ],
    )
    def test_matters_do(self, text: str) -> None:
        _, writer, _ = ask(writing((TLS, TLS)), text)
        assert writer.asked

    @pytest.mark.parametrize(("named", "mode"), [([TLS, CIM], Mode.AUTO), ([TLS], Mode.INSTANT)])
    def test_a_comparison_tells_of_both(self, named: list[str], mode: Mode) -> None:
        """What is told of one alone compares nothing; what each states comes first."""
        said = writing(*((text, text) for text in named))
        reply, writer, _ = ask(said, "Compare ADR-0012 and ADR-0027")
        assert reply.mode is mode
        _, told, *_ = writer.asked[0]
        assert [each.section for each in told[:2]] == ["Substance", "Substance"]

    def test_instant_asks_nobody(self) -> None:
        reply, writer, _ = ask(writing((TLS, TLS)), mode=Mode.INSTANT)
        assert not writer.asked
        assert reply.answer == quotes().answer

    def test_it_is_told_what_passed_the_gates(self) -> None:
        """In the question's language, each source with what its document is."""
        _, writer, _ = ask(writing((TLS, TLS)))
        question, told, lang, failed = writer.asked[0]
        assert (question, lang, failed) == (ASKED, "en", ())
        assert {each.identifiers for each in told} == {("ADR-0027",)}
        assert told[0].status == "accepted"


class TestTheTimeOfProving:
    """It is that of the answer: what is not proved by then is not shown."""

    async def proofread(self, slow: str) -> Manuscript:
        clock = FakeClock()

        async def prove(
            claim: Claim, _told: Sequence[Told], /, *, question: str, lang: Lang
        ) -> Proved:
            if claim.text == slow:
                clock.advance(9.0)
                await asyncio.sleep(0.0)
                await asyncio.Event().wait()
            return Proved(claim=claim, proof=Proof.HOLDS)

        world, writer = World(thresholds=THRESHOLDS), Scripted(writing((TLS, TLS), (FALLBACK, TLS)))
        inquiry = await world.pipeline.begin(ASKED, request_id="r", route="direct")
        await world.pipeline.gather(inquiry)
        world.pipeline.judge(inquiry)
        return await Desk(writer=writer, clock=clock).written(
            inquiry, prove, mode=Mode.AUTO, ends=8.0
        )

    async def test_what_was_proved_in_time_is_kept(self) -> None:
        found = await self.proofread(FALLBACK)
        assert [each.claim.text for each in found.shown] == [TLS]
        assert [each.claim.text for each in found.withheld] == [FALLBACK]
        assert "writer_timeout" in found.flags

    async def test_nothing_behind_it_is_begun(self) -> None:
        found = await self.proofread(TLS)
        assert not found.shown
        assert len(found.withheld) == 2
