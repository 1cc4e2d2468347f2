"""What is said beside a question for a list, and says nothing of what is listed."""

from __future__ import annotations

from elysia_guard.reading.clauses import Clause, Joint, Mood
from elysia_guard.reading.listing_filters import KINDS

SAYING_NOTHING = ("empty", "showing", "listing", "existing", "quantifiers", "settled")
"""Roles of words that restrict nothing."""
SAYING_WHICH = (
    "everything anything counting newest oldest whatever_status date_words accepted proposed "
    "superseded deprecated rejected months owns titled denying"
).split()
"""Roles of words that restrict a list, or order or count it."""


def is_aside(clause: Clause, main: Clause) -> bool:
    """'It's for a colleague', 'for the annual report': says nothing of what is listed."""
    said = clause.wording
    if clause.asked or clause.has(*KINDS, *SAYING_WHICH):
        return clause.joint is Joint.OR and clause.mood is Mood.CHOICE
    if not any(not said.plays(at, *SAYING_NOTHING) for at in clause.content):
        return False
    person = said.plays(clause.head, "persons", "thing")
    if clause.start < main.start:
        lead = said.plays(clause.head, "prepositions", "adverbs", "wishes")
        return person or lead or clause.has("persons")
    if clause.joint is Joint.COMMA and said.plays(clause.head, "purposes"):
        return True
    told = clause.joint is Joint.STOP or person
    return told and clause.mood in (Mood.STATEMENT, Mood.WISH) and not clause.has("limiting")
