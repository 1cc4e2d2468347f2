"""What a question asks, one thing at a time: its parts, each a whole question.

A question is cut where a clause begins that asks something by itself, and nowhere else: not within
a mention, a quotation, or between names that one verb takes together. What a later part leaves out
or calls 'it' is put in from what came before (`part_texts`). In doubt it is one part.
"""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.question import Lang
from elysia_guard.reading.clauses import Clause, Joint, Mood, clauses
from elysia_guard.reading.part_texts import Group, first_of_two, following, one_each
from elysia_guard.reading.tagged import Spotted, wording

_ASKING = (Mood.QUESTION, Mood.CHOICE, Mood.COMMAND)


def split(text: str, *, lang: Lang, spans: Sequence[Spotted] = ()) -> tuple[str, ...]:
    """Return the whole questions that a text asks; the text as it is where it asks but one.

    Args:
        text: what was typed.
        lang: its language.
        spans: the terms and documents that stand in it.

    >>> split("How many principles are there and what is a prosumer?", lang="en")
    ('How many principles are there?', 'what is a prosumer?')
    """
    said = wording(text, lang, spans, "comparisons", "relations")
    groups = _grouped(clauses(said))
    if len(groups) > 1:
        parts = tuple(dict.fromkeys(_written(groups)))
        return parts if len(parts) > 1 else (text,)
    if not groups:
        return (text,)
    return tuple(one_each(groups[0])) or (text,)


def _written(groups: Sequence[Group]) -> list[str]:
    """Write each group as a whole question; one that cannot stand joins the one before."""
    parts: list[str] = []
    for place, group in enumerate(groups):
        earlier = groups[:place]
        shared = first_of_two(group, groups[place + 1]) if groups[place + 1 :] else ""
        written = one_each(group) or ([shared] if shared else following(group, earlier))
        if not written:
            joined = earlier[-1].joined(group)
            return _written([*earlier[:-1], joined, *groups[place + 1 :]])
        parts += written
    return parts


def _grouped(found: Sequence[Clause]) -> list[Group]:
    """Put clauses together that ask one thing; clauses that ask nothing go with the next."""
    groups: list[Group] = []
    current: list[Clause] = []
    ask = -1
    for clause in found:
        if ask >= 0 and clause.asks and _is_occasion(current, current[ask], clause):
            ask = -1
        elif ask >= 0 and _begins(Group(tuple(current), ask), clause):
            groups.append(Group(tuple(current), ask))
            current, ask = [], -1
        if ask < 0 and (clause.asks or _is_fragment(current, clause)):
            ask = len(current)
        elif ask < 0 and clause.asked and current:
            ask = 0
        current.append(clause)
    return [*groups, Group(tuple(current), max(ask, 0))] if current else groups


def _is_occasion(before: Sequence[Clause], ask: Clause, clause: Clause) -> bool:
    """'I need a database. Which one do we use?': what stands before only leads up to it."""
    if ask.mood is Mood.NOUN and clause.mood is not Mood.NOUN:
        return clause.joint in (Joint.COLON, Joint.DASH, Joint.COMMA)
    if clause.joint is not Joint.STOP or before[-1].asked:
        return False
    return ask.mood is Mood.WISH or ask.joint not in (Joint.NONE, Joint.STOP)


def _is_fragment(before: Sequence[Clause], clause: Clause) -> bool:
    """'PCP-0022: nog geldig' asks, though no word says so."""
    last = before[-1] if before else clause
    return clause.joint is Joint.COLON and last.mood is Mood.MENTION and bool(clause.content)


def _begins(group: Group, clause: Clause) -> bool:
    """Tell whether a clause begins a part of its own, after one that asks already."""
    mood, apart = clause.mood, clause.joint not in (Joint.COMMA, Joint.COLON)
    if clause.joint is Joint.OR or not _is_whole(group.asking):
        return False
    if clause.has("comparing") and not (clause.spans or clause.has("things")):
        return False  # 'how do 3 and 33 fit together - do they contradict each other'
    if mood is Mood.NOUN:
        return apart and _is_noun_beside(group, clause)
    if mood not in _ASKING or not (clause.stands or clause.has("things")):
        return False
    if mood is Mood.COMMAND and _is_same_list(clause):
        # 'How many are there, and name them' asks for a number and a list.
        return clause.joint is Joint.AND and group.asking.has("counting")
    others = any(span.means not in group.means for span in clause.spans)
    return apart or (mood is not Mood.CHOICE and bool(group.means) and others)


def _is_whole(asking: Clause) -> bool:
    """Tell whether what asks is complete, so that another question may follow."""
    if asking.mood is Mood.QUESTION:
        verb = asking.has("auxiliaries", "perfect", "commands", "thing", "contracted")
        return asking.stands and (verb or len(asking.content) > 1)
    return bool(asking.content) or asking.has("things", "thing")


def _is_same_list(clause: Clause) -> bool:
    """'... Bitte auflisten', 'could you list them': the same list again."""
    said = clause.wording
    return all(
        said.plays(place, "kind_nouns", "asked_nouns", "fillers") for place in clause.content
    )


def _is_noun_beside(group: Group, clause: Clause) -> bool:
    """Tell whether a thing that is named is wanted too, and not said within what the group asks."""
    asking, said = group.asking, clause.wording
    nouns = [place for place in asking.places if said.plays(place, "asked_nouns", "counting")]
    if any(place > asking.start and said.plays(place - 1, "topical") for place in nouns):
        return False
    named = bool(group.means or clause.spans) or asking.has("counting")
    asked = asking.mood in (Mood.NOUN, Mood.COMMAND, Mood.WISH)
    first = bool(nouns) and (asked or not any(place < nouns[0] for place in asking.content))
    wanted = first or asking.is_of_terms or clause.has("superlatives")
    return named and (wanted or (clause.has("owning") and bool(group.means)))
