"""Which part a section plays, told by its heading in any language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from elysia_guard.domain.document import SectionRole
from elysia_guard.language.pack import packs
from elysia_guard.language.phrases import spoken

_NUMBERING = re.compile(r"\A(?:[\divx]+[.)]|\d+(?:\.\d+)*)\s+")
_ORDER = (
    SectionRole.DRIVERS,
    SectionRole.SUBSTANCE,
    SectionRole.CONSEQUENCES,
    SectionRole.IMPLICATIONS,
    SectionRole.RATIONALE,
    SectionRole.OPTIONS,
    SectionRole.CONTEXT,
    SectionRole.OTHER,
)
"""The first role with a form that fits the whole heading wins."""


@cache
def _roles() -> Mapping[SectionRole, re.Pattern[str]]:
    headings = [item.documents.headings for item in packs().values()]
    forms = {role: [form for item in headings for form in getattr(item, role)] for role in _ORDER}
    return {role: re.compile(spoken("|".join(found))) for role, found in forms.items()}


def role_of(path: Sequence[str]) -> SectionRole:
    """Name the role of the innermost heading that has one; OTHER if none has."""
    for heading in reversed(path):
        bare = _NUMBERING.sub("", heading.casefold()).strip(" :.?!#*")
        for role, pattern in _roles().items():
            if pattern.fullmatch(bare):
                return role
    return SectionRole.OTHER
