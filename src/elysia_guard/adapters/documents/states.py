"""The states of a document, in the words of three languages."""

from __future__ import annotations

import re

_WORDS = {
    "superseded": "superseded|replaced|vervangen|ersetzt",
    "accepted": "accepted|approved|final|geaccepteerd|aanvaard|goedgekeurd|vastgesteld|definitief"
    "|angenommen|akzeptiert|genehmigt",
    "proposed": "proposed|draft|voorgesteld|concept|vorgeschlagen|entwurf",
    "rejected": "rejected|afgewezen|verworpen|abgelehnt",
    "deprecated": "deprecated|obsolete|withdrawn|retired|vervallen|verouderd|ingetrokken|veraltet"
    "|zurückgezogen",
}
_STATES = {state: re.compile(rf"(?:{words})\b", re.IGNORECASE) for state, words in _WORDS.items()}
_SUCCESSOR = re.compile(r"\b(?:superseded by|vervangen door|ersetzt durch)\b", re.IGNORECASE)


def known_state(text: str) -> str:
    """Return the state that a text begins with, or nothing.

    >>> known_state("Vastgesteld op 3 mei"), known_state("accepted; superseded by ADR-0007")
    ('accepted', 'superseded')
    """
    if _SUCCESSOR.search(text):
        return "superseded"
    return next((state for state, words in _STATES.items() if words.match(text)), "")
