"""What stands around a question for a meaning: whom it is put to, how politely, in which words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from elysia_guard.language import forms
from elysia_guard.language.meanings import ANY_DEFINITION, compile_all
from elysia_guard.language.phrases import spoken
from elysia_guard.language.wording import core, stripped

_WORD = (
    r"((?!(what|wat|was|and|or|but|how|why|when|which|where|about|whether|en|maar|hoe|waarom"
    r"|wanneer|welke|over|und|oder|aber|warum|wann|welche\w*|ob|über)\b)[^\s?!.:;]+ )"
)
_ASKED = (
    r"(?=(what('?s)?|wat|was|waar|waarvoor|waarvan|wof(ü|ue)r"
    r"|(how|hoe|wie) .{1,60}\s(defined|gedefinieerd|omschreven|definiert))\b)"
)
_SOMEBODY = (
    r"(you|u|i|we|anyone|anybody|someone|somebody"
    r"|(any|one|some) of (you|us|(the|my|our) \w+)|a colleague"
    r"|there (anyone|anybody|someone|somebody))"
)
_IEMAND = (
    r"(je|jij|jullie|u|ik|we|wij|(er )?iemand"
    r"|een (van (jullie|ons|(de|mijn|onze) \S+)|collega))"
)
_JEMAND = (
    r"((mir|uns|bitte|vielleicht|mal|es) )*(du|sie|ihr|ich|wir|jemand\w*|man"
    r"|eine?r? von (euch|uns|ihnen|(den|meinen|unseren) \S+)|eine? koll\w+)"
)
_WISHES_TO = (
    r"((would|'d)\b|(was|were|am|are|'(m|re)) (?!told)|want|need|wish|hope|try|struggle|fail"
    r"|(have|had|'ve) (to|been)|must|should|can(not|'t)|do(n't| not)|never|look"
    r"|appreciate)\w* "
)
_STARTS = (
    rf"(can|could|would|will|might|may|do|does|is|are|has|have|who) {_SOMEBODY} "
    rf"|(i|we)\s*{_WISHES_TO}|(it would|it'd|who (can|could|knows|here)|somebody|someone|anyone"
    r"|anybody|nobody|no one|please|kindly|would it be|be so (good|kind)) "
    rf"|(kan|kun|kunt|kunnen|zou|zouden|wil|wilt|willen|mag|weet|weten|is|heeft) {_IEMAND} "
    r"|(ik|we|wij) (zou|zouden|wil|willen|hoor|horen|ben|zijn|moet|moeten|snap|begrijp|weet|zoek"
    r"|zoeken|probeer|vroeg) |(wie (kan|weet|wil|helpt)|het zou|iemand|niemand|graag|fijn"
    r"|graag hoor ik) "
    r"|(kann|kannst|könn\w+|koenn\w+|würde\w*|wäre\w*|darf|dürfte\w*|mag\w*|mögen|weiß\w*|hat"
    rf"|ist|gibt) {_JEMAND} "
    r"|(ich|wir) (wäre\w*|würde\w*|möchte\w*|will|wollen|muss|müssen|hätte\w*|brauche\w*"
    r"|suche\w*|versuche\w*|hoffe\w*|bin|weiß) "
    r"|(wer (kann|könnte|weiß)|es (wäre|würde)|(mich|uns) (würde|interessiert)|bitte|jemand"
    r"|niemand|keiner|gerne?) "
    rf"|{_WORD}{{1,4}}?(asked|asks|would like|wants?|wanted|begged|vroeg|vraagt|wil|wilde|bat"
    r"|fragte?|möchte|will|wollte) "
)
_TELL = (
    r"(tell(ing)?|explain(ing)?|say|know|knows|understand|clarify(ing)?|describe|remind|show"
    r"|advise|hear|learn|grasp|find out|figure out|work out|spell out|let (me|us) know|clue|idea"
    r"|idee|ahnung|curious|unsure|sure"
    r"|vertellen|uitleggen|zeggen|weten|horen|begrijpen|toelichten|aangeven|verduidelijken|hoor"
    r"|weet|snap niet|benieuwd|leg uit|vertel|zeg|graag"
    r"|sagen|erklären|erklaeren|erläutern|verraten|wissen|verstehen|erfahren|mitteilen"
    r"|interessier\w*|sage?|erkläre?|gespannt|gerne?)"
)
_GET = (
    r"(grateful for|thankful for|happy (with|to have)|pleased with|appreciate|look(ing)? for"
    r"|after|trouble \w+ for|look(ing)? up|ask(ing)? (\w+ )?for|interested in|need(ing)?|want"
    r"|like|love|get|have|receive|see|find|give|provide|share|send|show|quote"
    r"|op zoek naar|zoek(en)?|zocht(en)?|(mij|me|ons) aan|dankbaar voor|blij met|graag|heb"
    r"|hebben|krijgen|ontvangen|geven|benieuwd naar"
    r"|suche\w*|brauche\w*|bräuchte\w*|dankbar für|froh über|gerne?|hätte\w*|möchte\w*"
    r"|interessiere mich für|bitten? um|benötige\w*)"
)
_FOR_WHAT = (
    r"((colleagues|team|all|folks|everyone|everybody|collega's|mensen|kollegen|leute)\s*, "
    rf")?((for|voor|für) {_WORD}{{1,4}}?)?"
)
_IN_WORDS = (
    r"((but |maar |aber )?((explained|told|uitgelegd|verteld|erklärt|gesagt) )?"
    r"((in|with|met|mit) ([\w'\u2019-]+ ){0,3}?(words?|language|english|sentences?|lines?|terms"
    r"|woord(en)?|\w*taal|zin(nen)?|zinnetje|nederlands|jip-en-janneketaal|worten|wort|sätzen"
    r"|satz|\w*sprache|deutsch)"
    r"|like i'?m (five|5)|eli5|auf (gut )?deutsch|simply( put)?|briefly"
    r"|in (brief|short|a nutshell)|in het kort|kort( (en bondig|gezegd))?"
    r"|kurz( (und knapp|gesagt))?|simpel gezegd|einfach gesagt"
    r"|(for|voor|für) ((an?|een|einen?) )?(dummies|beginners?|lay(men|man|people|person)"
    r"|outsiders?|newcomers?|leken|leek|buitenstaanders?|laien?|einsteiger|anfänger)))"
)
_BEFORE: Final = compile_all(
    rf"{_FOR_WHAT}({_STARTS}){_WORD}{{0,9}}?{_TELL},? {_WORD}{{0,8}}?{_ASKED}",
    (
        r"(tell(ing)?|explain(ing)?|describe|clarify|remind|vertel|zeg|leg|sage?|erkläre?"
        rf"|erläutere?) {_WORD}{{1,8}}?{_ASKED}"
    ),
    rf"((weet|weten) {_IEMAND}|(weiß\w*|wissen|wisst) {_JEMAND}),? {_ASKED}",
    rf"{_IN_WORDS}\s*[,:]? {_ASKED}",
    (
        r"(to|from|for|voor|aan|van|für|von) "
        r"(an?|my|our|the|mijn|ons|onze|een|de|het|mein\w*|unser\w*|eine\w?) "
        rf"{_WORD}{{1,5}}?{_ASKED}"
    ),
)
_WISH: Final = compile_all(
    (
        r"(i|we|ik|wij|ich|wir) [^?!.:;]{0,80}?\s(and|so|en|dus|und|also) "
        rf"((i|we|ik|wij|ich|wir|would|zou|zouden) ){{0,2}}{_GET} "
        rf"{_WORD}{{0,3}}?(?={ANY_DEFINITION})"
    ),
    (
        rf"{_FOR_WHAT}(({_STARTS}){_WORD}{{0,7}}?)?((i|we|ik|wij|ich|wir) )?{_GET} "
        rf"{_WORD}{{0,3}}?(?={ANY_DEFINITION})"
    ),
)
_MANNER: Final = re.compile(spoken(_IN_WORDS), re.IGNORECASE)
_PLEASE = (
    r"(please|pls|thanks|thank you|thx|graag|alsjeblieft|alstublieft|a\.?u\.?b|svp"
    r"|(alvast )?bedankt|bitte|danke|gerne?"
    rf"|(can|could|kan|kun|kunt|kunnen|kann|kannst|könn\w+) ({_SOMEBODY}|{_IEMAND}|{_JEMAND}) "
    r"((please|me|us|mij|ons|even|mir|uns|bitte|kurz) )*(help(en)?|helfen)( (me|us|out))*)"
)
_POLITE: Final = re.compile(spoken(_PLEASE), re.IGNORECASE)
_AFTER: Final = compile_all(
    rf"(\s*,)? {_IN_WORDS}( (or|of|oder) (two|three|twee|drie|zwei|drei))?$",
    (
        r"( (to|for|aan|voor|für) (me|us|mij|ons|mich|uns|mir))? (as (if|though)|alsof|als ob) "
        r".+$"
    ),
    rf"\s*[,;.?!\u2013-]+ {_PLEASE}$",
    r" (nodig|krijgen|ontvangen|weten|bekommen|erhalten|gebraucht)$",
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
