"""What a question asks for by its form alone, with the reason of the choice.

Deterministic and without a model: the same words give the same intent. Rules are tried from the
most to the least certain; the forms of a language stand in its pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang, Question, Reference
from elysia_guard.domain.reading import (
    Asks,
    Definition,
    Named,
    Part,
    Search,
    SmallTalk,
)
from elysia_guard.language.kinds import kinds_named, without_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.preamble import without_preamble
from elysia_guard.language.references import find_references, located_references
from elysia_guard.language.small_talk import small_talk
from elysia_guard.language.text import unquote, words
from elysia_guard.reading.fields import aspect_sought, named, side_sought
from elysia_guard.reading.spans import Span
from elysia_guard.reading.templates import by_template
from elysia_guard.reading.terminology import names_documents

MAX_BARE_TERM_WORDS = 4


def read_form(question: Question, spans: Sequence[Span] = ()) -> Part:
    """Return what a question asks, as its form says.

    Args:
        question: one question.
        spans: the terms and documents that stand in it.

    >>> read_form(Question(text="What is CIMXML?", lang="en", request_id="r")).asks.term
    'CIMXML'
    """
    if talk := small_talk(question.text):
        return _part(question, SmallTalk(about=talk), f"it is small talk ({talk})")
    text, scope, lang = (
        without_preamble(question.text, question.lang),
        question.scope,
        question.lang,
    )
    if references := find_references(text):
        return _part(question, *_named(text, references, question))
    formed = by_template(question, spans)
    term = _term_of(formed.asks) if formed else ""
    of_documents = bool(term) and names_documents(question.text, lang, [term], spans, one_too=False)
    if formed and term and not of_documents:
        return _sided(formed, text, lang)
    kinds = (scope.only,) if scope.only else scope.reached(kinds_named(text))
    searched = _part(question, *_search(text, kinds, lang))
    return formed if formed and searched.is_open and not of_documents else searched


def _sided(part: Part, text: str, lang: Lang) -> Part:
    """A search for what may be a term, with the side of documents that it asks for otherwise."""
    if not isinstance(part.asks, Search):
        return part
    aspect, matter = side_sought(text, lang)
    if not matter:
        return part
    return replace(part, asks=replace(part.asks, aspect=aspect, matter=_without_kinds(matter)))


def _term_of(asks: Asks) -> str:
    """The term whose meaning is asked, if one is."""
    if isinstance(asks, Search):
        return asks.term or asks.meaning_of
    return asks.term if isinstance(asks, Definition) else ""


def _part(question: Question, asks: Asks, reason: str) -> Part:
    return Part(asks=asks, text=question.text, reason=reason)


def _named(text: str, references: tuple[Reference, ...], question: Question) -> tuple[Named, str]:
    found = tuple(replace(ref, kind=ref.kind or question.scope.only) for ref in references)
    spans = [(start, end) for start, end, _ in located_references(text)]
    listed = ", ".join(ref.name for ref in found)
    asks = named(text, lang=question.lang, references=found, spans=spans)
    return asks, f"it names {listed}"


def _search(text: str, kinds: tuple[DocumentKind, ...], lang: Lang) -> tuple[Search, str]:
    aspect, matter = side_sought(text, lang)
    if not (matter := _without_kinds(matter)):
        aspect = aspect_sought(text, lang)
    if kinds:
        names = " and ".join(kind.value for kind in kinds)
        topic = _without_kinds(text)
        asks = Search(topic=topic, matter=matter, kinds=kinds, aspect=aspect)
        return asks, f"it concerns {names} documents"
    term = _bare_term(text, lang)
    reason = f"'{term}' may be a term or a subject" if term else "no form of question decides it"
    return Search(topic=text, matter=matter, aspect=aspect, term=term), reason


def _bare_term(text: str, lang: Lang) -> str:
    """A question of a few words without a verb may simply be a term: 'congestion management'."""
    bare = unquote(text)
    if len(bare.split()) > MAX_BARE_TERM_WORDS:
        return ""
    asking = pack(lang).core.questions
    asks = {*asking.words, *asking.verbs, *asking.imperatives} & set(words(bare))
    return "" if asks else bare


def _without_kinds(text: str) -> str:
    text = without_kinds(text)
    return _tidy(text)


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" ?!.,;:'\"")
