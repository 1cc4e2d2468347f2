"""The core forms of a question, as the packs of languages write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Definition, Named
from elysia_guard.language.pack import langs
from elysia_guard.language.preamble import bare_question, mended, without_fillers
from elysia_guard.reading.masking import Known, Masked
from elysia_guard.reading.templates import read_template
from elysia_guard.reading.term_coreference import refers_to_unknown

DECISION, PRINCIPLE, POLICY = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY
TLS = Reference(number=16, written="the TLS decision", kind=DECISION)


def known(text: str, *mentions: str, documents: tuple[Reference, ...] = ()) -> tuple[Known, ...]:
    """What of a text is known: terms, or documents that are named in words."""
    places = ((text.index(item), len(item)) for item in mentions)
    return tuple(Known(start=at, end=at + size, documents=documents) for at, size in places)


@pytest.mark.parametrize(
    ("lang", "text", "term"),
    [
        ("en", "What does islanding mean?", "islanding"),
        ("en", "hi, could you tell me what exactly a busbar is, please", "busbar"),
        ("en", "Whta does VPP stand for?", "VPP"),
        ("en", "What does the abbreviation ENTSO-E stand for?", "ENTSO-E"),
        ("en", "The auditor asks what segregation of duties means", "segregation of duties"),
        ("en", "I know what a feeder is, but what is a ring main?", "ring main"),
        ("en", "BDEW, what does that stand for?", "BDEW"),
        ("nl", "Wat wordt er onder een allocatiepunt verstaan?", "allocatiepunt"),
        ("nl", "blindvermogen, in gewone mensentaal graag", "blindvermogen"),
        ("nl", "Leg eens uit wat een netvlak is", "netvlak"),
        ("de", "Was ist unter Versorgungssicherheit zu verstehen?", "Versorgungssicherheit"),
        ("de", "Erkläre mir bitte, was ein Umspannwerk ist", "Umspannwerk"),
        ("de", "Lastabwurf, kurz erklärt bitte", "Lastabwurf"),
        ("fr", "Qu'est-ce qu'un poste source ?", "poste source"),
        ("fr", "Bonjour, pouvez-vous me dire ce que signifie l'îlotage ?", "îlotage"),
        ("fr", "effacement, c'est quoi ?", "effacement"),
    ],
)
def test_a_meaning_is_asked(lang: Lang, text: str, term: str) -> None:
    """Whatever courtesy stands around it, and however its question word is spelt."""
    found = read_template(text, lang)
    assert found is not None
    assert found.asks == Definition(term=term)


@pytest.mark.parametrize(
    ("lang", "text", "references"),
    [
        ("en", "What does ADR 12 say?", ["ADR-0012"]),
        ("en", "adr 21 tldr", ["ADR-0021"]),
        ("en", "pls show me principle 19", ["PCP-0019"]),
        ("nl", "Vat besluit 14 eens kort samen", ["ADR-0014"]),
        ("nl", "Waar gaat ADR 10 over?", ["ADR-0010"]),
        ("de", "Worum geht es in ADR 19?", ["ADR-0019"]),
        ("fr", "De quoi parle l'ADR 19 ?", ["ADR-0019"]),
        ("fr", "POL-0003", ["POL-0003"]),
    ],
)
def test_a_named_document_is_asked_for_whole(lang: Lang, text: str, references: list[str]) -> None:
    """By its number."""
    found = read_template(text, lang)
    assert found is not None
    assert isinstance(found.asks, Named)
    assert [str(item.identity) for item in found.asks.references] == references


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "What is the data retention policy?"),
        ("en", "What is needed for a new connection?"),
        ("en", "What is our policy on passwords?"),
        ("en", "What does ADR 12 say about hydrogen?"),
        ("en", "Which decisions are accepted?"),
        ("en", "Why do we use TLS?"),
        ("nl", "besluit nr 6, kan ik me daar nog op beroepen"),
        ("nl", "Wat is de bewaartermijn van meterstanden?"),
        ("de", "Der Server ist ausgefallen, was heißt das für die Messwerte?"),
        ("de", "Wer hat ADR-0017 genehmigt?"),
        ("fr", "Quelle est la durée de conservation des relevés ?"),
        ("fr", "Qui a approuvé l'ADR 12 ?"),
    ],
)
def test_what_asks_for_more_fits_no_form(lang: Lang, text: str) -> None:
    """A matter, a field or a restriction is for others to read; what may be a term is unsure."""
    found = read_template(text, lang)
    assert found is None or not found.sure


class TestKnown:
    """What is known of a question is one word to its forms."""

    def test_a_term_alone_has_no_form(self) -> None:
        """That is for others to read, as a document may be named so."""
        assert read_template("BESS?", "en") is None

    def test_a_term_that_is_known_may_have_the_article(self) -> None:
        """'The merit order' is a term, 'the deadline' is not."""
        text = "What is the merit order?"
        unknown = read_template(text, "en")
        found = read_template(text, "en", known(text, "merit order"))
        assert [item.sure for item in (unknown, found) if item] == [False, True]

    def test_what_refers_asks_for_the_one_term_that_was_named(self) -> None:
        """In another clause or sentence; of two, neither."""
        text = "They kept saying curtailment at the meeting, what is that?"
        found = read_template(text, "en", known(text, "curtailment"))
        assert found is not None
        assert found.asks == Definition(term="curtailment")
        text = "They kept saying curtailment and redispatch, what is that?"
        assert read_template(text, "en", known(text, "curtailment", "redispatch")) is None

    def test_a_term_of_another_is_not_what_is_referred_to(self) -> None:
        """'The port on his meter' speaks of a port."""
        text = "a customer asks me about the P1 port on his meter, what is that thing?"
        found = read_template(text, "en", known(text, "P1 port", "meter"))
        assert found is not None
        assert found.asks == Definition(term="P1 port")
        text = "Between the feeder and the busbar they drew a coil. Tell me what that is"
        assert read_template(text, "en", known(text, "feeder", "busbar")) is None

    def test_what_it_is_or_does_is_no_other_question(self) -> None:
        """The meaning that was asked before it says that too."""
        found = read_template("what does SAIDI stand for and what does it tell us?", "en")
        assert found is not None
        assert found.asks == Definition(term="SAIDI")

    @pytest.mark.parametrize(
        ("text", "unknown"),
        [
            ("The manual mentions droop control for the inverters, what does that mean?", True),
            ("Our network is split in zones, I was told. What are they?", False),
            ("The policy mentions droop control, what does that mean?", False),
        ],
    )
    def test_a_meaning_may_be_asked_of_what_nobody_knows(self, text: str, unknown: bool) -> None:
        """Documents may tell the rest: what no term is, or what a document says."""
        assert refers_to_unknown(Masked.of(text), "en") is unknown

    def test_who_is_asked_may_be_named_by_a_term(self) -> None:
        """It is no part of the question."""
        text = "Could somebody from the grid side tell me what busbars are"
        found = read_template(text, "en", known(text, "grid", "busbars"))
        assert found is not None
        assert found.asks == Definition(term="busbars")

    def test_a_title_names_a_document(self) -> None:
        """Unless what is asked may be the meaning of its words."""
        text = "Could you summarise the TLS decision? I have a call."
        found = read_template(text, "en", known(text, "TLS decision", documents=(TLS,)))
        assert found is not None
        assert found.asks == Named(references=(TLS,))
        text = "What is security by design?"
        found = read_template(text, "en", known(text, "security by design", documents=(TLS,)))
        assert found is not None
        assert found.asks == Definition(term="security by design")
        assert not found.sure


class TestAround:
    def test_a_preamble_is_no_part_of_a_question(self) -> None:
        """But something is always left."""
        assert bare_question("Dank je wel! Wat is dat, graag", "nl") == "Wat is dat"
        assert bare_question("please", "en") == "please"

    def test_fillers_go_wherever_they_stand(self) -> None:
        """As they are written: the US are no 'us'."""
        assert without_fillers("was ist denn eigentlich ein Netz", "de") == "was ist ein Netz"
        assert without_fillers("what is US law", "en") == "what is US law"

    def test_only_the_first_words_are_mended(self) -> None:
        """What follows may be a name."""
        assert mended("waht is a wath", "en") == "what is a wath"

    @pytest.mark.parametrize("text", ["which team checks the meter", "which form is used"])
    def test_a_short_word_that_is_near_another_is_no_slip(self, text: str) -> None:
        """'Team' is not 'term': who does something is asked, and no meaning."""
        assert mended(text, "en") == text
        assert read_template(text, "en") is None

    @given(st.text(max_size=80), st.sampled_from(langs()))
    def test_any_text_is_read_and_always_alike(self, text: str, lang: Lang) -> None:
        """Nothing fails, whatever is asked."""
        assert read_template(text, lang) == read_template(text, lang)
