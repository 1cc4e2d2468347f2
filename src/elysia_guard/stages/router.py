"""The router: what a question asks for, decided by its form alone, with the reason of the choice.

Deterministic and without a model: the same words give the same intent. Rules are tried from the
most to the least certain; IR0003's tables are the contract, `language.forms` and
`language.definitions` hold the patterns.
"""

from __future__ import annotations

import re
from dataclasses import replace

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, Intent, IntentKind, Lang, Question, Reference
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.language import definitions, forms
from elysia_guard.language.lists import list_intent
from elysia_guard.language.references import find_references, strip_references
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import unquote, words
from elysia_guard.language.wording import asking, core, kinds_searched, stripped

MAX_BARE_TERM_WORDS = 4


def route(question: Question) -> Intent:
    """Return the intent of a question.

    >>> route(Question(text="What is CIMXML?", lang="en", request_id="r")).term
    'CIMXML'
    """
    if talk := _small_talk(question.text):
        return Intent(
            kind=IntentKind.CONVERSATIONAL, reason=f"it is small talk ({talk})", small_talk=talk
        )
    text = stripped(question.text.strip(), forms.OPENERS)
    scope = question.scope
    if references := find_references(text):
        return _entity(text, references, question)
    if intent := list_intent(core(text), scope.only, question.lang):
        return _reached(intent, scope)
    term = definitions.terminology_term(text)
    if term and scope.defines:
        return Intent(
            kind=IntentKind.TERMINOLOGY,
            reason=f"it asks what '{term}' means",
            term=term,
            topic=term,
        )
    found = _search(text, (scope.only,) if scope.only else scope.reached(kinds_searched(text)))
    return found if scope.defines else replace(found, term=None, meaning_of=term or "")


def _reached(intent: Intent, scope: CollectionScope) -> Intent:
    """Leave out the kinds beyond the scope, and keep that they were asked for; not all of them."""
    reached = scope.reached(intent.kinds)
    if not reached:
        return intent
    return replace(
        intent, kinds=reached, outside=tuple(kind for kind in intent.kinds if kind not in reached)
    )


def _small_talk(text: str) -> str | None:
    """Name the most telling small talk in a text that is nothing else."""
    rest = " ".join(words(text))
    found = set()
    while rest:
        matches = [(form.match(rest), name) for name, form in forms.SMALL_TALK.items()]
        end, name = max(((match.end(), name) for match, name in matches if match), default=(0, ""))
        if not end:
            return None
        found.add(name)
        rest = forms.JOINING.sub("", rest[end:].strip())
    return next((name for name in forms.SMALL_TALK if name in found), None)


def _aspect(text: str) -> Aspect:
    return next(
        (aspect for aspect, word in forms.ASPECTS.items() if word.search(text)), Aspect.SUBSTANCE
    )


def _entity(text: str, references: tuple[Reference, ...], question: Question) -> Intent:
    aspect = _aspect(text)
    topic = _besides_documents(
        _without_kinds(_beside_aspect(strip_references(asking(text)), aspect))
    )
    if aspect is Aspect.SUBSTANCE and _is_version(topic, question.lang):
        aspect, topic = Aspect.VERSION, ""
    named = tuple(
        Reference(
            number=ref.number,
            written=ref.written,
            kind=ref.kind or question.scope.only,
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
        topic=topic,
        aspect=aspect,
    )


def _is_version(topic: str, lang: Lang) -> bool:
    found = content_words(topic, lang)
    return bool(found) and forms.VERSION_WORDS.issuperset(found)


def _beside_aspect(text: str, aspect: Aspect) -> str:
    """What a question says beside asking who approved, when, or whether it is in force."""
    text = forms.IN_FORCE.sub(" ", text)
    if aspect is Aspect.APPROVAL:
        for asked in (Aspect.APPROVAL, Aspect.DATE):
            text = forms.ASPECTS[asked].sub(" ", text)
    return text


def _besides_documents(text: str) -> str:
    """What is asked of a named document beyond the document itself."""
    kept = (word for word in text.split() if not set(words(word)) & forms.ABOUT_DOCUMENTS)
    return _tidy(" ".join(kept))


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
    term = definitions.maybe_term(text) or _bare_term(text)
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
