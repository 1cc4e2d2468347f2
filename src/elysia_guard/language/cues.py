"""The forms in which people ask what something means that they have named before.

'Everybody says TSO. What do they mean by that?': a cue, and a phrase that names the term.
"""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.meanings import PREPOSITIONS, QUOTES, compile_all

CLAUSES: Final = re.compile(
    r"(?<=[?!\u2026])\s+(?=\w)|(?<=[.])\s+(?=[\w'\"])|[,;]\s+|:\s+|\s+[-\u2013\u2014]+\s+"
    rf"|\s+(?:and|en|und)\s+(?=(?:what|wat|was)\b)|(?<=[{QUOTES}])\s+(?=(?:what|wat|was)\b)",
    re.IGNORECASE,
)

# --- cues ------------------------------------------------------------------------------------

_IT = r"(?:that|it|this|those|these|they|(?:that|this|such\s+an?)\s+(?:thing|term|word|concept|abbreviation|acronym|phrase|expression|notion|one))"
_HET = r"(?:dat|het|dit|die|deze|zoiets|(?:dat|dit)\s+(?:ding|woord|begrip|concept)|(?:die|deze)\s+(?:term|afkorting|kreet|uitdrukking))"
_DAS = r"(?:das|es|dies|die|sowas|so\s+etwas|(?:der|dieser)\s+(?:begriff|ausdruck)|(?:das|dieses)\s+(?:wort|k\u00fcrzel|ding)|(?:die|diese)\s+abk\u00fcrzung)"
_ADVERBS = r"(?:\s+(?:actually|actualy|exactly|really|even|again|precisely|thing|all\s+about|supposed\s+to\s+(?:be|mean)|nu|nou|dan|toch|eigenlijk|precies|weer|ook\s+al\s?weer|voor\s+iets|eigentlich|genau|denn|nun|noch\s?mal|hei\u00dfen|bedeuten|sein))*"
_THEY = r"(?:\w+\s+)?\w+"
_A_DEFINITION = r"(?:(?:the|an?|any|your|our|some)\s+)?(?:(?:exact|official|correct|formal|short|proper|agreed)\s+)?(?:definition|meaning)"
_EEN_DEFINITIE = r"(?:(?:de|een|onze|jullie)\s+)?(?:(?:exacte|offici\u00eble|juiste|korte)\s+)?(?:definitie|betekenis)"
_EINE_DEFINITION = (
    r"(?:(?:die|eine)\s+)?(?:(?:genaue|offizielle|kurze)\s+)?(?:definition|bedeutung)"
)

