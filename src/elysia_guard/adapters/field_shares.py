"""In which fields of a passage the words asked for stand: its title, its headings, its body."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from elysia_guard.adapters.hybrid import Shares, stems_of
from elysia_guard.domain.document import Passage
from elysia_guard.domain.search_weights import Field
from elysia_guard.language.text import without_marks, words


def shares_of(passage: Passage, rarity: Mapping[str, float]) -> Shares:
    """Tell where the words asked for stand.

    Args:
        passage: the passage.
        rarity: what each stem asked for counts, above 0, without its diacritics.
    """
    lang = passage.document.lang
    texts: tuple[tuple[Field, str], ...] = (
        ("title", passage.document.title),
        ("section", passage.section),
        ("body", passage.text),
    )
    held = [(field, _stems(text, lang)) for field, text in texts]
    found: dict[tuple[Field, ...], float] = {}
    for stem, weight in rarity.items():
        fields = tuple(field for field, stems in held if stem in stems)
        if fields:
            found[fields] = found.get(fields, 0.0) + weight
    whole = sum(found.values())
    return tuple((fields, weight / whole) for fields, weight in found.items())


@lru_cache(maxsize=4_096)
def _stems(text: str, lang: str) -> frozenset[str]:
    return frozenset(words(without_marks(stems_of(text, lang))))
