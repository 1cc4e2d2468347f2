"""Where in the sources a sentence of a model stands: it points there, and is never shown itself."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from elysia_guard.domain.document import Passage
from elysia_guard.domain.manuscript import Pointer
from elysia_guard.language.pack import SPOKEN_FIRST, langs
from elysia_guard.language.sentences import units
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import clean

Place = tuple[Passage, str]
"""A sentence, an item or a row of a passage, as it stands there."""

ALIKE = 0.6
"""The least that a sentence and its place have in common; see ``_likeness``."""
_MARKS = re.compile(r"\[[^\[\]]*\d[^\[\]]*\]")


def located(pointer: Pointer, told: Sequence[Passage]) -> list[Place | None]:
    """Return where each sentence stands of what was written as one; None for nowhere.

    It is looked for in the sources that are named, or else in all of those told. Whatever goes
    wrong meanwhile, it is not located then.
    """
    named = [told[n - 1] for n in pointer.sources if 1 <= n <= len(told)]
    try:
        parts = units(_MARKS.sub(" ", pointer.text)) or (pointer.text,)
        return [_nearest(part, named) or _nearest(part, told) for part in parts]
    except Exception:  # noqa: BLE001  (no word of a model may cost anybody the answer)
        return [None]


def _nearest(text: str, passages: Sequence[Passage]) -> Place | None:
    """The place that has most in common with a text; the first of those that are alike."""
    rated = [(_likeness(text, place), place) for place in _places(passages)]
    likeness, place = max(rated, key=lambda item: item[0], default=(0.0, None))
    return place if likeness >= ALIKE else None


def _places(passages: Sequence[Passage]) -> Iterator[Place]:
    for passage in passages:
        for unit in units(passage.text, passage.document.lang):
            if not unit.endswith("?"):
                yield passage, unit


def _likeness(text: str, place: Place) -> float:
    """How much of both texts is the same words, 0 to 1; the document's own name counts for none."""
    passage, unit = place
    said, there = _words(text, passage), _words(unit, passage)
    named = _words(f"{passage.document.identifier} {passage.document.title}", passage)
    said -= named - there
    return 2 * len(said & there) / (len(said) + len(there)) if said and there else 0.0


def _words(text: str, passage: Passage) -> set[str]:
    """The words of a text that carry content, whatever their case, marks and signs."""
    plain, own = unicodedata.normalize("NFKC", clean(text)), passage.document.lang
    return set(content_words(plain, own if own in langs() else SPOKEN_FIRST))
