"""Asserted, hedged and refused, told apart by eye: in the terminal, the chat and a notebook."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.unit.evaluation_samples import response
from tests.unit.small_world import World
from tests.unit.test_three_outcomes import MEASURED, SEARCHED

from elysia_guard.direct import Guard
from elysia_guard.domain.concept import RelatedConcept
from elysia_guard.domain.errors import ConfigError, QuestionError
from elysia_guard.domain.quality import TransparencyStatement
from elysia_guard.domain.refusal import RefusalReason, Suggestion
from elysia_guard.domain.response import (
    BatchReply,
    RAGResponse,
    Replies,
    Sources,
    TraceStep,
    Validation,
)
from elysia_guard.edge.cli.replies import Ending, ending, show
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.edge.linking import emphasised, headline
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs
from elysia_guard.stages.response.parts import vouched

ASSERTED = response("ADR-0012")
HEDGED = response("ADR-0012", confidence=0.7)
REFUSED = response(reason=RefusalReason.LOW_CONFIDENCE)


def hedged(lang: str) -> RAGResponse:
    caveat = say(lang, "transparency.hedged")
    return replace(HEDGED, lang=lang, answer=f"{caveat}\n\n> Keys rotate. [source:1]")


def chat(reply: RAGResponse) -> str:
    return str(next(iter(render(reply))).to_json()["objects"])


@pytest.mark.parametrize(
    ("reply", "ends", "begins"),
    [
        (ASSERTED, Ending.ANSWERED, "\u2713 Answered from the sources"),
        (HEDGED, Ending.HEDGED, "\u2248 Near, perhaps not the answer"),
        (
            REFUSED,
            Ending.REFUSED,
            "\u2717 Not answered · what was found is too weak a basis",
        ),
    ],
)
def test_the_terminal_says_how_a_question_ended(
    reply: RAGResponse, ends: Ending, begins: str
) -> None:
    assert ending(reply) is ends
    assert headline(reply) == begins


@pytest.mark.parametrize(("lines", "times"), [(2, 1), (60, 2)])
def test_the_terminal_says_so_again_where_the_beginning_has_scrolled_away(
    lines: int, times: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("elysia_guard.edge.cli.screen.is_terminal", lambda stream: True)
    monkeypatch.setenv("LINES", "24")
    show(Screen(), replace(HEDGED, answer="A.\n\n" * lines))
    shown = capsys.readouterr().out
    assert shown.count(headline(HEDGED)) == times
    assert headline(HEDGED) in shown.splitlines()[0]


def test_the_places_of_a_document_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    """Once in the terminal, the chat and a notebook, with the mark of each."""
    first = replace(ASSERTED.sources[0], title="Locks", section="A", quote="a.")
    reply = replace(ASSERTED, sources=(first, replace(first, n=2, section="B", quote="b.")))
    show(Screen(), reply)
    assert "[1] [2]  ADR-0012 Locks \u00b7 A, B" in capsys.readouterr().out
    _, (card,), *_ = (item.to_json() for item in render(reply))
    assert card["title"] == "[source:1] [source:2] ADR-0012: Locks"
    (row,) = seen(reply._repr_html_() or "").css("li")
    assert row.text().startswith("[source:1] [source:2] Locks")


@pytest.mark.parametrize("lang", langs())
def test_a_caveat_stands_out_in_every_language(lang: str) -> None:
    """In the terminal and the chat it comes first, in bold, behind the mark."""
    caveat = say(lang, "transparency.hedged")
    assert emphasised(hedged(lang)).startswith(f"**\u2248 {caveat}**\n\n> Keys")
    assert f"**\u2248 {caveat}**" in chat(hedged(lang))


def test_the_cards_of_a_hedged_reply_bear_its_sign() -> None:
    """The page ends at them: the text above may have scrolled away."""
    _, cards, *_ = (item.to_json() for item in render(World(thresholds=MEASURED).ask(SEARCHED)))
    assert all(card["title"].startswith("\u2248 [source:") for card in cards)
    _, cards, *_ = (item.to_json() for item in render(World().ask("What is a transformer?")))
    assert cards[0]["title"].startswith("[source:1]")


def test_a_notebook_shows_outcome_answer_and_sources() -> None:
    reply = World(thresholds=MEASURED).ask(SEARCHED)
    shown = reply._repr_markdown_()
    assert shown.startswith("\u2248 **hedged**\n\n" + reply.answer)
    listed = shown.rpartition("\n\n")[2].splitlines()
    for line, item in zip(listed, reply.sources, strict=True):
        assert line.startswith(f"{item.n}. {item.title}, {item.section}")
        assert line.endswith(f" `{item.location}`")
    refused = REFUSED._repr_markdown_()
    assert refused.startswith("\u2717 **refused**\n\n")


@pytest.mark.parametrize(
    ("held", "total", "told"),
    [
        (1, 1, "The quote stands word for word in its source."),
        (3, 3, "Each of the 3 quotes stands word for word in its source."),
        (2, 3, "2 of 3 quotes stand word for word in their source."),
    ],
)
@pytest.mark.parametrize("reply", [ASSERTED, HEDGED])
def test_people_see_wherever_they_read_what_was_verified(
    reply: RAGResponse, held: int, total: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the terminal, the chat and a notebook; what does not hold is not counted."""
    validation = Validation(sources_verified=held, sources_total=total, confidence=held / total)
    checked = vouched(replace(reply, validation=validation), validation)
    show(Screen(), checked)
    for seen in (capsys.readouterr().out, chat(checked), checked.to_markdown()):
        assert told in " ".join(seen.split())


