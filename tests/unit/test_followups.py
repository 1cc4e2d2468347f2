"""Follow-ups become whole questions: what was said before is put where they refer to it."""

from __future__ import annotations

import pytest
from tests.unit.dialogue_world import (
    DECISION,
    PRINCIPLE,
    SHOWN,
    after,
    compared,
    decided,
    defined,
    listed,
    ref,
    whole,
)

from elysia_guard.domain.conversation import Focus
from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.domain.reading import Unclear
from elysia_guard.reading.followups import resolve


@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("en", "and who approved it?", "who approved ADR-0029?"),
        ("en", "since when is that in force?", "since when is ADR-0029 in force?"),
        ("en", "what does this decision say about cost?", "what does ADR-0029 say about cost?"),
        ("en", "what are its consequences?", "what are ADR-0029's consequences?"),
        ("en", "is there anything about logging in there?", "anything about logging in ADR-0029?"),
        ("en", "Does ADR-0030 replace it?", "Does ADR-0030 replace ADR-0029?"),
        ("nl", "wie heeft dat goedgekeurd?", "wie heeft ADR-0029 goedgekeurd?"),
        ("nl", "wat staat erin over laptops?", "wat staat in ADR-0029 over laptops?"),
        ("nl", "wie is er de eigenaar van?", "wie is de eigenaar van ADR-0029?"),
        ("nl", "hoe lang is het geldig?", "hoe lang is ADR-0029 geldig?"),
        ("de", "Wer hat das genehmigt?", "Wer hat ADR-0029 genehmigt?"),
        ("de", "gilt sie noch?", "gilt ADR-0029 noch?"),
        ("de", "welche Ausnahmen gibt es davon?", "welche Ausnahmen gibt es von ADR-0029?"),
        ("de", "Können Sie mir das erklären?", "Können Sie mir ADR-0029 erklären?"),
        ("fr", "et qui l'a approuvée ?", "qui ADR-0029 a approuvée?"),
        ("fr", "depuis quand est-elle en vigueur ?", "depuis quand est ADR-0029 en vigueur?"),
    ],
)
def test_a_word_that_refers_is_the_document_spoken_of(lang: Lang, typed: str, meant: str) -> None:
    """A pronoun, a possessive or 'that decision' stands for the one document spoken of."""
    assert whole(typed, lang, decided(lang)).text.casefold().endswith(meant.casefold())


@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("en", "status?", "What is the status of ADR-0029?"),
        ("en", "why", "Why was ADR-0029 decided?"),
        ("en", "its owner", "Who is the owner of ADR-0029?"),
        ("en", "and the alternatives?", "Which alternatives did ADR-0029 consider?"),
        ("en", "default priority", "What does ADR-0029 say about default priority?"),
        ("nl", "sinds wanneer?", "Wanneer is ADR-0029 aangenomen?"),
        ("nl", "bewaartermijn?", "Wat zegt ADR-0029 over bewaartermijn?"),
        ("de", "und der Eigentümer?", "Wer ist der Eigentümer von ADR-0029?"),
        ("de", "warum?", "Warum wurde ADR-0029 entschieden?"),
        ("fr", "statut ?", "Quel est le statut de ADR-0029 ?"),
    ],
)
def test_a_fragment_asks_the_document_spoken_of(lang: Lang, typed: str, meant: str) -> None:
    """What is no sentence asks for a side, or a matter, of the one document spoken of."""
    assert whole(typed, lang, decided(lang)).text == meant


@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("en", "and ADR 13?", "What does ADR-0013 decide?"),
        ("en", "what about principle 12?", "What does PCP-0012 decide?"),
        ("en", "same for 12", "What does ADR-0012 decide?"),
        ("en", "no, I meant 28", "What does ADR-0028 decide?"),
        ("en", "no, the principle", "What does PCP-0029 decide?"),
        ("nl", "en 30?", "Wat besluit ADR-0030?"),
        ("nl", "principe 15 bedoel ik", "Wat besluit PCP-0015?"),
        ("nl", "geldt hetzelfde voor 31?", "Wat besluit ADR-0031?"),
        ("de", "und Prinzip 12?", "Was entscheidet PCP-0012?"),
        ("de", "und das Prinzip mit der Nummer?", "Was entscheidet PCP-0029?"),
        ("de", "dieselbe Frage für ADR 14", "Was entscheidet ADR-0014?"),
        ("fr", "et le principe 12 ?", "Que décide PCP-0012?"),
    ],
)
def test_another_document_is_asked_the_same(lang: Lang, typed: str, meant: str) -> None:
    """A document named alone is asked what was asked before; a bare number is of the same kind."""
    assert whole(typed, lang, decided(lang)).text == meant


def test_what_was_asked_is_asked_again_also_of_a_document_that_was_named_by_its_title() -> None:
    """Where the question before does not hold the number, its side is asked of the new one."""
    talk = after(
        Focus(
            question="Who signed off on the event broker?",
            lang="en",
            documents=(ref(DECISION, 5, approval=True),),
            aspect=Aspect.APPROVAL,
        )
    )
    assert whole("and ADR 7?", "en", talk).text == "Who approved ADR-0007?"
    assert whole("and what does it decide?", "en", talk).text == "What does ADR-0005 say?"


