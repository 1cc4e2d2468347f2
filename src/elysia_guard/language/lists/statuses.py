"""The status that listed documents are to have, in people's words."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.lists.reading import GAP, KINDS, NOW, names_subject, phrase

STATUSES: Final = ("accepted", "proposed", "rejected", "deprecated", "superseded")
"""In the order in which they are named before a reader."""

_ADVERB = r"(?:(?:yet|been|meer|mehr|currently|actually|formally|officially|nog|noch|al|officieel|offiziell)\s+)*"
_NOT = rf"(?P<no>(?:\b(?:nog\s+|noch\s+|yet\s+)?(?:not|niet|nicht|nooit|never)|n['\u2019]t|\bno\s+longer)\s+{_ADVERB})"
_YET = re.compile(r"\b(?:yet|nog|noch)\b", re.IGNORECASE)
_NO_LONGER = re.compile(r"\b(?:longer|anymore|meer|mehr)\b", re.IGNORECASE)
_NEWER = rf"(?:(?:an?|een|eine?[nmrs]?|another|other|something|iets|etwas)\s+)?(?:new(?:er)?|later|more\s+recent|nieuwe(?:re?)?|nieuwer|latere|recentere?|neu(?:er)?e[nmrs]?|sp\u00e4tere[nmrs]?)(?:\s+(?:ones?|versions?|versies?|{KINDS}))?"
_REPLACED = r"(?:superseded|replaced|vervangen|ersetzte?n?|abgel\u00f6ste?n?)"
_STILL = r"(?:still|nog(?:\s+(?:altijd|steeds))?|noch(?:\s+immer)?)"
_VALID = r"(?:valid|appl(?:y|ies)|active|geldig|gelden|geldt|g\u00fcltig|gelten|gilt)"
_WORDS: Final[dict[str, str]] = {
    "accepted": r"accepted|approved(?!\s+by\b)|geaccepteerde?|aanvaarde?|goedgekeurde?(?!\s+door\b)"
    r"|akzeptierte?n?|angenommene?n?|genehmigte?n?|in\s+(?:force|effect)|van\s+kracht|in\s+kraft"
    rf"|{_STILL}\s+(?:{_VALID}|stand|current|actueel|aktuell)|{_VALID}\s+(?:{NOW}|{_STILL})|{NOW}\s+{_VALID}"
    rf"|(?:valid|geldige?|g\u00fcltige[nr]?)(?=\s+(?:{KINDS}))"
    r"|(?<=are\s)valid\s*$|(?<=zijn\s)geldig\s*$|(?<=sind\s)g\u00fcltig\s*$",
    "proposed": r"proposed|(?:still\s+|in\s+|only\s+)?(?:an?\s+)?drafts?|pending|undecided"
    r"|(?:still|nog|noch)\s+(?:open|offen)"
    r"|(?:still\s+|nog\s+|noch\s+)?(?:waiting\s+for|awaiting|wachten\s+op|warten\s+auf)\s+(?:\w+\s+)?"
    r"(?:decision|approval|goedkeuring|besluit|genehmigung|entscheidung)"
    r"|voorgestelde?|(?:in|een)\s+concept|vorgeschlagene?n?|(?:(?:im|ein)\s+)?entwurf|entw\u00fcrfe",
    "superseded": rf"{_REPLACED}(?:\s+(?:by|door|durch)\s+{_NEWER})?"
    rf"|(?:by|door|durch)\s+{_NEWER}\s+{_REPLACED}",
    "deprecated": r"deprecated|obsolete|withdrawn|retired|vervallen|ingetrokken|verouderde?"
    r"|veraltete?n?|zur\u00fcckgezogene?n?|aufgehobene?n?",
    "rejected": r"rejected|turned\s+down|verworpen|afgewezen|abgelehnte?n?|verworfene?n?",
}
_STATES = {
    status: phrase(rf"{_NOT}?(?<![\w-])(?:{words})(?![\w-])(?:\s+(?:yet|anymore)\b)?")
    for status, words in _WORDS.items()
}
_UNDECIDED = phrase(
    rf"{_NOT}(?:decided|agreed|besloten|vastgesteld|entschieden|beschlossen|final|definitief|endg\u00fcltig)(?:\s+(?:up)?on)?\b"
    r"(?:\s+yet\b)?"
)
_INVALID = phrase(
    rf"{_NOT}{_VALID}\b(?:\s+anymore\b)?|\b{_VALID}\s+(?:nog\s+|noch\s+)?(?:niet|nicht)\b(?:\s+(?:meer|mehr)\b)?"
    r"|\b(?:invalid|ungeldig|ung\u00fcltig|out\s+of\s+force|au\u00dfer\s+kraft|buiten\s+werking)\b"
)
_OLD_TOO = phrase(
    r"\b(?:including|incl\.?|inclusief|einschlie\u00dflich|(?:and\s+)?also|ook|auch)\s+(?:(?:all|the|de|die|der|alle)\s+)*"
    r"(?:old(?:er)?|outdated|oude(?:re)?|(?:\u00e4lte|alte)(?:re)?n?)\b(?:\s+ones?\b)?"
    r"|\b(?:the\s+)?(?:old(?:er)?\s+ones\s+(?:included|too|as\s+well)|oude\s+(?:ook|inbegrepen|meegerekend)|alten?\s+(?:auch|inbegriffen|eingeschlossen))"
    r"|\b(?:regardless\s+of|whatever|ongeacht|unabh\u00e4ngig\s+vom)\s+(?:(?:the|their|de|hun)\s+)?status\b"
    r"|\b(?:old\s+and\s+new|oud\s+en\s+nieuw|alte?\s+und\s+neue?)\b"
)


def take_statuses(text: str) -> tuple[tuple[str, ...], str]:
    """Read which statuses are asked for; what is denied counts where nothing else is said.

    >>> take_statuses("principles that are no longer valid")[0]
    ('deprecated', 'superseded')
    """
    text = _OLD_TOO.sub(GAP, text)
    said: set[str] = set()
    admitted = set(STATUSES)
    if _UNDECIDED.search(text):
        said.add("proposed")
        text = _UNDECIDED.sub(GAP, text)
    for status, form in (("accepted", _INVALID), *_STATES.items()):
        for match in form.finditer(text):
            if form is _INVALID or match["no"]:
                admitted &= _other_than(status, match.group())
            elif not names_subject(match):
                said.add(status)
        text = form.sub(_gap, text)
    found = said or (admitted if admitted < set(STATUSES) else set())
    return tuple(status for status in STATUSES if status in found), text


def _gap(match: re.Match[str]) -> str:
    return match.group() if names_subject(match) else GAP


def _other_than(status: str, denial: str) -> set[str]:
    """'No longer in force' is not what never was; 'not yet' is what may still come."""
    if status == "accepted" and _NO_LONGER.search(denial):
        return {"deprecated", "superseded"}
    if status == "accepted" and _YET.search(denial):
        return {"proposed"}
    return set(STATUSES) - {status}
