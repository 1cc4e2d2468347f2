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
from elysia_guard.language.phrases import spoken

_TONGUES: Final[dict[str, str]] = {
    "en": r"english|engels|englisch",
    "nl": r"dutch|nederlands|niederländisch|holländisch",
    "de": r"german|duits|deutsch",
    "fr": r"french|frans|französisch",
}
_WRITTEN = (
    r"(written|drafted|worded|published|geschreven|gesteld|opgesteld|verfasst|geschrieben"
    r"|abgefasst)"
)
_LANGUAGES = {
    lang: phrase(
        rf"(\b(that|which|die|dat|welche) (are |is |were )?)?(\b{_WRITTEN} )?"
        rf"\b(in|auf) (the |het |de |der )?({name})(e"
        r"|er)?( (language|taal|sprache))?\b(?![-'\u2019])"
        rf"( ((zijn|is|sind|ist) )?{_WRITTEN}\b( (zijn|is|sind|ist)\b)?)?"
        r"|\b((whose|with|met|mit|deren|waarvan) )?((as|als|the|de|der) )*(language|taal"
        rf"|sprache)\s*([:=]\s*|(is|ist) )?({name})\b( (is|ist)\b)?"
        rf"|\b({name})(-|\s)language\b|\b({name})(talige?|sprachige?[nrs]?)\b"
    )
    for lang, name in _TONGUES.items()
}
_BESIDE = phrase(
    rf"\b({KINDS}) (and|with|including|plus|en|met|inclusief|und|mit|einschließlich) "
    rf"((also|their|the|all|hun|de|alle|ihren?|den) )*{RECORD}\b"
    rf"|\b{RECORD} (and|en|und) ({KINDS})\b"
)
_APPROVALS = rf"({RECORD}|approvals|goedkeuringen|genehmigungen|freigaben)"
_NO_RECORDS = phrase(
    r"[(]?\b((but|maar|aber) )?(not|no|without|excluding|except( for)?|minus|leav(e|ing) out"
    r"|skip(ping)?|omit(ting)?|(do not|don't) (need|want|include)|zonder|geen|niet|behalve"
    r"|exclusief|ohne|keine|nicht|außer) "
    rf"((the|any|their|of|de|die|den|hun|ihre) )*{_APPROVALS}\b[)]?"
    rf"|\b(the |de |die )?{_APPROVALS} "
    r"(are not needed|(can|may) be left out|not included|excluded|(hoeven|horen|hoef ik|heb ik) "
    r"(er )?niet( (erbij|mee|bij|nodig))?|(brauche|benötige) ich nicht|nicht)\b"
)
"""'Not the approval records': decisions alone, as is meant without it."""
_DECISIONS = re.compile(spoken(KINDS), re.IGNORECASE)


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
