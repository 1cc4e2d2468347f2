"""The status that listed documents are to have, in people's words."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.lists.reading import GAP, KINDS, NOW, names_subject, phrase
from elysia_guard.language.phrases import spoken

STATUSES: Final = ("accepted", "proposed", "rejected", "deprecated", "superseded")
"""In the order in which they are named before a reader."""

_ADVERB = (
    r"((yet|been|be|is|are|meer|mehr|currently|actually|formally|officially|finally|nog|noch"
    r"|al|zijn|worden|werden|wurden?|sind|ist|officieel|formeel|definitief|offiziell|formell"
    r"|endgültig) )*"
)
_EXCEPT = (
    r"(\b(except|excluding|other than|apart from|but not|without|behalve|uitgezonderd"
    r"|anders dan|zonder|außer|ausgenommen|ohne) "
    r"((for|the|those|that|which|are|any|all|de|die|den|der|alle) )*)"
)
_NOT = (
    rf"(?P<no>({_EXCEPT}|(\b(nog |noch |yet )?(not|niet|nicht|nooit|never)|n't|\bno longer) "
    rf"){_ADVERB})"
)
_YET = re.compile(spoken(r"\b(yet|nog|noch)\b"), re.IGNORECASE)
_NO_LONGER = re.compile(spoken(r"\b(longer|anymore|meer|mehr)\b"), re.IGNORECASE)
_NEWER = (
    r"((an?|een|eine?[nmrs]?|another|other|something|iets|etwas) )?(new(er)?|later"
    r"|more recent|nieuwe(re?)?|nieuwer|latere|recentere?|neu(er)?e[nmrs]?"
    rf"|spätere[nmrs]?)( (ones?|versions?|versies?|{KINDS}))?"
)
_REPLACED = (
    r"((superseded|replaced|vervangen)(?! (an?|the|another|older|earlier|other|previous|some"
    r"|een|het|oudere?|eerdere?|andere)\b)|ersetzte?n?(?! (eine[nrs]?|die|ältere|andere)\b)"
    r"|abgelöste?n?)"
)
_STILL = r"(still|nog( (altijd|steeds))?|noch( immer)?)"
_VALID = r"(valid|appl(y|ies)|active|geldig|gelden|geldt|gültig|gelten|gilt)"
_WORDS: Final[dict[str, str]] = {
    "accepted": r"accepted|approved(?! by\b)|geaccepteerde?|aanvaarde?"
    r"|(aangenomen|goedgekeurde?)(?! door\b)"
    r"|akzeptierte?n?|angenommene?n?|genehmigte?n?|in (force|effect)|van kracht|in kraft"
    rf"|{_STILL} ({_VALID}|stand(?! (at|on|as|in|open)\b)|current|actueel|aktuell)"
    rf"|{_VALID} ({NOW}|{_STILL})|{NOW} {_VALID}"
    rf"|(valid|geldige?|gültige[nr]?)(?= ({KINDS}))"
    r"|(?<=are\s)valid\s*$|(?<=zijn\s)geldig\s*$|(?<=sind\s)gültig\s*$",
    "proposed": r"proposed|(still |in |only )?(an? )?drafts?( proposals?)?|pending|undecided"
    r"|(still|nog|noch) (open|offen|on the table|op tafel|auf dem tisch)"
    r"|((an?|een|ein) )?(draft|mere) proposals?"
    r"|(still |nog |noch )?(waiting for|awaiting|wachten op|warten auf) (\w+ )?"
    r"(decision|approval|goedkeuring|besluit|genehmigung|entscheidung)"
    r"|(still|only|just|nog|slechts|maar|alleen|noch|nur) "
    r"((an?|een|ein) )?(proposals?|voorstel(len)?|vorschl(ag|äge))"
    r"|(still |nog |noch )?(under discussion|in bespreking|in (der )?diskussion)"
    r"|(?<=status\s)(concept|open|vorschlag|voorstel)"
    r"|voorgestelde?|(in|een) concept|vorgeschlagene?n?|((im|ein) )?entwurf|entwürfe",
    "superseded": rf"{_REPLACED}( (by|door|durch) {_NEWER})?"
    rf"|(by|door|durch) {_NEWER} {_REPLACED}",
    "deprecated": r"deprecated|obsolete|withdrawn|retired|phased out|vervallen|ingetrokken"
    r"|uitgefaseerde?|afgeschafte?|verouderde?"
    r"|veraltete?n?|zurückgezogene?n?|aufgehobene?n?",
    "rejected": (
        r"rejected|turned down|voted down|declined|dismissed|verworpen|afgewezen|afgekeurde?"
        r"|weggestemd|abgelehnte?n?|verworfene?n?|zurückgewiesene?n?"
    ),
}
_STATES = {
    status: phrase(rf"{_NOT}?(?<![\w-])({words})(?![\w-])( (yet|anymore)\b)?")
    for status, words in _WORDS.items()
}
_SETTLED = (
    r"(approved|accepted|adopted|decided( (up)?on)?|agreed|confirmed|goedgekeurd|aangenomen"
    r"|geaccepteerd|vastgesteld|bekrachtigd|besloten|genehmigt|angenommen|akzeptiert"
    r"|beschlossen|verabschiedet|entschieden)"
)
_UNDECIDED = phrase(
    rf"(\bstill )?\b(have|has|needs?|are|is) ((still|yet) )?to be {_SETTLED}\b"
    rf"|\b(nog|noch) ((moeten|moet|müssen|muss) )?(worden )?{_SETTLED} "
    r"(moeten worden|moet worden|worden|werden (müssen|muss|sollen)|werden)\b"
    rf"|\b(moeten|müssen) (nog|noch) (worden )?{_SETTLED}( (worden|werden))?\b"
    rf"|{_NOT}(decided|agreed|adopted|besloten|vastgesteld|bekrachtigd|entschieden|beschlossen"
    r"|verabschiedet|final|definitief|endgültig)( (up)?on)?\b"
    r"( yet\b)?"
)
_INVALID = phrase(
    rf"{_NOT}{_VALID}\b( anymore\b)?|\b{_VALID} (nog |noch )?(niet|nicht)\b( (meer|mehr)\b)?"
    r"|\b(invalid|ungeldig|ungültig|out of force|außer kraft|buiten werking)\b"
)
_ANY = "|".join(_WORDS.values())
_OLD = (
    r"((old(er)?|outdated|historic(al)?|past|former|earlier|oude(re)?|vroegere|eerdere"
    r"|(älte|alte)(re)?n?|frühere[nr]?)(?![\w-])( ones?\b)?)"
)
_NEW = (
    r"(current|new(er)?|present|latest|huidige|nieuwe(re)?|actuele|aktuelle[nr]?|neuen?"
    r"|neueren?|heutigen?)"
)
_THOSE = (
    r"((the|all|any|those|that|which|are|is|were|have|has|been|what(ever)?|de|die|der|den"
    r"|het|alle|wat|was|welche|zijn|sind|ist|wurden?|already|al|schon|bereits) )*"
)
_ONES = r"( (ones?|zijn|is|sind|ist|wurden?|werden|worden|yet))*"
_OTHER_STATES = (
    rf"(?P<too>{_THOSE}(({_NOT}?({_ANY})(?![\w-]))|{_OLD}){_ONES}( (and|or|en|of|und|oder) "
    rf"({_ANY})(?![\w-]){_ONES})?)"
)
_TOO = tuple(
    phrase(pattern)
    for pattern in (
        (
            r"(\b(including|incl\.?|inclusief|einschließlich|inklusive|inkl\.?)"
            rf"|[,;(\u2013-]\s*((and|en|und) )?(also|even|ook|zelfs|auch|sogar)) {_OTHER_STATES}"
        ),
        (
            r"([,;(\u2013-]\s*|\b(and|en|und|with|met|mit) )(the |de |die "
            rf"|den )?{_OTHER_STATES.replace(_THOSE, '')} "
            r"(included|too|as well|inbegrepen|meegerekend|erbij|ook|inbegriffen|eingeschlossen"
            r"|auch)\b"
        ),
    )
)
"""'Also what is not accepted yet': beside what is asked for, whatever its status."""
_STATUS = r"(status(es|sen)?|states?)"
_ENDS_THERE = (
    rf"(?=\s*($|[?!.,;:()\n\u2013-]|\b(please|graag|bitte|as well|(the|de|die) )?\b({KINDS})"
    r"|\b(please|graag|bitte|of|van|von|from|uit|aus)\b))"
)
_WHATEVER = phrase(
    r"(\b(in|with|of|met|mit|im|jeden) )?\b(all|any|every|whatever|which\s?ever"
    r"|no matter (what|which|the)|regardless of|irrespective of|alle|elke|iedere|welke|ongeacht"
    r"|jede[nmrs]?|aller|egal (in )?welche[mnrs]?|gleich welche[mns]?|unabhängig (vom|von)) "
    rf"((possible|the|their|its|de|hun|het|ihrem|ihren?|dem) )*{_STATUS}\b(?! "
    r"(estimat|machine|transition|variable)\w*)( (dan )?ook\b| they (have|are in)\b)?"
    rf"|\b(the |their |de |der )?{_STATUS} (does not|doesn't|maakt niet|ist|spielt keine) "
    r"(matter|uit|egal|rolle)\b"
    rf"|\b({_ANY}) (or|of|oder) (not|niet|nicht)\b"
    rf"|(\bboth |\bzowel |\bsowohl )?(\bthe |\bde |\bdie |\bden )?\b{_OLD}\s*,?\s*(and|as well as"
    rf"|en|als|und|wie( auch)?|als auch) (the |de |die |den )?{_NEW}\b( ones?\b)?{_ENDS_THERE}"
    rf"|(\bboth |\bzowel |\bsowohl )?(\bthe |\bde |\bdie |\bden )?\b{_NEW}( ones?)?\s*,?\s*(and"
    rf"|as well as|en|als|und|wie( auch)?|als auch) (the |de |die |den )?{_OLD}{_ENDS_THERE}"
    r"|\b((and|en|und) )?(also|ook|auch) ((all|the|de|die|der|alle) )*"
    rf"{_OLD}"
    r"|\b(the )?(old(er)? ones (included|too|as well)|oude (ook|inbegrepen|meegerekend)"
    r"|alten? (auch|inbegriffen|eingeschlossen))"
    r"|\b(oud en nieuw|old and new|alte? und neue?)\b"
)
"""Any status is asked for."""
_ADVERBS = (
    r"((still|yet|currently|now|nu|nog|maar|noch|derzeit|momenteel|aktuell|immer|altijd"
    r"|steeds|only|alleen|nur|all|allemaal|alle) )*"
)
_FRAMES = tuple(
    phrase(pattern)
    for pattern in (
        (
            r"(\b(that|which|die|dat|welche) )?(\b(have|has|having|carry|carrying|with|in|at|of"
            r"|under|hebben|heeft|dragen|met|haben|hat|tragen|mit|im|sind|are|zijn) "
            rf")?{_ADVERBS}((the|an?|de|een|den|dem|der|die|einen) "
            rf")?{_STATUS}\s*((of|is|van|von|as|als) |[:=]\s*)?['\"\u201c\u201e\u2018]?(?={GAP})"
        ),
        (
            r"(\b(that|which|die|dat|welche) )?\b(sit|sitting|stand|are|staan|staat|stehen|steht"
            rf"|zijn|sind) {_ADVERBS}(on|at|op|auf|in|im) ['\"\u201c\u201e\u2018]?(?={GAP})"
        ),
        (
            r"\b(marked|flagged|labell?ed|tagged|listed|classified|recorded|registered"
            r"|gemarkeerd|aangemerkt|geregistreerd|bestempeld|gekennzeichnet|markiert|eingestuft"
            rf"|geführt) ((as|als) )?['\"\u201c\u201e\u2018]?(?={GAP})"
        ),
        (
            rf"\b(as|als) ['\"\u201c\u201e\u2018]?{GAP}['\"\u201d\u2019\u201c]?\s*(gemarkeerd"
            r"|aangemerkt|geregistreerd|bestempeld|te boek|gekennzeichnet|markiert|eingestuft"
            r"|geführt|marked)\b( (staan|zijn|sind|werden))?"
        ),
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