MEANT: Final = compile_all(
    rf"what(?:'s|\u2019s|s|\s+is|\s+are){_ADVERBS}\s+(?:meant|understood)\s+(?:by|with)\s+{_IT}",
    rf"what\s+(?:do|does|did|would){_ADVERBS}\s+{_THEY}{_ADVERBS}\s+(?:mean|understand)\s+(?:by|with|under)\s+{_IT}",
    rf"what\s+(?:do|does){_ADVERBS}\s+{_IT}{_ADVERBS}\s+stand\s+for",
    rf"what(?:'s|\u2019s|s|\s+is)\s+{_A_DEFINITION}(?:\s+(?:of|for)\s+{_IT})?",
    rf"(?:(?:give|provide|share|show|send|have|has|get|got|need|know|want)\s+(?:(?:me|us|you|i|we|there)\s+)*)?{_A_DEFINITION}(?:\s+(?:of|for)\s+{_IT})?",
    rf"how\s+(?:is|are)\s+{_IT}\s+defined|how\s+do\s+\w+\s+define\s+{_IT}",
    r"(?:explain|define|clarify|describe)\s+(?:that|this)\s+(?:term|word|concept|abbreviation|acronym|notion)(?:\s+(?:to|for)\s+.+)?",
    rf"wat\s+(?:wordt|is)\s+(?:er\s+)?(?:daarmee|hiermee|daaronder|hieronder){_ADVERBS}\s+(?:bedoeld|verstaan)",
    rf"wat\s+(?:bedoel\w*|verst(?:a|aa)\w*){_ADVERBS}\s+{_THEY}{_ADVERBS}\s+(?:daar\s?mee|hiermee|daar\s?onder|hieronder|met\s+{_HET})",
    rf"(?:waar\s+(?:staat|staan)\s+{_HET}{_ADVERBS}\s+voor|waarvoor\s+staat\s+{_HET})",
    rf"hoe\s+(?:is|wordt)\s+{_HET}\s+(?:\w+\s+)?gedefinieerd|hoe\s+(?:defini\w+|omschrij\w+)\s+\w+\s+{_HET}",
    rf"(?:hebben|heeft|heb|is|bestaat|kennen)\s+(?:(?:we|wij|jullie|je|er|iemand|daar|hier|ook|ergens|al)\s+)*(?:(?:daar|hier)(?:van|voor)\s+)?{_EEN_DEFINITIE}(?:\s+(?:van|voor)(?:\s+{_HET})?)?",
    rf"(?:wat\s+is\s+)?(?:(?:daar|hier)(?:van|voor)?\s+)?{_EEN_DEFINITIE}(?:\s+(?:daarvan|hiervan|(?:van|voor)(?:\s+{_HET})?))?",
    rf"(?:geef|noem|zoek)\s+(?:(?:me|mij|ons|eens|even)\s+)*{_EEN_DEFINITIE}(?:\s+(?:daarvan|ervan))?",
    r"(?:leg\s+)?(?:die|deze|dat|dit)\s+(?:term|afkorting|begrip|woord|concept)\s+(?:uit|uitleggen|toelichten)(?:\s+aan\s+.+)?",
    rf"was\s+(?:versteht|verstehen|meint|meinen|meinst){_ADVERBS}\s+\w+(?:\s+\w+){{0,3}}?\s+(?:darunter|damit|mit\s+dem\s+(?:begriff|wort))",
    rf"was\s+(?:ist|wird)\s+(?:damit|darunter){_ADVERBS}\s+(?:gemeint|verstanden|zu\s+verstehen)",
    rf"wof\u00fcr\s+steht\s+{_DAS}{_ADVERBS}",
    rf"wie\s+(?:ist|wird)\s+{_DAS}\s+(?:\w+\s+){{0,2}}definiert|wie\s+(?:definier\w+)\s+\w+\s+{_DAS}",
    rf"(?:gibt\s+es|haben\s+wir|hat\s+jemand|habt\s+ihr|existiert)\s+(?:(?:daf\u00fcr|davon|dazu|hierf\u00fcr|irgendwo|auch)\s+)*{_EINE_DEFINITION}(?:\s+(?:daf\u00fcr|davon|dazu))?",
    rf"(?:gib|nenne?)\s+(?:(?:mir|uns|bitte|mal)\s+)*{_EINE_DEFINITION}|(?:was\s+ist\s+|wie\s+lautet\s+)?{_EINE_DEFINITION}(?:\s+(?:davon|dazu))?",
    r"(?:erkl\u00e4re?\s+)?(?:(?:mir|uns|bitte|mal|kurz)\s+)*(?:den|diesen|die|diese|das|dieses)\s+(?:begriff|abk\u00fcrzung|wort|ausdruck)(?:\s+(?:bitte|mal|kurz|einmal))*(?:\s+(?:erkl\u00e4ren|erl\u00e4utern))?",
)
"""Cues that only a term can be meant by: 'What do they mean by it?', 'Definition please'."""

WHAT: Final = compile_all(
    rf"what(?:\s+(?:on\s+earth|the\s+heck|the\s+hell|exactly))?(?:'s|\u2019s|s|\s+is|\s+are|\s+was|\s+were){_ADVERBS}\s+{_IT}{_ADVERBS}",
    rf"what\s+(?:do|does){_ADVERBS}\s+{_IT}{_ADVERBS}\s+(?:mean|refer\s+to)",
    r"(?:explain|define|describe)\s+(?:that|this)(?:\s+to\s+.+)?",
    rf"wat\s+(?:is|was|zijn|waren|betekent|betekenen){_ADVERBS}\s+{_HET}{_ADVERBS}",
    rf"wat\s+houdt\s+{_HET}{_ADVERBS}\s+in|leg\s+{_HET}{_ADVERBS}\s+uit",
    rf"was\s+(?:ist|war|sind|bedeutet|bedeuten|hei\u00dft|hei\u00dfen|soll){_ADVERBS}\s+{_DAS}{_ADVERBS}",
)
"""Cues that may also be meant of what happened: 'What does that mean?'."""

