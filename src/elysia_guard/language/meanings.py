"""The forms in which people ask what a term means, in English, Dutch and German."""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.language.phrases import spoken


def compile_all(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Compile patterns, without regard to case."""
    return tuple(re.compile(spoken(pattern), re.IGNORECASE) for pattern in patterns)


QUOTES = "\"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_S = r"('s|s)"
_T, _T2 = r"(?P<term>.+?)", r"(?P<term2>.+?)"

_WHAT = r"what( (exactly|precisely|actually|the heck|the hell|on earth))?"
_IS = rf"({_S}| (is|si|iss|are))( (exactly|actually|really|precisely|basically))?"
_DEF = (
    r"((the|teh|an?|any|your|our) )?((exact|official|correct|formal|precise|short|proper"
    r"|agreed|common|shared) )?(meaning|definition|full form|long form)"
)
_WAT_IS = (
    r"wat( precies)? (is|si|zijn)( (nu|nou|dan|toch|eigenlijk|precies|ook al\s?weer"
    r"|(ook )?weer|dat\s*[:,]))*"
)
_DEF_NL = (
    r"((de|een|jullie|onze) )?((exacte|officiële|juiste|precieze) )?(betekenis|definitie"
    r"|omschrijving)"
)
_WAS_IST = (
    r"was( (genau|eigentlich))? "
    r"(ist|sind|its)( (eigentlich|genau|denn|nun|nochmal|noch mal|überhaupt|bitte"
    r"|das\s*[:,]))*"
)
_DEF_DE = (
    r"((die|eine|der) )?((genaue|offizielle|exakte) )?(bedeutung|definition"
    r"|begriffsbestimmung)"
)
ANY_DEFINITION = (
    rf"({_DEF}|{_DEF_NL}|{_DEF_DE}) (of|for|behind|van|voor|von|für|des|der|eines|einer)\b"
)
_TO_DE = r"((mir|uns|bitte|mal|kurz|doch) )*"

_SURELY_A_LABEL = r"(abbreviation|acronym|afkorting|begrip|begriffs?|abkürzung|kürzel|akronym)"
_NAMES_A_TERM = (
    r"(term|word|phrase|expression|woord(je)?|uitdrukking|kreet|wort(es)?|ausdrucks?"
    rf"|{_SURELY_A_LABEL})"
)
EXPLANATION = (
    r"((an?|any|the|some|een|de|eine?|die) )?((short|brief|quick|simple|clear|plain|little"
    r"|korte?|simpele?|eenvoudige?|duidelijke?|snelle?|kleine?|kurze?|einfache?|knappe?"
    r"|verständliche?) )*(explanation|clarification|explainer|uitleg|toelichting"
    r"|verduidelijking|erklärung|erläuterung)"
)
LABEL: Final = re.compile(
    spoken(
        r"^((the|this|an?|de|het|der|die|das|den|dem) "
        r"(term|word|phrase|expression|concept( of)?|notion( of)?|abbreviation|acronym"
        r"|afkorting|begrip|woord|concept|uitdrukking|begriff|wort|ausdruck|konzept( von)?"
        r"|abkürzung|kürzel|akronym)|des (begriffs|wortes|ausdrucks)|term|abbreviation|acronym"
        r"|afkorting|begrip|begriffs?|wortes|ausdrucks|abkürzung) (?=\S)"
    ),
    re.IGNORECASE,
)
"""'The term X': what is asked for is X."""
NAMED: Final = compile_all(
    (
        rf"((the|this|de|het|die|deze|dit|der|das|den|dem|dieser) {_NAMES_A_TERM}"
        rf"|{_SURELY_A_LABEL})\s*:? {_T}"
    ),
)
"""'The term X' and no more: its meaning is asked for."""
NAMED_PERHAPS: Final = compile_all(
    (
        r"(term|word|woord|wort|((the|het|das) )?(concept|notion|konzept) (of|van|von))\s*:? "
        rf"{_T}"
    ),
    (
        rf"{EXPLANATION}( (of|for|about|on|van|over|bij|von|zu|zum|zur|für|der|des))?:? "
        r"(?P<term>\S+( \S+){0,2})"
    ),
    r"was meint (?P<term>\S+( \S+)?)",
)
"""'Term X', 'explanation of X': a meaning, or what documents say of it."""
NO_NAME: Final = re.compile(
    spoken(r"(of|van|von|list|lists|lijst|liste|glossary|overview|policy|rules?)\b.*"),
    re.IGNORECASE,
)

TERMINOLOGY: Final = compile_all(
    # English
    rf"{_WHAT}{_IS} (meant|understood|implied) (by|with) {_T}",
    rf"{_WHAT}{_IS} {_DEF} (of|for|behind) {_T}",
    rf"{_WHAT}{_IS} {_T} (short for|an (abbreviation|acronym) (of|for))",
    rf"{_WHAT} do(es|se)? {_T} (means?|meen|maen|stands? for|denote|signify|refer to)",
    rf"{_WHAT} do(es)? it mean to be {_T}",
    rf"{_WHAT} {_T} (means?|stands? for|denotes?|refers? to)",
    rf"what do(es)? \w+ (mean|understand) (by|with|under) {_T}",
    rf"what means? {_T}",
    rf"{_WHAT} {_DEF} (of|for) {_T} is",
    r"how ((is|are) (?P<term>.+?) defined|(?P<term2>.+?) (is|are) defined)",
    rf"how (do|does|would|should|can|could) (we|you|i|one|people) define {_T}",
    rf"(defin(e|ing)|explain {_DEF} of):? {_T}",
    rf"((give|giving|provide|find|look up|state|show) ((me|us) )?)?{_DEF} (of|for) {_T}",
    rf"(cim|skosmos|vocabulary) term:? {_T}",
    (
        r"(explain(ing)?|describe|clarify|look up|find|search for) "
        r"(to (me|us) )?(the )?(term|word|phrase|concept( of)?|notion of|abbreviation|acronym) "
        rf"{_T}"
    ),
    rf"{_T}\s*[:,\u2013-]? (meaning|definition|betekenis|definitie|bedeutung)",
    rf"what('s|s) {_T} (mean|stand for)",
    rf"{_WHAT}{_IS} {_T} supposed to (mean|stand for|signify)",
    (
        r"what (should|am|do|must|can|may) \w+ (to )?(understand|picture|imagine) "
        rf"(by|under|with) {_T}"
    ),
    (
        rf"{_T} (is|are|means?|stands? for|betekent|bedeutet|heißt|ist|sind|zijn) (what|wat|was)"
        rf"|{_T2}\s*="
    ),
    (
        rf"{EXPLANATION} ((of|on|van|over|bij|op|von|zu) "
        rf")?((the|de|het|der|die|das|den|dem|des|zum|zur) )?{_NAMES_A_TERM} {_T}"
    ),
    rf"(can|could|may) {_DEF} (of|for) {_T} be (given|shared|provided|explained|sent)",
    (
        r"what (we|you|they|people|\w+ \w+) "
        rf"((all|actually|exactly) )*(mean|means|understand|understands) (by|with|under) {_T}"
    ),
    # Dutch
    (
        r"wat (moet|kan|mag|dien) (ik|je|men|we|wij) "
        rf"((me|mij|je|ons) )?((verstaan|begrijpen) onder|voorstellen bij) {_T}"
    ),
    (
        r"wat (moet|kan|mag|dien) (ik|je|men|we|wij) "
        r"((me|mij|je|ons) )?(onder (?P<term>.+?) verstaan|bij (?P<term2>.+?) voorstellen)"
    ),
    rf"(waar|waarvan) is {_T} (een|de) afkorting( (van|voor))?|wat wil {_T2} zeggen",
    rf"wat (betekent|betekenen|beteken)( (precies|eigenlijk|dan|nou))? {_T}",
    rf"wat (houdt|houd|houden) {_T}( (precies|eigenlijk))? in",
    (
        r"wat (verstaa?n?t?|versta|bedoel(t|en)?) \w+( (precies|eigenlijk|hier|(bij|in) \w+))* "
        rf"(onder|met) {_T}"
    ),
    (
        r"wat wordt? (er )?(precies )?((verstaan onder|bedoeld met) (?P<term>.+?)"
        r"|(onder|met) (?P<term2>.+?) (verstaan|bedoeld))"
    ),
    (
        rf"wat ((er|precies|eigenlijk|nu) )*(onder|met) {_T} "
        r"((verstaan|bedoeld) (wordt|is)|wordt (verstaan|bedoeld))"
    ),
    rf"({_WAT_IS}|hoe luidt) {_DEF_NL} (van|voor) {_T}",
    rf"wat {_DEF_NL} van {_T} is",
    (
        rf"((geef|zoek|noem|toon) ((me|mij|ons|eens|even|op) )*)?{_DEF_NL} (van|voor) "
        rf"{_T}( (geven|op|uitleggen|opzoeken|noemen|hebben))?"
    ),
    r"(waar (staat|staan) (?P<term>.+?) voor|waarvoor (staat|staan) (?P<term2>.+?))",
    r"(waar (?P<term>.+?) voor staat|waarvoor (?P<term2>.+?) staat)",
    (
        r"hoe (definieert?|definiëren|definieren|omschrijf|omschrijven|omschrijft) "
        rf"(je|jij|we|wij|men|u|jullie) {_T}"
    ),
    (
        r"hoe ((wordt|is|zijn|worden) (?P<term>.+?) (gedefinieerd|omschreven)"
        r"|(?P<term2>.+?) (gedefinieerd|omschreven) (is|wordt))"
    ),
    (
        rf"definieer:? {_T}|(omschrijf|verklaar) (de term|de afkorting|het begrip|het woord) "
        r"(?P<term2>.+?)"
    ),
    (
        r"(leg )?((me|mij|ons|eens|even) )*(de term|de afkorting|het begrip|het woord"
        rf"|het concept) {_T} (uit|uitleggen|toelichten|definiëren)"
    ),
    rf"wat {_T} (betekent|betekenen|beteken|inhoudt|inhouden|voorstelt)",
    (
        r"wat (je|jij|jullie|we|wij|ze|zij|men|u|\w+ \w+) "
        rf"((precies|eigenlijk|hier) )*(onder|met) {_T} (versta(at|an)|bedoel(t|en))"
    ),
    # German
    (
        rf"was (man|wir|sie|ihr|die \w+) ((genau|eigentlich|hier) )*(unter|mit) {_T} "
        r"(versteh(t|en)|mein(t|en))"
    ),
    rf"was (bedeutet|bedeuten|heißt|heißen|bezeichnet)( (eigentlich|genau|denn))? {_T}",
    (
        r"was (versteht|verstehen|verstehst|meint|meinen|meinst|bezeichnet) "
        rf"\w+( (genau|eigentlich|denn|(bei|in|hier) \w+))* (unter|mit|als) {_T}"
    ),
    rf"{_WAS_IST} (mit (?P<term>.+?) gemeint|unter (?P<term2>.+?) zu verstehen)",
    rf"was wird (unter|mit) {_T} (verstanden|gemeint|bezeichnet)",
    r"was (man unter (?P<term>.+?) versteht|mit (?P<term2>.+?) gemeint ist)",
    rf"was ((genau|eigentlich) )*unter {_T} (zu verstehen ist|verstanden wird)",
    rf"({_WAS_IST}|wie lautet) {_DEF_DE} (von|für|des|der|eines|einer) {_T}",
    (
        rf"((gib|nenne?|zeige?|suche?) {_TO_DE})?{_DEF_DE} (von|für|des|der|eines|einer) "
        rf"{_T}( (geben|nennen|sagen|haben))?"
    ),
    r"(wofür|für was) ((steht|stehen) (?P<term>.+?)|(?P<term2>.+?) (steht|stehen))",
    rf"wie (definiert|definieren|definierst) (man|wir|du|sie|ihr) {_T}",
    (
        r"wie ((ist|wird|sind|werden) (?P<term>.+?) definiert|(?P<term2>.+?) definiert "
        r"(ist|wird))"
    ),
    rf"definiere?:? {_TO_DE}{_T}",
    (
        r"(erkläre?|erläutere?|(erklären|erläutern) sie) "
        rf"{_TO_DE}(den begriff|das konzept( von)?|das wort|die abkürzung) {_T}"
    ),
    rf"(den begriff|das wort|die abkürzung) {_T} (erklären|erläutern|definieren)",
    rf"was {_T} (bedeutet|bedeuten|heißt|heißen)",
    (
        r"was (soll|darf|muss|kann|habe|hat) (ich|man|wir) ((mir|sich|uns) )?(unter|bei|mit) "
        rf"{_T} (vorstellen|verstehen|zu verstehen)"
    ),
    (
        rf"(wofür|wovon) ist {_T} (die|eine|das) (abkürzung|kürzel)"
        rf"|was soll {_T2} (heißen|bedeuten)"
    ),
    (
        r"(meaning|definition|betekenis|definitie|bedeutung"
        rf"|(begriffs|wort)(erklärung|bestimmung)|begripsomschrijving|woordverklaring):? {_T}"
    ),
)
"""Forms that ask for a meaning in so many words."""

COPULA: Final = compile_all(
    rf"{_WHAT}{_IS} {_T} supposed to be|was soll {_T2} sein",
    rf"(who or )?{_WHAT}{_IS} {_T}",
    rf"what (kind|sort|type) of \w+ is (?P<term>(an?\s|[{QUOTES}]).+?)",
    rf"{_WHAT} {_T} (is|are)",
    rf"(wie of )?{_WAT_IS} {_T}",
    rf"wat {_T} (is|zijn)",
    rf"(wer oder )?{_WAS_IST} {_T}",
    rf"was {_T} (ist|sind)",
)
"""'What is X': a meaning, unless X shows that it asks for something else (NOT_A_TERM)."""

EXPLAIN: Final = compile_all(
    r"(explain(ing)?|describe|verklaar|beschrijf) (?P<term>\S+( \S+){0,2})",
    rf"(erkläre?|erläutere?|beschreibe?) {_TO_DE}(?P<term>\S+( \S+){{0,2}})",
    r"leg ((me|mij|ons|eens|even) )*(?P<term>\S+( \S+){0,2}) uit",
    r"(?P<term>\S+( \S+){0,2}) (uitleggen|toelichten|erklären|erläutern)",
)
"""'Explain X': a meaning where X is short and not 'the X'."""

ARTICLES: Final = re.compile(
    spoken(r"^(an?|the|teh|een|de|het|'n|ein|eine|einen|einem|einer|der|die|das|den|dem) "),
    re.IGNORECASE,
)
INDEFINITE: Final = re.compile(spoken(r"^(an?|een|'n|eine?[nmr]?) "), re.IGNORECASE)
DEFINITE: Final = re.compile(spoken(r"^(the|teh|de|het|der|die|das|den|dem) "), re.IGNORECASE)
PLURAL_COPULA: Final = re.compile(
    spoken(r"^(what are|wat zijn|was sind)\b|\s(are|zijn|sind)$"), re.IGNORECASE
)
COPULA_START: Final = re.compile(spoken(r"^(what|who|wat|wie|was|wer)\b"), re.IGNORECASE)
ADVERB: Final = re.compile(
    spoken(
        r"^(exactly|actually|really|precies|eigenlijk|nou|dan|eigentlich|genau|denn) (?=\S)"
        r"|(?<=\S)( (exactly|actually|really|precisely|eens|even|precies|eigenlijk|nou|nu|dan|toch"
        r"|nog|eigentlich|genau|denn|mal|noch))+$"
    ),
    re.IGNORECASE,
)
QUOTED: Final = re.compile(rf"[{QUOTES}][^{QUOTES}]+[{QUOTES}]")

PREPOSITIONS = (
    r"(?<![\w-])(for|in|on|between|about|to|at|from|with|when|during|behind|under|by|after"
    r"|before|within|via|per|if|that|which|who|where|as|voor|op|over|tussen|bij|om|met|aan"
    r"|uit|naar|binnen|tijdens|na|onder|door|als|volgens|waarmee|waarop|für|vom|zwischen"
    r"|über|bei|beim|zum|zur|im|am|mit|auf|aus|nach|unter|durch|während|laut)(?![\w-])"
)
OF = r"(?<![\w-])(of|van|von|des|der)(?![\w-])"
_PROPERTIES = (
    r"(approach|role|purpose|goal|aim|scope|reason|cause|impact|effect|benefit|advantage"
    r"|disadvantage|drawback|downside|cost|price|deadline|strategy|owner|example|step"
    r"|requirement|rule|option|alternative|consequence|implication|type|kind|part|component"
    r"|responsibilit(y|ie)|risk|difference|status|name|number|limit|experience)s?|rol|doel"
    r"|reden(en)?|gevolg(en)?|voordel?e?e?l?en|voordeel|nadeel|nadelen|kosten|prijs|stappen"
    r"|eisen|regels|opties|alternatieven|voorbeeld(en)?|soorten|onderdelen|taak|taken|risico'?s"
    r"|verschil(len)?"
    r"|rolle|zweck|ziele?|grund|gründe|folgen|vorteile?|nachteile?|kosten|preis|schritte"
    r"|anforderungen|regeln|optionen|alternativen|beispiele?|arten|bestandteile|aufgaben?"
    r"|risiken|unterschiede?"
)
NOT_A_TERM: Final = compile_all(
    (
        r"(our|my|your|their|its|his|her|ons|onze|mijn|jouw|jullie|uw|hun|unser\w*|mein\w*"
        r"|dein\w*|ihre?\w?) .*"
    ),
    # the property of something
    rf"(the|teh|this|that|these|those|de|het|der|die|das|dem|den) .*({PREPOSITIONS}|{OF}).*",
    (
        rf"((the|an?|de|het|een|die|der|das|eine?) )?([\w-]+ )?({_PROPERTIES}) "
        r"(of|for|to|in|on|behind|when|between|from|van|voor|om|bij|aan|tussen|met|von|für|der"
        r"|des|bei|an|zwischen|zu)\b.*"
    ),
    (
        r".*\w's (\w+ )?(role|approach|purpose|status|position|view|opinion|strategy|plan|goal"
        r"|owner|name|job|task)s?"
    ),
    (
        r"(the|de|het|der|die|das) (status|reason|plan|problem|issue|point|purpose|goal|deadline"
        r"|password|weather|time|date|answer|question|solution|cost|price|name|number|difference"
        r"|budget|rule|rules|process|procedure|reden|probleem|doel|wachtwoord|weer|tijd|datum"
        r"|antwoord|vraag|oplossing|prijs|naam|verschil|regels?|stand|grund|ziel|zweck|frist"
        r"|passwort|wetter|zeit|antwort|frage|lösung|preis|unterschied|regeln?)"
    ),
    # what is best, latest, good
    (
        r"(the |de |het |der |die |das )?(best|worst|fastest|highest|lowest|shortest|longest"
        r"|smallest|largest|biggest|newest|oldest|cheapest|safest|quickest|latest|right"
        r"|preferred|recommended|current|reason|status|maximum|minimum|most|least amount|default"
        r"|beste|slechtste|snelste|hoogste|laagste|kortste|langste|grootste|kleinste|nieuwste"
        r"|goedkoopste|veiligste|juiste|huidige|maximale?|minimale?|meest\w*|reden|schnellste"
        r"|höchste|niedrigste|kürzeste|längste|größte|kleinste|neueste|günstigste|sicherste"
        r"|richtige|aktuelle|grund)\b(?!-).*"
    ),
    (
        r"(an?|een|eine?n?) (good|better|valid|normal|average|maximum|minimum|suitable|sensible"
        r"|reasonable|acceptable|typical|decent|appropriate|goede?|betere?|geschikte?|redelijke?"
        r"|typische?|gute[rsn]?|bessere[rsn]?|geeignete[rsn]?|sinnvolle[rsn]?)\b.*"
    ),
    # what is decided, what is in it, what is it for
    (
        r"(decided|used|required|needed|allowed|stored|done|said|known|stated|agreed|expected"
        r"|permitted|forbidden|mandatory|being|going|wrong|new|it|this|that|there|happening"
        r"|important|possible|meant)\b(?!-).*"
    ),
    (
        r"(\w{2,}ed|sent|kept|held|written|built|made|shown|given|taken|chosen|found|left|put"
        r"|run|seen|better|worse|different|special|available|correct|missing|unique|similar"
        r"|common|interesting|next|due)( (in|on|by|for|to|with|as|from|at|about|when|during"
        r"|after|before|under|between|than|if|per|here|now|today)\b.*)?"
    ),
    (
        r"(er|besloten|toegestaan|verplicht|nodig|vereist|bekend|afgesproken|dit|dat|hier|daar"
        r"|aan de hand|beter|nieuw|anders|mis|belangrijk|mogelijk|handig|slim|verstandig|zinvol"
        r"|geldig|gepland|vastgelegd|geregeld|veranderd|gewijzigd|gebeurd|verboden|aanbevolen"
        r"|voorgeschreven|opgeslagen)\b(?!-).*"
        r"|ge\w+(d|t|en) (in|op|aan|door|voor|met|bij|naar|over|als|om|uit|tussen|tot|tegen)\b.*"
    ),
    (
        r"(es|das|dies|los|neu|anders|wichtig|möglich|da|hier)|(das|dies|es) (hier|da|für)\b.*"
        r"|(entschieden|erlaubt|erforderlich|vorgeschrieben|geplant|vorgesehen|beschlossen"
        r"|verboten|gefordert|empfohlen|vereinbart|bekannt|passiert|gespeichert|geregelt"
        r"|geändert|festgelegt|zulässig|verpflichtend|gültig|wichtig|nötig|notwendig|besser"
        r"|neu (in|an|bei))\b.*"
    ),
    (
        r"(in|on|at|behind|inside|within|between|for|from|with|by|about|to|op|aan|achter|binnen"
        r"|tussen|voor|uit|met|bij|door|naar|te|volgens|im|am|auf|hinter|zwischen|für|mit|bei"
        r"|beim|vor|nach|aus|von|vom|zu|zum|zur|laut) .*"
    ),
    (
        r"(after|before|under|over|up|down|out|onder|na|unter|über) "
        r"(the|our|an?|this|de|het|een|onze|der|die|das|dem|den|eine?[mnr]?|uns\w*) .*"
    ),
    r".*\s(for|of|about|to|with|from|at|by|like|than|based on|voor|van|over|für|mit|von)",
    # a clause, a comparison, a second question
    (
        r".*(?<![\w-])(should|must|(?-i:can)|could|will|would|do|does|did|is|are|was|were|has"
        r"|have|that|which|who|called|moet|moeten|kan|kunnen|mag|mogen|wordt|worden|heet|kann"
        r"|könn(en|te\w*)|soll|muss|darf|wird|werden|hat|haben)(?![\w-]).*"
    ),
    (
        r".*(?<![\w-])(and|or|en|of|und|oder) "
        r"(how|why|when|what|which|who|where|hoe|waarom|wanneer|wat|welke|wie|waar|warum|wann"
        r"|was|welche|wo)(?![\w-]).*"
    ),
    (
        r".*\b(versus|vs\.?|compared|opposed|instead|vergeleken|ten opzichte|verglichen"
        r"|im vergleich)\b.*"
    ),
    (
        r"(we|you|they|i|he|she|people|everyone|everybody|somebody|someone|wij|wir) .*"
        r"|.*\s(doing|using|saying|planning|going|trying|making|thinking)\b.*"
        r"|.*\s(om te|zu) \w+en"
    ),
    r".*\s(allowed|permitted|supposed|expected|required|obliged) to \w.*",
    (
        rf".*{PREPOSITIONS} (the|our|this|your|de|het|onze|deze|der|die|das|dem|den|uns\w*"
        r"|dies\w*)\s.*"
    ),
    r".*[?!;].*\w.*",
)
MAYBE_A_TERM: Final = re.compile(
    spoken(
        rf"(the|de|het|der|die|das) (?!({_PROPERTIES})\b)((?!{PREPOSITIONS})[\w-]+ )+(of|van"
        r"|von)( (?!(an?|the|our|this|these|een|de|het|onze|eine?[rms]?|de[rnms]|die|das)\b"
        rf"|{PREPOSITIONS})[\w-]+)+"
    ),
    re.IGNORECASE,
)
"""'The rate of change of frequency' may be a term, or a property of something."""

NOT_EXPLICIT: Final = compile_all(
    (
        r"(what|which|who|how|why|when|where|wat|welke?|wie|hoe|waarom|was|welche\w*|warum"
        r"|wann)\s.*"
    ),
    (
        r".*(?<![\w-])(i|we|they|ik|wij|ich|wir|is|are|were|has|have|had|said|heard"
        r"|mentioned)(?![\w-]).*"
    ),
    (
        r"(this|that|these|those|all|hier|our|ons|onze|unser\w*|your|my|his|her|their|deze|dit"
        r"|jouw|je|uw|jullie|mijn|diese\w*|dein\w*|mein\w*) .*"
    ),
    (
        r"(the|de|het|der|die|das) "
        rf".*({PREPOSITIONS}|\b(of|van|von) (the|our|this|de|het|onze|der|dem)\b).*"
    ),
    r".*\s(voor|für|for (the|this|our|an?))\s.*",
    (
        r".*(?<![\w-])(and|or|en|of|und|oder) "
        r"(how|why|when|what|which|hoe|waarom|waarvoor|waar|wanneer|wat|welke|warum|wann|was"
        r"|welche|wofür|wie|wer)(?![\w-]).*"
    ),
    r".*[?!] \w.*",
    rf"(the|het|de|der|die|das|dem|den) {_NAMES_A_TERM}|begriffs|wortes|ausdrucks",
)
"""What is no term even where a meaning is asked for: 'What does the lamp on the meter mean?'"""
_PLACED = (
    r"(the|our|your|my|their|this|these|de|het|onze?|jullie|uw|deze|dit|der|die|das|dem|den"
    r"|unser\w*|eure\w*|dies\w*)"
)
PLACED: Final = compile_all(
    (
        r"(?P<term>\S.*?) (richting|towards?|tegenover|gegenüber|vis-à-vis|jegens|inside|within"
        r"|binnen|innerhalb|rondom|during|tijdens|während) \S.*"
    ),
    rf"(?P<term>\S.*?) (in|on|at|op|bij|naar|auf|bei) {_PLACED} \S.*",
    r"(?P<term>\S.*?) (im|beim|am|vom) \S.*",
)
"""'An operating constraint towards the market': the term, and where or for whom it holds."""
BOUND: Final = re.compile(
    spoken(
        r"\s(of|by|with|from|to|under|among|van|aan|met|onder|von|mit|an|nach|unter) "
        rf"{_PLACED}\s"
    ),
    re.IGNORECASE,
)
"""'Access to our systems' is more than access, and hardly a term."""
QUOTED_INSIDE: Final = re.compile(
    spoken(
        r"(?P<this>(this|that|these|those|such an?|dat|die|dit|deze|zo'n|dies\w*|jene\w*) "
        r")?((an?|the|een|de|het|eine?\w?|der|das|dem|den) "
        r")?((so-called|zogenaamde|zogeheten|sogenannte\w?) "
        rf")?[{QUOTES}](?P<term>[^{QUOTES}]+)[{QUOTES}](?P<more> "
        r"(?!(and|or|en|of|und|oder|versus|vs)\b)\S.*)?"
    ),
    re.IGNORECASE,
)
"""'That "need to share" with us': what is quoted is the term."""
PRONOUNS: Final = frozenset(
    """it this that these those they them you he she we up one mine ours yours yourself us
    everything all why how het dit dat deze die jij u hij zij es das dies du sie i""".split()
)

SORT: Final = re.compile(
    spoken(
        r"(?P<term>\S.*?)( |-)(rule|attack|principle|criterion|concept|standard|protocol"
        r"|method|approach|technique|pattern|system|process|thing|regel|aanval|principe"
        r"|beginsel|criterium|norm|protocol|methode|aanpak|techniek|patroon|angriff|prinzip"
        r"|kriterium|verfahren|methode|ansatz|muster)s?"
    ),
    re.IGNORECASE,
)
"""A term with the noun that says what sort of thing it is: 'the N-1 rule'."""

# --- of a term that was named before -------------------------------------------------------------

_IT = r"(it|that|this|these|those|dat|het|dit|deze|die|das|es|dies)"
_THE_TERM = (
    r"(the|that|this|het|de|dat|dit|die|deze|der|das|dem|den|des|dieser|dieses) "
    rf"{_NAMES_A_TERM}"
)
_SHORTLY = (
    r"((simply|briefly|shortly|quickly|just|kort|simpel|eenvoudig|even|eens|kurz|einfach"
    r"|verständlich|mal|eben) ){0,8}"
)
_PEOPLE = (
    r"((can|could|would|will|kan|kun|kunt|kunnen|zou|wil|kann|kannst|könn\w+|jemand|iemand"
    r"|anyone|anybody|someone|somebody|you|u|je|jij|jullie|du|sie|ihr|me|us|mij|ons|mir|uns"
    rf"|to|please|bitte|{_IT}) ){{0,8}}"
)
_REQUEST = (
    r"((i|we|ik|wij|ich|wir|please|graag|bitte|gerne?|um|give|geef|gib|need|want|would|could"
    r"|can|may|like|love|get|have|wil|zou|mag|kan|zoek|heb|möchte|hätte|brauche|suche"
    r"|appreciate|welcome|some|me|us|mij|ons|mir|uns|with|for|met|mit|even|eens) ){0,8}"
)
_EXPLAIN = (
    r"(explain(ed)?|clarify|clarified|uitgelegd|uitleggen|toelichten|toegelicht"
    r"|verduidelijken|erklärt|erklären|erkläre|erläutern|erläutert)"
)
_TO_ME = (
    rf"( ({_IT}|me|us|mij|ons|mir|uns|mal|bitte|eens|even|kurz|einfach|kort|simpel|simply"
    r"|briefly|please)){0,8}"
)
OF_A_TERM: Final = compile_all(
    (
        r"what (should|must|can|may|do|am) \w+ (to )?(understand|imagine|picture) "
        rf"(by|under|with) {_IT}"
    ),
    (
        r"wat (moet|kan|mag|dien) (ik|je|men|we|wij) "
        r"((me|mij|je|ons) )?(daar\s?(bij|onder)|hier\s?(bij|onder)) (voorstellen|verstaan)"
    ),
    (
        r"was (soll|muss|darf|kann|habe|hat) (ich|man|wir) "
        r"((mir|sich|uns) )?(darunter|dabei|damit) (vorstellen|verstehen|zu verstehen)"
    ),
    (
        r"((kurze|eine) )*(begriffs|wort)(erklärung|bestimmung)"
        r"|((korte|een) )*(begripsomschrijving|woordverklaring)"
    ),
    (
        rf"((what('s| is)|wat is|was ist) )?({_DEF}|{_DEF_NL}|{_DEF_DE}) "
        rf"((of|for|van|voor|von) )?{_THE_TERM}"
    ),
    (
        r"what do (these|those|the) (letters|initials) (mean|stand for)"
        r"|waar staan (die|deze|de) letters voor|wofür stehen (die|diese) buchstaben"
    ),
    (
        r"((the|its) )?(full|long) form|(what is (it|that) )?in full|(wat is (dat|het) )?voluit"
        r"|(was ist das )?ausgeschrieben"
    ),
    (
        rf"what do(es)? \w+( \w+)? mean (when|if) \w+ (say|use)s? {_IT}|wat bedoel\w* \w+( \w+)? "
        rf"als \w+ {_IT} zeg\w*"
    ),
    (
        rf"what does {_THE_TERM} (mean|stand for)|(wat betekent|was (bedeutet|heißt)) {_THE_TERM}"
        rf"|(waar staat {_THE_TERM} voor|wofür steht {_THE_TERM})"
    ),
    (
        r"(what('s| is| are) (meant|understood) (by|with)"
        r"|wat (is|wordt) (bedoeld met|verstaan onder)|was (ist|wird) (mit|unter)) "
        rf"{_THE_TERM}( (gemeint|verstanden|zu verstehen))?"
    ),
)
"""Cues that only a term can be meant by: 'Meaning of the word?'."""
WHAT_IT_IS: Final = compile_all(
    (
        rf"what (\w+ )?\w+ (means?|meant) (by|with) {_IT}|wat (\w+ )?\w+ (daar|hier)mee bedoel\w*"
        r"|was (\w+ )?\w+ damit (mein\w*|sag\w*( will)?)"
    ),
    r"(meaning|betekent|heißt|bedeutet) (what|wat|was)(\s*,?\s*(exactly|precies|genau))?",
    rf"what {_IT} (was|were)|what (kind|sort|type) of (an? )?\w+ {_IT} (is|was|are|were)"
    rf"|wat {_IT} (was|waren)|wat {_IT} voor (een )?\w+ (is|was|zijn|waren)"
    rf"|wat voor (een )?\w+ {_IT} (is|was|zijn|waren)"
    rf"|was {_IT} für (ein\w* )?\w+ (ist|war|sind|waren)|was für (ein\w* )?\w+ {_IT} "
    r"(ist|war|sind|waren)",
    (
        rf"what {_IT} (is|are|means?|stands? for)|wat {_IT} (is|zijn|betekent|inhoudt)"
        rf"|waar {_IT} voor staat|was {_IT} (ist|sind|bedeutet|heißt)|wofür {_IT} steht"
    ),
)
"""'(Can somebody tell me) what that is': a cue in another's clause."""
EXPLAINED: Final = compile_all(
    (
        rf"{_REQUEST}{EXPLANATION}( ((of|for|van|von|zu) {_IT}|hiervan|daarvan|hierbij|davon"
        r"|dazu))?( (needed|wanted|required|welcome|gewenst|gevraagd|nodig|erwünscht|gesucht"
        r"|gewünscht))?"
    ),
    (
        rf"{_PEOPLE}{_SHORTLY}{_PEOPLE}{_SHORTLY}{_EXPLAIN}( {_IT})?( "
        r"(simply|briefly|quickly|to me))?"
    ),
    (
        r"(begrip|begriff|term|woord|wort) "
        r"((graag|even|kort|svp|aub|bitte|kurz|mal) )*(uitleggen|toelichten|verduidelijken"
        r"|erklären|erläutern)"
    ),
    rf"(explain|describe|erkläre?|beschreibe?|leg{_TO_ME} uit|omschrijf|beschrijf){_TO_ME}",
)
"""Cues for an explanation: of a term, or of what documents say."""
CALLS_IT: Final = re.compile(
    spoken(
        r"\b((call(s|ed)|nam(es|ed)|label(s|led)|noem(t|en|de|den)|nannten?|nennt|nennen) "
        r"(it|this|that|these|those|het|dit|dat|es|das|dies)|(what|wat|was) (\w+ )?\w+ "
        r"(calls?|noem(t|en|de|den)|nenn(t|en)|nannten?)"
        r"|(describ(es|ed)|omschr(ijft|eef)|bezeichne(t|te)) "
        r"(it|this|that|het|dit|dat|es|das|dies) (as|als)) "
    ),
    re.IGNORECASE,
)
"""'He called it the EAN code': somebody used the term."""
