"""What a list holds, in the reader's words: 'principles written in Dutch, since 2024'."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.evidence import Property
from elysia_guard.domain.question import Lang, Question, Scope
from elysia_guard.domain.reading import Listing
from elysia_guard.domain.refusal import Suggestion
from elysia_guard.language.catalogue import called, say
from elysia_guard.language.text import own_words

_ORDER = (Property.LANG, Property.STATUS, Property.OWNER, Property.DATE)


def listed(listing: Listing, owners: Sequence[str], question: Question, *, count: int) -> str:
    """Name the documents of a list by their kind and by what they are restricted to."""
    lang = question.lang
    name = noun(listing, lang, count=count)
    told = [restricted(listing, each, owners, lang) for each in _ORDER]
    if topic := listing.topic_beside(owners):
        told.append(say(lang, "list.topic", topic=own_words(topic, question.text)))
    restrictions = ", ".join(item for item in told if item)
    return f"{name} {restrictions}" if restrictions else name


def way_on(place: int, suggestion: Suggestion, lang: Lang) -> str:
    """Write one of several questions to ask instead, by its place from 1: a message may pick it."""
    asked = say(lang, "suggest.ask", question=suggestion.question)
    return f"{place}. {suggestion.label} {asked}" if suggestion.label else f"{place}. {asked}"


def noun(listing: Listing, lang: Lang, *, count: int) -> str:
    """Name the documents of a list by their kind alone: 'principles'."""
    kinds = listing.kinds
    kind = kinds[0].value if len(kinds) == 1 else DocumentKind.DOCUMENT.value
    name = "record" if listing.filters.approval else kind
    return say(lang, f"list.{name}_one" if count == 1 else f"list.{name}_many")


def restricted(listing: Listing, by: Property, owners: Sequence[str], lang: Lang) -> str:
    """Say what a property of listed documents is restricted to; empty where it is not."""
    scope = listing.filters
    if by is Property.LANG and scope.lang:
        return say(lang, "list.lang", language=called(lang, scope.lang))
    if by is Property.STATUS:
        return _in_status(scope, lang)
    if by is Property.OWNER and owners:
        return say(lang, "list.owner", owners=_either(owners, lang))
    if by is Property.DATE and (scope.since or scope.until):
        return _period(scope.since, scope.until, lang)
    return ""


def _in_status(scope: Scope, lang: Lang) -> str:
    wanted = {"list.status": scope.statuses, "list.denied": scope.denied}
    said = (say(lang, key, statuses=_either(each, lang)) for key, each in wanted.items() if each)
    return " ".join(said)


def _period(since: str, until: str, lang: Lang) -> str:
    if since == until:
        return say(lang, "list.period", since=since)
    if since and until:
        return say(lang, "list.between", since=since, until=until)
    return say(lang, "list.since", since=since) if since else say(lang, "list.until", until=until)


def _either(names: Sequence[str], lang: Lang) -> str:
    """'deprecated', 'deprecated or rejected'."""
    *others, last = names
    return say(lang, "list.or", first=", ".join(others), last=last) if others else last
