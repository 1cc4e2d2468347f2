"""The forms in which people ask, in English, Dutch and German, as tables the router reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from elysia_guard.domain.question import Aspect
from elysia_guard.language.phrases import spoken

_Key = TypeVar("_Key")


def _compiled(patterns: Mapping[_Key, str], *, whole: str = "{}") -> dict[_Key, re.Pattern[str]]:
    return {
        key: re.compile(spoken(whole.format(form)), re.IGNORECASE) for key, form in patterns.items()
    }


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
