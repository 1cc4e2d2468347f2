"""What kind of thing a question asks for, and whether a sentence holds one.

The expected answer type of question answering: 'What does the gateway cost?' is answered by a sum
of money, or not at all, however much a passage has to say about the gateway.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from elysia_guard.language.pack import either, packs
from elysia_guard.language.pack_sections import AnswerSection, Core
from elysia_guard.language.phrases import compiled


class AnswerType(StrEnum):
    """What would be an answer."""

    MONEY = "money"
    APPROVAL = "approval"
    """Somebody who has approved a document: an approval record says who."""
    DURATION = "duration"
    NUMBER = "number"
    DATE = "date"
    REASON = "reason"


# Of so many signs at most: a text may hold digits without end.
_DIGITS = r"\d[\d.,]{0,30}"
_CURRENCIES = "(euros?|eur|dollars?|cents?)"


class _Words(NamedTuple):
    """What phrases of all languages are made of."""

    sum: str
    unit: str
    figure: str


@cache
def _words() -> _Words:
    numbers = either(lambda core: core.numbers.words)
    return _Words(
        sum=either(lambda core: core.answers.money.sums),
        unit=either(lambda core: core.time.units),
        figure=f"({_DIGITS}|{numbers})",
    )


class _Asking(NamedTuple):
    """How one kind of thing is asked for: in one phrase, or in two however far apart.

    One pattern for both of two would begin anew at each of the first.
    """

    phrase: re.Pattern[str]
    apart: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]

    def stands_in(self, question: str) -> bool:
        return bool(self.phrase.search(question)) or any(
            (begun := begin.search(question)) and end.search(question, begun.end())
            for begin, end in self.apart
        )


@cache
def _asking(kind: str) -> _Asking:
    """How a kind of thing is asked for in any language, by its name in ``core.toml``."""

    def of(core: Core) -> AnswerSection:
        return getattr(core.answers, kind)  # type: ignore[no-any-return]

    apart = (pair for item in packs().values() for pair in of(item.core).apart)
    return _Asking(
        phrase=_compiled(rf"\b{either(lambda core: of(core).asks)}(?!\w)"),
        apart=tuple(
            (_compiled(rf"\b({begin})\b"), _compiled(rf"\b({end})\b")) for begin, end in apart
        ),
    )


@cache
def _held() -> Mapping[AnswerType, re.Pattern[str]]:
    said = _words()
    adverbs = either(lambda core: core.time.adverbs)
    each = either(lambda core: core.time.each)
    months = either(lambda core: core.time.months)
    return {
        AnswerType.MONEY: _compiled(
            r"[\u20ac$\u00a3]\s?\d|\b(eur|usd) ?\d"
            rf"|{_DIGITS}\s*((?!per\b)[a-z]+ )?{_CURRENCIES}\b"
        ),
        AnswerType.DURATION: _compiled(
            rf"\b{said.figure}([\s-]+[a-z]+)?[\s-]+{said.unit}\b"
            rf"|\b{adverbs}\b|\b{each} {said.unit}\b"
        ),
        AnswerType.NUMBER: _compiled(rf"\b{said.figure}\b"),
        AnswerType.DATE: _compiled(rf"\b(19|20)\d\d\b|\b\d{{1,2}} {months}\b"),
        AnswerType.REASON: _compiled(rf"\b{either(lambda core: core.answers.reason.told)}\b"),
    }


@cache
def _counting() -> tuple[re.Pattern[str], re.Pattern[str]]:
    counts = either(lambda core: core.answers.number.counts)
    return _compiled(rf"\b{counts}(?!\w)"), _compiled(_words().figure)


def _compiled(pattern: str) -> re.Pattern[str]:
    filled = pattern.replace("{sum}", _words().sum).replace("{unit}", _words().unit)
    return compiled(filled)


@lru_cache(maxsize=1_000)
def asked_for(question: str) -> frozenset[AnswerType]:
    """Return the kinds of things that a question asks for; none where any sentence may answer.

    >>> sorted(asked_for("Hoe lang bewaren we facturen?"))
    [<AnswerType.DURATION: 'duration'>]
    """
    return frozenset(kind for kind in AnswerType if _asking(kind).stands_in(question))


@lru_cache(maxsize=1_000)
def asks_name(question: str) -> bool:
    """Tell whether a question asks what something or somebody is called.

    >>> asks_name("What are the five zones called?"), asks_name("What are the five zones?")
    (True, False)
    """
    return _asking("name").stands_in(question)


def holds(text: str, kind: AnswerType) -> bool:
    """Tell whether a text holds a thing of some kind; an approval is told by its record alone.

    >>> holds("Invoices are kept for seven years.", AnswerType.DURATION)
    True
    """
    pattern = _held().get(kind)
    return pattern is not None and bool(pattern.search(text))


def counted(question: str) -> str:
    """Return what stands behind a question for how many there are of something; else nothing.

    >>> counted("How many meters were replaced?")
    'meters were replaced?'
    """
    found = _counting()[0].search(question)
    return question[found.end() :].strip() if found else ""


def is_figure(word: str) -> bool:
    """Tell whether a word is a number, in figures or written out."""
    return _counting()[1].fullmatch(word) is not None
