"""The term that stands in the place of one: 'a busbar' in 'What is a busbar?'."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language import kinds
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.phrases import compiled
from elysia_guard.language.stems import is_stop_word
from elysia_guard.language.text import QUOTES, normalise, unquote, words
from elysia_guard.reading.masking import Masked, has_sign, is_sign, signs

MOST_WORDS: Final = 8
"""Words of a term that is said in so many words to be one."""
MOST_NAMED: Final = 5
"""Words of a term that nothing but its place says to be one."""


_BRACKETS: Final = re.compile(r"\s*\([^()]*\)$")
_MARK: Final = re.compile(r"[,;:?!\u2026]\s|\.{3}|\s[-\u2013\u2014]")


class AskedTerm(NamedTuple):
    """A term whose meaning is asked; unsure where the words may as well name a subject."""

    text: str
    sure: bool = True


class TermPlace(StrEnum):
    """What stands around a place for a term."""

    SAID = "said"
    """A meaning is asked in so many words, and then the term is named."""
    SAID_AFTER = "said_after"
    """The term is named, and then a meaning is asked in so many words."""
    NAMED = "named"
    """Nothing says that it is a term."""


def asked_term(raw: str, lang: Lang, masked: Masked, place: TermPlace) -> AskedTerm | None:
    """Return the term that stands in a place for one, masked; nothing where none can."""
    bare, article = _without_article(unquote(raw), lang)
    if masked.references(bare) or not bare:
        return None
    if is_sign(bare):
        return AskedTerm(unquote(masked.plain(bare)))
    if place is not TermPlace.NAMED and (quoted := _quoted(bare, masked)):
        return AskedTerm(quoted, sure=False)
    listed = pack(lang).core.words
    definite = article in listed.definite or article in listed.elided
    if kinds.kinds_named(masked.plain(bare)):
        named = normalise(masked.plain(bare)) in _kinds_as_terms() and not definite
        return AskedTerm(masked.plain(bare)) if named else None
    if place is TermPlace.SAID:
        shorter = _up_to_its_place(bare, lang)
        if _MARK.search(bare) or (definite and shorter != bare and not has_sign(shorter)):
            return None
        return _unless_a_clause(shorter, lang, masked)
    term = _unless_a_clause(bare, lang, masked)
    if not term or not _is_plain(term.text, lang):
        return None
    called = article in listed.indefinite or " " in term.text or not term.text.islower()
    return term._replace(sure=place is not TermPlace.NAMED or (called and not definite))


def _unless_a_clause(bare: str, lang: Lang, masked: Masked) -> AskedTerm | None:
    """A term, unless it can be none: 'it', 'the word', 'exactly', 'what is wrong'."""
    term = unquote(masked.plain(bare))
    found, core = words(term), pack(lang).core
    asking = core.questions
    if not found or len(found) > MOST_WORDS or _MARK.search(term):
        return None
    if {*asking.pronouns, *asking.words} & set(found):
        return None
    if set(found) <= {*asking.fillers, *core.words.naming}:
        return None
    return AskedTerm(term) if term.isupper() or not is_stop_word(found[0], lang) else None


def _is_plain(term: str, lang: Lang) -> bool:
    """Tell whether a few words are a name, without words that make a clause.

    In brackets may stand whose name it is: 'asset (Terms of the grid)'.
    """
    found = words(_BRACKETS.sub("", term))
    little = (word for word in found if is_stop_word(word, lang))
    links = _links(lang)
    return len(found) <= MOST_NAMED and (term.isupper() or all(word in links for word in little))


def _up_to_its_place(bare: str, lang: Lang) -> str:
    """Return a term without the words that say where or for whom it is asked."""
    found, links, definite = bare.split(), _links(lang), pack(lang).core.words.definite
    small = [word.islower() and is_stop_word(word, lang) for word in found]
    if is_sign(found[0]) and any(small):
        return found[0]
    placing = [word in definite for word in (*found[1:], "")]
    ends = (at for at, word in enumerate(found) if at and (small[at] or placing[at]))
    end = next((at for at in ends if found[at] not in links), len(found))
    while end and found[end - 1] in links:
        end -= 1
    return " ".join(found[:end])


@cache
def _links(lang: Lang) -> frozenset[str]:
    """What may stand within a name: 'the rate of change of frequency'."""
    core = pack(lang).core
    articles = (*core.words.definite, *core.words.indefinite, *core.words.elided)
    return frozenset((*core.words.of, *articles, *core.owners.joins))


def _quoted(bare: str, masked: Masked) -> str:
    """The one term in quotation marks, whatever stands beside it."""
    written = [masked.plain(sign) for sign in signs(bare)]
    quoted = [text for text in written if text[0] in QUOTES]
    return unquote(quoted[0]) if len(quoted) == len(written) == 1 else ""


def without_article(raw: str, lang: Lang) -> str:
    """Return a name without its article and what calls it a term.

    >>> without_article("the term busbar", "en")
    'busbar'
    """
    return _without_article(raw, lang)[0]


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
def _article(lang: Lang) -> re.Pattern[str]:
    listed = pack(lang).core.words
    onto = "".join(f"|{word}['\u2019](?=\\S)" for word in listed.elided)
    return compiled(rf"(({'|'.join((*listed.definite, *listed.indefinite))})\s{onto})")


@cache
def _label(lang: Lang) -> re.Pattern[str]:
    said = pack(lang).core
    links = "|".join(said.questions.links)
    return compiled(rf"({'|'.join(said.words.naming)})(?P<of>\s({links}))?\s(?=\S)")


@kept_by_kinds()
def _kinds_as_terms() -> frozenset[str]:
    named = (word for kind in kinds.numbered() for word in kinds.nouns(kind, many=False))
    return frozenset((*kinds.prefixes(), *named))