WORD_TOO: Final = re.compile(r"\b(?:word|term|woord|term|begrip|wort|begriff)\b", re.IGNORECASE)
TAIL: Final = re.compile(r"\s+(?:and|en|und|or|of|oder)\s+.+$", re.IGNORECASE)
FOR_SOMEBODY: Final = re.compile(
    r"\b(?:for|voor|f\u00fcr)\s+(?:me|us|my|our|the|this|mij|ons|mijn|onze|de|het|mich|uns|mein\w*|unser\w*|die|den|das)\b",
    re.IGNORECASE,
)
"""'What does that mean for us?' asks for consequences."""

# --- what names the term ---------------------------------------------------------------------

_ARTICLE = r"(?:(?:an?|the|some|their|these|this|een|de|het|die|ein\w{0,2}|der|das|dem|den)\s+)?"
_SO_CALLED = r"(?:(?:so-?called|zogenaamde|zogeheten|sogenannte\w?)\s+)?"
_NOUN = r"(?:(?:term|word|abbreviation|acronym|concept(?:\s+of)?|notion\s+of|afkorting|begrip|woord|begriff|wort|abk\u00fcrzung)\s+)?"
_STOP = (
    rf"(?:{PREPOSITIONS}|\b(?:and|or|but|en|maar|und|oder|aber|of\s+(?:the|our|my)|is|are|was|were|has|have|will|can|zijn|wordt|ist|sind|wird|hat"
    r"|yesterday|today|again|everywhere|constantly|nowadays|always|lately|recently|every|all\s+the|all\s+day|gisteren|vandaag|steeds|altijd|overal|telkens|gestern|heute|immer|st\u00e4ndig|dauernd|\u00fcberall"
    r"|keeps?|pop\w*|taucht|tauchen|kommt|kommen|duikt|duiken|komt|komen|valt|viel|turns|shows|crops|comes|here|there|hier|daar|da|dort|then|dan|dann|genoemd|vermeld|genannt|erw\u00e4hnt)\b)"
)
_NOT_FIRST = r"(?!(?:that|how|what|why|if|we|you|they|it|he|she|i|us|me|him|her|them|about|dat|hoe|wat|we|wij|ze|zij|hij|ik|dass|wie|was|wir|sie|er|ich|es|things?|stuff|something|iets|dingen|etwas|a\s+lot|too|more|our|my|your|ons|onze|unser\w*|no|not|geen|niet|kein\w*|nicht|so|this|diese\w?|deze)\b)"
_WORD = r"[\w\u2019'./&()+-]*[\w)+]"
_NP = rf"{_ARTICLE}{_SO_CALLED}{_NOUN}{_NOT_FIRST}(?P<term>(?!{_STOP}){_WORD}(?:\s+(?!{_STOP}){_WORD}){{0,4}})"
_OFTEN = r"(?:(?:ze|zij|we|wij|hij|iedereen|jullie|men|sie|wir|er|man|steeds|altijd|vaak|telkens|hier|allemaal|alleen|maar|nu|nog|de\s+hele\s+tijd|het|immer|st\u00e4ndig|dauernd|oft|alle|nur|noch|mir|uns|da|hier|auch|mal|plots|ineens|pl\u00f6tzlich)\s+)*"

