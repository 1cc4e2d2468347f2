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
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.language.catalogue import catalogue, has, say
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.identify import identify
from elysia_guard.language.pack import langs
from elysia_guard.language.sentences import units
from elysia_guard.language.small_talk import KINDS
from elysia_guard.language.stems import content_words, is_stop_word, stem, stems
from elysia_guard.language.text import clean, fold, normalise, unquote, words


class TestText:
    @pytest.mark.parametrize(
        ("raw", "cleaned"),
        [
            ("  What\tis\n\n CIM ? ", "What is CIM ?"),
            ("CI\u200bM", "CIM"),
            ("\x00CIM\x07", "CIM"),
            ("\ufeffCIM\u202e", "CIM"),
            ("line\u2028line", "line line"),
            ("cafe\u0301", "caf\u00e9"),
            ("\ud800CIM", "CIM"),
            ("\u200b\u200d", ""),
        ],
    )
    def test_what_cannot_be_seen_is_dropped(self, raw: str, cleaned: str) -> None:
        """Breaks become blanks; controls, zero-width and direction marks vanish."""
        assert clean(raw) == cleaned

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

    @pytest.mark.parametrize(
        ("quoted", "bare"),
        [
            ("'CIM'", "CIM"),
            ("\u201cCIM\u201d?", "CIM"),
            ("\u201eNetz\u201c", "Netz"),
            (" CIM. ", "CIM"),
            ("'CIM?'", "CIM"),
            ("CIM (grid)", "CIM (grid)"),
            ("?", ""),
        ],
    )
    def test_a_term_comes_out_of_its_quotation_marks(self, quoted: str, bare: str) -> None:
        """And loses the punctuation of the sentence it stood in."""
        assert unquote(quoted) == bare


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

    @pytest.mark.parametrize(
        "sentence",
        [
            "Use a standard, e.g. IEC 61970, here.",
            "See fig. 3 for details.",
            "Dit geldt bijv. Voor netten.",
            "Das gilt z.B. Netze.",
            "It was decided by J. Smith.",
        ],
    )
    def test_an_abbreviation_ends_no_sentence(self, sentence: str) -> None:
        """A quote is not cut in the middle."""
        assert units(sentence) == (sentence,)

    def test_a_version_number_is_not_a_boundary(self) -> None:
        """'TLS 1.3' stays whole."""
        assert units("Use TLS 1.3 always. Never 1.0.") == ("Use TLS 1.3 always.", "Never 1.0.")

    def test_rules_and_blanks_are_no_units(self) -> None:
        """Without a letter or digit there is nothing to quote."""
        assert units("---\n\n***\n\n  \n") == ()
        assert units("") == ()

    @given(st.text(alphabet=string.ascii_letters + " .?!*-\n1"))
    def test_units_are_words_of_the_text_in_order(self, text: str) -> None:
        """Nothing is lost, added or moved, but for units without a word."""
        joined = "".join("".join(units(text)).split())
        assert [c for c in joined if c.isalnum()] == [c for c in text if c.isalnum()]


class TestStems:
    def test_inflections_share_a_stem(self) -> None:
        """In each language, also a possessive."""
        assert stem("connections", "en") == stem("connection", "en") == stem("connection's", "en")
        assert stem("besluiten", "nl") == stem("besluit", "nl")
        assert stem("entscheidungen", "de") == stem("entscheidung", "de")
        assert stems("The connections", "en") >= {stem("connection", "en")}

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
    def test_inflected_words_cover(self) -> None:
        """A question in the plural is covered by a text in the singular."""
        terms = query_terms("encrypted connections", "en")
        assert terms.coverage("A connection must be encrypted.", "en") == 1.0

    def test_half_covered_is_a_half(self) -> None:
        """The share of content words; stop words count for nothing."""
        terms = query_terms("What is the colour of hydrogen?", "en")
        assert terms.words == ("colour", "hydrogen")
        assert terms.coverage("Hydrogen is stored.", "en") == 0.5
        assert terms.covered_by("Hydrogen is stored.", "en") == {"hydrogen"}

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

    def test_a_synonym_belongs_to_its_own_word(self) -> None:
        """The synonyms of one word do not cover another."""
        terms = query_terms("trafo losses", "en", [("trafo", "transformer")])
        assert terms.covered_by("transformer", "en") == {"trafo"}

    def test_a_document_of_an_unknown_language_is_read_as_the_questions(self) -> None:
        """No language is not another language."""
        assert query_terms("connections", "en").coverage("connection", "") == 1.0

    @given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(langs()))
    def test_coverage_is_a_share_and_complete_in_itself(
        self, asked: str, text: str, lang: Lang
    ) -> None:
        """0 to 1; a text covers itself."""
        terms = query_terms(asked, lang)
        assert 0.0 <= terms.coverage(text, lang) <= 1.0
        assert terms.coverage(asked, lang) == 1.0


