"""A question with its terms and documents masked: what is left is how it asks.

What a wording asks does not hang on which term stands in it. So the small model of wordings sees
the question with one mark for each term and another for each document, and learns of no vocabulary.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import ReadKind
from elysia_guard.language import pack
from elysia_guard.language.stems import is_content_word
from elysia_guard.reading.naming_words import every_kind, naming_words
from elysia_guard.reading.spans import Span
from elysia_guard.reading.tokens import words_of

TERM: Final = "\ue000"
"""Stands for a term: a character of no language."""
DOCUMENT: Final = "\ue001"
"""Stands for a document."""
KINDS: Final = tuple(ReadKind)
"""The kinds of readings, in the order of a model's columns."""
_SAID: Final = {TERM: "redispatch", DOCUMENT: "ADR-12"}
"""What a mark is read as; which term and which document, matters little."""
_MARKS: Final = re.compile(f"[{TERM}{DOCUMENT}]")
_BEFORE: Final = re.compile(r"([^\W_]+)[ \u2010-]$")
_AFTER: Final = re.compile(r"^[ \u2010-]([^\W_]+)")
_OPENING: Final = tuple("'\"\u2018\u201c\u201e\u00ab")
_CLOSING: Final = tuple("'\"\u2019\u201d\u201c\u00bb")
_FEW, _SEVERAL = 1, 3
_LONG = 3.0
"""About the logarithm of the words of a long question."""


def masked(text: str, spans: Iterable[Span]) -> str:
    """Put a mark in the place of each span; the others are left as they stand.

    >>> masked("who signed ADR-12?", ()) == "who signed ADR-12?"
    True
    """
    written, at = [], 0
    for span in sorted(spans, key=lambda item: item.start):
        if span.start < at:
            continue
        mark = DOCUMENT if isinstance(span.means, Reference) else TERM
        written += [text[at : span.start], mark]
        at = span.end
    return "".join((*written, text[at:]))


def in_words(text: str) -> str:
    """Put a word in the place of each mark of a masked question: a sentence model knows words."""
    for mark, said in _SAID.items():
        text = text.replace(mark, said)
    return text


def kinds_beside(text: str) -> int:
    """Count the kinds of documents that a masked question names by a word: 'policies', 'ADRs'."""
    naming = naming_words()
    every, any_kind = {**naming.kinds, **naming.several}, every_kind()
    named = (every.get(word, any_kind) for word in words_of(_plain(text)))
    return len(frozenset().union(*(kinds for kinds in named if kinds != any_kind)))


def traits(text: str, *, lang: Lang, terms: int, documents: int) -> Sequence[float]:
    """Tell what a masked question looks like, whatever its words mean; each 0 to about 1.

    How many terms, documents and kinds it mentions, how much it says beside, whether it has a
    question mark, and what stands around the first mark of a term: a content word, a hyphen,
    quotation marks, an article.

    Args:
        text: the question, with marks.
        lang: its language.
        terms: how many terms stand in it, masked or not.
        documents: how many documents do.
    """
    beside = words_of(_plain(text))
    content = sum(is_content_word(word, lang) for word in beside)
    kinds = kinds_beside(text)
    counted = (
        *(terms == count for count in (1, 2)),
        terms >= _SEVERAL,
        documents == 1,
        documents > 1,
        kinds == 1,
        kinds > 1,
        *(content == count for count in (0, 1, 2)),
        len(beside) <= _FEW,
        len(beside) <= _SEVERAL,
        math.log1p(len(beside)) / _LONG,
        "?" in text,
        text.rstrip().endswith("?"),
    )
    return tuple(map(float, (*counted, *_around(text, lang))))


def _around(text: str, lang: Lang) -> Iterator[float]:
    """What stands around the first mark of a term; all 0 where there is none."""
    before, mark, after = text.partition(TERM)
    word, following = _word(_BEFORE.search(before)), _word(_AFTER.search(after))
    naming = naming_words()
    found = (
        _may_be_of_a_name(word, lang),
        _may_be_of_a_name(following, lang),
        before.endswith("-") or after.startswith("-"),
        before.endswith(_OPENING) and after.startswith(_CLOSING),
        not before.strip(),
        not after.strip(" ?!."),
        word in naming.definite,
        word in naming.indefinite,
        len(before) / max(len(text), 1),
    )
    return (float(each) if mark else 0.0 for each in found)


def _plain(text: str) -> str:
    return _MARKS.sub(" ", text)


def _word(match: re.Match[str] | None) -> str:
    return match[1].casefold() if match else ""


def _may_be_of_a_name(word: str, lang: Lang) -> bool:
    """Tell whether a word beside a term may belong to the name of a longer one."""
    return bool(word) and word not in _says_term() and is_content_word(word, lang)


@cache
def _says_term() -> frozenset[str]:
    return frozenset(pack.words_of(lambda core: core.words.naming))
