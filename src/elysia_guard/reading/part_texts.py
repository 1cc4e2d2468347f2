"""A part of a question as a whole question: with what it leaves out, or calls 'it'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from elysia_guard.reading.clauses import OF_TERMS, Clause, Joint, Mood
from elysia_guard.reading.named_before import Antecedent, Resolver, antecedents
from elysia_guard.reading.part_groups import Group, of_meaning
from elysia_guard.reading.tagged import Wording

_CLOSING = " ?!.,;:\u2026-\u2013\u2014"
_LONGEST_TOPIC = 3
"""Words in front of a colon that may be what the question is about."""
_LEAST = 2
"""Words that name something, in a question that may stand by itself after one about a name."""
_REFERRING = ("thing", "things", "owning", "adverbial", "demonstratives")
_OPEN = (*_REFERRING, "sequels", "rests", "definite")
"""Roles of words that refer to what was said."""


def one_each(group: Group) -> list[str]:
    """'Define A and B' asks twice; 'compare A and B' once. Nothing where it asks once."""
    said, asking = group.said, group.asking
    if group.documents or asking.has("comparing", "choosing", "between"):
        return []
    found = said.tokens
    places = [place for place in asking.places if found[place].span]
    if not all(
        not found[place].is_word
        or said.plays(place, "meaning", "fillers", "additive", "openers", *OF_TERMS)
        for place in asking.places
    ):
        return []
    if len(places) > 1:
        if not asking.has("meant", *OF_TERMS) or not all(
            _beside(said, *two) for two in pairwise(places)
        ):
            return []
        known, first, last = antecedents(said, asking.places), found[places[0]], found[places[-1]]
        return [
            _asked(said, asking.head, first.start, each, last.end, asking.end) for each in known
        ]
    known = antecedents(said, range(asking.start))
    both = [place for place in asking.places if said.plays(place, "things")]
    if places or len({each.means for each in known}) < _LEAST or len(both) != 1:
        return []
    taken = found[both[0]]
    return [_asked(said, asking.head, taken.start, each, taken.end, asking.end) for each in known]


def following(group: Group, earlier: Sequence[Group]) -> list[str] | None:
    """Write a group as a whole question; None where it cannot stand without those before."""
    if not earlier:
        return [_finished(_text(group))]
    said, asking = group.said, group.asking
    if (place := earlier[-1].slot(asking)) is not None:
        return _in_slot(earlier[-1], place, asking)
    known = [*_known(earlier), *_known([group], leading=True)]
    found = Resolver(asking, known).resolve()
    if (found.replaced or _is_independent(asking)) and not found.open:
        return [_finished(_gapped(earlier[-1], asking, found.text))]
    if about := _subject(group, earlier):
        return [
            _finished(f"{about}: {_stretch(Clause(said, asking.head, asking.end, asking.joint))}")
        ]
    if counted := _counted(earlier[-1], asking):
        return [_finished(counted)]
    apart = all(map(_is_of_names, earlier)) and len(asking.content) >= _LEAST
    return [_finished(found.text)] if apart and not asking.has(*_OPEN) else None


def alone(group: Group) -> str:
    """The only question of a text with what it was said to be about; '' where that is not sure."""
    if not group.leading:
        return ""
    first = group.clauses[group.ask]
    end = first.end
    for clause in group.clauses[group.ask + 1 :]:
        if clause.joint is Joint.STOP or clause.mood is Mood.STATEMENT:
            break
        end = clause.end
    asking = Clause(first.wording, first.start, end, first.joint)
    if (
        asking.spans
        or not first.asks
        or (first.mood is Mood.CHOICE and group.said.is_content(first.head))
    ):
        return ""
    known = _sure(group)
    if known and not known[0].is_document and not _only_meaning(asking):
        return ""
    found = Resolver(asking, known, strict=True).resolve() if known else None
    return _finished(found.text) if found and found.replaced and not found.open else ""


def first_of_two(group: Group, after: Group) -> str:
    """'status and owner of ADR-12': what the second is of, the first is of too; '' otherwise."""
    said, asking, other = group.said, group.asking, after.asking
    places = [place for place in other.places if said.tokens[place].span]
    if group.means or other.mood is not Mood.NOUN or not places:
        return ""
    start = places[0]
    while start > other.head and not said.is_content(start - 1):
        start -= 1
    if start == other.head or not said.plays(asking.end - 1, "asked_nouns", *OF_TERMS):
        return ""
    tail = said.text[said.tokens[start].start : said.tokens[other.end - 1].end]
    return _finished(f"{_text(group)} {tail}")


def _known(groups: Sequence[Group], *, leading: bool = False) -> list[Antecedent]:
    """What may be called 'it': documents, and terms of which only the meaning was asked."""
    known = []
    for group in groups:
        asked = of_meaning(group.asking)
        both = bool(group.leading) and group.asking.has("things")
        others = _names_others(group) and not asked
        for clause in group.leading if leading else group.clauses:
            topic = clause.mood is Mood.MENTION
            for each in antecedents(group.said, clause.places):
                told = bool(asked) and not each.is_document
                background = others or (each.background and not told)
                if each.is_document or asked or topic or both:
                    known.append(replace(each, background=background))
        if asked and not (leading or group.means):
            first, last = group.said.tokens[asked[0]], group.said.tokens[asked[-1]]
            unknown = group.said.text[first.start : last.end]
            known.append(Antecedent(unknown, unknown))
    return known


def _is_of_names(group: Group) -> bool:
    """Tell whether a group asks of a document, of a meaning, or for a list; not of a matter."""
    return bool(group.documents or of_meaning(group.asking)) or group.asking.has("counting")


def _only_meaning(asking: Clause) -> bool:
    """'What is that?', 'wofür steht das': asks for nothing but a meaning."""
    small = ("meaning", "fillers", *_REFERRING)
    return not any(not asking.wording.plays(place, *small) for place in asking.content)


def _names_others(group: Group) -> bool:
    """Tell whether what is asked names things of its own, which 'it' may mean instead."""
    said, asking = group.said, group.asking
    return (
        any(
            said.plays(place, "indefinite", "definite", "counting", "question_words")
            and place + 1 < asking.end
            and said.is_content(place + 1)
            and not said.plays(place + 1, "asked_nouns", "kind_nouns")
            for place in asking.places
        )
        and not asking.spans
    )


def _sure(group: Group) -> list[Antecedent]:
    """The one thing that a text says before it asks, if it says it plainly."""
    said, lead = group.said, range(group.leading[0].start, group.leading[-1].end)
    known = antecedents(said, lead)
    quoted = any(said.tokens[place].is_mention and not said.tokens[place].span for place in lead)
    if quoted or len({each.means for each in known}) != 1:
        return []
    if any(said.plays(place, "indefinite") for place in lead) and known[0].is_document:
        return []
    if known[0].is_document or group.leading[-1].mood is Mood.MENTION:
        return known
    place = next(place for place in lead if said.tokens[place].span)
    before = place - 1
    while before in lead and said.plays(before, "definite", "indefinite", "adverbs"):
        before -= 1
    speech = any(
        said.roles[at].get("spoken", 0) == before - at + 1
        for at in range(max(before - 3, 0), before + 1)
    )
    asked_inside = any(said.plays(at, "question_words") for at in lead)
    return known if speech and not asked_inside else []


def _is_independent(clause: Clause) -> bool:
    """Tell whether a clause asks of something of its own: a mention, a kind, what a word means."""
    said = clause.wording
    if any(span.is_document for span in clause.spans) or of_meaning(clause):
        return True
    kinds = [place for place in clause.places if said.plays(place, "kind_nouns")]
    if kinds and not any(said.plays(place - 1, "definite", "demonstratives") for place in kinds):
        return True
    return bool(clause.spans) and not clause.has(*_OPEN)


def _subject(group: Group, earlier: Sequence[Group]) -> str:
    """What a part that names nothing is about: the one document, or what was said first."""
    known = [*_known(earlier), *_known([group], leading=True)]
    documents = {each.means: each.text for each in known if each.is_document}
    asking, first = group.asking, earlier[0]
    if len(documents) == 1:
        said_first = next((each for each in first.leading if each.spans), None)
        return _stretch(said_first) if said_first else next(iter(documents.values()))
    if documents or not first.leading:
        return ""
    lead, after = first.leading[0], first.clauses[1]
    topical = lead.mood is Mood.MENTION or (
        after.joint is Joint.COLON
        and len(lead.content) == len(lead.places) <= _LONGEST_TOPIC
        and not lead.asks
    )
    open_ = asking.mood is Mood.NOUN or not asking.spans
    return _stretch(lead) if topical and open_ else ""


def _counted(before: Group, asking: Clause) -> str:
    """'How many principles are there, and which is the newest?': of the principles."""
    said, counting = before.said, before.asking
    place = next((at for at in counting.places if said.plays(at, "counting")), None)
    if place is None:
        return ""
    start = end = place + said.roles[place]["counting"]
    nominal = not said.plays(place, "question_words")
    while end < counting.end and (nominal or said.is_content(end)):
        end += 1
    if start == end:
        return ""
    counted = said.text[said.tokens[start].start : said.tokens[end - 1].end]
    means = Antecedent(counted, counted)
    found = Resolver(asking, [means], plural=True).resolve()
    newest = [at for at in asking.places if said.plays(at, "superlatives")]
    if newest and newest[-1] == asking.end - 1:
        return found.text if found.replaced else f"{found.text} {counted}"
    return found.text if found.replaced and asking.mood is Mood.COMMAND else ""


def _in_slot(before: Group, place: int, asking: Clause) -> list[str] | None:
    """'Who owns the VPN decision, and its successor?': who owns the successor of it."""
    said = before.said
    found = Resolver(asking, _known([before])).resolve()
    start = said.tokens[before.asking.head].start
    return (
        [_finished(f"{said.text[start : said.tokens[place].start]}{found.text}")]
        if found.replaced
        else None
    )


def _gapped(before: Group, asking: Clause, text: str) -> str:
    """'What is an A, what a B': the verb is that of the first."""
    said, head, first = asking.wording, asking.head, before.asking.head
    small = said.is_content(head + 1) or asking.has("auxiliaries", "perfect", "contracted")
    verb = first + 1
    if small or asking.mood is not Mood.QUESTION or not said.plays(verb, "auxiliaries"):
        return text
    if said.tokens[head].word != said.tokens[first].word or len(asking.content) > 1:
        return text
    word, rest = text[: len(said.tokens[head].text)], text[len(said.tokens[head].text) :]
    return f"{word} {said.tokens[verb].text}{rest}"


def _beside(said: Wording, one: int, other: int) -> bool:
    between = range(one + 1, other)
    return any(said.plays(place, "additive") or said.tokens[place].word == "," for place in between)


def _asked(said: Wording, head: int, until: int, each: Antecedent, after: int, end: int) -> str:
    before = said.text[said.tokens[head].start : until]
    return _finished(f"{before}{each.bare}{said.text[after : said.tokens[end - 1].end]}")


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
