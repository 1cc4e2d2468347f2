"""The term named before a question for its meaning: 'Everybody says TSO, what is that?'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.language import cues, forms, meanings
from elysia_guard.language.courtesy import is_manner, is_polite, plain
from elysia_guard.language.objects import (
    Asked,
    asks,
    clauses_of,
    direct,
    explicit_term,
    term_in,
)

MAX_ALONE = 4
"""Words of a clause that may as a whole be what 'what is that?' is about."""
_MEANT, _WHAT = cues.MEANT + meanings.OF_A_TERM, cues.WHAT + meanings.WHAT_IT_IS
_CALLED_OUT = re.compile(r"[?!\u2026]$")


def referred(text: str) -> Asked | None:
    """'Everybody says TSO, what is that?': the cue refers to what another clause names."""
    clauses = [clause for clause in clauses_of(text) if not is_polite(clause)]
    said = [clause for clause in clauses if not is_manner(clause)]
    for place in reversed(range(len(said) if said[1:] else 0)):
        if cue := _cue(said[place]):
            return _meant_by(cue, said[:place], said[place + 1 :])
    return _meant_by(_TOLD, said, []) if said and said != clauses else None


class _Cue(NamedTuple):
    """Words that ask what something is.

    ``meant`` where they can only be said of a term; ``alone`` where the clause asks no more;
    ``sure`` where they ask for no more than a meaning.
    """

    meant: bool
    alone: bool
    sure: bool = True


_TOLD = _Cue(meant=False, alone=True, sure=False)
"""Words that say how to tell of something, and so ask to be told of it."""


def _meant_by(cue: _Cue, before: list[str], after: list[str]) -> Asked | None:
    only = cue.alone and not any(map(_asks_on, [*before, *after]))
    if not cue.sure and not only:
        return None
    found = _antecedent(before or after, cue)
    return found if found is None or only else found._replace(sure=False)


def _cue(clause: str) -> _Cue | None:
    if cues.FOR_SOMEBODY.search(clause):
        return None
    bare = plain(clause)
    shorter = cues.TAIL.sub("", bare)
    for said, alone in ((bare, True), (shorter, bool(cues.WORD_TOO.search(bare[len(shorter) :])))):
        if said != bare and direct(clause):
            return None  # 'the meaning of islanding' holds the Dutch word for 'or'
        for forms_of, meant in ((_MEANT, True), (_WHAT, False)):
            if any(form.fullmatch(said) for form in forms_of):
                return _Cue(meant, alone)
    return _TOLD if any(form.fullmatch(bare) for form in meanings.EXPLAINED) else None


def _asks_on(clause: str) -> bool:
    """Tell whether a clause asks something else than what a term means."""
    return asks(clause) and not _cue(clause) and not direct(clause) and not _alone(clause)


def _antecedent(context: Sequence[str], cue: _Cue) -> Asked | None:
    """Find what a cue refers to, the nearest clause first, by the most certain way there is."""
    near = context[::-1]
    if found := next(filter(None, map(direct, near)), None):
        return found
    for find in (_asked_inside, _quoted, _spoken_of):
        if term := next(filter(None, map(find, near)), None):
            return Asked(term, cue.sure)
    if len(context) == 1 and (term := _alone(context[0])):
        return Asked(term, cue.sure)
    if term := next(filter(None, map(_met_with, near)), None):
        return Asked(term, sure=False)
    if found := _standing_out(context):
        return found
    if not cue.meant:
        return None
    written = {item for clause in near for item in cues.ACRONYM.findall(clause)}
    return Asked(written.pop()) if len(written) == 1 else Asked(near[0], sure=False, vague=True)


def _standing_out(context: Sequence[str]) -> Asked | None:
    """'RTU?? Came up today': what stands in front, or the one clause that may be a term."""
    terms = [term for clause in context if (term := _alone(clause))]
    if terms and (len(terms) == 1 or (_CALLED_OUT.search(context[0]) and _alone(context[0]))):
        return Asked(terms[0], sure=False)
    return Asked(" ".join(context), sure=False, vague=True) if terms else None


def _asked_inside(clause: str) -> str | None:
    return _named_by(cues.INSIDE, clause)


def _quoted(clause: str) -> str | None:
    found = cues.QUOTATION.findall(clause)
    return term_in(found[0]) if len(found) == 1 else None


def _spoken_of(clause: str) -> str | None:
    return _named_by(cues.SPOKEN_OF, meanings.CALLS_IT.sub("called ", clause))


def _met_with(clause: str) -> str | None:
    return _named_by(cues.MET_WITH, clause, last=True)


def _named_by(
    patterns: Sequence[re.Pattern[str]], clause: str, *, last: bool = False
) -> str | None:
    bare = clause.rstrip(" .!?\u2026")
    matches = [found for form in patterns for found in form.finditer(bare)]
    matches.sort(key=lambda found: found.start(), reverse=last)
    return next(filter(None, (term_in(found["term"]) for found in matches)), None)


def _alone(clause: str) -> str | None:
    """'Droop control, what is that?'; 'the gateway failed' is no term, however short."""
    named = meanings.LABEL.sub("", plain(clause), count=1)
    if len(named.split()) > MAX_ALONE or forms.QUESTION_WORDS.search(named):
        return None
    refused = any(pattern.fullmatch(named) for pattern in meanings.NOT_A_TERM)
    return None if refused or meanings.DEFINITE.match(named) else explicit_term(named)
