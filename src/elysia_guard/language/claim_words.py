"""The closed classes of words by which one sentence is held against another, from the packs.

They stand in the file ``claims.toml`` of a pack; a language without one has none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_file import claim_file
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.phrases import spoken

Table = Mapping[str, Any]
_SECTIONS = ("comparison", "limits")
TIES = ("points", "back", "against", "ahead")
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimWords:
    """What denies, obliges, permits, compares and limits in one language, as patterns."""

    denies: re.Pattern[str]
    modality: Mapping[str, re.Pattern[str]]
    comparison: Mapping[str, re.Pattern[str]]
    limits: Mapping[str, re.Pattern[str]]
    joints: re.Pattern[str]
    """What begins another clause."""
    pronouns: re.Pattern[str]
    """What stands for something that was named before: 'it', 'this is'."""
    back: re.Pattern[str]
    """What else points back: possessives, demonstratives, 'such'."""
    prepositions: frozenset[str]
    """What a time or a place begins with that stands before a sentence: 'in winter'."""
    every: tuple[re.Pattern[str], ...]
    """All of them: words that are compared by their class, not as content."""
    beside: re.Pattern[str]
    """What begins a clause that stands beside the rest behind a mark: ', and', ', so that'."""
    reasons: re.Pattern[str]
    """What begins such a clause without a mark before it, too."""
    joins: frozenset[str]
    """What joins two sentences and changes neither: 'and'."""
    sources: re.Pattern[str]
    """What names a source before what it says: 'according to'."""
    reports: re.Pattern[str]
    """What stands between a source and what it says: 'ADR-0012 says that'."""
    neutral: frozenset[str]
    """Labels before a colon that say that what follows is on no side: 'neutral'."""
    chosen: re.Pattern[str]
    """What tells of a choice before a colon: 'Chosen option: use X'."""
    chooses: re.Pattern[str]
    """What stands in a sentence between whoever chose and what: 'decides to', 'is to'."""
    both: re.Pattern[str]
    """What is said of two things at once: 'both', 'neither'."""
    by: frozenset[str]
    passive: frozenset[str]
    """The auxiliaries of the passive voice."""
    ties: Mapping[str, re.Pattern[str]]
    """What ties a sentence to those around it: 'points' at them, says more of them ('back'), takes
    something of them back ('against'), is said of what follows ('ahead')."""
    denied_must: str
    """What an obligation is that is denied: 'forbidden' ('must not') or 'free' ('muss nicht')."""


@cache
def claim_words(lang: Lang) -> ClaimWords:
    """Read the classes of a language; those of one without a pack are empty.

    Raises:
        PackError: the file cannot be read.
    """
    table = claim_file(lang)
    modality = dict(table.get("modality", {}))
    denied = str(modality.pop("denied_must", "forbidden"))
    asides = table.get("asides", {})
    denies = _pattern(table.get("polarity", {}).get("not", "").split())
    sections = [_patterns(each) for each in (modality, *(table.get(n, {}) for n in _SECTIONS))]
    return ClaimWords(
        denies=denies,
        modality=sections[0],
        comparison=sections[1],
        limits=sections[2],
        joints=_pattern(table.get("joints", {}).get("begin", [])),
        pronouns=_pattern(table.get("joints", {}).get("pronouns", [])),
        back=_pattern(table.get("joints", {}).get("back", [])),
        prepositions=_prepositions(lang),
        every=(denies, *(pattern for section in sections for pattern in section.values())),
        beside=_pattern([*asides.get("marked", []), *asides.get("reasons", [])]),
        reasons=_pattern(asides.get("reasons", [])),
        sources=_pattern(asides.get("sources", [])),
        reports=_pattern(asides.get("reports", [])),
        neutral=frozenset(asides.get("neutral", [])),
        chosen=_pattern(asides.get("chosen", [])),
        chooses=_pattern(asides.get("chooses", [])),
        passive=frozenset(table.get("voice", {}).get("passive", "").split()),
        joins=frozenset(table.get("numbers", {}).get("and", "").split()),
        both=_pattern(table.get("sides", {}).get("both", [])),
        by=frozenset(table.get("voice", {}).get("by", "").split()),
        ties=dict.fromkeys(TIES, _NOTHING) | _patterns(table.get("ties", {})),
        denied_must=denied,
    )


def _prepositions(lang: Lang) -> frozenset[str]:
    clauses = pack(lang).table("clauses", optional=True) if lang in langs() else {}
    return frozenset(map(str.casefold, clauses.get("prepositions", [])))


def _patterns(section: Table) -> dict[str, re.Pattern[str]]:
    return {name: _pattern(phrases) for name, phrases in section.items()}


def _pattern(phrases: list[str]) -> re.Pattern[str]:
    if not phrases:
        return _NOTHING
    ranked = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(spoken, ranked))})(?!\w)", re.IGNORECASE)
