"""What is said beside a question for a list: chatter, and that a list is wanted."""

from __future__ import annotations

import re

from elysia_guard.domain.question import Lang
from elysia_guard.language import forms
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.lists.reading import KINDS, RECORD, phrase
from elysia_guard.language.lists.scopes import scope_of
from elysia_guard.language.phrases import spoken
from elysia_guard.language.preamble import bare_question

_ADJECTIVE = (
    r"(full|complete|short|whole|quick|entire|volledige?|hele|korte?|ganze|vollständige"
    r"|kurze)"
)
_LIST = (
    rf"((the|an?|de|het|een|die|eine|der) )?({_ADJECTIVE} )?(list|overview|lijst(je)?"
    r"|overzicht(je)?|opsomming|liste|übersicht|aufzählung|aufstellung)"
)
_PLEASE = (
    r"(please|pls|thanks( in advance)?|thank you|many thanks|cheers|if (possible|you can)"
    r"|graag|alsjeblieft|alstublieft|aub|svp|(alvast )?bedankt"
    r"|(alvast )?dank\s*(je|u)?(\s*wel)?|bij voorbaat dank|als het kan|bitte"
    r"|(vielen |besten )?danke?( (schön|im voraus|vorab))?|wenn möglich)"
)
_GIVE = (
    r"(((can|could) you|kun je|kannst du) )?(give|show|send|tell|list|name|enumerate|mention"
    r"|geef|toon|stuur|noem|som|gib|zeige?|nenne?|nennen sie|schicke?|liste"
    r"|zähle?)( (me|us|mij|ons|mir|uns|dan|maar|even|eens|bitte|please))*"
)
_WANT = (
    r"(i('d| would)? (want|need|like)( to (see|have|know))?|ik wil( graag)?"
    r"|ich (möchte|brauche|hätte gerne?))"
)
_ALL = (
    r"(all( of (them|these|those))?|them( all)?|every one( of them)?|(ze )?allemaal"
    r"|ze( alle)?|die|alle( davon)?|alles|sie( alle| mir)?)( (op|auf))?"
)
_SO = (
    r"((and|en|und|or|of|oder) )?((if (so|yes|there are( any)?)|(en )?zo ja|wenn ja"
    r"|falls ja)\s*,?\s*)?"
)
_NAMES = (
    r"((the|their|de|hun|die|deren|ihre) )?(names?|titles?|numbers?|ids?|namen|titels?"
    r"|nummers?|nummern?|kennungen|titeln?)"
)
_THEIR_NAMES = (
    rf"(just |only |alleen |nur |with |met |mit )?{_NAMES}( (and|or|en|of|und|oder) "
    rf"{_NAMES})?"
)
_WISH = phrase(
    rf"^\W*{_SO}({_PLEASE}[\s,]+)?(({_GIVE}|{_WANT}) ({_LIST}|{_ALL}|{_THEIR_NAMES})"
    rf"|(as |als |in )?{_LIST}|{_ALL}|auflisten|opsommen|aufzählen|enumerate|list them"
    r"|op een rij(tje)?"
    r"|(which|what|welke|welche|was)( (ones|of them|of these))?( (precies|genau|exactly))?( "
    r"(are|zijn|sind|is|wären) (they|those|these|that|dat|het|die|das|es))?"
    r"|(which|what|welke|welche) (ones|dat|das)( (are|zijn|sind)( (they|those))?)?"
    rf"|what are they called|what (are|is) {_NAMES}|hoe heten (ze|die|zij)|wat zijn {_NAMES}"
    rf"|wie hei(ß|ss)en (sie|die|diese)|wie lauten {_NAMES}|was sind {_NAMES}"
    rf"|{_THEIR_NAMES} (will do|(is|are|would be) (enough|fine|sufficient)|suffices?|only|please"
    r"|(is|zijn) (genoeg|voldoende)|volsta(a?n|at)|genüg(t|en)|reich(t|en)( (mir|aus))?)"
    rf"|(just|only|alleen|nur|with|met|mit) {_THEIR_NAMES})([\s,]+{_PLEASE})*\W*$"
)
"""'Give me the list', 'Graag allemaal', 'and which are those': only that a list is wanted."""
_THANKS = phrase(rf"^\W*{_PLEASE}([\s,]+{_PLEASE})*\W*$")
_OCCASION = (
    r"(reports?|audit(or)?s?|meetings?|reviews?|presentations?|slides?|deck|workshops?"
    r"|newsletters?|colleagues?|boss|manager|dossiers?|onboarding|inspections?|memo"
    r"|committee|steering|session|archive|rapport(age)?|jaarverslag|verslag|overleg"
    r"|vergadering|presentatie|collega|nieuwsbrief|inspectie|notitie|leidinggevende|controle"
    r"|bericht|jahresbericht|prüfung|prüfer(in)?|besprechung|sitzung|vorstand|kollegin"
    r"|kollegen|präsentation|einarbeitung|revision)"
)
_FOR_WHAT = phrase(
    r"^(for|voor|ten behoeve van|für|zur?m?|in preparation (of|for)|ahead of"
    r"|ter voorbereiding (op|van)) "
    rf"([^\s,;:.?!]{{1,30}} ){{0,4}}?[^\s,;:.?!]{{0,25}}{_OCCASION}( "
    r"[^\s,;:.?!]{1,20}){0,4}\W*$"
)
"""'For the annual report'."""
_STATEMENT = phrase(
    r"^((so|and|en|und|want|denn|because|since|as|omdat|weil|da) )?(it|this|that|these|they|i|we"
    r"|my|our|someone|somebody|dit|het|dat|ik|wij|we|mijn|onze|iemand|es|das|dies|ich|wir|mein"
    r"|unsere?|jemand)('\w+)?(\s|$)"
    r"|^((the|our|my|an?|de|een|onze|mijn|der|die|eine?|unsere?|mein) )?([\w-]+ ){0,2}?(is|are"
    r"|wants?|needs?|asked|asks|vraagt|vragen|wil|willen|fragt|fragen|will|wollen|braucht"
    r"|brauchen) (asking|to know|to see|waiting|curious|it|this|that|them|for (it|this|them)"
    r"|er\s?om|ernaar|dit|dat|het|ze|weten|danach|das|es|sie|wissen)( [\w-]+){0,3}\W*$"
    r"|^(just )?(an? )?(quick|short|small|simple|korte?|snelle?|kleine?|kurze?|schnelle?) "
    r"(one|thing|check|question|vraag(je)?|frage|sache|ding(etje)?)\W*$"
    r"|^(before|while|since|as|when|if|to|because|now that|voordat|voor (ik|we)|omdat|nu|als|om"
    r"|bevor|weil|da|wenn|um|damit|ehe)\s"
)
"""'It's for onboarding a new colleague.': no question and no wish."""
_LIMITS = re.compile(
    spoken(
        r"\b(only|except|but|without|not|those|ones|other than|skip|omit|ignore|looking for"
        r"|(need|want)(?! to know)|alleen|behalve|zonder|niet|geen|degene|zoek"
        r"|wil(len)? (?!weten)|nodig|nur|außer|ohne|nicht|keine?|diejenigen|suche|brauche"
        r"|möchte)\b"
    ),
    re.IGNORECASE,
)
"""A statement with one of these may say which documents are meant."""
_SUBJECT = re.compile(
    spoken(
        r"\b(about|on|over|regarding|concerning|rond|über|zum?r?|with|met|mit"
        r"|(arbeite\w*|werk\w*|schreib\w*|schrijf\w*) (\w+ )?(an|aan))\s"
    ),
    re.IGNORECASE,
)
_EVERY = re.compile(
    spoken(
        r"\b(all|every|complete|full|entire|alle|elke|ieder|volledige?|sämtliche\w*|jede\w*"
        r"|gesamte\w*)\b"
    ),
    re.IGNORECASE,
)
_NEED = (
    r"((zoeken?|suchen?|brauchen?|benötigen?) (ik|wij|we|ich|wir)"
    r"|(muss|möchte|will|müssen|wollen|wil|moet|willen|moeten) (ich|wir|ik|we|wij) "
    r"((graag|eerst|gerne?|zuerst) )*(weten|zien|wissen|sehen|erfahren)\s*,?"
    r"|(i|we|ik|wij|ich|wir) ((would|really|first|just|also|eerst|graag|zuerst|erst) )*(need"
    r"|want|like|have|wil(len)?|moet(en)?|möchten?|muss|müssen|will|wollen) "
    r"((to|graag|eerst|gerne?|zuerst) )*(know|see|find out|check|hear|weten|zien|wissen"
    r"|sehen|erfahren)?\s*,?)"
)
_BEGINS = (
    rf"({_NEED} (?=(which|what|how many|welke?|hoeveel|wat|welche\w*|wie\s*viele|all|every"
    r"|the|our|alle|de|het|die|onze|unsere|sämtliche)\b)"
    r"|(?=(which|what|how many|tell|vertel|zeg|sage?|show|list|give|name|find|get|send"
    r"|could you|can you|please|are there|do we have|welke|hoeveel|geef|toon|noem|stuur"
    r"|kun je|kunt u|zijn er|graag|welche\w*|wie\s*viele|zeige?n?|nenne?n?|gib|liste"
    r"|könn(t)?en sie|könntest du|kannst du|gibt es|bitte|alle|all|i'd like|i would like"
    r"|ich möchte|ich hätte)\b))"
)
_ENDS = re.compile(
    spoken(
        r"(?<=[.?!;]) (?=\w)| [-\u2013\u2014]+ |, (?=(as|als|all|allemaal|graag|bitte)\b)"
        r"|,? (?=(and )?if so\b|(en )?zo ja\b|(und )?(wenn|falls) ja\b)"
        rf"|: |, (?={_PLEASE}\W*$)"
        r"|,? (?=((and|en|und) )?(what are they|hoe heten|wie hei(ß|ss)en|wie lauten"
        r"|what are their|wat zijn hun|was sind ihre)\b)"
        r"|,? (?=(and|en|und) (which|what|welke|welche)\s*(ones|zijn|sind|are|$))"
        rf"|, (?={_THEIR_NAMES} (will|is|are|would|suffice|only|please|zijn|volsta|genüg|reich))"
        rf"|, (?=(just|only|alleen|nur) {_NAMES})"
        r"|, (so|therefore|hence|dus|daarom|daher|deshalb|also) (?=\w)"
        r"|, (?=(it's|this is|het is|dit is|das ist|es ist|because|since (i|we|the)|as (i|we)"
        r"|omdat|weil|want|denn)\b)"
        r"|, (?=(for|voor|für) (the|my|our|an?|de|het|een|mijn|onze?|den|die|das|meinen?"
        r"|unsere?n?)\s)"
    ),
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    spoken(
        r"^(?P<before>(before|while|since|as|when|to|because|now that|for|i|we|voordat|voor"
        r"|omdat|nu|als|om|ik|wij|bevor|weil|da|wenn|um|für|ehe|ich|wir)\s[^.?!;\n]{2,120}?)"
        rf"(, | (?={_NEED})){_BEGINS}(?P<request>.*)$"
    ),
    re.IGNORECASE,
)
"""'Before I cite a principle, show me which ...'."""
_LEAD = re.compile(
    spoken(
        r"^(((would|do) you )?mind (listing|showing|giving|naming|sending|enumerating)|grab|gather"
        r"|round up|(pull|bring|look|dig|call) (up|out)|put together|write (down|out)"
        r"|(spell|sort|lay|set) out|fetch|retrieve|provide|supply|share|send|hand|compile|tabulate"
        r"|collect|check|find out|see|produce|draw up"
        r"|zet( [\w-]+){0,3}? op (een rij(tje)?|een lijst(je)?)"
        r"|(zoek|som|lijst|haal|schrijf)( (eens|even|maar|me|mij|ons|voor (me|mij|ons)))*( "
        r"(op|uit))?|stuur|geef aan|ga na|kijk (eens |even )?na|verzamel"
        r"|(stelle?|zähle?|liste?|führe?|suche?|schreibe?)( (mir|uns|bitte|mal|kurz|sie))*( "
        r"(auf|zusammen|heraus|raus))?|schicke?n?|sende?n?"
        r"|besorge?)( (me|us|him|her|them|mij|ons|mir|uns|eens|even|maar|bitte|please"
        r"|mal))*\s*[,:]? (?=\S)"
    ),
    re.IGNORECASE,
)
_WISHED = re.compile(
    spoken(
        r"^((my|our|the|mijn|onze|de|het|mein|meine|unser|unsere|der|die) [\w-]+ "
        r"(wants( to (know|see))?|needs|asks?|asked|would like|vraagt|vragen|fragt|fragen"
        r"|wil(len)? weten|will wissen|wil( graag)?|will|braucht|möchte|hätte gerne?)"
        r"|(would|is) it (be )?possible (for me )?to (get|have|see|receive)"
        r"|i (would|'d) (be (glad|grateful|happy) (to (get|have|see)|for)|appreciate)"
        r"|is het mogelijk om|(ist es|wäre es) möglich|ich (bräuchte|benötige|hätte)|ik heb|um"
        r"|mich interessieren|i('m| am) interested in|ik ben (op zoek naar|geïnteresseerd in)"
        r"|(is there|is er|gibt es|do we have|hebben we"
        r"|haben wir)(?= ([\w-]+ ){1,2}(register|inventory|overzicht(je)?|opsomming"
        r"|aufstellung|verzeichnis)\b))( (mal|gerne?|bitte|graag|nodig|eben|noch))*\s*,? "
        r"(?=\S)"
    ),
    re.IGNORECASE,
)
_WITHIN = re.compile(
    spoken(
        rf"\b(?P<list>({KINDS})(?= (noemen|opnoemen|tonen|geven|opsommen|sturen|laten zien) "
        r"(die|uit|van|met|over|waar))|lijst(je)?|overzicht(je)?|opsomming|liste|übersicht"
        r"|aufstellung) ((nodig|noemen|opnoemen|opsommen|sturen|laten zien|willen|geven|hebben"
        r"|krijgen|zien|maken|tonen|haben|geben|machen) "
        r"){1,2}(?=(die|waar|uit|van|over|met|der|von|aller|unserer|zu|über)\b)"
    ),
    re.IGNORECASE,
)
_LAST = re.compile(
    spoken(
        r",? (auflisten|aufzählen|aufschreiben|zeigen|nennen|schicken|geben|zusammenstellen"
        r"|heraussuchen|raussuchen|zukommen lassen|auf|zusammen|heraus|opsommen|opnoemen"
        r"|noemen|tonen|laten zien|geven|sturen|toesturen|opzoeken|opsturen|oplijsten"
        r"|op een rij(tje)?( zetten)?)$"
    ),
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    spoken(
        r"(?!(what|wat|was|how(?! many)|wie(?!\s*viele))\b)((which|welke?|welche\w*|how many"
        rf"|hoeveel)\b|({forms.LIST_WORDS.pattern}|any|unser\w*|sämtliche\w*|aller|full"
        rf"|complete|{_ADJECTIVE}) )*\s*([^\s?!,;:]{{1,40}} )?({KINDS}|{RECORD}|list|overview"
        r"|inventory|register|lijst(je)?|overzicht(je)?|opsomming|liste|übersicht"
        r"|aufstellung)\b|(which|welke?|welche\w*)\b"
    ),
    re.IGNORECASE,
)
_THEY = re.compile(
    spoken(
        r"\b(?P<which>which|what|welke|welche)( "
        r"(ones|of (them|these|those)|daarvan|ervan|davon|von (ihnen|denen))\b"
        r"|(?= (are|is|were|have|has|had|zijn|is|hebben|staan|werden|gelden|vallen|sind|haben"
        r"|wurden|gelten|stehen|stammen)\b))"
    ),
    re.IGNORECASE,
)
_ABOUT_THEM = re.compile(
    spoken(
        rf"\b({KINDS}) (?P<about>(about|on|over|for|regarding|concerning|rond|voor|über|zu[rm]?"
        r"|für|mit|met|with)\s.*)"
    ),
    re.IGNORECASE,
)
_GROUP = re.compile(
    spoken(
        r"\b(that|this|the same|die|deze|dat|dit|dieser?|dieses|diesem) "
        r"(?P<body>group|board|council|office|team|department|groep|raad|beraad|afdeling"
        r"|gruppe|gremium|abteilung)\b"
    ),
    re.IGNORECASE,
)
_AMONG = re.compile(
    spoken(
        r"^(among(st)?|out of|of|from|within|onder|van|uit|von|unter|aus) "
        r"((all|our|the|these|alle[nr]?|onze|de|den|unseren?|diesen) "
        rf")*(?P<kind>{KINDS})\s*[,:]? "
        r"(?P<which>which|what|welke|welche)\b( (ones|of them|davon|daarvan)\b)?"
    ),
    re.IGNORECASE,
)
"""'Out of all principles, which are deprecated?'."""
_WHICH = re.compile(spoken(r"(which|welke?|welche\w*)\b"), re.IGNORECASE)
_NAMED = r"(?P<name>([A-Z][\w-]* ){{1,5}}({body}|[A-Z]\w*{body}))\b"