SPOKEN_OF: Final = compile_all(
    rf"\b(?:warn(?:s|ed|ing)?\s+(?:\w+\s+)?(?:about|of|against)|say|says|saying|mention(?:s|ed|ing)?|(?:talk|speak)(?:s|ed|ing)?(?:\s+all\s+the\s+time)?\s+(?:about|of)|spoke\s+(?:of|about)|going\s+on\s+about|goes\s+on\s+about|(?:hear|hears|heard|hearing)\s+(?:\w+\s+)?(?:about|of|say|mention)|refer(?:s|red|ring)?\s+to|bring(?:s|ing)?\s+up|brought\s+up|throw(?:s|ing)?\s+around|drop(?:s|ped)?\s+the\s+(?:term|word)|called|know(?:n|s)?\s+as|the\s+(?:term|word|abbreviation|acronym|expression))\s+{_NP}",
    rf"\b(?:zeg(?:t|gen)?|zei(?:den)?|noem(?:t|en|de|den)?|(?:praat|praten|praatte\w?|spreek|spreekt|spreken|sprak(?:en)?)\s+{_OFTEN}(?:over|van)|(?:heeft|hebben|heb|had(?:den)?)\s+(?:\w+\s+)?(?:het|'t)\s+{_OFTEN}over|(?:hoor|hoort|hoorde)\s+{_OFTEN}(?:over|van|spreken\s+over)|gaat\s+het\s+{_OFTEN}over|ging\s+het\s+{_OFTEN}over|genaamd|het\s+(?:woord|begrip)|de\s+(?:term|afkorting))\s+{_OFTEN}{_NP}",
    rf"\b(?:(?:spricht|sprechen|sprach(?:en)?|redet|reden|redete\w?|erz\u00e4hlt|erz\u00e4hlen|h\u00f6re)\s+{_OFTEN}(?:von|vom|\u00fcber)|erw\u00e4hn(?:t|en|te|ten)|sag(?:t|en|te|ten)|nenn(?:t|en)|namens|der\s+begriff|das\s+wort|die\s+abk\u00fcrzung)\s+{_OFTEN}{_NP}",
    rf"^{_ARTICLE}{_NP}\s+(?:keeps?|kept|has\s+been)\s+(?:popping|coming|turning|showing|cropping|being\s+mentioned|appearing)\b.*",
    rf"^{_ARTICLE}{_NP}\s+(?:pop|pops|popped|come|comes|came|turn|turns|turned|crop|crops)\s+up\b.*",
    rf"^{_ARTICLE}{_NP}\s+(?:komt|komen|kwam|kwamen|duikt|duiken|dook)\b.*\b(?:langs|voorbij|terug|voor|op)$",
    rf"^{_ARTICLE}{_NP}\s+(?:taucht|tauchen|tauchte|kommt|kommen|kam)\b.*\b(?:auf|vor)$",
)
"""Phrases that say that somebody used the term: the vocabulary, or nothing, says what it means."""

MET_WITH: Final = compile_all(
    rf"\b(?:see|saw|seen|read(?:ing)?(?:\s+(?:about|of))?|found|noticed|came\s+across|come\s+across|stumbled\s+(?:up)?on|ran\s+into|full\s+of|lists?|(?:ask|asks|asked|asking)\s+(?:me\s+|us\s+|you\s+)?(?:about|for)|there(?:'s|\s+is|\s+are))\s+{_NP}",
    rf"\b(?:zie|zien|zag|lees|las|lezen|staat|stond|vol\s+met|vraagt\s+(?:(?:me|mij|ons)\s+)?(?:naar|om|over)|kwam\s+ik)\s+{_OFTEN}(?:er\s+)?(?:(?:iets\s+)?over\s+)?{_NP}",
    rf"\b(?:sehe|sah|lese|las|steht|stand|stehen|voller|voll\s+von|fragt\s+(?:(?:mich|uns)\s+)?nach|stie\u00df\s+auf)\s+{_OFTEN}(?:(?:etwas\s+)?(?:von|\u00fcber)\s+)?{_NP}",
)
"""Phrases that name what somebody met with, which may be a term or the state of things."""

ASKED_BY: Final = re.compile(
    r"^(?:(?!(?:what|wat|was)\b)[^\s?]+\s+){1,5}(?:asks?|asked|asking|wonders?|wants?\s+to\s+know|vraagt|vragen|vroeg|wil\s+weten|fragt|fragen|fragte|will\s+wissen)(?:\s+(?:me|us|mij|ons|mich|uns|mir|sich|zich\s+af))?,?\s+(?=(?:what|wat|was)\b)",
    re.IGNORECASE,
)
"""'The customer asks what X means' asks what X means."""

