"""What is said beside a question for a list, and says nothing of what is listed."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.reading.clauses import Clause, Joint, Mood
from elysia_guard.reading.listing_filters import KINDS, Listed

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


def begin_of(first: Clause) -> int:
    """Where a clause begins to ask: at 'I'd like', if an occasion is told before."""
    said = first.wording
    kind = next((at for at in first.places if said.plays(at, *KINDS)), first.end)
    before = range(first.start, kind)
    wishes = [at for at in before if said.plays(at, "wishes", "requests", "commands")]
    if said.plays(first.head, "prepositions"):
        starts = ("showing", "existing", "listing", "question_words")
        wishes += [at for at in before if said.plays(at, *starts)][:1]
    return wishes[-1] if wishes else first.start


def asks_more(kept: Sequence[Clause], main: Clause) -> bool:
    """Tell whether something is asked beside, of what is listed or of something else."""
    for clause in kept:
        asks = clause.mood in (Mood.QUESTION, Mood.CHOICE)
        apart = clause is not main and asks and not clause.has(*KINDS, *SAYING_WHICH)
        names = (at for at in clause.content if not clause.wording.plays(at, *SAYING_NOTHING))
        if apart and next(names, None) is not None:
            return True
    return False


def counts_others(words: Listed) -> bool:
    """Tell of 'how many months is a consent valid?' that it counts no documents."""
    said = words.said
    told = ("counting", "dated", *KINDS, *SAYING_WHICH, *SAYING_NOTHING)
    for place in words.find("counting"):
        after = range(place + said.roles[place]["counting"], words.end)
        named = (at for at in after if said.is_content(at) and said.tokens[at].number is None)
        first = next(named, None)
        if first is not None and not said.plays(first, *told):
            return True
    return False
