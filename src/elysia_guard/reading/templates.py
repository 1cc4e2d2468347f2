"""The core forms of a question, as the language packs write them, read over what it mentions.

A form fits a whole question, or the sentence or clause of it that asks, without what is
said around it and the words in it that say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Final, NamedTuple

from elysia_guard.domain.question import Lang, Question, Reference
from elysia_guard.domain.reading import Asks, Definition, Named, Part, Search
from elysia_guard.language import kinds
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.phrases import Form, compiled
from elysia_guard.language.preamble import bare_question, mended, without_fillers
from elysia_guard.reading.asked_terms import TermPlace, asked_term
from elysia_guard.reading.masking import DOCUMENT, TERM, KnownMention, Masked, has_sign, signs
from elysia_guard.reading.spans import Span
from elysia_guard.reading.term_coreference import (
    asks,
    asks_no_other,
    clauses_of,
    referred,
    referring,
)

_SLOT: Final = re.compile(r"\{(\w+)\}")
_NAME: Final = re.compile(r"\?P<(\w+)>")
_SENTENCE: Final = re.compile(r"(?<=[.!?\u2026])\s+(?=\S)")
_MEANINGS: Final = ("said", "asked")
_ENDS: Final = " ?!.,;:\u2026"


class Formed(NamedTuple):
    """What the form of a question asks; ``form`` is the form, as the pack writes it.

    A meaning is unsure where the words may as well name a subject: 'the merit order'.
    """

    asks: Definition | Named
    form: str
    sure: bool = True


class _Form(NamedTuple):
    group: str
    written: str
    pattern: Form

    @property
    def place(self) -> TermPlace:
        """What stands around its place for a term."""
        if self.group != "said":
            return TermPlace.NAMED
        return TermPlace.SAID_AFTER if self.written.startswith("{term}") else TermPlace.SAID

    @property
    def bare(self) -> bool:
        """Whether it is no more than a name."""
        return bool(_SLOT.fullmatch(self.written))


def by_template(question: Question, spans: Sequence[Span]) -> Part | None:
    """Read a question by a core form; None where none fits.

    Args:
        question: one question.
        spans: the terms and documents that stand in it.
    """
    found = read_template(question.text, question.lang, tuple(_known(spans)))
    if found is None:
        return None
    scope = question.scope
    match found.asks:
        case Definition(term=term) if scope.defines and not found.sure:
            asked: Asks = Search(topic=question.text, term=term)
        case Definition(term=term) if not scope.defines:
            kinds = (scope.only,) if scope.only else ()
            asked = Search(topic=term, kinds=kinds, meaning_of=term)
        case Named(references=named) as asks:
            kinds_known = (replace(item, kind=item.kind or scope.only) for item in named)
            asked = replace(asks, references=tuple(kinds_known))
        case asks:
            asked = asks
    return Part(asks=asked, text=question.text, reason=f"it has the form '{found.form}'")


def _known(spans: Sequence[Span]) -> Iterator[KnownMention]:
    """The mentions that are beyond doubt; a number without its kind is asked back elsewhere."""
    for span in spans:
        if span.others:
            continue
        if not isinstance(span.means, Reference):
            yield KnownMention(start=span.start, end=span.end)
        elif span.means.kind is not None:
            yield KnownMention(start=span.start, end=span.end, documents=(span.means,))


@kept_by_kinds(maxsize=1_000)
def read_template(text: str, lang: Lang, known: tuple[KnownMention, ...] = ()) -> Formed | None:
    """Return what a question asks by one of the core forms of its language; None for all others.

    Args:
        text: the question.
        lang: its language.
        known: the terms and titles that it mentions. Numbers of documents are found here.

    >>> read_template("Hi, what does islanding mean?", "en").asks.term
    'islanding'
    """
    masked = Masked.of(text, [item for item in known if not _is_kind(text, item)])
    perhaps: Formed | None = None
    for part in _tried(masked, lang):
        if (found := _fitting(part, lang, masked)) and found.sure:
            return found
        perhaps = perhaps or found
    if other := referred(masked, lang):
        return Formed(asks=Definition(term=other.term.text), form=other.form, sure=other.term.sure)
    return perhaps


def _is_kind(text: str, known: KnownMention) -> bool:
    """Tell whether a term is the word for a kind of documents, which may be meant: 'principles'."""
    return not known.documents and bool(kinds.kinds_named(text[known.start : known.end]))


class _Part(NamedTuple):
    """Words that may be all of a question; ``whole`` where they say nothing else.

    ``stated`` where something is stated beside, so that the words must say what they ask.
    """

    text: str
    whole: bool = True
    stated: bool = False


def _tried(masked: Masked, lang: Lang) -> Iterator[_Part]:
    """The text; the sentence that asks; the clause that does, where nothing else asks or names."""
    text = masked.text
    yield _Part(text)
    sentences = _SENTENCE.split(text)
    if sentences[1:]:
        asking = [item for item in sentences if item.rstrip().endswith("?")]
        yield from map(_Part, asking if len(asking) == 1 else sentences[-1:])
    clauses = clauses_of(text, lang)
    for place, clause in reversed(list(enumerate(clauses))):
        others = clauses[:place] + clauses[place + 1 :]
        if any(_is_of_its_own(item, masked, lang) for item in others):
            continue
        if clause != text.strip(_ENDS):
            yield _Part(clause, whole=False, stated=_names_another(others, clause, masked))
        before, embedded = _embedded(clause, lang)
        if embedded and not has_sign(before) and not asks(before, lang):
            yield _Part(embedded, whole=False, stated=True)


def _is_of_its_own(clause: str, masked: Masked, lang: Lang) -> bool:
    """Tell whether a clause asks something beside what another does, or names a document."""
    if masked.references(clause):
        return True
    return asks(clause, lang) and not (referring(clause, lang) or asks_no_other(clause, lang))


def _names_another(others: Sequence[str], clause: str, masked: Masked) -> bool:
    """Tell whether other clauses name something that a clause does not."""
    named = {masked.plain(sign) for item in others for sign in signs(item)}
    return bool(named.difference(map(masked.plain, signs(clause))))


def _embedded(clause: str, lang: Lang) -> tuple[str, str]:
    """'The auditor asks what islanding means': what stands before the question, and that."""
    places = [match.start() for match in _question_word(lang).finditer(clause)]
    return (clause[: places[-1]], clause[places[-1] :]) if places and places[-1] else ("", "")


def _fitting(part: _Part, lang: Lang, masked: Masked) -> Formed | None:
    """Return what a part asks by the surest form, as it is written before it is spelt right."""
    bare = bare_question(part.text, lang)
    plain = bare_question(without_fillers(bare, lang), lang)
    wordings = dict.fromkeys((plain, bare, part.text.strip(_ENDS), mended(plain, lang)))
    perhaps: Formed | None = None
    for text in wordings:
        if (found := _formed(text, part, lang, masked)) and found.sure:
            return found
        perhaps = perhaps or found
    return perhaps


def _formed(text: str, part: _Part, lang: Lang, masked: Masked) -> Formed | None:
    for form in _that_may_fit(text, lang, masked):
        match = form.pattern.fullmatch(text)
        if not match or (form.bare and not part.whole) or (part.stated and form.group != "said"):
            continue
        if found := _read(form, match, lang, masked):
            return found
    return None


def _that_may_fit(question: str, lang: Lang, masked: Masked) -> Sequence[_Form]:
    """Return the forms of a meaning, and those of a whole document where one is named."""
    return _forms(lang) if masked.references(question) else _forms_of_meaning(lang)


def _read(form: _Form, match: re.Match[str], lang: Lang, masked: Masked) -> Formed | None:
    filled = ((name.rstrip("0123456789"), text) for name, text in match.groupdict().items() if text)
    slots = dict(filled)
    if form.group in _MEANINGS:
        term = asked_term(slots["term"], lang, masked, form.place)
        if not term:
            return None
        return Formed(asks=Definition(term=term.text), form=form.written, sure=term.sure)
    titled = any(sign in masked.titles for sign in slots["document"])
    if titled and _may_define(masked.plain(match.string), lang):
        # 'What is security by design?' asks for a meaning, which no title tells.
        titled_so = Definition(term=masked.plain(slots["document"]))
        return Formed(asks=titled_so, form=form.written, sure=False)
    named = Named(references=masked.references(slots["document"]))
    return Formed(asks=named, form=form.written)


def _may_define(question: str, lang: Lang) -> bool:
    """Tell whether a meaning may be asked of what is a title too."""
    return any(form.pattern.fullmatch(question) for form in _forms_of_meaning(lang))


@cache
def _question_word(lang: Lang) -> re.Pattern[str]:
    return compiled(rf"\b({'|'.join(pack(lang).core.questions.words)})\b")


@cache
def _forms(lang: Lang) -> tuple[_Form, ...]:
    """The forms of a language, the surest first."""
    said = pack(lang).forms
    groups = {
        "whole": said.named.whole,
        "said": said.definition.said,
        "asked": said.definition.asked,
    }
    return tuple(_compiled(group, form, lang) for group, forms in groups.items() for form in forms)


@cache
def _forms_of_meaning(lang: Lang) -> tuple[_Form, ...]:
    return tuple(form for form in _forms(lang) if form.group in _MEANINGS)


def _compiled(group: str, form: str, lang: Lang) -> _Form:
    places, slots = count(), _slots(lang)

    def slot(found: re.Match[str]) -> str:
        # A form may have a slot twice.
        return _NAME.sub(lambda name: f"?P<{name[1]}{next(places)}>", slots[found[1]])

    return _Form(group, form, Form(form, _SLOT.sub(slot, form)))


@cache
def _slots(lang: Lang) -> dict[str, str]:
    core = pack(lang).core
    before = (*core.words.definite, *core.words.indefinite, *core.owners.before)
    onto = f"|({'|'.join(core.words.elided)})['\u2019]" if core.words.elided else ""
    joins = f"( ?, ?| ({'|'.join(core.references.joins)}) )"
    document = f"(({'|'.join((*before, *core.questions.pronouns))}) {onto})?{DOCUMENT}"
    return {
        "term": f"(?P<term>{TERM}|.+?)",
        "document": f"(?P<document>{document}({joins}{document})*)",
    }
