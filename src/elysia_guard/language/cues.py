"""The forms in which people ask what something means that they have named before.

'Everybody says TSO. What do they mean by that?': a cue, and a phrase that names the term.
"""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.meanings import PREPOSITIONS, QUOTES, compile_all
from elysia_guard.language.phrases import spoken

CLAUSES: Final = re.compile(
    spoken(
        r"(?<=[?!\u2026]) (?=\w)|(?<=[.]) (?=[\w'\"])|[,;] |: | [-\u2013\u2014]+ "
        rf"| (and|en|und) (?=(what|wat|was)\b)|(?<=[{QUOTES}]) (?=(what|wat|was)\b)"
    ),
    re.IGNORECASE,
)

# --- cues ------------------------------------------------------------------------------------

_IT = (
    r"(that|it|this|those|these|they|(that|this|such an?) "
    r"(thing|term|word|concept|abbreviation|acronym|phrase|expression|notion|one))"
)
_HET = (
    r"(dat|het|dit|die|deze|zoiets|(dat|dit) (ding|woord|begrip|concept)"
    r"|(die|deze) (term|afkorting|kreet|uitdrukking))"
)
_DAS = (
    r"(das|es|dies|die|sowas|so etwas|(der|dieser) (begriff|ausdruck)"
    r"|(das|dieses) (wort|kürzel|ding)|(die|diese) abkürzung)"
)
_ADVERBS = (
    r"( (actually|actualy|exactly|really|even|again|precisely|thing|all about"
    r"|supposed to (be|mean)|nu|nou|dan|toch|eigenlijk|precies|weer|ook al\s?weer|voor iets"
    r"|eigentlich|genau|denn|nun|noch\s?mal|heißen|bedeuten|sein)){0,8}"
)
_THEY = r"(\w+ )?\w+"
_A_DEFINITION = (
    r"((the|an?|any|your|our|some) )?((exact|official|correct|formal|short|proper|agreed) "
    r")?(definition|meaning)"
)
_EEN_DEFINITIE = r"((de|een|onze|jullie) )?((exacte|officiële|juiste|korte) )?(definitie|betekenis)"
_EINE_DEFINITION = r"((die|eine) )?((genaue|offizielle|kurze) )?(definition|bedeutung)"

MEANT: Final = compile_all(
    rf"what('s|s| is| are){_ADVERBS} (meant|understood) (by|with) {_IT}",
    (
        rf"what (do|does|did|would){_ADVERBS} {_THEY}{_ADVERBS} (mean|understand) "
        rf"(by|with|under) {_IT}"
    ),
    rf"what (do|does){_ADVERBS} {_IT}{_ADVERBS} stand for",
    rf"what('s|s| is) {_A_DEFINITION}( (of|for) {_IT})?",
    (
        r"((give|provide|share|show|send|have|has|get|got|need|know|want) "
        rf"((me|us|you|i|we|there) )*)?{_A_DEFINITION}( (of|for) {_IT})?"
    ),
    rf"how (is|are) {_IT} defined|how do \w+ define {_IT}",
    (
        r"(explain|define|clarify|describe) (that|this) "
        r"(term|word|concept|abbreviation|acronym|notion)( (to|for) .+)?"
    ),
    (
        rf"wat (wordt|is) (er )?(daarmee|hiermee|daaronder|hieronder){_ADVERBS} "
        r"(bedoeld|verstaan)"
    ),
    (
        rf"wat (bedoel\w*|verst(a|aa)\w*){_ADVERBS} {_THEY}{_ADVERBS} "
        rf"(daar\s?mee|hiermee|daar\s?onder|hieronder|met {_HET})"
    ),
    rf"(waar (staat|staan) {_HET}{_ADVERBS} voor|waarvoor staat {_HET})",
    rf"hoe (is|wordt) {_HET} (\w+ )?gedefinieerd|hoe (defini\w+|omschrij\w+) \w+ {_HET}",
    (
        r"(hebben|heeft|heb|is|bestaat|kennen) "
        r"((we|wij|jullie|je|er|iemand|daar|hier|ook|ergens|al) )*((daar|hier)(van|voor) "
        rf")?{_EEN_DEFINITIE}( (van|voor)( {_HET})?)?"
    ),
    (
        rf"(wat is )?((daar|hier)(van|voor)? )?{_EEN_DEFINITIE}( "
        rf"(daarvan|hiervan|(van|voor)( {_HET})?))?"
    ),
    rf"(geef|noem|zoek) ((me|mij|ons|eens|even) )*{_EEN_DEFINITIE}( (daarvan|ervan))?",
    (
        r"(leg )?(die|deze|dat|dit) (term|afkorting|begrip|woord|concept) "
        r"(uit|uitleggen|toelichten)( aan .+)?"
    ),
    (
        rf"was (versteht|verstehen|meint|meinen|meinst){_ADVERBS} \w+( \w+){{0,3}}? "
        r"(darunter|damit|mit dem (begriff|wort))"
    ),
    rf"was (ist|wird) (damit|darunter){_ADVERBS} (gemeint|verstanden|zu verstehen)",
    rf"wofür steht {_DAS}{_ADVERBS}",
    rf"wie (ist|wird) {_DAS} (\w+ ){{0,2}}definiert|wie (definier\w+) \w+ {_DAS}",
    (
        r"(gibt es|haben wir|hat jemand|habt ihr|existiert) "
        rf"((dafür|davon|dazu|hierfür|irgendwo|auch) )*{_EINE_DEFINITION}( (dafür|davon|dazu))?"
    ),
    (
        rf"(gib|nenne?) ((mir|uns|bitte|mal) )*{_EINE_DEFINITION}"
        rf"|(was ist |wie lautet )?{_EINE_DEFINITION}( (davon|dazu))?"
    ),
    (
        r"(erkläre? )?((mir|uns|bitte|mal|kurz) )*(den|diesen|die|diese|das|dieses) "
        r"(begriff|abkürzung|wort|ausdruck)( (bitte|mal|kurz|einmal))*( (erklären|erläutern))?"
    ),
)
"""Cues that only a term can be meant by: 'What do they mean by it?', 'Definition please'."""

