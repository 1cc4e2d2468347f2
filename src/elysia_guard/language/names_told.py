"""Whether a question asks what something is called, and whether a sentence names anything.

'What are the names of the five stewards?' is answered by their names, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import either, langs, pack, packs
from elysia_guard.language.phrases import spoken
from elysia_guard.language.sentences import is_item
from elysia_guard.language.text import words

SHORT = 8
"""Words of an item of a list that may be no more than a name."""
_NAME = re.compile(
    r"(?<=[\w,;)] )[\"\u201c\u201e'\u2018(]?(?P<name>[^\W\d_]*[A-Z\u00c0-\u00de][^\W_]*)"
)
_QUOTED = re.compile(
    r"[`\"\u201c\u201e\u00ab'\u2018](?=\w)[^`\"\u201d\u00bb'\u2019]{1,60}[`\"\u201c\u201d\u00bb'\u2019]"
)


@lru_cache(maxsize=1_000)
def asks_name(question: str) -> bool:
    """Tell whether a question asks what something or somebody is called.

    >>> asks_name("What are the five zones called?"), asks_name("What are the five zones?")
    (True, False)
    """
    return any(pattern.search(question) for pattern in _asking()) or any(
        (begun := begin.search(question)) and end.search(question, begun.end())
        for begin, end in _asking_apart()
    )


def names(text: str, lang: Lang) -> frozenset[str]:
    """Return the names in a sentence, in lower case: what has a capital and does not begin it.

    None in a language in which every noun has a capital.
    """
    if lang in langs() and pack(lang).core.words.nouns_capitalised:
        return frozenset()
    return frozenset(match["name"].casefold() for match in _NAME.finditer(text))


def tells_name(text: str, lang: Lang, known: AbstractSet[str]) -> bool:
    """Tell whether a sentence may say what something is called.

    By a name that is not among the ``known``, in lower case; by words in quotation marks; by what
    is enumerated behind 'are'; or as a short item of a list. In a language in which every noun has
    a capital, any sentence may.
    """
    if lang in langs() and pack(lang).core.words.nouns_capitalised:
        return True
    if is_item(text) and len(words(text)) <= SHORT:
        return True
    enumerated = _enumerated().search(text) or _QUOTED.search(text)
    return bool(enumerated or names(text, lang) - known)


@cache
def _asking() -> tuple[re.Pattern[str], ...]:
    return (_compiled(rf"\b{either(lambda core: core.answers.name.asks)}(?!\w)"),)


@cache
def _asking_apart() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (_compiled(rf"\b({begin})\b"), _compiled(rf"\b({end})\b"))
        for item in packs().values()
        for begin, end in item.core.answers.name.apart
    )


@cache
def _enumerated() -> re.Pattern[str]:
    """'Are field, control and office': three things at least, none of many words."""
    told = either(lambda core: core.answers.name.told)
    joins = either(lambda core: core.owners.joins)
    item = r"[^,;:.]{1,40}"
    return _compiled(rf"(?<!\w){told}\s{item}(,\s{item})+,?\s{joins}\s")


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(spoken(pattern), re.IGNORECASE)
