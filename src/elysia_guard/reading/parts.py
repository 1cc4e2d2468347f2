"""What a question asks, one thing at a time: its parts, each a whole question.

A question is cut where a clause begins that asks something by itself, and nowhere else: not within
a mention, a quotation, or between names that one verb takes together. What a later part leaves out
or calls 'it' is put in from what came before (`part_texts`). In doubt it is one part.
"""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.question import Lang
from elysia_guard.reading.clauses import Clause, Joint, Mood, clauses
from elysia_guard.reading.part_groups import Group
from elysia_guard.reading.part_texts import alone, first_of_two, following, one_each
from elysia_guard.reading.tagged import Spotted, wording

_ASKING = (Mood.QUESTION, Mood.CHOICE, Mood.COMMAND)


def split(text: str, *, lang: Lang, spans: Sequence[Spotted] = ()) -> tuple[str, ...]:
    """Return the whole questions that a text asks; the text as it is where it asks but one.

    One question that says before what it is about is put into one sentence, where that is sure.

    Args:
        text: what was typed.
        lang: its language.
        spans: the terms and documents that stand in it.

    >>> split("How many principles are there and what is a prosumer?", lang="en")
    ('How many principles are there?', 'what is a prosumer?')
    """
    said = wording(text, lang, spans, "comparisons", "relations")
    found = clauses(said)
    groups = _grouped(found)
    if len(groups) > 1:
        parts = tuple(dict.fromkeys(_written(groups)))
        return parts if len(parts) > 1 else (text,)
    if not groups:
        return (text,)
    parts = tuple(one_each(groups[0]))
    return parts or (alone(groups[0]) or text,)


def _written(groups: Sequence[Group]) -> list[str]:
    """Write each group as a whole question; one that cannot stand joins the one before."""
    parts: list[str] = []
    for place, group in enumerate(groups):
        earlier = groups[:place]
        after = groups[place + 1] if place + 1 < len(groups) else None
        written = one_each(group) or following(group, earlier)
        if written is None:
            joined = earlier[-1].joined(group)
            return _written([*earlier[:-1], joined, *groups[place + 1 :]])
        if len(written) == 1 and after and (shared := first_of_two(group, after)):
            written = [shared]
        parts += written
    return parts


def _grouped(found: Sequence[Clause]) -> list[Group]:
    """Put clauses together that ask one thing; clauses that ask nothing go with the next."""
    groups: list[Group] = []
    current: list[Clause] = []
    ask = -1
    for place, clause in enumerate(found):
        begins = ask >= 0 and _begins(Group(tuple(current), ask), clause, found[place + 1 :])
        if ask >= 0 and clause.asks and _is_occasion(current, current[ask], clause):
            ask = -1
        elif begins:
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
    within = ask.joint not in (Joint.NONE, Joint.STOP)
    return ask.mood is Mood.WISH or within


def _is_fragment(before: Sequence[Clause], clause: Clause) -> bool:
    """'PCP-0022: nog geldig' asks, though no word says so."""
    last = before[-1] if before else clause
    return clause.joint is Joint.COLON and last.mood is Mood.MENTION and bool(clause.content)


def _begins(group: Group, clause: Clause, rest: Sequence[Clause]) -> bool:
    """Tell whether a clause begins a part of its own, after one that asks already."""
    mood, joint = clause.mood, clause.joint
    if joint is Joint.OR or not _is_whole(group.asking) or _goes_on_comparing(group, clause):
        return False
    if mood is Mood.NOUN:
        return joint not in (Joint.COMMA, Joint.COLON) and _is_noun_beside(group, clause)
    if mood is Mood.CHOICE and joint is Joint.AND and _states(group.clauses[-1]):
        return False
    if mood is Mood.COMMAND and _is_same_list(clause):
        return _is_told_of(group, clause)
    if joint is Joint.AND and _is_of_its_own(group, clause):
        return True
    if mood not in _ASKING or not clause.stands or _is_infinitive(clause):
        return False
    if joint not in (Joint.COMMA, Joint.COLON):
        return True
    return mood is not Mood.CHOICE and (_is_other(group, clause) or _is_in_series(clause, rest))


