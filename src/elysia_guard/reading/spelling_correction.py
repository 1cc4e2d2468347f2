"""Words of a question that are mistyped, taken for the word that the documents have.

A word that vocabulary, documents or any language know is left as it is, and so are names, numbers
and short words. What is taken for another must look like it by the slips that fingers make, and be
the less likely of the two in running text: 'salary' is no 'salty', though no document has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Lang, Question
from elysia_guard.language.identify import identify
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.spelling import NearSpellings, form_words, is_form_word, most_slips
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.language.text import without_marks
from elysia_guard.language.typing_slips import VERY_SHORT, gain_needed
from elysia_guard.ports import PassageIndex, WordChance, WordChances, no_chances
from elysia_guard.reading.tokens import Token, tokens_of

OFTEN: Final = 10
"""A word of the packs counts as one that so many passages hold."""
NAME: Final = 8.0
"""By how much likelier a common word must be than one that a capital tells to be a name."""
_BESIDE: Final = frozenset("_/\\@#&+-\u2010\u2011")
"""What stands beside a word that is a part of a name or an identifier."""


class Mended(NamedTuple):
    """A text with its mistyped words replaced, its language, and which: (as typed, as meant)."""

    text: str
    lang: Lang
    words: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> str:
        """Say for the trace what was taken for what."""
        return ", ".join(f"'{typed}' is read as '{meant}'" for typed, meant in self.words)


@dataclass(frozen=True, kw_only=True, slots=True)
class SpellingCorrector:
    """Mends texts by the words of an index; ``chances`` tells which words there are at all."""

    chances: WordChances = no_chances

    async def mended(
        self, question: Question, *, known: Callable[[Token], bool], index: PassageIndex
    ) -> Mended:
        """Return a question's text with the words replaced that are mistyped beyond doubt.

        An index or a model that cannot be asked leaves it as it was typed.

        Args:
            question: as it was typed.
            known: whether vocabulary or titles know a word.
            index: whose words are known.
        """
        text, lang = question.text, question.lang
        typed = [token for token in _typed(text, lang) if not known(token)]
        meant: dict[str, str] = {}
        with suppress(SourceUnavailableError, PassageIndexError):
            meant = await self._meant(typed, lang, index) if typed else {}
        slips = [token for token in typed if meant.get(token.said)]
        return _replaced(question, slips, meant) if slips else Mended(text=text, lang=lang)

    async def _meant(
        self, typed: Sequence[Token], lang: Lang, index: PassageIndex
    ) -> dict[str, str]:
        """Say for each word that no passage holds which one it is mistyped for, '' for none."""
        held = await index.spelt_like([token.said for token in typed])
        near = {word: _forms(lang).of(word) | dict(found) for word, found in held.items()}
        asked = list(dict.fromkeys(_asked(near)))
        chances = await self.chances(asked) if asked else {}
        return {word: meant_by(word, found, chances) for word, found in near.items()}


def meant_by(word: str, near: Mapping[str, int], chances: Mapping[str, WordChance]) -> str:
    """Return the word that one is mistyped for; empty where it is none, or may be a word.

    Args:
        word: as typed, in lower case.
        near: words written nearly like it, and how many passages hold each.
        chances: of all of them in running text, and of the stems of the one typed.
    """
    typed = chances.get(word)
    if typed is None or typed.whole or any(chances[form].whole for form in _stems(word)):
        return ""
    plain = without_marks(word)
    found = []
    for other, count in near.items():
        meant = without_marks(other)
        needed = gain_needed(plain, meant, most=most_slips(plain))
        # An index that knows words without marks has them compared so.
        beside = chances[plain if other == meant else word]
        known = len(plain) > VERY_SHORT or any(is_stop_word(meant, lang) for lang in langs())
        if known and chances[other].log - beside.log >= needed:
            found.append((needed, -(chances[other].log + math.log1p(count)), other))
    return min(found, default=(0.0, 0.0, ""))[2]


def _asked(near: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """The words whose chances decide: those typed, their stems, and what is written like them."""
    for word, found in near.items():
        if found:
            yield from (word, without_marks(word), *_stems(word))
            yield from found


def _stems(word: str) -> list[str]:
    """What a word is an inflected form of, if it is one: its stems, as they stand in it."""
    found = (stem(word, lang) for lang in langs())
    return [form for form in found if VERY_SHORT <= len(form) < len(word) and word.startswith(form)]


def _typed(text: str, lang: Lang) -> Iterator[Token]:
    """The words of a text that may be mistyped: neither names nor parts of one."""
    for number, token in enumerate(tokens_of(text)):
        written = text[token.start : token.end]
        may_begin = not number or pack(lang).core.words.nouns_capitalised
        if (
            most_slips(token.word)
            and written.casefold() == token.said
            and written[1:].islower()
            and (written[0].islower() or may_begin)
            and not _is_part(text, token)
            and not is_form_word(token.word)
        ):
            yield token


def _is_part(text: str, token: Token) -> bool:
    """Whether a word is a part of a name or an identifier: 'ci-cd', 'v2.release'."""
    before, after = text[: token.start][-2:], text[token.end :][:2]
    dotted = before[-1:] == "." or (after[:1] == "." and after[1:].isalnum())
    return dotted or not _BESIDE.isdisjoint((before[-1:], after[:1]))


@kept_by_kinds()
def _forms(lang: Lang) -> NearSpellings:
    return NearSpellings(dict.fromkeys(form_words(lang), OFTEN))


def _replaced(question: Question, tokens: Sequence[Token], meant: Mapping[str, str]) -> Mended:
    text = question.text
    parts: list[str] = []
    told: dict[tuple[str, str], None] = {}
    at = 0
    for token in tokens:
        typed, word = text[token.start : token.end], meant[token.said]
        parts += text[at : token.start], word.capitalize() if typed[0].isupper() else word
        told[typed, parts[-1]] = None
        at = token.end
    made = "".join((*parts, text[at:]))
    lang = identify(made, default=question.lang)
    return Mended(text=made, lang=lang, words=tuple(told))
