"""What is said beside a question for a list, and what asks for something else than a list."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.reading.clauses import Clause, Joint, Mood
from elysia_guard.reading.listing_words import ROLES, SAYING_NOTHING, STATUSES, Listed, listed_kinds
from elysia_guard.reading.tagged import Wording

SAYING_WHICH = (
    "everything anything counting newest oldest whatever_status date_words accepted proposed "
    "superseded deprecated rejected months owns titled denying"
).split()
"""Roles of words that restrict a list, or order or count it."""
_ASKING_NO_LIST = ("telling", "restricting")
_STATED = (Mood.STATEMENT, Mood.WISH)


def fillers(found: Sequence[Clause], main: Clause) -> list[Clause]:
    """The clauses that say nothing of what is listed, each with what goes on from it."""
    dropped, before = list[Clause](), False
    for each in found:
        goes_on = before and each.joint is Joint.AND and not each.has(*listed_kinds())
        before = each is not main and (goes_on or _is_filler(each, main))
        dropped += [each] if before else []
    return dropped


def _is_filler(clause: Clause, main: Clause) -> bool:
    """'It's for a colleague', 'for the annual report'."""
    said = clause.wording
    if any(said.tokens[at].number is not None for at in clause.places):
        return False
    if clause.asked or clause.has(*listed_kinds(), *SAYING_WHICH):
        other = clause.has(*listed_kinds()) or not clause.has(*STATUSES)
        return other and clause.joint is Joint.OR and clause.mood is Mood.CHOICE
    if not any(not said.plays(at, *SAYING_NOTHING) for at in clause.content):
        return False
    topical = said.plays(clause.head, "about") and not said.plays(clause.head, "purposes")
    if clause.start < main.start and topical:
        return False  # 'about identity providers: which decisions?'
    person = said.plays(clause.head, "persons", "thing")
    if clause.start < main.start:
        lead = said.plays(clause.head, "prepositions", "adverbs", "wishes")
        return person or lead or clause.has("persons")
    if clause.joint is Joint.COMMA and said.plays(clause.head, "purposes"):
        return True
    told = clause.joint is Joint.STOP or person
    return told and clause.mood in _STATED and not clause.has("limiting")


def narrows(said: Wording) -> bool:
    """Tell whether a text only narrows a list that it does not name: 'only the accepted ones'."""
    if not said.tokens or not said.plays(0, "limiting"):
        return False
    content = [at for at in range(len(said.tokens)) if said.is_content(at)]
    states = [at for at in content if not said.plays(at, "rests")]
    return bool(states) and all(said.plays(at, *STATUSES) for at in states)


def begin_of(first: Clause) -> int:
    """Where a clause begins to ask: at 'I'd like', if an occasion is told before."""
    said = first.wording
    kind = next((at for at in first.places if said.plays(at, *listed_kinds())), first.end)
    before = range(first.start, kind)
    wishes = [at for at in before if said.plays(at, "wishes", "requests", "commands")]
    if said.plays(first.head, "prepositions"):
        starts = ("showing", "existing", "listing", "question_words")
        wishes += [at for at in before if said.plays(at, *starts)][:1]
    return wishes[-1] if wishes else first.start


def names_matter(dropped: Sequence[Clause]) -> bool:
    """Tell whether an aside may name what the documents are to be about: 'I work on TLS.'."""
    for clause in dropped:
        said = clause.wording
        for at in clause.content:
            capitals = said.tokens[at].text.isupper() and len(said.tokens[at].text) > 1
            if capitals and at > 0 and said.plays(at - 1, "prepositions", "topical"):
                return True
    return False


def asks_more(kept: Sequence[Clause], main: Clause) -> bool:
    """Tell whether something is asked beside, of what is listed or of something else."""
    for clause in kept:
        asks = clause.mood in (Mood.QUESTION, Mood.CHOICE)
        apart = clause is not main and asks and not clause.has(*listed_kinds(), *SAYING_WHICH)
        names = (at for at in clause.content if not clause.wording.plays(at, *SAYING_NOTHING))
        if apart and next(names, None) is not None:
            return True
    return False


def asks_otherwise(words: Listed, main: Clause) -> bool:
    """Tell whether what documents say is asked, or when, how or by whom: no list."""
    said = words.said
    kinds = [at for at in words.places if said.plays(at, *listed_kinds())]
    about = next((at for at in words.find("about") if not kinds or at > kinds[0]), words.end)
    for at in range(words.start, about):
        if at not in main.places and not said.plays(at, *_ASKING_NO_LIST):
            continue
        nouns = (("telling", STATUSES), ("owning", ROLES))  # 'in state accepted', 'whose driver is'
        after = min(at + 1, words.end - 1)
        if any(said.plays(at, role) and said.plays(after, *next_) for role, next_ in nouns):
            continue
        known = said.plays(at, "quantifiers", "counting", "about_front", "denying", *SAYING_NOTHING)
        asked = said.plays(at, "question_words") and not known
        may = bool(kinds) and at > kinds[0] and said.plays(at, "allowing") and not known
        if asked or may or said.plays(at, *_ASKING_NO_LIST):
            return True
    return _counts_others(words)


def _counts_others(words: Listed) -> bool:
    """Tell of 'how many months is a consent valid?' that it counts no documents."""
    said = words.said
    told = ("counting", "dated", *listed_kinds(), *SAYING_WHICH, *SAYING_NOTHING)
    for place in words.find("counting"):
        after = range(place + words.length(place, "counting"), words.end)
        named = (at for at in after if said.is_content(at) and words.token(at).number is None)
        first = next(named, None)
        if first is not None and not said.plays(first, *told):
            return True
    return False
