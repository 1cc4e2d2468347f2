"""The forms in which people ask, in English, Dutch and German, as tables the router reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect
from elysia_guard.language.meanings import OF, PREPOSITIONS, compile_all

_Key = TypeVar("_Key")


def _compiled(patterns: Mapping[_Key, str], *, whole: str = "{}") -> dict[_Key, re.Pattern[str]]:
    return {key: re.compile(whole.format(form), re.IGNORECASE) for key, form in patterns.items()}


# --- what stands around a question -----------------------------------------------------------

_ASKS = r"(?:what|whats|which|who|how|when|where|why|can|could|would|do|does|is|are|define|explain|tell|list|show|give|please|wat|welke?|wie|hoe|wanneer|waar|waarom|kun|kunt|kan|zou|weet|leg|geef|toon|definieer|was|welche\w*|wer|wann|wo|wof\u00fcr|warum|kannst|k\u00f6nn\w+|wei\u00dft|erkl\u00e4r\w*|zeig\w*|gib)"
_GREETING = r"(?:hi|hello|hey|hiya|dear|good\s+(?:morning|afternoon|evening|day)|morning|hallo|hoi|dag|beste|goede?\s*(?:morgen|middag|n?avond|n?\s*dag)|goeie?morgen|guten\s+(?:morgen|tag|abend)|moin|servus|gr\u00fc\u00df\s+gott)"
OPENERS: Final = compile_all(
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
    r"(?:kun|kan|kunt|kunnen|wil|wilt|willen|zou|zouden)\s+(?:je|jij|u|jullie|iemand)\s+(?:(?:me|mij|ons|even|eens|misschien|alsjeblieft|alstublieft|kort|ook|kunnen|willen)\s+)*(?:uitleggen|uitleg\s+geven|vertellen|zeggen|aangeven|toelichten),?\s+",
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

WISHES: Final = compile_all(
    r"(?:can|could|would|will)\s+(?:you|u|someone)\s+(?:(?:please|kindly|maybe|also|be\s+(?:so\s+(?:kind|good)|able)\s+(?:as\s+)?to)\s+)*",
    r"(?:may|can|could)\s+(?:i|we)\s+(?:please\s+)?(?:see|have|get)\s+",
    r"(?:i(?:'d|\u2019d|\s+would)?\s+)?(?:really\s+)?(?:want|like|love|need)(?:\s+to\s+(?:see|have|get))?\s+|i(?:'m|\u2019m|\s+am)\s+looking\s+for\s+",
    r"(?:do\s+(?:we|you)\s+have|is\s+there|have\s+(?:we|you)\s+got|(?:whether|if)\s+(?:we|you)\s+have|whether\s+there\s+is)\s+(?=(?:an?|any|the)\s+(?:[\w-]+\s+){0,2}(?:list|overview|definition|meaning|index)\b)",
    r"(?:kun|kan|kunt|kunnen|wil|wilt|willen|zou|zouden)\s+(?:je|jij|u|jullie|iemand)\s+(?:(?:me|mij|ons|even|eens|misschien|alsjeblieft|kort)\s+)*",
    r"(?:mag|kan)\s+ik\s+(?:(?:even|misschien|ook)\s+)*|ik\s+(?:wil|wou|zou|zoek)\s*(?:(?:graag|even|ook)\s+)*",
    r"(?:is\s+er|bestaat\s+er|hebben\s+we|heb\s+je)\s+(?=(?:ook\s+)?(?:een|de)\s+(?:lijst|overzicht|definitie|betekenis)\b)",
    r"(?:kannst|k\u00f6nntest|k\u00f6nnten|k\u00f6nnen|koennten|w\u00fcrdest|w\u00fcrden)\s+(?:du|sie|ihr)\s+(?:(?:mir|uns|bitte|mal|kurz)\s+)*",
    r"(?:kann|darf)\s+ich\s+(?:(?:bitte|mal)\s+)*|ich\s+(?:m\u00f6chte|moechte|will|h\u00e4tte|brauche|suche)\s+(?:(?:gerne?|bitte|mal)\s+)*",
    r"(?:gibt\s+es|haben\s+wir|hast\s+du)\s+(?=(?:auch\s+)?(?:eine|die)\s+(?:liste|\u00fcbersicht|definition|bedeutung)\b)",
)
"""Wishes before a list or a definition: 'Could you', 'I would like', 'Is there a (definition)'."""

CLOSERS: Final = re.compile(
    r"(?:\s*,)?\s+(?:please|pls|plz|thanks|thank\s+you|thx|exactly|actually|precisely|really|again|then|anyway|(?:to|for)\s+(?:me|us)|here|hier|(?:bei|bij)\s+(?:uns|euch|ons|jullie)|for\s+(?:an?|my|our|the)\s+(?:\w+\s+){0,2}(?:report|presentation|document|colleague|customer|audit|slide|meeting)|in\s+(?:simple\s+terms|plain\s+english|short|one\s+sentence|general)|in\s+(?:the|this|that|our)\s+(?:context|vocabulary|glossary|sense|domain|field|sector)(?:\s+of\s+.+)?|(?:in|by|under|volgens|laut|nach)\s+(?:our|your|the|onze|ons|jullie|de|het|unser\w*|eure\w*|dem|der|den)\s+(?:terms|terminology|vocabular\w+|word\s?list|begrippen(?:lijst|kader)?|woordenlijst|vocabulaire|terminologie|definities|glossar|begriffs\w+|vokabular|begriffen?)|in\s+(?:the\s+)?(?:cim|cgmes|skosmos)|according\s+to\s+(?:the\s+)?\S+"
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

# --- documents -------------------------------------------------------------------------------

KIND_WORDS: Final[dict[DocumentKind, re.Pattern[str]]] = _compiled(
    {
        DocumentKind.DECISION: r"\b(?:(?:adr|dar)(?:['\u2019]?s)?|(?:architecture\s+|architectural\s+)?decision\s+records?|(?:architectural\s+|architecture\s+)?decisions?|decided|(?<!who\s)(?<!to\s)(?<!can\s)(?<!may\s)(?<!must\s)(?<!should\s)decide|(?:architectuur)?besluit(?:en)?|beslissing(?:en)?|besloten|(?:architektur)?entscheidung(?:en)?|entschieden|approval\s+records?)\b",
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
_MANY = r"(?:adrs?['\u2019]?s?|dars?|decisions?|(?:decision|approval)\s+records?|goedkeurings(?:records|verslagen|documenten)|(?:genehmigungs|freigabe)(?:vermerke|protokolle|nachweise|dokumente)n?|principles?|polic(?:y|ies)|\w*besluiten|beslissingen|\w*principes|\w*beginselen|beleid\w*|\w*entscheidungen|\w*prinzipien|\w*richtlinien|\w*grunds\u00e4tze)"
_SHOW = r"(?:list|enumerate|show|give|display|print|name|find|get|toon|geef|noem|laat|som|zeige?n?|liste|nenne?|gib)(?:\s+(?:me|us|mij|ons|mir|uns|eens|even|bitte|mal|please))*"
_A_LIST = r"(?:(?:the|an?|een|het|de|eine|die)\s+)?(?:(?:complete|full|short|quick|volledige?|kort|complete|vollst\u00e4ndige|kurze)\s+)?(?:overview|list|index|catalogue|inventory|register|listing|number|overzicht(?:je)?|lijst(?:je)?|opsomming|inventaris|aantal|\u00fcbersicht|liste|aufstellung|auflistung|aufz\u00e4hlung|verzeichnis|anzahl)"
_OTHERS = r"(?:(?!(?:do|does|did|are|is|can|must|should|may|to|per|in|zijn|moet|mag|kan|per|sind|muss|darf|kann)\b)[\w-]+\s+){0,2}?"
_STATE = r"(?:(?:still|currently|nog|al|er|noch|bereits|derzeit)\s+)*(?:proposed|superseded|replaced|deprecated|obsolete|rejected|accepted|approved|voorgesteld|vervangen|vervallen|verworpen|afgewezen|geaccepteerd|aanvaard|vorgeschlagen|ersetzt|veraltet|abgelehnt|akzeptiert|angenommen|genehmigt)"

_KIND = r"(?:polic(?:y|ies)|principles?|decisions?|beleids?|besluit(?:en)?|principes?|entscheidung(?:en)?|prinzip(?:ien)?|richtlinien?|adrs?|pcps?|dars?)"
KIND_FIRST: Final = re.compile(rf"\b{_KIND}(?:-|\s+)\w+|^(?:adr|pcp|dar|pol)s?$", re.IGNORECASE)
"""A term may begin with the word for a kind: 'policy enforcement point'."""
KIND_WITH_MORE: Final = re.compile(
    rf"{PREPOSITIONS}|{OF}|\w['\u2019]s\s|\b(?:accepted|proposed|rejected|superseded|new|latest|current|existing|nieuwe?|huidige?|neue?\w?|aktuelle\w?)\b",
    re.IGNORECASE,
)
"""'A policy on passwords', 'a rejected decision': documents, not a term."""

IN_PASSING: Final = re.compile(
    rf"(?<!there\s)(?<!is\ser\s)(?<!gibt\ses\s)\b(?:an?|een|eine[nrms]?|ein)\s+(?!unser)(?:[\w-]+\s+)?(?!(?:adr|pcp|dar)s?\b){_KIND}\b(?!\s+(?:(?:yet|already|al|reeds|schon|bereits)\s+)?(?:about|on|over|for|to|that|which|and|or|voor|dat|die|en|of|\u00fcber|f\u00fcr|zu|und|oder)\b)",
    re.IGNORECASE,
)
"""'What a decision means', 'een genomen besluit': any, not one of those that are written down."""

KIND_IN_FRONT: Final = re.compile(rf"^(?:[\w-]+\s+){{0,5}}{_KIND}\s*:\s+(?=\w)", re.IGNORECASE)
"""'CIM policy: how long do we get to decide?' asks for the policy."""
KINDS_TOGETHER: Final = re.compile(
    rf"\b{_KIND}\s+(?:and|or|en|of|und|oder)\s+(?:(?:in|from|by|uit|van|aus)\s+)?(?:(?:an?|the|our|een|de|het|onze|eine?[rmn]?|der|die|das|unsere)\s+)?{_KIND}\b",
    re.IGNORECASE,
)
"""'Both a decision and a principle say how long'."""
CHOICE: Final = compile_all(
    r"\bwhy\s+did(?:n['\u2019]t)?\s+we\s+(?:choose|pick|select|reject|drop|abandon|adopt|turn\s+(?:\w+\s+){0,3}down|go\s+(?:for|with)|opt\s+for|settle\s+on)\b",
    r"\bdid\s+we\s+(?:choose|pick|select|opt\s+for|settle\s+on)\b",
    r"\bwaarom\s+(?:hebben|zijn|is|werd)\s+(?:we|wij|er)\b.{0,60}\b(?:gekozen|afgewezen|verworpen|afgestapt)\b",
    r"\bwarum\s+(?:haben|sind)\s+wir\b.{0,60}\b(?:gew\u00e4hlt|ausgew\u00e4hlt|abgelehnt|verworfen)\b",
)
"""'Why did we turn down blockchain?' asks for the decision, without the word."""

MANY: Final = re.compile(rf"\b{_MANY}\b", re.IGNORECASE)
"""Several documents."""

LIST: Final = compile_all(
    rf"^{_SHOW}\b(?!(?:\s+(?:me|us|mij|ons|mir|uns))*\s+(?:how|why|what|where|who|when|if|whether|hoe|waarom|wat|wer|was|wie|warum)\b)",
    rf"^{_A_LIST}\s+{_MANY}\b",
    rf"^{_A_LIST}\s+(?:of|van|met|over|von|der|mit|aller?|\u00fcber|about|with)\b",
    r"^(?:aantal|anzahl)\s+\w+",
    r"^(?:alle?|all\s+of)\s+(?!(?:about|over|\u00fcber)\b)\w+|^all\s+(?:the\s+|our\s+)?(?!(?:about|the|our)\b)\w+",
    rf"^(?:which|welke|welche)\s+(?:of\s+(?:our|the|your)|van\s+(?:onze|de)|unserer|der|von\s+unseren)\s+{_OTHERS}{_MANY}\b",
    rf"^{_MANY}\b.*\bwhich\s+(?:ones\s+)?(?:are|exist)\b|.*\b(?:auflisten|aufz\u00e4hlen|opsommen|list\s+them(?:\s+all)?)\W*$",
    rf"^(?:how\s+many|hoeveel|wie\s*viele)\s+(?:of\s+(?:the|our)\s+)?{_OTHERS}{_MANY}\b",
    rf"^(?:what(?!\s+(?:is|was)\b)|which|welke|welche)\b.*\b(?:do\s+(?:we|you)\s+have|are\s+there|exist|(?:are|is)\s+{_STATE}|zijn\s+er|bestaan|hebben\s+we|zijn\s+{_STATE}|gibt\s+es|haben\s+wir|existieren|sind\s+{_STATE})\b",
    r"^(?:(?:what|which)\s+are|wat\s+zijn|welke\s+zijn|was\s+sind|welche\s+sind)\s+all?e?\b",
)
NOT_A_LIST: Final = compile_all(
    rf"^{_SHOW}\s+(?:(?:the|an?|your|de|het|een|die|das|den|eine?)\s+)(?!(?:\w+\s+)?(?:list|overview|index|lijst|overzicht|liste|\u00fcbersicht|titles|names)\b)(?:[\w'-]+\s+){{0,4}}?{_ONE}\b(?!\s+(?:list|overview|index|titles))",
    rf"^{_SHOW}\s+(?:(?:all|alle)\s+)?(?:(?:the|de|die)\s+)?(?:owners|dates|authors|approvers|status(?:es)?|eigenaren|eigenaars|datums|statussen|eigent\u00fcmer|consequences|implications|alternatives|options|reasons|requirements|drivers|exceptions|differences|gevolgen|alternatieven|opties|redenen|eisen|uitzonderingen|verschillen|folgen|alternativen|optionen|gr\u00fcnde|anforderungen|ausnahmen|unterschiede)\b",
    rf"^{_SHOW}\s+(?:(?:all|every|each|any|the|our|alle|elke|de|het|die|onze|unsere)\s+)*(?!(?:list|overview|index|titles?|names?|numbers?|{_MANY})\b)[\w-]+\s+(?:in|within|behind|uit|aus)\s+(?:(?:all|our|the|these|alle|onze|de|deze|unseren?|den)\s+)*{_MANY}\b",
)
"""One document, or one side of it, is asked for: 'Show me the policy on passwords'."""
LIST_WORDS: Final = re.compile(
    r"\b(?:please|list|enumerate|show|give|display|print|overview|index|catalogue|all|every|each|our|the|an?|me|of|how\s+many|what|which|do\s+we\s+have|are\s+there|exist(?:ing)?|you|can|could|som|op|toon|geef|noem|laat|zien|overzicht|lijst|van|alle|hoeveel|welke|zijn\s+er|er|zijn|bestaan|hebben\s+we|de|het|een|onze|zeige|liste|nenne|gib|mir|\u00fcbersicht|alles|wie|viele|welche|gibt\s+es|haben\s+wir|existieren|auf|nog|al|noch|still|die|der|das|unsere|are|is|ons|ist|sind|about|on|over|regarding|concerning|related|to"
    r"|rond|\u00fcber|zu|von|for|voor|f\u00fcr|that|with|dealing|and|en|und|currently|known|have|we|there|titles?|names?|numbers?|ones|those|these|them|bitte|auflisten|opsommen|erst)\b",
    re.IGNORECASE,
)
_IN_FORCE = r"\b(?:still\s+(?:valid|appl(?:y|ies)|holds?|binding|current|active)|in\s+force|nog\s+(?:geldig|actueel|van\s+(?:kracht|toepassing))|noch\s+(?:g\u00fcltig|aktuell|verbindlich|in\s+kraft))\b"
IN_FORCE: Final = re.compile(_IN_FORCE, re.IGNORECASE)
"""'Still current' asks about a document, not about an electric current."""
ASPECTS: Final[dict[Aspect, re.Pattern[str]]] = _compiled(
    {
        Aspect.APPROVAL: r"\b(?:approv(?:ed|al|als|er|ers|es)|sign(?:ed)?\s+off|dars?|goedgekeurd|goedkeuring\w*|goedkeurders?|akkoord|genehmig\w+|freigegeben)\b",
        Aspect.STATUS: rf"{_IN_FORCE}|\b(?:status|superseded|replaced|vervangen)\b|\b(?:geldt\b.{{0,40}}\bnog|gilt\b.{{0,40}}\bnoch)\b|^(?:is|was|has|are|heeft|zijn|ist|wurde)\b.*\b(?:accepted|proposed|rejected|deprecated|withdrawn|geaccepteerd|aanvaard|voorgesteld|verworpen|vervallen|akzeptiert|vorgeschlagen|abgelehnt)\W*$",
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
