"""The router: what a question asks for, decided by its form alone, with the reason of the choice.

Deterministic and without a model: the same words give the same intent. Rules are tried from the
most to the least certain; IR0003's tables are the contract, `language.forms` holds the patterns.
"""

from __future__ import annotations

import re

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, Intent, IntentKind, Lang, Question, Reference
from elysia_guard.language import forms
from elysia_guard.language.references import find_references, strip_references
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import normalise, unquote, words

MAX_TERM_WORDS = 8
MAX_BARE_TERM_WORDS = 4


def route(question: Question) -> Intent:
    """Return the intent of a question.

    >>> route(Question(text="What is CIMXML?", lang="en", request_id="r")).term
    'CIMXML'
    """
    text = question.text.strip()
    if talk := _small_talk(text):
        return Intent(
            kind=IntentKind.CONVERSATIONAL, reason=f"it is small talk ({talk})", small_talk=talk
        )
    text = forms.GREETING.sub("", text)
    if references := find_references(text):
        return _entity(text, references, question.kind)
    kinds = (question.kind,) if question.kind else _kinds(text)
    if intent := _list(text, kinds, question.lang):
        return intent
    if question.kind is None and (term := terminology_term(text)):
        return Intent(
            kind=IntentKind.TERMINOLOGY,
            reason=f"it asks what '{term}' means",
            term=term,
            topic=term,
        )
    return _search(text, kinds)


def terminology_term(text: str) -> str | None:
    """Return the term whose meaning is asked for, or None when something else is asked."""
    if find_references(text):
        return None
    for pattern in forms.TERMINOLOGY:
        if match := pattern.match(text):
            groups = match.groupdict()
            return _term(groups.get("term") or groups.get("term2") or "", explicit=True)
    for pattern in forms.COPULA:
        if match := pattern.match(text):
            return _term(match["term"], explicit=False)
    return None


def _term(raw: str, *, explicit: bool) -> str | None:
    """Strip a candidate down to the term; None when it cannot be one."""
    candidate = unquote(raw)
    if not explicit and any(pattern.fullmatch(candidate) for pattern in forms.NOT_A_TERM):
        return None
    bare = unquote(forms.TRAILING.sub("", forms.ARTICLES.sub("", candidate)))
    if not bare or normalise(bare) in forms.PRONOUNS or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if normalise(bare) in forms.KIND_TERMS:
        return bare
    return None if _kinds(bare) else bare


def _small_talk(text: str) -> str | None:
    return next((name for name, form in forms.SMALL_TALK.items() if form.match(text)), None)


def _kinds(text: str) -> tuple[DocumentKind, ...]:
    return tuple(kind for kind, word in forms.KIND_WORDS.items() if word.search(text))


def _aspect(text: str) -> Aspect:
    return next(
        (aspect for aspect, word in forms.ASPECTS.items() if word.search(text)), Aspect.SUBSTANCE
    )


def _entity(text: str, references: tuple[Reference, ...], kind: DocumentKind | None) -> Intent:
    aspect = _aspect(text)
    named = tuple(
        Reference(
            number=ref.number,
            written=ref.written,
            kind=ref.kind or kind,
            approval=ref.approval or aspect is Aspect.APPROVAL,
        )
        for ref in references
    )
    listed = ", ".join(str(ref.identity or ref.written) for ref in named)
    return Intent(
        kind=IntentKind.ENTITY,
        reason=f"it names {listed}",
        references=named,
        kinds=tuple(dict.fromkeys(ref.kind for ref in named if ref.kind)),
        topic=_besides_documents(_without_kinds(strip_references(text))),
        aspect=aspect,
    )


def _besides_documents(text: str) -> str:
    """What is asked of a named document beyond the document itself."""
    kept = (word for word in text.split() if not set(words(word)) & forms.ABOUT_DOCUMENTS)
    return _tidy(" ".join(kept))


def _list(text: str, kinds: tuple[DocumentKind, ...], lang: Lang) -> Intent | None:
    if not kinds or not any(form.match(text) for form in forms.LIST):
        return None
    status = next((name for name, word in forms.STATUSES.items() if word.search(text)), None)
    rest = forms.STATUSES[status].sub(" ", text) if status else text
    topic = _tidy(forms.LIST_WORDS.sub(" ", _without_kinds(rest)))
    topic = topic if content_words(topic, lang) else ""
    names = " and ".join(kind.value for kind in kinds)
    about = f" about '{topic}'" if topic else ""
    return Intent(
        kind=IntentKind.LIST,
        reason=f"it asks for a list of {names} documents{about}",
        kinds=kinds,
        topic=topic,
        status=status,
    )


def _search(text: str, kinds: tuple[DocumentKind, ...]) -> Intent:
    topic = _without_kinds(text)
    if len(kinds) == 1:
        return Intent(
            kind=IntentKind.SINGLE_COLLECTION,
            reason=f"it concerns {kinds[0].value} documents only",
            kinds=kinds,
            topic=topic,
            aspect=_aspect(text),
        )
    if kinds:
        names = " and ".join(kind.value for kind in kinds)
        return Intent(
            kind=IntentKind.CROSS_COLLECTION,
            reason=f"it spans {names} documents",
            kinds=kinds,
            topic=topic,
            aspect=_aspect(text),
        )
    term = _bare_term(text)
    return Intent(
        kind=IntentKind.OPEN,
        reason=f"'{term}' may be a term or a subject" if term else "no form of question decides it",
        topic=text,
        term=term,
        aspect=_aspect(text),
    )


def _bare_term(text: str) -> str | None:
    """A question of a few words without a verb may simply be a term: 'congestion management'."""
    bare = unquote(text)
    if not bare or len(bare.split()) > MAX_BARE_TERM_WORDS or forms.QUESTION_WORDS.search(bare):
        return None
    return bare


def _without_kinds(text: str) -> str:
    for word in forms.KIND_WORDS.values():
        text = word.sub(" ", text)
    return _tidy(text)


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ?!.,;:'\"")
