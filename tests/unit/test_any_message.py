"""Whatever is typed in a conversation is replied to: mixed scripts, digits of all kinds, places."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import FOLDER
from tests.unit.house_of_kinds import KINDS, settle

from elysia_guard import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.response import ReplyOutcome

DIGITS = "".join(
    sign
    for sign in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(sign) in {"Nd", "Nl", "No"}
)
"""Figures of every script, superscripts, fractions, Roman numerals and what stands in circles."""
SAID = """\
what is which decisions policies requests for comments change-request about the say decide and who
approved it that them his der die das den la le les l' het de dat deze wat welke besluiten über
données sont-elles third second last one derde laatste letzte dritte troisième dernière eleventh
twenty-first number nummer option both other compare with since between from until in of 2019 2024
1999 ADR-0012 RFC 12 13 adr0020 lot² storey ③ noise slate ² ③ m² ½ Ⅻ ٣ ५ 10 € % § § 3 ISO 27001 how
many list all accepted newest if not why when thanks hello no I meant English alsjeblieft bitte 你好
привет γειά שלום สวัสดี ١٢ é ß ǆ İ ﬁ x² CO₂ ? ! . , : ; - – ( ) " ' « » / # + ... <b> {x} %s \\
""".split()
ANY = st.text(max_size=30) | st.text(alphabet=DIGITS + " .,:-/%€", max_size=12)
MESSAGES = st.lists(st.sampled_from(SAID) | st.sampled_from(SAID) | ANY, max_size=10).map(" ".join)
FAULTS = {"empty", "too_long", "no_words"}
"""What a text may lack so that it cannot be asked (docs/refusals.md)."""


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Guard:
    """Return a house whose documents, names and terms are full of odd figures."""
    folder: Path = tmp_path_factory.mktemp("odd")
    named = 'form = "RFC-{number:04d}"\n'
    own = f'{named}one = ["request for comments"]\nmany = ["requests for comments"]\n'
    settings_ = settle(folder, KINDS.replace(named, own))
    shutil.copytree(FOLDER / "odd_house", folder, dirs_exist_ok=True)
    said = settings_.read_text(encoding="utf-8").replace("files: []", "files: [words.ttl]")
    settings_.write_text(said, encoding="utf-8")
    return Guard(config=settings_)


def outcome(guard: Guard, message: str, talk: Conversation) -> str:
    """Ask, and tell how it ended: with a reply, or why it could not be asked at all."""
    try:
        return guard.ask(message, conversation=talk).outcome
    except QuestionError as err:
        return err.code


@given(messages=st.lists(MESSAGES, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_message_gets_a_reply(guard: Guard, messages: list[str]) -> None:
    """A response, or the error of a text that cannot be asked at all: empty, too long, no words."""
    talk = Conversation()
    assert {outcome(guard, each, talk) for each in messages} <= FAULTS.union(ReplyOutcome)


@pytest.mark.parametrize("sign", ["²", "③", "½", "Ⅻ", "٣", "५", "10 m²", "²⁰²⁴"])
def test_a_figure_of_any_kind_is_a_word_like_others(guard: Guard, sign: str) -> None:
    """Alone, in a question, beside a kind, as a place, and after a list."""
    talk = Conversation()
    forms = ("{}", "What is {}?", "decision {}", "the {}nd", "decisions since {}", "who owns {}?")
    for form in ("Which decisions are there?", *forms):
        assert outcome(guard, form.format(sign), talk) in ReplyOutcome


def test_a_source_full_of_odd_figures_is_quoted(guard: Guard) -> None:
    """What stands there is shown as it stands."""
    assert "10 m² per storey²" in guard.ask("What does ADR-0020 decide?").answer
    assert "10 m² or more" in guard.ask("What is lot²?").answer
