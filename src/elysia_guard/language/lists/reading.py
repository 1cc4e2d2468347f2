"""How a phrase is read and taken out of a question."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language import forms

GAP: Final = "\n"
"""Stands in the place of what was taken out: no phrase reaches across it."""
KINDS: Final = "|".join(word.pattern for word in forms.KIND_WORDS.values())
NOW: Final = r"(?:(?:right\s+)?now|today|currently|at\s+(?:the|this)\s+moment|nu|momenteel|op\s+dit\s+moment|derzeit|aktuell|zurzeit|im\s+moment|jetzt)"
RECORD: Final = r"(?:records?\s+of\s+approval|(?:decision\s+)?approval\s+records?|dar(?:['\u2019]?s)?|goedkeurings(?:records?|verslag(?:en)?|document(?:en)?)|(?:genehmigungs|freigabe)(?:vermerke?n?|protokolle?n?|nachweise?n?|dokumente?n?))"
_ABOUT_WORD = r"\b(?:about|on|over|regarding|concerning|\u00fcber|zu|zum|zur|rond|betreffende)\s"
_ABOUT = re.compile(_ABOUT_WORD, re.IGNORECASE)
_ABOUT_IT = re.compile(rf"{_ABOUT_WORD}+(?:(?:the|de|het|die|der|den)\s+)?$", re.IGNORECASE)


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile a phrase; its ends may be those of a part between two gaps."""
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


RECORDS: Final = phrase(rf"\b{RECORD}(?![\w-])")
"""Approval records, whatever they are called."""
NOISE: Final = phrase(
    r"\b(?:(?:we|you|they)['\u2019](?:ve|re|d|ll)|(?:short|quick|brief|korte?|kurze?)(?=\s+(?:list|overview|lijst|overzicht|liste|\u00fcbersicht))|lijstje|overzichtje|zeige?n?|nenne?n?|gebt?|schicke?n?|listet?|aller|unserer|unseren|unserem|eine[nmrs]?|complete|volledige?|vollst\u00e4ndige"
    r"|several|various|a\s+few|meerdere|diverse|einige|mehrere|etliche|enkele"
    r"|eigenlijk|eigentlich|actually|please|pls|graag|gerne?|alsjeblieft|alstublieft|aub|svp|in\s+tot(?:al|aal)|insgesamt|altogether|overall|s\u00e4mtliche[nrs]?|allemaal|alles|every\s+single"
    r"|(?:full|entire|whole|hele|gehele|volledige|gesamte[ns]?)(?:\s+(?:set|lot|collection|stack|range|verzameling|reeks|bestand|menge))?|(?:set|register|collection|catalogue?|inventory|rundown|roster|listing|verzameling|opsomming|inventaris|verzeichnis|aufstellung|aufz\u00e4hlung|auflistung|zusammenstellung|sammlung)(?=\s+(?:of|van|mit|der|von|aller?|s\u00e4mtlicher|unserer|met)\b)"
    r"|appl(?:y|ies|ying)|concerns?|covers?|covering|betreffen|betreft)\b|[()]"
)
"""What says nothing of which documents are asked for."""


def without(text: str, match: re.Match[str], group: str | int = 0) -> str:
    """Take what matched, or a group of it, out of a text."""
    return f"{text[: match.start(group)]}{GAP}{text[match.end(group) :]}"


def is_subject(text: str, start: int) -> bool:
    """Tell whether what begins there belongs to what the documents are about."""
    return bool(_ABOUT.search(text[:start]))


def names_subject(match: re.Match[str]) -> bool:
    """Tell whether a phrase is itself what they are about: 'a policy on drafts'."""
    return bool(_ABOUT_IT.search(match.string[: match.start()]))
