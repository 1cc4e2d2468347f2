"""A term in a text: where it stands, in whichever form of its words, and what stands around it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from typing import Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs, words_of
from elysia_guard.language.stems import is_content_word, stem
from elysia_guard.language.text import words, words_in_place

PLACEHOLDER: Final = "XYZ"
MOST_OTHERS = 3
_BEFORE = re.compile(r"(?P<word>[^\W_]+)[ \u2010-]$")
_AFTER = re.compile(r"^[ \u2010-](?P<word>[^\W_]+)")
_QUOTED = re.compile(r"['\"\u2018\u201c\u201e\u00ab]$")
_UNQUOTED = re.compile(r"^['\"\u2019\u201d\u201c\u00bb]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Traits:
    """What tells a term from a part of a longer one, or from one that is said beside.

    ``place`` is where in the text it stands, 0 to 1; ``others`` how many more terms there are.
    """

    word_before: bool
    word_after: bool
    hyphened: bool
    quoted: bool
    first: bool
    definite: bool
    indefinite: bool
    place: float
    others: int

    @property
    def values(self) -> tuple[float, ...]:
        """The traits as numbers, in the order of the fields."""
        return tuple(map(float, astuple(self)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A text with a placeholder in the place of a term, and what stands around it."""

    masked: str
    traits: Traits


def mention(text: str, term: str, *, lang: Lang, others: int = 0) -> Mention | None:
    """Find a term in a text; None where it does not stand there.

    Args:
        text: what was said.
        term: a label of the vocabulary.
        lang: the language of the text.
        others: how many other terms of the vocabulary stand in it.

    >>> mention("No clue what those busbars are", "busbar", lang="en").masked
    'No clue what those XYZ are'
    """
    text = unicodedata.normalize("NFC", text)
    wanted = [_forms(word) for word in words(term)]
    found = [(match.span(), _forms(match.group())) for match in words_in_place(text)]
    for start in _runs(wanted, [forms for _, forms in found]):
        (first, _), (_, last) = found[start][0], found[start + len(wanted) - 1][0]
        before, after = text[:first], text[last:]
        return Mention(
            masked=f"{before}{PLACEHOLDER}{after}",
            traits=_traits(before, after, lang, place=first / len(text), others=others),
        )
    return None


def _traits(before: str, after: str, lang: Lang, *, place: float, others: int) -> Traits:
    word, following = _word(_BEFORE.search(before)), _word(_AFTER.search(after))
    return Traits(
        word_before=_is_name(word, lang),
        word_after=_is_name(following, lang),
        hyphened=before.endswith("-") or after.startswith("-"),
        quoted=bool(_QUOTED.search(before) and _UNQUOTED.search(after)),
        first=not before.strip(),
        definite=word in _definite(),
        indefinite=word in _indefinite(),
        place=place,
        others=min(others, MOST_OTHERS),
    )


@cache
def _definite() -> frozenset[str]:
    return frozenset(words_of(lambda core: core.words.definite))


@cache
def _indefinite() -> frozenset[str]:
    return frozenset(words_of(lambda core: core.words.indefinite))


@cache
def _naming() -> frozenset[str]:
    return frozenset(words_of(lambda core: core.words.naming))


def _word(match: re.Match[str] | None) -> str:
    return match["word"].casefold() if match else ""


def _is_name(word: str, lang: Lang) -> bool:
    """Tell whether a word may belong to the name of a longer term."""
    return bool(word) and word not in _naming() and is_content_word(word, lang)


def _runs(wanted: list[frozenset[str]], found: list[frozenset[str]]) -> Iterator[int]:
    for start in range(len(found) - len(wanted) + 1 if wanted else 0):
        if all(one & other for one, other in zip(wanted, found[start:], strict=False)):
            yield start


def _forms(word: str) -> frozenset[str]:
    (plain,) = words(word) or [""]
    return frozenset({plain, *(stem(plain, lang) for lang in langs())})