WHAT: Final = compile_all(
    (
        rf"what( (on earth|the heck|the hell|exactly))?('s|s| is| are| was| were){_ADVERBS} "
        rf"{_IT}{_ADVERBS}"
    ),
    rf"what (do|does){_ADVERBS} {_IT}{_ADVERBS} (mean|refer to)",
    r"(explain|define|describe) (that|this)( to .+)?",
    rf"wat (is|was|zijn|waren|betekent|betekenen){_ADVERBS} {_HET}{_ADVERBS}",
    rf"wat houdt {_HET}{_ADVERBS} in|leg {_HET}{_ADVERBS} uit",
    rf"was (ist|war|sind|bedeutet|bedeuten|heißt|heißen|soll){_ADVERBS} {_DAS}{_ADVERBS}",
)
"""Cues that may also be meant of what happened: 'What does that mean?'."""

WORD_TOO: Final = re.compile(
    spoken(r"\b(word|term|woord|term|begrip|wort|begriff)\b"), re.IGNORECASE
)
TAIL: Final = re.compile(spoken(r" (and|en|und|or|of|oder) .+$"), re.IGNORECASE)
FOR_SOMEBODY: Final = re.compile(
    spoken(
        r"\b(for|voor|für) (me|us|my|our|the|this|mij|ons|mijn|onze|de|het|mich|uns|mein\w*"
        r"|unser\w*|die|den|das)\b"
    ),
    re.IGNORECASE,
)
"""'What does that mean for us?' asks for consequences."""

# --- what names the term ---------------------------------------------------------------------

