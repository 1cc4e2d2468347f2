"""Which thing a question asks for by a word of its own, and whether a sentence tells it.

'Which manufacturer ...' asks for a manufacturer, 'how many meters' for a number before 'meters',
'how many ... by now' for a count that a document of an earlier day does not know, 'what are the
names of ...' for names.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.answer_types import AnswerType, asked_for, counted, is_figure
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.pack import either, langs, pack, words_of
from elysia_guard.language.phrases import compiled
from elysia_guard.language.sentences import is_item
from elysia_guard.language.text import words

OF_ITS_OWN = frozenset(AnswerType) - {AnswerType.NUMBER}
"""What is asked for by such a kind is told in other words than those of the question."""
NEAR = 4
"""Words: a number counts what stands at most so far behind it."""
SHORT = 8
"""Words of an item of a list that may be no more than a name."""
_NAME = re.compile(
    r"(?<=[\w,;)] )[\"\u201c\u201e'\u2018(]?(?P<name>[^\W\d_]*[A-Z\u00c0-\u00de][^\W_]*)"
)
_QUOTED = re.compile(
    r"[`\"\u201c\u201e\u00ab'\u2018](?=\w)[^`\"\u201d\u00bb'\u2019]{1,60}[`\"\u201c\u201d\u00bb'\u2019]"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?:\D|$))")
# Two capitals ('TLS', 'OAuth'), or letters and digits ('IEC61970', 'v2').
_IDENTIFIER = re.compile(r"\b(?=\w*[^\W\d_])(?:\w*[A-Z]\w*[A-Z]\w*|\w*\d\w*)\b")


def thing_asked(question: str, matter: str, terms: QueryTerms) -> int | None:
    """Return the place among the content words of the thing that a question names and asks for.

    ``matter`` is what is asked of a document. None where no noun is asked for, or one that is told
    in words of its own, as a date or a reason is.
    """
    if asked_for(question) & OF_ITS_OWN:
        return None
    behind = [words(question[found.end() :])[:1] for found in _naming().finditer(question)]
    first, *rest = words(matter) or [""]
    if first in words_of(lambda core: core.questions.about):
        behind.append([next((word for word in rest if word in terms.words), "")])
    named = [word for run in behind for word in run if word in terms.words]
    return terms.words.index(named[-1]) if named else None


def noun_of(terms: QueryTerms, question: str) -> int | None:
    """Return the place among the content words of what is counted; None where nothing is.

    How many days or years is asked for a period, which is told in other units too.
    """
    if AnswerType.DURATION in asked_for(question):
        return None
    behind = words(counted(question))[:NEAR]
    return next((terms.words.index(word) for word in behind if word in terms.words), None)


def counts(terms: QueryTerms, noun: int, text: str, lang: str) -> bool:
    """Tell whether a number stands shortly before a word for what is counted, or means alike."""
    said = words(text)
    named = (at for at, word in enumerate(said) if terms.names(noun, word, lang))
    return any(any(map(is_figure, said[max(at - NEAR, 0) : at])) for at in named)


@lru_cache(maxsize=1_000)
def is_of_today(text: str) -> bool:
    """Tell whether a text speaks of a time that is reckoned from the moment of speaking.

    >>> is_of_today("How many were replaced last year?"), is_of_today("How many in 2024?")
    (True, False)
    """
    return _deictic().search(text) is not None


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


def figures(text: str) -> frozenset[str]:
    """Return the numbers of a text, those with marks between thousands without them.

    >>> sorted(figures("1,000 meters since 2.1, within 48 hours"))
    ['1000', '2.1', '48']
    """
    return frozenset(_THOUSANDS.sub("", found) for found in _NUMBER.findall(text))


def identifiers(text: str) -> frozenset[str]:
    """Return the words that are written like names of systems and standards, in lower case.

    >>> sorted(identifiers("Does OAuth or mTLS apply to IEC61970 files?"))
    ['iec61970', 'mtls', 'oauth']
    """
    return frozenset(found.lower() for found in _IDENTIFIER.findall(text))


@cache
def _naming() -> re.Pattern[str]:
    return re.compile(rf"\b{either(lambda core: core.questions.naming)}\b", re.IGNORECASE)


@cache
def _deictic() -> re.Pattern[str]:
    units = either(lambda core: core.time.units)
    said = either(lambda core: core.time.deictic).replace("{unit}", units)
    return compiled(rf"\b{said}\b")


@cache
def _enumerated() -> re.Pattern[str]:
    """'Are field, control and office': three things at least, none of many words."""
    told = either(lambda core: core.answers.name.told)
    joins = either(lambda core: core.owners.joins)
    item = r"[^,;:.]{1,40}"
    return compiled(rf"(?<!\w){told}\s{item}(,\s{item})+,?\s{joins}\s")
