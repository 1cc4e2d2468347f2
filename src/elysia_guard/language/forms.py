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
