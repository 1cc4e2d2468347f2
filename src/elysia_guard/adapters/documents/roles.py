"""Which part a section plays, told by its heading in English, Dutch or German."""

from __future__ import annotations

import re
from collections.abc import Sequence

from elysia_guard.domain.document import SectionRole

_NUMBERING = re.compile(r"\A(?:[\divx]+[.)]|\d+(?:\.\d+)*)\s+")

# One form a line; the first role with a form that fits the whole heading wins.
_FORMS = {
    SectionRole.DRIVERS: r"""
        (decision|design)\ drivers | drivers | forces
        (beslis|besluit)?drijfveren
        (entscheidungs)?treiber
    """,
    SectionRole.SUBSTANCE: r"""
        (the\ )?decision | (decision\ )?outcome | (principle\ )?statement
        policy(\ (statement|rules))? | rules
        (het\ |genomen\ )?besluit | (de\ )?beslissing | uitkomst(\ van\ .*)?
        stelling | principe | verklaring | beleid(sregels)? | regels
        entscheidung(sergebnis)? | ergebnis | aussage | grundsatz | richtlinie | regeln
    """,
    SectionRole.CONSEQUENCES: r"""
        (positive|negative|positieve|negatieve)\b.*
        consequences\b.*
        gevolgen\b.* | consequenties
        konsequenzen | folgen | auswirkungen
    """,
    SectionRole.IMPLICATIONS: r"""
        implications\b.* | implicaties\b.* | implikationen\b.*
    """,
    SectionRole.RATIONALE: r"""
        rationale\b.* | reasons?
        onderbouwing | motivatie | motivering
        begründung
    """,
    SectionRole.OPTIONS: r"""
        (considered\ |other\ )?(options|alternatives)(\ considered)? | pros\ and\ cons\b.*
        overwogen\b.* | opties | alternatieven | voor-\ en\ nadelen\b.*
        (betrachtete\ |erwogene\ )?(optionen|alternativen) | vor-\ und\ nachteile\b.*
    """,
    SectionRole.CONTEXT: r"""
        context\b.* | background\b.* | problem(\ statement)? | purpose | introduction
        achtergrond\b.* | aanleiding\b.* | probleemstelling | doel | inleiding
        kontext\b.* | hintergrund\b.* | problemstellung | zweck | einleitung
    """,
    SectionRole.OTHER: r"""
        more\ information | references | links
        meer\ informatie | referenties | verwijzingen
        weitere\ informationen | verweise
    """,
}
_ROLES = {
    role: re.compile("|".join(forms.strip().splitlines()), re.VERBOSE)
    for role, forms in _FORMS.items()
}


def role_of(path: Sequence[str]) -> SectionRole:
    """Name the role of the innermost heading that has one; OTHER if none has."""
    for heading in reversed(path):
        bare = _NUMBERING.sub("", heading.casefold()).strip(" :.?!#*")
        for role, pattern in _ROLES.items():
            if pattern.fullmatch(bare):
                return role
    return SectionRole.OTHER
