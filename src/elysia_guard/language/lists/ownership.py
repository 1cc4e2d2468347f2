"""Whose documents are to be listed, in people's words."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language import forms
from elysia_guard.language.lists.reading import GAP, KINDS, NOISE, is_subject, phrase
from elysia_guard.language.owners import ARTICLES
from elysia_guard.language.text import words

_X = r"(?P<owner>(?!(?:toepassing|kracht|belang|which|what|whom?|wie|wem|wen|welke|welche\w*)\b|(?:the\s+|an?\s+)?(?:topic|subject|area|category|theme|same)\b)[^\s?!,;:][^\n?!,;:]{0,79}?)"
_END = r"(?=[ ]*(?:[\n?!,;:.()]|$)|[ ]+(?:about|on|over|regarding|concerning|\u00fcber|zu|that|which|are|is|were|do|have|exist|zijn|hebben|bestaan|sind|haben|gibt|existieren|(?:und|en)\s+die)\b)"
_THAT = r"(?:\b(?:that|which|die|dat|welche)\s+)?(?:\b(?:are|is|were|was|have\s+been|has\s+been|zijn|is|werden|sind|ist|wurden)\s+)?"
_DONE = r"(?:genomen|gemaakt|vastgesteld|opgesteld|beheerd|uitgevaardigd|getroffen|gefasst|gef\u00e4llt|beschlossen|verabschiedet|erlassen|verantwortet|verwaltet|herausgegeben)"
_OWNER = r"(?:owner|eigena(?:ar|res)|besitzer(?:in)?|eigent\u00fcmer(?:in)?|verantwortlichen?)"
_SAID: Final = tuple(
    phrase(pattern)
    for pattern in (
        rf"{_THAT}\b(?:owned|maintained|managed|issued|taken|made|adopted)\s+by\s+{_X}{_END}",
        rf"{_THAT}\bbelong(?:s|ing|ed)?\s+to\s+{_X}{_END}",
        rf"\b(?:whose|with|have|having)\s+(?:as\s+)?(?:the\s+|an?\s+|their\s+)?owner\s+(?:is\s+)?{_X}{_END}",
        rf"\b(?:with|have|having|met|mit|hebben|haben)\s+{_X}\s+(?:as|als)\s+(?:the\s+|their\s+|an?\s+|de\s+|een\s+|hun\s+|den\s+)?{_OWNER}\b(?:\s+(?:hebben|haben))?",
        rf"\b(?:met|mit)\s+(?:(?:als|de|het|dem|der)\s+)*{_OWNER}(?:\s*[:=])?\s+{_X}{_END}",
        rf"\b(?:(?:als|de|het|dem|der)\s+)*{_OWNER}\s*[:=]\s*{_X}{_END}",
        rf"{_THAT}(?:\b(?:fall|come|lie|rest)\s+)?\bunder\s+(?:the\s+)?(?:responsibility|ownership|control|stewardship)\s+of\s+{_X}{_END}",
        rf"{_THAT}\b(?:in\s+the\s+hands|on\s+the\s+name)\s+of\s+{_X}{_END}",
        rf"\b(?:that|which)\s+(?!{KINDS}){_X}\s+(?:owns|maintains|manages|looks\s+after|has\s+(?:adopted|taken|issued|made)|is\s+(?:responsible|accountable|answerable)\s+for)\b",
        rf"\bfor\s+which\s+{_X}\s+is\s+(?:responsible|accountable|answerable)\b",
        rf"{_THAT}\b(?:fall|come|sit)s?\s+(?:under|with)\s+{_X}{_END}",
        rf"\b(?:die\s+)?(?:staan\s+|zijn\s+)?op\s+naam\s+(?:staan\s+)?van\s+{_X}(?:\s+staan\b|{_END})",
        rf"\b(?:heeft|hebben|die)\s+{_X}\s+op\s+(?:haar|zijn|hun|diens)\s+naam(?:\s+(?:heeft|hebben|staan))?\b",
        rf"\b(?:heeft|hebben|die)\s+{_X}\s+onder\s+(?:haar|zijn|hun|diens)\s+(?:hoede|beheer)(?:\s+(?:heeft|hebben))?\b",
        rf"{_THAT}(?:\b(?:vallen|staan|zijn)\s+)?\b(?:onder|in)\s+(?:de\s+)?(?:verantwoordelijkheid|verantwoording|beheer|handen|hoede)\s+(?:van|bij)\s+{_X}(?:\s+(?:vallen|zijn|staan)\b|{_END})",
        rf"\b(?:die|waar)\s+onder\s+{_X}\s+vallen\b",
        rf"\b(?:waar(?:voor)?|waarvan)\s+{_X}\s+(?:(?:de\s+)?(?:eigenaar|verantwoordelijk(?:e)?)(?:\s+(?:voor|van))?\s+is|verantwoordelijk\s+voor\s+is|(?:voor\s+)?verantwoordelijk\s+is|over\s+gaat|is\s+verantwoordelijk(?:\s+voor)?)\b",
        rf"\b(?:die\s+)?(?:(?:liegen|stehen|fallen|sind|liegt)\s+)?\b(?:in|unter)\s+(?:der|die)\s+(?:verantwortung|verantwortlichkeit|zust\u00e4ndigkeit|obhut|federf\u00fchrung)\s+(?:der|des|von|vom)\s+{_X}(?:\s+(?:liegen|stehen|fallen|sind)\b|{_END})",
        rf"\bf\u00fcr\s+die\s+{_X}\s+(?:verantwortlich|zust\u00e4ndig)(?:\s+(?:ist|zeichnet))?\b",
        rf"\bderen\s+{_OWNER}\s+{_X}\s+ist\b",
        rf"\b(?:liegen|unterstehen)\s+(?:bei\s+)?{_X}{_END}",
        rf"\bdie\s+{_X}\s+(?:geh\u00f6ren|unterstehen|verantwortet|verwaltet|besitzt|beheert|bezit)\b",
        rf"{_THAT}\bthe\s+responsibility\s+of\s+{_X}{_END}",
        rf"\b(?:do|does|did|has|have)\s+{_X}\s+(?:own|maintain|manage|issue|issued|adopted|taken|made|owned)\b",
        rf"\bdid\s+{_X}\s+(?:take|make|adopt)\b",
        rf"\b(?:is|are)\s+{_X}\s+(?:the\s+owner|responsible|accountable|answerable|in\s+charge)\b(?:\s+(?:of|for)\b)?",
        rf"\b(?:that\s+|which\s+)?(?P<owner>(?:the|our)\s+(?:(?!{KINDS}|\bthe\b)[^\n?!,;:]){{2,60}}?)\s+(?:owns|maintains|manages|looks\s+after|takes\s+care\s+of|answers\s+for|is\s+(?:responsible|accountable)\s+for)\b",
        rf"(?<=\s)(?P<owner>(?:de|het|der|die|das)\s+(?:(?!{KINDS})[^\n?!,;:]){{2,60}}?)\s+(?:beheert|bezit|verantwortet|besitzt|verwaltet|betreut)\s*$",
        rf"(?<=\s)(?P<owner>(?:the|our)\s+(?:(?!{KINDS}|\bthe\b)[^\n?!,;:]){{2,60}}?)\s+has\s*$",
        r"\b(?:is|are)\s+(?P<owner>(?:the|our)\s+[^\n?!,;:]{2,60}?)['\u2019]s?\s*$",
        rf"{_THAT}\b(?:comes?|came)\s+from\s+{_X}{_END}",
        rf"\b(?:die\s+)?(?:komen|stammen)\s+(?:van|von|vom)\s+{_X}{_END}",
        rf"{_THAT}\b(?:in\s+)?eigendom\s+(?:zijn\s+)?van\s+{_X}{_END}",
        rf"\b(?:zijn|is)\s+van\s+{_X}{_END}",
        rf"\bvan\s+(?!(?:(?:de|het|onze|alle)\s+)*(?:{KINDS})){_X}\s+(?:zijn|is)\b",
        rf"\b(?:die\s+)?(?:be)?horen\s+(?:tot|bij|aan|toe\s+aan)\s+{_X}{_END}",
        rf"\b(?:die\s+)?vallen\s+onder\s+{_X}{_END}",
        rf"\b(?:heeft|hebben|had|hat|haben)\s+{_X}\s+(?:in\s+(?:beheer|eigendom|portefeuille|handen)|onder\s+zich|unter\s+sich|{_DONE})\b",
        rf"\b(?:bezit|beheert|nam|besitzt|verantwortet|verwaltet)\s+{_X}{_END}",
        rf"{_THAT}\b{_DONE}\s+(?:door|von|vom|durch)\s+{_X}{_END}",
        rf"\b(?:die\s+)?(?:door|von|vom|durch)\s+{_X}\s+(?:(?:zijn|is)\s+)?{_DONE}\b",
        rf"\b(?:is|waarvan|ist)\s+{_X}\s+(?:de\s+|der\s+)?(?:eigenaar|verantwoordelijk|eigent\u00fcmer|verantwortlich|zust\u00e4ndig)\b(?:\s+(?:van|voor|is)\b)?",
        rf"\b(?:die\s+)?geh\u00f6ren\s+(?:zu\s+|zum\s+|zur\s+)?{_X}{_END}",
        rf"\b(?:sind|ist)\s+(?:von|vom)\s+{_X}{_END}",
        rf"\bim\s+besitz\s+(?:von|vom|der|des)\s+{_X}{_END}",
    )
)
"""Phrases that say whose the documents are."""
_OF = phrase(
    rf"\b(?:{KINDS})(?P<phrase>\)?\s+(?:(?:that\s+(?:come|are)|die)\s+)?(?:of|from|by|van|von|vom|door|uit|der|des|aus)\s+{_X}{_END})"
)
_LAST_OF = phrase(rf".*(?P<phrase>\s(?:of|from|by|van|von|vom|door|der|des)\s+{_X}{_END})")
_LEADING = re.compile(
    rf"(?:(?:{forms.LIST_WORDS.pattern}|{NOISE.pattern}|any|some|of)\s+)*",
    re.IGNORECASE,
)
_KINDS = phrase(KINDS)
_KIND = phrase(rf"(?<=[^\s])\s+(?=(?:{KINDS})\b)")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_BODY = re.compile(
    r"\s(?:group|board|council|office|team|department|committee|division|bureau)$"
    r"|(?:groep|raad|beraad|afdeling|bureau|commissie|gruppe|gremium|abteilung|b\u00fcro|ausschuss)$",
    re.IGNORECASE,
)
"""How the name of a body ends: 'of the Data Council' says an owner, 'of security' may not."""
_OURSELVES = frozenset(
    """we us you our ourselves company organisation organization i ons wij we jullie onze organisatie
    bedrijf uns wir unserer organisation unternehmen ihr sie er there anyone""".split()
)
_TRAILING = re.compile(r"(?:\s+(?:and|or|but|en|of|maar|und|oder|aber|only|also|all|zijn))+$")


def read_owner(text: str) -> tuple[str, str, bool]:
    """Read whose documents are asked for, in which phrase, and whether the words say so.

    'Owned by security' does; 'principles of security' may as well be about it.
    """
    for form in _SAID:
        if match := form.search(text):
            return _trimmed(match["owner"]), match.group(), True
    if (match := _OF.search(text)) and not is_subject(text, match.start()):
        owner = _trimmed(match["owner"])
        return owner, match["phrase"], bool(_BODY.search(owner)) or not owner
    if (match := _LAST_OF.search(text)) and not _KINDS.search(match["owner"]):
        return _trimmed(match["owner"]), match["phrase"], False
    owner = _before_the_kind(text)
    return owner, owner, False


def _before_the_kind(text: str) -> str:
    """'(all) Data Council (policies)', '(the) Data Council('s policies)'."""
    kind = _KIND.search(text)
    before = text[: kind.start()].rpartition(GAP)[2].strip() if kind else ""
    return _trimmed(_POSSESSIVE.sub("", _LEADING.sub("", f"{before} ", count=1).strip()))


def _trimmed(owner: str) -> str:
    """An owner as named, without what joins it to the rest; nothing where we ourselves are meant."""
    named = _TRAILING.sub("", owner.strip(" '\"\u201c\u201d"))
    return "" if set(words(named)) <= _OURSELVES | ARTICLES else named
