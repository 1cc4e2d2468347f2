"""Responses, their parts and many replies, as a notebook shows them."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.unit.evaluation_samples import response
from tests.unit.small_world import World

from elysia_guard.direct import Guard
from elysia_guard.domain.concept import RelatedConcept
from elysia_guard.domain.errors import ConfigError, QuestionError, ScopeError
from elysia_guard.domain.refusal import GateReading, RefusalReason, Suggestion
from elysia_guard.domain.response import (
    BatchReply,
    RAGResponse,
    Replies,
    ReplyOutcome,
    Source,
    Sources,
    Trace,
    TraceStep,
)
from elysia_guard.edge import notebook
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs

ASSERTED = response("ADR-0012")
HEDGED = response("ADR-0012", confidence=0.7)
REFUSED = response(reason=RefusalReason.LOW_CONFIDENCE)
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


def test_each_outcome_has_a_line_of_its_own_without_its_colour() -> None:
    """In grey, and to who tells no colours apart."""
    lines = {notebook._LINES[outcome].rpartition(" ")[0] for outcome in ReplyOutcome}
    assert len(lines) == len(ReplyOutcome)


def test_words_have_the_colour_of_the_notebook() -> None:
    """Which is dark on light or light on dark: a colour of ours would be hard to read on one."""
    for reply in (ASSERTED, HEDGED, REFUSED):
        found = seen(reply._repr_html_() or "").css("[style]")
        assert not [item for item in found if "color:" in (item.attributes["style"] or "")]


@pytest.mark.parametrize("lang", langs())
def test_a_reply_is_told_in_the_language_of_the_question_and_its_trace_in_english(
    lang: str,
) -> None:
    step = TraceStep(
        stage="router",
        note="entity: it has the form '{document}'",
        elapsed_ms=1.5,
        remarks=("Read as a question for what a term means.",),
        readings=(
            GateReading(gate="distance", passed=False, value=0.8, threshold=0.598, source="a.b"),
        ),
    )
    reply = replace(REFUSED, lang=lang, trace=(step,))
    assert say(lang, "page.refused") in seen(reply._repr_html_() or "").text()
    wanted = (
        "What the question asks",
        "Read as a question for what a term means.",
        "How far it is in meaning (zero is the same): 0.80 (at most 0.598)",
    )
    html = seen(reply.trace._repr_html_() or "").text()
    for text in (html, reply.trace._repr_markdown_()):
        assert all(said in text for said in wanted)
        assert "{document}" not in text


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


def test_what_is_in_a_trace_is_no_markup() -> None:
    step = TraceStep(
        stage="spelling",
        note="x",
        elapsed_ms=1.0,
        remarks=("'![x](http://e.example)' is read as '<b>'.",),
    )
    told = Trace([step])._repr_markdown_()
    assert "![x](" not in told
    assert "<b>" not in told.replace("\\<b", "")


def test_sources_open_at_their_words() -> None:
    reply = replace(ASSERTED, sources=(replace(ASSERTED.sources[0], quote="Keys **rotate**."),))
    opened = seen(reply._repr_html_() or "").css("details")
    assert len(opened) == 1
    assert "[source:1]" in opened[0].css_first("summary").text()
    assert opened[0].css_first("blockquote strong").text() == "rotate"


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


def test_tables_hold_every_source_and_step() -> None:
    steps = Trace(TraceStep(stage=name, note="x", elapsed_ms=1.5) for name in ("router", "gates"))
    assert [row.text() for row in seen(steps._repr_html_() or "").css("tbody td:first-child")] == [
        "What the question asks",
        "The gates",
    ]
    assert "1.5 ms" in steps._repr_markdown_()
    assert len(seen(ASSERTED.sources._repr_html_() or "").css("tbody tr")) == len(ASSERTED.sources)
    assert ASSERTED.sources[0].title in ASSERTED.sources._repr_markdown_()


def test_sources_are_a_tuple_still() -> None:
    """What made a response before makes the same one, and JSON holds plain lists."""
    source = ASSERTED.sources[0]
    assert isinstance(ASSERTED.sources, Sources)
    assert ASSERTED.sources == (source,)
    assert replace(ASSERTED, sources=(source,)) == ASSERTED
    assert isinstance(source, Source)
    assert isinstance(json.loads(json.dumps(ASSERTED.to_dict()))["sources"], list)


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

    def test_rows_are_flat_and_have_the_same_columns(self, guard: Guard) -> None:
        rows = guard.ask_many(["", "What does ADR-0999 decide?"], progress=False).to_records()
        assert rows[0].keys() == rows[1].keys()
        assert json.loads(json.dumps(rows))[1]["outcome"] == "refused"

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

    def test_a_bar_says_how_far_it_is(
        self, guard: Guard, capsys: pytest.CaptureFixture[str]
    ) -> None:
        guard.ask_many(["hello", "hello"])
        assert "2/2" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("wrong", "error"), [({"kind": "nope"}, ScopeError), ({"mode": "nope"}, ConfigError)]
    )
    def test_what_is_wrong_for_all_is_told_before_any_is_asked(
        self, guard: Guard, wrong: dict[str, str], error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            guard.ask_many(["hello"], progress=False, **wrong)

    def test_many_say_how_they_ended(self, guard: Guard) -> None:
        replies = guard.ask_many(["hello"] * 30, progress=False)
        assert repr(replies) == "<30 replies: 30 conversed>"
        page = seen(replies._repr_html_() or "")
        assert len(page.css("tbody tr")) == notebook.MOST_ROWS
        assert "30 questions" in page.text()
        assert len(replies[:5]) == 5

    def test_without_pandas_the_way_out_is_told(
        self, guard: Guard, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "pandas", None)
        with pytest.raises(ConfigError, match=r"elysia-guard\[notebook\]"):
            guard.ask_many([], progress=False).to_frame()