INSIDE: Final = compile_all(
    rf"\bwhat\s+(?:exactly\s+)?{_ARTICLE}{_NP}\s+(?:means?|stands?\s+for)$",
    rf"\bwat\s+(?:precies\s+)?{_ARTICLE}{_NP}\s+(?:betekent|betekenen|inhoudt|inhouden)$",
    rf"\bwas\s+(?:genau\s+)?{_ARTICLE}{_NP}\s+(?:bedeutet|bedeuten|hei\u00dft)$",
)
"""A meaning asked for inside a clause: 'The customer asks what X means'."""

QUOTATION: Final = re.compile(rf"(?<!\w)[{QUOTES}]([^{QUOTES}]{{2,60}})[{QUOTES}](?!\w)")
ACRONYM: Final = re.compile(r"(?<![\w-])(?=\S*[A-Z]\S*[A-Z])[A-Za-z][A-Za-z0-9&/-]{1,11}(?![\w-])")

# --- two terms compared ----------------------------------------------------------------------

_X = r"(?P<one>[^\s,;?]+(?:\s+[^\s,;?]+){0,4}?)"
_Y = r"(?P<two>[^\s,;?]+(?:\s+[^\s,;?]+){0,4}?)"
_WHO_IS_WHO = r"(?:who(?:'s|\s+is)\s+who|which(?:\s+one)?\s+is\s+which|what(?:'s|s|\s+is)\s+the\s+difference|where\s+is\s+the\s+difference|difference|wie\s+is\s+wie|wat\s+is\s+(?:nu\s+|nou\s+)?het\s+verschil|(?:wo\s+ist|was\s+ist|worin\s+liegt)\s+(?:da\s+)?der\s+unterschied|wer\s+ist\s+wer)"
COMPARED: Final = compile_all(
    rf"(?:what(?:'s|\u2019s|s|\s+is|\s+are){_ADVERBS}\s+)?(?:the\s+|any\s+)?(?:exact\s+|main\s+|real\s+)?differences?\s+(?:between|of)\s+{_X}\s+(?:and|&|vs\.?|versus)\s+{_Y}(?:\s+(?:is|are))?",
    rf"(?:what|how)\s+(?:is|are|does|do|makes?)\s+{_X}\s+(?:different|differ)\s+from\s+{_Y}",
    rf"(?:wat\s+(?:is|zijn){_ADVERBS}\s+)?(?:het\s+)?(?:exacte\s+)?verschil(?:len)?\s+tussen\s+{_X}\s+en\s+{_Y}(?:\s+is)?|wat\s+het\s+verschil\s+is\s+tussen\s+(?P<one2>.+?)\s+en\s+(?P<two2>.+)",
    rf"(?:waarin|hoe)\s+verschil(?:t|len)\s+{_X}\s+van\s+{_Y}",
    rf"(?:(?:was|worin)\s+(?:ist|besteht|liegt){_ADVERBS}\s+)?(?:der\s+)?(?:genaue\s+)?unterschiede?\s+zwischen\s+{_X}\s+und\s+{_Y}(?:\s+ist)?",
    rf"(?:worin|wie)\s+unterscheide(?:t|n)\s+sich\s+{_X}\s+von\s+{_Y}",
    rf"{_X}\s+(?:vs\.?|versus|v\.|tegenover|gegen\u00fcber)\s+{_Y}(?:\s*[,:;?.\u2013-]+\s*{_WHO_IS_WHO})?",
    rf"{_X}\s+(?:and|en|und|or|of|oder)\s+{_Y}\s*[,:;?.\u2013-]+\s*{_WHO_IS_WHO}",
)

DOES: Final = compile_all(
    r"what\s+(?:do|does)\s+an?\s+(?P<term>\S+(?:\s+\S+){0,2})\s+(?:actually\s+)?do",
    r"what\s+an?\s+(?P<term>\S+(?:\s+\S+){0,2})\s+(?:actually\s+)?does",
    r"wat\s+doet\s+een\s+(?P<term>\S+(?:\s+\S+){0,2})|wat\s+een\s+(?P<term2>\S+(?:\s+\S+){0,2})\s+doet",
    r"was\s+macht\s+(?:eigentlich\s+)?eine?\s+(?P<term>\S+(?:\s+\S+){0,2})|was\s+eine?\s+(?P<term2>\S+(?:\s+\S+){0,2})\s+(?:macht|tut)",
)
"""'What does a balance responsible party do?': its definition says it, if there is one."""
