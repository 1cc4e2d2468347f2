"""What a question asks the meaning of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from elysia_guard.language import cues, forms, meanings
from elysia_guard.language.antecedents import referred
from elysia_guard.language.courtesy import plain
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.objects import (
    MAX_TERM_WORDS,
    POSSESSIVE,
    SENTENCES,
    Asked,
    all_but_one_state,
    asked_for,
    direct_anywhere,
    explicit_term,
    term_in,
)
from elysia_guard.language.phrases import spoken
from elysia_guard.language.references import find_references
from elysia_guard.language.text import normalise, unquote

MAX_NAMED = 4
"""Words of a term that is named and no more."""


def terminology_term(text: str) -> str | None:
    """Return the term whose meaning is asked for, or None when something else is asked."""
    found = asked(text)
    return found.term if found and found.sure else None


@lru_cache(maxsize=1_000)
def asked(text: str) -> Asked | None:
    """Return what a question asks the meaning of, in whichever of its clauses it does so."""
    if find_references(text):
        return None
    found = referred(text) or direct_anywhere(text) or _named(text)
    return None if found is None or kinds_named(text.replace(found.term, " ")) else found


def maybe_term(text: str) -> str | None:
    """Return what may be a term or a subject: 'the merit order', 'CIM versus CGMES'."""
    if kinds_named(text):
        return None
    if pair := compared(text):
        return " versus ".join(pair)
    found = asked(text)
    return found.term if found else _definite(text) or _doing(text) or _named_perhaps(text)


def compared(text: str) -> tuple[str, ...]:
    """Return the two terms that a question compares, and nothing for any other question.

    >>> compared("What is the difference between a busbar and a bay?")
    ('busbar', 'bay')
    """
    sentences = SENTENCES.split(text)
    for sentence in sentences if all_but_one_state(sentences) else [text]:
        bare = plain(sentence)
        for form in cues.COMPARED:
            if match := form.fullmatch(bare):
                found = match.groupdict()
                two = (found["one"] or found.get("one2"), found["two"] or found.get("two2"))
                pair = tuple(filter(None, (_comparable(raw or "") for raw in two)))
                if len(set(map(normalise, pair))) == len(two):
                    return pair
    return ()


def shorter(term: str) -> Iterator[str]:
    """Yield a term without the noun that only says what sort of thing it is: 'the N-1 rule'."""
    if match := meanings.SORT.fullmatch(term):
        yield match["term"]


def _comparable(raw: str) -> str | None:
    named = meanings.LABEL.sub("", raw.strip(), count=1)
    if POSSESSIVE.match(named) or re.search(spoken(meanings.PREPOSITIONS), named, re.IGNORECASE):
        return None
    return explicit_term(named) if not kinds_named(named) else None


def _definite(text: str) -> str | None:
    """'The rate of change of frequency', 'explain the merit order': a term, or a subject."""
    raw, explicit, _ = asked_for(plain(text))
    bare = unquote(meanings.ARTICLES.sub("", raw))
    if explicit or not bare or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if meanings.MAYBE_A_TERM.fullmatch(raw):
        return bare
    if any(pattern.fullmatch(raw) for pattern in meanings.NOT_A_TERM):
        return None
    return bare if meanings.DEFINITE.match(raw) else None


def _doing(text: str) -> str | None:
    """'What does an aggregator do?'; its definition says so, if there is one."""
    sentences = SENTENCES.split(text)
    matches = (form.fullmatch(plain(item)) for item in sentences for form in cues.DOES)
    if not (match := next(filter(None, matches), None)) or not all_but_one_state(sentences):
        return None
    return term_in(match.groupdict().get("term") or match["term2"])


def _named(text: str) -> Asked | None:
    """'The term curtailment', and no more."""
    term = _named_by(meanings.NAMED, text)
    return Asked(term) if term else None


def _named_perhaps(text: str) -> str | None:
    return _named_by(meanings.NAMED_PERHAPS, text)


def _named_by(patterns: Sequence[re.Pattern[str]], text: str) -> str | None:
    matches = (form.fullmatch(plain(text)) for form in patterns)
    raw = next((found["term"] for found in matches if found), "")
    if not raw or len(raw.split()) > MAX_NAMED or forms.QUESTION_WORDS.search(raw):
        return None
    if any(form.fullmatch(raw) for form in (*meanings.NOT_A_TERM, meanings.NO_NAME)):
        return None
    return explicit_term(meanings.LABEL.sub("", raw, count=1))