_ARTICLE = r"((an?|the|some|their|these|this|een|de|het|die|ein\w{0,2}|der|das|dem|den) )?"
_SO_CALLED = r"((so-?called|zogenaamde|zogeheten|sogenannte\w?) )?"
_NOUN = (
    r"((term|word|abbreviation|acronym|concept( of)?|notion of|afkorting|begrip|woord"
    r"|begriff|wort|abkürzung) )?"
)
_STOP = (
    rf"({PREPOSITIONS}|\b(and|or|but|en|maar|und|oder|aber|of (the|our|my)|is|are|was|were|has"
    r"|have|will|can|zijn|wordt|ist|sind|wird|hat"
    r"|yesterday|today|again|everywhere|constantly|nowadays|always|lately|recently|every|all the"
    r"|all day|gisteren|vandaag|steeds|altijd|overal|telkens|gestern|heute|immer|ständig|dauernd"
    r"|überall"
    r"|keeps?|pop\w*|taucht|tauchen|kommt|kommen|duikt|duiken|komt|komen|valt|viel|turns|shows"
    r"|crops|comes|here|there|hier|daar|da|dort|then|dan|dann|genoemd|vermeld|genannt"
    r"|erwähnt)\b)"
)
_NOT_FIRST = (
    r"(?!(that|how|what|why|if|we|you|they|it|he|she|i|us|me|him|her|them|about|dat|hoe|wat"
    r"|we|wij|ze|zij|hij|ik|dass|wie|was|wir|sie|er|ich|es|things?|stuff|something|iets"
    r"|dingen|etwas|a lot|too|more|our|my|your|ons|onze|unser\w*|no|not|geen|niet|kein\w*"
    r"|nicht|so|this|diese\w?|deze)\b)"
)
_WORD = r"[\w\u2019'./&()+-]*[\w)+]"
_NP = (
    rf"{_ARTICLE}{_SO_CALLED}{_NOUN}{_NOT_FIRST}"
    rf"(?P<term>(?!{_STOP}){_WORD}( (?!{_STOP}){_WORD}){{0,4}})"
)
_OFTEN = (
    r"((ze|zij|we|wij|hij|iedereen|jullie|men|sie|wir|er|man|steeds|altijd|vaak|telkens|hier"
    r"|allemaal|alleen|maar|nu|nog|de hele tijd|het|immer|ständig|dauernd|oft|alle|nur|noch"
    r"|mir|uns|da|hier|auch|mal|plots|ineens|plötzlich) )*"
)

SPOKEN_OF: Final = compile_all(
    (
        r"\b(warn(s|ed|ing)? (\w+ )?(about|of|against)|say|says|saying|mention(s|ed|ing)?"
        r"|(talk|speak)(s|ed|ing)?( all the time)? (about|of)|spoke (of|about)|going on about"
        r"|goes on about|(hear|hears|heard|hearing) (\w+ )?(about|of|say|mention)"
        r"|refer(s|red|ring)? to|bring(s|ing)? up|brought up|throw(s|ing)? around"
        r"|drop(s|ped)? the (term|word)|called|know(n|s)? as"
        rf"|the (term|word|abbreviation|acronym|expression)) {_NP}"
    ),
    (
        r"\b(zeg(t|gen)?|zei(den)?|noem(t|en|de|den)?"
        rf"|(praat|praten|praatte\w?|spreek|spreekt|spreken|sprak(en)?) {_OFTEN}(over|van)"
        rf"|(heeft|hebben|heb|had(den)?) (\w+ )?(het|'t) {_OFTEN}over"
        rf"|(hoor|hoort|hoorde) {_OFTEN}(over|van|spreken over)|gaat het {_OFTEN}over"
        rf"|ging het {_OFTEN}over|genaamd|het (woord|begrip)|de (term|afkorting)) {_OFTEN}{_NP}"
    ),
    (
        r"\b((spricht|sprechen|sprach(en)?|redet|reden|redete\w?|erzählt|erzählen|höre) "
        rf"{_OFTEN}(von|vom|über)|erwähn(t|en|te|ten)|sag(t|en|te|ten)|nenn(t|en)|namens"
        rf"|der begriff|das wort|die abkürzung) {_OFTEN}{_NP}"
    ),
    (
        rf"^{_ARTICLE}{_NP} (keeps?|kept|has been) "
        r"(popping|coming|turning|showing|cropping|being mentioned|appearing)\b.*"
    ),
    rf"^{_ARTICLE}{_NP} (pop|pops|popped|come|comes|came|turn|turns|turned|crop|crops) up\b.*",
    (
        rf"^{_ARTICLE}{_NP} (komt|komen|kwam|kwamen|duikt|duiken|dook)\b.*\b(langs|voorbij|terug"
        r"|voor|op)$"
    ),
    rf"^{_ARTICLE}{_NP} (taucht|tauchen|tauchte|kommt|kommen|kam)\b.*\b(auf|vor)$",
)
"""Phrases that say that somebody used the term: the vocabulary, or nothing, says what it means."""

