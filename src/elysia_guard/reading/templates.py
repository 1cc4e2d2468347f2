"""The core forms of a question, as the language packs write them, read over what it mentions.

A form fits a whole question, or the sentence or clause of it that asks, without the courtesy
around it and the words in it that say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final, NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Named
from elysia_guard.language import kinds
from elysia_guard.language.around import mended, without_courtesy, without_fillers
from elysia_guard.language.pack import pack
from elysia_guard.language.phrases import compiled
from elysia_guard.language.stems import is_stop_word
from elysia_guard.language.text import normalise, unquote, words
from elysia_guard.reading.masking import DOCUMENT, TERM, Known, Masked, has_sign, is_sign

MOST_WORDS = 8
"""Words of a term that is said in so many words to be one."""
MOST_NAMED = 5
"""Words of a term that nothing but its place says to be one."""
_SLOT: Final = re.compile(r"\{(\w+)\}")
_NAME: Final = re.compile(r"\?P<(\w+)>")
_SENTENCE: Final = re.compile(r"(?<=[.!?\u2026])\s+(?=\S)")
_CLAUSE: Final = re.compile(r"\s*[,;:.!\u2026]\s+|(?<=\?)\s+|\s[-\u2013\u2014]+\s")
_ACRONYM: Final = re.compile(r"\b[A-Z][A-Z0-9-]+[A-Z0-9]\b")
_ENDS: Final = " ?!.,;:\u2026"

Asks = Definition | Named


@dataclass(frozen=True, kw_only=True, slots=True)
class Formed:
    """What the form of a question asks; ``form`` is the form, as the pack writes it."""

    asks: Asks
    form: str


class _Form(NamedTuple):
    group: str
    written: str
    pattern: re.Pattern[str]

    @property
    def bare(self) -> bool:
        """Whether it is no more than a name."""
        return bool(_SLOT.fullmatch(self.written))


def read_template(text: str, lang: Lang, known: Sequence[Known] = ()) -> Formed | None:
    """Return what a question asks by one of the core forms of its language; None for all others.

    Args:
        text: the question.
        lang: its language.
        known: the terms and titles that it mentions. Numbers of documents are found here.

    >>> read_template("Hi, what does islanding mean?", "en").asks.term
    'islanding'
    """
    masked = Masked.of(text, [item for item in known if not _is_kind(text, item)])
    for part in _tried(masked.text, lang):
        if found := _fitting(part, lang, masked):
            return found
    return _referring(masked, lang)


def _is_kind(text: str, known: Known) -> bool:
    """Tell whether a term is the word for a kind of documents, which may be meant: 'principles'."""
    return not known.documents and bool(kinds.kinds_named(text[known.start : known.end]))


class _Part(NamedTuple):
    """Words that may be all of a question; ``whole`` where they say nothing else."""

    text: str
    whole: bool = True
    embedded: bool = False


def _tried(text: str, lang: Lang) -> Iterator[_Part]:
    """The text; the sentence that asks; the clause that does, where nothing else asks or names."""
    yield _Part(text)
    sentences = _SENTENCE.split(text)
    asking = [item for item in sentences if item.rstrip().endswith("?")]
    yield from map(_Part, asking if len(asking) == 1 else sentences[-1:])
    clauses = [part for part in _CLAUSE.split(text) if part and part.strip()]
    for place, clause in reversed(list(enumerate(clauses))):
        others = clauses[:place] + clauses[place + 1 :]
        if not any(has_sign(item) or _asks(item, lang) for item in others):
            yield _Part(clause, whole=False)
    for clause in clauses:
        before, embedded = _embedded(clause, lang)
        if embedded and not has_sign(before) and not _asks(before, lang):
            yield _Part(embedded, whole=False, embedded=True)


def _asks(clause: str, lang: Lang) -> bool:
    asking = pack(lang).core.questions
    first = (words(without_courtesy(clause, lang)) or [""])[0]
    begins = first in (*asking.words, *asking.verbs, *asking.imperatives)
    return begins or clause.rstrip().endswith("?") or bool(kinds.kinds_named(clause))


def _embedded(clause: str, lang: Lang) -> tuple[str, str]:
    """'The auditor asks what islanding means': what stands before the question, and that."""
    places = [match.start() for match in _question_word(lang).finditer(clause)]
    return (clause[: places[-1]], clause[places[-1] :]) if places and places[-1] else ("", "")


def _fitting(part: _Part, lang: Lang, masked: Masked) -> Formed | None:
    bare = without_courtesy(part.text, lang)
    plain = without_courtesy(without_fillers(bare, lang), lang)
    spelt = mended(plain, lang)
    for question in dict.fromkeys((spelt, plain, bare, part.text.strip(_ENDS))):
        for form in _forms(lang):
            if (form.bare and not part.whole) or (part.embedded and form.group != "said"):
                continue
            match = form.pattern.fullmatch(question)
            if match and (asks := _asked(form.group, match, lang, masked)):
                return Formed(asks=asks, form=form.written)
        if part.whole and is_sign(question) and question in masked.terms:
            return Formed(asks=Definition(term=unquote(masked.plain(question))), form="{term}")
    return None


def _asked(group: str, match: re.Match[str], lang: Lang, masked: Masked) -> Asks | None:
    filled = ((name.rstrip("0123456789"), text) for name, text in match.groupdict().items() if text)
    slots = dict(filled)
    if group in {"said", "asked"}:
        if kinds.kinds_named(match.string.replace(slots["term"], " ")):
            return None  # 'How does the policy define X?'
        term = _term(slots["term"], lang, masked, said=group == "said")
        return Definition(term=term) if term else None
    titled = any(sign in masked.titles for sign in slots["document"])
    if titled and _may_define(masked.plain(match.string), lang):
        return None  # 'What is security by design?'
    return Named(references=masked.references(slots["document"]))


def _may_define(question: str, lang: Lang) -> bool:
    """Tell whether a meaning may be asked of what is a title too."""
    groups = ("said", "asked")
    return any(form.group in groups and form.pattern.fullmatch(question) for form in _forms(lang))


def _referring(masked: Masked, lang: Lang) -> Formed | None:
    """'They kept saying islanding, what is that?': what one other clause names is meant."""
    clauses = [part for part in _CLAUSE.split(masked.text) if part and part.strip()]
    for place, clause in reversed(list(enumerate(clauses))):
        bare = without_courtesy(clause, lang)
        for form in _referring_forms(lang):
            if any(map(form.pattern.fullmatch, (bare, without_fillers(bare, lang)))):
                term = _antecedent(clauses[:place] or clauses[place + 1 :], lang, masked)
                return Formed(asks=Definition(term=term), form=form.written) if term else None
    return None


def _antecedent(clauses: list[str], lang: Lang, masked: Masked) -> str:
    """The one term that clauses name: known, quoted, all that a clause says, or an acronym."""
    said = " ".join(clauses)
    if masked.references(said) or kinds.kinds_named(said):
        return ""
    if terms := [sign for sign in masked.terms if sign in said]:
        return unquote(masked.plain(terms[0])) if len(terms) == 1 else ""
    if len(clauses) == 1 and (alone := _term(clauses[0], lang, masked, said=False)):
        return alone
    found = set(_ACRONYM.findall(said))
    return found.pop() if len(found) == 1 else ""


def _term(raw: str, lang: Lang, masked: Masked, *, said: bool) -> str:
    """Return the term that stands in a place for one; nothing where none can."""
    bare, article = _without_article(unquote(raw), lang)
    term = unquote(masked.plain(bare))
    found = words(term)
    if masked.references(bare) or not found or len(found) > MOST_WORDS:
        return ""
    if is_sign(bare):
        return term
    listed = pack(lang).core
    if set(found) & {*listed.questions.pronouns, *listed.questions.words}:
        return ""
    definite = article in listed.words.definite or article in listed.words.elided
    if kinds.kinds_named(term):
        named = normalise(term) in _kinds_as_terms() or article in listed.words.indefinite
        return term if named and not definite else ""
    little = [word for word in found if is_stop_word(word, lang)]
    if found[0] in little:
        return term if term.isupper() else ""
    if said:
        return term
    plain = len(found) <= MOST_NAMED and all(word in listed.questions.links for word in little)
    return term if plain and not definite else ""


def _without_article(raw: str, lang: Lang) -> tuple[str, str]:
    """Return a name without its article and what calls it a term, and the article."""
    article = _article(lang).match(raw)
    bare = raw[article.end() :].strip() if article else raw
    label = _label(lang).match(bare)
    if label and (article or label["of"] or has_sign(bare)):
        inner, _ = _without_article(bare[label.end() :].strip(), lang)
        return inner, ""
    written = article[0].casefold().rstrip("'\u2019 ") if article else ""
    return bare, written


@cache
def _question_word(lang: Lang) -> re.Pattern[str]:
    return compiled(rf"\b({'|'.join(pack(lang).core.questions.words)})\b")


@cache
def _article(lang: Lang) -> re.Pattern[str]:
    listed = pack(lang).core.words
    onto = "".join(f"|{word}['\u2019](?=\\S)" for word in listed.elided)
    return compiled(rf"(({'|'.join((*listed.definite, *listed.indefinite))})\s{onto})")


@cache
def _label(lang: Lang) -> re.Pattern[str]:
    said = pack(lang).core
    links = "|".join(said.questions.links)
    return compiled(rf"({'|'.join(said.words.naming)})(?P<of>\s({links}))?\s(?=\S)")


@cache
def _kinds_as_terms() -> frozenset[str]:
    named = (word for kind in kinds.KINDS for word in kinds.nouns(kind, many=False))
    return frozenset((*kinds.PREFIXES, *named))


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
def _referring_forms(lang: Lang) -> tuple[_Form, ...]:
    return tuple(_compiled("refers", form, lang) for form in pack(lang).forms.definition.refers)


def _compiled(group: str, form: str, lang: Lang) -> _Form:
    places, slots = count(), _slots(lang)

    def slot(found: re.Match[str]) -> str:
        # A form may have a slot twice.
        return _NAME.sub(lambda name: f"?P<{name[1]}{next(places)}>", slots[found[1]])

    return _Form(group, form, compiled(_SLOT.sub(slot, form)))


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
