"""Phrases as people say them become regular expressions."""

from __future__ import annotations

import re

import pytest

from elysia_guard.language.phrases import spoken


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("do not know", "do  not\nknow"),
        ("don't", "don\u2019t"),
        ("(what|which) (of (them|those) )?are", "which of those are"),
        (r"[\w ]+ is", "a b is"),
        (r"\(see page \d\)", "(see\tpage 7)"),
        ("wie ?viele", "wieviele"),
        ("wie ?viele", "wie  viele"),
    ],
)
def test_a_phrase_matches_what_is_said(phrase: str, said: str) -> None:
    assert re.fullmatch(spoken(phrase), said)


@pytest.mark.parametrize(
    ("phrase", "other"),
    [
        ("do not", "donot"),
        (r"[ ]x", "\tx"),
        (r"it\ is", "it\tis"),
    ],
)
def test_what_is_escaped_or_in_a_class_stays(phrase: str, other: str) -> None:
    assert not re.fullmatch(spoken(phrase), other)


def test_only_named_groups_capture() -> None:
    form = re.compile(spoken("(the|a) (?P<term>word|phrase)(?! (of|for))"))
    assert form.groups == 1
    assert form.fullmatch("the phrase")


def test_a_regular_expression_stays_as_it_is() -> None:
    written = r"(?:an?\s+)?['’\u2019](?P<x>[^()'\]\s]+)(?=\s*$)\(\'\ \]"
    assert spoken(written) == written
    assert spoken(spoken("(don't|do not) ask")) == spoken("(don't|do not) ask")
