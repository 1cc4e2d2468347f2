"""By which slips one word is typed for another, and how sure that is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.language.near_spellings import NearSpellings, most_slips
from elysia_guard.language.typing_slips import AT_EDGE, Slip, gain_needed, slips

WORDS = st.text(alphabet="abcdefghij", min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("typed", "meant", "made"),
    [
        ("onwer", "owner", (Slip.SWAPPED,)),
        ("plattform", "platform", (Slip.DOUBLED,)),
        ("suported", "supported", (Slip.DOUBLED,)),
        ("gegvens", "gegevens", (Slip.LEFT_OUT,)),
        ("decissions", "decisions", (Slip.DOUBLED,)),
        ("owmer", "owner", (Slip.NEIGHBOUR,)),
        ("deligate", "delegate", (Slip.VOWEL,)),
        ("imlpementaion", "implementation", (Slip.SWAPPED, Slip.LEFT_OUT)),
        ("same", "same", ()),
    ],
)
def test_slips_are_told(typed: str, meant: str, made: tuple[Slip, ...]) -> None:
    """What went wrong is said in the terms of fingers and ears."""
    assert slips(typed, meant, most=2) == made


@pytest.mark.parametrize(
    ("one", "other"), [("shacl", "shall"), ("confluence", "confidence"), ("salary", "salty")]
)
def test_any_other_letter_makes_another_word(one: str, other: str) -> None:
    """A letter in the place of one that lies elsewhere is no slip."""
    assert slips(one, other, most=1) is None
    assert gain_needed(one, other, most=most_slips(one)) == math.inf


def test_beginnings_and_endings_are_parts_of_words() -> None:
    """Where only a beginning or an ending differs, it is a form of the word or another one."""
    for one, other in [("planner", "planned"), ("entry", "sentry"), ("faulty", "fault")]:
        assert gain_needed(one, other, most=1) >= AT_EDGE


def test_a_short_word_is_easily_another_one() -> None:
    """The shorter a word, the more sure it must be that it is none."""
    short, long = ("cntrl", "cntrel"), ("controlingroom", "controllingroom")
    assert gain_needed(*short, most=1) > gain_needed(*long, most=1)


@given(WORDS, WORDS)
def test_slips_are_the_same_both_ways_in_number(one: str, other: str) -> None:
    """A slip can be undone: as many lead back."""
    there, back = slips(one, other, most=2), slips(other, one, most=2)
    assert (there is None) == (back is None)
    assert there is None or back is None or len(there) == len(back)


def test_near_words_are_found_wherever_the_slip_is() -> None:
    """The beginning, the end or the letters of a word lead to it; the nearest comes first."""
    near = NearSpellings({"owner": 3, "description": 2, "owners": 9, "tls": 4, "2024": 5})
    for typed in ("onwer", "owmer", "owner", "wner"):
        assert next(iter(near.of(typed))) == "owner"
    assert near.of("decription") == {"description": 2}
    assert near.of("descripttoin") == {"description": 2}
    assert near.of("tsl") == near.of("2025") == near.of("description2") == {}
