"""The forms in which people ask, in English, Dutch and German, as tables the router reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect

_Key = TypeVar("_Key")


def _compile(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _compiled(patterns: Mapping[_Key, str], *, whole: str = "{}") -> dict[_Key, re.Pattern[str]]:
    return {key: re.compile(whole.format(form), re.IGNORECASE) for key, form in patterns.items()}


_QUOTES = "\"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_S = r"(?:'s|\u2019s|s)"
_T = r"(?P<term>.+?)"

# --- what stands around a question -----------------------------------------------------------

_ASKS = r"(?:what|whats|which|who|how|when|where|why|can|could|would|do|does|is|are|define|explain|tell|list|show|give|please|wat|welke?|wie|hoe|wanneer|waar|waarom|kun|kunt|kan|zou|weet|leg|geef|toon|definieer|was|welche\w*|wer|wann|wo|wof\u00fcr|warum|kannst|k\u00f6nn\w+|wei\u00dft|erkl\u00e4r\w*|zeig\w*|gib)"
_GREETING = r"(?:hi|hello|hey|hiya|dear|good\s+(?:morning|afternoon|evening|day)|morning|hallo|hoi|dag|beste|goede?\s*(?:morgen|middag|n?avond|n?\s*dag)|goeie?morgen|guten\s+(?:morgen|tag|abend)|moin|servus|gr\u00fc\u00df\s+gott)"
OPENERS: Final = _compile(
    rf"{_GREETING}(?:\s+[\w-]+){{0,2}}?(?:\s*[,!.;:\u2013-]+\s*|\s+(?={_ASKS}\b))",
    r"(?:(?:(?:ok(?:ay)?|great|cool),?\s+)?(?:(?:many\s+)?thanks|thank\s+you|thx)(?:\s+(?:a\s+lot|so\s+much|very\s+much))?|ok(?:\u00e9|ay)?|great|sorry|pardon(?:\s+me)?|excuse\s+me|well|right|now|actually|um+|hmm+|bedankt|dank\s+(?:je|u)(?:\s+wel)?|prima|danke(?:\s+sch\u00f6n)?|vielen\s+dank|entschuldigung|verzeihung|nun|na)\s*[,!.;:\u2013-]+\s*",
    r"(?:so|and|but|ok(?:ay)?|ok\u00e9|please|pls|plz|dus|maar|nou|en(?!\s+\d)|und|aber|also|bitte|sorry)\s+(?:then\s+|dan\s+|dann\s+)?",
    r"(?:(?:i\s+have\s+)?(?:just\s+)?(?:an?\s+)?(?:other\s+|another\s+|one\s+)?(?:more\s+)?(?:quick|short|simple|small|stupid|dumb|basic)?\s*question(?:\s+for\s+you)?|(?:ik\s+heb\s+)?(?:even\s+)?(?:een\s+|nog\s+een\s+)?(?:korte?\s+|kleine?\s+|snelle?\s+|domme?\s+)?vraag(?:je)?|(?:ich\s+habe\s+)?(?:noch\s+)?(?:(?:mal\s+)?eine\s+)?(?:kurze\s+|kleine\s+|schnelle\s+|dumme\s+)?frage|sag\s+mal|zeg)\s*[,:;!.\u2013-]+\s*",
    r"(?:in\s+(?:short|brief|simple\s+terms|plain\s+(?:english|words|language)|a\s+nutshell|one\s+sentence|other\s+words)|simply\s+put|eli5|kort\s+gezegd|simpel\s+gezegd|in\s+(?:gewone|eenvoudige)\s+(?:taal|woorden)|in\s+\u00e9\u00e9n\s+zin|kurz(?:\s+gesagt)?|einfach\s+gesagt|in\s+einfachen\s+worten)\s*[,:]\s*",
    # 'Could you tell me', 'I do not know': someone asks to be told
    r"(?:please\s+)?(?:can|could|would|will)\s+(?:you|u|someone|somebody|anyone|anybody)\s+(?:(?:please|kindly|maybe|perhaps|quickly|briefly|also|be\s+(?:so\s+kind|able)\s+(?:as\s+)?to)\s+)*(?=(?:tell|explain|describe|clarify|remind|define|let)\b)",
    r"would\s+you\s+mind\s+(?=(?:explain|tell|defin|giv|remind|clarify)\w*\b)",
    r"(?:tell(?:ing)?|remind(?:ing)?|teach)\s+(?:me|us)\s*[,:]?\s+(?:again\s+)?(?!about\b)|let\s+me\s+know\s+|(?:explain(?:ing)?|clarify(?:ing)?|describe)(?:\s+to)?(?:\s+me|\s+us)?\s+(?=what|how\s+.+\s+defined)|help\s+me\s+understand\s+",
    r"(?:do(?:es)?)\s+(?:you|anyone|anybody|someone|somebody)\s+(?:(?:happen\s+to|perhaps|also|maybe)\s+)?(?:know|remember|understand)\s+",
    r"(?:may|can|could|might)\s+(?:i|we)\s+ask\s+(?:you\s+)?",
    r"i(?:'d|\u2019d|\s+would|\s+do)?\s+(?:(?:really|just|also)\s+)?(?:want|like|love|need|wish)\s+to\s+(?:know|understand|learn|ask|find\s+out)\s+(?:you\s+)?",
    r"(?:i(?:'m|\u2019m|\s+am|\s+was)?\s+(?:(?:just|still|always)\s+)?(?:(?:do\s+not|don'?t|don\u2019t|never|can'?t|cannot)\s+(?:(?:really|quite|exactly|fully)\s+)?(?:know|understand|get|remember)|have\s+no\s+idea|wonder(?:ing)?|curious|unsure|not\s+(?:quite\s+)?sure|forgot|keep\s+forgetting)|(?:any|no)\s+idea|(?:do\s+you\s+)?have\s+any\s+idea|not\s+sure)\s+(?=what|how|if|whether)",
    r"(?:kun|kan|kunt|wil|wilt|zou)\s+(?:je|jij|u|jullie|iemand)\s+(?:(?:me|mij|ons|even|eens|misschien|alsjeblieft|alstublieft|kort|ook|kunnen|willen)\s+)*(?:uitleggen|uitleg\s+geven|vertellen|zeggen|aangeven|toelichten),?\s+",
    r"(?:vertel|zeg|leg)(?:\s+(?:me|mij|ons|even|eens|maar|kort))*(?:\s+uit)?,?\s+(?=(?:wat|waar|hoe)\b)",
    r"weet\s+(?:je|jij|u|iemand|jullie)(?:\s+(?:ook|misschien|toevallig))*,?\s+|(?:heb\s+je\s+)?(?:enig|geen)\s+idee,?\s+(?=(?:wat|waar)\b)",
    r"(?:mag|kan)\s+ik\s+(?:(?:even|misschien|ook)\s+)*(?:vragen|weten),?\s+|ik\s+(?:wil|wou|zou)\s+(?:(?:graag|even|wel|eens|ook)\s+)*(?:willen\s+)?weten,?\s+",
    r"ik\s+(?:weet|begrijp|snap)\s+(?:(?:nog|eigenlijk)\s+)?niet\s*(?:(?:goed|precies|zo)\s*)*,?\s+(?=(?:wat|waar|hoe)\b)|ik\s+(?:vraag\s+me\s+af|ben\s+benieuwd),?\s+",
    r"(?:kannst|k\u00f6nntest|k\u00f6nnten|k\u00f6nnen|koennen|koennten|kann|w\u00fcrdest|w\u00fcrden)\s+(?:du|sie|ihr|jemand)\s+(?:(?:mir|uns|bitte|mal|kurz|vielleicht|eben|auch)\s+)*(?:sagen|erkl\u00e4ren|erklaeren|erl\u00e4utern|verraten),?\s+",
    r"(?:sage?|erkl\u00e4re?|erklaere?|erl\u00e4utere?|verrate?|(?:sagen|erkl\u00e4ren|erl\u00e4utern)\s+sie)(?:\s+(?:mir|uns|bitte|mal|kurz|doch))*,?\s+(?=(?:was|wof\u00fcr|wie)\b)",
    r"(?:wei\u00dft|weisst|wissen|wei\u00df)\s+(?:du|sie|ihr|jemand)(?:\s+(?:vielleicht|zuf\u00e4llig|auch))*,?\s+|(?:hast\s+du\s+)?(?:eine|keine)\s+ahnung,?\s+",
    r"(?:darf|kann)\s+ich\s+(?:(?:mal|kurz|bitte)\s+)*fragen,?\s+|ich\s+(?:m\u00f6chte|moechte|will|w\u00fcrde|w\u00fcsste)\s+(?:(?:gerne?|mal|bitte|nur|auch)\s+)*(?:wissen|verstehen|erfahren)?,?\s*(?=(?:was|wof\u00fcr|wie)\b)|ich\s+(?:wei\u00df|verstehe)\s+(?:(?:noch|leider)\s+)?nicht(?:\s+(?:genau|so\s+recht))?,?\s+(?=(?:was|wof\u00fcr|wie)\b)|ich\s+frage\s+mich,?\s+",
)
"""What people say before their question: not part of it."""

WISHES: Final = _compile(
    r"(?:can|could|would|will)\s+(?:you|u|someone)\s+(?:(?:please|kindly|maybe|also)\s+)*",
    r"(?:may|can|could)\s+(?:i|we)\s+(?:please\s+)?(?:see|have|get)\s+",
    r"(?:i(?:'d|\u2019d|\s+would)?\s+)?(?:really\s+)?(?:want|like|love|need)(?:\s+to\s+(?:see|have|get))?\s+|i(?:'m|\u2019m|\s+am)\s+looking\s+for\s+",
    r"(?:do\s+(?:we|you)\s+have|is\s+there|have\s+(?:we|you)\s+got|(?:whether|if)\s+(?:we|you)\s+have|whether\s+there\s+is)\s+(?=(?:an?|any|the)\s+(?:[\w-]+\s+){0,2}(?:list|overview|definition|meaning|index)\b)",
    r"(?:kun|kan|kunt|wil|wilt|zou)\s+(?:je|jij|u|jullie|iemand)\s+(?:(?:me|mij|ons|even|eens|misschien|alsjeblieft|kort)\s+)*",
    r"(?:mag|kan)\s+ik\s+(?:(?:even|misschien|ook)\s+)*|ik\s+(?:wil|wou|zou|zoek)\s*(?:(?:graag|even|ook)\s+)*",
    r"(?:is\s+er|bestaat\s+er|hebben\s+we|heb\s+je)\s+(?=(?:ook\s+)?(?:een|de)\s+(?:lijst|overzicht|definitie|betekenis)\b)",
    r"(?:kannst|k\u00f6nntest|k\u00f6nnten|k\u00f6nnen|koennten|w\u00fcrdest|w\u00fcrden)\s+(?:du|sie|ihr)\s+(?:(?:mir|uns|bitte|mal|kurz)\s+)*",
    r"(?:kann|darf)\s+ich\s+(?:(?:bitte|mal)\s+)*|ich\s+(?:m\u00f6chte|moechte|will|h\u00e4tte|brauche|suche)\s+(?:(?:gerne?|bitte|mal)\s+)*",
    r"(?:gibt\s+es|haben\s+wir|hast\s+du)\s+(?=(?:auch\s+)?(?:eine|die)\s+(?:liste|\u00fcbersicht|definition|bedeutung)\b)",
)
"""Wishes before a list or a definition: 'Could you', 'I would like', 'Is there a (definition)'."""

CLOSERS: Final = re.compile(
    r"(?:\s*,)?\s+(?:please|pls|plz|thanks|thank\s+you|thx|exactly|actually|precisely|really|again|then|anyway|(?:to|for)\s+(?:me|us)|here|hier|(?:bei|bij)\s+(?:uns|euch|ons|jullie)|for\s+(?:an?|my|our|the)\s+(?:\w+\s+){0,2}(?:report|presentation|document|colleague|customer|audit|slide|meeting)|in\s+(?:simple\s+terms|plain\s+english|short|one\s+sentence|general)|in\s+(?:the|this|that|our)\s+(?:context|vocabulary|glossary|sense|domain|field|sector)(?:\s+of\s+.+)?|in\s+(?:the\s+)?(?:cim|cgmes|skosmos)|according\s+to\s+(?:the\s+)?\S+"
    r"|alsjeblieft|alstublieft|a\.?u\.?b|svp|graag|(?:nou\s+|nu\s+)?(?:precies|eigenlijk)|nou|dan|ook\s+al\s?weer|ook\s+weer|alvast\s+bedankt|bedankt|in\s+deze\s+context|volgens\s+(?:de\s+)?\S+|bitte|genau|eigentlich|denn|nochmals?|noch\s+mal|\u00fcberhaupt|danke|in\s+diesem\s+zusammenhang|laut\s+(?:dem\s+|der\s+)?\S+)$",
    re.IGNORECASE,
)
"""What people say after their question."""

MISSPELT: Final[dict[str, str]] = {
    "what": "wht waht whta wath hwat whatt waat whaat wgat",
    "what's": "waht's wht's whta's",
    "wat": "wta awt",
    "was": "wsa wass",
    "what is": "whatis",
    "wat is": "wats watis",
    "list": "lsit lits ilst lisst",
    "show": "shwo hsow sohw",
    "which": "wich whcih whihc",
    "welke": "wleke",
    "define": "defien dfine difine deffine",
    "explain": "explian expalin explane explein",
    "definition": "defintion definiton defination difinition defenition definitoin",
    "meaning": "meening meanign meaing menaing",
    "betekent": "betekend beteknt betekenet betekt",
    "betekenis": "betekennis beteknis",
    "definitie": "defenitie difinitie",
    "definieer": "defineer definier",
    "bedeutet": "bedeuted bedeuetet bedeudet bedutet",
    "wof\u00fcr": "wofuer wofur",
    "erkl\u00e4re": "erklaere erklare erkl\u00e4hre",
    "versteht": "verstet verseht",
    "hei\u00dft": "heist heisst heiss",
    "abk\u00fcrzung": "abkuerzung abkurzung",
}
"""Question words as they are often mistyped; the short ones only at the start."""

# --- what a term means -----------------------------------------------------------------------

_WHAT = r"what(?:\s+(?:exactly|precisely|actually|the\s+heck|the\s+hell|on\s+earth))?"
_IS = rf"(?:{_S}|\s+(?:is|si|iss|are))(?:\s+(?:exactly|actually|really|precisely|basically))?"
_DEF = r"(?:(?:the|teh|an?|any|your|our)\s+)?(?:(?:exact|official|correct|formal|precise|short|proper|agreed|common|shared)\s+)?(?:meaning|definition|full\s+form|long\s+form)"
_WAT_IS = r"wat(?:\s+precies)?\s+(?:is|si|zijn)(?:\s+(?:nu|nou|dan|toch|eigenlijk|precies|ook\s+al\s?weer|(?:ook\s+)?weer|dat\s*[:,]))*"
_DEF_NL = r"(?:(?:de|een|jullie|onze)\s+)?(?:(?:exacte|offici\u00eble|juiste|precieze)\s+)?(?:betekenis|definitie|omschrijving)"
_WAS_IST = r"was(?:\s+(?:genau|eigentlich))?\s+(?:ist|sind|its)(?:\s+(?:eigentlich|genau|denn|nun|nochmal|noch\s+mal|\u00fcberhaupt|bitte|das\s*[:,]))*"
_DEF_DE = r"(?:(?:die|eine|der)\s+)?(?:(?:genaue|offizielle|exakte)\s+)?(?:bedeutung|definition|begriffsbestimmung)"
_TO_DE = r"(?:(?:mir|uns|bitte|mal|kurz|doch)\s+)*"

LABEL: Final = re.compile(
    r"^(?:(?:the|this|an?|de|het|der|die|das|den|dem)\s+(?:term|word|phrase|expression|concept(?:\s+of)?|notion(?:\s+of)?|abbreviation|acronym|afkorting|begrip|woord|concept|uitdrukking|begriff|wort|ausdruck|konzept(?:\s+von)?|abk\u00fcrzung|k\u00fcrzel|akronym)|term|abbreviation|acronym|afkorting|begrip|begriff|abk\u00fcrzung)\s+(?=\S)",
    re.IGNORECASE,
)
"""'The term X': what is asked for is X."""

TERMINOLOGY: Final = _compile(
    # English
    rf"{_WHAT}{_IS}\s+(?:meant|understood|implied)\s+(?:by|with)\s+{_T}",
    rf"{_WHAT}{_IS}\s+{_DEF}\s+(?:of|for|behind)\s+{_T}",
    rf"{_WHAT}{_IS}\s+{_T}\s+(?:short\s+for|an\s+(?:abbreviation|acronym)\s+(?:of|for))",
    rf"{_WHAT}\s+do(?:es|se)?\s+{_T}\s+(?:means?|meen|maen|stands?\s+for|denote|signify|refer\s+to)",
    rf"{_WHAT}\s+do(?:es)?\s+it\s+mean\s+to\s+be\s+{_T}",
    rf"{_WHAT}\s+{_T}\s+(?:means?|stands?\s+for|denotes?|refers?\s+to)",
    rf"what\s+do(?:es)?\s+\w+\s+(?:mean|understand)\s+(?:by|with|under)\s+{_T}",
    rf"what\s+means?\s+{_T}",
    rf"{_WHAT}\s+{_DEF}\s+(?:of|for)\s+{_T}\s+is",
    r"how\s+(?:(?:is|are)\s+(?P<term>.+?)\s+defined|(?P<term2>.+?)\s+(?:is|are)\s+defined)",
    rf"how\s+(?:do|does|would|should|can|could)\s+(?:we|you|i|one|people)\s+define\s+{_T}",
    rf"(?:defin(?:e|ing)|explain\s+{_DEF}\s+of):?\s+{_T}",
    rf"(?:(?:give|giving|provide|find|look\s+up|state|show)\s+(?:(?:me|us)\s+)?)?{_DEF}\s+(?:of|for)\s+{_T}",
    rf"(?:cim|skosmos|vocabulary)\s+term:?\s+{_T}",
    rf"(?:explain(?:ing)?|describe|clarify|look\s+up|find|search\s+for)\s+(?:to\s+(?:me|us)\s+)?(?:the\s+)?(?:term|word|phrase|concept(?:\s+of)?|notion\s+of|abbreviation|acronym)\s+{_T}",
    rf"{_T}\s*[:,\u2013-]?\s+(?:meaning|definition|betekenis|definitie|bedeutung)",
    rf"{_T}\s*[,:.?!\u2013-]+\s*(?:and\s+)?(?:what(?:{_S}|\s+(?:is|does))|wat\s+(?:is|betekent)|was\s+(?:ist|bedeutet|hei\u00dft))\s+(?:that|it|this|dat|het|dit|das|es)(?:\s+mean|\s+stand\s+for)?|(?P<term2>.+?)\s*[,:.?!\u2013-]+\s*(?:wie\s+ist\s+das\s+(?:\w+\s+){{0,2}}definiert|waar\s+staat\s+(?:dat|die|het)\s+voor|wof\u00fcr\s+steht\s+(?:das|die|es)|how\s+is\s+(?:that|it)\s+defined|hoe\s+is\s+(?:dat|het)\s+gedefinieerd)",
    # Dutch
    rf"wat\s+(?:betekent|betekenen|beteken)(?:\s+(?:precies|eigenlijk|dan|nou))?\s+{_T}",
    rf"wat\s+(?:houdt|houd|houden)\s+{_T}(?:\s+(?:precies|eigenlijk))?\s+in",
    rf"wat\s+(?:verstaa?n?t?|versta|bedoel(?:t|en)?)\s+\w+(?:\s+(?:precies|eigenlijk|hier|(?:bij|in)\s+\w+))*\s+(?:onder|met)\s+{_T}",
    r"wat\s+wordt?\s+(?:er\s+)?(?:precies\s+)?(?:(?:verstaan\s+onder|bedoeld\s+met)\s+(?P<term>.+?)|(?:onder|met)\s+(?P<term2>.+?)\s+(?:verstaan|bedoeld))",
    rf"wat\s+(?:er\s+)?(?:onder|met)\s+{_T}\s+(?:(?:verstaan|bedoeld)\s+(?:wordt|is)|wordt\s+(?:verstaan|bedoeld))",
    rf"(?:{_WAT_IS}|hoe\s+luidt)\s+{_DEF_NL}\s+(?:van|voor)\s+{_T}",
    rf"wat\s+{_DEF_NL}\s+van\s+{_T}\s+is",
    rf"(?:(?:geef|zoek|noem|toon)\s+(?:(?:me|mij|ons|eens|even|op)\s+)*)?{_DEF_NL}\s+(?:van|voor)\s+{_T}(?:\s+(?:geven|op|uitleggen|opzoeken|noemen|hebben))?",
    r"(?:waar\s+(?:staat|staan)\s+(?P<term>.+?)\s+voor|waarvoor\s+(?:staat|staan)\s+(?P<term2>.+?))",
    r"(?:waar\s+(?P<term>.+?)\s+voor\s+staat|waarvoor\s+(?P<term2>.+?)\s+staat)",
    rf"hoe\s+(?:definieert?|defini\u00ebren|definieren|omschrijf|omschrijven|omschrijft)\s+(?:je|jij|we|wij|men|u|jullie)\s+{_T}",
    r"hoe\s+(?:(?:wordt|is|zijn|worden)\s+(?P<term>.+?)\s+(?:gedefinieerd|omschreven)|(?P<term2>.+?)\s+(?:gedefinieerd|omschreven)\s+(?:is|wordt))",
    rf"definieer:?\s+{_T}|(?:omschrijf|verklaar)\s+(?:de\s+term|de\s+afkorting|het\s+begrip|het\s+woord)\s+(?P<term2>.+?)",
    rf"(?:leg\s+)?(?:(?:me|mij|ons|eens|even)\s+)*(?:de\s+term|de\s+afkorting|het\s+begrip|het\s+woord|het\s+concept)\s+{_T}\s+(?:uit|uitleggen|toelichten|defini\u00ebren)",
    rf"wat\s+{_T}\s+(?:betekent|betekenen|beteken|inhoudt|inhouden|voorstelt)",
    # German
    rf"was\s+(?:bedeutet|bedeuten|hei\u00dft|hei\u00dfen|bezeichnet)(?:\s+(?:eigentlich|genau|denn))?\s+{_T}",
    rf"was\s+(?:versteht|verstehen|verstehst|meint|meinen|meinst|bezeichnet)\s+\w+(?:\s+(?:genau|eigentlich|denn|(?:bei|in|hier)\s+\w+))*\s+(?:unter|mit|als)\s+{_T}",
    rf"{_WAS_IST}\s+(?:mit\s+(?P<term>.+?)\s+gemeint|unter\s+(?P<term2>.+?)\s+zu\s+verstehen)",
    rf"was\s+wird\s+(?:unter|mit)\s+{_T}\s+(?:verstanden|gemeint|bezeichnet)",
    r"was\s+(?:man\s+unter\s+(?P<term>.+?)\s+versteht|mit\s+(?P<term2>.+?)\s+gemeint\s+ist)",
    rf"was\s+unter\s+{_T}\s+(?:zu\s+verstehen\s+ist|verstanden\s+wird)",
    rf"(?:{_WAS_IST}|wie\s+lautet)\s+{_DEF_DE}\s+(?:von|f\u00fcr|des|der|eines|einer)\s+{_T}",
    rf"(?:(?:gib|nenne?|zeige?|suche?)\s+{_TO_DE})?{_DEF_DE}\s+(?:von|f\u00fcr|des|der|eines|einer)\s+{_T}(?:\s+(?:geben|nennen|sagen|haben))?",
    r"(?:wof\u00fcr|f\u00fcr\s+was)\s+(?:(?:steht|stehen)\s+(?P<term>.+?)|(?P<term2>.+?)\s+(?:steht|stehen))",
    rf"wie\s+(?:definiert|definieren|definierst)\s+(?:man|wir|du|sie|ihr)\s+{_T}",
    r"wie\s+(?:(?:ist|wird|sind|werden)\s+(?P<term>.+?)\s+definiert|(?P<term2>.+?)\s+definiert\s+(?:ist|wird))",
    rf"definiere?:?\s+{_TO_DE}{_T}",
    rf"(?:erkl\u00e4re?|erl\u00e4utere?|(?:erkl\u00e4ren|erl\u00e4utern)\s+sie)\s+{_TO_DE}(?:den\s+begriff|das\s+konzept(?:\s+von)?|das\s+wort|die\s+abk\u00fcrzung)\s+{_T}",
    rf"(?:den\s+begriff|das\s+wort|die\s+abk\u00fcrzung)\s+{_T}\s+(?:erkl\u00e4ren|erl\u00e4utern|definieren)",
    rf"was\s+{_T}\s+(?:bedeutet|bedeuten|hei\u00dft|hei\u00dfen)",
    rf"(?:meaning|definition|betekenis|definitie|bedeutung):?\s+{_T}",
)
"""Forms that ask for a meaning in so many words."""

COPULA: Final = _compile(
    rf"(?:who\s+or\s+)?{_WHAT}{_IS}\s+{_T}",
    rf"what\s+(?:kind|sort|type)\s+of\s+\w+\s+is\s+(?P<term>(?:an?\s|[{_QUOTES}]).+?)",
    rf"{_WHAT}\s+{_T}\s+(?:is|are)",
    rf"(?:wie\s+of\s+)?{_WAT_IS}\s+{_T}",
    rf"wat\s+{_T}\s+(?:is|zijn)",
    rf"(?:wer\s+oder\s+)?{_WAS_IST}\s+{_T}",
    rf"was\s+{_T}\s+(?:ist|sind)",
)
"""'What is X': a meaning, unless X shows that it asks for something else (NOT_A_TERM)."""

EXPLAIN: Final = _compile(
    r"(?:explain(?:ing)?|describe|verklaar|beschrijf)\s+(?P<term>\S+(?:\s+\S+){0,2})",
    rf"(?:erkl\u00e4re?|erl\u00e4utere?|beschreibe?)\s+{_TO_DE}(?P<term>\S+(?:\s+\S+){{0,2}})",
    r"leg\s+(?:(?:me|mij|ons|eens|even)\s+)*(?P<term>\S+(?:\s+\S+){0,2})\s+uit",
    r"(?P<term>\S+(?:\s+\S+){0,2})\s+(?:uitleggen|toelichten|erkl\u00e4ren|erl\u00e4utern)",
)
"""'Explain X': a meaning where X is short and not 'the X'."""

ARTICLES: Final = re.compile(
    r"^(?:an?|the|teh|een|de|het|'n|ein|eine|einen|einem|einer|der|die|das|den|dem)\s+",
    re.IGNORECASE,
)
INDEFINITE: Final = re.compile(r"^(?:an?|een|'n|eine?[nmr]?)\s+", re.IGNORECASE)
DEFINITE: Final = re.compile(r"^(?:the|teh|de|het|der|die|das|den|dem)\s+", re.IGNORECASE)
PLURAL_COPULA: Final = re.compile(
    r"^(?:what\s+are|wat\s+zijn|was\s+sind)\b|\s(?:are|zijn|sind)$", re.IGNORECASE
)
COPULA_START: Final = re.compile(r"^(?:what|who|wat|wie|was|wer)\b", re.IGNORECASE)
ADVERB: Final = re.compile(
    r"^(?:exactly|actually|really|precies|eigenlijk|nou|dan|eigentlich|genau|denn)\s+(?=\S)",
    re.IGNORECASE,
)
QUOTED: Final = re.compile(rf"[{_QUOTES}][^{_QUOTES}]+[{_QUOTES}]")

_PREPOSITIONS = r"(?<![\w-])(?:for|in|on|between|about|to|at|from|with|when|during|behind|under|by|after|before|within|via|per|if|that|which|who|where|as|voor|op|over|tussen|bij|om|met|aan|uit|naar|binnen|tijdens|na|onder|door|als|volgens|waarmee|waarop|f\u00fcr|vom|zwischen|\u00fcber|bei|beim|zum|zur|im|am|mit|auf|aus|nach|unter|durch|w\u00e4hrend|laut)(?![\w-])"
_OF = r"(?<![\w-])(?:of|van|von|des|der)(?![\w-])"
_PROPERTIES = (
    r"(?:approach|role|purpose|goal|aim|scope|reason|cause|impact|effect|benefit|advantage|disadvantage|drawback|downside|cost|price|deadline|strategy|owner|example|step|requirement|rule|option|alternative|consequence|implication|type|kind|part|component|responsibilit(?:y|ie)|risk|difference|status|name|number|limit|experience)s?|rol|doel|reden(?:en)?|gevolg(?:en)?|voordel?e?e?l?en|voordeel|nadeel|nadelen|kosten|prijs|stappen|eisen|regels|opties|alternatieven|voorbeeld(?:en)?|soorten|onderdelen|taak|taken|risico'?s|verschil(?:len)?"
    r"|rolle|zweck|ziele?|grund|gr\u00fcnde|folgen|vorteile?|nachteile?|kosten|preis|schritte|anforderungen|regeln|optionen|alternativen|beispiele?|arten|bestandteile|aufgaben?|risiken|unterschiede?"
)
NOT_A_TERM: Final = _compile(
    r"(?:our|my|your|their|its|his|her|ons|onze|mijn|jouw|jullie|uw|hun|unser\w*|mein\w*|dein\w*|ihre?\w?)\s+.*",
    # the property of something
    rf"(?:the|teh|this|that|these|those|de|het|der|die|das|dem|den)\s+.*(?:{_PREPOSITIONS}|{_OF}).*",
    rf"(?:(?:the|an?|de|het|een|die|der|das|eine?)\s+)?(?:[\w-]+\s+)?(?:{_PROPERTIES})\s+(?:of|for|to|in|on|behind|when|between|from|van|voor|om|bij|aan|tussen|met|von|f\u00fcr|der|des|bei|an|zwischen|zu)\b.*",
    r".*\w['\u2019]s\s+(?:\w+\s+)?(?:role|approach|purpose|status|position|view|opinion|strategy|plan|goal|owner|name|job|task)s?",
    r"(?:the|de|het|der|die|das)\s+(?:status|reason|plan|problem|issue|point|purpose|goal|deadline|password|weather|time|date|answer|question|solution|cost|price|name|number|difference|budget|rule|rules|process|procedure|reden|probleem|doel|wachtwoord|weer|tijd|datum|antwoord|vraag|oplossing|prijs|naam|verschil|regels?|stand|grund|ziel|zweck|frist|passwort|wetter|zeit|antwort|frage|l\u00f6sung|preis|unterschied|regeln?)",
    # what is best, latest, good
    r"(?:the\s+|de\s+|het\s+|der\s+|die\s+|das\s+)?(?:best|worst|fastest|highest|lowest|shortest|longest|smallest|largest|biggest|newest|oldest|cheapest|safest|quickest|latest|right|preferred|recommended|current|reason|status|maximum|minimum|most|least\s+amount|default|beste|slechtste|snelste|hoogste|laagste|kortste|langste|grootste|kleinste|nieuwste|goedkoopste|veiligste|juiste|huidige|maximale?|minimale?|meest\w*|reden|schnellste|h\u00f6chste|niedrigste|k\u00fcrzeste|l\u00e4ngste|gr\u00f6\u00dfte|kleinste|neueste|g\u00fcnstigste|sicherste|richtige|aktuelle|grund)\b(?!-).*",
    r"(?:an?|een|eine?n?)\s+(?:good|better|valid|normal|average|maximum|minimum|suitable|sensible|reasonable|acceptable|typical|decent|appropriate|goede?|betere?|geschikte?|redelijke?|typische?|gute[rsn]?|bessere[rsn]?|geeignete[rsn]?|sinnvolle[rsn]?)\b.*",
    # what is decided, what is in it, what is it for
    r"(?:decided|used|required|needed|allowed|stored|done|said|known|stated|agreed|expected|permitted|forbidden|mandatory|being|going|wrong|new|it|this|that|there|happening|important|possible|meant)\b(?!-).*",
    r"(?:\w{2,}ed|sent|kept|held|written|built|made|shown|given|taken|chosen|found|left|put|run|seen|better|worse|different|special|available|correct|missing|unique|similar|common|interesting|next|due)(?:\s+(?:in|on|by|for|to|with|as|from|at|about|when|during|after|before|under|between|than|if|per|here|now|today)\b.*)?",
    r"(?:er|besloten|toegestaan|verplicht|nodig|vereist|bekend|afgesproken|dit|dat|hier|daar|aan\s+de\s+hand|beter|nieuw|anders|mis|belangrijk|mogelijk|handig|slim|verstandig|zinvol|geldig|gepland|vastgelegd|geregeld|veranderd|gewijzigd|gebeurd|verboden|aanbevolen|voorgeschreven|opgeslagen)\b(?!-).*|ge\w+(?:d|t|en)\s+(?:in|op|aan|door|voor|met|bij|naar|over|als|om|uit|tussen|tot|tegen)\b.*",
    r"(?:es|das|dies|los|neu|anders|wichtig|m\u00f6glich|da|hier)|(?:das|dies|es)\s+(?:hier|da|f\u00fcr)\b.*|(?:entschieden|erlaubt|erforderlich|vorgeschrieben|geplant|vorgesehen|beschlossen|verboten|gefordert|empfohlen|vereinbart|bekannt|passiert|gespeichert|geregelt|ge\u00e4ndert|festgelegt|zul\u00e4ssig|verpflichtend|g\u00fcltig|wichtig|n\u00f6tig|notwendig|besser|neu\s+(?:in|an|bei))\b.*",
    r"(?:in|on|at|behind|inside|within|between|for|from|with|by|about|to|op|aan|achter|binnen|tussen|voor|uit|met|bij|door|naar|te|volgens|im|am|auf|hinter|zwischen|f\u00fcr|mit|bei|beim|vor|nach|aus|von|vom|zu|zum|zur|laut)\s+.*",
    r"(?:after|before|under|over|up|down|out|onder|na|unter|\u00fcber)\s+(?:the|our|an?|this|de|het|een|onze|der|die|das|dem|den|eine?[mnr]?|uns\w*)\s+.*",
    r".*\s(?:for|of|about|to|with|from|at|by|like|than|based\s+on|voor|van|over|f\u00fcr|mit|von)",
    # a clause, a comparison, a second question
    r".*(?<![\w-])(?:should|must|(?-i:can)|could|will|would|do|does|did|is|are|was|were|has|have|that|which|who|called|moet|moeten|kan|kunnen|mag|mogen|wordt|worden|heet|soll|muss|darf|wird|werden|hat|haben)(?![\w-]).*",
    r".*(?<![\w-])(?:and|or|en|of|und|oder)\s+(?:how|why|when|what|which|who|where|hoe|waarom|wanneer|wat|welke|wie|waar|warum|wann|was|welche|wo)(?![\w-]).*",
    r".*\b(?:versus|vs\.?|compared|opposed|instead|vergeleken|ten\s+opzichte|verglichen|im\s+vergleich)\b.*",
    r"(?:we|you|they|i|he|she|people|everyone|everybody|somebody|someone|wij|wir)\s+.*|.*\s(?:doing|using|saying|planning|going|trying|making|thinking)\b.*|.*\s(?:om\s+te|zu)\s+\w+en",
    rf".*{_PREPOSITIONS}\s+(?:the|our|this|your|de|het|onze|deze|der|die|das|dem|den|uns\w*|dies\w*)\s.*",
    r".*[?!;].*\w.*",
)
MAYBE_A_TERM: Final = re.compile(
    rf"(?:the|de|het|der|die|das)\s+(?!(?:{_PROPERTIES})\b)(?:(?!{_PREPOSITIONS})[\w-]+\s+)+(?:of|van|von)(?:\s+(?!(?:an?|the|our|this|these|een|de|het|onze|eine?[rms]?|de[rnms]|die|das)\b|{_PREPOSITIONS})[\w-]+)+",
    re.IGNORECASE,
)
"""'The rate of change of frequency' may be a term, or a property of something."""

NOT_EXPLICIT: Final = _compile(
    r"(?:what|which|who|how|why|when|where|wat|welke?|wie|hoe|waarom|was|welche\w*|warum|wann)\s.*",
    r".*(?<![\w-])(?:i|we|they|ik|wij|ich|wir|is|are|were|has|have|had|said|heard|mentioned)(?![\w-]).*",
    r"(?:this|that|these|those|all|hier|our|ons|onze|unser\w*|your|my|his|her|their|deze|dit|jouw|je|uw|jullie|mijn|diese\w*|dein\w*|mein\w*)\s+.*",
    rf"(?:the|de|het|der|die|das)\s+.*(?:{_PREPOSITIONS}|\b(?:of|van|von)\s+(?:the|our|this|de|het|onze|der|dem)\b).*",
    r".*\s(?:voor|f\u00fcr|for\s+(?:the|this|our|an?))\s.*",
    r".*(?<![\w-])(?:and|or|en|of|und|oder)\s+(?:how|why|when|what|which|hoe|waarom|wanneer|wat|welke|warum|wann|was|welche)(?![\w-]).*",
)
"""What is no term even where a meaning is asked for: 'What does the lamp on the meter mean?'"""
PRONOUNS: Final = frozenset(
    "it this that these those them you he she we up one mine ours yours yourself us everything all why how dit dat deze die jij u hij zij es das dies du sie i".split()
)

# --- documents -------------------------------------------------------------------------------

KIND_WORDS: Final[dict[DocumentKind, re.Pattern[str]]] = _compiled(
    {
        DocumentKind.DECISION: r"\b(?:(?:adr|dar)(?:['\u2019]?s)?|(?:architecture\s+|architectural\s+)?decision\s+records?|(?:architectural\s+|architecture\s+)?decisions?|decided?|(?:architectuur)?besluit(?:en)?|beslissing(?:en)?|besloten|(?:architektur)?entscheidung(?:en)?|entschieden|approval\s+records?)\b",
        DocumentKind.PRINCIPLE: r"\b(?:pcp(?:['\u2019]?s)?|principles?|(?:architectuur)?principes?|beginsel(?:en)?|(?:architektur)?prinzip(?:ien)?|grunds(?:atz|\u00e4tze))\b",
        DocumentKind.POLICY: r"\b(?:polic(?:y|ies)|beleid(?:sregels?|sstukken)?|\w*beleid|richtlinien?)\b",
    }
)
KIND_COMPOUNDS: Final[dict[DocumentKind, re.Pattern[str]]] = _compiled(
    {
        DocumentKind.DECISION: r"\B(?:besluit(?:en)?|beslissing(?:en)?|entscheidung(?:en)?)\b",
        DocumentKind.PRINCIPLE: r"\B(?:principes?|beginsel(?:en)?|prinzips?|prinzipien|grunds(?:atz|\u00e4tze))\b",
        DocumentKind.POLICY: r"\B(?:beleidsregels?|richtlinien?)\b|\bbeleidsdocument(?:en)?\b",
    }
)
"""'Sicherheitsrichtlinie' names a kind, and its subject in the same word."""
KIND_TERMS: Final = frozenset(
    """adr|adrs|architecture decision record|architecture decision records|architectural decision record
    |architecture decision|decision record|principle|architecture principle|policy|principe|architectuurprincipe
    |beleid|besluit|architectuurbesluit|decision|prinzip|richtlinie|entscheidung|dar
    |decision approval record""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""Words for kinds of documents that are themselves terms: 'What is a policy?'."""

_ONE = r"(?:adr|dar|decision(?:\s+record)?|principle|policy|\w*besluit|beslissing|\w*principe|\w*beginsel|\w*beleid|\w*entscheidung|\w*prinzip|\w*richtlinie|\w*grundsatz)"
_MANY = r"(?:adrs?['\u2019]?s?|dars?|decisions?|(?:decision|approval)\s+records?|principles?|polic(?:y|ies)|\w*besluiten|beslissingen|\w*principes|\w*beginselen|beleid\w*|\w*entscheidungen|\w*prinzipien|\w*richtlinien|\w*grunds\u00e4tze)"
_SHOW = r"(?:list|enumerate|show|give|display|print|name|find|get|toon|geef|noem|laat|som|zeige?n?|liste|nenne?|gib)(?:\s+(?:me|us|mij|ons|mir|uns|eens|even|bitte|mal|please))*"
_A_LIST = r"(?:(?:the|an?|een|het|de|eine|die)\s+)?(?:(?:complete|full|short|quick|volledige?|kort|complete|vollst\u00e4ndige|kurze)\s+)?(?:overview|list|index|catalogue|number|overzicht|lijst(?:je)?|aantal|\u00fcbersicht|liste|anzahl)"
_OTHERS = r"(?:(?!(?:do|does|did|are|is|can|must|should|may|to|per|in|zijn|moet|mag|kan|per|sind|muss|darf|kann)\b)[\w-]+\s+){0,2}?"
_STATE = r"(?:(?:still|currently|nog|al|er|noch|bereits|derzeit)\s+)*(?:proposed|superseded|replaced|deprecated|obsolete|rejected|accepted|approved|voorgesteld|vervangen|vervallen|verworpen|afgewezen|geaccepteerd|aanvaard|vorgeschlagen|ersetzt|veraltet|abgelehnt|akzeptiert|angenommen|genehmigt)"

_KIND = r"(?:polic(?:y|ies)|principles?|decisions?|beleids?|besluit(?:en)?|principes?|entscheidung(?:en)?|prinzip(?:ien)?|richtlinien?|adrs?|pcps?|dars?)"
KIND_FIRST: Final = re.compile(rf"\b{_KIND}(?:-|\s+)\w+|^(?:adr|pcp|dar|pol)s?$", re.IGNORECASE)
"""A term may begin with the word for a kind: 'policy enforcement point'."""
KIND_WITH_MORE: Final = re.compile(
    rf"{_PREPOSITIONS}|{_OF}|\w['\u2019]s\s|\b(?:accepted|proposed|rejected|superseded|new|latest|current|existing|nieuwe?|huidige?|neue?\w?|aktuelle\w?)\b",
    re.IGNORECASE,
)
"""'A policy on passwords', 'a rejected decision': documents, not a term."""

IN_PASSING: Final = re.compile(
    rf"\b(?:an?|een|eine[nrms]?|ein)\s+(?:[\w-]+\s+)?(?!(?:adr|pcp|dar)s?\b){_KIND}\b(?!\s+(?:about|on|over|for|to|that|which|and|or|voor|dat|die|en|of|\u00fcber|f\u00fcr|zu|und|oder)\b)",
    re.IGNORECASE,
)
"""'What a decision means', 'een genomen besluit': any, not one of those that are written down."""

LIST: Final = _compile(
    rf"^{_SHOW}\b(?!(?:\s+(?:me|us|mij|ons|mir|uns))*\s+(?:how|why|what|where|who|when|if|whether|hoe|waarom|wat|wer|was|wie|warum)\b)",
    rf"^{_A_LIST}\s+(?:of|van|met|over|von|der|mit|aller?|\u00fcber|about|with)\b",
    r"^(?:aantal|anzahl)\s+\w+",
    r"^(?:alle?|all\s+of)\s+(?!(?:about|over|\u00fcber)\b)\w+|^all\s+(?:the\s+|our\s+)?(?!(?:about|the|our)\b)\w+",
    rf"^(?:which|welke|welche)\s+(?:of\s+(?:our|the|your)|van\s+(?:onze|de)|unserer|der|von\s+unseren)\s+{_OTHERS}{_MANY}\b",
    rf"^{_MANY}\b.*\bwhich\s+(?:ones\s+)?(?:are|exist)\b|.*\b(?:auflisten|aufz\u00e4hlen|opsommen|list\s+them(?:\s+all)?)\W*$",
    rf"^(?:how\s+many|hoeveel|wie\s*viele)\s+(?:of\s+(?:the|our)\s+)?{_OTHERS}{_MANY}\b",
    rf"^(?:what|which|welke|welche)\b.*\b(?:do\s+(?:we|you)\s+have|are\s+there|exist|(?:are|is)\s+{_STATE}|zijn\s+er|bestaan|hebben\s+we|zijn\s+{_STATE}|gibt\s+es|haben\s+wir|existieren|sind\s+{_STATE})\b",
    r"^(?:(?:what|which)\s+are|wat\s+zijn|welke\s+zijn|was\s+sind|welche\s+sind)\s+all?e?\b",
)
NOT_A_LIST: Final = _compile(
    rf"^{_SHOW}\s+(?:(?:the|an?|your|de|het|een|die|das|den|eine?)\s+)(?!(?:\w+\s+)?(?:list|overview|index|lijst|overzicht|liste|\u00fcbersicht|titles|names)\b)(?:[\w'-]+\s+){{0,4}}?{_ONE}\b(?!\s+(?:list|overview|index|titles))",
    rf"^{_SHOW}\s+(?:(?:all|alle)\s+)?(?:(?:the|de|die)\s+)?(?:consequences|implications|alternatives|options|reasons|requirements|drivers|exceptions|differences|gevolgen|alternatieven|opties|redenen|eisen|uitzonderingen|verschillen|folgen|alternativen|optionen|gr\u00fcnde|anforderungen|ausnahmen|unterschiede)\b",
)
"""One document, or one side of it, is asked for: 'Show me the policy on passwords'."""
LIST_WORDS: Final = re.compile(
    r"\b(?:please|list|enumerate|show|give|display|print|overview|index|catalogue|all|every|each|our|the|an?|me|of|how\s+many|what|which|do\s+we\s+have|are\s+there|exist(?:ing)?|you|can|could|som|op|toon|geef|noem|laat|zien|overzicht|lijst|van|alle|hoeveel|welke|zijn\s+er|er|zijn|bestaan|hebben\s+we|de|het|een|onze|zeige|liste|nenne|gib|mir|\u00fcbersicht|alles|wie|viele|welche|gibt\s+es|haben\s+wir|existieren|auf|nog|al|noch|still|die|der|das|unsere|are|is|ons|ist|sind|about|on|over|regarding|concerning|related|to"
    r"|rond|\u00fcber|zu|von|for|voor|f\u00fcr|that|with|dealing|and|en|und|currently|known|have|we|there|titles?|names?|numbers?|ones|those|these|them|bitte|auflisten|opsommen|erst)\b",
    re.IGNORECASE,
)
STATUSES: Final[dict[str, re.Pattern[str]]] = _compiled(
    {
        "accepted": r"\b(?:accepted|approved|geaccepteerde?|aanvaarde?|goedgekeurde?|akzeptierte?n?)\b",
        "proposed": r"\b(?:proposed|voorgestelde?|vorgeschlagene?n?)\b",
        "superseded": r"\b(?:superseded|replaced|vervangen|ersetzte?n?)\b",
        "deprecated": r"\b(?:deprecated|obsolete|vervallen|veraltete?n?)\b",
        "rejected": r"\b(?:rejected|verworpen|afgewezen|abgelehnte?n?)\b",
    }
)

ASPECTS: Final[dict[Aspect, re.Pattern[str]]] = _compiled(
    {
        Aspect.APPROVAL: r"\b(?:approv(?:ed|al|als|er|ers|es)|sign(?:ed)?\s+off|dars?|goedgekeurd|goedkeuring\w*|goedkeurders?|akkoord|genehmig\w+|freigegeben)\b",
        Aspect.STATUS: r"\b(?:status|still\s+valid|in\s+force|superseded|replaced|nog\s+geldig|vervangen|noch\s+g\u00fcltig)\b|^(?:is|was|has|are|heeft|zijn|ist|wurde)\b.*\b(?:accepted|proposed|rejected|deprecated|withdrawn|geaccepteerd|aanvaard|voorgesteld|verworpen|vervallen|akzeptiert|vorgeschlagen|abgelehnt)\W*$",
        Aspect.DATE: r"\b(?:when\s+(?:was|did|is)|what\s+date|date\s+of|wanneer\s+(?:is|werd)|datum|wann\s+wurde)\b",
        Aspect.OWNER: r"\b(?:owns?|owner|eigenaar|who\s+is\s+responsible|eigent\u00fcmer|verantwortlich)\b",
        Aspect.CONSEQUENCES: r"\b(?:consequences?|implications?|impact|gevolgen?|implicaties?|folgen|auswirkung\w*)\b",
        Aspect.ALTERNATIVES: r"\b(?:alternatives?|options?|considered|alternatieven|opties|overwogen|optionen|alternativen)\b",
        Aspect.CONTEXT: r"\b(?:why|context|background|problem|rationale|reasons?|waarom|aanleiding|achtergrond|onderbouwing|warum|hintergrund)\b",
    }
)

ABOUT_DOCUMENTS: Final = frozenset(
    """summary summarise summarize main point gist title content contents document text outcome chosen
    choose full detail details exactly record records read open cover covers discuss discusses
    mention accepted proposed rejected deprecated withdrawn approved approve approves approval approver approvers sign signed off status valid force
    superseded replaced date owner owns own consequence consequences implication implications impact
    alternative alternatives option options considered context background problem rationale reason
    reasons meaning means definition definitions defined betekenis definitie bedeutung responsible compare comparison difference differences differ between
    samenvatting samenvatten inhoud titel tekst gekozen kies hoofdpunten goedgekeurd goedkeuring
    gevolg gevolgen implicatie implicaties alternatief alternatieven optie opties overwogen
    aanleiding achtergrond onderbouwing geldig vervangen eigenaar datum inhoudt luidt precies
    vergelijk verschil verschillen geaccepteerd aanvaard voorgesteld verworpen vervallen zusammenfassung inhalt dokument gew\u00e4hlt genehmigt genehmigung
    akzeptiert vorgeschlagen abgelehnt folgen auswirkungen optionen alternativen hintergrund besagt vergleiche unterschied""".split()
)
"""Words that ask about a named document as such, not about something it must mention."""

_YOU_NL = r"(?:je|jij|u|jullie)"
SMALL_TALK: Final[dict[str, re.Pattern[str]]] = _compiled(
    {
        "identity": r"(?:who|what)\s+are\s+you|(?:what(?:'s|\s+is)|tell\s+me)\s+your\s+name|do\s+you\s+have\s+a\s+name|are\s+you\s+(?:an?\s+)?(?:(?:chat)?bot|robot|ai|human|real|machine|person|computer)|who\s+(?:made|built|created)\s+you|introduce\s+yourself"
        rf"|(?:wie|wat)\s+(?:ben|bent)\s+{_YOU_NL}|hoe\s+heet\s+{_YOU_NL}|wat\s+is\s+(?:je|jouw|uw)\s+naam|ben\s+{_YOU_NL}\s+(?:een\s+)?(?:(?:chat)?bot|robot|mens|echt|ai|computer)|wie\s+heeft\s+(?:je|jou|u)\s+gemaakt|stel\s+je(?:zelf)?\s+(?:eens\s+)?voor"
        r"|(?:wer|was)\s+(?:bist\s+du|sind\s+sie)|wie\s+(?:hei(?:\u00df|ss)t\s+du|hei(?:\u00df|ss)en\s+sie)|wie\s+ist\s+(?:dein|ihr)\s+name|bist\s+du\s+(?:eine?\s+)?(?:(?:chat)?bot|roboter|mensch|ki|maschine|echt)|wer\s+hat\s+dich\s+(?:gemacht|gebaut|entwickelt)|stell\s+dich\s+vor",
        "help": r"help(?:\s+me)?(?:\s+please)?|(?:can|could|will)\s+you\s+help(?:\s+(?:me|us))?(?:\s+out)?(?:\s+with\s+(?:something|a\s+question))?|i\s+(?:need\s+(?:some\s+)?help|have\s+a\s+question)|what\s+can\s+(?:you\s+(?:do|help(?:\s+me)?\s+with|tell\s+me|answer)(?:\s+for\s+(?:me|us))?|i\s+ask(?:\s+you)?)|what\s+do\s+you\s+(?:do|know)|how\s+(?:can|could)\s+you\s+help(?:\s+(?:me|us))?|how\s+(?:does\s+(?:this|it)|do\s+you)\s+work|how\s+do\s+i\s+use\s+(?:this|you|it)|what\s+are\s+you\s+able\s+to\s+do|what\s+(?:kind\s+of\s+)?questions\s+can\s+(?:i\s+ask(?:\s+you)?|you\s+answer)"
        rf"|(?:kun|kan|kunt)\s+{_YOU_NL}\s+(?:(?:me|mij|ons)\s+)?(?:even\s+)?helpen|wat\s+(?:kun|kan|kunt)\s+{_YOU_NL}(?:\s+allemaal)?(?:\s+voor\s+(?:me|mij|ons))?(?:\s+doen)?|wat\s+kan\s+ik\s+(?:(?:je|jou|u|hier)\s+)?vragen|hoe\s+werk(?:t\s+(?:dit|het)|\s+je)|ik\s+heb\s+(?:een\s+vraag|hulp\s+nodig)|(?:waarmee|hoe)\s+kun\s+je\s+(?:me\s+|mij\s+)?helpen"
        r"|hilfe|(?:kannst\s+du|k\u00f6nnen\s+sie|k\u00f6nnten\s+sie)\s+(?:(?:mir|uns|bitte|kurz)\s+)*helfen|was\s+(?:kannst\s+du|k\u00f6nnen\s+sie)(?:\s+alles)?(?:\s+f\u00fcr\s+(?:mich|uns))?(?:\s+(?:tun|machen))?|was\s+kann\s+ich\s+(?:(?:dich|sie|hier)\s+)?fragen|wie\s+funktioniert\s+(?:das|dies)(?:\s+hier)?|ich\s+(?:habe\s+eine\s+frage|brauche\s+hilfe)|(?:wobei|wie)\s+kannst\s+du\s+(?:mir\s+)?helfen",
        "mood": r"how\s+are\s+(?:you|things)(?:\s+(?:doing|going))?(?:\s+today)?|how(?:'s|\s+is)\s+(?:it\s+going|your\s+day)(?:\s+today)?|how\s+have\s+you\s+been|what'?s\s+up|whats\s+up|hoe\s+(?:gaat\s+(?:het|ie)|is\s+het)(?:\s+met\s+(?:je|jou|u))?(?:\s+vandaag)?|alles\s+(?:goed|ok)(?:\s+met\s+je)?|wie\s+geht(?:'?s|\s+es)(?:\s+(?:dir|ihnen|euch))?(?:\s+heute)?|alles\s+gut(?:\s+bei\s+dir)?",
        "farewell": r"(?:good\s*)?bye(?:\s+bye)?|see\s+(?:you|ya)(?:\s+(?:later|soon|tomorrow|around|next\s+time))?|talk\s+to\s+you\s+later|take\s+care|good\s+night|until\s+next\s+time|cya|have\s+an?\s+(?:nice|good|great)\s+(?:day|weekend|evening|one)|doei(?:\s+doei)?|tot\s+(?:ziens|later|morgen|straks|snel|de\s+volgende\s+keer)|fijne\s+(?:dag|avond)(?:\s+nog)?|fijn\s+weekend|ciao|tsch(?:\u00fc(?:ss|\u00df)|au)|bis\s+(?:bald|sp\u00e4ter|dann|morgen)|auf\s+wiedersehen|gute\s+nacht|mach'?s\s+gut|sch\u00f6nen?\s+(?:tag|abend|wochenende)(?:\s+noch)?",
        "thanks": r"(?:(?:many|big)\s+)?thanks?(?:\s+you)?(?:\s+(?:very\s+much|so\s+much|a\s+lot|again|in\s+advance|for\s+(?:your|the)\s+(?:help|answer|time|information)))*|thx|cheers|(?:(?:heel\s+(?:erg\s+)?)?bedankt|dank\s*(?:je|u|jullie)(?:\s*wel|\s+zeer)?|hartelijk\s+dank|alvast\s+bedankt|merci)(?:\s+voor\s+(?:je|uw|de|het)\s+\w+)?|dank|(?:danke(?:\s+(?:sch\u00f6n|sehr|dir|ihnen|vielmals))?|dankesch\u00f6n|(?:vielen|herzlichen|besten)\s+(?:lieben\s+)?dank)(?:\s+f\u00fcr\s+(?:die|deine|ihre)\s+\w+)?"
        r"|(?:that|this|it)\s+(?:really\s+)?help(?:s|ed)?(?:\s+(?:me|a\s+lot))*|that(?:'s|\s+is)\s+(?:all|it|great|helpful|clear|perfect)|got\s+it|i\s+see|well\s+done|good\s+job|very\s+(?:helpful|nice|good|clear)|great|cool|nice|perfect|awesome|ok(?:ay)?|ok\u00e9|super|top|dat\s+(?:helpt(?:\s+(?:me|mij))?|is\s+(?:duidelijk|alles|fijn))|(?:duidelijk|prima|fijn|mooi)|das\s+(?:hilft(?:\s+(?:mir|uns))?(?:\s+(?:sehr|weiter))*|war'?s|ist\s+(?:klar|alles))|alles\s+klar|verstanden|prima|sehr\s+gut",
        "greeting": rf"{_GREETING}(?:\s+(?:there|again|all|everyone|everybody|team|daar|allemaal|samen|weer|iedereen|zusammen|alle|assistant|assistent|bot|hi|hoi|hello|hallo))*|greetings|howdy|hoi\s+hoi",
    },
    whole=r"(?:{})(?=\s|$)",
)
"""Small talk, the most telling first; a question is small talk when it is nothing else."""

JOINING: Final = re.compile(r"^(?:and|but|so|en|dus|maar|und|also|:|s)\s+(?=\w)", re.IGNORECASE)

QUESTION_WORDS: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|can|could|should|must|may|will|would|have|has|wat|welke?|wie|wanneer|waar|waarom|hoe|moet(?:en)?|kan|kun(?:nen)?|mag|mogen|zijn|heeft|hebben|worden|wordt|was|welche[rns]?|wer|wann|wo|warum|wieso|ist|sind|darf|d\u00fcrfen|muss|m\u00fcssen|soll(?:en)?|kann|hat|haben|wird|werden)\b",
    re.IGNORECASE,
)

YEAR: Final = re.compile(r"(?<![\w.-])(?:19|20)\d\d(?![\w.-]*\d)")
"""A year in a list's topic: 'ADRs from 2026'."""
