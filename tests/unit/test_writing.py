"""A model writes: what it points at is quoted, and nothing that it wrote is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.made_writers import (
    ASKED,
    CIM,
    FALLBACK,
    MADE_UP,
    SURE,
    TLS,
    Plan,
    Say,
    Scripted,
    says_no,
    seated,
    writing,
)
from tests.unit.small_world import KNOWLEDGE, World, document, hit, inquiry, verdict

from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.stages import writing as stage
from elysia_guard.stages.writing import told_of


def ask(
    say: Say | Exception,
    text: str = ASKED,
    *,
    mode: Mode | None = None,
    world: World | None = None,
    **desk: object,
) -> tuple[RAGResponse, Scripted]:
    writer = Scripted(say)
    world = seated(writer, world, **desk)
    inquiry = world.begin(text)
    for each in inquiry.every:
        each.mode = mode
    return world.reply(inquiry), writer


def quotes(text: str = ASKED, world: World | None = None) -> RAGResponse:
    """What the same world says without a writer."""
    return (world or World(thresholds=SURE)).ask(text)


def world_with(text: str) -> World:
    """The small world and one more document."""
    rule = document(DocumentKind.POLICY, 91, "More", (SectionRole.SUBSTANCE, text))
    return World(passages=(*KNOWLEDGE, *rule), thresholds=SURE)


def types(reply: RAGResponse) -> list[str]:
    return [item.type for item in reply.warnings]


def counted(reply: RAGResponse) -> tuple[int, int]:
    assert reply.validation
    return reply.validation.fields_verified, reply.validation.fields_total


class TestWhatIsShown:
    def test_it_is_the_sources_own_sentence_in_the_order_chosen(self) -> None:
        """However the model wrote it; each once, under its document, with its number."""
        said = (("tls 1.2 is the FALLBACK!", FALLBACK), (f"According to ADR-0027, {TLS}", TLS))
        reply, writer = ask(writing(*said, (TLS, TLS)))
        assert f"> {FALLBACK}\n>\n> {TLS} [source:1]" in reply.answer
        assert "FALLBACK" not in str(reply.to_dict())
        assert reply.answer.count(TLS) == 1
        assert {item.doc_id for item in reply.sources} == {"ADR-0027"}
        assert (reply.mode, reply.written_by) == (Mode.AUTO, "scripted@write")
        assert (counted(reply), reply.complete, types(reply)) == ((3, 3), True, [])
        assert len(writer.asked) == 1

    @pytest.mark.parametrize(
        "written",
        [
            "Connections are encrypting with TLS 1.3.",
            "Connections are encrypted with TLS 1.3 or 1.2.",
            "Connections are encrypted with TLS 1,3.",
            "Connections are encrypted with TLS 1.3?",
            "\u201cConnections are encrypted\u201d with TLS 1.3!",
            "Connections are not encrypted with TLS 1.3.",
            "Connections\u200b are encrypted with TLS\u00b9 1.3.",
            "**Connections** are [encrypted](https://evil.example) with <b>TLS</b> 1.3.",
            "Connections are encrypted with TLS 1.3 [source:99].",
        ],
    )
    def test_whatever_is_altered_the_source_speaks(self, written: str) -> None:
        reply, _ = ask(writing((written, TLS)))
        assert f"> {TLS} [source:1]" in reply.answer
        assert written not in str(reply.to_dict())
        assert "evil" not in str(reply.to_dict())
        assert reply.mode is Mode.AUTO

    def test_several_sentences_written_as_one_point_each_by_itself(self) -> None:
        reply, _ = ask(writing((f"{TLS} {FALLBACK}", TLS)))
        assert f"> {TLS}\n>\n> {FALLBACK} [source:1]" in reply.answer
        assert counted(reply) == (2, 2)

    def test_the_source_that_is_named_comes_first(self) -> None:
        """Where two say nearly the same; a number that nobody gave is no hindrance."""
        near = "Connections of partners are encrypted with TLS 1.3."
        world = world_with(near)
        reply, _ = ask(writing((TLS, near), (near, TLS), (FALLBACK, "no source")), world=world)
        assert [item.doc_id for item in reply.sources] == ["POL-0091", "ADR-0027"]
        assert near in reply.answer.partition(TLS)[0]
        assert FALLBACK in reply.answer

    def test_a_source_in_a_language_that_nobody_reads_is_found_too(self) -> None:
        passages = [replace(each, document=replace(each.document, lang="es")) for each in KNOWLEDGE]
        world = World(passages=tuple(passages), thresholds=SURE)
        reply, _ = ask(writing((TLS, TLS)), world=world)
        assert (reply.mode, counted(reply)) == (Mode.AUTO, (1, 1))

    def test_a_list_is_told_whole_with_what_introduces_it(self) -> None:
        """Whether one of its items was pointed at, or its introduction."""
        text = "Connections are encrypted so:\n\n- by TLS 1.3 inside\n- by VPN outside\n"
        world = world_with(text)
        item, _ = ask(writing(("By VPN outside.", "by VPN outside")), world=world)
        assert "> Connections are encrypted so:\n>\n> - by TLS 1.3 inside" in item.answer
        assert "> - by VPN outside" in item.answer
        lead, _ = ask(writing(("Connections are encrypted so:", "encrypted so")), world=world)
        assert all(each in lead.answer for each in ("by TLS 1.3 inside", "by VPN outside"))

    def test_what_is_told_is_told_breadth_first(self) -> None:
        """The best of each document before second ones, what it states before what leads up."""

        def told(*ids: str, long: str = "", max_chars: int = 9_999) -> list[str]:
            hits = [hit(each) for each in ids]
            if long:
                text = (SectionRole.SUBSTANCE, "So. " * 100)
                (made,) = document(DocumentKind.POLICY, 90, "Long", text)
                hits.insert(int(long), replace(hits[0], passage=made))
            asked = inquiry(
                ASKED,
                evidence=Evidence(hits=tuple(hits)),
                verdict=verdict(support=tuple(hits), ranking=tuple(hits)),
            )
            return [each.id for each in told_of(asked, max_chars=max_chars)]

        assert told("ADR-0027#1", "ADR-0027#0", "PCP-0010#0") == [
            *("ADR-0027#1", "PCP-0010#0", "ADR-0027#0")
        ]
        assert told(*(f"ADR-0012#{n}" for n in range(3))) == [
            *("ADR-0012#0", "ADR-0012#2", "ADR-0012#1")
        ]
        # The first is told however long it is; a later one that does not fit leaves room.
        assert told("ADR-0027#1", long="0", max_chars=50) == ["POL-0090#0"]
        assert told("ADR-0027#1", "PCP-0010#0", long="1", max_chars=200) == [
            *("ADR-0027#1", "PCP-0010#0")
        ]


class TestCertainty:
    def test_it_is_no_surer_than_the_quotes(self) -> None:
        reply, _ = ask(writing((TLS, TLS)))
        assert reply.retrieval_quality == quotes().retrieval_quality
        assert reply.outcome is quotes().outcome is ReplyOutcome.ASSERTED

    @pytest.mark.parametrize(
        ("said", "outcome"),
        [([FALLBACK], ReplyOutcome.HEDGED), ([FALLBACK, TLS], ReplyOutcome.ASSERTED)],
    )
    def test_what_shares_no_sentence_with_the_quotes_is_hedged(
        self, said: list[str], outcome: ReplyOutcome
    ) -> None:
        """The gates asserted what they would have quoted."""
        reply, _ = ask(writing(*((each, each) for each in said)))
        assert FALLBACK not in quotes().answer
        assert (reply.outcome, reply.mode) == (outcome, Mode.AUTO)

    def test_a_no_hedges_the_quotes(self) -> None:
        reply, _ = ask(says_no)
        assert reply.outcome is ReplyOutcome.HEDGED
        assert reply.sources == quotes().sources
        assert not reply.warnings

    def test_what_a_part_found_alone_is_hedged(self) -> None:
        """Its document passed no gate for the question itself."""
        plan = Plan("What is the domain language?")
        reply, _ = ask(writing((CIM, CIM)), mode=Mode.THINKING, planner=plan)
        assert reply.mode is Mode.THINKING
        assert CIM in reply.answer
        assert reply.outcome is ReplyOutcome.HEDGED


class TestWhatIsNot:
    def test_a_sentence_that_stands_nowhere_is_left_out_and_counted(self) -> None:
        reply, writer = ask(writing((TLS, TLS), ("Keys were invented in 1842.", TLS)))
        assert len(writer.asked) == 1
        assert TLS in reply.answer
        assert "1842" not in str(reply.to_dict())
        assert (counted(reply), reply.complete) == ((1, 2), False)
        assert types(reply) == ["UNVERIFIED_FIELDS"]
        assert reply.warnings[0].details == {"withheld": 1}
        (step,) = [each for each in reply.trace if each.stage == "writing"]
        assert "wrote 2 sentence(s)" in step.note
        assert "1 not found there" in step.note

    def test_where_none_is_found_the_answer_is_that_without_a_writer(self) -> None:
        reply, _ = ask(writing(("Keys were invented in 1842.", TLS)))
        alone = quotes()
        assert (reply.answer, reply.sources) == (alone.answer, alone.sources)
        assert (reply.outcome, reply.mode, reply.written_by) == (alone.outcome, Mode.INSTANT, "")
        assert (counted(reply), types(reply), reply.complete) == ((0, 1), [], True)

    def test_whatever_breaks_while_looking_it_is_not_found(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> float:
            raise ValueError(MADE_UP)

        monkeypatch.setattr(stage, "_likeness", broken)
        reply, _ = ask(writing((TLS, TLS)))
        assert reply.answer == quotes().answer
        assert counted(reply) == (0, 1)

    @pytest.mark.parametrize("sign", ["\u00b2", "\u00b3", "\u2460", "\ud83d", "\u202e", "\x00"])
    def test_odd_signs_break_nothing(self, sign: str) -> None:
        """In a source, in what is written, and in both."""
        text = f"{TLS} The area is 40 m{sign} of connections."
        source = text.encode("utf-8", "ignore").decode()  # as it is read from a file
        world = world_with(source)
        reply, _ = ask(writing((TLS, TLS), (f"The area is 40 m{sign}.", "area")), world=world)
        assert TLS in reply.answer

    def test_a_choice_that_does_not_tell_what_is_asked_is_no_answer(self) -> None:
        """It is held to what the quotes are held to."""
        text = "Keys are rotated every 12 months.\n\nKeys are rotated by the team."
        world = world_with(text)
        said = writing(("Keys are rotated by the team.", text))
        reply, _ = ask(said, "How often are keys rotated?", world=world)
        assert "every 12 months" in reply.answer


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
        reply, _ = ask(failure)
        alone = quotes()
        assert [item.quote for item in reply.sources] == [item.quote for item in alone.sources]
        assert reply.retrieval_quality.confidence_score == alone.retrieval_quality.confidence_score
        assert reply.retrieval_quality.fallback_reasons == (flag,)
        assert types(reply) == ["PIPELINE_ERROR"]
        # It was asked to write, not to search.
        assert reply.transparency.statement == (
            f"A language model was asked, and was of no help ({flag})."
        )


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
        _, writer = ask(writing((TLS, TLS)), text)
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
        _, writer = ask(writing((TLS, TLS)), text)
        assert writer.asked

    @pytest.mark.parametrize(("named", "mode"), [([TLS, CIM], Mode.AUTO), ([TLS], Mode.INSTANT)])
    def test_a_comparison_tells_of_both(self, named: list[str], mode: Mode) -> None:
        """What is told of one alone compares nothing; what each states comes first."""
        said = writing(*((text, text) for text in named))
        reply, writer = ask(said, "Compare ADR-0012 and ADR-0027")
        assert reply.mode is mode
        _, told, _ = writer.asked[0]
        assert [each.section for each in told[:2]] == ["Substance", "Substance"]

    def test_instant_asks_nobody(self) -> None:
        reply, writer = ask(writing((TLS, TLS)), mode=Mode.INSTANT)
        assert not writer.asked
        assert reply.answer == quotes().answer

    def test_it_is_told_what_passed_the_gates(self) -> None:
        """In the question's language, each source with what its document is."""
        _, writer = ask(writing((TLS, TLS)))
        question, told, lang = writer.asked[0]
        assert (question, lang) == (ASKED, "en")
        assert {each.document.identifier for each in told} == {"ADR-0027"}
        assert told[0].document.status == "accepted"
