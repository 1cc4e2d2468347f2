"""A sentence in the passive voice and one in the active that say the same, token by token."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_words import claim_words
from elysia_guard.stages.verification.claims.tokens import Token, articles, says

Row = Sequence[Token]


def is_turned_round(own: Row, other: Row, lang: Lang) -> bool:
    """Tell whether one is the other in the other voice, who acts and what is acted on kept.

    'Keys are replaced by the owner each year' is 'The owner replaces the keys each year'.
    """
    small = articles(lang)
    one, two = ([each for each in row if each.text not in small] for row in (own, other))
    return _is_passive_of(one, two, lang) or _is_passive_of(two, one, lang)


def _is_passive_of(passive: Row, active: Row, lang: Lang) -> bool:
    words = claim_words(lang)
    places = [at for at, each in enumerate(passive) if each.text in words.by]
    if len(places) != 1 or any(each.text in words.by for each in active):
        return False
    by = places[0]
    before, behind = passive[:by], passive[by + 1 :]
    found = _parted(before, lang), _parted([*before, *behind[-1:]], lang)
    return _is_active(active, found[0], behind) or _is_active(active, found[1], behind[:-1])


def _parted(row: Row, lang: Lang) -> tuple[Row, Row]:
    """What is acted on, and the verb; none where the verb has no auxiliary before it."""
    begin = len(row) - 2
    if begin < 1 or row[begin].text not in claim_words(lang).passive or not row[-1].stem:
        return (), ()
    return row[:begin], row[begin + 1 :]


def _is_active(active: Row, parted: tuple[Row, Row], behind: Row) -> bool:
    """Whether a sentence is who acts, the verb, what is acted on, and the rest, in that order."""
    acted, verb = parted
    return bool(acted) and any(
        _same(active, [*behind[:cut], *verb, *acted, *behind[cut:]])
        for cut in range(1, len(behind) + 1)
    )


def _same(one: Row, two: Row) -> bool:
    return len(one) == len(two) and all(map(says, one, two))
