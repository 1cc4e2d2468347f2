"""Words, stems, sentences, languages and the messages a person reads."""

from __future__ import annotations

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Step
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.language.catalogue import catalogue, has, say
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.identify import identify
from elysia_guard.language.pack import langs
from elysia_guard.language.sentences import units
from elysia_guard.language.small_talk import KINDS
from elysia_guard.language.stems import content_words, is_stop_word
from elysia_guard.language.text import clean, fold, normalise, words


class TestText:
    @given(st.text())
    def test_cleaning_twice_changes_nothing(self, text: str) -> None:
        """clean and normalise are idempotent; a cleaned text is composed and printable."""
        assert clean(clean(text)) == clean(text)
        assert normalise(normalise(text)) == normalise(text)
        assert fold(fold(text)) == fold(text)
        assert not {unicodedata.category(char) for char in clean(text)} & {"Cc", "Cf", "Cs", "Co"}

    @pytest.mark.parametrize(
        ("one", "other"),
        [("CIM XML", "  cim   xml "), ("Stra\u00dfe", "STRASSE"), ("\u00c9", "e\u0301")],
    )
    def test_a_term_is_the_same_in_any_case_and_spacing(self, one: str, other: str) -> None:
        """IR0003's key: lower case, trimmed, white space collapsed."""
        assert normalise(one) == normalise(other)

    def test_folding_forgets_marks_and_joints(self) -> None:
        """'CIM/XML', 'cim-xml' and 'CIM XML' are one; so are 'caf\u00e9' and 'cafe'."""
        assert {fold(t) for t in ("CIM/XML", "cim-xml", "CIM XML", "cim\u2011xml")} == {"cimxml"}
        assert fold("Caf\u00e9") == "cafe"

    def test_words_keep_apostrophes_and_digits(self) -> None:
        """'TLS-1.3' is three words, \u2018what\u2019s\u2019 is one."""
        assert words("What\u2019s the TLS-1.3 rule?") == ["what's", "the", "tls", "1", "3", "rule"]


class TestSentences:
    def test_sentences_and_list_items_are_units(self) -> None:
        """Each can be quoted alone; wrapped lines are one."""
        text = (
            "We use TLS.\nIt protects\ndata. Why not?\n\n"
            "* first item\n  goes on\n* second. Really.\n"
        )
        assert units(text) == (
            "We use TLS.",
            "It protects data.",
            "Why not?",
            "* first item goes on",
            "* second. Really.",
        )

    @given(st.text(alphabet=string.ascii_letters + " .?!*-\n1"))
    def test_units_are_words_of_the_text_in_order(self, text: str) -> None:
        """Nothing is lost, added or moved, but for units without a word."""
        joined = "".join("".join(units(text)).split())
        assert [c for c in joined if c.isalnum()] == [c for c in text if c.isalnum()]


class TestStems:
    def test_content_words_come_in_order_each_once(self) -> None:
        """Stop words and single letters are none; single digits are."""
        assert content_words("What is the TLS version 3 of a TLS b?", "en") == [
            "tls",
            "version",
            "3",
        ]
        assert is_stop_word("de", "nl")
        assert not is_stop_word("de", "en")


class TestCoverage:
    def test_a_rare_word_weighs_more(self) -> None:
        """Half of the words may be most of the question; the commonest still counts a little."""
        terms = query_terms("hydrogen system", "en", rarity={"hydrogen": 0.9, "system": 0.1})
        assert terms.coverage("Hydrogen.", "en") == pytest.approx(0.9)
        assert terms.coverage("A system.", "en") == pytest.approx(0.1)
        none = query_terms("system data", "en", rarity={"system": 0.0, "data": 0.0})
        assert none.coverage("A system.", "en") == 0.5

    def test_a_question_without_content_words_asks_for_nothing(self) -> None:
        """Which anything covers; the search gate refuses it for that."""
        terms = query_terms("what is the", "en")
        assert (terms.words, terms.expansion, terms.coverage("x", "en")) == ((), "", 1.0)

    def test_a_synonym_of_the_vocabulary_covers(self) -> None:
        """Asking with an altLabel is no lack of coverage; every word of the label must occur."""
        terms = query_terms("trafo losses", "en", [("trafo", "power transformer", "")])
        assert terms.coverage("Losses of the power transformers.", "en") == 1.0
        assert terms.coverage("Losses of power.", "en") == 0.5
        assert terms.expansion == "trafo losses power transformer"

    @given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(langs()))
    def test_coverage_is_a_share_and_complete_in_itself(
        self, asked: str, text: str, lang: Lang
    ) -> None:
        """0 to 1; a text covers itself."""
        terms = query_terms(asked, lang)
        assert 0.0 <= terms.coverage(text, lang) <= 1.0
        assert terms.coverage(asked, lang) == 1.0


class TestIdentify:
    @pytest.mark.parametrize("text", ["TLS", "", "ADR.12", "12", "???", "\u4e2d\u6587"])
    def test_what_shows_no_language_is_in_the_default(self, text: str) -> None:
        """An abbreviation is in no language, so the configuration decides."""
        assert [identify(text, default=lang) for lang in langs()] == list(langs())

    @given(st.text())
    def test_any_text_has_one_of_the_three(self, text: str) -> None:
        """Never an error, always the same."""
        assert identify(text) in langs()
        assert identify(text) == identify(text)


class TestMessages:
    @pytest.mark.parametrize("lang", ["nl", "de"])
    def test_the_catalogues_are_translated(self, lang: Lang) -> None:
        """Only what is alike in both languages reads alike."""
        english, other = catalogue("en"), catalogue(lang)
        alike = {key for key, value in other.items() if value == english[key]}
        same = {
            "answer.concept_source",
            "answer.label_in",
            "answer.status",
            "answer.version",
            "list.document_one",
            "list.quoted",
        }
        same |= {"differs.status", "differs.version"}
        same |= {f"page.{key}" for key in ("address", "definition", "notation", "status", "took")}
        assert alike <= same

    @pytest.mark.parametrize("lang", langs())
    def test_every_step_small_talk_and_bad_question_has_its_words(self, lang: Lang) -> None:
        """What the program can meet, it can say."""
        known = catalogue(lang)
        assert {f"status.{step}" for step in Step} <= set(known)
        assert {f"talk.{name}" for name in KINDS} <= set(known)
        assert {f"bad.{code}" for code in QuestionError._MESSAGES} <= set(known)
        assert IntentKind.CONVERSATIONAL

    def test_a_message_that_does_not_exist_is_an_error(self) -> None:
        """A misspelt key does not reach a reader as silence."""
        assert has("refusal.no_results")
        assert not has("refusal.no_such_reason")
        with pytest.raises(KeyError):
            say("en", "refusal.no_such_reason")
        with pytest.raises(KeyError):
            say("en", "refusal.no_results")

    def test_braces_in_a_value_stay_as_they_are(self) -> None:
        """A term is data: it cannot fill in or break a message."""
        assert "{subject} {0}" in say("en", "refusal.no_results", subject="{subject} {0}")
