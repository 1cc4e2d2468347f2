"""What the words of a language make of a text, each a row of ``tests/data/words.jsonl``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from elysia_guard.language.answer_types import AnswerType, asked_for, asks_name, holds
from elysia_guard.language.asked_things import is_of_today, tells_name, thing_asked
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.glossary import parts, translations
from elysia_guard.language.identify import identify
from elysia_guard.language.owners import named_owners
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.phrases import spoken
from elysia_guard.language.sentences import units
from elysia_guard.language.sides import side_asked, side_told
from elysia_guard.language.spelling import NearSpellings, mistyped, most_slips
from elysia_guard.language.text import clean, unquote, words
from elysia_guard.language.typing_slips import AT_EDGE, gain_needed, slips
from elysia_guard.reading import choice_parsing

ROWS = table("words")
OWNERS = (
    "AI Governance Board",
    "Chief Information Security Office",
    "Data Council",
    "Data Office",
    "Procurement and Security Council",
    "Security Architecture Group",
)
KNOWN_WORDS = set(
    "netwerk storing zertifikat g\u00fcltigkeit toegang beleid door sturen erkstoring".split()
)
MEANINGS = [frozenset({"cim", "grid"}), frozenset({"cim", "it"})]


def thing(text: str, matter: str, lang: str) -> str:
    terms = query_terms(matter or text, lang)
    at = thing_asked(text, matter, terms)
    return "" if at is None else terms.words[at]


CALLS: dict[str, Callable[..., Any]] = {
    "asks for": lambda text: sorted(map(str, asked_for(text))),
    "holds": lambda text, thing: holds(text, AnswerType(thing)),
    "asks for the thing": thing,
    "is of today": is_of_today,
    "asks for the side": side_asked,
    "tells the side": side_told,
    "asks for a name": asks_name,
    "tells a name beside Utilco": lambda text, lang: tells_name(text, lang, {"utilco"}),
    "without what cannot be seen": clean,
    "bare": unquote,
    "is one sentence": lambda text: units(text) == (text,),
    "language": identify,
    "place in a list": choice_parsing.position,
    "the meaning told apart": lambda text: choice_parsing.told_apart(text, MEANINGS),
    "slips": lambda typed, meant: list(map(str, slips(typed, meant, most=2) or ())),
    "the mistyped word": mistyped,
    "owners": lambda written: list(named_owners(written, OWNERS)),
    "owners in full": lambda written: list(named_owners(written, OWNERS, in_full=True)),
    "is named": lambda word, lang, other, name: (name, other) in translations(word, lang),
    "the phrase is said": lambda form, said: bool(re.fullmatch(spoken(form), said)),
    "parts of the compound": lambda word, lang: parts(word, lang, known=KNOWN_WORDS.__contains__),
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['what']}: {row['of'][0]}" for row in ROWS])
def test_words_are_what_their_row_says(row: dict[str, Any]) -> None:
    found = CALLS[row["what"]](*row["of"])
    assert (list(found) if isinstance(found, tuple) else found) == row["is"]


def test_a_name_that_fits_two_names_both() -> None:
    """An acronym may; the same name, told twice, is one."""
    both = ("Security Architecture Group", "Stichting Aardgas Gelderland")
    assert named_owners("SAG", both) == named_owners("SAG", [*both, *both]) == both


def test_a_regular_expression_stays_as_it_is() -> None:
    """Only named groups of it capture, and what is spoken is spoken already."""
    written = r"(?:an?\s+)?['’\u2019](?P<x>[^()'\]\s]+)(?=\s*$)\(\'\ \]"
    assert spoken(written) == written
    assert spoken(spoken("(don't|do not) ask")) == spoken("(don't|do not) ask")
    assert re.compile(spoken("(the|a) (?P<term>word|phrase)(?! (of|for))")).groups == 1


@pytest.mark.parametrize(
    ("word", "lang"),
    [("zebra", "en"), ("datamanagement", "en"), ("netzebra", "nl"), ("leitwarte", "de")],
)
def test_what_is_not_known_has_no_other_name(word: str, lang: str) -> None:
    """A part alone makes no compound, and neither does the stem of a word."""
    assert translations(word, lang) == ()


@pytest.mark.parametrize("lang", langs())
def test_every_row_of_a_glossary_is_of_single_words(lang: str) -> None:
    """Lower case, and of English words that another pack names too: a slip is found nowhere."""
    rows = pack(lang).glossary
    assert all(words(row) == row.casefold().split() for row in rows.values())
    assert all(row == row.lower() for row in rows.values())
    others = {english for other in langs() if other != lang for english in pack(other).glossary}
    assert set(rows) <= others


@pytest.mark.parametrize(
    ("one", "other"), [("shacl", "shall"), ("confluence", "confidence"), ("salary", "salty")]
)
def test_any_other_letter_makes_another_word(one: str, other: str) -> None:
    """A letter in the place of one that lies elsewhere is no slip."""
    assert gain_needed(one, other, most=most_slips(one)) == math.inf


def test_how_sure_it_must_be_that_a_word_is_none() -> None:
    """The more, the shorter it is; where only an edge differs, it is a form or another word."""
    for one, other in [("planner", "planned"), ("entry", "sentry"), ("faulty", "fault")]:
        assert gain_needed(one, other, most=1) >= AT_EDGE
    short, long = ("cntrl", "cntrel"), ("controlingroom", "controllingroom")
    assert gain_needed(*short, most=1) > gain_needed(*long, most=1)


WORDS = st.text(alphabet="abcdefghij", min_size=1, max_size=12)


@given(WORDS, WORDS)
def test_slips_are_the_same_both_ways_in_number(one: str, other: str) -> None:
    there, back = slips(one, other, most=2), slips(other, one, most=2)
    assert (there is None) == (back is None)
    assert there is None or back is None or len(there) == len(back)


def test_near_words_are_found_wherever_the_slip_is() -> None:
    """The beginning, the end or the letters of a word lead to it; the nearest comes first."""
    near = NearSpellings({"owner": 3, "description": 2, "owners": 9, "tls": 4, "2024": 5})
    for typed in ("onwer", "owmer", "owner", "wner"):
        assert next(iter(near.of(typed))) == "owner"
    assert near.of("decription") == near.of("descripttoin") == {"description": 2}
    assert near.of("tsl") == near.of("2025") == near.of("description2") == {}
