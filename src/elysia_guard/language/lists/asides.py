"""What is said beside a question for a list: chatter, and that a list is wanted."""

from __future__ import annotations

import re

from elysia_guard.language import forms
from elysia_guard.language.lists.reading import KINDS, RECORD, phrase
from elysia_guard.language.lists.scopes import scope_of
from elysia_guard.language.wording import core, kinds_named

_ADJECTIVE = r"(?:full|complete|short|whole|quick|entire|volledige?|hele|korte?|ganze|vollst\u00e4ndige|kurze)"
_LIST = rf"(?:(?:the|an?|de|het|een|die|eine|der)\s+)?(?:{_ADJECTIVE}\s+)?(?:list|overview|lijst(?:je)?|overzicht(?:je)?|opsomming|liste|\u00fcbersicht|aufz\u00e4hlung|aufstellung)"
_PLEASE = r"(?:please|pls|thanks(?:\s+in\s+advance)?|thank\s+you|many\s+thanks|cheers|if\s+(?:possible|you\s+can)|graag|alsjeblieft|alstublieft|aub|svp|(?:alvast\s+)?bedankt|(?:alvast\s+)?dank\s*(?:je|u)?(?:\s*wel)?|bij\s+voorbaat\s+dank|als\s+het\s+kan|bitte|(?:vielen\s+|besten\s+)?danke?(?:\s+(?:sch\u00f6n|im\s+voraus|vorab))?|wenn\s+m\u00f6glich)"
_GIVE = r"(?:(?:(?:can|could)\s+you|kun\s+je|kannst\s+du)\s+)?(?:give|show|send|tell|list|name|enumerate|mention|geef|toon|stuur|noem|som|gib|zeige?|nenne?|nennen\s+sie|schicke?|liste|z\u00e4hle?)(?:\s+(?:me|us|mij|ons|mir|uns|dan|maar|even|eens|bitte|please))*"
_WANT = r"(?:i(?:['\u2019]d|\s+would)?\s+(?:want|need|like)(?:\s+to\s+(?:see|have|know))?|ik\s+wil(?:\s+graag)?|ich\s+(?:m\u00f6chte|brauche|h\u00e4tte\s+gerne?))"
_ALL = r"(?:all(?:\s+of\s+(?:them|these|those))?|them(?:\s+all)?|every\s+one(?:\s+of\s+them)?|(?:ze\s+)?allemaal|ze(?:\s+alle)?|die|alle(?:\s+davon)?|alles|sie(?:\s+alle|\s+mir)?)(?:\s+(?:op|auf))?"
_SO = r"(?:(?:and|en|und|or|of|oder)\s+)?(?:(?:if\s+(?:so|yes|there\s+are(?:\s+any)?)|(?:en\s+)?zo\s+ja|wenn\s+ja|falls\s+ja)\s*,?\s*)?"
_NAMES = r"(?:(?:the|their|de|hun|die|deren|ihre)\s+)?(?:names?|titles?|numbers?|ids?|namen|titels?|nummers?|nummern?|kennungen|titeln?)"
_THEIR_NAMES = rf"(?:just\s+|only\s+|alleen\s+|nur\s+|with\s+|met\s+|mit\s+)?{_NAMES}(?:\s+(?:and|or|en|of|und|oder)\s+{_NAMES})?"
_WISH = phrase(
    rf"^\W*{_SO}(?:{_PLEASE}[\s,]+)?(?:(?:{_GIVE}|{_WANT})\s+(?:{_LIST}|{_ALL}|{_THEIR_NAMES})|(?:as\s+|als\s+|in\s+)?{_LIST}|{_ALL}|auflisten|opsommen|aufz\u00e4hlen|enumerate|list\s+them|op\s+een\s+rij(?:tje)?"
    r"|(?:which|what|welke|welche|was)(?:\s+(?:ones|of\s+them|of\s+these))?(?:\s+(?:precies|genau|exactly))?(?:\s+(?:are|zijn|sind|is|w\u00e4ren)\s+(?:they|those|these|that|dat|het|die|das|es))?|(?:which|what|welke|welche)\s+(?:ones|dat|das)(?:\s+(?:are|zijn|sind)(?:\s+(?:they|those))?)?"
    rf"|what\s+are\s+they\s+called|what\s+(?:are|is)\s+{_NAMES}|hoe\s+heten\s+(?:ze|die|zij)|wat\s+zijn\s+{_NAMES}|wie\s+hei(?:\u00df|ss)en\s+(?:sie|die|diese)|wie\s+lauten\s+{_NAMES}|was\s+sind\s+{_NAMES}"
    rf"|{_THEIR_NAMES}\s+(?:will\s+do|(?:is|are|would\s+be)\s+(?:enough|fine|sufficient)|suffices?|only|please|(?:is|zijn)\s+(?:genoeg|voldoende)|volsta(?:a?n|at)|gen\u00fcg(?:t|en)|reich(?:t|en)(?:\s+(?:mir|aus))?)|(?:just|only|alleen|nur|with|met|mit)\s+{_THEIR_NAMES})(?:[\s,]+{_PLEASE})*\W*$"
)
"""'Give me the list', 'Graag allemaal', 'and which are those': only that a list is wanted."""
_THANKS = phrase(rf"^\W*{_PLEASE}(?:[\s,]+{_PLEASE})*\W*$")
_OCCASION = r"(?:reports?|audit(?:or)?s?|meetings?|reviews?|presentations?|slides?|deck|workshops?|newsletters?|colleagues?|boss|manager|dossiers?|onboarding|inspections?|memo|committee|steering|session|archive|rapport(?:age)?|jaarverslag|verslag|overleg|vergadering|presentatie|collega|nieuwsbrief|inspectie|notitie|leidinggevende|controle|bericht|jahresbericht|pr\u00fcfung|pr\u00fcfer(?:in)?|besprechung|sitzung|vorstand|kollegin|kollegen|pr\u00e4sentation|einarbeitung|revision)"
_FOR_WHAT = phrase(
    rf"^(?:for|voor|ten\s+behoeve\s+van|f\u00fcr|zur?m?|in\s+preparation\s+(?:of|for)|ahead\s+of|ter\s+voorbereiding\s+(?:op|van))\s+(?:[^\s,;:.?!]{{1,30}}\s+){{0,4}}?[^\s,;:.?!]{{0,25}}{_OCCASION}(?:\s+[^\s,;:.?!]{{1,20}}){{0,4}}\W*$"
)
"""'For the annual report'."""
_STATEMENT = phrase(
    r"^(?:(?:so|and|en|und|want|denn|because|since|as|omdat|weil|da)\s+)?(?:it|this|that|these|they|i|we|my|our|someone|somebody|dit|het|dat|ik|wij|we|mijn|onze|iemand|es|das|dies|ich|wir|mein|unsere?|jemand)(?:['\u2019]\w+)?(?:\s|$)"
    r"|^(?:(?:the|our|my|an?|de|een|onze|mijn|der|die|eine?|unsere?|mein)\s+)?(?:[\w-]+\s+){0,2}?(?:is|are|wants?|needs?|asked|asks|vraagt|vragen|wil|willen|fragt|fragen|will|wollen|braucht|brauchen)\s+(?:asking|to\s+know|to\s+see|waiting|curious|it|this|that|them|for\s+(?:it|this|them)|er\s?om|ernaar|dit|dat|het|ze|weten|danach|das|es|sie|wissen)(?:\s+[\w-]+){0,3}\W*$"
    r"|^(?:just\s+)?(?:an?\s+)?(?:quick|short|small|simple|korte?|snelle?|kleine?|kurze?|schnelle?)\s+(?:one|thing|check|question|vraag(?:je)?|frage|sache|ding(?:etje)?)\W*$"
    r"|^(?:before|while|since|as|when|if|to|because|now\s+that|voordat|voor\s+(?:ik|we)|omdat|nu|als|om|bevor|weil|da|wenn|um|damit|ehe)\s"
)
"""'It's for onboarding a new colleague.': no question and no wish."""
_LIMITS = re.compile(
    r"\b(?:only|except|but|without|not|those|ones|other\s+than|skip|omit|ignore|looking\s+for|(?:need|want)(?!\s+to\s+know)|alleen|behalve|zonder|niet|geen|degene|zoek|wil(?:len)?\s+(?!weten)|nodig|nur|au\u00dfer|ohne|nicht|keine?|diejenigen|suche|brauche|m\u00f6chte)\b",
    re.IGNORECASE,
)
"""A statement with one of these may say which documents are meant."""
_SUBJECT = re.compile(
    r"\b(?:about|on|over|regarding|concerning|rond|\u00fcber|zum?r?|with|met|mit|(?:arbeite\w*|werk\w*|schreib\w*|schrijf\w*)\s+(?:\w+\s+)?(?:an|aan))\s",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"\b(?:all|every|complete|full|entire|alle|elke|ieder|volledige?|s\u00e4mtliche\w*|jede\w*|gesamte\w*)\b",
    re.IGNORECASE,
)
_NEED = r"(?:(?:zoeken?|suchen?|brauchen?|ben\u00f6tigen?)\s+(?:ik|wij|we|ich|wir)|(?:muss|m\u00f6chte|will|m\u00fcssen|wollen|wil|moet|willen|moeten)\s+(?:ich|wir|ik|we|wij)\s+(?:(?:graag|eerst|gerne?|zuerst)\s+)*(?:weten|zien|wissen|sehen|erfahren)\s*,?|(?:i|we|ik|wij|ich|wir)\s+(?:(?:would|really|first|just|also|eerst|graag|zuerst|erst)\s+)*(?:need|want|like|have|wil(?:len)?|moet(?:en)?|m\u00f6chten?|muss|m\u00fcssen|will|wollen)\s+(?:(?:to|graag|eerst|gerne?|zuerst)\s+)*(?:know|see|find\s+out|check|hear|weten|zien|wissen|sehen|erfahren)?\s*,?)"
_BEGINS = rf"(?:{_NEED}\s+(?=(?:which|what|how\s+many|welke?|hoeveel|wat|welche\w*|wie\s*viele|all|every|the|our|alle|de|het|die|onze|unsere|s\u00e4mtliche)\b)|(?=(?:which|what|how\s+many|tell|vertel|zeg|sage?|show|list|give|name|find|get|send|could\s+you|can\s+you|please|are\s+there|do\s+we\s+have|welke|hoeveel|geef|toon|noem|stuur|kun\s+je|kunt\s+u|zijn\s+er|graag|welche\w*|wie\s*viele|zeige?n?|nenne?n?|gib|liste|k\u00f6nn(?:t)?en\s+sie|k\u00f6nntest\s+du|kannst\s+du|gibt\s+es|bitte|alle|all|i['\u2019]d\s+like|i\s+would\s+like|ich\s+m\u00f6chte|ich\s+h\u00e4tte)\b))"
_ENDS = re.compile(
    r"(?<=[.?!;])\s+(?=\w)|\s+[-\u2013\u2014]+\s+|,\s+(?=(?:as|als|all|allemaal|graag|bitte)\b)|,?\s+(?=(?:and\s+)?if\s+so\b|(?:en\s+)?zo\s+ja\b|(?:und\s+)?(?:wenn|falls)\s+ja\b)"
    rf"|:\s+|,\s+(?={_PLEASE}\W*$)"
    rf"|,?\s+(?=(?:(?:and|en|und)\s+)?(?:what\s+are\s+they|hoe\s+heten|wie\s+hei(?:\u00df|ss)en|wie\s+lauten|what\s+are\s+their|wat\s+zijn\s+hun|was\s+sind\s+ihre)\b)"
    r"|,?\s+(?=(?:and|en|und)\s+(?:which|what|welke|welche)\s*(?:ones|zijn|sind|are|$))"
    rf"|,\s+(?={_THEIR_NAMES}\s+(?:will|is|are|would|suffice|only|please|zijn|volsta|gen\u00fcg|reich))|,\s+(?=(?:just|only|alleen|nur)\s+{_NAMES})"
    r"|,\s+(?:so|therefore|hence|dus|daarom|daher|deshalb|also)\s+(?=\w)"
    r"|,\s+(?=(?:it['\u2019]s|this\s+is|het\s+is|dit\s+is|das\s+ist|es\s+ist|because|since\s+(?:i|we|the)|as\s+(?:i|we)|omdat|weil|want|denn)\b)"
    rf"|,\s+(?=(?:for|voor|f\u00fcr)\s+(?:the|my|our|an?|de|het|een|mijn|onze?|den|die|das|meinen?|unsere?n?)\s)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"^(?P<before>(?:before|while|since|as|when|to|because|now\s+that|for|i|we|voordat|voor|omdat|nu|als|om|ik|wij|bevor|weil|da|wenn|um|f\u00fcr|ehe|ich|wir)\s[^.?!;\n]{{2,120}}?)(?:,\s+|\s+(?={_NEED})){_BEGINS}(?P<request>.*)$",
    re.IGNORECASE,
)
"""'Before I cite a principle, show me which ...'."""
_LEAD = re.compile(
    r"^(?:(?:(?:would|do)\s+you\s+)?mind\s+(?:listing|showing|giving|naming|sending|enumerating)|grab|gather|round\s+up|(?:pull|bring|look|dig|call)\s+(?:up|out)|put\s+together|write\s+(?:down|out)|(?:spell|sort|lay|set)\s+out|fetch|retrieve|provide|supply|share|send|hand|compile|tabulate|collect|check|find\s+out|see|produce|draw\s+up"
    r"|zet(?:\s+[\w-]+){0,3}?\s+op\s+(?:een\s+rij(?:tje)?|een\s+lijst(?:je)?)|(?:zoek|som|lijst|haal|schrijf)(?:\s+(?:eens|even|maar|me|mij|ons|voor\s+(?:me|mij|ons)))*(?:\s+(?:op|uit))?|stuur|geef\s+aan|ga\s+na|kijk\s+(?:eens\s+|even\s+)?na|verzamel"
    r"|(?:stelle?|z\u00e4hle?|liste?|f\u00fchre?|suche?|schreibe?)(?:\s+(?:mir|uns|bitte|mal|kurz|sie))*(?:\s+(?:auf|zusammen|heraus|raus))?|schicke?n?|sende?n?|besorge?)(?:\s+(?:me|us|him|her|them|mij|ons|mir|uns|eens|even|maar|bitte|please|mal))*\s*[,:]?\s+(?=\S)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"^(?:(?:my|our|the|mijn|onze|de|het|mein|meine|unser|unsere|der|die)\s+[\w-]+\s+(?:wants(?:\s+to\s+(?:know|see))?|needs|asks?|asked|would\s+like|vraagt|vragen|fragt|fragen|wil(?:len)?\s+weten|will\s+wissen|wil(?:\s+graag)?|will|braucht|m\u00f6chte|h\u00e4tte\s+gerne?)|(?:would|is)\s+it\s+(?:be\s+)?possible\s+(?:for\s+me\s+)?to\s+(?:get|have|see|receive)|i\s+(?:would|['\u2019]d)\s+(?:be\s+(?:glad|grateful|happy)\s+(?:to\s+(?:get|have|see)|for)|appreciate)|is\s+het\s+mogelijk\s+om|(?:ist\s+es|w\u00e4re\s+es)\s+m\u00f6glich|ich\s+(?:br\u00e4uchte|ben\u00f6tige|h\u00e4tte)|ik\s+heb|um|mich\s+interessieren|i(?:['\u2019]m|\s+am)\s+interested\s+in|ik\s+ben\s+(?:op\s+zoek\s+naar|ge\u00efnteresseerd\s+in)|(?:is\s+there|is\s+er|gibt\s+es|do\s+we\s+have|hebben\s+we|haben\s+wir)(?=\s+(?:[\w-]+\s+){1,2}(?:register|inventory|overzicht(?:je)?|opsomming|aufstellung|verzeichnis)\b))(?:\s+(?:mal|gerne?|bitte|graag|nodig|eben|noch))*\s*,?\s+(?=\S)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"\b((?:{KINDS})(?=\s+(?:noemen|opnoemen|tonen|geven|opsommen|sturen|laten\s+zien)\s+(?:die|uit|van|met|over|waar))|lijst(?:je)?|overzicht(?:je)?|opsomming|liste|\u00fcbersicht|aufstellung)\s+(?:(?:nodig|noemen|opnoemen|opsommen|sturen|laten\s+zien|willen|geven|hebben|krijgen|zien|maken|tonen|haben|geben|machen)\s+){{1,2}}(?=(?:die|waar|uit|van|over|met|der|von|aller|unserer|zu|\u00fcber)\b)",
    re.IGNORECASE,
)
_LAST = re.compile(
    r",?\s+(?:auflisten|aufz\u00e4hlen|aufschreiben|zeigen|nennen|schicken|geben|zusammenstellen|heraussuchen|raussuchen|zukommen\s+lassen|auf|zusammen|heraus|opsommen|opnoemen|noemen|tonen|laten\s+zien|geven|sturen|toesturen|opzoeken|opsturen|oplijsten|op\s+een\s+rij(?:tje)?(?:\s+zetten)?)$",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    rf"(?!(?:what|wat|was|how(?!\s+many)|wie(?!\s*viele))\b)(?:(?:which|welke?|welche\w*|how\s+many|hoeveel)\b|(?:{forms.LIST_WORDS.pattern}|any|unser\w*|s\u00e4mtliche\w*|aller|full|complete|{_ADJECTIVE})\s+)*\s*(?:[^\s?!,;:]{{1,40}}\s+)?(?:{KINDS}|{RECORD}|list|overview|inventory|register|lijst(?:je)?|overzicht(?:je)?|opsomming|liste|\u00fcbersicht|aufstellung)\b|(?:which|welke?|welche\w*)\b",
    re.IGNORECASE,
)
_THEY = re.compile(
    r"\b(which|what|welke|welche)(?:\s+(?:ones|of\s+(?:them|these|those)|daarvan|ervan|davon|von\s+(?:ihnen|denen))\b|(?=\s+(?:are|is|were|have|has|had|zijn|is|hebben|staan|werden|gelden|vallen|sind|haben|wurden|gelten|stehen|stammen)\b))",
    re.IGNORECASE,
)
_ABOUT_THEM = re.compile(
    rf"\b(?:{KINDS})\s+(?P<about>(?:about|on|over|for|regarding|concerning|rond|voor|\u00fcber|zu[rm]?|f\u00fcr|mit|met|with)\s.*)",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:that|this|the\s+same|die|deze|dat|dit|dieser?|dieses|diesem)\s+(?P<body>group|board|council|office|team|department|groep|raad|beraad|afdeling|gruppe|gremium|abteilung)\b",
    re.IGNORECASE,
)
_AMONG = re.compile(
    rf"^(?:among(?:st)?|out\s+of|of|from|within|onder|van|uit|von|unter|aus)\s+(?:(?:all|our|the|these|alle[nr]?|onze|de|den|unseren?|diesen)\s+)*(?P<kind>{KINDS})\s*[,:]?\s+(?P<which>which|what|welke|welche)\b(?:\s+(?:ones|of\s+them|davon|daarvan)\b)?",
    re.IGNORECASE,
)
"""'Out of all principles, which are deprecated?'."""
_WHICH = re.compile(r"(?:which|welke?|welche\w*)\b", re.IGNORECASE)
_NAMED = r"(?P<name>(?:[A-Z][\w-]*\s+){{1,5}}(?:{body}|[A-Z]\w*{body}))\b"


