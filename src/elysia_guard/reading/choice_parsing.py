"""Choice parsing: a message that picks what was offered is no new question.

Places are said in any language: 'the second', 'option 2', 'de laatste', 'Nummer zwei'.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from elysia_guard.domain.conversation import Choice, Conversation, QuestionBack
from elysia_guard.domain.reading import Definition, Listing, Named, Part, ReadBy, Search
from elysia_guard.language.pack import packs, words_of
from elysia_guard.language.text import normalise, unquote, words
from elysia_guard.reading.naming_words import naming_words

LAST = -1
_MOST_IN_FIGURES = 10
"""A greater number is a document's."""


def resume(text: str, asked: QuestionBack | None) -> Part | None:
    """Return the reading of a message that answers a question back; None where it asks anew.

    A place that the list does not have ('the seventh' of two) asks the same question back again.
    """
    if asked is None:
        return None
    place = position(text)
    if place is None:
        choice = _named(text, asked.choices)
        return _picked(text, asked, choice) if choice else None
    if place == LAST:
        place = len(asked.choices)
    choice = asked.choices[place - 1] if place <= len(asked.choices) else None
    return _picked(text, asked, choice)


def way_on(text: str, conversation: Conversation) -> str | None:
    """Return the question that a message picks from the ways on of the last refusal, if any."""
    offered = conversation.ways_on.questions if conversation.ways_on else ()
    place = position(text) if offered else None
    place = len(offered) if place == LAST else place
    if place and place <= len(offered):
        return offered[place - 1]
    return None


def settle(part: Part, conversation: Conversation) -> Part:
    """Give a term the meaning that was chosen for it earlier in the conversation."""
    asks = part.asks
    if not isinstance(asks, Definition | Search) or asks.uri:
        return part
    uri = conversation.settled.get(normalise(asks.term))
    if not uri:
        return part
    reason = f"{part.reason}; which meaning, was chosen earlier"
    return replace(part, asks=replace(asks, uri=uri), reason=reason)


def _picked(text: str, asked: QuestionBack, choice: Choice | None) -> Part:
    if asked.listing and (link := asked.listing.filters.link):
        chosen = (choice.reference if choice else None) or link.reference
        chosen = replace(chosen, approval=link.reference.approval)
        filters = replace(asked.listing.filters, link=replace(link, reference=chosen))
        return _part(text, replace(asked.listing, filters=filters), f"it picks {chosen.name}")
    if choice and choice.reference:
        asks = Named(references=asked.with_(choice.reference), aspect=asked.aspect)
        reason = f"it picks {choice.reference.name}"
        return _part(text, replace(asks, matter=asked.topic), reason)
    if choice is None and asked.references:
        reason = f"it picks none of the documents that '{asked.subject}' may mean"
        return _part(text, Named(references=asked.references, aspect=asked.aspect), reason)
    picked = f"a meaning of '{asked.subject}'" if choice else "none of the meanings there are"
    uri = choice.uri if choice else ""
    meant = Definition(term=asked.subject, uri=uri, relation=asked.relation, into=asked.into)
    return _part(text, meant, f"it picks {picked}")


def _part(text: str, asks: Named | Definition | Listing, reason: str) -> Part:
    return Part(asks=asks, text=text, reason=reason, read_by=ReadBy.CONVERSATION)


def _named(text: str, choices: tuple[Choice, ...]) -> Choice | None:
    """Return the one choice that a text names: by its URI, a name of its own, or telling words."""
    for choice in choices:
        if choice.uri and unquote(text).strip("<>") == choice.uri:
            return choice
    wanted = normalise(unquote(text))
    exact = [item for item in choices if wanted in map(normalise, item.names)]
    if len(exact) == 1:
        return exact[0]
    told = told_apart(text, [frozenset(words(" ".join(item.names))) for item in choices])
    return None if told is None else choices[told]


@cache
def places() -> dict[str, int]:
    """The place that each word or figure names, in any language."""
    figures = {str(place): place for place in range(1, _MOST_IN_FIGURES + 1)}
    first = dict.fromkeys(words_of(lambda core: core.ordinals.first), 1)
    last = dict.fromkeys(words_of(lambda core: core.ordinals.last), LAST)
    return {**figures, **naming_words().cardinals, **naming_words().ordinals, **first, **last}


@cache
def _around() -> frozenset[str]:
    """Words around a choice that say nothing of which it is."""
    return frozenset(words_of(lambda core: core.ordinals.around))


@cache
def _corrections() -> frozenset[str]:
    """Words that say that something else was meant: 'no, the principle'."""
    tables = (item.table("followups", optional=True) for item in packs().values())
    said = (each for table in tables if table for each in table["opening"]["corrects"])
    return frozenset(each for each in said if len(words(each)) == 1)


def position(text: str) -> int | None:
    """Return the place in a list that a text names, from 1, or -1 for the last; None for none.

    >>> position("The second one, please"), position("nummer twee"), position("the 21st")
    (2, 2, 21)
    """
    found = [word for word in words(text) if word not in _around()] or words(text)
    told = places().get(found[0]) if len(found) == 1 else None
    return told or naming_words().ordinal("".join(found))


def names_only_a_place(text: str) -> bool:
    """Tell whether a text is nothing but a place in a list, in words: 'the second', not '12'.

    >>> names_only_a_place("the second one"), names_only_a_place("12")
    (True, False)
    """
    return position(text) is not None and not any(map(str.isdecimal, words(text)))


def told_apart(text: str, names: list[frozenset[str]]) -> int | None:
    """Return which of several sets of words alone holds every telling word of a text, from 0.

    >>> told_apart("the grid one", [frozenset({"cim", "grid"}), frozenset({"cim", "it"})])
    0
    """
    telling = {word for word in words(text) if word not in _around() | _corrections()}
    fitting = [n for n, known in enumerate(names) if telling <= known]
    return fitting[0] if telling and len(fitting) == 1 else None