class TestIdentify:
    @pytest.mark.parametrize(
        ("text", "lang"),
        [
            ("What is CIM?", "en"),
            ("Wat is CIM?", "nl"),
            ("Was ist CIM?", "de"),
            ("Welke principes gaan over eigenaarschap?", "nl"),
            ("Welche Entscheidungen gibt es?", "de"),
            ("Which decisions are there?", "en"),
            ("Congestiemanagement op middenspanningsnetten", "nl"),
            ("Verschl\u00fcsselung von Verbindungen", "de"),
            ("besluit 50", "nl"),
            ("Entscheidung 7", "de"),
            ("decision 7", "en"),
            ("List all principles", "en"),
            ("Toon alle principes", "nl"),
            ("Zeige alle Prinzipien", "de"),
        ],
    )
    def test_a_question_is_answered_in_its_language(self, text: str, lang: Lang) -> None:
        """By its function words, or by the statistical model where they do not decide."""
        assert identify(text) == lang

    @pytest.mark.parametrize("text", ["TLS", "", "ADR.12", "12", "???", "\u4e2d\u6587"])
    def test_what_shows_no_language_is_in_the_default(self, text: str) -> None:
        """An abbreviation is in no language, so the configuration decides."""
        assert [identify(text, default=lang) for lang in langs()] == list(langs())

    @given(st.text())
    def test_any_text_has_one_of_the_three(self, text: str) -> None:
        """Never an error, always the same."""
        assert identify(text) in langs()
        assert identify(text) == identify(text)


def placeholders(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


class TestMessages:
    @pytest.mark.parametrize("lang", langs())
    def test_the_catalogues_have_the_same_keys_and_placeholders(self, lang: Lang) -> None:
        """A message that one language lacks would be an error only its readers see."""
        english, other = catalogue("en"), catalogue(lang)
        assert {k: placeholders(v) for k, v in other.items()} == {
            k: placeholders(v) for k, v in english.items()
        }
        assert all(value.strip() for value in other.values())

    @pytest.mark.parametrize("lang", ["nl", "de"])
    def test_the_catalogues_are_translated(self, lang: Lang) -> None:
        """Only what is alike in both languages reads alike."""
        english, other = catalogue("en"), catalogue(lang)
        alike = {key for key, value in other.items() if value == english[key]}
        same = {"answer.concept_source", "answer.status", "answer.version", "list.document_one"}
        same |= {"differs.status", "differs.version", "prompt.document"}
        same |= {f"page.{key}" for key in ("address", "definition", "notation", "status", "took")}
        assert alike <= same

    @pytest.mark.parametrize("lang", langs())
    def test_every_reason_has_its_sentence(self, lang: Lang) -> None:
        """Except the question back, which asks."""
        for reason in RefusalReason:
            if reason is RefusalReason.TERMINOLOGY_AMBIGUOUS:
                assert say(lang, "clarify.term", subject="CIM", source="V")
            else:
                text = say(
                    lang, f"refusal.{reason}", subject="S", source="V", value="1", threshold="2"
                )
                assert text
                assert "{" not in text

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
