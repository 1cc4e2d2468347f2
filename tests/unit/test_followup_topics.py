"""What a follow-up is about is asked back, told, or left alone, as the conversation has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.dialogue_world import (
    CATALOGUE,
    DECIDES,
    DECISION,
    POLICY,
    PRINCIPLE,
    after,
    asked_back,
    compared,
    decided,
    defined,
    listed,
    ref,
    searched,
    whole,
)

from elysia_guard.domain.conversation import Conversation, Focus
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Unclear
from elysia_guard.reading.followups import Whole, resolve


@pytest.mark.parametrize(
    ("lang", "typed"),
    [
        ("en", "who approved it?"),
        ("en", "and the other one?"),
        ("en", "why?"),
        ("nl", "wie heeft het goedgekeurd?"),
        ("de", "Und wer ist sein Eigentümer?"),
        ("fr", "qui l'a approuvé ?"),
        ("de", "die zweite"),
    ],
)
def test_what_refers_to_nothing_is_asked_back(lang: Lang, typed: str) -> None:
    """Before anything was said a word that refers is asked back, as it was typed."""
    found = resolve(typed, lang=lang, conversation=Conversation())
    assert isinstance(found, Unclear)
    assert found.word
    assert found.word in typed


@pytest.mark.parametrize(
    ("lang", "back", "typed", "meant"),
    [
        ("en", "is it accepted already?", "sorry, I meant ADR 33", "is ADR-0033 accepted already?"),
        ("en", "is it accepted already?", "the TLS one", "is the TLS one accepted already?"),
        ("nl", "is het al aangenomen?", "principe 12", "is PCP-0012 al aangenomen?"),
        ("de", "Wer hat das genehmigt?", "ADR 9 meinte ich", "Wer hat ADR-0009 genehmigt?"),
    ],
)
def test_the_answer_to_a_question_back_completes_it(
    lang: Lang, back: str, typed: str, meant: str
) -> None:
    """What was asked back is asked of what the next message names."""
    assert whole(typed, lang, asked_back(lang, back)).text == meant


@pytest.mark.parametrize(
    ("lang", "typed", "to"),
    [
        ("en", "in Dutch?", "nl"),
        ("nl", "en in het Duits?", "de"),
        ("de", "auf Englisch bitte", "en"),
    ],
)
def test_the_last_question_is_asked_again_in_another_language(
    lang: Lang, typed: str, to: Lang
) -> None:
    """'In Dutch?' asks the last question again, to be answered in that language."""
    found = whole(typed, lang, decided(lang))
    assert found.lang == to
    assert "ADR-0029" in found.text


@pytest.mark.parametrize(
    ("lang", "typed"),
    [("en", "are you sure?"), ("nl", "weet je het zeker?"), ("de", "sicher?"), ("en", "as a list")],
)
def test_doubt_asks_the_last_question_again(lang: Lang, typed: str) -> None:
    """'Are you sure?' is the last question once more."""
    assert whole(typed, lang, decided(lang)).text == DECIDES[lang]


NEW_TOPICS: list[tuple[Lang, str]] = [
    ("en", "is it allowed to use USB sticks?"),
    ("en", "Is it true that we log everything?"),
    ("en", "How do suppliers report their incidents?"),
    ("en", "When a laptop is lost, who should report it?"),
    ("en", "Do we have rules on AI, and who owns them?"),
    ("en", "Which principle says that data is an asset?"),
    ("en", "List all policies"),
    ("en", "What does ADR-0012 say about its costs?"),
    ("en", "newest three ADRs?"),
    ("nl", "is het toegestaan om thuis te werken?"),
    ("nl", "regent het?"),
    ("nl", "Welke besluiten zijn er die over data gaan?"),
    ("nl", "Als een laptop kwijt is, wie moet dat melden?"),
    ("nl", "hoe melden we een incident?"),
    ("de", "Ist es erlaubt, zu Hause zu arbeiten?"),
    ("fr", "est-il permis de travailler à la maison ?"),
    ("fr", "comment signaler un incident ?"),
    ("de", "Gibt es ein Prinzip über Speicherung?"),
    ("de", "Welche Systeme, die in der Cloud laufen, brauchen TLS?"),
    ("de", "Wären Sie so nett, mir die Entscheidung zum Netz zu zeigen?"),
]


@pytest.mark.parametrize(("lang", "typed"), NEW_TOPICS)
@pytest.mark.parametrize("said", [decided, compared, listed, defined, lambda _: Conversation()])
def test_a_new_topic_inherits_nothing(said, lang: Lang, typed: str) -> None:  # type: ignore[no-untyped-def]
    """A text with a subject of its own is returned as it is, whatever was said before."""
    found = whole(typed, lang, said(lang))
    assert found.text == typed
    assert not found.refers


def test_a_new_follow_up_need_not_answer_what_was_asked_back() -> None:
    """What refers itself is no answer to a question back, but asks of what was spoken of."""
    talk = after(*compared("en").focus, *asked_back("en", "who approved it?").focus)
    assert whole("status of both", "en", talk).text == (
        "What is the status of ADR-0023 and ADR-0025?"
    )


@pytest.mark.parametrize("typed", ["who owns that policy?", "why?", "is it accepted?"])
def test_what_a_search_was_answered_from_may_be_referred_to(typed: str) -> None:
    """After a search the document quoted first is meant, and the reader is told so."""
    found = whole(typed, "en", searched(1, 6))
    assert "POL-0001" in found.text
    assert found.about == "POL-0001"


def test_another_matter_is_searched_for_unless_the_document_that_was_quoted_tells_it() -> None:
    """'And phone calls?' after a search asks the same of them; of the document, if it tells it."""
    found = whole("and phone calls?", "en", searched(1, 6))
    assert found.text == "How long do we keep invoices: phone calls?"
    assert found.perhaps is not None
    assert found.perhaps.whole.text == "What does POL-0001 say about phone calls?"
    assert found.perhaps.is_told("Phone calls are kept for a month.")


def test_a_year_is_no_number_of_a_document() -> None:
    """'And 2024?' after a list of 2023 asks for the list of the other year."""
    shown = (ref(DECISION, 1), ref(DECISION, 2))
    asked = "Which decisions were accepted in 2023?"
    talk = after(Focus(question=asked, lang="en", listed=shown, listing=True, kinds=(DECISION,)))
    assert whole("and 2024?", "en", talk).text == "Which decisions were accepted in 2024?"


def test_a_side_of_one_of_a_list_is_asked_back() -> None:
    """'Who is the owner?' after a list may be asked of each, and is asked back."""
    found = resolve("who is the owner?", lang="en", conversation=listed("en"))
    assert isinstance(found, Unclear)
    assert "Who is the owner of PCP-0031?" in found.candidates


def test_who_is_against_something_compares_nothing() -> None:
    """Small words that may compare do not by themselves: 'who was against it?'."""
    talk = after(*decided("en").focus, Focus(question="x", lang="en", documents=(ref(POLICY, 1),)))
    assert whole("who was against it?", "en", talk).text == "who was against POL-0001?"


def test_thanks_stay_thanks_whatever_is_said_beside() -> None:
    """'Danke, jetzt verstehe ich es.' asks for nothing."""
    text = whole("Danke, jetzt verstehe ich es.", "de", decided("de")).text
    assert text.startswith("Danke")
    assert "verstehe" not in text


def test_what_is_obvious_is_not_told() -> None:
    """A pronoun for the one document just named needs no 'about', a fragment does."""
    assert whole("who approved it?", "en", decided("en")).about == ""
    assert whole("status?", "en", decided("en")).about == "ADR-0029"


def test_a_document_that_is_not_there_stays_what_it_is_about() -> None:
    """After a refusal the conversation is about what was asked, not about nothing."""
    asked = Focus(
        question="What does ADR-0099 say?", lang="en", documents=(ref(DECISION, 99),), refused=True
    )
    assert whole("who approved it?", "en", after(asked)).text == "Who approved ADR-0099?"


def test_what_else_somebody_owns_is_a_list_of_theirs() -> None:
    """'What else do they own?' lists the documents of the owner of the one spoken of."""
    about = Focus(question="Who owns PCP-0031?", lang="en", documents=(ref(PRINCIPLE, 31),))
    found = whole("what else do they own?", "en", after(about))
    assert found.text == "Which principles are owned by Data Council?"
    assert found.about == "Data Council"


def test_a_sentence_may_be_about_a_document_that_tells_of_all_of_it() -> None:
    """A sentence that refers to nothing is a question of its own, and perhaps of the document."""
    found = whole("what were the risks of outages?", "en", decided("en"))
    assert not found.refers
    assert found.perhaps is not None
    assert found.perhaps.whole.text == "what were the risks of outages, according to ADR-0029?"
    assert found.perhaps.is_told("A risk: an outage of the broker stops billing.")
    assert not found.perhaps.is_told("A risk is that billing stops.")


def test_an_abbreviation_is_told_where_its_words_stand() -> None:
    """'CISO' is told by a document that speaks of the Chief Information Security Officer."""
    found = whole("what were the words of the CISO?", "en", decided("en"))
    assert found.perhaps is not None
    assert found.perhaps.is_told("The words of our Chief Information Security Officer were few.")


@pytest.mark.parametrize("kinds", [(), (DECISION,)])
def test_a_refused_search_leaves_what_it_may_have_been_about(
    kinds: tuple[DocumentKind, ...],
) -> None:
    """What it found may be meant, and no more: it is asked back, whatever kind it was for."""
    near = (ref(DECISION, 5), ref(POLICY, 2))
    said = Focus(
        question="our kafka?", lang="en", topic="kafka", near=near, refused=True, kinds=kinds
    )
    found = resolve("who approved it?", lang="en", conversation=after(said))
    assert isinstance(found, Unclear)
    assert found.candidates == ("Who approved ADR-0005?", "Who approved POL-0002?")


def test_a_list_is_narrowed_only_where_there_is_one() -> None:
    """'Only the accepted ones' after one document is asked back with the lists there may be."""
    found = resolve("only the accepted ones", lang="en", conversation=decided("en"))
    assert isinstance(found, Unclear)
    assert "List all accepted decisions" in found.candidates


@pytest.mark.parametrize(
    ("lang", "typed"),
    [
        ("en", "compare it with 21"),
        ("nl", "wat is het verschil met 21?"),
        ("de", "vergleiche es mit 21"),
    ],
)
def test_what_was_spoken_of_is_compared_with_what_is_named(lang: Lang, typed: str) -> None:
    """The other side of a comparison is the one document spoken of; of two it is asked back."""
    text = whole(typed, lang, decided(lang)).text
    assert "ADR-0029" in text
    assert "ADR-0021" in text
    found = resolve(typed, lang=lang, conversation=compared(lang))
    assert isinstance(found, Unclear)
    assert len(found.candidates) == 2


def test_the_parts_of_one_question_are_one_turn() -> None:
    """After a question in two parts a word in the singular may mean either."""
    first = Focus(question="Who approved ADR-0020?", lang="en", documents=(ref(DECISION, 20),))
    second = Focus(
        question="what does ADR-0025 say?",
        lang="en",
        documents=(ref(DECISION, 25),),
        further=True,
    )
    found = resolve("who owns it?", lang="en", conversation=after(first, second))
    assert isinstance(found, Unclear)
    assert len(found.candidates) == 2


@pytest.mark.parametrize("kind", [DECISION, PRINCIPLE, POLICY])
@given(number=st.integers(min_value=1, max_value=9999))
def test_whatever_was_spoken_of_is_what_it_is(kind: DocumentKind, number: int) -> None:
    """Of every kind and number, 'it' is the document spoken of and no other."""
    named = ref(kind, number)
    talk = after(Focus(question=f"What does {named.identity} say?", lang="en", documents=(named,)))
    assert whole("who approved it?", "en", talk).text == f"Who approved {named.identity}?"


SAID = st.sampled_from(
    [made(lang) for made in (decided, compared, listed, defined) for lang in DECIDES]
)
WORDS = st.lists(
    st.sampled_from(
        "and it that die das er hij the first one other ADR 12 13 what who approved wat wie "
        "daarvan only accepted principles which of them in Dutch status ? , . : its zijn sein "
        "TLS busbar no I meant zelfde voor nur davon beide".split()
    ),
    max_size=12,
)


@given(typed=WORDS, talk=SAID, lang=st.sampled_from(list(DECIDES)))
def test_any_words_are_made_whole_or_asked_back(
    typed: list[str], talk: Conversation, lang: Lang
) -> None:
    """Whatever is typed, the same in the same conversation gives the same, and no error."""
    text = " ".join(typed)
    found = resolve(text, lang=lang, conversation=talk, documents=CATALOGUE)
    assert found == resolve(text, lang=lang, conversation=talk, documents=CATALOGUE)
    if isinstance(found, Whole):
        assert bool(found.text.strip()) == bool(text.strip())


@given(text=st.text(max_size=200), talk=SAID)
def test_any_text_at_all_is_borne(text: str, talk: Conversation) -> None:
    """No text breaks the resolution of follow-ups."""
    assert isinstance(resolve(text, lang="en", conversation=talk), Whole | Unclear)


def test_a_whole_question_is_whole() -> None:
    """What a follow-up became is returned as it is, asked in the same conversation again."""
    typed = ["who approved it?", "status?", "and ADR 13?", "what were its costs?", "since when?"]
    for each in typed:
        text = whole(each, "en", decided("en")).text
        assert whole(text, "en", decided("en")).text == text
