"""What a writer is asked, and how what it writes is read: whatever it is, never with an error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.adapters.writers import prompt
from elysia_guard.adapters.writers.language_model import MOST_TEXT, MOST_WORDS, written
from elysia_guard.adapters.writers.thinking import chances, searches
from elysia_guard.domain.claim import Claim, Fault, Finding, Proof, Proved, Support, Told
from elysia_guard.language.pack import langs
from elysia_guard.language.verbatim import as_written, lines_of

WORDS = "Keys are rotated every year."
TOLD = [Told(text=WORDS, title="Keys", identifiers=("ADR-0001",), status="accepted")]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["can_answer", "sentences", "text", "evidence", "source", "words", "id"]),
        inner,
    ),
)  # fmt: skip


def answer(*rows: object, can_answer: object = True) -> str:
    return json.dumps({"can_answer": can_answer, "confidence": 0.9, "sentences": rows})


def asked(
    question: str,
    told: Sequence[Told],
    lang: str,
    *,
    language: prompt.Language = "question",
    max_chars: int = 100,
    failed: Sequence[Proved] = (),
) -> list[prompt.Message]:
    return prompt.messages(
        question, told, lang, language=language, max_chars=max_chars, failed=failed
    )


def row(text: object = WORDS, source: object = 1, words: object = WORDS) -> dict[str, Any]:
    return {"text": text, "evidence": [{"source": source, "words": words}]}


class TestReading:
    def test_a_sentence_comes_with_its_words(self) -> None:
        found = written(answer(row()))
        assert found
        assert found.answers
        assert found.claims == (Claim(text=WORDS, supports=(Support(source=1, words=WORDS),)),)

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
            answer({"text": WORDS}),
            answer(row(text=7)),
            answer(row(text="")),
            answer(row(text="x" * (MOST_TEXT + 1))),
            '{"can_answer": true}',
            "[" * 100_000,
        ],
    )
    def test_what_has_another_form_is_of_no_use(self, text: str) -> None:
        assert written(text) is None

    @pytest.mark.parametrize(
        "bad",
        [
            row(source="1"),
            row(source=True),
            row(words=None),
            row(words="x" * (MOST_WORDS + 1)),
            {"text": WORDS, "evidence": ["source 1"]},
        ],
    )
    def test_evidence_of_another_form_is_none(self, bad: dict[str, Any]) -> None:
        """The sentence stands there without, and will be proved by nothing."""
        found = written(answer(bad))
        assert found
        assert found.claims[0].supports == ()

    def test_a_no_says_nothing_else(self) -> None:
        found = written(answer(row(), can_answer=False))
        assert found
        assert (found.answers, found.claims) == (False, ())

    @pytest.mark.parametrize(
        "text",
        [
            f"{WORDS[:-1]} [source:1].",
            f"{WORDS[:-1]} [1, 2].",
            f"- {WORDS}",
            f"> {WORDS}",
            f"8. {WORDS}",
            f"- 12) {WORDS}",
            f"\u26a0 {WORDS}",
            "Keys are\n\nrotated every year.",
        ],
    )
    def test_marks_of_a_page_are_left_out(self, text: str) -> None:
        """Those that a reader sees are ours, and each sentence is one line."""
        found = written(answer(row(text=text)))
        assert found
        assert found.claims[0].text == WORDS

    @pytest.mark.parametrize("text", ["12 keys are rotated.", "3.5 years is the most.", "90 days."])
    def test_a_number_that_is_of_a_sentence_stays(self, text: str) -> None:
        found = written(answer(row(text=text)))
        assert found
        assert found.claims[0].text == text

    def test_of_many_sentences_the_first_count(self) -> None:
        found = written(answer(*[row()] * 99))
        assert found
        assert len(found.claims) == prompt.MOST_SENTENCES

    @given(JSON)
    def test_whatever_comes_is_read_without_an_error(self, data: object) -> None:
        text = json.dumps(data)
        written(text)
        searches(text)
        chances(text, count=1)

    @pytest.mark.parametrize(
        "rows",
        [
            [],
            [{"id": 1, "supported": True, "confidence": 0.9}] * 2,
            [{"id": 2, "supported": True, "confidence": 0.9}],
            [{"id": 1, "supported": True, "confidence": 2}],
            [{"id": 1, "supported": "yes", "confidence": 0.9}],
        ],
    )
    def test_a_check_is_of_each_sentence_once(self, rows: list[object]) -> None:
        assert chances(json.dumps({"checks": rows}), count=1) is None

    def test_a_no_is_the_less_likely_the_surer_it_is(self) -> None:
        rows = [{"id": 1, "supported": False, "confidence": 0.9}]
        assert chances(json.dumps({"checks": rows}), count=1) == (pytest.approx(0.1),)


class TestAsking:
    @pytest.mark.parametrize("lang", langs())
    def test_every_language_has_its_own_words(self, lang: str) -> None:
        """All of them for the same parts."""
        parts = {"task", "sources", "question", "failed", "repair", "plan", "check"}
        assert set(prompt.sections(lang)) == parts
        assert all(prompt.sections(lang).values())
        if lang != "en":
            assert prompt.sections(lang)["task"] != prompt.sections("en")["task"]

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
        """Nothing beyond them, words of them for each sentence, and a no where they say nothing."""
        task, _ = asked("?", TOLD, lang)
        rules = [line for line in task["content"].splitlines() if line.startswith("- ")]
        assert any(line.startswith(f"- {rule}") for line in rules)
        assert any(line.startswith('- "evidence"') for line in rules)
        assert any('"can_answer": false' in line for line in rules)

    def test_another_language_is_asked_in_the_first_ones_words(self) -> None:
        """The answer is wanted in its own."""
        task, _ = asked("¿Qué?", TOLD, "es")
        assert 'in the language "es"' in task["content"]
        assert "{" not in task["content"].partition("Where source 2")[0]

    @pytest.mark.parametrize("lang", langs())
    def test_it_is_told_whose_language_to_write_in(self, lang: str) -> None:
        """One of two things, and never both."""
        ways: tuple[prompt.Language, ...] = ("sources", "question")
        tasks = [asked("?", TOLD, lang, language=way)[0]["content"] for way in ways]
        assert [f'"{lang}"' in task for task in tasks] == [False, True]
        assert prompt.sections(lang)["sources"] in tasks[0]
        assert prompt.sections(lang)["sources"] not in tasks[1]

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
        assert prompt.language_of([Told(text=WORDS, lang=each) for each in spoken], "nl") == found

    @pytest.mark.parametrize("lang", langs())
    @pytest.mark.parametrize("language", ["sources", "question"])
    def test_a_task_leaves_room_for_the_sources(self, lang: str, language: prompt.Language) -> None:
        """With 7,000 characters of them it makes fewer than 3,000 tokens."""
        task, _ = asked("?", TOLD, lang, language=language)
        assert len(task["content"]) <= 3_000

    def test_what_failed_is_named_with_its_faults(self) -> None:
        failed = Proved(
            claim=Claim(text="Keys are never rotated.", supports=()),
            proof=Proof.FAILS,
            findings=(Finding(fault=Fault.NEGATION, about="never"),),
        )
        task, data = asked("?", TOLD, "en", failed=[failed])
        assert "never" not in task["content"]
        assert json.loads(data["content"])["failed"] == [
            {
                "text": "Keys are never rotated.",
                "faults": [{"fault": "negation", "about": "never"}],
            }
        ]

    def test_a_source_is_told_so_far(self) -> None:
        _, data = asked("?", TOLD, "en", max_chars=8)
        (source,) = json.loads(data["content"])["sources"]
        assert source == {
            "id": 1,
            "document": "ADR-0001",
            "title": "Keys",
            "status": "accepted",
            "text": "Keys are",
        }


class TestWords:
    @pytest.mark.parametrize(
        ("words", "text", "found"),
        [
            ("keys rotate", "All keys  rotate.", "keys rotate"),
            (
                "rotates -- 'yearly'",
                "It rotates -- \u2018yearly\u2019.",
                "rotates -- \u2018yearly\u2019",
            ),
            ("all keys", "All keys", ""),
            ("key", "All keys", ""),
            ("", "All keys", ""),
            ("All keys", "- **All** keys", "**All** keys"),
        ],
    )
    def test_they_are_found_as_the_source_has_them(self, words: str, text: str, found: str) -> None:
        assert as_written(words, text) == found

    def test_lines_are_those_of_the_file(self) -> None:
        text = "# Keys\n\n- one\n- All **keys**\n  rotate.\n"
        assert lines_of("All keys rotate.", text) == (4, 5)
        assert lines_of("one", text) == (3, 3)
        assert lines_of("none", text) is None
