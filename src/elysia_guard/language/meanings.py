"""The forms in which people ask what a term means, in English, Dutch and German."""

from __future__ import annotations

import re
from typing import Final


def compile_all(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Compile patterns, without regard to case."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


QUOTES = "\"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_S = r"(?:'s|\u2019s|s)"
_T, _T2 = r"(?P<term>.+?)", r"(?P<term2>.+?)"

_WHAT = r"what(?:\s+(?:exactly|precisely|actually|the\s+heck|the\s+hell|on\s+earth))?"
_IS = rf"(?:{_S}|\s+(?:is|si|iss|are))(?:\s+(?:exactly|actually|really|precisely|basically))?"
_DEF = r"(?:(?:the|teh|an?|any|your|our)\s+)?(?:(?:exact|official|correct|formal|precise|short|proper|agreed|common|shared)\s+)?(?:meaning|definition|full\s+form|long\s+form)"
_WAT_IS = r"wat(?:\s+precies)?\s+(?:is|si|zijn)(?:\s+(?:nu|nou|dan|toch|eigenlijk|precies|ook\s+al\s?weer|(?:ook\s+)?weer|dat\s*[:,]))*"
_DEF_NL = r"(?:(?:de|een|jullie|onze)\s+)?(?:(?:exacte|offici\u00eble|juiste|precieze)\s+)?(?:betekenis|definitie|omschrijving)"
_WAS_IST = r"was(?:\s+(?:genau|eigentlich))?\s+(?:ist|sind|its)(?:\s+(?:eigentlich|genau|denn|nun|nochmal|noch\s+mal|\u00fcberhaupt|bitte|das\s*[:,]))*"
_DEF_DE = r"(?:(?:die|eine|der)\s+)?(?:(?:genaue|offizielle|exakte)\s+)?(?:bedeutung|definition|begriffsbestimmung)"
ANY_DEFINITION = rf"(?:{_DEF}|{_DEF_NL}|{_DEF_DE})\s+(?:of|for|behind|van|voor|von|f\u00fcr|des|der|eines|einer)\b"
_TO_DE = r"(?:(?:mir|uns|bitte|mal|kurz|doch)\s+)*"

_SURELY_A_LABEL = (
    r"(?:abbreviation|acronym|afkorting|begrip|begriffs?|abk\u00fcrzung|k\u00fcrzel|akronym)"
)
_NAMES_A_TERM = rf"(?:term|word|phrase|expression|woord(?:je)?|uitdrukking|kreet|wort(?:es)?|ausdrucks?|{_SURELY_A_LABEL})"
EXPLANATION = r"(?:(?:an?|any|the|some|een|de|eine?|die)\s+)?(?:(?:short|brief|quick|simple|clear|plain|little|korte?|simpele?|eenvoudige?|duidelijke?|snelle?|kleine?|kurze?|einfache?|knappe?|verst\u00e4ndliche?)\s+)*(?:explanation|clarification|explainer|uitleg|toelichting|verduidelijking|erkl\u00e4rung|erl\u00e4uterung)"
LABEL: Final = re.compile(
    r"^(?:(?:the|this|an?|de|het|der|die|das|den|dem)\s+(?:term|word|phrase|expression|concept(?:\s+of)?|notion(?:\s+of)?|abbreviation|acronym|afkorting|begrip|woord|concept|uitdrukking|begriff|wort|ausdruck|konzept(?:\s+von)?|abk\u00fcrzung|k\u00fcrzel|akronym)|des\s+(?:begriffs|wortes|ausdrucks)|term|abbreviation|acronym|afkorting|begrip|begriffs?|wortes|ausdrucks|abk\u00fcrzung)\s+(?=\S)",
    re.IGNORECASE,
)
"""'The term X': what is asked for is X."""
NAMED: Final = compile_all(
    rf"(?:(?:the|this|de|het|die|deze|dit|der|das|den|dem|dieser)\s+{_NAMES_A_TERM}|{_SURELY_A_LABEL})\s*:?\s+{_T}",
)
"""'The term X' and no more: its meaning is asked for."""
NAMED_PERHAPS: Final = compile_all(
    rf"(?:term|word|woord|wort|(?:(?:the|het|das)\s+)?(?:concept|notion|konzept)\s+(?:of|van|von))\s*:?\s+{_T}",
    rf"{EXPLANATION}(?:\s+(?:of|for|about|on|van|over|bij|von|zu|zum|zur|f\u00fcr|der|des))?:?\s+(?P<term>\S+(?:\s+\S+){{0,2}})",
    r"was\s+meint\s+(?P<term>\S+(?:\s+\S+)?)",
)
"""'Term X', 'explanation of X': a meaning, or what documents say of it."""
NO_NAME: Final = re.compile(
    r"(?:of|van|von|list|lists|lijst|liste|glossary|overview|policy|rules?)\b.*", re.IGNORECASE
)

TERMINOLOGY: Final = compile_all(
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
    rf"what(?:'s|\u2019s|s)\s+{_T}\s+(?:mean|stand\s+for)",
    rf"{_WHAT}{_IS}\s+{_T}\s+supposed\s+to\s+(?:mean|stand\s+for|signify)",
    rf"what\s+(?:should|am|do|must|can|may)\s+\w+\s+(?:to\s+)?(?:understand|picture|imagine)\s+(?:by|under|with)\s+{_T}",
    rf"{_T}\s+(?:is|are|means?|stands?\s+for|betekent|bedeutet|hei\u00dft|ist|sind|zijn)\s+(?:what|wat|was)|{_T2}\s*=",
    rf"{EXPLANATION}\s+(?:(?:of|on|van|over|bij|op|von|zu)\s+)?(?:(?:the|de|het|der|die|das|den|dem|des|zum|zur)\s+)?{_NAMES_A_TERM}\s+{_T}",
    rf"(?:can|could|may)\s+{_DEF}\s+(?:of|for)\s+{_T}\s+be\s+(?:given|shared|provided|explained|sent)",
    rf"what\s+(?:we|you|they|people|\w+\s+\w+)\s+(?:(?:all|actually|exactly)\s+)*(?:mean|means|understand|understands)\s+(?:by|with|under)\s+{_T}",
    # Dutch
    rf"wat\s+(?:moet|kan|mag|dien)\s+(?:ik|je|men|we|wij)\s+(?:(?:me|mij|je|ons)\s+)?(?:(?:verstaan|begrijpen)\s+onder|voorstellen\s+bij)\s+{_T}",
    r"wat\s+(?:moet|kan|mag|dien)\s+(?:ik|je|men|we|wij)\s+(?:(?:me|mij|je|ons)\s+)?(?:onder\s+(?P<term>.+?)\s+verstaan|bij\s+(?P<term2>.+?)\s+voorstellen)",
    rf"(?:waar|waarvan)\s+is\s+{_T}\s+(?:een|de)\s+afkorting(?:\s+(?:van|voor))?|wat\s+wil\s+{_T2}\s+zeggen",
    rf"wat\s+(?:betekent|betekenen|beteken)(?:\s+(?:precies|eigenlijk|dan|nou))?\s+{_T}",
    rf"wat\s+(?:houdt|houd|houden)\s+{_T}(?:\s+(?:precies|eigenlijk))?\s+in",
    rf"wat\s+(?:verstaa?n?t?|versta|bedoel(?:t|en)?)\s+\w+(?:\s+(?:precies|eigenlijk|hier|(?:bij|in)\s+\w+))*\s+(?:onder|met)\s+{_T}",
    r"wat\s+wordt?\s+(?:er\s+)?(?:precies\s+)?(?:(?:verstaan\s+onder|bedoeld\s+met)\s+(?P<term>.+?)|(?:onder|met)\s+(?P<term2>.+?)\s+(?:verstaan|bedoeld))",
    rf"wat\s+(?:(?:er|precies|eigenlijk|nu)\s+)*(?:onder|met)\s+{_T}\s+(?:(?:verstaan|bedoeld)\s+(?:wordt|is)|wordt\s+(?:verstaan|bedoeld))",
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
    rf"wat\s+(?:je|jij|jullie|we|wij|ze|zij|men|u|\w+\s+\w+)\s+(?:(?:precies|eigenlijk|hier)\s+)*(?:onder|met)\s+{_T}\s+(?:versta(?:at|an)|bedoel(?:t|en))",
    # German
    rf"was\s+(?:man|wir|sie|ihr|die\s+\w+)\s+(?:(?:genau|eigentlich|hier)\s+)*(?:unter|mit)\s+{_T}\s+(?:versteh(?:t|en)|mein(?:t|en))",
    rf"was\s+(?:bedeutet|bedeuten|hei\u00dft|hei\u00dfen|bezeichnet)(?:\s+(?:eigentlich|genau|denn))?\s+{_T}",
    rf"was\s+(?:versteht|verstehen|verstehst|meint|meinen|meinst|bezeichnet)\s+\w+(?:\s+(?:genau|eigentlich|denn|(?:bei|in|hier)\s+\w+))*\s+(?:unter|mit|als)\s+{_T}",
    rf"{_WAS_IST}\s+(?:mit\s+(?P<term>.+?)\s+gemeint|unter\s+(?P<term2>.+?)\s+zu\s+verstehen)",
    rf"was\s+wird\s+(?:unter|mit)\s+{_T}\s+(?:verstanden|gemeint|bezeichnet)",
    r"was\s+(?:man\s+unter\s+(?P<term>.+?)\s+versteht|mit\s+(?P<term2>.+?)\s+gemeint\s+ist)",
    rf"was\s+(?:(?:genau|eigentlich)\s+)*unter\s+{_T}\s+(?:zu\s+verstehen\s+ist|verstanden\s+wird)",
    rf"(?:{_WAS_IST}|wie\s+lautet)\s+{_DEF_DE}\s+(?:von|f\u00fcr|des|der|eines|einer)\s+{_T}",
    rf"(?:(?:gib|nenne?|zeige?|suche?)\s+{_TO_DE})?{_DEF_DE}\s+(?:von|f\u00fcr|des|der|eines|einer)\s+{_T}(?:\s+(?:geben|nennen|sagen|haben))?",
    r"(?:wof\u00fcr|f\u00fcr\s+was)\s+(?:(?:steht|stehen)\s+(?P<term>.+?)|(?P<term2>.+?)\s+(?:steht|stehen))",
    rf"wie\s+(?:definiert|definieren|definierst)\s+(?:man|wir|du|sie|ihr)\s+{_T}",
    r"wie\s+(?:(?:ist|wird|sind|werden)\s+(?P<term>.+?)\s+definiert|(?P<term2>.+?)\s+definiert\s+(?:ist|wird))",
    rf"definiere?:?\s+{_TO_DE}{_T}",
    rf"(?:erkl\u00e4re?|erl\u00e4utere?|(?:erkl\u00e4ren|erl\u00e4utern)\s+sie)\s+{_TO_DE}(?:den\s+begriff|das\s+konzept(?:\s+von)?|das\s+wort|die\s+abk\u00fcrzung)\s+{_T}",
    rf"(?:den\s+begriff|das\s+wort|die\s+abk\u00fcrzung)\s+{_T}\s+(?:erkl\u00e4ren|erl\u00e4utern|definieren)",
    rf"was\s+{_T}\s+(?:bedeutet|bedeuten|hei\u00dft|hei\u00dfen)",
    rf"was\s+(?:soll|darf|muss|kann|habe|hat)\s+(?:ich|man|wir)\s+(?:(?:mir|sich|uns)\s+)?(?:unter|bei|mit)\s+{_T}\s+(?:vorstellen|verstehen|zu\s+verstehen)",
    rf"(?:wof\u00fcr|wovon)\s+ist\s+{_T}\s+(?:die|eine|das)\s+(?:abk\u00fcrzung|k\u00fcrzel)|was\s+soll\s+{_T2}\s+(?:hei\u00dfen|bedeuten)",
    rf"(?:meaning|definition|betekenis|definitie|bedeutung|(?:begriffs|wort)(?:erkl\u00e4rung|bestimmung)|begripsomschrijving|woordverklaring):?\s+{_T}",
)
"""Forms that ask for a meaning in so many words."""

COPULA: Final = compile_all(
    rf"{_WHAT}{_IS}\s+{_T}\s+supposed\s+to\s+be|was\s+soll\s+{_T2}\s+sein",
    rf"(?:who\s+or\s+)?{_WHAT}{_IS}\s+{_T}",
    rf"what\s+(?:kind|sort|type)\s+of\s+\w+\s+is\s+(?P<term>(?:an?\s|[{QUOTES}]).+?)",
    rf"{_WHAT}\s+{_T}\s+(?:is|are)",
    rf"(?:wie\s+of\s+)?{_WAT_IS}\s+{_T}",
    rf"wat\s+{_T}\s+(?:is|zijn)",
    rf"(?:wer\s+oder\s+)?{_WAS_IST}\s+{_T}",
    rf"was\s+{_T}\s+(?:ist|sind)",
)
"""'What is X': a meaning, unless X shows that it asks for something else (NOT_A_TERM)."""

EXPLAIN: Final = compile_all(
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
    r"^(?:exactly|actually|really|precies|eigenlijk|nou|dan|eigentlich|genau|denn)\s+(?=\S)"
    r"|(?<=\S)(?:\s+(?:exactly|actually|really|precisely|eens|even|precies|eigenlijk|nou|nu|dan|toch|nog|eigentlich|genau|denn|mal|noch))+$",
    re.IGNORECASE,
)
QUOTED: Final = re.compile(rf"[{QUOTES}][^{QUOTES}]+[{QUOTES}]")

PREPOSITIONS = r"(?<![\w-])(?:for|in|on|between|about|to|at|from|with|when|during|behind|under|by|after|before|within|via|per|if|that|which|who|where|as|voor|op|over|tussen|bij|om|met|aan|uit|naar|binnen|tijdens|na|onder|door|als|volgens|waarmee|waarop|f\u00fcr|vom|zwischen|\u00fcber|bei|beim|zum|zur|im|am|mit|auf|aus|nach|unter|durch|w\u00e4hrend|laut)(?![\w-])"
OF = r"(?<![\w-])(?:of|van|von|des|der)(?![\w-])"
_PROPERTIES = (
    r"(?:approach|role|purpose|goal|aim|scope|reason|cause|impact|effect|benefit|advantage|disadvantage|drawback|downside|cost|price|deadline|strategy|owner|example|step|requirement|rule|option|alternative|consequence|implication|type|kind|part|component|responsibilit(?:y|ie)|risk|difference|status|name|number|limit|experience)s?|rol|doel|reden(?:en)?|gevolg(?:en)?|voordel?e?e?l?en|voordeel|nadeel|nadelen|kosten|prijs|stappen|eisen|regels|opties|alternatieven|voorbeeld(?:en)?|soorten|onderdelen|taak|taken|risico'?s|verschil(?:len)?"
    r"|rolle|zweck|ziele?|grund|gr\u00fcnde|folgen|vorteile?|nachteile?|kosten|preis|schritte|anforderungen|regeln|optionen|alternativen|beispiele?|arten|bestandteile|aufgaben?|risiken|unterschiede?"
)
NOT_A_TERM: Final = compile_all(
    r"(?:our|my|your|their|its|his|her|ons|onze|mijn|jouw|jullie|uw|hun|unser\w*|mein\w*|dein\w*|ihre?\w?)\s+.*",
    # the property of something
    rf"(?:the|teh|this|that|these|those|de|het|der|die|das|dem|den)\s+.*(?:{PREPOSITIONS}|{OF}).*",
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
    r".*(?<![\w-])(?:should|must|(?-i:can)|could|will|would|do|does|did|is|are|was|were|has|have|that|which|who|called|moet|moeten|kan|kunnen|mag|mogen|wordt|worden|heet|kann|k\u00f6nn(?:en|te\w*)|soll|muss|darf|wird|werden|hat|haben)(?![\w-]).*",
    r".*(?<![\w-])(?:and|or|en|of|und|oder)\s+(?:how|why|when|what|which|who|where|hoe|waarom|wanneer|wat|welke|wie|waar|warum|wann|was|welche|wo)(?![\w-]).*",
    r".*\b(?:versus|vs\.?|compared|opposed|instead|vergeleken|ten\s+opzichte|verglichen|im\s+vergleich)\b.*",
    r"(?:we|you|they|i|he|she|people|everyone|everybody|somebody|someone|wij|wir)\s+.*|.*\s(?:doing|using|saying|planning|going|trying|making|thinking)\b.*|.*\s(?:om\s+te|zu)\s+\w+en",
    r".*\s(?:allowed|permitted|supposed|expected|required|obliged)\s+to\s+\w.*",
    rf".*{PREPOSITIONS}\s+(?:the|our|this|your|de|het|onze|deze|der|die|das|dem|den|uns\w*|dies\w*)\s.*",
    r".*[?!;].*\w.*",
)
MAYBE_A_TERM: Final = re.compile(
    rf"(?:the|de|het|der|die|das)\s+(?!(?:{_PROPERTIES})\b)(?:(?!{PREPOSITIONS})[\w-]+\s+)+(?:of|van|von)(?:\s+(?!(?:an?|the|our|this|these|een|de|het|onze|eine?[rms]?|de[rnms]|die|das)\b|{PREPOSITIONS})[\w-]+)+",
    re.IGNORECASE,
)
"""'The rate of change of frequency' may be a term, or a property of something."""

NOT_EXPLICIT: Final = compile_all(
    r"(?:what|which|who|how|why|when|where|wat|welke?|wie|hoe|waarom|was|welche\w*|warum|wann)\s.*",
    r".*(?<![\w-])(?:i|we|they|ik|wij|ich|wir|is|are|were|has|have|had|said|heard|mentioned)(?![\w-]).*",
    r"(?:this|that|these|those|all|hier|our|ons|onze|unser\w*|your|my|his|her|their|deze|dit|jouw|je|uw|jullie|mijn|diese\w*|dein\w*|mein\w*)\s+.*",
    rf"(?:the|de|het|der|die|das)\s+.*(?:{PREPOSITIONS}|\b(?:of|van|von)\s+(?:the|our|this|de|het|onze|der|dem)\b).*",
    r".*\s(?:voor|f\u00fcr|for\s+(?:the|this|our|an?))\s.*",
    r".*(?<![\w-])(?:and|or|en|of|und|oder)\s+(?:how|why|when|what|which|hoe|waarom|waarvoor|waar|wanneer|wat|welke|warum|wann|was|welche|wof\u00fcr|wie|wer)(?![\w-]).*",
    r".*[?!]\s+\w.*",
    rf"(?:the|het|de|der|die|das|dem|den)\s+{_NAMES_A_TERM}|begriffs|wortes|ausdrucks",
)
"""What is no term even where a meaning is asked for: 'What does the lamp on the meter mean?'"""
_PLACED = r"(?:the|our|your|my|their|this|these|de|het|onze?|jullie|uw|deze|dit|der|die|das|dem|den|unser\w*|eure\w*|dies\w*)"
PLACED: Final = compile_all(
    r"(?P<term>\S.*?)\s+(?:richting|towards?|tegenover|gegen\u00fcber|vis-\u00e0-vis|jegens|inside|within|binnen|innerhalb|rondom|during|tijdens|w\u00e4hrend)\s+\S.*",
    rf"(?P<term>\S.*?)\s+(?:in|on|at|op|bij|naar|auf|bei)\s+{_PLACED}\s+\S.*",
    r"(?P<term>\S.*?)\s+(?:im|beim|am|vom)\s+\S.*",
)
"""'An operating constraint towards the market': the term, and where or for whom it holds."""
BOUND: Final = re.compile(
    rf"\s(?:of|by|with|from|to|under|among|van|aan|met|onder|von|mit|an|nach|unter)\s+{_PLACED}\s",
    re.IGNORECASE,
)
"""'Access to our systems' is more than access, and hardly a term."""
QUOTED_INSIDE: Final = re.compile(
    rf"(?P<this>(?:this|that|these|those|such\s+an?|dat|die|dit|deze|zo'n|dies\w*|jene\w*)\s+)?(?:(?:an?|the|een|de|het|eine?\w?|der|das|dem|den)\s+)?(?:(?:so-called|zogenaamde|zogeheten|sogenannte\w?)\s+)?[{QUOTES}](?P<term>[^{QUOTES}]+)[{QUOTES}](?P<more>\s+(?!(?:and|or|en|of|und|oder|versus|vs)\b)\S.*)?",
    re.IGNORECASE,
)
"""'That "need to share" with us': what is quoted is the term."""
PRONOUNS: Final = frozenset(
    "it this that these those they them you he she we up one mine ours yours yourself us everything all why how het dit dat deze die jij u hij zij es das dies du sie i".split()
)

SORT: Final = re.compile(
    r"(?P<term>\S.*?)(?:\s+|-)(?:rule|attack|principle|criterion|concept|standard|protocol|method|approach|technique|pattern|system|process|thing|regel|aanval|principe|beginsel|criterium|norm|protocol|methode|aanpak|techniek|patroon|angriff|prinzip|kriterium|verfahren|methode|ansatz|muster)s?",
    re.IGNORECASE,
)
"""A term with the noun that says what sort of thing it is: 'the N-1 rule'."""

# --- of a term that was named before -------------------------------------------------------------

_IT = r"(?:it|that|this|these|those|dat|het|dit|deze|die|das|es|dies)"
_THE_TERM = rf"(?:the|that|this|het|de|dat|dit|die|deze|der|das|dem|den|des|dieser|dieses)\s+{_NAMES_A_TERM}"
_SHORTLY = r"(?:(?:simply|briefly|shortly|quickly|just|kort|simpel|eenvoudig|even|eens|kurz|einfach|verst\u00e4ndlich|mal|eben)\s+){0,8}"
_PEOPLE = rf"(?:(?:can|could|would|will|kan|kun|kunt|kunnen|zou|wil|kann|kannst|k\u00f6nn\w+|jemand|iemand|anyone|anybody|someone|somebody|you|u|je|jij|jullie|du|sie|ihr|me|us|mij|ons|mir|uns|to|please|bitte|{_IT})\s+){{0,8}}"
_REQUEST = r"(?:(?:i|we|ik|wij|ich|wir|please|graag|bitte|gerne?|um|give|geef|gib|need|want|would|could|can|may|like|love|get|have|wil|zou|mag|kan|zoek|heb|m\u00f6chte|h\u00e4tte|brauche|suche|appreciate|welcome|some|me|us|mij|ons|mir|uns|with|for|met|mit|even|eens)\s+){0,8}"
_EXPLAIN = r"(?:explain(?:ed)?|clarify|clarified|uitgelegd|uitleggen|toelichten|toegelicht|verduidelijken|erkl\u00e4rt|erkl\u00e4ren|erkl\u00e4re|erl\u00e4utern|erl\u00e4utert)"
_TO_ME = rf"(?:\s+(?:{_IT}|me|us|mij|ons|mir|uns|mal|bitte|eens|even|kurz|einfach|kort|simpel|simply|briefly|please)){{0,8}}"
OF_A_TERM: Final = compile_all(
    rf"what\s+(?:should|must|can|may|do|am)\s+\w+\s+(?:to\s+)?(?:understand|imagine|picture)\s+(?:by|under|with)\s+{_IT}",
    r"wat\s+(?:moet|kan|mag|dien)\s+(?:ik|je|men|we|wij)\s+(?:(?:me|mij|je|ons)\s+)?(?:daar\s?(?:bij|onder)|hier\s?(?:bij|onder))\s+(?:voorstellen|verstaan)",
    r"was\s+(?:soll|muss|darf|kann|habe|hat)\s+(?:ich|man|wir)\s+(?:(?:mir|sich|uns)\s+)?(?:darunter|dabei|damit)\s+(?:vorstellen|verstehen|zu\s+verstehen)",
    r"(?:(?:kurze|eine)\s+)*(?:begriffs|wort)(?:erkl\u00e4rung|bestimmung)|(?:(?:korte|een)\s+)*(?:begripsomschrijving|woordverklaring)",
    rf"(?:(?:what(?:'s|\u2019s|\s+is)|wat\s+is|was\s+ist)\s+)?(?:{_DEF}|{_DEF_NL}|{_DEF_DE})\s+(?:(?:of|for|van|voor|von)\s+)?{_THE_TERM}",
    r"what\s+do\s+(?:these|those|the)\s+(?:letters|initials)\s+(?:mean|stand\s+for)|waar\s+staan\s+(?:die|deze|de)\s+letters\s+voor|wof\u00fcr\s+stehen\s+(?:die|diese)\s+buchstaben",
    r"(?:(?:the|its)\s+)?(?:full|long)\s+form|(?:what\s+is\s+(?:it|that)\s+)?in\s+full|(?:wat\s+is\s+(?:dat|het)\s+)?voluit|(?:was\s+ist\s+das\s+)?ausgeschrieben",
    rf"what\s+do(?:es)?\s+\w+(?:\s+\w+)?\s+mean\s+(?:when|if)\s+\w+\s+(?:say|use)s?\s+{_IT}|wat\s+bedoel\w*\s+\w+(?:\s+\w+)?\s+als\s+\w+\s+{_IT}\s+zeg\w*",
    rf"what\s+does\s+{_THE_TERM}\s+(?:mean|stand\s+for)|(?:wat\s+betekent|was\s+(?:bedeutet|hei\u00dft))\s+{_THE_TERM}|(?:waar\s+staat\s+{_THE_TERM}\s+voor|wof\u00fcr\s+steht\s+{_THE_TERM})",
    rf"(?:what(?:'s|\u2019s|\s+is|\s+are)\s+(?:meant|understood)\s+(?:by|with)|wat\s+(?:is|wordt)\s+(?:bedoeld\s+met|verstaan\s+onder)|was\s+(?:ist|wird)\s+(?:mit|unter))\s+{_THE_TERM}(?:\s+(?:gemeint|verstanden|zu\s+verstehen))?",
)
"""Cues that only a term can be meant by: 'Meaning of the word?'."""
WHAT_IT_IS: Final = compile_all(
    rf"what\s+(?:\w+\s+)?\w+\s+(?:means?|meant)\s+(?:by|with)\s+{_IT}|wat\s+(?:\w+\s+)?\w+\s+(?:daar|hier)mee\s+bedoel\w*|was\s+(?:\w+\s+)?\w+\s+damit\s+(?:mein\w*|sag\w*(?:\s+will)?)",
    r"(?:meaning|betekent|hei\u00dft|bedeutet)\s+(?:what|wat|was)(?:\s*,?\s*(?:exactly|precies|genau))?",
    rf"what\s+{_IT}\s+(?:was|were)|what\s+(?:kind|sort|type)\s+of\s+(?:an?\s+)?\w+\s+{_IT}\s+(?:is|was|are|were)"
    rf"|wat\s+{_IT}\s+(?:was|waren)|wat\s+{_IT}\s+voor\s+(?:een\s+)?\w+\s+(?:is|was|zijn|waren)|wat\s+voor\s+(?:een\s+)?\w+\s+{_IT}\s+(?:is|was|zijn|waren)"
    rf"|was\s+{_IT}\s+f\u00fcr\s+(?:ein\w*\s+)?\w+\s+(?:ist|war|sind|waren)|was\s+f\u00fcr\s+(?:ein\w*\s+)?\w+\s+{_IT}\s+(?:ist|war|sind|waren)",
    rf"what\s+{_IT}\s+(?:is|are|means?|stands?\s+for)|wat\s+{_IT}\s+(?:is|zijn|betekent|inhoudt)|waar\s+{_IT}\s+voor\s+staat|was\s+{_IT}\s+(?:ist|sind|bedeutet|hei\u00dft)|wof\u00fcr\s+{_IT}\s+steht",
)
"""'(Can somebody tell me) what that is': a cue in another's clause."""
EXPLAINED: Final = compile_all(
    rf"{_REQUEST}{EXPLANATION}(?:\s+(?:(?:of|for|van|von|zu)\s+{_IT}|hiervan|daarvan|hierbij|davon|dazu))?(?:\s+(?:needed|wanted|required|welcome|gewenst|gevraagd|nodig|erw\u00fcnscht|gesucht|gew\u00fcnscht))?",
    rf"{_PEOPLE}{_SHORTLY}{_PEOPLE}{_SHORTLY}{_EXPLAIN}(?:\s+{_IT})?(?:\s+(?:simply|briefly|quickly|to\s+me))?",
    r"(?:begrip|begriff|term|woord|wort)\s+(?:(?:graag|even|kort|svp|aub|bitte|kurz|mal)\s+)*(?:uitleggen|toelichten|verduidelijken|erkl\u00e4ren|erl\u00e4utern)",
    rf"(?:explain|describe|erkl\u00e4re?|beschreibe?|leg{_TO_ME}\s+uit|omschrijf|beschrijf){_TO_ME}",
)
"""Cues for an explanation: of a term, or of what documents say."""
CALLS_IT: Final = re.compile(
    r"\b(?:(?:call(?:s|ed)|nam(?:es|ed)|label(?:s|led)|noem(?:t|en|de|den)|nannten?|nennt|nennen)\s+(?:it|this|that|these|those|het|dit|dat|es|das|dies)|(?:what|wat|was)\s+(?:\w+\s+)?\w+\s+(?:calls?|noem(?:t|en|de|den)|nenn(?:t|en)|nannten?)"
    r"|(?:describ(?:es|ed)|omschr(?:ijft|eef)|bezeichne(?:t|te))\s+(?:it|this|that|het|dit|dat|es|das|dies)\s+(?:as|als))\s+",
    re.IGNORECASE,
)
"""'He called it the EAN code': somebody used the term."""
