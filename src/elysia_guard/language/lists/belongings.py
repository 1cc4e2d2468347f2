"""The language that listed documents are to be in, and whether approval records are meant."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.lists.reading import (
    GAP,
    KINDS,
    RECORD,
    RECORDS,
    is_subject,
    phrase,
    without,
)

_TONGUES: Final[dict[str, str]] = {
    "en": r"english|engels|englisch",
    "nl": r"dutch|nederlands|niederl\u00e4ndisch|holl\u00e4ndisch",
    "de": r"german|duits|deutsch",
    "fr": r"french|frans|franz\u00f6sisch",
}
_WRITTEN = r"(?:written|drafted|worded|published|geschreven|gesteld|opgesteld|verfasst|geschrieben|abgefasst)"
_LANGUAGES = {
    lang: phrase(
        rf"(?:\b(?:that|which|die|dat|welche)\s+(?:are\s+|is\s+|were\s+)?)?(?:\b{_WRITTEN}\s+)?"
        rf"\b(?:in|auf)\s+(?:the\s+|het\s+|de\s+|der\s+)?(?:{name})(?:e|er)?(?:\s+(?:language|taal|sprache))?\b(?![-'\u2019])"
        rf"(?:\s+(?:(?:zijn|is|sind|ist)\s+)?{_WRITTEN}\b(?:\s+(?:zijn|is|sind|ist)\b)?)?"
        rf"|\b(?:(?:whose|with|met|mit|deren|waarvan)\s+)?(?:(?:as|als|the|de|der)\s+)*(?:language|taal|sprache)\s*(?:[:=]\s*|(?:is|ist)\s+)?(?:{name})\b(?:\s+(?:is|ist)\b)?"
        rf"|\b(?:{name})(?:-|\s)language\b|\b(?:{name})(?:talige?|sprachige?[nrs]?)\b"
    )
    for lang, name in _TONGUES.items()
}
_BESIDE = phrase(
    rf"\b(?:{KINDS})\s+(?:and|with|including|plus|en|met|inclusief|und|mit|einschlie\u00dflich)\s+(?:(?:also|their|the|all|hun|de|alle|ihren?|den)\s+)*{RECORD}\b"
    rf"|\b{RECORD}\s+(?:and|en|und)\s+(?:{KINDS})\b"
)
_APPROVALS = rf"(?:{RECORD}|approvals|goedkeuringen|genehmigungen|freigaben)"
_NO_RECORDS = phrase(
    rf"[(]?\b(?:(?:but|maar|aber)\s+)?(?:not|no|without|excluding|except(?:\s+for)?|minus|leav(?:e|ing)\s+out|skip(?:ping)?|omit(?:ting)?|(?:do\s+not|don['\u2019]t)\s+(?:need|want|include)|zonder|geen|niet|behalve|exclusief|ohne|keine|nicht|au\u00dfer)\s+(?:(?:the|any|their|of|de|die|den|hun|ihre)\s+)*{_APPROVALS}\b[)]?"
    rf"|\b(?:the\s+|de\s+|die\s+)?{_APPROVALS}\s+(?:are\s+not\s+needed|(?:can|may)\s+be\s+left\s+out|not\s+included|excluded|(?:hoeven|horen|hoef\s+ik|heb\s+ik)\s+(?:er\s+)?niet(?:\s+(?:erbij|mee|bij|nodig))?|(?:brauche|ben\u00f6tige)\s+ich\s+nicht|nicht)\b"
)
"""'Not the approval records': decisions alone, as is meant without it."""
_DECISIONS = re.compile(KINDS, re.IGNORECASE)


def take_language(text: str) -> tuple[str, str]:
    """Read in which language they are written; 'about writing in English' is a subject."""
    for lang, form in _LANGUAGES.items():
        match = form.search(text)
        if match and not is_subject(text, match.start()):
            return lang, without(text, match)
    return "", text


def take_records(text: str) -> tuple[bool | None, str]:
    """Read whether approval records are asked for: True alone, None beside decisions, or False."""
    if (none := _NO_RECORDS.search(text)) and _DECISIONS.search(without(text, none)):
        return False, without(text, none)
    first = RECORDS.search(text)
    if not first:
        return False, text
    if _BESIDE.search(text):
        return None, RECORDS.sub(GAP, text)
    if _DECISIONS.search(text[: first.start()]) or is_subject(text, first.start()):
        return False, text  # 'decisions about approval records'
    return True, RECORDS.sub(GAP, text)
