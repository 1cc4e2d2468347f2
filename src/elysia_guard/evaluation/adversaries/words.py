"""The words of a text as an adversary counts them, and its own data of each language."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_FIRST = "en"
_CITED = re.compile(r"\[(?:source:\s*)?\d+(?:\s*,\s*\d+)*\]")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
_WORD = re.compile(r"\w+(?:['’.,]\w+)*")


def words_of(text: str) -> list[str]:
    """Return the words of a text, without marks of sources, mark-up and what cannot be seen.

    >>> words_of("It **must** not [1], for 2.5\u00a0days.")
    ['it', 'must', 'not', 'for', '2.5', 'days']
    """
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", _CITED.sub(" ", text)))
    return _WORD.findall(plain.replace("_", " ").casefold())


def holds(text: str, part: str) -> bool:
    """Tell whether the words of a part stand in a text, one after the other.

    >>> holds("It must not be kept.", "not be"), holds("It must not be kept.", "must be")
    (True, False)
    """
    return f" {' '.join(words_of(part))} " in f" {' '.join(words_of(text))} "


@dataclass(frozen=True)
class Turning:
    """What is turned in a language; see ``language/packs/*/turning.toml``."""

    data: Mapping[str, Any]

    def table(self, name: str) -> Mapping[str, str]:
        """Return a table of words and their contraries."""
        found: Mapping[str, str] = self.data[name]
        return found

    def words(self, name: str) -> frozenset[str]:
        """Return a class of words."""
        return frozenset(self.data[name].split())


@cache
def turnings() -> Mapping[str, Turning]:
    """Return the data of each language that has some."""
    folder = files("elysia_guard") / "language" / "packs"
    found = {}
    for pack in sorted(folder.iterdir(), key=lambda item: item.name):
        file = pack / "turning.toml"
        if file.is_file():
            found[pack.name] = Turning(tomllib.loads(file.read_text(encoding="utf-8")))
    return found


@cache
def outside() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return by language what is true and in no source: a word it is about, and the sentence."""
    file = files("elysia_guard.evaluation.adversaries") / "outside.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return {lang: tuple((row["about"], row["text"]) for row in rows) for lang, rows in data.items()}


@cache
def lang_of(text: str) -> str:
    """Guess a language by its commonest words; English where nothing tells.

    >>> lang_of("Wie het gegeven nodig heeft, haalt het op bij de bron.")
    'nl'
    """
    said = words_of(text)
    counts = {
        lang: sum(word in turning.words("common") for word in said)
        for lang, turning in turnings().items()
    }
    best = max(counts, key=lambda lang: (counts[lang], lang == _FIRST))
    return best if counts[best] else _FIRST
