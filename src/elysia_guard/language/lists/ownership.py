"""Whose documents are to be listed, in people's words."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language import forms
from elysia_guard.language.lists.reading import GAP, KINDS, NOISE, is_subject, phrase
from elysia_guard.language.owners import articles
from elysia_guard.language.phrases import spoken
from elysia_guard.language.text import words

_X = (
    r"(?P<owner>(?!(toepassing|kracht|belang|which|what|whom?|wie|wem|wen|welke|welche\w*)\b"
    r"|(the |an? )?(topic|subject|area|category|theme|same)\b)[^\s?!,;:][^\n?!,;:]{0,79}?)"
)
_END = (
    r"(?=[ ]*([\n?!,;:.()]|$)|[ ]+(about|on|over|regarding|concerning|über|zu|that|which|are"
    r"|is|were|do|have|exist|zijn|hebben|bestaan|sind|haben|gibt|existieren|(und|en) die)\b)"
)
_THAT = (
    r"(\b(that|which|die|dat|welche) )?(\b(are|is|were|was|have been|has been|zijn|is|werden"
    r"|sind|ist|wurden) )?"
)
_DONE = (
    r"(genomen|gemaakt|vastgesteld|opgesteld|beheerd|uitgevaardigd|getroffen|gefasst|gefällt"
    r"|beschlossen|verabschiedet|erlassen|verantwortet|verwaltet|herausgegeben)"
)
_OWNER = r"(owner|eigena(ar|res)|besitzer(in)?|eigentümer(in)?|verantwortlichen?)"
_SAID: Final = tuple(
    phrase(pattern)
    for pattern in (
        rf"{_THAT}\b(owned|maintained|managed|issued|taken|made|adopted) by {_X}{_END}",
        rf"{_THAT}\bbelong(s|ing|ed)? to {_X}{_END}",
        rf"\b(whose|with|have|having) (as )?(the |an? |their )?owner (is )?{_X}{_END}",
        (
            rf"\b(with|have|having|met|mit|hebben|haben) {_X} (as|als) "
            rf"(the |their |an? |de |een |hun |den )?{_OWNER}\b( (hebben|haben))?"
        ),
        rf"\b(met|mit) ((als|de|het|dem|der) )*{_OWNER}(\s*[:=])? {_X}{_END}",
        rf"\b((als|de|het|dem|der) )*{_OWNER}\s*[:=]\s*{_X}{_END}",
        (
            rf"{_THAT}(\b(fall|come|lie|rest) )?\bunder "
            rf"(the )?(responsibility|ownership|control|stewardship) of {_X}{_END}"
        ),
        rf"{_THAT}\b(in the hands|on the name) of {_X}{_END}",
        (
            rf"\b(that|which) (?!{KINDS}){_X} "
            r"(owns|maintains|manages|looks after|has (adopted|taken|issued|made)"
            r"|is (responsible|accountable|answerable) for)\b"
        ),
        rf"\bfor which {_X} is (responsible|accountable|answerable)\b",
        rf"{_THAT}\b(fall|come|sit)s? (under|with) {_X}{_END}",
        rf"\b(die )?(staan |zijn )?op naam (staan )?van {_X}( staan\b|{_END})",
        rf"\b(heeft|hebben|die) {_X} op (haar|zijn|hun|diens) naam( (heeft|hebben|staan))?\b",
        (
            rf"\b(heeft|hebben|die) {_X} onder (haar|zijn|hun|diens) "
            r"(hoede|beheer)( (heeft|hebben))?\b"
        ),
        (
            rf"{_THAT}(\b(vallen|staan|zijn) )?\b(onder|in) "
            r"(de )?(verantwoordelijkheid|verantwoording|beheer|handen|hoede) (van|bij) "
            rf"{_X}( (vallen|zijn|staan)\b|{_END})"
        ),
        rf"\b(die|waar) onder {_X} vallen\b",
        (
            rf"\b(waar(voor)?|waarvan) {_X} "
            r"((de )?(eigenaar|verantwoordelijk(e)?)( (voor|van))? is|verantwoordelijk voor is"
            r"|(voor )?verantwoordelijk is|over gaat|is verantwoordelijk( voor)?)\b"
        ),
        (
            r"\b(die )?((liegen|stehen|fallen|sind|liegt) )?\b(in|unter) (der|die) "
            r"(verantwortung|verantwortlichkeit|zuständigkeit|obhut|federführung) "
            rf"(der|des|von|vom) {_X}( (liegen|stehen|fallen|sind)\b|{_END})"
        ),
        rf"\bfür die {_X} (verantwortlich|zuständig)( (ist|zeichnet))?\b",
        rf"\bderen {_OWNER} {_X} ist\b",
        rf"\b(liegen|unterstehen) (bei )?{_X}{_END}",
        rf"\bdie {_X} (gehören|unterstehen|verantwortet|verwaltet|besitzt|beheert|bezit)\b",
        rf"{_THAT}\bthe responsibility of {_X}{_END}",
        (
            rf"\b(do|does|did|has|have) {_X} (own|maintain|manage|issue|issued|adopted|taken|made"
            r"|owned)\b"
        ),
        rf"\bdid {_X} (take|make|adopt)\b",
        (
            rf"\b(is|are) {_X} (the owner|responsible|accountable|answerable"
            r"|in charge)\b( (of|for)\b)?"
        ),
        (
            rf"\b(that |which )?(?P<owner>(the|our) ((?!{KINDS}|\bthe\b)[^\n?!,;:]){{2,60}}?) "
            r"(owns|maintains|manages|looks after|takes care of|answers for"
            r"|is (responsible|accountable) for)\b"
        ),
        (
            rf"(?<=\s)(?P<owner>(de|het|der|die|das) ((?!{KINDS})[^\n?!,;:]){{2,60}}?) "
            r"(beheert|bezit|verantwortet|besitzt|verwaltet|betreut)\s*$"
        ),
        rf"(?<=\s)(?P<owner>(the|our) ((?!{KINDS}|\bthe\b)[^\n?!,;:]){{2,60}}?) has\s*$",
        r"\b(is|are) (?P<owner>(the|our) [^\n?!,;:]{2,60}?)'s?\s*$",
        rf"{_THAT}\b(comes?|came) from {_X}{_END}",
        rf"\b(die )?(komen|stammen) (van|von|vom) {_X}{_END}",
        rf"{_THAT}\b(in )?eigendom (zijn )?van {_X}{_END}",
        rf"\b(zijn|is) van {_X}{_END}",
        rf"\bvan (?!((de|het|onze|alle) )*({KINDS})){_X} (zijn|is)\b",
        rf"\b(die )?(be)?horen (tot|bij|aan|toe aan) {_X}{_END}",
        rf"\b(die )?vallen onder {_X}{_END}",
        (
            rf"\b(heeft|hebben|had|hat|haben) {_X} "
            rf"(in (beheer|eigendom|portefeuille|handen)|onder zich|unter sich|{_DONE})\b"
        ),
        rf"\b(bezit|beheert|nam|besitzt|verantwortet|verwaltet) {_X}{_END}",
        rf"{_THAT}\b{_DONE} (door|von|vom|durch) {_X}{_END}",
        rf"\b(die )?(door|von|vom|durch) {_X} ((zijn|is) )?{_DONE}\b",
        (
            rf"\b(is|waarvan|ist) {_X} (de |der )?(eigenaar|verantwoordelijk|eigentümer"
            r"|verantwortlich|zuständig)\b( (van|voor|is)\b)?"
        ),
        rf"\b(die )?gehören (zu |zum |zur )?{_X}{_END}",
        rf"\b(sind|ist) (von|vom) {_X}{_END}",
        rf"\bim besitz (von|vom|der|des) {_X}{_END}",
    )
)
"""Phrases that say whose the documents are."""
_OF = phrase(
    rf"\b({KINDS})(?P<phrase>\)? ((that (come|are)|die) )?(of|from|by|van|von|vom|door|uit"
    rf"|der|des|aus) {_X}{_END})"
)
_LAST_OF = phrase(rf".*(?P<phrase>\s(of|from|by|van|von|vom|door|der|des) {_X}{_END})")
_LEADING = re.compile(
    spoken(rf"(({forms.LIST_WORDS.pattern}|{NOISE.pattern}|any|some|of) )*"),
    re.IGNORECASE,
)
_KINDS = phrase(KINDS)
_KIND = phrase(rf"(?<=[^\s]) (?=({KINDS})\b)")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_BODY = re.compile(
    spoken(
        r"\s(group|board|council|office|team|department|committee|division|bureau)$"
        r"|(groep|raad|beraad|afdeling|bureau|commissie|gruppe|gremium|abteilung|büro|ausschuss)$"
    ),
    re.IGNORECASE,
)
"""How the name of a body ends: 'of the Data Council' says an owner, 'of security' may not."""
_OURSELVES = frozenset(
    """we us you our ourselves company organisation organization i ons wij we jullie onze
    organisatie bedrijf uns wir unserer organisation unternehmen ihr sie er there anyone""".split()
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
    """An owner as named, without what joins it to the rest; nothing where it is ourselves."""
    named = _TRAILING.sub("", owner.strip(" '\"\u201c\u201d"))
    return "" if set(words(named)) <= _OURSELVES | articles() else named