def test_where_nothing_is_quoted_nothing_is_said_to_be_verified() -> None:
    """Sources that are only named, and a refusal, which rests on none."""
    bare = replace(
        ASSERTED, validation=Validation(sources_verified=0, sources_total=0, confidence=0)
    )
    assert [vouched(reply, reply.validation).verified for reply in (bare, REFUSED)] == ["", ""]


HOSTILE = (
    '<script>alert(1)</script> <img src="http://elsewhere.example/x.png"> ![x](http://e.example)'
)


def seen(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html)


@pytest.mark.parametrize("reply", [ASSERTED, HEDGED, REFUSED])
def test_how_a_reply_is_meant_is_told_by_sign_and_word(reply: RAGResponse) -> None:
    text = seen(reply._repr_html_() or "").text()
    assert f"{reply.outcome.mark} {say('en', f'page.{reply.outcome}')}" in text
    assert reply.answer.split("[")[0].strip(" >*") in text


def test_what_is_on_the_web_is_a_link_and_nothing_else_is() -> None:
    on_web = replace(ASSERTED.sources[0], location='https://example.org/x?a=1&b="2"')
    script = replace(ASSERTED.sources[0], location="javascript:alert(1)")
    for shown in (replace(ASSERTED, sources=(on_web, script)), Sources((on_web, script))):
        found = seen(shown._repr_html_() or "").css("a")
        assert [item.attributes["href"] for item in found] == [on_web.location]


def test_concepts_beside_a_term_are_links_where_they_are_on_the_web() -> None:
    beside = (
        RelatedConcept(uri="https://v.example/a (b)", label="Lock", relation="broader"),
        RelatedConcept(uri="javascript:alert(1)", label="Evil", relation="broader"),
        RelatedConcept(uri="http://[", label="Broken", relation="broader"),
    )
    term = replace(ASSERTED.sources[0], related=beside, location="")
    line = say("en", "answer.broader", labels="Lock, Evil, Broken")
    page = seen(replace(ASSERTED, answer=line, sources=(term,))._repr_html_() or "")
    assert [(item.text(), item.attributes["href"]) for item in page.css("a")] == [
        ("Lock", "https://v.example/a%20%28b%29")
    ]
    assert "Lock, Evil, Broken" in page.text()


