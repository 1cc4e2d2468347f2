"""Responses, their parts and many replies, as a notebook shows them."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.unit.evaluation_samples import response
from tests.unit.small_world import World

from elysia_guard.direct import Guard
from elysia_guard.domain.concept import RelatedConcept
from elysia_guard.domain.errors import ConfigError, QuestionError
from elysia_guard.domain.refusal import RefusalReason, Suggestion
from elysia_guard.domain.response import (
    BatchReply,
    RAGResponse,
    Replies,
    Sources,
    TraceStep,
)
from elysia_guard.language.catalogue import say

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
