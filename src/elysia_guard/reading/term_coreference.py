"""A meaning asked of what another clause names: 'They kept saying islanding, what is that?'."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language import kinds
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import pack
from elysia_guard.language.phrases import Form
from elysia_guard.language.preamble import bare_question, mended, without_fillers
from elysia_guard.language.stems import is_stop_word
from elysia_guard.language.text import QUOTES, unquote, words
from elysia_guard.reading.asked_terms import AskedTerm, TermPlace, asked_term
from elysia_guard.reading.masking import TERM, Masked, has_sign, signs

_CLAUSE: Final = r"\s*[,;:.!\u2026]\s+|(?<=\?)\s+|\s[-\u2013\u2014]+\s"
_ACRONYM: Final = re.compile(r"\b[A-Z][A-Z0-9-]+[A-Z0-9]\b")
_IN_A_WORD: Final = re.compile(rf"[\w-]{TERM}|{TERM}[\w-]")
_EVERY: Final = re.compile(TERM)
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")


MOST_ALONE: Final = 5
"""Words of what may as a whole be what 'what is that?' is about."""


class Referred(NamedTuple):
    """The term that a question refers to, and the form by which it does."""

    term: AskedTerm
    form: str


def clauses_of(text: str, lang: Lang) -> list[str]:
    """Split a text where a clause may end, and before an 'and' with a question word."""
    return [part for part in _clause(lang).split(text) if part and any(map(_says, part))]


def referred(masked: Masked, lang: Lang) -> Referred | None:
    """Return the term that one clause asks of and one other names."""
    clauses = clauses_of(masked.text, lang)
    for clause in reversed(clauses) if clauses[1:] else ():
        if form := referring(clause, lang):
            others = [item for item in clauses if not referring(item, lang)]
            term = _named_in(others, lang, masked)
            return Referred(term, form) if term else None
    return None


def referring(clause: str, lang: Lang) -> str:
    """The form by which a clause asks of what was named before; empty where it does not."""
    bare = bare_question(clause, lang)
    for said in dict.fromkeys((bare, bare_question(without_fillers(bare, lang), lang))):
        right = mended(said, lang)
        for written, form in _forms(lang):
            if form.fullmatch(said) or form.fullmatch(right):
                return written
    return ""


def asks(clause: str, lang: Lang) -> bool:
    """Tell whether a clause asks something of its own."""
    asking = pack(lang).core.questions
    first = (words(bare_question(clause, lang)) or [""])[0]
    begins = first in (*asking.words, *asking.verbs, *asking.imperatives)
    return begins or clause.rstrip().endswith("?") or bool(kinds.kinds_named(clause))


def asks_no_other(clause: str, lang: Lang) -> bool:
    """Tell whether a clause asks what 'it' is or does, and no more: '... what does it tell us?'."""
    asking, said = pack(lang).core.questions, words(bare_question(clause, lang))
    if has_sign(clause) or not said or said[0] not in _of_role(lang, "meant"):
        return False
    beside = (*asking.words, *asking.verbs, *asking.imperatives, *asking.fillers)
    small = all(word in beside or is_stop_word(word, lang) for word in said)
    return small and not _of_role(lang, "thing", "things").isdisjoint(said)


def _named_in(clauses: Sequence[str], lang: Lang, masked: Masked) -> AskedTerm | None:
    """The one term that clauses name: quoted, known, all that a clause says, or an acronym."""
    said = " ".join(clauses)
    if masked.references(said) or kinds.kinds_named(said):
        return None
    if found := signs(said):
        written = {sign: masked.plain(sign) for sign in found}
        quoted = [sign for sign in found if written[sign][0] in QUOTES]
        apart = quoted or [sign for sign in found if not _is_within(sign, said, lang)]
        named = quoted or [sign for sign in apart if _is_spoken_of(sign, said, written, lang)]
        several = len({unquote(written[sign]) for sign in apart}) > 1
        return AskedTerm(unquote(written[named[0]])) if named and not several else None
    if _is_short(said) and (alone := asked_term(said, lang, masked, TermPlace.NAMED)):
        return alone
    acronyms = set(_ACRONYM.findall(said))
    return AskedTerm(acronyms.pop()) if len(acronyms) == 1 else None


def _is_spoken_of(sign: str, said: str, written: Mapping[str, str], lang: Lang) -> bool:
    """Tell a term that somebody uses from a word of what is told: 'a supplier wrote to us'."""
    if _IN_A_WORD.search(said) or _POSSESSIVE.search(written[sign]):
        return False
    if _is_short(said):
        return True
    before, after = words(said[: said.index(sign)]), words(said[said.index(sign) + 1 :])
    core = pack(lang).core.words
    begins = set(before) <= {*core.definite, *core.indefinite}
    return not begins and (not after or is_stop_word(after[0], lang))


def _is_within(sign: str, said: str, lang: Lang) -> bool:
    """Tell whether a term only says of which one before it is spoken: 'the port on his meter'."""
    *earlier, between = _EVERY.split(said[: said.index(sign)])
    linking = words(between)
    if not earlier or "," in between or not linking:
        return False
    rest = all(is_stop_word(word, lang) for word in linking)
    return rest and linking[0] in _of_role(lang, "prepositions")


def _is_short(said: str) -> bool:
    return len(said.split()) <= MOST_ALONE


def _says(char: str) -> bool:
    return char.isalnum() or has_sign(char)


@cache
def _clause(lang: Lang) -> re.Pattern[str]:
    core = pack(lang).core
    joins, asking = "|".join(core.owners.joins), "|".join(core.questions.words)
    return re.compile(rf"{_CLAUSE}|\s(?:{joins})\s+(?=(?:{asking})\b)", re.IGNORECASE)


@kept_by_kinds()
def _of_role(lang: Lang, *roles: str) -> frozenset[str]:
    table = pack(lang).table("clauses", optional=True)
    return frozenset(word for role in roles for word in table.get(role, ()))


@cache
def _forms(lang: Lang) -> tuple[tuple[str, Form], ...]:
    return tuple((form, Form(form, form)) for form in pack(lang).forms.definition.refers)
