"""What is said beside a question for a list: chatter, and that a list is wanted."""

from __future__ import annotations

import re

from elysia_guard.language.lists.reading import phrase
from elysia_guard.language.lists.scopes import scope_of

_LIST = r"(?:(?:the|an?|de|het|een|die|eine|der)\s+)?(?:(?:full|complete|short|whole|quick|volledige?|hele|korte?|ganze|vollst\u00e4ndige|kurze)\s+)?(?:list|overview|lijst(?:je)?|overzicht(?:je)?|liste|\u00fcbersicht)"
_PLEASE = r"(?:please|pls|thanks|graag|alsjeblieft|alstublieft|aub|svp|bitte|danke)"
_GIVE = r"(?:(?:(?:can|could)\s+you|kun\s+je|kannst\s+du)\s+)?(?:give|show|send|tell|list|name|geef|toon|stuur|noem|gib|zeige?|nenne?|schicke?)(?:\s+(?:me|us|mij|ons|mir|uns|dan|maar|bitte|please))*"
_WANT = r"(?:i(?:['\u2019]d|\s+would)?\s+(?:want|need|like)(?:\s+to\s+(?:see|have))?|ik\s+wil(?:\s+graag)?|ich\s+(?:m\u00f6chte|brauche|h\u00e4tte\s+gerne?))"
_ALL = r"(?:all(?:\s+of\s+(?:them|these|those))?|them(?:\s+all)?|every\s+one(?:\s+of\s+them)?|(?:ze\s+)?allemaal|ze\s+alle|alle(?:\s+davon)?|alles|sie\s+alle)"
_WISH = phrase(
    rf"^\W*(?:{_PLEASE}[\s,]+)?(?:(?:{_GIVE}|{_WANT})\s+(?:{_LIST}|{_ALL})|(?:as\s+|als\s+)?{_LIST}|{_ALL}|auflisten|opsommen|aufz\u00e4hlen)(?:[\s,]+{_PLEASE})*\W*$"
)
"""'Give me the list', 'Graag allemaal': nothing else than that a list is wanted."""
_STATEMENT = phrase(
    r"^(?:it|this|that|these|they|i|we|my|dit|het|dat|ik|wij|we|es|das|dies|ich|wir)(?:['\u2019]\w+)?(?:\s|$)"
)
"""'It's for onboarding a new colleague.': no question and no wish."""
_ENDS = re.compile(
    r"(?<=[.?!;])\s+(?=\w)|\s+[-\u2013]\s+|,\s+(?=(?:as|als|all|allemaal|graag|bitte)\b)"
)


def without_asides(text: str) -> tuple[str, bool]:
    """Leave out the sentences that are no part of what is asked; tell whether a list is wished.

    >>> without_asides("Which decisions concern TLS? Give me the list, please")
    ('Which decisions concern TLS', True)
    """
    sentences = _ENDS.split(text)
    wishes = [sentence for sentence in sentences if _WISH.match(sentence)]
    asked = [item for item in sentences if item not in wishes and not _is_chatter(item)]
    if not asked or len(asked) == len(sentences):
        return text, False
    return " ".join(asked).rstrip(" ?!.;,"), bool(wishes)


def _is_chatter(sentence: str) -> bool:
    """A statement that restricts nothing."""
    return bool(_STATEMENT.match(sentence)) and not scope_of(sentence).restricts
