"""What a word is called in the other languages."""

from __future__ import annotations

import pytest

from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.text import words


def names(word: str, lang: Lang, other: Lang) -> set[str]:
    return {name for name, language in translations(word, lang) if language == other}


@pytest.mark.parametrize(
    ("word", "lang", "other", "name"),
    [
        ("decision", "en", "nl", "besluit"),
        ("decisions", "en", "de", "entscheidung"),
        ("wachtwoorden", "nl", "en", "password"),
        ("velden", "nl", "en", "field"),
        ("leveranciers", "nl", "de", "lieferant"),
        ("schnittstellen", "de", "en", "interface"),
        ("massnahmen", "de", "en", "measure"),
    ],
)
def test_a_word_has_its_name_in_another_language(
    word: str, lang: Lang, other: Lang, name: str
) -> None:
    """Also where it is inflected."""
    assert name in names(word, lang, other)


@pytest.mark.parametrize(
    ("word", "lang", "part", "name"),
    [
        ("gegevensbeheer", "nl", "beheer", "management"),
        ("netcongestie", "nl", "congestie", "congestion"),
        ("leveranciersrisico", "nl", "leverancier", "supplier"),
        ("zugriffsrechte", "de", "zugriff", "access"),
        ("datenqualitätsprüfung", "de", "qualität", "quality"),
    ],
)
def test_a_compound_is_its_parts(word: str, lang: Lang, part: str, name: str) -> None:
    """Each part is named in the other languages, and stands for itself in its own."""
    assert part in names(word, lang, lang)
    assert name in names(word, lang, "en")


@pytest.mark.parametrize(
    ("word", "lang"),
    [
        ("zebra", "en"),
        ("datamanagement", "en"),
        ("netzebra", "nl"),
        ("tls", "de"),
        ("leitwarte", "de"),
    ],
)
def test_what_is_not_known_has_no_other_name(word: str, lang: Lang) -> None:
    """A part alone makes no compound, and neither does the stem of a word."""
    assert translations(word, lang) == ()


@pytest.mark.parametrize("lang", langs())
def test_every_row_is_of_single_words(lang: Lang) -> None:
    """Lower case, and of English words that another pack names too: a slip is found nowhere."""
    rows = pack(lang).glossary
    assert all(words(row) == row.casefold().split() for row in rows.values())
    assert all(row == row.lower() for row in rows.values())
    others = {english for other in langs() if other != lang for english in pack(other).glossary}
    assert set(rows) <= others
