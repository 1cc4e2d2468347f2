"""What a term is called in another language, and whether two terms are one, by the forms of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from elysia_guard.domain.question import Lang, Question, Reference
from elysia_guard.domain.reading import Comparison, Definition, Relation
from elysia_guard.language.pack import language_names, pack
from elysia_guard.language.pack_files import TermForms
from elysia_guard.language.phrases import Form
from elysia_guard.language.preamble import bare_question, without_fillers, without_preamble
from elysia_guard.language.references import find_references
from elysia_guard.language.text import normalise, unquote
from elysia_guard.reading.asked_terms import MOST_WORDS, without_article
from elysia_guard.reading.spans import Span
from elysia_guard.reading.terminology import names_documents

_SLOT: Final = re.compile(r"\{(term|other|lang)\}")
_ENDING: Final = r"\w{0,3}"
"""How the name of a language may end otherwise: 'Duitse', 'deutsches', 'allemande'."""
_ENDS: Final = " ?!.,;:\u2026"
_TAG: Final = 2
"""Letters of the tag of a language that many speak."""


class _Form(NamedTuple):
    """A form; one that is only of a term that is ``known`` is said of other things too."""

    is_same: bool
    pattern: Form
    known: bool


def asked_of_term(question: Question, spans: Sequence[Span]) -> Definition | Comparison | None:
    """Return what a question asks of a term, or of two; None where no form of it fits.

    Args:
        question: one question.
        spans: the terms and documents that stand in it.
    """
    if not question.scope.defines:
        return None
    found = (_read(*fits, question, spans) for fits in _fitting(question.text, question.lang))
    return next((asks for asks in found if asks), None)


@lru_cache(maxsize=64)
def _fitting(text: str, lang: Lang) -> list[tuple[_Form, re.Match[str]]]:
    bare = bare_question(text, lang)
    # 'for a rake' stands at the end as 'for a colleague' does, and says something.
    whole = without_preamble(text, lang).rstrip(_ENDS)
    wordings = dict.fromkeys((bare, without_fillers(bare, lang), whole))
    found = ((form, form.pattern.fullmatch(said)) for form in _forms(lang) for said in wordings)
    return [(form, match) for form, match in found if match]


def _read(
    form: _Form, match: re.Match[str], question: Question, spans: Sequence[Span]
) -> Definition | Comparison | None:
    said, lang = match.groupdict(), question.lang
    named = [said[slot] for slot in ("term", "other") if slot in said]
    terms = [unquote(without_article(unquote(raw), lang)) for raw in named]
    if not all(0 < len(term.split()) <= MOST_WORDS for term in terms):
        return None
    if any(map(find_references, terms)):
        return None
    known = {normalise(span.text) for span in spans if not isinstance(span.means, Reference)}
    if form.known and known.isdisjoint(map(normalise, terms)):
        return None
    if names_documents(question.text, lang, terms, spans):
        return None
    if form.is_same:
        return Comparison(terms=tuple(terms), topic=question.text, whether=True)
    into = _languages(lang)[said["lang"].casefold()]
    return Definition(term=terms[0], relation=Relation.TRANSLATION, into=into)


@cache
def _forms(lang: Lang) -> tuple[_Form, ...]:
    said = pack(lang).forms
    of_any, of_known = said.of_term, said.of_known_term
    return (*_compiled(of_any, lang, known=False), *_compiled(of_known, lang, known=True))


def _compiled(said: TermForms, lang: Lang, *, known: bool) -> Iterator[_Form]:
    names = "|".join(map(re.escape, sorted(_languages(lang), key=len, reverse=True)))
    slots = {
        "term": "(?P<term>.+?)",
        "other": "(?P<other>.+?)",
        "lang": f"(?P<lang>{names}){_ENDING}",
    }
    for written in (*said.translated, *said.same):
        pattern = Form(written, _SLOT.sub(lambda slot: slots[slot[1]], written))
        yield _Form(written in said.same, pattern, known)


@cache
def _languages(lang: Lang) -> Mapping[str, str]:
    """The tags of languages by their names in one, in lower case."""
    names = language_names(lang).items()
    return {name.casefold(): tag for tag, name in names if len(tag) == _TAG}
