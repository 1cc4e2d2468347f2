"""The router: what a question asks for, decided by its form alone, with the reason of the choice.

Deterministic and without a model: the same words give the same intent. Rules are tried from the
most to the least certain; IR0003's tables are the contract, `language.forms` holds the patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, Intent, IntentKind, Lang, Question, Reference
from elysia_guard.language import forms
from elysia_guard.language.references import find_references, strip_references
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import normalise, unquote, words

MAX_TERM_WORDS = 8
MAX_BARE_TERM_WORDS = 4
SHORT_WORD = 5
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\w)")
_CLOSING = " ?!.\u2026"
_MENDED = {
    wrong: right for right, all_wrong in forms.MISSPELT.items() for wrong in all_wrong.split()
}


def route(question: Question) -> Intent:
    """Return the intent of a question.

    >>> route(Question(text="What is CIMXML?", lang="en", request_id="r")).term
    'CIMXML'
    """
    if talk := _small_talk(question.text):
        return Intent(
            kind=IntentKind.CONVERSATIONAL, reason=f"it is small talk ({talk})", small_talk=talk
        )
    text = _stripped(question.text.strip(), forms.OPENERS)
    if references := find_references(text):
        return _entity(text, references, question.kind)
    kinds = (question.kind,) if question.kind else _kinds(text)
    if intent := _list(_core(text), kinds, question.lang):
        return intent
    if question.kind is None and (term := terminology_term(text)):
        return Intent(
            kind=IntentKind.TERMINOLOGY,
            reason=f"it asks what '{term}' means",
            term=term,
            topic=term,
        )
    return _search(text, kinds if question.kind else _kinds(forms.IN_PASSING.sub(" ", text)))


def terminology_term(text: str) -> str | None:
    """Return the term whose meaning is asked for, or None when something else is asked."""
    if find_references(text):
        return None
    core = _core(text)
    raw, explicit = _asked_for(core)
    if not raw and (sentences := _SENTENCES.split(text))[1:]:
        core = _core(sentences[-1])
        raw, explicit = _asked_for(core)
    if not raw or _kinds(text.replace(raw, " ")):
        return None
    named = forms.LABEL.sub("", raw, count=1)
    if forms.QUOTED.fullmatch(named):
        return unquote(named) or None
    return _explicit_term(named) if explicit else _copula_term(raw, core)


def _stripped(text: str, leading: Iterable[re.Pattern[str]]) -> str:
    """Drop whatever of some leading phrases a text begins with, as often as it takes."""
    while match := next((found for form in leading if (found := form.match(text))), None):
        if not any(char.isalnum() for char in text[match.end() :]):
            break
        text = text[match.end() :]
    return text


def _core(text: str) -> str:
    """The question itself: without what stands around it, its question words spelt right."""
    text = _stripped(_stripped(_mended(text.strip()), forms.OPENERS), forms.WISHES)
    text = _mended(_stripped(text, forms.OPENERS)).rstrip(_CLOSING)
    while (shorter := forms.CLOSERS.sub("", text).rstrip(_CLOSING)) != text:
        text = shorter
    return text


def _mended(text: str) -> str:
    first, *rest = text.split(" ")
    mended = [_MENDED.get(first.casefold(), first)]
    mended += [
        _MENDED.get(word.casefold(), word) if len(word) >= SHORT_WORD else word for word in rest
    ]
    return " ".join(mended)


def _asked_for(core: str) -> tuple[str, bool]:
    """What a question asks the meaning of, as written, and whether it says so in so many words."""
    for patterns, explicit in ((forms.TERMINOLOGY, True), (forms.COPULA + forms.EXPLAIN, False)):
        for pattern in patterns:
            if match := pattern.fullmatch(core):
                groups = match.groupdict()
                raw = (groups.get("term") or groups.get("term2") or "").strip()
                return forms.ADVERB.sub("", raw), explicit
    return "", False


def _explicit_term(named: str) -> str | None:
    if any(pattern.fullmatch(named) for pattern in forms.NOT_EXPLICIT):
        return None
    return _term(named)


def _copula_term(raw: str, core: str) -> str | None:
    definite = forms.DEFINITE.match(raw)
    if definite and (forms.PLURAL_COPULA.search(core) or not forms.COPULA_START.match(core)):
        return None
    if any(pattern.fullmatch(unquote(raw)) for pattern in forms.NOT_A_TERM):
        return None
    named = forms.LABEL.sub("", raw, count=1)  # 'the abbreviation TSO', but 'the concept scheme'
    return _term(raw if named.islower() or " " in named else named)


def _term(raw: str) -> str | None:
    """Strip a candidate down to the term; None when it cannot be one."""
    candidate = unquote(raw)
    bare = unquote(forms.ARTICLES.sub("", candidate))
    if not bare or normalise(bare) in forms.PRONOUNS or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if not _kinds(bare):
        return bare
    definite, indefinite = forms.DEFINITE.match(candidate), forms.INDEFINITE.match(candidate)
    if definite or forms.KIND_WITH_MORE.search(bare):
        return None
    named = normalise(bare) in forms.KIND_TERMS
    return bare if named or indefinite or forms.KIND_FIRST.search(bare) else None


def _maybe_term(text: str) -> str | None:
    """'The rate of change of frequency', 'explain the merit order': a term, or a subject."""
    core = _core(text)
    raw, explicit = _asked_for(core)
    bare = unquote(forms.ARTICLES.sub("", raw))
    if explicit or not bare or _kinds(text) or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if forms.MAYBE_A_TERM.fullmatch(raw):
        return bare
    if any(pattern.fullmatch(raw) for pattern in forms.NOT_A_TERM):
        return None
    return bare if forms.DEFINITE.match(raw) else None


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


def _kinds(text: str) -> tuple[DocumentKind, ...]:
    return tuple(
        kind
        for kind, word in forms.KIND_WORDS.items()
        if word.search(text) or forms.KIND_COMPOUNDS[kind].search(text)
    )


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
    if any(form.match(text) for form in forms.NOT_A_LIST):
        return None
    status = next((name for name, word in forms.STATUSES.items() if word.search(text)), None)
    rest = forms.STATUSES[status].sub(" ", text) if status else text
    topic = _tidy(forms.LIST_WORDS.sub(" ", _without_kinds(rest)))
    year = next(iter(forms.YEAR.findall(topic)), None)
    topic = _tidy(forms.YEAR.sub(" ", topic)) if year else topic
    topic = topic if content_words(topic, lang) else ""
    names = " and ".join(kind.value for kind in kinds)
    about = f" about '{topic}'" if topic else ""
    return Intent(
        kind=IntentKind.LIST,
        reason=f"it asks for a list of {names} documents{about}",
        kinds=kinds,
        topic=topic,
        status=status,
        year=year,
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
    term = _maybe_term(text) or _bare_term(text)
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
