"""What stands around a question for a meaning: whom it is put to, how politely, in which words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from elysia_guard.language import forms
from elysia_guard.language.meanings import ANY_DEFINITION, compile_all
from elysia_guard.language.wording import core, stripped

_WORD = r"(?:(?!(?:what|wat|was|and|or|but|how|why|when|which|where|about|whether|en|maar|hoe|waarom|wanneer|welke|over|und|oder|aber|warum|wann|welche\w*|ob|\u00fcber)\b)[^\s?!.:;]+\s+)"
_ASKED = r"(?=(?:what(?:['\u2019]?s)?|wat|was|waar|waarvoor|waarvan|wof(?:\u00fc|ue)r|(?:how|hoe|wie)\s+.{1,60}\s(?:defined|gedefinieerd|omschreven|definiert))\b)"
_SOMEBODY = r"(?:you|u|i|we|anyone|anybody|someone|somebody|(?:any|one|some)\s+of\s+(?:you|us|(?:the|my|our)\s+\w+)|a\s+colleague|there\s+(?:anyone|anybody|someone|somebody))"
_IEMAND = r"(?:je|jij|jullie|u|ik|we|wij|(?:er\s+)?iemand|een\s+(?:van\s+(?:jullie|ons|(?:de|mijn|onze)\s+\S+)|collega))"
_JEMAND = r"(?:(?:mir|uns|bitte|vielleicht|mal|es)\s+)*(?:du|sie|ihr|ich|wir|jemand\w*|man|eine?r?\s+von\s+(?:euch|uns|ihnen|(?:den|meinen|unseren)\s+\S+)|eine?\s+koll\w+)"
_WISHES_TO = r"(?:(?:would|['\u2019]d)\b|(?:was|were|am|are|['\u2019](?:m|re))\s+(?!told)|want|need|wish|hope|try|struggle|fail|(?:have|had|['\u2019]ve)\s+(?:to|been)|must|should|can(?:not|['\u2019]t)|do(?:n['\u2019]t|\s+not)|never|look|appreciate)\w*\s+"
_STARTS = (
    rf"(?:can|could|would|will|might|may|do|does|is|are|has|have|who)\s+{_SOMEBODY}\s+"
    rf"|(?:i|we)\s*{_WISHES_TO}|(?:it\s+would|it['\u2019]d|who\s+(?:can|could|knows|here)|somebody|someone|anyone|anybody|nobody|no\s+one|please|kindly|would\s+it\s+be|be\s+so\s+(?:good|kind))\s+"
    rf"|(?:kan|kun|kunt|kunnen|zou|zouden|wil|wilt|willen|mag|weet|weten|is|heeft)\s+{_IEMAND}\s+"
    r"|(?:ik|we|wij)\s+(?:zou|zouden|wil|willen|hoor|horen|ben|zijn|moet|moeten|snap|begrijp|weet|zoek|zoeken|probeer|vroeg)\s+|(?:wie\s+(?:kan|weet|wil|helpt)|het\s+zou|iemand|niemand|graag|fijn|graag\s+hoor\s+ik)\s+"
    rf"|(?:kann|kannst|k\u00f6nn\w+|koenn\w+|w\u00fcrde\w*|w\u00e4re\w*|darf|d\u00fcrfte\w*|mag\w*|m\u00f6gen|wei\u00df\w*|hat|ist|gibt)\s+{_JEMAND}\s+"
    r"|(?:ich|wir)\s+(?:w\u00e4re\w*|w\u00fcrde\w*|m\u00f6chte\w*|will|wollen|muss|m\u00fcssen|h\u00e4tte\w*|brauche\w*|suche\w*|versuche\w*|hoffe\w*|bin|wei\u00df)\s+|(?:wer\s+(?:kann|k\u00f6nnte|wei\u00df)|es\s+(?:w\u00e4re|w\u00fcrde)|(?:mich|uns)\s+(?:w\u00fcrde|interessiert)|bitte|jemand|niemand|keiner|gerne?)\s+"
    rf"|{_WORD}{{1,4}}?(?:asked|asks|would\s+like|wants?|wanted|begged|vroeg|vraagt|wil|wilde|bat|fragte?|m\u00f6chte|will|wollte)\s+"
)
_TELL = (
    r"(?:tell(?:ing)?|explain(?:ing)?|say|know|knows|understand|clarify(?:ing)?|describe|remind|show|advise|hear|learn|grasp|find\s+out|figure\s+out|work\s+out|spell\s+out|let\s+(?:me|us)\s+know|clue|idea|idee|ahnung|curious|unsure|sure"
    r"|vertellen|uitleggen|zeggen|weten|horen|begrijpen|toelichten|aangeven|verduidelijken|hoor|weet|snap\s+niet|benieuwd|leg\s+uit|vertel|zeg|graag"
    r"|sagen|erkl\u00e4ren|erklaeren|erl\u00e4utern|verraten|wissen|verstehen|erfahren|mitteilen|interessier\w*|sage?|erkl\u00e4re?|gespannt|gerne?)"
)
_GET = (
    r"(?:grateful\s+for|thankful\s+for|happy\s+(?:with|to\s+have)|pleased\s+with|appreciate|look(?:ing)?\s+for|after|trouble\s+\w+\s+for|look(?:ing)?\s+up|ask(?:ing)?\s+(?:\w+\s+)?for|interested\s+in|need(?:ing)?|want|like|love|get|have|receive|see|find|give|provide|share|send|show|quote"
    r"|op\s+zoek\s+naar|zoek(?:en)?|zocht(?:en)?|(?:mij|me|ons)\s+aan|dankbaar\s+voor|blij\s+met|graag|heb|hebben|krijgen|ontvangen|geven|benieuwd\s+naar"
    r"|suche\w*|brauche\w*|br\u00e4uchte\w*|dankbar\s+f\u00fcr|froh\s+\u00fcber|gerne?|h\u00e4tte\w*|m\u00f6chte\w*|interessiere\s+mich\s+f\u00fcr|bitten?\s+um|ben\u00f6tige\w*)"
)
_FOR_WHAT = rf"(?:(?:colleagues|team|all|folks|everyone|everybody|collega['\u2019]s|mensen|kollegen|leute)\s*,\s+)?(?:(?:for|voor|f\u00fcr)\s+{_WORD}{{1,4}}?)?"
_IN_WORDS = (
    r"(?:(?:but\s+|maar\s+|aber\s+)?(?:(?:explained|told|uitgelegd|verteld|erkl\u00e4rt|gesagt)\s+)?"
    r"(?:(?:in|with|met|mit)\s+(?:[\w'\u2019-]+\s+){0,3}?(?:words?|language|english|sentences?|lines?|terms|woord(?:en)?|\w*taal|zin(?:nen)?|zinnetje|nederlands|jip-en-janneketaal|worten|wort|s\u00e4tzen|satz|\w*sprache|deutsch)"
    r"|like\s+i['\u2019]?m\s+(?:five|5)|eli5|auf\s+(?:gut\s+)?deutsch|simply(?:\s+put)?|briefly|in\s+(?:brief|short|a\s+nutshell)|in\s+het\s+kort|kort(?:\s+(?:en\s+bondig|gezegd))?|kurz(?:\s+(?:und\s+knapp|gesagt))?|simpel\s+gezegd|einfach\s+gesagt"
    r"|(?:for|voor|f\u00fcr)\s+(?:(?:an?|een|einen?)\s+)?(?:dummies|beginners?|lay(?:men|man|people|person)|outsiders?|newcomers?|leken|leek|buitenstaanders?|laien?|einsteiger|anf\u00e4nger)))"
)
_BEFORE: Final = compile_all(
    rf"{_FOR_WHAT}(?:{_STARTS}){_WORD}{{0,9}}?{_TELL},?\s+{_WORD}{{0,8}}?{_ASKED}",
    rf"(?:tell(?:ing)?|explain(?:ing)?|describe|clarify|remind|vertel|zeg|leg|sage?|erkl\u00e4re?|erl\u00e4utere?)\s+{_WORD}{{1,8}}?{_ASKED}",
    rf"(?:(?:weet|weten)\s+{_IEMAND}|(?:wei\u00df\w*|wissen|wisst)\s+{_JEMAND}),?\s+{_ASKED}",
    rf"{_IN_WORDS}\s*[,:]?\s+{_ASKED}",
    rf"(?:to|from|for|voor|aan|van|f\u00fcr|von)\s+(?:an?|my|our|the|mijn|ons|onze|een|de|het|mein\w*|unser\w*|eine\w?)\s+{_WORD}{{1,5}}?{_ASKED}",
)
_WISH: Final = compile_all(
    rf"(?:i|we|ik|wij|ich|wir)\s+[^?!.:;]{{0,80}}?\s(?:and|so|en|dus|und|also)\s+(?:(?:i|we|ik|wij|ich|wir|would|zou|zouden)\s+){{0,2}}{_GET}\s+{_WORD}{{0,3}}?(?={ANY_DEFINITION})",
    rf"{_FOR_WHAT}(?:(?:{_STARTS}){_WORD}{{0,7}}?)?(?:(?:i|we|ik|wij|ich|wir)\s+)?{_GET}\s+{_WORD}{{0,3}}?(?={ANY_DEFINITION})",
)
_MANNER: Final = re.compile(_IN_WORDS, re.IGNORECASE)
_PLEASE = (
    r"(?:please|pls|thanks|thank\s+you|thx|graag|alsjeblieft|alstublieft|a\.?u\.?b|svp|(?:alvast\s+)?bedankt|bitte|danke|gerne?"
    rf"|(?:can|could|kan|kun|kunt|kunnen|kann|kannst|k\u00f6nn\w+)\s+(?:{_SOMEBODY}|{_IEMAND}|{_JEMAND})\s+(?:(?:please|me|us|mij|ons|even|mir|uns|bitte|kurz)\s+)*(?:help(?:en)?|helfen)(?:\s+(?:me|us|out))*)"
)
_POLITE: Final = re.compile(_PLEASE, re.IGNORECASE)
_AFTER: Final = compile_all(
    rf"(?:\s*,)?\s+{_IN_WORDS}(?:\s+(?:or|of|oder)\s+(?:two|three|twee|drie|zwei|drei))?$",
    r"(?:\s+(?:to|for|aan|voor|f\u00fcr)\s+(?:me|us|mij|ons|mich|uns|mir))?\s+(?:as\s+(?:if|though)|alsof|als\s+ob)\s+.+$",
    rf"\s*[,;.?!\u2013-]+\s+{_PLEASE}$",
    r"\s+(?:nodig|krijgen|ontvangen|weten|bekommen|erhalten|gebraucht)$",
)


def is_manner(clause: str) -> bool:
    """Tell whether a clause says no more than how an answer is to be told."""
    return bool(_MANNER.fullmatch(core(clause)))


def is_polite(clause: str) -> bool:
    """Tell whether a clause says no more than 'please' and 'can somebody help'."""
    return bool(_POLITE.fullmatch(clause.strip(" ?!.\u2026")))


@lru_cache(maxsize=1_000)
def plain(text: str) -> str:
    """The question alone, as ``core`` has it, without whom it is put to and how it is to be told.

    >>> plain("Could somebody at the desk tell me in plain words what a busbar is, please?")
    'what a busbar is'
    """
    bare = core(stripped(stripped(text.strip(), forms.OPENERS), (*_WISH, *_BEFORE)))
    while (shorter := _without_end(bare)) != bare:
        bare = shorter
    return bare


def _without_end(text: str) -> str:
    for form in _AFTER:
        text = form.sub("", text)
    return core(text)
