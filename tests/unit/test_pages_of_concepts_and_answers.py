"""Pages of concepts and of reasons: what they tell, and what hostile words become there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.test_document_pages import EVIL, Page
from tests.unit.test_linking import OF_A_TOOL, POLICY, TERM, reply

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.response import ResponseWarning, TraceStep, Validation
from elysia_guard.edge.views import answers, concepts

KEY = Concept(
    uri="https://v.example/key",
    vocabulary="v",
    vocabulary_title="Terms",
    preferred=(Text(value="key", lang="en"), Text(value="sleutel", lang="nl")),
    alternative=(Text(value="opener", lang="en"),),
    definitions=(Text(value="What opens.", lang="en"), Text(value="Wat opent.", lang="nl")),
    narrower=("https://v.example/master", "https://v.example/unknown"),
)
MASTER = replace(KEY, uri="https://v.example/master", preferred=(Text(value="master key"),))


def hostile(page: Page) -> None:
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "iframe", "style", "form"})
    for _, said in page.tags:
        assert not [name for name in said if name.startswith("on") or name == "src"]
        assert not re.match(r"\s*(javascript|data|//)", str(said.get("href", "")))


class TestConcepts:
    def test_it_is_told_in_the_language_asked_and_in_the_others(self) -> None:
        page = Page(concepts.page(KEY, [MASTER], lang="nl"))
        assert page.text.index("sleutel") < page.text.index("Wat opent.")
        assert page.text.index("Wat opent.") < page.text.index("What opens.")
        assert "opener (Engels)" in " ".join(page.text.split())
        links = [said["href"] for tag, said in page.tags if tag == "a" and "uri=" in said["href"]]
        assert links == ["/guard/concepts?uri=https%3A%2F%2Fv.example%2Fmaster&lang=nl"]
        assert "https://v.example/unknown" in page.text

    def test_of_thousands_some_are_shown_and_the_others_counted(self) -> None:
        top = replace(KEY, narrower=tuple(f"https://v.example/{n}" for n in range(3_000)))
        assert len(concepts.neighbours(top)) == concepts.MOST_RELATED
        page = Page(concepts.page(top, [], lang="en"))
        assert f"(+{3_000 - concepts.MOST_RELATED})" in page.text

    @pytest.mark.parametrize("uri", ["javascript:alert(1)", "data:text/html,x", EVIL])
    def test_what_is_hostile_is_text(self, uri: str) -> None:
        texts = (Text(value=EVIL, lang=EVIL),)
        evil = replace(
            KEY,
            uri=uri,
            vocabulary_title=EVIL,
            preferred=texts,
            alternative=texts,
            definitions=texts,
            scope_notes=texts,
            notation=EVIL,
            broader=(uri,),
        )
        hostile(Page(concepts.page(evil, [evil], lang="en")))


def payloads(question: str, said: Any) -> list[dict[str, Any]]:
    """What a conversation has shown: a question with its reply, and another one."""
    plain = json.loads(json.dumps(said))
    return [
        {"type": "user_prompt", "query_id": "q1", "payload": {"prompt": question}},
        {"type": "text", "query_id": "q1", "payload": {}},
        {"type": "rag_response", "query_id": "q1", "payload": plain},
        {"type": "user_prompt", "query_id": "q2", "payload": {"prompt": "another"}},
    ]


class TestAnswers:
    answered = reply(
        "> Keys are kept. [source:1]",
        POLICY,
        TERM,
        OF_A_TOOL,
        validation=Validation(sources_verified=1, sources_total=2, confidence=0.5),
        warnings=(ResponseWarning(type="X", message="Mind the gap."),),
        trace=(
            TraceStep(
                stage="gates",
                note="answer",
                elapsed_ms=1.25,
                remarks=("The search brought 2 passages (documents: 1).",),
                readings=(
                    GateReading(
                        gate="distance", passed=True, value=0.5, threshold=0.7, source="a.b"
                    ),
                ),
            ),
            TraceStep(stage="of_tomorrow", note="what nobody knows yet", elapsed_ms=0.0),
        ),
    )

    def test_what_was_kept_is_read_again(self) -> None:
        """As it was, and so every line of it is told."""
        asked = answers.recorded(payloads("Where are keys?", self.answered.to_dict()), "q1")
        assert asked is not None
        assert asked.reply == self.answered
        page = Page(answers.page(asked, lang="en"))
        told = " ".join(page.text.split())
        assert "Where are keys?" in told
        assert "Sure to 90% that this answers the question: high." in told
        assert "1 of 2 quotes stand word for word" in told
        assert "Mind the gap." in told
        measured = "How far it is in meaning (zero is the same): 0.50 (at most 0.70)"
        assert f"\u2713 passed: {measured}" in told
        assert "Where the limit is set: a.b" in told
        assert "The search brought 2 passages (documents: 1)." in told
        assert "what nobody knows yet" in told
        assert "of_tomorrow" in told

    @pytest.mark.parametrize("said", [{}, {"answer": "of another version"}, None, 3])
    def test_what_another_version_kept_is_not_there(self, said: Any) -> None:
        assert answers.recorded(payloads("x", said), "q1") is None

    def test_what_is_hostile_is_text(self) -> None:
        evil = replace(
            self.answered,
            answer=f"{EVIL}\n\n> {EVIL} [source:1]\n\n[x](javascript:alert(1)) [y](//e.example)",
            sources=(replace(POLICY, title=EVIL, section=EVIL, location=EVIL),),
            warnings=(ResponseWarning(type="X", message=EVIL),),
            trace=(TraceStep(stage=EVIL, note=EVIL, elapsed_ms=0.0),),
        )
        hostile(Page(answers.page(answers.AnswerShown(question=EVIL, reply=evil), lang="en")))
