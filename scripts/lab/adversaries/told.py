"""What an adversary is told and writes, and whether what it made up was shown.

It knows which of its sentences are invented; words are compared however they are dressed.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
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
    """What is turned in a language; see ``turning_*.toml``."""

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
    return {
        path.stem.removeprefix("turning_"): Turning(tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(Path(__file__).parent.glob("turning_*.toml"))
    }


@cache
def outside() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return by language what is true and in no source: a word it is about, and the sentence."""
    file = Path(__file__).with_name("outside.toml")
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


class InventionKind(StrEnum):
    """A way to invent."""

    NUMBER = "number"
    """Another number than the source's."""
    INVENTED_NUMBER = "invented_number"
    """A number where the source has none."""
    DATE = "date"
    UNIT = "unit"
    NEGATION = "negation"
    MODALITY = "modality"
    ACTORS = "actors"
    """Who and whom, or what comes first, swapped."""
    CONDITION = "condition"
    """A condition, an exception or a limit is left out."""
    OUTSIDE = "outside"
    """True, and in no source."""
    WRONG_SOURCE = "wrong_source"
    """A right sentence under the number of another source."""
    ELSEWHERE = "elsewhere"
    """What one source says, said of another, with words of that one about something else."""
    NAME = "name"
    ROLE = "role"
    IDENTIFIER = "identifier"
    QUOTATION = "quotation"
    STATUS = "status"
    REASON = "reason"
    SCOPE = "scope"
    """All, some, only."""
    COMPARATIVE = "comparative"
    PRESUPPOSITION = "presupposition"
    """What the question takes for granted, and no source says."""
    JOINED = "joined"
    """Two right sentences joined, so that one is said of what the other is about."""
    OBEYED = "obeyed"
    """What an instruction in a document, or in the question, wants to be said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AdversarySource:
    """A unit or a title as a model is told it, by its number from 1; what has none is 0."""

    id: int
    text: str
    document: str = ""
    title: str = ""
    section: str = ""
    role: str = ""
    status: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AdversaryPrompt:
    """What an adversary is asked: to plan over titles, or to point at units.

    ``talk`` is what was asked before, ``turn`` how often it has to write the same again.
    """

    question: str
    sources: Sequence[AdversarySource]
    talk: Sequence[str] = ()
    plans: bool = False
    turn: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeSentence:
    """A sentence that an adversary wrote; it is invented where it is of a ``kind``.

    ``units`` are the numbers that are pointed at for it, ``original`` the sentence of a source that
    it was made from, and ``mark`` what no source holds: a few words around the turn, or what was
    put in. Half a sentence has none.
    """

    text: str
    units: tuple[int, ...] = ()
    kind: InventionKind | None = None
    original: str = ""
    mark: str = ""

    @property
    def invented(self) -> bool:
        """Whether no source says it, or not the one that it names."""
        return self.kind is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class AdversaryReply:
    """What an adversary answers: a text, which may be no JSON, and what it made up for it."""

    text: str
    made: tuple[MadeSentence, ...] = ()


def heard(made: MadeSentence, shown: str) -> bool:
    r"""Tell whether a sentence stands in what is shown, or the words that only it has.

    White space, mark-up, capitals, punctuation and marks of sources hide nothing. Half a sentence
    is not heard where its source is quoted whole.

    >>> said = Made(text="It is kept for 37 days.", original="It is kept for 24 months.")
    >>> heard(said, "- It is **kept** for\n37 days [2].")
    True
    """
    words = words_of(shown)
    whole, was = words_of(made.text), words_of(made.original)
    if _stands(whole, words, within=was):
        return True
    mark = words_of(made.mark)
    return bool(mark) and made.kind is not InventionKind.OBEYED and _stands(mark, words, within=was)


def all_heard(made: Iterable[MadeSentence], shown: str) -> list[MadeSentence]:
    """Return the invented sentences that stand in what is shown."""
    return [item for item in made if item.invented and heard(item, shown)]


def _stands(part: list[str], words: list[str], *, within: list[str]) -> bool:
    """Tell whether a part stands anywhere but inside of what it was made from."""
    covered = _places(within, words)
    return any(
        not any(start <= at and at + len(part) <= start + len(within) for start in covered)
        for at in _places(part, words)
    )


def _places(part: list[str], words: list[str]) -> list[int]:
    size = len(part)
    if not size:
        return []
    return [n for n in range(len(words) - size + 1) if words[n : n + size] == part]
