"""What a question asks for by its form alone, with the reason of the choice.

Deterministic and without a model: the same words give the same intent. Rules are tried from the
most to the least certain; IR0003's tables are the contract, `language.forms` and
`language.definitions` hold the patterns.
"""

from __future__ import annotations

import re
from dataclasses import replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, Lang, Question, Reference
from elysia_guard.domain.reading import (
    Asks,
    Definition,
    Named,
    Part,
    Search,
    SmallTalk,
)
from elysia_guard.language import definitions, forms
from elysia_guard.language.kinds import without_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.references import find_references, located_references
from elysia_guard.language.small_talk import small_talk
from elysia_guard.language.text import unquote, words
from elysia_guard.language.wording import kinds_searched, stripped
from elysia_guard.reading.fields import named

MAX_BARE_TERM_WORDS = 4


def read_form(question: Question) -> Part:
    """Return what a question asks, as its form says.

    >>> read_form(Question(text="What is CIMXML?", lang="en", request_id="r")).asks.term
    'CIMXML'
    """
    if talk := small_talk(question.text):
        return _part(question, SmallTalk(about=talk), f"it is small talk ({talk})")
    text = stripped(question.text.strip(), forms.OPENERS)
    scope = question.scope
    if references := find_references(text):
        return _part(question, *_named(text, references, question))
    term = definitions.terminology_term(text)
    if term and scope.defines:
        return _part(question, Definition(term=term), f"it asks what '{term}' means")
    kinds = (scope.only,) if scope.only else scope.reached(kinds_searched(text))
    meant = "" if scope.defines else term or ""
    return _part(question, *_search(text, kinds, question.lang, meaning_of=meant))


def _part(question: Question, asks: Asks, reason: str) -> Part:
    return Part(asks=asks, text=question.text, reason=reason)


def _aspect(text: str) -> Aspect:
    return next(
        (aspect for aspect, word in forms.ASPECTS.items() if word.search(text)), Aspect.SUBSTANCE
    )


def _named(text: str, references: tuple[Reference, ...], question: Question) -> tuple[Named, str]:
    found = tuple(replace(ref, kind=ref.kind or question.scope.only) for ref in references)
    spans = [(start, end) for start, end, _ in located_references(text)]
    listed = ", ".join(str(ref.identity or ref.written) for ref in found)
    asks = named(text, lang=question.lang, references=found, spans=spans)
    return asks, f"it names {listed}"


def _search(
    text: str, kinds: tuple[DocumentKind, ...], lang: Lang, *, meaning_of: str
) -> tuple[Search, str]:
    aspect = _aspect(text)
    if kinds:
        names = " and ".join(kind.value for kind in kinds)
        reason = f"it concerns {names} documents"
        topic = _without_kinds(text)
        return Search(topic=topic, kinds=kinds, aspect=aspect, meaning_of=meaning_of), reason
    term = "" if meaning_of else definitions.maybe_term(text) or _bare_term(text, lang) or ""
    reason = f"'{term}' may be a term or a subject" if term else "no form of question decides it"
    return Search(topic=text, aspect=aspect, term=term, meaning_of=meaning_of), reason


def _bare_term(text: str, lang: Lang) -> str | None:
    """A question of a few words without a verb may simply be a term: 'congestion management'."""
    bare = unquote(text)
    if not bare or len(bare.split()) > MAX_BARE_TERM_WORDS or forms.QUESTION_WORDS.search(bare):
        return None
    asking = pack(lang).core.questions
    return None if {*asking.words, *asking.verbs} & set(words(bare)) else bare


def _without_kinds(text: str) -> str:
    text = without_kinds(text)
    return _tidy(text)


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ?!.,;:'\"")
