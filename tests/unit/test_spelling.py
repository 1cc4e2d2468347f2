"""Slips: what is another word mistyped beyond doubt, and what may be a word of its own."""

from __future__ import annotations

import pytest

from elysia_guard.language.spelling import mistyped


@pytest.mark.parametrize(
    ("written", "label", "slip"),
    [
        ("wobbe indx", "Wobbe index", "indx"),
        ("curtialment", "curtailment", "curtialment"),
        ("middenspaningsruimte", "middenspanningsruimte", "middenspaningsruimte"),
        ("transmision system operator", "transmission system operator", "transmision"),
        ("Zustandsschaetzung", "Zustandsschätzung", "zustandsschaetzung"),
    ],
)
def test_one_word_with_a_slip_is_recognised(written: str, label: str, slip: str) -> None:
    """One letter more, less or other, or two that changed places; in long words twice."""
    assert mistyped(written, label) == slip


@pytest.mark.parametrize(
    ("written", "label"),
    [
        pytest.param("busbar", "busbar", id="nothing to mend"),
        pytest.param("active power", "reactive power", id="another beginning"),
        pytest.param("employer", "employee", id="another ending"),
        pytest.param("microgrid", "macrogrid", id="another beginning"),
        pytest.param("interconnection", "intraconnection", id="opposites"),
        pytest.param("intraconnection", "interconnection", id="opposites"),
        pytest.param("N-2 criterion", "N-1 criterion", id="a digit"),
        pytest.param("class b12d", "class b13d", id="digits"),
        pytest.param("string", "streng", id="short, and alone"),
        pytest.param("data mes", "data mesh", id="short"),
        pytest.param("dta ownr", "data owner", id="two words"),
        pytest.param("power", "power plant", id="more words"),
        pytest.param("generation", "generator", id="more than a slip"),
    ],
)
def test_what_may_be_another_word_is_no_slip(written: str, label: str) -> None:
    """A wrong definition is worse than none."""
    assert mistyped(written, label) == ""
