"""A part of a question as a whole question: with what it leaves out, or calls 'it'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.reading.clause_coreference import ClauseAntecedent, Resolver, antecedents
from elysia_guard.reading.clauses import OF_TERMS, Clause, Joint, Mood
from elysia_guard.reading.tagged import Wording

_CLOSING = " ?!.,;:\u2026-\u2013\u2014"
_LEAST = 2
"""Words that name something, in a question that may stand by itself after one about a name."""
_LONGEST = 4
"""Words of what a question asks the meaning of, or is about, where it is no term that is known."""
_REFERRING = ("thing", "things", "owning", "adverbial", "demonstratives")
_OPEN = (*_REFERRING, "sequels", "rests", "definite")
"""Roles of words that refer to what was said."""


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
    return _finished(f"{_text(group)} {_stretch(other._replace(start=start))}")


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
        rest = _stretch(Clause(group.said, asking.head, asking.end, asking.joint))
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
            unknown = _stretch(Clause(group.said, asked.start, asked.stop, Joint.NONE))
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
        return _stretch(said_first) if said_first else next(iter(documents.values()))
    if documents or not first.leading or (asking.spans and asking.mood is not Mood.NOUN):
        return ""
    lead, after = first.leading[0], first.clauses[1]
    names = len(lead.content) == len(lead.places) < _LONGEST and not lead.asks
    topical = lead.mood is Mood.MENTION or (after.joint is Joint.COLON and names)
    return _stretch(lead) if topical else ""


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
    counted = _stretch(Clause(said, start, end, Joint.NONE))
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
    return _stretch(Clause(group.said, start, asking.end, asking.joint))


def _stretch(clause: Clause) -> str:
    said, end = clause.wording, clause.end
    return said.text[said.tokens[clause.start].start : said.tokens[end - 1].end]


def _finished(text: str) -> str:
    bare = " ".join(text.split()).strip(_CLOSING)
    return f"{bare} ?" if bare.endswith("=") else f"{bare}?"
