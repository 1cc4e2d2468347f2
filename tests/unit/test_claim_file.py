"""The file of a language pack by which sentences are held against their sources."""

from typing import Any

import pytest

from elysia_guard.language.claim_file import claim_file, hold
from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.pack import langs
from elysia_guard.language.pack_reader import PackError


@pytest.mark.parametrize("lang", langs())
def test_every_pack_that_ships_has_the_sections_and_classes_of_the_english_one(lang: str) -> None:
    english, own = claim_file("en"), claim_file(lang)
    assert set(own) == set(english)
    for section in ("polarity", "modality", "comparison", "limits", "joints", "voice"):
        assert set(own[section]) == set(english[section])


def test_a_language_without_a_pack_has_none() -> None:
    assert claim_file("xx") == {}
    assert claim_words("xx").denies.search("not") is None


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ({"more": {}}, "'more' is not a key"),
        ({"units": "day"}, "must be a section"),
        ({"units": {"day": ["day"]}}, "units: day: .* words in one string"),
        ({"limits": {"only": "only"}}, "limits: only: .* list of phrases"),
        ({"limits": {"only": ["on(ly"]}}, "no phrase"),
        ({"modality": {"denied_must": "maybe"}}, "forbidden or free"),
        ({"numbers": {"often": {"once": "1"}}}, "a number and its words"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(found: dict[str, Any], told: str) -> None:
    with pytest.raises(PackError, match=told):
        hold(found, "language pack xx/claims.toml")