@pytest.mark.parametrize(
    ("lang", "typed", "numbers"),
    [
        ("en", "the third one", [38]),
        ("en", "who owns the second one?", [33]),
        ("en", "open the last", [38]),
        ("en", "compare the last two", [33, 38]),
        ("en", "the one about care", [33]),
        ("en", "the accessible one", [38]),
        ("en", "number 33", [33]),
        ("nl", "de eerste daarvan, wat zegt die?", [31]),
        ("nl", "wie heeft de tweede goedgekeurd?", [33]),
        ("de", "die dritte bitte", [38]),
        ("de", "die letzte davon: wer hat sie genehmigt?", [38]),
        ("de", "wem gehört die zweite?", [33]),
        ("fr", "la troisième", [38]),
    ],
)
def test_a_place_in_the_list_is_the_document_there(
    lang: Lang, typed: str, numbers: list[int]
) -> None:
    """An ordinal, or what its title says, picks from the list that was shown."""
    text = whole(typed, lang, listed(lang)).text
    assert [number for number in SHOWN if f"PCP-{number:04}" in text] == numbers


def test_the_next_one_follows_the_one_spoken_of() -> None:
    """'The one after that' counts from where the conversation is, 'back to the first' from none."""
    here = Focus(question="What does PCP-0031 say?", lang="en", documents=(ref(PRINCIPLE, 31),))
    talk = after(*listed("en").focus, here)
    assert "PCP-0033" in whole("and the one after that?", "en", talk).text
    assert "PCP-0031" in whole("back to the first one, who owns it?", "en", talk).text


@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("en", "only the accepted ones", "List all accepted principles about data"),
        ("en", "which of those are proposed?", "List all proposed principles about data"),
        ("en", "those since 2024", "List all principles about data since 2024"),
        ("en", "just those owned by X", "List all principles about data owned by X"),
        ("en", "what about policies?", "List all policies about data"),
        ("en", "how many?", "How many principles about data are there?"),
        ("nl", "alleen de aangenomen", "Welke aangenomen principes gaan over data?"),
        ("nl", "en besluiten?", "Welke besluiten gaan over data?"),
        ("nl", "hoeveel zijn dat er?", "Hoeveel principes gaan over data?"),
        ("de", "nur die vom Data Office", "Welche Prinzipien vom Data Office gibt es?"),
        ("de", "welche davon sind abgelehnt?", "Welche abgelehnt Prinzipien gibt es?"),
        ("de", "Und was ist mit Richtlinien?", "Welche Richtlinien gibt es?"),
        ("fr", "combien ?", "Combien de principes parlent de données?"),
        ("en", "only those in Dutch", "List all principles about data in Dutch"),
        ("en", "which of them are in Dutch?", "List all principles about data in Dutch"),
        ("en", "the Dutch ones", "List all principles about data in Dutch"),
        ("nl", "alleen de Nederlandse", "Welke principes in het Nederlands gaan over data?"),
        ("nl", "welke zijn in het Engels?", "Welke principes in het Engels gaan over data?"),
        ("de", "nur die niederländischen", "Welche Prinzipien auf Niederländisch gibt es?"),
        ("fr", "ceux en anglais", "Quels principes en anglais parlent de données?"),
    ],
)
def test_a_list_is_narrowed_counted_or_asked_of_another_kind(
    lang: Lang, typed: str, meant: str
) -> None:
    """The question of the list is asked again, with what the follow-up adds to it."""
    assert whole(typed, lang, listed(lang)).text == meant


@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("en", "what falls under it?", "What are the narrower terms of congestion?"),
        ("en", "is there anything broader?", "What is the broader term of congestion?"),
        ("nl", "waar valt dat onder?", "Wat is het bredere begrip van congestie?"),
        ("nl", "welke besluiten gaan erover?", "welke besluiten gaan over congestie?"),
        ("de", "Synonyme?", "Was sind die Synonyme von Engpass?"),
        ("fr", "synonymes ?", "Quels sont les synonymes de congestion ?"),
    ],
)
def test_a_follow_up_to_a_definition_is_about_the_term(lang: Lang, typed: str, meant: str) -> None:
    """A relation is asked of the term spoken of, and a pronoun stands for it."""
    assert whole(typed, lang, defined(lang)).text == meant


def test_another_term_is_defined_as_the_one_before() -> None:
    """'And curtailment?' after a definition asks what that is."""
    assert whole("and curtailment?", "en", defined("en"), terms=("curtailment",)).text == (
        "What is curtailment?"
    )


@pytest.mark.parametrize(
    ("lang", "typed"),
    [
        ("en", "who approved it?"),
        ("nl", "is het al aangenomen?"),
        ("de", "Wann wurde es beschlossen?"),
    ],
)
def test_one_of_two_is_asked_back_with_both(lang: Lang, typed: str) -> None:
    """A singular word after two documents is asked back, each as a whole question to pick."""
    found = resolve(typed, lang=lang, conversation=compared(lang))
    assert isinstance(found, Unclear)
    assert len(found.candidates) == 2
    assert "ADR-0023" in found.candidates[0]
    assert "ADR-0025" in found.candidates[1]


@pytest.mark.parametrize(
    ("lang", "typed"),
    [
        ("en", "who approved them?"),
        ("en", "which of the two is newer?"),
        ("nl", "zijn ze allebei aangenomen?"),
        ("de", "sind sie angenommen?"),
        ("de", "Status von beiden"),
    ],
)
def test_words_in_the_plural_are_both(lang: Lang, typed: str) -> None:
    """'They', 'both' and 'these two' stand for the two documents spoken of together."""
    text = whole(typed, lang, compared(lang)).text
    assert "ADR-0023" in text
    assert "ADR-0025" in text


def test_the_other_one_is_the_one_not_spoken_of_now() -> None:
    """After two were compared and one was asked about, 'the other one' is the remaining one."""
    now = Focus(question="Who approved ADR-0023?", lang="en", documents=(ref(DECISION, 23),))
    text = whole("and who approved the other one?", "en", after(*compared("en").focus, now)).text
    assert text == "Who approved ADR-0025?"
