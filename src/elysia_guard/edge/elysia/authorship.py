"""Telling whose words a text is made of: a source's, or such as a model wrote or a person asked.

Compared are runs of words, so that marks, case, line breaks, JSON and what stands around hide
nothing. A text in other words, or in another language, is another text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum, auto
from threading import Lock
from typing import NamedTuple

from elysia_guard.language.sentences import units
from elysia_guard.language.text import clean, without_marks, words

SHINGLE = 3
MAX_SHINGLES = 200_000
"""How many runs of words are remembered; the oldest are forgotten first."""

MAX_ASKED_CHARS = 10_000
"""More of a question is not compared; it is refused for its length in any case."""

LONG_RUN = 8
"""So many words in a row are nobody's by chance."""
SHORT_RUN = 4
MUCH, MOST = 0.25, 0.5
"""The share of a text in runs of at least four words, or in any, from which it is the model's."""
REPEATED = 0.8
"""The share of a sentence that one run of the question's words makes up when it repeats it."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtbf])")
_Gram = tuple[str, ...]


class Author(Enum):
    """Who wrote what a text was rejected for."""

    MODEL = auto()
    ASKER = auto()


class Sifted(NamedTuple):
    """What is left of a text without others' sentences; ``author`` says whose it is, if nothing."""

    text: str
    author: Author | None = None


class Authorship:
    """Remembers what a model wrote, and what a person asked, in one conversation.

    What a model repeats from its prompt is not its own: sources are read to it too.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._written: dict[_Gram, bool] = {}
        self._asked: dict[_Gram, None] = {}
        self._lock = Lock()

    def wrote(self, text: str, *, having_read: str = "") -> None:
        """Take note of what a model wrote, having read its prompt."""
        tokens = _tokens(text)
        read = set(_grams(_tokens(having_read)))
        with self._lock:
            for gram in _grams(tokens):
                self._written[gram] = self._written.get(gram, False) or gram not in read
            _forget_oldest(self._written)

    def asked(self, text: str) -> None:
        """Take note of what a person asked."""
        self._asked.update(dict.fromkeys(_grams(_tokens(text[:MAX_ASKED_CHARS]))))
        _forget_oldest(self._asked)

    def sift(self, text: str, *, from_store: bool = False) -> Sifted:
        """Return a text without sentences that a model wrote, or nothing where they make it up.

        Args:
            text: what is offered as a source.
            from_store: it was fetched by its identity. What a person repeats of it when asking
                stays in it.
        """
        cut = units(text)
        if self._is_made_up(text, cut):
            return Sifted(text="", author=Author.MODEL)
        own = [unit for unit in cut if self._made_up_share(unit) < MOST]
        kept = [unit for unit in own if from_store or not self._repeats_question(unit)]
        if not kept:
            return Sifted(text="", author=Author.ASKER if own else Author.MODEL)
        return Sifted(text=text if len(kept) == len(cut) else "\n\n".join(kept))

    def _is_made_up(self, text: str, cut: Sequence[str]) -> bool:
        """Tell whether a text as a whole is a model's, however it is cut and what stands around."""
        tokens = _tokens(text)
        runs = list(self._runs(tokens))
        in_short_runs = sum(length for length in runs if length >= SHORT_RUN)
        in_units = sum(len(_tokens(unit)) for unit in cut if self._made_up_share(unit) >= MOST)
        return bool(tokens) and (
            max(runs, default=0) >= LONG_RUN
            or in_short_runs >= MUCH * len(tokens)
            or in_units >= MOST * len(tokens)
        )

    def _made_up_share(self, unit: str) -> float:
        tokens = _tokens(unit)
        return sum(self._runs(tokens)) / max(1, len(tokens))

    def names(self, title: str) -> bool:
        """Tell whether a title is made of words that a model wrote or a person asked."""
        tokens = _tokens(title)
        known = (*self._runs(tokens), *_spans(tokens, self._asked))
        return bool(tokens) and max(known, default=0) >= min(MOST * len(tokens), SHINGLE)

    def _runs(self, tokens: Sequence[str]) -> Iterator[int]:
        """The lengths of the runs that a model wrote, with something in each that it made up."""
        yield from _spans(tokens, self._written, needed=self._made_up)

    def _made_up(self, gram: _Gram) -> bool:
        return self._written.get(gram, False)

    def _repeats_question(self, unit: str) -> bool:
        tokens = _tokens(unit)
        return max(_spans(tokens, self._asked), default=-1) >= REPEATED * len(tokens)


def standing_in(title: str, text: str) -> bool:
    """Tell whether a title stands in a text, word for word."""
    return f" {' '.join(_tokens(title))} " in f" {' '.join(_tokens(text))} "


def _spans(
    tokens: Sequence[str],
    known: Collection[_Gram],
    *,
    needed: Callable[[_Gram], bool] | None = None,
) -> Iterator[int]:
    """The lengths, in words, of the longest runs whose every shingle is known."""
    size = min(SHINGLE, len(tokens))
    length, wanted = 0, needed is None
    for gram in _windows(tokens, size):
        if gram in known:
            length = length + 1 if length else size
            wanted = wanted or (needed is not None and needed(gram))
            continue
        if length and wanted:
            yield length
        length, wanted = 0, needed is None
    if length and wanted:
        yield length


def _grams(tokens: Sequence[str]) -> Iterator[_Gram]:
    for size in range(1, SHINGLE + 1):
        yield from _windows(tokens, size)


def _forget_oldest(grams: dict[_Gram, bool] | dict[_Gram, None]) -> None:
    for old in list(grams)[: max(0, len(grams) - MAX_SHINGLES)]:
        del grams[old]


def _windows(tokens: Sequence[str], size: int) -> Iterable[_Gram]:
    return zip(*(tokens[start:] for start in range(size)), strict=False)


def _tokens(text: str) -> list[str]:
    """The words, whatever they are dressed in; escapes of JSON are read."""
    plain = _ESCAPE.sub(_unescaped, text) if "\\" in text else text
    return words(without_marks(unicodedata.normalize("NFKC", clean(plain))))


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else " "