MET_WITH: Final = compile_all(
    (
        r"\b(see|saw|seen|read(ing)?( (about|of))?|found|noticed|came across|come across"
        r"|stumbled (up)?on|ran into|full of|lists?|(ask|asks|asked|asking) "
        rf"(me |us |you )?(about|for)|there('s| is| are)) {_NP}"
    ),
    (
        r"\b(zie|zien|zag|lees|las|lezen|staat|stond|vol met"
        rf"|vraagt ((me|mij|ons) )?(naar|om|over)|kwam ik) {_OFTEN}(er )?((iets )?over )?{_NP}"
    ),
    (
        r"\b(sehe|sah|lese|las|steht|stand|stehen|voller|voll von|fragt ((mich|uns) )?nach"
        rf"|stieß auf) {_OFTEN}((etwas )?(von|über) )?{_NP}"
    ),
)
"""Phrases that name what somebody met with, which may be a term or the state of things."""

ASKED_BY: Final = re.compile(
    spoken(
        r"^((?!(what|wat|was)\b)[^\s?]+ ){1,5}(asks?|asked|asking|wonders?|wants? to know"
        r"|vraagt|vragen|vroeg|wil weten|fragt|fragen|fragte"
        r"|will wissen)( (me|us|mij|ons|mich|uns|mir|sich|zich af))?,? (?=(what|wat|was)\b)"
    ),
    re.IGNORECASE,
)
"""'The customer asks what X means' asks what X means."""

INSIDE: Final = compile_all(
    rf"\bwhat (exactly )?{_ARTICLE}{_NP} (means?|stands? for)$",
    rf"\bwat (precies )?{_ARTICLE}{_NP} (betekent|betekenen|inhoudt|inhouden)$",
    rf"\bwas (genau )?{_ARTICLE}{_NP} (bedeutet|bedeuten|heißt)$",
)
"""A meaning asked for inside a clause: 'The customer asks what X means'."""

QUOTATION: Final = re.compile(rf"(?<!\w)[{QUOTES}]([^{QUOTES}]{{2,60}})[{QUOTES}](?!\w)")
ACRONYM: Final = re.compile(r"(?<![\w-])(?=\S*[A-Z]\S*[A-Z])[A-Za-z][A-Za-z0-9&/-]{1,11}(?![\w-])")

# --- two terms compared ----------------------------------------------------------------------

_X = r"(?P<one>[^\s,;?]+( [^\s,;?]+){0,4}?)"
_Y = r"(?P<two>[^\s,;?]+( [^\s,;?]+){0,4}?)"
_WHO_IS_WHO = (
    r"(who('s| is) who|which( one)? is which|what('s|s| is) the difference"
    r"|where is the difference|difference|wie is wie|wat is (nu |nou )?het verschil"
    r"|(wo ist|was ist|worin liegt) (da )?der unterschied|wer ist wer)"
)
COMPARED: Final = compile_all(
    (
        rf"(what('s|s| is| are){_ADVERBS} )?(the |any )?(exact |main |real )?differences? "
        rf"(between|of) {_X} (and|&|vs\.?|versus) {_Y}( (is|are))?"
    ),
    rf"(what|how) (is|are|does|do|makes?) {_X} (different|differ) from {_Y}",
    (
        rf"(wat (is|zijn){_ADVERBS} )?(het )?(exacte )?verschil(len)? tussen {_X} en {_Y}( is)?"
        r"|wat het verschil is tussen (?P<one2>.+?) en (?P<two2>.+)"
    ),
    rf"(waarin|hoe) verschil(t|len) {_X} van {_Y}",
    (
        rf"((was|worin) (ist|besteht|liegt){_ADVERBS} )?(der )?(genaue )?unterschiede? zwischen "
        rf"{_X} und {_Y}( ist)?"
    ),
    rf"(worin|wie) unterscheide(t|n) sich {_X} von {_Y}",
    rf"{_X} (vs\.?|versus|v\.|tegenover|gegenüber) {_Y}(\s*[,:;?.\u2013-]+\s*{_WHO_IS_WHO})?",
    rf"{_X} (and|en|und|or|of|oder) {_Y}\s*[,:;?.\u2013-]+\s*{_WHO_IS_WHO}",
)

DOES: Final = compile_all(
    r"what (do|does) an? (?P<term>\S+( \S+){0,2}) (actually )?do",
    r"what an? (?P<term>\S+( \S+){0,2}) (actually )?does",
    r"wat doet een (?P<term>\S+( \S+){0,2})|wat een (?P<term2>\S+( \S+){0,2}) doet",
    (
        r"was macht (eigentlich )?eine? (?P<term>\S+( \S+){0,2})"
        r"|was eine? (?P<term2>\S+( \S+){0,2}) (macht|tut)"
    ),
)
"""'What does a balance responsible party do?': its definition says it, if there is one."""
