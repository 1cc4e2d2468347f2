"""What a writer is asked, and how what it writes is read: whatever it is, never with an error."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elysia_guard.adapters import writers as prompt
from elysia_guard.adapters.writers import MOST_TEXT, searches, written
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.manuscript import Pointer
from elysia_guard.language.verbatim import lines_of

WORDS = "Keys are rotated every year."
KEYS = Document(
    id="keys",
    kind=DocumentKind.DECISION,
    title="Keys",
    path="keys.md",
    sha256="",
    identifier="ADR-0001",
    status="accepted",
)
TOLD = [Passage(id="keys#0", document=KEYS, section="", text=WORDS, position=0)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["can_answer", "sentences", "text", "source", "searches"]), inner
    ),
)  # fmt: skip


def answer(*rows: object, can_answer: object = True) -> str:
    return json.dumps({"can_answer": can_answer, "sentences": rows})


def asked(question: str, lang: str, *, max_chars: int = 100) -> list[prompt.Message]:
    return prompt.messages(question, TOLD, lang, max_chars=max_chars)


def row(text: object = WORDS, source: object = 1) -> dict[str, Any]:
    return {"text": text, "source": source}


class TestReading:
    @pytest.mark.parametrize(
        ("sentence", "sources"),
        [
            (row(), (1,)),
            (row(f"{WORDS[:-1]} [source:2]."), (1, 2)),
            (row(source="1"), ()),
            (row(source=True), ()),
            ({"text": WORDS}, ()),
        ],
    )
    def test_a_sentence_comes_with_the_sources_it_names(
        self, sentence: dict[str, Any], sources: tuple[int, ...]
    ) -> None:
        found = written(answer(sentence))
        assert found
        assert found.answers
        assert found.pointers == (Pointer(text=sentence["text"], sources=sources),)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "I know it.",
            "[]",
            "null",
            "{}",
            answer(can_answer="yes"),
            answer(),
            answer("a sentence"),
            answer(row(text=7)),
            answer(row(text="")),
            answer(row(text="x" * (MOST_TEXT + 1))),
            '{"can_answer": true}',
            "[" * 100_000,
        ],
    )
    def test_what_has_another_form_is_of_no_use(self, text: str) -> None:
        assert written(text) is None

    def test_a_no_says_nothing_else(self) -> None:
        found = written(answer(row(), can_answer=False))
        assert found
        assert (found.answers, found.pointers) == (False, ())

    @settings(max_examples=40)
    @given(JSON)
    def test_whatever_comes_is_read_without_an_error(self, data: object) -> None:
        text = json.dumps(data)
        written(text)
        searches(text)


class TestAsking:
    @pytest.mark.parametrize(
        ("lang", "rule"),
        [
            ("en", "Use nothing that you know yourself."),
            ("nl", "Gebruik niets wat u zelf weet."),
            ("de", "Verwenden Sie nichts, was Sie selbst wissen."),
            ("fr", "N'utilisez rien de ce que vous savez vous-même."),
        ],
    )
    def test_every_language_holds_it_to_the_sources(self, lang: str, rule: str) -> None:
        """Nothing beyond them, a sentence of them each time, and a no where they say nothing."""
        task, _ = asked("?", lang)
        rules = [line for line in task["content"].splitlines() if line.startswith("- ")]
        assert any(line.startswith(f"- {rule}") for line in rules)
        assert any(line.startswith('- "text"') for line in rules)
        assert any('"can_answer": false' in line for line in rules)

    @pytest.mark.parametrize(
        ("spoken", "found"),
        [
            ([], "nl"),
            (["en"], "en"),
            (["de", "en", "en"], "en"),
            (["de", "en"], "de"),
            (["es", "es", "nl"], "es"),
        ],
    )
    def test_sources_speak_the_language_of_most_of_them(
        self, spoken: list[str], found: str
    ) -> None:
        assert (
            prompt.language_of(
                [replace(TOLD[0], document=replace(KEYS, lang=each)) for each in spoken], "nl"
            )
            == found
        )

    def test_a_source_is_told_so_far(self) -> None:
        _, data = asked("?", "en", max_chars=8)
        (source,) = json.loads(data["content"])["sources"]
        assert source == {
            "id": 1,
            "document": "ADR-0001",
            "title": "Keys",
            "status": "accepted",
            "text": "Keys are",
        }


def test_lines_are_those_of_the_file() -> None:
    text = "# Keys\n\n- one\n- All **keys**\n  rotate.\n"
    assert lines_of("All keys rotate.", text) == (4, 5)
    assert lines_of("one", text) == (3, 3)
    assert lines_of("none", text) is None