def _states(clause: Clause) -> bool:
    """'ich solls schreiben und kann es nicht buchstabieren' goes on stating."""
    return clause.mood is Mood.STATEMENT and not clause.asked and clause.joint is not Joint.COLON


def _is_whole(asking: Clause) -> bool:
    """Tell whether what asks is complete, so that another question may follow."""
    if asking.mood is Mood.QUESTION:
        verb = asking.has("auxiliaries", "perfect", "commands", "thing", "contracted")
        gapped = asking.joint is not Joint.NONE and bool(asking.spans)
        return asking.stands and (verb or gapped or len(asking.content) > 1)
    return bool(asking.content) or asking.has("things", "thing")


def _goes_on_comparing(group: Group, clause: Clause) -> bool:
    """'How do 3 and 33 fit together - does one cancel the other?'."""
    if clause.spans or not group.asking.has("comparing", "choosing"):
        return clause.has("comparing") and _ends_verb(clause)
    several = len(group.means) > 1 or len(group.numbers) > 1
    return several and clause.has("comparing", "choosing", "reciprocal", "things", "thing")


def _ends_verb(clause: Clause) -> bool:
    """'kun je 22 en 26 vergelijken': the verb of both stands at the end."""
    return clause.joint is Joint.AND and clause.has("final_commands") and clause.has("comparing")


def _is_infinitive(clause: Clause) -> bool:
    """'Which say how to encrypt and what to log' asks one thing."""
    said = clause.wording
    after = said.after(clause.head, clause.end, "question_words")
    return clause.mood is Mood.QUESTION and after < clause.end and said.plays(after, "infinitive")


def _is_other(group: Group, clause: Clause) -> bool:
    """Tell whether a clause after a mere comma names something that was not named before."""
    return bool(group.means) and any(span.means not in group.means for span in clause.spans)


def _is_in_series(clause: Clause, rest: Sequence[Clause]) -> bool:
    """'Who owns it, what does it cost, and where is it?': the series ends with an 'and'."""
    if clause.mood is not Mood.QUESTION or clause.joint is not Joint.COMMA:
        return False
    following = next((each for each in rest if each.joint is not Joint.COMMA), None)
    joined = following is not None and following.joint is Joint.AND
    return joined and following is not None and following.mood in _ASKING and following.stands


def _is_same_list(clause: Clause) -> bool:
    """'... Bitte auflisten', 'could you list them': the same list again."""
    said = clause.wording
    return all(
        said.plays(place, "kind_nouns", "asked_nouns", "fillers") for place in clause.content
    )


def _is_told_of(group: Group, clause: Clause) -> bool:
    """'How many are there, and name them' asks for a number and a list."""
    return group.asking.has("counting") and clause.has("things") and clause.joint is Joint.AND


def _is_noun_beside(group: Group, clause: Clause) -> bool:
    """Tell whether a thing that is named is wanted too, and not said within what the group asks."""
    asking, said = group.asking, clause.wording
    nouns = [place for place in asking.places if said.plays(place, "asked_nouns", "counting")]
    within = any(place > asking.start and said.plays(place - 1, "topical") for place in nouns)
    if within or (clause.has("owning") and not group.means):
        return False
    if asking.mood in (Mood.NOUN, Mood.COMMAND, Mood.WISH):
        wanted = bool(nouns) or asking.is_of_terms or clause.has("superlatives")
    else:
        wanted = bool(nouns) and not any(place < nouns[0] for place in asking.content)
    named = bool(group.means or clause.spans) or asking.has("counting")
    return named and (wanted or clause.has("owning"))


def _is_of_its_own(group: Group, clause: Clause) -> bool:
    """'synonyms of islanding, and the record of 25'; 'who owns it, and its successor'."""
    if clause.mood is Mood.MENTION:
        documents = any(span.is_document for span in clause.spans)
        return documents and not group.documents and group.asking.is_of_terms
    return clause.mood is Mood.STATEMENT and group.slot(clause) is not None
