"""How likely words are in running text, by the vocabulary that the bundled model reads with.

It was learnt from text in sixteen languages: 128,000 pieces of words, each with its chance
(SentencePiece, Kudo 2018). A common word is one piece; another is as likely as its pieces together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from elysia_guard.adapters.embedders.bundled import pieces_of
from elysia_guard.ports import WordChance

REMEMBERED = 20_000
"""Words."""


async def word_chances(words: Sequence[str], /) -> Mapping[str, WordChance]:
    """Return the chance of each word, written small or with a capital, whichever is likelier.

    Raises:
        SourceUnavailableError: the bundled model cannot be read.
    """
    return {word: _chance(word) for word in words}


@lru_cache(maxsize=REMEMBERED)
def _chance(word: str) -> WordChance:
    read = [pieces_of(written) for written in dict.fromkeys((word, word.capitalize()))]
    return WordChance(
        log=max(sum(scores) for scores in read), whole=any(len(scores) == 1 for scores in read)
    )
