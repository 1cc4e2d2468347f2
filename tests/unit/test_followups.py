"""Follow-ups that no single row of ``tests/data/readings.jsonl`` tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    decide,
    decided,
    defined,
    listed,
    ref,
    searched,
    weighed,
    whole,
)

from elysia_guard.domain.conversation import Conversation, Focus
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, Lang, Scope
from elysia_guard.domain.reading import Listing, Named, Unclear
from elysia_guard.reading.followups import Whole, resolve

APPROVED = Focus(
    question="Who signed off on the event broker?",
    lang="en",
    documents=(ref(DECISION, 5, approval=True),),
    aspect=Aspect.APPROVAL,
)


def of(question: str, kind: DocumentKind, number: int, *, refused: bool = False) -> Focus:
    return Focus(question=question, lang="en", documents=(ref(kind, number),), refused=refused)


ON_31 = (*listed("en").focus, of("What does PCP-0031 say?", PRINCIPLE, 31))
ON_23 = (*compared("en").focus, of("Who approved ADR-0023?", DECISION, 23))
ASKED_BACK = asked_back("en", "is it accepted already?").focus


@pytest.mark.parametrize(
    ("said", "typed", "meant"),
    [
        ((APPROVED,), "and what does it decide?", "What does ADR-0005 decide?"),
        (ON_31, "and the one after that?", "What does PCP-0033 say?"),
        (ON_31, "back to the first one, who owns it?", "who owns PCP-0031?"),
        (ON_23, "and who approved the other one?", "Who approved ADR-0025?"),
        (
            (*decided("en").focus, of("x", POLICY, 1)),
            "who was against it?",
            "who was against POL-0001?",
        ),
        (
            (*compared("en").focus, *asked_back("en", "who approved it?").focus),
            "status of both",
            "status of ADR-0023 and ADR-0025",
        ),
        (
            (of("What does ADR-0099 say?", DECISION, 99, refused=True),),
            "who approved it?",
            "Who approved ADR-0099?",
        ),
        (ASKED_BACK, "sorry, I meant ADR 33", "is ADR-0033 accepted already?"),
        (ASKED_BACK, "the TLS one", "is the TLS one accepted already?"),
    ],
)
def test_what_was_said_makes_a_message_whole(said: Sequence[Focus], typed: str, meant: str) -> None:
    """A side, a year, a language, a place, what is asked back, and what is not there."""
    assert whole(typed, "en", after(*said)).text.casefold() == meant.casefold()


def test_another_term_is_defined_as_the_one_before() -> None:
    found = whole("and curtailment?", "en", defined("en"), terms=("curtailment",))
    assert found.text == "What does curtailment mean?"


@pytest.mark.parametrize("typed", ["who owns it?", "why?", "is it accepted?"])
def test_what_a_search_was_answered_from_may_be_referred_to(typed: str) -> None:
    """After a search the two quoted first are meant, and the reader is told so."""
    found = whole(typed, "en", searched(1, 6))
    assert "POL-0001" in found.text
    assert found.about == "POL-0001 and POL-0006"
    assert whole(typed, "en", searched(1)).about == "POL-0001"


def test_one_of_a_list_is_picked_by_what_it_says() -> None:
    """'The one about the cable': where one document alone tells of it."""
    found = weighed("what does the one about cables say", listed("en"))
    assert found.exclusive
    assert "cables" in found.words


def test_another_matter_is_searched_for_unless_the_document_that_was_quoted_tells_it() -> None:
    """'And phone calls?' after a search asks the same of them; of the document, if it tells it."""
    found = weighed("and phone calls?", searched(1, 6))
    assert isinstance(found.alone, Whole)
    assert found.alone.text == "How long do we keep invoices: phone calls?"
    assert [each.document.number for each in found.among] == [1, 6]


def test_a_side_of_one_of_a_list_is_asked_back() -> None:
    """'Who is the owner?' after a list may be asked of each, and is asked back."""
    found = resolve("who is the owner?", lang="en", conversation=listed("en"))
    assert isinstance(found, Unclear)
    assert [each for each in found.candidates if "PCP-0031" in each]


def test_thanks_stay_thanks_whatever_is_said_beside() -> None:
    """'Danke, jetzt verstehe ich es.' asks for nothing."""
    text = whole("Danke, jetzt verstehe ich es.", "de", decided("de")).text
    assert text.startswith("Danke")
    assert "verstehe" not in text


def test_what_is_obvious_is_not_told() -> None:
    """A pronoun for the one document just named needs no 'about', a fragment does."""
    assert whole("who approved it?", "en", decided("en")).about == ""
    assert whole("status?", "en", decided("en")).about == "ADR-0029"


def test_what_else_somebody_owns_is_a_list_of_theirs() -> None:
    """'What else do they own?' lists the documents of the owner of the one spoken of."""
    about = Focus(question="Who owns PCP-0031?", lang="en", documents=(ref(PRINCIPLE, 31),))
    found = whole("what else do they own?", "en", after(about))
    assert found.text == "Which principles are owned by Data Council?"
    assert found.about == "Data Council"


@pytest.mark.parametrize(
    ("typed", "told", "elsewhere"),
    [
        ("what were the risks of outages?", "The risks: outages stop billing.", "Risks are many."),
        ("default priority", "The default priority is low.", "A priority is set."),
        ("what were the words of the CISO?", "Chief Information Security Officer: no.", "CIO: no."),
    ],
)
def test_a_message_is_about_a_document_that_tells_of_it(
    typed: str, told: str, elsewhere: str
) -> None:
    """What refers to nothing is of the document spoken of where that tells more than others do."""
    assert "ADR-0029" in decide(typed, {29: told, 12: elsewhere}).text
    assert "ADR-0029" not in decide(typed, {29: "Nothing of it.", 12: told}).text


def test_what_a_text_names_itself_is_of_the_document_only_if_that_tells_of_it() -> None:
    """'It' may be the laptop: what documents tell decides, by all that is said."""
    typed = "When a laptop is lost, who should report it?"
    told = "Whoever has lost a laptop reports that: report it within a day."
    assert "ADR-0029" in decide(typed, {29: told, 12: "A laptop is encrypted."}).text
    assert decide(typed, {29: "A laptop is encrypted.", 12: told}).text == typed


def test_of_several_that_were_listed_one_that_tells_more_is_meant() -> None:
    """Those that tell as much are asked back."""
    listed_ = listed("en")
    found = weighed("what does it say of care?", listed_)
    assert {each.document.number for each in found.among} == {31, 33, 38}
    assert isinstance(found.alone, Unclear)


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
    assert found.candidates == ("who approved ADR-0005?", "who approved POL-0002?")


def test_what_is_narrowed_without_a_list_is_all_of_the_kind_spoken_of() -> None:
    """'Only the accepted ones' after one decision lists the decisions that are."""
    found = whole("only the accepted ones", "en", decided("en")).asks
    assert found == Listing(kinds=(DECISION,), filters=Scope(statuses=("accepted",)))


def test_another_document_is_asked_for_the_same_side() -> None:
    """Also where the question before named its document in words."""
    found = whole("and ADR 7?", "en", after(APPROVED)).asks
    assert found == Named(
        references=(replace(ref(DECISION, 7, approval=True), written="ADR 7"),),
        aspect=Aspect.APPROVAL,
    )


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
    assert whole("who approved it?", "en", talk).text == f"who approved {named.identity}?"


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


def test_a_whole_question_is_whole() -> None:
    """What a follow-up became is returned as it is, asked in the same conversation again."""
    typed = ["who approved it?", "status?", "and ADR 13?", "since when?"]
    for each in typed:
        text = whole(each, "en", decided("en")).text
        assert whole(text, "en", decided("en")).text == text


@pytest.mark.parametrize(
    ("lang", "typed"), [("en", "in Dutch?"), ("nl", "in het Engels graag"), ("fr", "en anglais ?")]
)
def test_a_language_alone_asks_for_the_last_answer_in_it(lang: Lang, typed: str) -> None:
    """What picks nothing of a list asks again."""
    for talk in (listed(lang), decided(lang)):
        assert whole(typed, lang, talk).lang in {"nl", "en"} - {lang}


@pytest.mark.parametrize("typed", ["only those about Dutch law", "those not in Dutch"])
def test_more_than_a_language_does_not_narrow_by_it(typed: str) -> None:
    """Dutch law is a topic, and a language that is denied narrows to none."""
    found = whole(typed, "en", listed("en")).asks
    assert not (isinstance(found, Listing) and found.filters.lang)


@pytest.mark.parametrize(
    ("of", "typed", "restricted"),
    [
        (Scope(since="2023", until="2023"), "and 2024?", Scope(since="2024", until="2024")),
        (Scope(lang="nl"), "and in English?", Scope(lang="en")),
        (Scope(lang="nl"), "only the accepted ones", Scope(lang="nl", statuses=("accepted",))),
    ],
)
def test_a_restriction_takes_the_place_of_one_of_its_sort(
    of: Scope, typed: str, restricted: Scope
) -> None:
    """Another year replaces the year; a status stands beside the language."""
    (said,) = listed("en").focus
    talk = after(replace(said, asks=Listing(kinds=(PRINCIPLE,), filters=of)))
    assert whole(typed, "en", talk).asks == Listing(kinds=(PRINCIPLE,), filters=restricted)
