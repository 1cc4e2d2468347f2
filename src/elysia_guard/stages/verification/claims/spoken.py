"""Which languages a sentence may be in: by its own words, whatever language was asked in."""

from __future__ import annotations

from functools import lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import function_word_counts

SURE = 2
"""So many more function words than another language has tell the one from the other."""


@lru_cache(maxsize=4_000)
def spoken(text: str, default: Lang) -> tuple[Lang, ...]:
    """Return the languages that a text may be in, the likeliest first.

    Args:
        text: a sentence, or a part of a source.
        default: what it is said to be in, which is first where it may be; a language without a
            pack is believed.
    """
    if default not in langs():
        return (default,)
    counts = function_word_counts(text)
    most = max(counts.values())
    if not most:
        return (default,)
    near = [lang for lang, count in counts.items() if count > most - SURE]
    return tuple(sorted(near, key=lambda lang: (lang != default, -counts[lang])))
