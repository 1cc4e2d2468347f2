"""The status that listed documents are to have, in people's words."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.lists.reading import GAP, KINDS, NOW, names_subject, phrase

STATUSES: Final = ("accepted", "proposed", "rejected", "deprecated", "superseded")
"""In the order in which they are named before a reader."""

_ADVERB = r"(?:(?:yet|been|be|is|are|meer|mehr|currently|actually|formally|officially|finally|nog|noch|al|zijn|worden|werden|wurden?|sind|ist|officieel|formeel|definitief|offiziell|formell|endg\u00fcltig)\s+)*"
_EXCEPT = r"(?:\b(?:except|excluding|other\s+than|apart\s+from|but\s+not|without|behalve|uitgezonderd|anders\s+dan|zonder|au\u00dfer|ausgenommen|ohne)\s+(?:(?:for|the|those|that|which|are|any|all|de|die|den|der|alle)\s+)*)"
_NOT = rf"(?P<no>(?:{_EXCEPT}|(?:\b(?:nog\s+|noch\s+|yet\s+)?(?:not|niet|nicht|nooit|never)|n['\u2019]t|\bno\s+longer)\s+){_ADVERB})"
_YET = re.compile(r"\b(?:yet|nog|noch)\b", re.IGNORECASE)
_NO_LONGER = re.compile(r"\b(?:longer|anymore|meer|mehr)\b", re.IGNORECASE)
_NEWER = rf"(?:(?:an?|een|eine?[nmrs]?|another|other|something|iets|etwas)\s+)?(?:new(?:er)?|later|more\s+recent|nieuwe(?:re?)?|nieuwer|latere|recentere?|neu(?:er)?e[nmrs]?|sp\u00e4tere[nmrs]?)(?:\s+(?:ones?|versions?|versies?|{KINDS}))?"
_REPLACED = r"(?:(?:superseded|replaced|vervangen)(?!\s+(?:an?|the|another|older|earlier|other|previous|some|een|het|oudere?|eerdere?|andere)\b)|ersetzte?n?(?!\s+(?:eine[nrs]?|die|\u00e4ltere|andere)\b)|abgel\u00f6ste?n?)"
_STILL = r"(?:still|nog(?:\s+(?:altijd|steeds))?|noch(?:\s+immer)?)"
_VALID = r"(?:valid|appl(?:y|ies)|active|geldig|gelden|geldt|g\u00fcltig|gelten|gilt)"
_WORDS: Final[dict[str, str]] = {
    "accepted": r"accepted|approved(?!\s+by\b)|geaccepteerde?|aanvaarde?|(?:aangenomen|goedgekeurde?)(?!\s+door\b)"
    r"|akzeptierte?n?|angenommene?n?|genehmigte?n?|in\s+(?:force|effect)|van\s+kracht|in\s+kraft"
    rf"|{_STILL}\s+(?:{_VALID}|stand(?!\s+(?:at|on|as|in|open)\b)|current|actueel|aktuell)|{_VALID}\s+(?:{NOW}|{_STILL})|{NOW}\s+{_VALID}"
    rf"|(?:valid|geldige?|g\u00fcltige[nr]?)(?=\s+(?:{KINDS}))"
    r"|(?<=are\s)valid\s*$|(?<=zijn\s)geldig\s*$|(?<=sind\s)g\u00fcltig\s*$",
    "proposed": r"proposed|(?:still\s+|in\s+|only\s+)?(?:an?\s+)?drafts?(?:\s+proposals?)?|pending|undecided"
    r"|(?:still|nog|noch)\s+(?:open|offen|on\s+the\s+table|op\s+tafel|auf\s+dem\s+tisch)|(?:(?:an?|een|ein)\s+)?(?:draft|mere)\s+proposals?"
    r"|(?:still\s+|nog\s+|noch\s+)?(?:waiting\s+for|awaiting|wachten\s+op|warten\s+auf)\s+(?:\w+\s+)?"
    r"(?:decision|approval|goedkeuring|besluit|genehmigung|entscheidung)"
    r"|(?:still|only|just|nog|slechts|maar|alleen|noch|nur)\s+(?:(?:an?|een|ein)\s+)?(?:proposals?|voorstel(?:len)?|vorschl(?:ag|\u00e4ge))"
    r"|(?:still\s+|nog\s+|noch\s+)?(?:under\s+discussion|in\s+bespreking|in\s+(?:der\s+)?diskussion)"
    r"|(?<=status\s)(?:concept|open|vorschlag|voorstel)"
    r"|voorgestelde?|(?:in|een)\s+concept|vorgeschlagene?n?|(?:(?:im|ein)\s+)?entwurf|entw\u00fcrfe",
    "superseded": rf"{_REPLACED}(?:\s+(?:by|door|durch)\s+{_NEWER})?"
    rf"|(?:by|door|durch)\s+{_NEWER}\s+{_REPLACED}",
    "deprecated": r"deprecated|obsolete|withdrawn|retired|phased\s+out|vervallen|ingetrokken|uitgefaseerde?|afgeschafte?|verouderde?"
    r"|veraltete?n?|zur\u00fcckgezogene?n?|aufgehobene?n?",
    "rejected": r"rejected|turned\s+down|voted\s+down|declined|dismissed|verworpen|afgewezen|afgekeurde?|weggestemd|abgelehnte?n?|verworfene?n?|zur\u00fcckgewiesene?n?",
}
_STATES = {
    status: phrase(rf"{_NOT}?(?<![\w-])(?:{words})(?![\w-])(?:\s+(?:yet|anymore)\b)?")
    for status, words in _WORDS.items()
}
_SETTLED = r"(?:approved|accepted|adopted|decided(?:\s+(?:up)?on)?|agreed|confirmed|goedgekeurd|aangenomen|geaccepteerd|vastgesteld|bekrachtigd|besloten|genehmigt|angenommen|akzeptiert|beschlossen|verabschiedet|entschieden)"
_UNDECIDED = phrase(
    rf"(?:\bstill\s+)?\b(?:have|has|needs?|are|is)\s+(?:(?:still|yet)\s+)?to\s+be\s+{_SETTLED}\b"
    rf"|\b(?:nog|noch)\s+(?:(?:moeten|moet|m\u00fcssen|muss)\s+)?(?:worden\s+)?{_SETTLED}\s+(?:moeten\s+worden|moet\s+worden|worden|werden\s+(?:m\u00fcssen|muss|sollen)|werden)\b"
    rf"|\b(?:moeten|m\u00fcssen)\s+(?:nog|noch)\s+(?:worden\s+)?{_SETTLED}(?:\s+(?:worden|werden))?\b"
    rf"|{_NOT}(?:decided|agreed|adopted|besloten|vastgesteld|bekrachtigd|entschieden|beschlossen|verabschiedet|final|definitief|endg\u00fcltig)(?:\s+(?:up)?on)?\b"
    r"(?:\s+yet\b)?"
)
_INVALID = phrase(
    rf"{_NOT}{_VALID}\b(?:\s+anymore\b)?|\b{_VALID}\s+(?:nog\s+|noch\s+)?(?:niet|nicht)\b(?:\s+(?:meer|mehr)\b)?"
    r"|\b(?:invalid|ungeldig|ung\u00fcltig|out\s+of\s+force|au\u00dfer\s+kraft|buiten\s+werking)\b"
)
_ANY = "|".join(_WORDS.values())
_OLD = r"(?:(?:old(?:er)?|outdated|historic(?:al)?|past|former|earlier|oude(?:re)?|vroegere|eerdere|(?:\u00e4lte|alte)(?:re)?n?|fr\u00fchere[nr]?)(?![\w-])(?:\s+ones?\b)?)"
_NEW = r"(?:current|new(?:er)?|present|latest|huidige|nieuwe(?:re)?|actuele|aktuelle[nr]?|neuen?|neueren?|heutigen?)"
_THOSE = r"(?:(?:the|all|any|those|that|which|are|is|were|have|has|been|what(?:ever)?|de|die|der|den|het|alle|wat|was|welche|zijn|sind|ist|wurden?|already|al|schon|bereits)\s+)*"
_ONES = r"(?:\s+(?:ones?|zijn|is|sind|ist|wurden?|werden|worden|yet))*"
_OTHER_STATES = rf"(?P<too>{_THOSE}(?:(?:{_NOT}?(?:{_ANY})(?![\w-]))|{_OLD}){_ONES}(?:\s+(?:and|or|en|of|und|oder)\s+(?:{_ANY})(?![\w-]){_ONES})?)"
_TOO = tuple(
    phrase(pattern)
    for pattern in (
        rf"(?:\b(?:including|incl\.?|inclusief|einschlie\u00dflich|inklusive|inkl\.?)|[,;(\u2013-]\s*(?:(?:and|en|und)\s+)?(?:also|even|ook|zelfs|auch|sogar))\s+{_OTHER_STATES}",
        rf"(?:[,;(\u2013-]\s*|\b(?:and|en|und|with|met|mit)\s+)(?:the\s+|de\s+|die\s+|den\s+)?{_OTHER_STATES.replace(_THOSE, '')}\s+(?:included|too|as\s+well|inbegrepen|meegerekend|erbij|ook|inbegriffen|eingeschlossen|auch)\b",
    )
)
"""'Also what is not accepted yet': beside what is asked for, whatever its status."""
_STATUS = r"(?:status(?:es|sen)?|states?)"
_ENDS_THERE = rf"(?=\s*(?:$|[?!.,;:()\n\u2013-]|\b(?:please|graag|bitte|as\s+well|(?:the|de|die)\s+)?\b(?:{KINDS})|\b(?:please|graag|bitte|of|van|von|from|uit|aus)\b))"
_WHATEVER = phrase(
    rf"(?:\b(?:in|with|of|met|mit|im|jeden)\s+)?\b(?:all|any|every|whatever|which\s?ever|no\s+matter\s+(?:what|which|the)|regardless\s+of|irrespective\s+of|alle|elke|iedere|welke|ongeacht|jede[nmrs]?|aller|egal\s+(?:in\s+)?welche[mnrs]?|gleich\s+welche[mns]?|unabh\u00e4ngig\s+(?:vom|von))\s+(?:(?:possible|the|their|its|de|hun|het|ihrem|ihren?|dem)\s+)*{_STATUS}\b(?!\s+(?:estimat|machine|transition|variable)\w*)(?:\s+(?:dan\s+)?ook\b|\s+they\s+(?:have|are\s+in)\b)?"
    rf"|\b(?:the\s+|their\s+|de\s+|der\s+)?{_STATUS}\s+(?:does\s+not|doesn['\u2019]t|maakt\s+niet|ist|spielt\s+keine)\s+(?:matter|uit|egal|rolle)\b"
    rf"|\b(?:{_ANY})\s+(?:or|of|oder)\s+(?:not|niet|nicht)\b"
    rf"|(?:\bboth\s+|\bzowel\s+|\bsowohl\s+)?(?:\bthe\s+|\bde\s+|\bdie\s+|\bden\s+)?\b{_OLD}\s*,?\s*(?:and|as\s+well\s+as|en|als|und|wie(?:\s+auch)?|als\s+auch)\s+(?:the\s+|de\s+|die\s+|den\s+)?{_NEW}\b(?:\s+ones?\b)?{_ENDS_THERE}"
    rf"|(?:\bboth\s+|\bzowel\s+|\bsowohl\s+)?(?:\bthe\s+|\bde\s+|\bdie\s+|\bden\s+)?\b{_NEW}(?:\s+ones?)?\s*,?\s*(?:and|as\s+well\s+as|en|als|und|wie(?:\s+auch)?|als\s+auch)\s+(?:the\s+|de\s+|die\s+|den\s+)?{_OLD}{_ENDS_THERE}"
    r"|\b(?:(?:and|en|und)\s+)?(?:also|ook|auch)\s+(?:(?:all|the|de|die|der|alle)\s+)*"
    rf"{_OLD}"
    r"|\b(?:the\s+)?(?:old(?:er)?\s+ones\s+(?:included|too|as\s+well)|oude\s+(?:ook|inbegrepen|meegerekend)|alten?\s+(?:auch|inbegriffen|eingeschlossen))"
    r"|\b(?:oud\s+en\s+nieuw|old\s+and\s+new|alte?\s+und\s+neue?)\b"
)
"""Any status is asked for."""
_ADVERBS = r"(?:(?:still|yet|currently|now|nu|nog|maar|noch|derzeit|momenteel|aktuell|immer|altijd|steeds|only|alleen|nur|all|allemaal|alle)\s+)*"
_FRAMES = tuple(
    phrase(pattern)
    for pattern in (
        rf"(?:\b(?:that|which|die|dat|welche)\s+)?(?:\b(?:have|has|having|carry|carrying|with|in|at|of|under|hebben|heeft|dragen|met|haben|hat|tragen|mit|im|sind|are|zijn)\s+)?{_ADVERBS}(?:(?:the|an?|de|een|den|dem|der|die|einen)\s+)?{_STATUS}\s*(?:(?:of|is|van|von|as|als)\s+|[:=]\s*)?['\"\u201c\u201e\u2018]?(?={GAP})",
        rf"(?:\b(?:that|which|die|dat|welche)\s+)?\b(?:sit|sitting|stand|are|staan|staat|stehen|steht|zijn|sind)\s+{_ADVERBS}(?:on|at|op|auf|in|im)\s+['\"\u201c\u201e\u2018]?(?={GAP})",
        rf"\b(?:marked|flagged|labell?ed|tagged|listed|classified|recorded|registered|gemarkeerd|aangemerkt|geregistreerd|bestempeld|gekennzeichnet|markiert|eingestuft|gef\u00fchrt)\s+(?:(?:as|als)\s+)?['\"\u201c\u201e\u2018]?(?={GAP})",
        rf"\b(?:as|als)\s+['\"\u201c\u201e\u2018]?{GAP}['\"\u201d\u2019\u201c]?\s*(?:gemarkeerd|aangemerkt|geregistreerd|bestempeld|te\s+boek|gekennzeichnet|markiert|eingestuft|gef\u00fchrt|marked)\b(?:\s+(?:staan|zijn|sind|werden))?",
        rf"(?<={GAP})['\"\u201d\u2019\u201c]?\s*\b{_STATUS}\b",
    )
)
"""How people say that it is a status: 'still stand at proposed', 'marked as deprecated'."""


def take_statuses(text: str) -> tuple[tuple[str, ...], str]:
    """Read which statuses are asked for; what is denied counts where nothing else is said.

    >>> take_statuses("principles that are no longer valid")[0]
    ('deprecated', 'superseded')
    """
    text = _WHATEVER.sub(GAP, text)
    too, text = _take_others(text)
    said, admitted, rest = _said(text)
    if rest != text:
        for frame in _FRAMES:
            rest = frame.sub(GAP, rest)
    found = said or (admitted if admitted < set(STATUSES) else set())
    wanted = found | too if found else set()
    return tuple(status for status in STATUSES if status in wanted), rest


def _take_others(text: str) -> tuple[set[str], str]:
    """Read which statuses are wanted too; they restrict nothing where no other is asked for."""
    found: set[str] = set()
    for form in _TOO:
        for match in form.finditer(text):
            said, admitted, _ = _said(match["too"])
            found |= said or (admitted if admitted < set(STATUSES) else set())
        text = form.sub(GAP, text)
    return found, text


def _said(text: str) -> tuple[set[str], set[str], str]:
    """Read which statuses are named, which are left by what is denied, and the rest."""
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
    return said, admitted, text


def _gap(match: re.Match[str]) -> str:
    return match.group() if names_subject(match) else GAP


def _other_than(status: str, denial: str) -> set[str]:
    """'No longer in force' is not what never was; 'not yet' is what may still come."""
    if status == "accepted" and _NO_LONGER.search(denial):
        return {"deprecated", "superseded"}
    if status == "accepted" and _YET.search(denial):
        return {"proposed"}
    return set(STATUSES) - {status}
