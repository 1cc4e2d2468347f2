"""What a question asks where no form of it does: by the small model of wordings.

The model sees the question with one mark for each term and another for each document, so that it
learns of no vocabulary: what a wording asks does not hang on which term stands in it. It gives each
kind of reading a chance. Below the limit a search stays one: a document that answers may still be
found, and where none does, that is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Lang, Question, Reference
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Part,
    ReadBy,
    ReadKind,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.language import pack
from elysia_guard.language.small_talk import talk_in
from elysia_guard.language.stems import is_content_word, is_stop_word
from elysia_guard.language.text import normalise, words
from elysia_guard.ports import IntentModel, no_intents
from elysia_guard.reading.mentions import TermSpan
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


HARDLY: Final = 0.1
"""The chance from which a refusal proposes to ask what the term means."""
PAIR: Final = 2
MOST_TERMS: Final = 4
"""Terms among which the one that is asked is looked for: more are a list, and each takes 2 ms."""

Chances = Mapping[ReadKind, float]


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


class Wordings(NamedTuple):
    """Reads what forms leave open; ``asked`` is the chance, 0 to 1, from which it is believed."""

    model: IntentModel = no_intents
    asked: float = 1.0

    async def read(self, question: Question, part: Part, spans: Sequence[Span]) -> Part:
        """Return a part as its wording tells it; unchanged where it tells nothing of it.

        What a form decides is not listened to, nor a term alone that stands there as the vocabulary
        has it.
        """
        asks, terms = part.asks, _each_once(spans)
        if not isinstance(asks, Search) or part.read_by is not ReadBy.FORM:
            return part
        if len(terms) == 1 and terms[0].exact and _is_alone(question.text, terms[0]):
            return part
        documents = any(isinstance(span.means, Reference) for span in spans)
        if asks.kinds or documents or asks.matter or (terms and not question.scope.defines):
            return part  # whatever it sounds like
        asked = _Asked(model=self.model, question=question, terms=terms)
        try:
            chances = await asked.chances(terms)
            if chances and terms:
                return await self._defined(asked, part, asks, chances)
        except SourceUnavailableError:
            return part
        return self._beside_the_sources(question, part, chances) if chances else part

    async def _defined(self, asked: _Asked, part: Part, asks: Search, chances: Chances) -> Part:
        """Read it as a question for the meaning of its terms, where it sounds like one."""
        among, names = asked.terms, tuple(map(_label, asked.terms))
        meaning, compared = chances[ReadKind.DEFINITION], chances[ReadKind.COMPARISON]
        if len(among) == PAIR and compared > meaning and compared + meaning >= self.asked:
            reason = f"it sounds like comparing '{names[0]}' and '{names[1]}' ({compared:.2f})"
            return _read(part, Comparison(terms=names, topic=asks.topic), reason, compared)
        if meaning < HARDLY or len(among) > MOST_TERMS:
            return part
        label = names[0]
        if len(among) > 1:
            each = [(await asked.chances((term,)))[ReadKind.DEFINITION] for term in among]
            best = max(range(len(among)), key=lambda place: each[place])
            meaning, label = min(meaning, each[best]), names[best]
        if any(_is_said_of(asks.term, term.text, asked.question.lang) for term in among):
            return replace(part, perhaps=label)
        if meaning >= self.asked:
            reason = f"it sounds like asking what '{label}' means ({meaning:.2f})"
            return _read(part, Definition(term=label), reason, meaning)
        return replace(part, perhaps=label) if meaning >= HARDLY else part

    def _beside_the_sources(self, question: Question, part: Part, chances: Chances) -> Part:
        """Take what mentions nothing for small talk, or ask what it is about."""
        talk, unclear = chances[ReadKind.SMALL_TALK], chances[ReadKind.UNCLEAR]
        if talk >= self.asked:
            about = talk_in(question.text)
            return _read(part, SmallTalk(about=about), f"it sounds like {about}", talk)
        if unclear >= self.asked:
            return _read(part, Unclear(), "by itself it says too little", unclear)
        return part


class _Asked(NamedTuple):
    """A question that names no document, and its terms, as the model is asked about it."""

    model: IntentModel
    question: Question
    terms: Sequence[Span]

    async def chances(self, terms: Sequence[Span]) -> Chances:
        """Ask with some of the terms masked."""
        return await self.model(
            masked(self.question.text, tuple(terms)),
            lang=self.question.lang,
            terms=len(self.terms),
            documents=0,
        )


def _read(part: Part, asks: Asks, reason: str, chance: float) -> Part:
    return Part(
        asks=asks, text=part.text, reason=reason, read_by=ReadBy.INTENT_MODEL, chance=chance
    )


def _label(span: Span) -> str:
    return span.means.label if isinstance(span.means, TermSpan) else span.text


def _each_once(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The terms of a question, each where it is mentioned first."""
    first: dict[str, Span] = {}
    for span in spans:
        if isinstance(span.means, TermSpan):
            first.setdefault(span.means.uri, span)
    return tuple(first.values())


def _is_said_of(phrase: str, term: str, lang: Lang) -> bool:
    """Tell whether what is asked is something of a term: 'the opposite of active power'."""
    before, found, rest = normalise(phrase).rpartition(normalise(term))
    small = [is_stop_word(word, lang) for word in words(before)]
    return bool(found and small) and not rest and small[-1] and not all(small)


def _is_alone(text: str, span: Span) -> bool:
    return text.strip(" ?!.,;:'\"") == span.text
