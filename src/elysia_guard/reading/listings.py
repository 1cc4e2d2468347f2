"""Questions for a list of documents, or for how many there are: what is listed, in what order.

A question is read word by word: kinds, filters and order take their words, and what is left is the
topic, where the question says that it is one. Else it is no list that could be given in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Lang, Owner, Scope
from elysia_guard.domain.reading import Listing, Order, Unclear
from elysia_guard.language.kinds import numbered
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.reading.clauses import Clause, clauses
from elysia_guard.reading.listing_fillers import (
    SAYING_WHICH,
    asks_more,
    asks_otherwise,
    begin_of,
    fillers,
    names_matter,
    narrows,
)
from elysia_guard.reading.listing_filters import (
    named_owner,
    take_language,
    take_owner,
    take_party,
    take_period,
    take_titled,
)
from elysia_guard.reading.listing_statuses import registered, take_statuses
from elysia_guard.reading.listing_words import Listed, listed_kinds, topic_of
from elysia_guard.reading.tagged import Mention, Spotted, wording

_ANYTHING = ("everything", "anything")
_ENDS = " ?!."
_MOST = 99
"""How many documents are asked for by number: a larger one is a year."""
_OF_ONE = ("auxiliaries", "definite", "indefinite", "demonstratives", "allowing", "telling")
"""Roles of words that are said of one document, or of what it says."""
_NEAR = 4
"""Words within which 'newest' stands beside what it is said of."""


def listing(
    text: str,
    *,
    lang: Lang,
    spans: Sequence[Spotted] = (),
    given: DocumentKind | None = None,
    documents: Sequence[Document] = (),
) -> Listing | Unclear | None:
    """Return which documents a question asks a list or the number of; None where it asks none.

    'Only the accepted ones' narrows a list that is not there: that is unclear.

    Args:
        text: one question.
        lang: its language.
        spans: the terms and documents that stand in it.
        given: the kind that is meant where none is named.
        documents: the catalogue, for statuses that no language knows: 'on hold'.

    >>> found = listing("the three newest ADRs", lang="en")
    >>> found.order, found.first
    (<Order.NEWEST: 'newest'>, 3)
    """
    titles = [text[span.start : span.end] for span in spans if Mention.of(span).is_document]
    if any(char.isdigit() for title in titles for char in title):
        return None
    said = wording(text, lang, (), "listings", quotes=False)
    if given is None and narrows(said):
        return Unclear(word=text.strip(_ENDS))
    found = clauses(said)
    main = next((c for c in found if c.has(*listed_kinds())), None)
    main = main or next((c for c in found if c.has(*_ANYTHING) or (given and c.asks)), None)
    if main is None:
        return None
    dropped = fillers(found, main)
    idle = (each for each in found if not (each.content or each.has(*SAYING_WHICH)))
    dropped += [each for each in idle if each is not main and each not in dropped]
    kept = [each for each in found if each not in dropped]
    words = Listed(main.wording, begin_of(kept[0]), kept[-1].end, registered(documents))
    for each in dropped:
        words.used.update(each.places)
    if asks_more(kept, main) or asks_otherwise(words, main) or any(map(_relates, kept)):
        return None
    read = _read(words, main, given, documents)
    if read is None or not all(title in read.topic for title in titles):
        return None
    bare = not read.topic and read.filters == Scope(approval=read.filters.approval)
    return None if bare and names_matter(dropped) else read


def _relates(clause: Clause) -> bool:
    """Tell whether documents of one kind are asked for by those of another: 'replaced by a policy'.

    Kinds that are listed together stand in clauses of their own: 'decisions and policies'.
    """
    said = clause.wording
    kinds = (role for at in clause.places for role in numbered() if said.plays(at, role))
    return len(set(kinds)) > 1


def _orders_twice(words: Listed) -> bool:
    """Tell whether one end of a list is not all that is asked: 'the oldest and newest policy'."""
    near = words.find(*(each.value for each in Order))
    near = [at for at in near if at - 1 not in near or not words.said.plays(at, "leading")]
    orders = {each for each in Order for at in near if words.said.plays(at, each.value)}
    of_which = any(words.said.plays(at, "of_which") for at in words.places)
    between = range(near[0], near[-1]) if near else ()
    twice = len(orders) > 1 or any(words.said.plays(at, "all_of") for at in between)
    return bool(near) and (of_which or twice)


def _read(
    words: Listed, main: Clause, given: DocumentKind | None, documents: Sequence[Document]
) -> Listing | None:
    if _orders_twice(words):
        return None
    counted = words.take_all("counting")
    order, first = _order(words)
    places = words.find(*listed_kinds()) or words.find(*_ANYTHING)
    kinds, approval, recorded = _kinds(words, given)
    titled = take_titled(words)
    scope = Scope(
        lang=take_language(words),
        party=take_party(words, documents),
        owner=take_owner(words),
        approval=approval,
        recorded=recorded,
    )
    statuses, denied = take_statuses(words)
    if len(statuses) > 1 and (approval or (words.find("each_of") and not words.find("any_of"))):
        return None  # 'both accepted and superseded', 'proposed ones with an accepted record'
    since, until = take_period(words)
    scope = replace(
        scope, statuses=statuses, denied=denied, since=since, until=until, titled=bool(titled)
    )
    topic = topic_of(words, main, places)
    if topic is None and scope.owner is None and (name := named_owner(words)):
        scope = replace(scope, owner=Owner(written=name, said=False, topic=""))
        topic = name if topic_of(words, main, places) == "" else None
    if topic is None or not kinds or (titled and topic) or words.find("titled"):
        return None
    if _excludes(words):
        return None
    filtered = scope != Scope(approval=approval)
    if not (counted or order or _is_asked(words, places, filtered=filtered, topic=topic)):
        return None
    return Listing(
        kinds=kinds,
        topic=titled or topic,
        filters=scope,
        order=order,
        first=first,
        counted=counted,
    )


def _excludes(words: Listed) -> bool:
    """'Another language than English', 'any year but 2025': what is named is not wanted."""
    said = words.said
    others = [at for at in words.places if said.plays(at, "other")]
    for at in (at for at in words.places if others and at > others[0]):
        if not said.plays(at, "than"):
            continue
        for named in words.near(at + 1, 0, 2):  # an article may stand before it
            roles = said.roles[named]
            if words.token(named).number or any(role.startswith("lang_") for role in roles):
                return True
    return False


def _kinds(
    words: Listed, given: DocumentKind | None
) -> tuple[tuple[DocumentKind, ...], bool | None, bool | None]:
    """The kinds that are named, and whether their approval records are meant: alone, or too.

    Last whether they are to have one.
    """
    said, named, records = words.said, list[DocumentKind](), list[int]()
    places = words.find(*listed_kinds())
    for place in places:
        if place in words.used:
            continue
        role = max(listed_kinds(), key=lambda kind: words.length(place, kind))
        words.take(place, role)
        named += [kind for kind in numbered() if kind == role]
        if role == "record" and not _is_left_out(words, place, places):
            records.append(place)
    if named and any(_is_had(words, place) for place in records):
        recorded = _recorded(words, records[0]) if len(records) == 1 else None
        return (tuple(dict.fromkeys(named)) if recorded is not None else ()), False, recorded
    general = places[:1] and said.plays(places[0], "document")
    if named and general and words.take_all("including"):
        return own_kinds().every, False, None  # 'all documents, also principles'
    if named:
        beside = any(
            said.plays(at, "additive", "including")
            for place in records
            for at in words.near(place, 3)
        )
        return tuple(dict.fromkeys(named)), None if beside else bool(records), None
    if records:
        return tuple(numbered()), True, None
    if given:
        return (given,), False, None
    return (own_kinds().every if places or words.take_all(*_ANYTHING) else ()), False, None


def _is_had(words: Listed, place: int) -> bool:
    """'That have an approval record', 'decisions without approval records': no record is listed."""
    said, one = words.said, not words.said.plays(place, "many")
    if place - 1 > words.start and said.plays(place - 1, "denying"):
        one = one or said.plays(place - 2, *listed_kinds())
    roles = ("having", "denying", "indefinite") if one else ("having",)
    for at in reversed(words.near(place, _NEAR)):
        if said.plays(at, *roles):
            return True
        if not said.tokens[at].is_word or said.plays(at, *listed_kinds(), "including", "about"):
            return False
    return False


def _recorded(words: Listed, place: int) -> bool | None:
    """Whether documents are to have a record; None where more is said of it: 'no accepted one'."""
    said, had, denied = words.said, False, False
    for at in reversed(words.near(place, _NEAR)):
        if not said.tokens[at].is_word or said.plays(at, *listed_kinds()):
            break
        if said.plays(at, "denying", "having"):
            had, denied = True, denied or said.plays(at, "denying")
            words.take(at, "denying", "having")
        elif said.is_content(at) and not said.plays(at, "empty"):
            return not denied if had else None
    return not denied


def _is_left_out(words: Listed, place: int, places: Sequence[int]) -> bool:
    """'Not the approvals', 'approval records left out'."""
    after = place + words.length(place, "record")
    has = after < words.end and words.said.plays(after, "having")
    if has or _is_had(words, place):
        return False
    denied = [at for at in words.near(place, _NEAR, _NEAR + 2) if words.said.plays(at, "denying")]
    others = any(words.said.plays(at, *numbered()) for at in places)
    for at in denied if others else ():
        words.take(at, "denying")
    return others and bool(denied)


def _order(words: Listed) -> tuple[Order | None, int]:
    """The order that is asked for, and how many from its beginning; 0 for all."""
    kinds = words.find(*listed_kinds(), *_ANYTHING)
    dated = bool(words.find("date_words"))
    order, first = None, 0
    for each in Order:
        for place in words.find(each.value):
            end = place + words.length(place, each.value)
            number = _number(words, (place - 1, end, *(at - 1 for at in kinds)))
            leads = end < words.end and words.said.plays(end, "leading")  # 'newest first'
            near = leads or dated or order or any(abs(place - kind) <= _NEAR for kind in kinds)
            timed = any(words.said.plays(at, "times") for at in words.near(end, 0, 2))
            if timed or not (near or number):
                continue
            words.take(place, each.value)
            if leads:
                words.take(end, "leading")
            if order is None or number:
                order, first = each, number
    if order is None:
        return None, 0
    words.take_all("date_words")
    many = any(words.said.plays(at, "many") for at in kinds)
    return order, first or (0 if many else 1)


def _number(words: Listed, beside: Sequence[int]) -> int:
    """The number beside 'newest', 0 where there is none."""
    for at in beside:
        number = words.number(at) if words.start <= at < words.end else 0
        # Neither 'the newest one' nor 'the 2024 decisions'.
        if 0 < number <= _MOST and (number > 1 or words.token(at).number):
            words.used.add(at)
            return number
    return 0


def _is_asked(words: Listed, places: Sequence[int], *, filtered: bool, topic: str) -> bool:
    """Tell whether all that fit are asked for, and not something that one of them says."""
    said = words.said
    if any(said.plays(at, "many") for at in places):
        return True
    if places and (filtered or topic):
        if said.plays(places[0], "everything"):
            return True
        if said.plays(places[0], "anything"):
            return any(said.plays(at, "existing") for at in words.places)
    if (
        places
        and filtered
        and not topic
        and not any(said.plays(at, *_OF_ONE) for at in words.places)
    ):
        return True  # 'ADR from 2024'
    every = any(_is_every(words, at, place) for place in places for at in words.near(place, _NEAR))
    return every or any(said.plays(at, "listing") for at in words.places)


def _is_every(words: Listed, place: int, kind: int) -> bool:
    """'Every single policy', not 'all about the policy'."""
    between = range(place + 1, kind)
    one = any(words.said.plays(at, "about", "definite") for at in between)
    return words.said.plays(place, "universal") and not one
