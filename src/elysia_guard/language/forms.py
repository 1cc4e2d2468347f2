"""The forms in which people ask, in English, Dutch and German, as tables the router reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from elysia_guard.domain.question import Aspect
from elysia_guard.language.kinds import counted
from elysia_guard.language.phrases import spoken


def compile_all(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Compile patterns, without regard to case."""
    return tuple(re.compile(spoken(pattern), re.IGNORECASE) for pattern in patterns)


_Key = TypeVar("_Key")


def _compiled(patterns: Mapping[_Key, str], *, whole: str = "{}") -> dict[_Key, re.Pattern[str]]:
    return {
        key: re.compile(spoken(whole.format(form)), re.IGNORECASE) for key, form in patterns.items()
    }


_ONE, _MANY = counted(many=False), counted(many=True)
_SHOW = (
    r"(list|enumerate|show|give|display|print|name|find|get|toon|geef|noem|laat|som|zeige?n?"
    r"|liste|nenne?|gib)( (me|us|mij|ons|mir|uns|eens|even|bitte|mal|please))*"
)
_A_LIST = (
    r"((the|an?|een|het|de|eine|die) )?((complete|full|short|quick|volledige?|kort|complete"
    r"|vollständige|kurze) )?(overview|list|index|catalogue|inventory|register|listing"
    r"|number|overzicht(je)?|lijst(je)?|opsomming|inventaris|aantal|übersicht|liste"
    r"|aufstellung|auflistung|aufzählung|verzeichnis|anzahl)"
)
_OTHERS = (
    r"((?!(do|does|did|are|is|can|must|should|may|to|per|in|zijn|moet|mag|kan|per|sind|muss"
    r"|darf|kann)\b)[\w-]+ ){0,2}?"
)
_STATE = (
    r"((still|currently|nog|al|er|noch|bereits|derzeit) )*(proposed|superseded|replaced"
    r"|deprecated|obsolete|rejected|accepted|approved|voorgesteld|vervangen|vervallen"
    r"|verworpen|afgewezen|geaccepteerd|aanvaard|vorgeschlagen|ersetzt|veraltet|abgelehnt"
    r"|akzeptiert|angenommen|genehmigt)"
)

MANY: Final = re.compile(spoken(rf"\b{_MANY}\b"), re.IGNORECASE)
"""Several documents."""

LIST: Final = compile_all(
    (
        rf"^{_SHOW}\b(?!( (me|us|mij|ons|mir|uns))* "
        r"(how|why|what|where|who|when|if|whether|hoe|waarom|wat|wer|was|wie|warum)\b)"
    ),
    rf"^{_A_LIST} {_MANY}\b",
    rf"^{_A_LIST} (of|van|met|over|von|der|mit|aller?|über|about|with)\b",
    r"^(aantal|anzahl) \w+",
    r"^(alle?|all of) (?!(about|over|über)\b)\w+|^all (the |our )?(?!(about|the|our)\b)\w+",
    (
        r"^(which|welke|welche) (of (our|the|your)|van (onze|de)|unserer|der|von unseren) "
        rf"{_OTHERS}{_MANY}\b"
    ),
    (
        rf"^{_MANY}\b.*\bwhich (ones )?(are|exist)\b"
        r"|.*\b(auflisten|aufzählen|opsommen|list them( all)?)\W*$"
    ),
    rf"^(how many|hoeveel|wie\s*viele) (of (the|our) )?{_OTHERS}{_MANY}\b",
    (
        r"^(what(?! (is|was)\b)|which|welke|welche)\b.*\b(do (we|you) have|are there|exist"
        rf"|(are|is) {_STATE}|zijn er|bestaan|hebben we|zijn {_STATE}|gibt es|haben wir"
        rf"|existieren|sind {_STATE})\b"
    ),
    r"^((what|which) are|wat zijn|welke zijn|was sind|welche sind) all?e?\b",
)
NOT_A_LIST: Final = compile_all(
    (
        rf"^{_SHOW} ((the|an?|your|de|het|een|die|das|den|eine?) "
        r")(?!(\w+ )?(list|overview|index|lijst|overzicht|liste|übersicht|titles|names)\b)"
        rf"([\w'-]+ ){{0,4}}?{_ONE}\b(?! (list|overview|index|titles))"
    ),
    (
        rf"^{_SHOW} ((all|alle) )?((the|de|die) )?(owners|dates|authors|approvers|status(es)?"
        r"|eigenaren|eigenaars|datums|statussen|eigentümer|consequences|implications"
        r"|alternatives|options|reasons|requirements|drivers|exceptions|differences|gevolgen"
        r"|alternatieven|opties|redenen|eisen|uitzonderingen|verschillen|folgen|alternativen"
        r"|optionen|gründe|anforderungen|ausnahmen|unterschiede)\b"
    ),
    (
        rf"^{_SHOW} ((all|every|each|any|the|our|alle|elke|de|het|die|onze|unsere) "
        rf")*(?!(list|overview|index|titles?|names?|numbers?|{_MANY})\b)[\w-]+ "
        r"(in|within|behind|uit|aus) "
        rf"((all|our|the|these|alle|onze|de|deze|unseren?|den) )*{_MANY}\b"
    ),
)
"""One document, or one side of it, is asked for: 'Show me the policy on passwords'."""
LIST_WORDS: Final = re.compile(
    spoken(
        r"\b(please|list|enumerate|show|give|display|print|overview|index|catalogue|all|every|each"
        r"|our|the|an?|me|of|how many|what|which|do we have|are there|exist(ing)?|you|can|could"
        r"|som|op|toon|geef|noem|laat|zien|overzicht|lijst|van|alle|hoeveel|welke|zijn er|er|zijn"
        r"|bestaan|hebben we|de|het|een|onze|zeige|liste|nenne|gib|mir|übersicht|alles|wie|viele"
        r"|welche|gibt es|haben wir|existieren|auf|nog|al|noch|still|die|der|das|unsere|are|is|ons"
        r"|ist|sind|about|on|over|regarding|concerning|related|to"
        r"|rond|über|zu|von|for|voor|für|that|with|dealing|and|en|und|currently|known|have|we"
        r"|there|titles?|names?|numbers?|ones|those|these|them|bitte|auflisten|opsommen|erst)\b"
    ),
    re.IGNORECASE,
)
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
