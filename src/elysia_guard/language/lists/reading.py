"""How a phrase is read and taken out of a question."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language import kinds
from elysia_guard.language.phrases import spoken

GAP: Final = "\n"
"""Stands in the place of what was taken out: no phrase reaches across it."""
KINDS: Final = "|".join(kinds.pattern(kind) for kind in kinds.KINDS)
NOW: Final = (
    r"((right )?now|today|currently|at (the|this) moment|nu|momenteel|op dit moment|derzeit"
    r"|aktuell|zurzeit|im moment|jetzt)"
)
RECORD: Final = f"({'|'.join((*kinds.records(), *kinds.PREFIXED_RECORD))})"
_ABOUT_WORD = r"\b(about|on|over|regarding|concerning|über|zu|zum|zur|rond|betreffende)\s"
_ABOUT = re.compile(spoken(_ABOUT_WORD), re.IGNORECASE)
_ABOUT_IT = re.compile(spoken(rf"{_ABOUT_WORD}+((the|de|het|die|der|den) )?$"), re.IGNORECASE)


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile a phrase; its ends may be those of a part between two gaps."""
    return re.compile(spoken(pattern), re.IGNORECASE | re.MULTILINE)


RECORDS: Final = phrase(rf"\b{RECORD}(?![\w-])")
"""Approval records, whatever they are called."""
NOISE: Final = phrase(
    r"\b((we|you|they)'(ve|re|d|ll)|(short|quick|brief|korte?"
    r"|kurze?)(?= (list|overview|lijst|overzicht|liste|übersicht))|lijstje|overzichtje|zeige?n?"
    r"|nenne?n?|gebt?|schicke?n?|listet?|aller|unserer|unseren|unserem|eine[nmrs]?|complete"
    r"|volledige?|vollständige"
    r"|several|various|a few|meerdere|diverse|einige|mehrere|etliche|enkele"
    r"|eigenlijk|eigentlich|actually|please|pls|graag|gerne?|alsjeblieft|alstublieft|aub|svp"
    r"|in tot(al|aal)|insgesamt|altogether|overall|sämtliche[nrs]?|allemaal|alles|every single"
    r"|(full|entire|whole|hele|gehele|volledige"
    r"|gesamte[ns]?)( (set|lot|collection|stack|range|verzameling|reeks|bestand|menge))?"
    r"|(set|register|collection|catalogue?|inventory|rundown|roster|listing|verzameling"
    r"|opsomming|inventaris|verzeichnis|aufstellung|aufzählung|auflistung|zusammenstellung"
    r"|sammlung)(?= (of|van|mit|der|von|aller?|sämtlicher|unserer|met)\b)"
    r"|appl(y|ies|ying)|concerns?|covers?|covering|betreffen|betreft)\b|[()]"
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