def without_asides(text: str) -> tuple[str, bool]:
    """Leave out what is no part of what is asked; tell whether a list is wished.

    >>> without_asides("Which decisions concern TLS? Give me the list, please")
    ('Which decisions concern TLS', True)
    """
    parts = [piece for part in _ENDS.split(text) for piece in _clauses(part) if piece.strip()]
    wishes = [part for part in parts if _WISH.match(part)]
    said = [part for part in parts if part not in wishes and not _THANKS.match(part)]
    if not said:
        return text, False
    asked = [part for part in said if not _is_chatter(part)] or said
    if len(asked) < len(said) and not _is_whole(" ".join(asked), said):
        asked = said
    dropped = [part for part in said if part not in asked]
    again = _AMONG.sub(r"\g<which> \g<kind>", _named_again(" ".join(asked), dropped))
    request, led = _without_lead(again)
    if len(asked) == len(parts) and not led and again == " ".join(asked):
        return text, False
    return request.rstrip(" ?!.;,"), bool(wishes) or (led and not _WHICH.match(request))


def _clauses(part: str) -> tuple[str, ...]:
    match = _CLAUSE.match(part)
    return (match["before"], match["request"]) if match else (part,)


def _is_chatter(sentence: str) -> bool:
    """A statement that restricts nothing, or the occasion."""
    if _FOR_WHAT.match(sentence):
        return True
    return (
        bool(_STATEMENT.match(sentence))
        and not _LIMITS.search(sentence)
        and not scope_of(sentence).restricts
    )