def without_asides(text: str, lang: Lang) -> tuple[str, bool]:
    """Leave out what is no part of what is asked; tell whether a list is wished.

    >>> without_asides("Which decisions concern TLS? Give me the list, please", "en")
    ('Which decisions concern TLS', True)
    """
    parts = [piece for part in _ENDS.split(text) for piece in _clauses(part) if piece.strip()]
    wishes = [part for part in parts if _WISH.match(part)]
    said = [part for part in parts if part not in wishes and not _THANKS.match(part)]
    if not said:
        return text, False
    asked = [part for part in said if not _is_chatter(part)] or said
    if len(asked) < len(said) and not _is_whole(" ".join(asked), said, lang):
        asked = said
    dropped = [part for part in said if part not in asked]
    again = _AMONG.sub(r"\g<which> \g<kind>", _named_again(" ".join(asked), dropped))
    request, led = _without_lead(again, lang)
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


def _is_whole(asked: str, said: list[str], lang: Lang) -> bool:
    """Tell whether the rest says by itself what is wanted, where a subject may have been said."""
    if not any(_SUBJECT.search(part) for part in said if part not in asked):
        return True
    read = scope_of(bare_question(asked, lang))
    return read.restricts or bool(read.topic) or bool(_EVERY.search(asked))


def _named_again(asked: str, before: list[str]) -> str:
    """Put what was named before in the place of 'which ones' and 'that group'."""
    context = " ".join(before)
    if (kinds := kinds_named(context)) and not kinds_named(asked):
        names = " and ".join("policies" if kind == "policy" else f"{kind}s" for kind in kinds)
        if about := _ABOUT_THEM.search(context):
            names = f"{names} {about['about']}"
        asked = _THEY.sub(lambda match: f"{match['which']} {names}", asked, count=1)
    group = _GROUP.search(asked)
    named = (
        re.search(spoken(_NAMED.format(body=group["body"].capitalize())), context)
        if group
        else None
    )
    if group and named:
        asked = f"{asked[: group.start()]}the {named['name']}{asked[group.end() :]}"
    return asked


def _without_lead(asked: str, lang: Lang) -> tuple[str, bool]:
    """Drop the verbs of a wish around documents: 'pull up the policies', 'alle ... aufzählen'."""
    whole = bare_question(asked, lang)
    request = _WITHIN.sub(r"\g<list> ", bare_question(_WISHED.sub("", whole), lang))
    if not _ASKED_FOR.match(request):
        request = whole
    lead = _LEAD.match(request)
    if lead and _ASKED_FOR.match(request[lead.end() :]):
        return bare_question(_LAST.sub("", request[lead.end() :]), lang), True
    shorter = _LAST.sub("", request)
    if shorter != request and _ASKED_FOR.match(shorter):
        return shorter, True
    return request, request != whole