@pytest.mark.parametrize("place", ["answer", "quote", "title", "note", "question"])
def test_what_stands_in_documents_acts_on_no_page(place: str) -> None:
    """No element of theirs, and nothing that is fetched."""
    source = replace(
        ASSERTED.sources[0],
        quote=HOSTILE if place == "quote" else "A.",
        title=HOSTILE if place == "title" else "T",
    )
    reply = replace(
        ASSERTED,
        answer=HOSTILE if place == "answer" else "A.",
        sources=(source,),
        suggestions=(Suggestion(question=HOSTILE, label=""),) if place == "question" else (),
        trace=(TraceStep(stage="router", note=HOSTILE, elapsed_ms=1.0),),
    )
    shown = [
        reply,
        reply.sources,
        reply.trace,
        Replies([BatchReply(question=HOSTILE, response=reply)]),
    ]
    for item in shown:
        page = seen(item._repr_html_() or "")
        assert not page.css("script, img, iframe, link, object, style")


class TestAskMany:
    @pytest.fixture
    def guard(self, monkeypatch: pytest.MonkeyPatch) -> Guard:
        guard = Guard.__new__(Guard)
        guard.pipeline = World().pipeline
        return guard

    def test_replies_come_in_the_order_of_the_questions(self, guard: Guard) -> None:
        """What cannot be asked costs the others nothing, and is told."""
        asked = ["What does ADR-0012 decide?", " ", "What does ADR-0999 decide?"]
        replies = guard.ask_many(asked, progress=False)
        assert [item.question for item in replies] == asked
        assert replies[1].error == str(QuestionError("empty"))
        assert [item.outcome for item in replies][1:] == ["error", "refused"]
        alone = guard.ask(asked[2])
        assert replies[2].response is not None
        assert replies[2].response.answer == alone.answer

    def test_many_say_how_they_ended(self, guard: Guard) -> None:
        replies = guard.ask_many(["hello"] * 3, progress=False)
        assert repr(replies) == "<3 replies: 3 conversed>"
        assert repr(replies[:0]) == "<0 replies>"

    def test_sources_and_the_way_are_lines_where_nothing_shows_html(self, guard: Guard) -> None:
        reply = guard.ask("What does ADR-0012 decide?")
        (line,) = reply.sources._repr_markdown_().splitlines()
        assert line.startswith("1. ")
        assert reply.sources[0].title in line
        way = reply.trace.to_markdown().splitlines()
        assert [item.split("**")[1] for item in way] == [step.stage for step in reply.trace]

    def test_a_real_pandas_makes_a_table_of_them(self, guard: Guard) -> None:
        """A row each, in their order, numbers as numbers, and nothing lost on the way to CSV."""
        pandas = pytest.importorskip("pandas", reason="no pandas: pip install pandas")
        asked = ["What does ADR-0012 decide?", "", "What does ADR-0999 decide?"]
        replies = guard.ask_many(asked, progress=False)
        frame = replies.to_frame()
        assert isinstance(frame, pandas.DataFrame)
        assert list(frame["question"]) == asked
        assert dict(frame.groupby("outcome").size()) == dict(replies.outcomes)
        assert frame["elapsed_ms"].dtype == float
        assert frame["confidence"].dtype == float
        assert frame["confidence"].isna().tolist() == [False, True, False]
        assert frame.loc[2, "refusal_reason"] == str(replies[2].response.refusal_reason)
        read = pandas.read_csv(io.StringIO(frame.to_csv(index=False)), keep_default_na=False)
        assert list(read["answer"]) == list(frame["answer"])

    def test_without_pandas_the_way_out_is_told(
        self, guard: Guard, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "pandas", None)
        with pytest.raises(ConfigError, match=r"elysia-guard\[notebook\]"):
            guard.ask_many([], progress=False).to_frame()


def test_a_notebook_says_what_the_answer_does_not() -> None:
    statement = TransparencyStatement(statement="Searched by words alone.", show_to_user=True)
    shown = replace(HEDGED, answer="> A.", transparency=statement)._repr_markdown_()
    assert "> A.\n\n*Searched by words alone.*\n\n1. " in shown