def _is_whole(asked: str, said: list[str]) -> bool:
    """Tell whether the rest says by itself what is wanted, where a subject may have been said."""
    if not any(_SUBJECT.search(part) for part in said if part not in asked):
        return True
    read = scope_of(core(asked))
    return read.restricts or bool(read.topic) or bool(_EVERY.search(asked))


def _named_again(asked: str, before: list[str]) -> str:
    """Put what was named before in the place of 'which ones' and 'that group'."""
    context = " ".join(before)
    if (kinds := kinds_named(context)) and not kinds_named(asked):
        names = " and ".join("policies" if kind == "policy" else f"{kind}s" for kind in kinds)
        if about := _ABOUT_THEM.search(context):
            names = f"{names} {about['about']}"
        asked = _THEY.sub(lambda match: f"{match[1]} {names}", asked, count=1)
    group = _GROUP.search(asked)
    named = re.search(_NAMED.format(body=group["body"].capitalize()), context) if group else None
    if group and named:
        asked = f"{asked[: group.start()]}the {named['name']}{asked[group.end() :]}"
    return asked


def _without_lead(asked: str) -> tuple[str, bool]:
    """Drop the verbs of a wish around documents: 'pull up the policies', 'alle ... aufzählen'."""
    whole = core(asked)
    request = _WITHIN.sub(r"\1 ", core(_WISHED.sub("", whole)))
    if not _ASKED_FOR.match(request):
        request = whole
    lead = _LEAD.match(request)
    if lead and _ASKED_FOR.match(request[lead.end() :]):
        return core(_LAST.sub("", request[lead.end() :])), True
    shorter = _LAST.sub("", request)
    if shorter != request and _ASKED_FOR.match(shorter):
        return shorter, True
    return request, request != whole
