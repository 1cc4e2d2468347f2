"""The forms in which people ask, in English, Dutch and German, as tables the router reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from elysia_guard.domain.question import Aspect
from elysia_guard.language.kinds import KINDS, any_kind, nouns
from elysia_guard.language.meanings import OF, PREPOSITIONS, compile_all
from elysia_guard.language.phrases import spoken

_Key = TypeVar("_Key")


def _compiled(patterns: Mapping[_Key, str], *, whole: str = "{}") -> dict[_Key, re.Pattern[str]]:
    return {
        key: re.compile(spoken(whole.format(form)), re.IGNORECASE) for key, form in patterns.items()
    }


# --- what stands around a question -----------------------------------------------------------

_ASKS = (
    r"(what|whats|which|who|how|when|where|why|can|could|would|do|does|is|are|define|explain"
    r"|tell|list|show|give|please|wat|welke?|wie|hoe|wanneer|waar|waarom|kun|kunt|kan|zou"
    r"|weet|leg|geef|toon|definieer|was|welche\w*|wer|wann|wo|wofür|warum|kannst|könn\w+"
    r"|weißt|erklär\w*|zeig\w*|gib)"
)
_GREETING = (
    r"(hi|hello|hey|hiya|dear|good (morning|afternoon|evening|day)|morning|hallo|hoi|dag"
    r"|beste|goede?\s*(morgen|middag|n?avond|n?\s*dag)|goeie?morgen|guten (morgen|tag|abend)"
    r"|moin|servus|grüß gott)"
)
OPENERS: Final = compile_all(
    rf"{_GREETING}( [\w-]+){{0,2}}?(\s*[,!.;:\u2013-]+\s*| (?={_ASKS}\b))",
    (
        r"(((ok(ay)?|great|cool),? )?((many )?thanks|thank you|thx)( (a lot|so much|very much))?"
        r"|ok(é|ay)?|great|sorry|pardon( me)?|excuse me|well|right|now|actually|um+|hmm+|bedankt"
        r"|dank (je|u)( wel)?|prima|danke( schön)?|vielen dank|entschuldigung|verzeihung|nun"
        r"|na)\s*[,!.;:\u2013-]+\s*"
    ),
    (
        r"(so|and|but|ok(ay)?|oké|please|pls|plz|dus|maar|nou|en(?! \d)|und|aber|also|bitte"
        r"|sorry) (then |dan |dann )?"
    ),
    (
        r"((i have )?(just )?(an? )?(other |another |one )?(more )?(quick|short|simple|small"
        r"|stupid|dumb|basic)?\s*question( for you)?"
        r"|(ik heb )?(even )?(een |nog een )?(korte? |kleine? |snelle? |domme? )?vraag(je)?"
        r"|(ich habe )?(noch )?((mal )?eine )?(kurze |kleine |schnelle |dumme )?frage|sag mal"
        r"|zeg)\s*[,:;!.\u2013-]+\s*"
    ),
    (
        r"(in (short|brief|simple terms|plain (english|words|language)|a nutshell|one sentence"
        r"|other words)|simply put|eli5|kort gezegd|simpel gezegd|in (gewone|eenvoudige) "
        r"(taal|woorden)|in één zin|kurz( gesagt)?|einfach gesagt|in einfachen worten)\s*[,:]\s*"
    ),
    # 'Could you tell me', 'I do not know': someone asks to be told
    (
        r"(please )?(can|could|would|will) (you|u|someone|somebody|anyone|anybody) "
        r"((please|kindly|maybe|perhaps|quickly|briefly|also|be (so kind|able) (as )?to) "
        r")*(?=(tell|explain|describe|clarify|remind|define|let)\b)"
    ),
    r"would you mind (?=(explain|tell|defin|giv|remind|clarify)\w*\b)",
    (
        r"(tell(ing)?|remind(ing)?|teach) (me|us)\s*[,:]? (again )?(?!about\b)|let me know "
        r"|(explain(ing)?|clarify(ing)?|describe)( to)?( me| us)? (?=what|how .+ defined)"
        r"|help me understand "
    ),
    (
        r"(do(es)?) (you|anyone|anybody|someone|somebody) "
        r"((happen to|perhaps|also|maybe) )?(know|remember|understand) "
    ),
    r"(may|can|could|might) (i|we) ask (you )?",
    (
        r"i('d| would| do)? ((really|just|also) )?(want|like|love|need|wish) to "
        r"(know|understand|learn|ask|find out) (you )?"
    ),
    (
        r"(i('m| am| was)? ((just|still|always) )?((do not|don'?t|never|can'?t|cannot) "
        r"((really|quite|exactly|fully) )?(know|understand|get|remember)|have no idea"
        r"|wonder(ing)?|curious|unsure|not (quite )?sure|forgot|keep forgetting)|(any|no) idea"
        r"|(do you )?have any idea|not sure) (?=what|how|if|whether)"
    ),
    (
        r"(kun|kan|kunt|kunnen|wil|wilt|willen|zou|zouden) (je|jij|u|jullie|iemand) "
        r"((me|mij|ons|even|eens|misschien|alsjeblieft|alstublieft|kort|ook|kunnen|willen) "
        r")*(uitleggen|uitleg geven|vertellen|zeggen|aangeven|toelichten),? "
    ),
    r"(vertel|zeg|leg)( (me|mij|ons|even|eens|maar|kort))*( uit)?,? (?=(wat|waar|hoe)\b)",
    (
        r"weet (je|jij|u|iemand|jullie)( (ook|misschien|toevallig))*,? |(heb je )?(enig|geen) "
        r"idee,? (?=(wat|waar)\b)"
    ),
    (
        r"(mag|kan) ik ((even|misschien|ook) )*(vragen|weten),? "
        r"|ik (wil|wou|zou) ((graag|even|wel|eens|ook) )*(willen )?weten,? "
    ),
    (
        r"ik (weet|begrijp|snap) ((nog|eigenlijk) )?niet\s*((goed|precies|zo)\s*)*,? "
        r"(?=(wat|waar|hoe)\b)|ik (vraag me af|ben benieuwd),? "
    ),
    (
        r"(kannst|könntest|könnten|können|koennen|koennten|kann|würdest|würden) "
        r"(du|sie|ihr|jemand) ((mir|uns|bitte|mal|kurz|vielleicht|eben|auch) )*(sagen|erklären"
        r"|erklaeren|erläutern|verraten),? "
    ),
    (
        r"(sage?|erkläre?|erklaere?|erläutere?|verrate?|(sagen|erklären|erläutern) sie)( "
        r"(mir|uns|bitte|mal|kurz|doch))*,? (?=(was|wofür|wie)\b)"
    ),
    (
        r"(weißt|weisst|wissen|weiß) (du|sie|ihr|jemand)( (vielleicht|zufällig|auch))*,? "
        r"|(hast du )?(eine|keine) ahnung,? "
    ),
    (
        r"(darf|kann) ich ((mal|kurz|bitte) )*fragen,? |ich (möchte|moechte|will|würde|wüsste) "
        r"((gerne?|mal|bitte|nur|auch) )*(wissen|verstehen|erfahren)?,?\s*(?=(was|wofür|wie)\b)"
        r"|ich (weiß|verstehe) ((noch|leider) )?nicht( (genau|so recht))?,? "
        r"(?=(was|wofür|wie)\b)|ich frage mich,? "
    ),
)
"""What people say before their question: not part of it."""

WISHES: Final = compile_all(
    (
        r"(can|could|would|will) (you|u|someone) "
        r"((please|kindly|maybe|also|be (so (kind|good)|able) (as )?to) )*"
    ),
    r"(may|can|could) (i|we) (please )?(see|have|get) ",
    (
        r"(i('d| would)? )?(really )?(want|like|love|need)( to (see|have|get))? "
        r"|i('m| am) looking for "
    ),
    (
        r"(do (we|you) have|is there|have (we|you) got|(whether|if) (we|you) have"
        r"|whether there is) (?=(an?|any|the) ([\w-]+ ){0,2}(list|overview|definition|meaning"
        r"|index)\b)"
    ),
    (
        r"(kun|kan|kunt|kunnen|wil|wilt|willen|zou|zouden) (je|jij|u|jullie|iemand) "
        r"((me|mij|ons|even|eens|misschien|alsjeblieft|kort) )*"
    ),
    r"(mag|kan) ik ((even|misschien|ook) )*|ik (wil|wou|zou|zoek)\s*((graag|even|ook) )*",
    (
        r"(is er|bestaat er|hebben we|heb je) "
        r"(?=(ook )?(een|de) (lijst|overzicht|definitie|betekenis)\b)"
    ),
    (
        r"(kannst|könntest|könnten|können|koennten|würdest|würden) (du|sie|ihr) "
        r"((mir|uns|bitte|mal|kurz) )*"
    ),
    (
        r"(kann|darf) ich ((bitte|mal) )*|ich (möchte|moechte|will|hätte|brauche|suche) "
        r"((gerne?|bitte|mal) )*"
    ),
    (
        r"(gibt es|haben wir|hast du) "
        r"(?=(auch )?(eine|die) (liste|übersicht|definition|bedeutung)\b)"
    ),
)
"""Wishes before a list or a definition: 'Could you', 'I would like', 'Is there a (definition)'."""

CLOSERS: Final = re.compile(
    spoken(
        r"(\s*,)? (please|pls|plz|thanks|thank you|thx|exactly|actually|precisely|really|again"
        r"|then|anyway|(to|for) (me|us)|here|hier|(bei|bij) (uns|euch|ons|jullie)"
        r"|for (an?|my|our|the) (\w+ ){0,2}(report|presentation|document|colleague|customer|audit"
        r"|slide|meeting)|in (simple terms|plain english|short|one sentence|general)"
        r"|in (the|this|that|our) (context|vocabulary|glossary|sense|domain|field|sector)( of .+)?"
        r"|(in|by|under|volgens|laut|nach) (our|your|the|onze|ons|jullie|de|het|unser\w*|eure\w*"
        r"|dem|der|den) (terms|terminology|vocabular\w+|word\s?list|begrippen(lijst|kader)?"
        r"|woordenlijst|vocabulaire|terminologie|definities|glossar|begriffs\w+|vokabular"
        r"|begriffen?)|in (the )?(cim|cgmes|skosmos)|according to (the )?\S+"
        r"|alsjeblieft|alstublieft|a\.?u\.?b|svp|graag|(nou |nu )?(precies|eigenlijk)|nou|dan"
        r"|ook al\s?weer|ook weer|alvast bedankt|bedankt|in deze context|volgens (de )?\S+|bitte"
        r"|genau|eigentlich|denn|nochmals?|noch mal|überhaupt|danke|in diesem zusammenhang"
        r"|laut (dem |der )?\S+)$"
    ),
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

KIND_TERMS: Final = frozenset(
    ("adr", "adrs", "dar", *(word for kind in KINDS for word in nouns(kind, many=False)))
)
"""Words for kinds of documents that are themselves terms: 'What is a policy?'."""

_KIND = any_kind()
KIND_FIRST: Final = re.compile(spoken(rf"\b{_KIND}(-| )\w+|^(adr|pcp|dar|pol)s?$"), re.IGNORECASE)
"""A term may begin with the word for a kind: 'policy enforcement point'."""
KIND_WITH_MORE: Final = re.compile(
    spoken(
        rf"{PREPOSITIONS}|{OF}|\w's\s"
        r"|\b(accepted|proposed|rejected|superseded|new|latest|current|existing|nieuwe?"
        r"|huidige?|neue?\w?|aktuelle\w?)\b"
    ),
    re.IGNORECASE,
)
"""'A policy on passwords', 'a rejected decision': documents, not a term."""

IN_PASSING: Final = re.compile(
    spoken(
        r"(?<!there\s)(?<!is\ser\s)(?<!gibt\ses\s)\b(an?|een|eine[nrms]?|ein) "
        rf"(?!unser)([\w-]+ )?(?!(adr|pcp|dar)s?\b){_KIND}\b(?! "
        r"((yet|already|al|reeds|schon|bereits) )?(about|on|over|for|to|that|which|and|or|voor"
        r"|dat|die|en|of|über|für|zu|und|oder)\b)"
    ),
    re.IGNORECASE,
)
"""'What a decision means', 'een genomen besluit': any, not one of those that are written down."""

KIND_IN_FRONT: Final = re.compile(spoken(rf"^([\w-]+ ){{0,5}}{_KIND}\s*: (?=\w)"), re.IGNORECASE)
"""'CIM policy: how long do we get to decide?' asks for the policy."""
KINDS_TOGETHER: Final = re.compile(
    spoken(
        rf"\b{_KIND} (and|or|en|of|und|oder) "
        r"((in|from|by|uit|van|aus) )?((an?|the|our|een|de|het|onze|eine?[rmn]?|der|die|das"
        rf"|unsere) )?{_KIND}\b"
    ),
    re.IGNORECASE,
)
"""'Both a decision and a principle say how long'."""
CHOICE: Final = compile_all(
    (
        r"\bwhy did(n't)? we (choose|pick|select|reject|drop|abandon|adopt|turn (\w+ ){0,3}down"
        r"|go (for|with)|opt for|settle on)\b"
    ),
    r"\bdid we (choose|pick|select|opt for|settle on)\b",
    (
        r"\bwaarom (hebben|zijn|is|werd) "
        r"(we|wij|er)\b.{0,60}\b(gekozen|afgewezen|verworpen|afgestapt)\b"
    ),
    r"\bwarum (haben|sind) wir\b.{0,60}\b(gewählt|ausgewählt|abgelehnt|verworfen)\b",
)
"""'Why did we turn down blockchain?' asks for the decision, without the word."""

_IN_FORCE = (
    r"\b(still (valid|appl(y|ies)|holds?|binding|current|active)|in force"
    r"|nog (geldig|actueel|van (kracht|toepassing))"
    r"|noch (gültig|aktuell|verbindlich|in kraft))\b"
)
ASPECTS: Final[dict[Aspect, re.Pattern[str]]] = _compiled(
    {
        Aspect.APPROVAL: (
            r"\b(approv(ed|al|als|er|ers|es)|sign(ed)? off|dars?|goedgekeurd|goedkeuring\w*"
            r"|goedkeurders?|akkoord|genehmig\w+|freigegeben)\b"
        ),
        Aspect.STATUS: (
            rf"{_IN_FORCE}|\b(status|superseded|replaced|vervangen)\b"
            r"|\b(geldt\b.{0,40}\bnog|gilt\b.{0,40}\bnoch)\b"
            r"|^(is|was|has|are|heeft|zijn|ist|wurde)\b.*\b(accepted|proposed|rejected|deprecated"
            r"|withdrawn|geaccepteerd|aanvaard|voorgesteld|verworpen|vervallen|akzeptiert"
            r"|vorgeschlagen|abgelehnt)\W*$"
        ),
        Aspect.DATE: r"\b(when (was|did|is)|what date|date of|wanneer (is|was|werd)|datum"
        r"|wann (ist|war|wurde))\b",
        Aspect.OWNER: r"\b(owns?|owner|eigenaar|who is (responsible|the driver)|trekker|eigentümer"
        r"|verantwortlich)\b",
        Aspect.CONSEQUENCES: r"\b(consequences?|implications?|impact|gevolgen?|implicaties?"
        r"|folgen|auswirkung\w*)\b",
        Aspect.ALTERNATIVES: (
            r"\b(alternatives?|options?|considered|alternatieven|opties|overwogen|optionen"
            r"|alternativen)\b"
        ),
        Aspect.CONTEXT: (
            r"\b(why|context|background|problem|rationale|reasons?|waarom|aanleiding|achtergrond"
            r"|onderbouwing|warum|hintergrund)\b"
        ),
    }
)

ABOUT_DOCUMENTS: Final = frozenset(
    """summary summarise summarize main point gist title content contents document text outcome
    chosen choose full detail details exactly record records read open cover covers discuss
    discusses mention accepted proposed rejected deprecated withdrawn approved approve approves
    approval approver approvers sign signed off status valid force superseded replaced date owner
    owns own consequence consequences implication implications impact alternative alternatives
    option options considered context background problem rationale reason reasons meaning means
    definition definitions defined betekenis definitie bedeutung responsible compare comparison
    difference differences differ between samenvatting samenvatten inhoud titel tekst gekozen
    kies hoofdpunten goedgekeurd goedkeuring gevolg gevolgen implicatie implicaties alternatief
    alternatieven optie opties overwogen aanleiding achtergrond onderbouwing geldig vervangen
    eigenaar datum inhoudt luidt precies vergelijk verschil verschillen geaccepteerd aanvaard
    voorgesteld verworpen vervallen zusammenfassung inhalt dokument gewählt genehmigt genehmigung
    akzeptiert vorgeschlagen abgelehnt folgen auswirkungen optionen alternativen hintergrund
    besagt vergleiche unterschied""".split()
)
"""Words that ask about a named document as such, not about something it must mention."""

QUESTION_WORDS: Final = re.compile(
    spoken(
        r"\b(what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|can"
        r"|could|should|must|may|will|would|have|has|wat|welke?|wie|wanneer|waar|waarom|hoe"
        r"|moet(en)?|kan|kun(nen)?|mag|mogen|zijn|heeft|hebben|worden|wordt|was|welche[rns]?"
        r"|wer|wann|wo|warum|wieso|ist|sind|darf|dürfen|muss|müssen|soll(en)?|kann|hat|haben"
        r"|wird|werden)\b"
    ),
    re.IGNORECASE,
)
