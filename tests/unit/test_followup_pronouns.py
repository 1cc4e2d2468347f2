"""'They' within one question, and 'in Dutch' after a list: what refers back, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.dialogue_world import after, compared, decided, listed, whole

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Unclear
from elysia_guard.reading.followups import resolve

WITHIN = [
    ("en", "How do stations prove who they are?"),
    ("en", "What do field crews need before they may open a cabinet?"),
    ("en", "How are meters read if they are offline?"),
    ("en", "Do operators know what they must log?"),
    ("nl", "Hoe bewijzen stations wie ze zijn?"),
    ("nl", "Wat hebben monteurs nodig voordat ze een kast openen?"),
    ("nl", "Weten klanten wat ze moeten doen?"),
    ("de", "Wie weisen Stationen nach, wer sie sind?"),
    ("de", "Was brauchen Monteure, bevor sie einen Schrank öffnen?"),
    ("fr", "Comment les postes prouvent-ils qui ils sont ?"),
    ("fr", "Que doivent faire les équipes quand elles ouvrent une armoire ?"),
]
BACK = [
    ("en", "Which risks do they mention?"),
    ("en", "Which systems use them?"),
    ("en", "Who decides when they apply?"),
    ("en", "What happens when they expire?"),
    ("nl", "Welke risico's noemen ze?"),
    ("nl", "Wat moeten we betalen voordat ze gelden?"),
    ("de", "Welche Risiken nennen sie?"),
    ("fr", "Quels risques mentionnent-ils ?"),
    ("fr", "Quand s'appliquent-elles ?"),
]


@pytest.mark.parametrize(("lang", "typed"), WITHIN)
def test_they_may_be_those_of_a_clause_before(lang: Lang, typed: str) -> None:
    """A plural pronoun is of the noun that an earlier clause of the same question names."""
    assert whole(typed, lang, Conversation()).text == typed
    assert not whole(typed, lang, compared(lang)).refers


@pytest.mark.parametrize(("lang", "typed"), BACK)
def test_they_are_none_of_their_own_clause(lang: Lang, typed: str) -> None:
    """What a pronoun does something to, or what 'who' and 'we' do, is not what it stands for."""
    found = resolve(typed, lang=lang, conversation=Conversation())
    assert isinstance(found, Unclear)
    assert found.word


@pytest.mark.parametrize(
    ("lang", "typed"), [("en", "in Dutch?"), ("nl", "in het Engels graag"), ("fr", "en anglais ?")]
)
def test_a_language_alone_asks_for_the_last_answer_in_it(lang: Lang, typed: str) -> None:
    """What picks nothing of a list asks again."""
    for talk in (listed(lang), decided(lang)):
        assert whole(typed, lang, talk).lang in {"nl", "en"} - {lang}


def test_another_language_takes_the_place_of_the_one_before() -> None:
    """'And in English?' after a list of those in Dutch is a list of those in English."""
    (said,) = listed("en").focus
    talk = after(replace(said, question="List all principles in Dutch"))
    assert whole("and in English?", "en", talk).text == "List all principles in English"


@pytest.mark.parametrize("typed", ["only those about Dutch law", "those not in Dutch"])
def test_more_than_a_language_does_not_narrow_by_it(typed: str) -> None:
    """Dutch law is a topic, and a language that is denied narrows to none."""
    assert not whole(typed, "en", listed("en")).text.endswith("in Dutch")


def test_which_are_in_a_language_is_asked_of_a_list_alone() -> None:
    """After one document nothing can be picked."""
    assert "in Dutch" not in whole("which of them are in Dutch?", "en", decided("en")).text
