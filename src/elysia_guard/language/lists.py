"""What a list holds, in the reader's words: 'principles written in Dutch, since 2024'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.evidence import About, Evidence, Match, Property
from elysia_guard.domain.question import Lang, Question, Role, Scope
from elysia_guard.domain.reading import Listing
from elysia_guard.domain.refusal import Suggestion
from elysia_guard.language.catalogue import called, say
from elysia_guard.language.topics import topics_of

_NAMED = frozenset(map(Property, Role))
_FIRST = (Property.LANG, Property.STATUS)
_LAST = (Property.DATE, Property.RECORD, Property.LINK)


def listed(listing: Listing, evidence: Evidence, question: Question, *, count: int) -> str:
    """Name the documents of a list by their kind and by what they are restricted to."""
    lang, about = question.lang, evidence.about
    if about is None and (topic := listing.topic_beside(evidence.owners)):
        about = About(topics=topics_of(topic, lang))
    return _restricted(listing, evidence, lang, about, count=count)


def unmet(listing: Listing, evidence: Evidence, question: Question) -> str:
    """Name the documents asked for, where a list tells of others; empty where it does not."""
    about, lang = evidence.about, question.lang
    if about is None or about.unmet is None:
        return ""
    asked = About(topics=about.unmet)
    return _restricted(listing, evidence, lang, asked, count=0)


def _restricted(
    listing: Listing, evidence: Evidence, lang: Lang, about: About | None, *, count: int
) -> str:
    first, last = (
        [restricted(listing, each, evidence, lang) for each in order] for order in (_FIRST, _LAST)
    )
    told = [*first, *(named for _, named in _named(listing, evidence, lang)), *last]
    if about and about.topics.names:
        key = "list.titled" if listing.filters.titled else "list.topic"
        key = "list.apart" if about.match is Match.APART else key
        told.append(say(lang, key, topics=topics_told(about, lang)))
    return " ".join([noun(listing, lang, count=count), ", ".join(filter(None, told))]).strip()


def topics_told(about: About, lang: Lang) -> str:
    """Name what documents are about, with how else they write it where that suffices."""
    names = about.topics.names
    forms = about.forms or [()] * len(names)
    each = [quoted((name, *also), lang) for name, also in zip(names, forms, strict=True)]
    if about.topics.any_of:
        return _either(each, lang)
    if len(each) > 1:
        each = [f"({told})" if also else told for told, also in zip(each, forms, strict=True)]
    return _either(each, lang, "list.and")


def quoted(names: Sequence[str], lang: Lang) -> str:
    """'"encrypt" or "encrypted"', with the quotation marks of a language."""
    return _either([say(lang, "list.quoted", name=name) for name in names], lang)


def way_on(place: int, suggestion: Suggestion, lang: Lang) -> str:
    """Write one of several questions to ask instead, by its place from 1: a message may pick it."""
    asked = say(lang, "suggest.ask", question=suggestion.question)
    return f"{place}. {suggestion.label} {asked}" if suggestion.label else f"{place}. {asked}"


def noun(listing: Listing, lang: Lang, *, count: int) -> str:
    """Name the documents of a list by their kinds alone: 'policies and principles'."""
    names = [kind.value for kind in listing.kinds]
    if not names or DocumentKind.DOCUMENT in listing.kinds:
        names = [DocumentKind.DOCUMENT.value]
    if listing.filters.approval is not False:
        names = [*(names if listing.filters.approval is None else ()), "record"]
    each = [say(lang, f"list.{name}_one" if count == 1 else f"list.{name}_many") for name in names]
    return _either(each, lang, "list.or" if count == 1 else "list.and")


def _named(listing: Listing, evidence: Evidence, lang: Lang) -> Iterator[tuple[Property, str]]:
    """Say whose documents are listed, and whom their approval records name."""
    party = listing.filters.party
    named = ((evidence.role, evidence.owners), (party.role if party else "", evidence.parties))
    for role, names in named:
        if names:
            yield Property(role), say(lang, f"list.{role}", owners=_either(names, lang))


def restricted(listing: Listing, by: Property, evidence: Evidence, lang: Lang) -> str:
    """Say what a property of listed documents is restricted to; empty where it is not."""
    scope = listing.filters
    if by is Property.LANG and scope.lang:
        return say(lang, "list.lang", language=called(lang, scope.lang))
    if by is Property.STATUS:
        return _in_status(scope, lang)
    if by in _NAMED:
        return dict(_named(listing, evidence, lang)).get(by, "")
    if by is Property.RECORD and scope.recorded is not None:
        return say(lang, "list.recorded" if scope.recorded else "list.unrecorded")
    if by is Property.DATE and (scope.since or scope.until):
        return _period(scope.since, scope.until, lang)
    if by is Property.LINK and scope.link:
        return say(lang, f"list.{scope.link.way}", name=scope.link.reference.name)
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


def _either(names: Sequence[str], lang: Lang, key: str = "list.or") -> str:
    """'deprecated', 'deprecated or rejected'."""
    *others, last = names
    return say(lang, key, first=", ".join(others), last=last) if others else last
