"""The words that stand around numbers, from the packs: 'times', 'per', 'every', 'half'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_file import claim_file
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.text import without_marks


@dataclass(frozen=True, kw_only=True, slots=True)
class QuantityWords:
    """Closed classes of one language, without marks; ``articles`` alone keep theirs."""

    times: frozenset[str]
    per: frozenset[str]
    every: frozenset[str]
    other: frozenset[str]
    half: frozenset[str]
    working: frozenset[str]
    of: frozenset[str]
    articles: frozenset[str]
    often: Mapping[str, int]
    """'twice' is 2."""


@cache
def quantity_words(lang: Lang) -> QuantityWords:
    """Read the classes of a language; those of one without a pack are empty."""
    table = claim_file(lang)
    numbers = table.get("numbers", {})

    def words(name: str) -> frozenset[str]:
        return frozenset(map(plain, numbers.get(name, "").split()))

    indefinite = pack(lang).core.words.indefinite if lang in langs() else ()
    inflected = numbers.get("inflected", {}).get("1", "").split()
    often = numbers.get("often", {}).items()
    return QuantityWords(
        times=words("times"),
        per=words("per"),
        every=words("every"),
        other=words("other"),
        half=words("half"),
        of=words("of"),
        working=frozenset(map(plain, table.get("adjectives", {}).get("working", "").split())),
        articles=frozenset((*indefinite, *(w for w in inflected if w == without_marks(w)))),
        often={plain(word): int(times) for times, said in often for word in said.split()},
    )


@lru_cache(maxsize=20_000)
def plain(word: str) -> str:
    """Put a word in lower case, without its marks."""
    return without_marks(word.casefold())
