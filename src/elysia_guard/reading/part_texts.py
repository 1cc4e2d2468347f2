"""What a question asks, one thing at a time: its parts, each a whole question.

A question is cut where a clause begins that asks something by itself, and nowhere else: not within
a mention, a quotation, or between names that one verb takes together. What a later part leaves out
or calls 'it' is put in from what came before. In doubt it is one part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.reading.clause_coreference import ClauseAntecedent, Resolver, antecedents
from elysia_guard.reading.clauses import OF_TERMS, Clause, Joint, Mood, clauses
from elysia_guard.reading.tagged import Spotted, Wording, wording

_ASKING = (Mood.QUESTION, Mood.CHOICE, Mood.COMMAND)
_CLOSING = " ?!.,;:\u2026-\u2013\u2014"
_LEAST = 2
"""Words that name something, in a question that may stand by itself after one about a name."""
_LONGEST = 4
"""Words of what a question asks the meaning of, or is about, where it is no term that is known."""
_REFERRING = ("thing", "things", "owning", "adverbial", "demonstratives")
_OPEN = (*_REFERRING, "sequels", "rests", "definite")
"""Roles of words that refer to what was said."""


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
        parts = tuple(dict.fromkeys(_parts_of(groups)))
        return parts if len(parts) > 1 else (text,)
    if not groups:
        return (text,)
    return tuple(one_each(groups[0])) or (text,)


def _parts_of(groups: Sequence[Group]) -> list[str]:
    """Write each group as a whole question; one that cannot stand joins the one before."""
    parts: list[str] = []
    for place, group in enumerate(groups):
        earlier = groups[:place]
        shared = first_of_two(group, groups[place + 1]) if groups[place + 1 :] else ""
        written = one_each(group) or ([shared] if shared else following(group, earlier))
        if not written:
            joined = earlier[-1].joined(group)
            return _parts_of([*earlier[:-1], joined, *groups[place + 1 :]])
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


class Group(NamedTuple):
    """Clauses that ask one thing: what leads up to it, and from ``ask`` on what asks it."""

    clauses: tuple[Clause, ...]
    ask: int

    @property
    def said(self) -> Wording:
        return self.clauses[0].wording

    @property
    def asking(self) -> Clause:
        """From the clause that asks to the end of the group, as one."""
        first, last = self.clauses[self.ask], self.clauses[-1]
        end = first.wording.before(last.end, first.start + 1, "fillers")
        return Clause(first.wording, first.start, end, first.joint, last.mark)

    @property
    def leading(self) -> tuple[Clause, ...]:
        return self.clauses[: self.ask]

    @property
    def means(self) -> set[object]:
        """What it mentions."""
        return {span.means for clause in self.clauses for span in clause.spans}

    @property
    def has_documents(self) -> bool:
        return any(span.is_document for each in self.clauses for span in each.spans)

    def joined(self, other: Group) -> Group:
        return Group((*self.clauses, *other.clauses), self.ask)


def one_each(group: Group) -> list[str]:
    """'Define A and B' asks twice; 'compare A and B' once. Nothing where it asks once."""
    said, asking = group.said, group.asking
    if not asking.has("meant", *OF_TERMS) or group.has_documents:
        return []
    if asking.has("comparing", "choosing", "between"):
        return []
    small = ("meaning", "fillers", "additive", "openers", *OF_TERMS)
    words = (place for place in asking.places if said.tokens[place].is_word)
    if not all(said.plays(place, *small) for place in words):
        return []
    places = [place for place in asking.places if said.tokens[place].span]
    known = antecedents(said, asking.places)
    if not places:  # 'I mix up A and B, explain both'
        places = [place for place in asking.places if said.plays(place, "things")][:1]
        known = antecedents(said, range(asking.start))
    if not places or len({each.means for each in known}) < _LEAST:
        return []
    before, after = said.tokens[places[0]].start, said.tokens[places[-1]].end
    head, end = said.tokens[asking.head].start, said.tokens[asking.end - 1].end
    asked, rest = said.text[head:before], said.text[after:end]
    return [_finished(f"{asked}{each.bare}{rest}") for each in known]


def first_of_two(group: Group, after: Group) -> str:
    """'Status and owner of ADR-12': what the second is of, the first is of too; '' otherwise."""
    said, asking, other = group.said, group.asking, after.asking
    start = next((place for place in other.places if said.tokens[place].span), other.head)
    while start > other.head and not said.is_content(start - 1):
        start -= 1
    named = said.plays(asking.end - 1, "asked_nouns", *OF_TERMS)
    if group.means or other.mood is not Mood.NOUN or start == other.head or not named:
        return ""
    return _finished(f"{_text(group)} {other._replace(start=start).text}")


def following(group: Group, earlier: Sequence[Group]) -> list[str]:
    """Write a group as a whole question; nothing where it cannot stand without those before."""
    if not earlier:
        return [_finished(_text(group))]
    asking = group.asking
    known = [*_known(earlier), *_known([group], leading=True)]
    found = Resolver(asking, known).resolve()
    if (found.replaced or _is_independent(asking)) and not found.open:
        return [_finished(found.text)]
    if about := _subject(group, earlier, known):
        rest = group.said.written(asking.head, asking.end)
        return [_finished(f"{about}: {rest}")]
    if counted := _counted(earlier[-1], asking):
        return [_finished(counted)]
    apart = len(asking.content) >= _LEAST and not asking.has(*_OPEN)
    return [_finished(found.text)] if apart else []


def _known(groups: Sequence[Group], *, leading: bool = False) -> list[ClauseAntecedent]:
    """What may be called 'it': documents, and terms of which only the meaning was asked."""
    known = []
    for group in groups:
        asked = _of_meaning(group.asking)
        both = bool(group.leading) and group.asking.has("things")
        for clause in group.leading if leading else group.clauses:
            topic = both or bool(asked) or clause.mood is Mood.MENTION
            for each in antecedents(group.said, clause.places):
                behind = each.background and (each.is_document or not asked)
                if each.is_document or topic:
                    known.append(each._replace(background=behind))
        if asked and not (leading or group.means):
            unknown = group.said.written(asked.start, asked.stop)
            known.append(ClauseAntecedent(unknown, unknown))
    return known


def _of_meaning(clause: Clause) -> range:
    """What a clause asks the meaning of, or how it stands to others; nothing where it asks more."""
    said, named = clause.wording, list[int]()
    for place in range(clause.head, clause.end):
        if named and said.plays(place, "backgrounds") and not said.plays(place, "meant"):
            break
        token = said.tokens[place]
        small = said.plays(place, "meaning", "fillers", *OF_TERMS)
        if token.is_mention or (token.is_word and not small):
            named.append(place)
    run = bool(named) and named[-1] - named[0] == len(named) - 1 < _LONGEST
    if not run or not clause.has("meant", *OF_TERMS):
        return range(0)
    if not all(said.tokens[at].is_mention or said.is_content(at) for at in named):
        return range(0)
    definite = said.plays(named[0] - 1, "definite", "demonstratives")
    known = said.tokens[named[0]].is_mention
    return range(named[0], named[-1] + 1) if known or not definite else range(0)


def _is_independent(clause: Clause) -> bool:
    """Tell whether a clause asks of something of its own: a mention, a kind, what a word means."""
    said = clause.wording
    if any(span.is_document for span in clause.spans) or _of_meaning(clause):
        return True
    kinds = [place for place in clause.places if said.plays(place, "kind_nouns")]
    if kinds and not any(said.plays(place - 1, "definite", "demonstratives") for place in kinds):
        return True
    return bool(clause.spans) and not clause.has(*_OPEN)


def _subject(group: Group, earlier: Sequence[Group], known: Sequence[ClauseAntecedent]) -> str:
    """What a part that names nothing is about: the one document, or what was said first."""
    documents = {each.means: each.text for each in known if each.is_document}
    asking, first = group.asking, earlier[0]
    if len(documents) == 1:
        said_first = next((each for each in first.leading if each.spans), None)
        return said_first.text if said_first else next(iter(documents.values()))
    if documents or not first.leading or (asking.spans and asking.mood is not Mood.NOUN):
        return ""
    lead, after = first.leading[0], first.clauses[1]
    names = len(lead.content) == len(lead.places) < _LONGEST and not lead.asks
    topical = lead.mood is Mood.MENTION or (after.joint is Joint.COLON and names)
    return lead.text if topical else ""


def _counted(before: Group, asking: Clause) -> str:
    """'How many principles are there, and which is the newest?': of the principles."""
    said, counting = before.said, before.asking
    place = next((at for at in counting.places if said.plays(at, "counting")), None)
    if place is None:
        return ""
    start = end = place + said.roles[place]["counting"]
    while end < counting.end and said.is_content(end):
        end += 1
    if start == end:
        return ""
    counted = said.written(start, end)
    found = Resolver(asking, [ClauseAntecedent(counted, counted)], plural=True).resolve()
    newest = asking.has("superlatives")
    if newest and not found.replaced:
        return f"{found.text} {counted}"
    return found.text if found.replaced and (newest or asking.mood is Mood.COMMAND) else ""


def _text(group: Group) -> str:
    """The words of a group, with what it is about in front, without what else was said before."""
    asking = group.asking
    apart = asking.joint is Joint.STOP and not asking.has(*_REFERRING)
    start = asking.start if apart else group.clauses[0].start
    return group.said.written(start, asking.end)


def _finished(text: str) -> str:
    bare = " ".join(text.split()).strip(_CLOSING)
    return f"{bare} ?" if bare.endswith("=") else f"{bare}?"
