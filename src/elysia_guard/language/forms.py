"""The forms in which people ask, in English, Dutch and German, as tables the router reads."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect


def _compile(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_END = r"\s*[?!.\u2026]*\s*$"
_TERM = r"(?P<term>.+?)"
_ASKING_EN = r"(?:please\s+)?(?:(?:can|could|would)\s+you\s+(?:please\s+)?)?(?:(?:tell|explain)(?:\s+to)?(?:\s+(?:me|us))?|do\s+you\s+know|i\s+(?:want|would\s+like)\s+to\s+know)\s+"
_ASKING_NL = r"(?:(?:kun|kan|kunt|wil)\s+(?:je|jij|u)\s+(?:(?:me|mij|ons)\s+)?(?:uitleggen|vertellen|zeggen)|weet\s+(?:je|jij|u)|vertel(?:\s+(?:me|mij))?|leg(?:\s+(?:me|mij))?\s+uit|ik\s+wil\s+weten),?\s+"
_ASKING_DE = r"(?:(?:kannst\s+du|k\u00f6nnen\s+sie)\s+(?:(?:mir|uns)\s+)?(?:sagen|erkl\u00e4ren)|wei\u00dft\s+du|wissen\s+sie|sag(?:\s+mir)?|erkl\u00e4re?(?:\s+mir)?),?\s+"

TERMINOLOGY: Final = _compile(
    # English
    rf"^what(?:'s|\u2019s|s|\s+is|\s+are|\s+exactly\s+is)\s+(?:meant\s+by|the\s+(?:exact\s+)?(?:meaning|definition)\s+of)\s+{_TERM}{_END}",
    rf"^what\s+do(?:es)?\s+(?:the\s+(?:term|word|abbreviation|acronym)\s+)?{_TERM}\s+(?:mean|stand\s+for|denote|refer\s+to){_END}",
    rf"^what\s+do\s+(?:we|you)\s+(?:mean|understand)\s+by\s+{_TERM}{_END}",
    rf"^(?:please\s+)?(?:can|could)\s+(?:you|anyone|somebody)\s+(?:please\s+)?(?:tell|explain)(?:\s+to)?(?:\s+me|\s+us)?\s+what(?:'s|\u2019s|\s+is)\s+(?:meant\s+by\s+)?{_TERM}{_END}",
    rf"^(?:please\s+)?(?:can|could)\s+(?:you|anyone|somebody)\s+(?:please\s+)?(?:tell|explain)(?:\s+to)?(?:\s+me|\s+us)?\s+what\s+{_TERM}\s+(?:means|stands\s+for|is){_END}",
    rf"^(?:please\s+)?(?:can|could)\s+you\s+(?:define|explain\s+the\s+(?:term|concept|word))\s+{_TERM}{_END}",
    rf"^(?:please\s+)?(?:give\s+(?:me\s+)?|what\s+is\s+)?(?:the\s+|a\s+)?(?:meaning|definition)\s+(?:of|for)\s+{_TERM}{_END}",
    rf"^(?:please\s+)?define:?\s+(?:the\s+(?:term|concept|word)\s+)?{_TERM}{_END}",
    rf"^(?:cim|skosmos)\s+term:?\s+{_TERM}{_END}",
    rf"^(?:please\s+)?(?:explain|describe)\s+(?:to\s+me\s+)?(?:the\s+)?(?:term|word|concept(?:\s+of)?|notion\s+of|abbreviation|acronym)\s+{_TERM}{_END}",
    rf"^{_TERM}\s*[:,\-]?\s+(?:meaning|definition){_END}",
    rf"^{_ASKING_EN}what\s+{_TERM}\s+(?:means?|stands?\s+for|denotes?){_END}",
    # Dutch
    rf"^{_ASKING_NL}wat\s+{_TERM}\s+(?:betekent|betekenen|inhoudt){_END}",
    rf"^wat\s+(?:betekent|betekenen|verstaan\s+we\s+onder|verstaat\s+men\s+onder|versta\s+je\s+onder|wordt\s+verstaan\s+onder|wordt\s+bedoeld\s+met|bedoelen\s+we\s+met|bedoelt\s+men\s+met)\s+{_TERM}{_END}",
    rf"^wat\s+is\s+(?:de\s+)?(?:betekenis|definitie)\s+van\s+{_TERM}{_END}",
    rf"^(?:geef\s+(?:me\s+)?)?(?:de\s+)?(?:betekenis|definitie)\s+van\s+{_TERM}{_END}",
    rf"^waar\s+staat\s+(?:de\s+afkorting\s+)?{_TERM}\s+voor{_END}",
    rf"^(?:definieer|omschrijf\s+het\s+begrip)\s+{_TERM}{_END}",
    rf"^(?:leg|verklaar)\s+(?:me\s+)?(?:de\s+term|het\s+begrip|het\s+woord)\s+{_TERM}(?:\s+uit)?{_END}",
    # German
    rf"^was\s+(?:bedeutet|bedeuten|hei\u00dft|heisst)\s+{_TERM}{_END}",
    rf"^was\s+(?:versteht\s+man|verstehen\s+wir)\s+unter\s+{_TERM}{_END}",
    rf"^wof\u00fcr\s+steht\s+(?:die\s+abk\u00fcrzung\s+)?{_TERM}{_END}",
    rf"^was\s+ist\s+(?:mit\s+{_TERM}\s+gemeint|unter\s+(?P<term2>.+?)\s+zu\s+verstehen){_END}",
    rf"^(?:definiere|die\s+definition\s+von|definition\s+von|bedeutung\s+von)\s+{_TERM}{_END}",
    rf"^{_ASKING_DE}was\s+{_TERM}\s+(?:bedeutet|bedeuten|hei\u00dft){_END}",
    rf"^erkl\u00e4re?\s+(?:mir\s+)?(?:den\s+begriff|das\s+konzept(?:\s+von)?|das\s+wort)\s+{_TERM}{_END}",
)
"""Forms that ask for a meaning in so many words."""

COPULA: Final = _compile(
    rf"^(?:so\s+|and\s+)?what(?:'s|\u2019s|s|\s+is|\s+are|\s+exactly\s+is|\s+exactly\s+are)\s+{_TERM}{_END}",
    rf"^(?:en\s+)?wat\s+(?:is|zijn)\s+{_TERM}{_END}",
    rf"^(?:und\s+)?was\s+(?:ist|sind)\s+{_TERM}{_END}",
    rf"^(?:please\s+)?(?:explain|describe|verklaar|erkl\u00e4re(?:\s+mir)?)\s+(?P<term>\S+(?:\s+\S+){{0,2}}?){_END}",
    rf"^{_ASKING_EN}what\s+{_TERM}\s+(?:is|are){_END}",
    rf"^{_ASKING_NL}wat\s+{_TERM}\s+(?:is|zijn){_END}",
    rf"^{_ASKING_DE}was\s+{_TERM}\s+(?:ist|sind){_END}",
    rf"^leg\s+(?P<term>\S+(?:\s+\S+){{0,2}}?)\s+uit{_END}",
)
"""'What is X': a meaning, unless X shows that it asks for something else (NOT_A_TERM)."""

GREETING: Final = re.compile(
    r"^(?:hi|hello|hey|hallo|hoi|good\s+(?:morning|afternoon|evening)|goede(?:morgen|middag|navond|n\s+dag)|goeiemorgen"
    r"|guten\s+(?:morgen|tag|abend)|moin|servus)(?:\s+(?:there|all|everyone|team|samen|zusammen))?\s*[,!.;:\u2013-]+\s*(?=\w)",
    re.IGNORECASE,
)
"""A greeting before a question is not part of it."""

ARTICLES: Final = re.compile(
    r"^(?:an?|the|een|de|het|'n|ein|eine|einen|einem|einer|der|die|das|den|dem)\s+", re.IGNORECASE
)
TRAILING: Final = re.compile(
    r"\s+(?:exactly|actually|precisely|please|really|again|eigenlijk|precies|genau|eigentlich|bitte"
    r"|in\s+the\s+(?:context|vocabulary|sense)\s+of\s+.+|according\s+to\s+(?:the\s+)?\S+)$",
    re.IGNORECASE,
)

NOT_A_TERM: Final = _compile(
    # definite noun + complement: a property of something, not a word to define
    r"^(?:the|our|my|your|their|its|this|that|these|those|de|het|ons|onze|der|die|das|unser\w*)\s+.*\b"
    r"(?:for|of|on|in|between|about|to|at|from|with|when|during|behind|under|by|voor|van|op|over|tussen|bij|om"
    r"|f\u00fcr|von|vom|zwischen|\u00fcber|bei|zum|zur|im|des|der)\b.*",
    r"^(?:our|my|your|their|ons|onze|unser\w*)\s+.*",
    r"^(?:the\s+)?(?:best|right|preferred|recommended|latest|current|reason|status|maximum|minimum|most|beste"
    r"|reden|grund)\b.*",
    r"^(?:the\s+|het\s+|der\s+)?(?:differences?\s+(?:between|of|to|with)|verschil(?:len)?\s+(?:tussen|met)|unterschiede?\s+(?:zwischen|zu))\b.*",
    r"^(?:decided|used|required|needed|allowed|stored|done|said|known|stated|agreed|expected|permitted|forbidden"
    r"|mandatory|being|going|wrong|new|it|this|that|there|happening|important|possible|meant)\b.*",
    r"^(?:er|besloten|toegestaan|verplicht|nodig|vereist|bekend|afgesproken|dit|dat|hier|daar|aan\s+de\s+hand)\b.*",
    r"^(?:es|das|dies|entschieden|erlaubt|n\u00f6tig|erforderlich|los)$|^(?:entschieden|erlaubt|erforderlich|vorgeschrieben)\b.*",
    r".*\b(?:should|must|can|could|will|would|do|does|did|is|are|was|were|has|have|moet|moeten|kan|kunnen|mag|soll|muss|darf)\b.*",
    r".*\b(?:versus|vs\.?)\b.*",
)
PRONOUNS: Final = frozenset(
    "it this that these those them you he she we up dit dat deze die jij u hij zij es das dies du sie".split()
)

KIND_WORDS: Final[dict[DocumentKind, re.Pattern[str]]] = {
    DocumentKind.DECISION: re.compile(
        r"\b(?:(?:adr|dar)(?:['\u2019]?s)?|(?:architecture\s+|architectural\s+)?decision\s+records?|(?:architectural\s+|architecture\s+)?decisions?"
        r"|decided?|(?:architectuur)?besluit(?:en)?|beslissing(?:en)?|besloten|(?:architektur)?entscheidung(?:en)?|entschieden"
        r"|approval\s+records?)\b",
        re.IGNORECASE,
    ),
    DocumentKind.PRINCIPLE: re.compile(
        r"\b(?:pcp(?:['\u2019]?s)?|principles?|(?:architectuur)?principes?|beginsel(?:en)?|(?:architektur)?prinzip(?:ien)?|grunds(?:atz|\u00e4tze))\b",
        re.IGNORECASE,
    ),
    DocumentKind.POLICY: re.compile(
        r"\b(?:polic(?:y|ies)|beleid(?:sregels?|sstukken)?|\w*beleid|richtlinien?)\b", re.IGNORECASE
    ),
}
KIND_TERMS: Final = frozenset(
    """adr|adrs|architecture decision record|architecture decision records|architectural decision record
    |architecture decision|decision record|principle|architecture principle|policy|principe|architectuurprincipe
    |beleid|besluit|architectuurbesluit|decision|prinzip|richtlinie|entscheidung|dar
    |decision approval record""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""Words for kinds of documents that are themselves terms: 'What is a policy?'."""

LIST: Final = _compile(
    r"^(?:please\s+)?(?:can\s+you\s+|could\s+you\s+)?(?:list|enumerate|show|give|display|print)\b(?!(?:\s+me)?\s+(?:how|why|what)\b)",
    r"^(?:an?\s+)?(?:overview|list|index|catalogue)\s+of\b",
    r"^all\s+(?:the\s+|our\s+)?\w+",
    r"^how\s+many\b",
    r"^(?:what|which)\b.*\b(?:do\s+we\s+have|are\s+there|exist|are\s+(?:still\s+|currently\s+)?(?:proposed|superseded|deprecated|rejected|accepted))\b",
    r"^(?:som\b.*\bop\b|toon|geef|noem|laat\b.*\bzien)",
    r"^(?:een\s+)?(?:overzicht|lijst)\s+van\b",
    r"^alle\s+\w+",
    r"^hoeveel\b",
    r"^welke\b.*\b(?:zijn\s+er|bestaan|hebben\s+we|zijn\s+(?:nog\s+|al\s+|er\s+)?(?:voorgesteld|vervangen|vervallen|verworpen|geaccepteerd))\b",
    r"^(?:zeige|liste|nenne|gib)\b",
    r"^(?:eine\s+)?(?:\u00fcbersicht|liste)\b",
    r"^wie\s*viele\b",
    r"^welche\b.*\b(?:gibt\s+es|haben\s+wir|existieren)\b",
)
LIST_WORDS: Final = re.compile(
    r"\b(?:please|list|enumerate|show|give|display|print|overview|index|catalogue|all|every|each|our|the|an?|me|of|how\s+many"
    r"|what|which|do\s+we\s+have|are\s+there|exist(?:ing)?|you|can|could|som|op|toon|geef|noem|laat|zien|overzicht|lijst|van|alle"
    r"|hoeveel|welke|zijn\s+er|er|zijn|bestaan|hebben\s+we|de|het|een|onze|zeige|liste|nenne|gib|mir|\u00fcbersicht|alles|wie|viele"
    r"|welche|gibt\s+es|haben\s+wir|existieren|auf|nog|al|noch|still|die|der|das|unsere|are|is|ons|ist|sind|about|on|over|regarding|concerning|related|to"
    r"|rond|\u00fcber|zu|von|for|voor|f\u00fcr|that|with|dealing|and|en|und|currently|known|have|we|there|titles?|names?|numbers?)\b",
    re.IGNORECASE,
)
STATUSES: Final[dict[str, re.Pattern[str]]] = {
    "accepted": re.compile(
        r"\b(?:accepted|approved|geaccepteerde?|aanvaarde?|goedgekeurde?|akzeptierte?n?)\b", re.I
    ),
    "proposed": re.compile(r"\b(?:proposed|voorgestelde?|vorgeschlagene?n?)\b", re.I),
    "superseded": re.compile(r"\b(?:superseded|replaced|vervangen|ersetzte?n?)\b", re.I),
    "deprecated": re.compile(r"\b(?:deprecated|obsolete|vervallen|veraltete?n?)\b", re.I),
    "rejected": re.compile(r"\b(?:rejected|verworpen|afgewezen|abgelehnte?n?)\b", re.I),
}

ASPECTS: Final[dict[Aspect, re.Pattern[str]]] = {
    Aspect.APPROVAL: re.compile(
        r"\b(?:approv(?:ed|al|als|er|ers|es)|sign(?:ed)?\s+off|dars?|goedgekeurd|goedkeuring\w*|goedkeurders?|akkoord"
        r"|genehmig\w+|freigegeben)\b",
        re.I,
    ),
    Aspect.STATUS: re.compile(
        r"\b(?:status|still\s+valid|in\s+force|superseded|replaced|nog\s+geldig|vervangen|noch\s+g\u00fcltig)\b"
        r"|^(?:is|was|has|are|heeft|zijn|ist|wurde)\b.*\b(?:accepted|proposed|rejected|deprecated|withdrawn"
        r"|geaccepteerd|aanvaard|voorgesteld|verworpen|vervallen|akzeptiert|vorgeschlagen|abgelehnt)\W*$",
        re.I,
    ),
    Aspect.DATE: re.compile(
        r"\b(?:when\s+(?:was|did|is)|what\s+date|date\s+of|wanneer\s+(?:is|werd)|datum|wann\s+wurde)\b",
        re.I,
    ),
    Aspect.OWNER: re.compile(
        r"\b(?:owns?|owner|eigenaar|who\s+is\s+responsible|eigent\u00fcmer|verantwortlich)\b", re.I
    ),
    Aspect.CONSEQUENCES: re.compile(
        r"\b(?:consequences?|implications?|impact|gevolgen?|implicaties?|folgen|auswirkung\w*)\b",
        re.I,
    ),
    Aspect.ALTERNATIVES: re.compile(
        r"\b(?:alternatives?|options?|considered|alternatieven|opties|overwogen|optionen|alternativen)\b",
        re.I,
    ),
    Aspect.CONTEXT: re.compile(
        r"\b(?:why|context|background|problem|rationale|reasons?|waarom|aanleiding|achtergrond|onderbouwing|warum|hintergrund)\b",
        re.I,
    ),
}

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

SMALL_TALK: Final[dict[str, re.Pattern[str]]] = {
    "greeting": re.compile(
        r"^(?:hi|hello|hey|good\s+(?:morning|afternoon|evening)|hallo|hoi|goede(?:morgen|middag|navond|n\s+dag)|goeiemorgen|dag"
        r"|guten\s+(?:morgen|tag|abend)|moin|servus)(?:\s+(?:there|all|everyone|team|samen|zusammen))?\W*$",
        re.I,
    ),
    "thanks": re.compile(
        r"^(?:many\s+)?(?:thanks?(?:\s+you)?|thank\s+you|thx|cheers|bedankt|dank\s*(?:je|u)?(?:\s+wel)?|dankjewel|danke(?:\s+sch\u00f6n)?|vielen\s+dank)"
        r"(?:\s+(?:very|so)\s+much|\s+a\s+lot)?\W*$",
        re.I,
    ),
    "farewell": re.compile(
        r"^(?:bye|goodbye|see\s+you|doei|tot\s+ziens|tsch\u00fcss|auf\s+wiedersehen)\W*$", re.I
    ),
    "help": re.compile(
        r"^(?:help|hilfe|what\s+can\s+(?:you\s+do|i\s+ask(?:\s+you)?)|how\s+(?:can\s+you\s+help(?:\s+me)?|does\s+this\s+work)|wat\s+kun\s+je(?:\s+doen)?"
        r"|wat\s+kan\s+ik\s+(?:je\s+)?vragen|was\s+kannst\s+du(?:\s+tun)?)\W*$",
        re.I,
    ),
    "identity": re.compile(
        r"^(?:who|what)\s+are\s+you\W*$|^wie\s+ben\s+(?:je|jij)\W*$|^wat\s+ben\s+(?:je|jij)\W*$|^wer\s+bist\s+du\W*$"
        r"|^are\s+you\s+(?:a\s+)?(?:bot|an?\s+ai|human|real)\W*$",
        re.I,
    ),
    "mood": re.compile(
        r"^(?:how\s+are\s+you(?:\s+(?:doing|today))?|hoe\s+gaat\s+het(?:\s+met\s+(?:je|u))?|wie\s+geht\s+es\s+(?:dir|ihnen))\W*$",
        re.I,
    ),
}

QUESTION_WORDS: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|can|could|should|must|may|will|would|have|has"
    r"|wat|welke?|wie|wanneer|waar|waarom|hoe|moet(?:en)?|kan|kun(?:nen)?|mag|mogen|zijn|heeft|hebben|worden|wordt"
    r"|was|welche[rns]?|wer|wann|wo|warum|wieso|ist|sind|darf|d\u00fcrfen|muss|m\u00fcssen|soll(?:en)?|kann|hat|haben|wird|werden)\b",
    re.IGNORECASE,
)
