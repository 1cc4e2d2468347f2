"""Kinds whose names have several words or a hyphen: asked of as a kind with a name of one word."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tests.unit.house_of_kinds import KINDS, settle

from elysia_guard import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse

FORM = 'form = "RFC-{number:04d}"\n'
NAMES = [
    ("request for comments", "requests for comments"),
    ("change-request", "change-requests"),
    ("plan d'action", "plans d'action"),
]
PLAIN = ("proposal", "proposals")
TALKS = [
    ("What does {one} 12 decide?", "and 13?", "Who owns it?", "and what does that {one} say?"),
    ("Which {many} are there?", "the second one", "the last {one}"),
    ("List all {many}", "the first {one}", "And the other {one}?", "only the accepted ones"),
    ("How many {many} are accepted?", "the first", "What is the newest {one}?"),
    ("Who approved the {one}?", "and when?"),
    ("the second {one}",),
    ("Compare {one} 12 and ADR 12", "which of the two is newer?"),
    ("Compare {many} 12 and 13", "who owns both?"),
    ("Which {many} are about lamps?", "And about roads?"),
    ("Are there {many} about lamps?", "What does the 12th {one} decide?"),
    ("Which decisions are about roofs?", "and the {many}?", "What about the {many}?"),
    ("What does {one} twelve decide?", "What does the {one} about lamps decide?"),
    ("How long before a road closure is it announced?", "and by whom?"),
    ("Welke {many} zijn er?", "de tweede", "wat zegt die {one} over lampen?"),
    ("Welche {many} gibt es?", "die zweite"),
    ("the road closures {one}", "What do {many} 12 and 114 say?"),
]
"""Open questions, lists and follow-ups."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Guard]:
    """Return a house that calls its RFCs so."""

    @cache
    def made(one: str, many: str) -> Guard:
        named = f'{FORM}one = ["{one}"]\nmany = ["{many}"]\n'
        folder: Path = tmp_path_factory.mktemp("house")
        return Guard(config=settle(folder, KINDS.replace(FORM, named)))

    return made


def told(reply: RAGResponse, one: str, many: str) -> str:
    return reply.answer.replace(many, "{many}").replace(one, "{one}")


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk[0])
@pytest.mark.parametrize(("one", "many"), NAMES)
def test_a_name_of_several_words_is_asked_of_as_one_of_one_word(
    house: Callable[[str, str], Guard], one: str, many: str, talk: tuple[str, ...]
) -> None:
    """Open questions, lists and follow-ups are answered the same, whatever the kind is called."""
    ours, plain = house(one, many), house(*PLAIN)
    with_ours, with_plain = Conversation(), Conversation()
    for question in talk:
        reply = ours.ask(question.format(one=one, many=many), conversation=with_ours)
        other = plain.ask(question.format(one=PLAIN[0], many=PLAIN[1]), conversation=with_plain)
        assert told(reply, one, many) == told(other, *PLAIN)
