"""The listing stage: all documents of some kinds that pass every restriction of a question.

A restriction is applied, or it is told that it cannot be: none is left out on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from elysia_guard.domain.document import Document, Filters, Passage
from elysia_guard.domain.evidence import (
    About,
    Evidence,
    Match,
    Property,
    Restriction,
    Topics,
    looked_at,
)
from elysia_guard.domain.question import Lang, Question, Role, Scope
from elysia_guard.domain.reading import Listing, Order
from elysia_guard.language.approvals import decided_on, named_as
from elysia_guard.language.dates import in_order
from elysia_guard.language.owners import named_owners, owned
from elysia_guard.language.references import is_linked
from elysia_guard.language.states import has_status
from elysia_guard.language.topics import Topic, TopicMatch, topics_of
from elysia_guard.ports import PassageIndex

HARDLY_LESS_THAN_ALL = 0.9
"""So large a share of the documents listed mentions the house whose documents they are."""
Synonyms = tuple[tuple[str, ...], ...]
Ids = frozenset[str]
_NONE: Ids = frozenset()


async def list_documents(
    index: PassageIndex,
    listing: Listing,
    question: Question,
    synonyms: Synonyms,
    *,
    target: Document | None = None,
) -> Evidence:
    """List the documents of some kinds, in a fixed order, about a topic where one is named.

    An owner is one that documents name; words that name none ('of security') are the topic.
    ``target`` is the document that those of the list are to be linked with.
    """
    among = await index.documents(_filters(listing))
    ownership = await _ownership(index, listing)
    checks = tuple(_checks(listing, ownership, target))
    found = [item for item in among if all(check.admits(item) for check in checks)]
    told = replace(
        ownership,
        restrictions=tuple(check.over(among) for check in checks),
        looked_at=looked_at(listing, question),
    )
    others = [check for check in checks if check.by is not Property.STATUS]
    admitted = [item for item in among if all(check.admits(item) for check in others)]
    overruled: Sequence[Document] = () if ownership.other_owners else [*_overruled(among, checks)]
    if not found and admitted and len(others) < len(checks):
        return replace(told, statuses=_statuses(admitted), overruled=tuple(overruled))
    if ownership.other_owners:
        found = []
    topic, about = listing.topic_beside(ownership.owners), None
    on_topic: Sequence[Document] = found
    if topic:
        on_topic, about = await _on(topic, index, listing, question, synonyms, of=found)
        if overruled:
            overruled, _ = await _on(topic, index, listing, question, synonyms, of=overruled)
    shown = _ordered(on_topic, listing)
    return replace(
        told,
        documents=tuple(shown),
        overruled=tuple(overruled),
        about=about,
        left_out=len(on_topic) - len(shown),
    )


@dataclass(frozen=True, kw_only=True)
class _Check:
    """A property that a list is restricted by: who states it, and whose fits."""

    by: Property
    states: Callable[[Document], bool] = lambda _: True
    fits: Callable[[Document], bool] = lambda _: True

    def admits(self, document: Document) -> bool:
        return self.states(document) and self.fits(document)

    def over(self, documents: Sequence[Document]) -> Restriction:
        silent = sum(not self.states(item) for item in documents)
        return Restriction(by=self.by, among=len(documents), silent=silent)


def _overruled(among: Sequence[Document], checks: Sequence[_Check]) -> Iterator[Document]:
    """Documents that would be listed by what they say of themselves, were there no record."""
    for item in filter(lambda item: item.record, among):
        own = replace(item, status=item.own_status, date=item.own_date, approvals=())
        admitted = (all(check.admits(each) for check in checks) for each in (item, own))
        if tuple(admitted) == (False, True):
            yield item


def _checks(listing: Listing, ownership: Evidence, target: Document | None) -> Iterator[_Check]:
    """Every restriction by what is stated; an order by date leaves out what bears none.

    Kinds and approval are identity.
    """
    scope = listing.filters
    if scope.statuses or scope.denied:
        yield _Check(
            by=Property.STATUS,
            states=lambda item: bool(item.status),
            fits=lambda item: _in_status(item.status, scope),
        )
    if scope.lang:
        yield _Check(
            by=Property.LANG,
            states=lambda item: bool(item.lang),
            fits=lambda item: item.lang.lower().partition("-")[0] == scope.lang,
        )
    if listing.order and not (scope.since or scope.until):
        yield _Check(by=Property.DATE, states=lambda item: bool(in_order(item.date)))
    if scope.since or scope.until:
        yield _Check(
            by=Property.DATE,
            states=lambda item: scope.is_dated(_dates(item)),
            fits=lambda item: scope.is_in_period(_dates(item)),
        )
    if scope.owner and (ownership.owners or scope.owner.topic is None):
        yield _names(ownership.role, ownership.owners)
    if scope.party:
        yield _names(scope.party.role, ownership.parties)
    if scope.recorded is not None:
        yield _Check(by=Property.RECORD, fits=lambda item: bool(item.record) is scope.recorded)
    if scope.link:
        # With a document that is not there none is linked.
        fits = partial(is_linked, scope.link.way, target) if target else lambda _: False
        yield _Check(by=Property.LINK, fits=fits)


def _names(role: Role, names: Sequence[str]) -> _Check:
    return _Check(
        by=Property(role),
        states=lambda item: bool(named_as(role, item)),
        fits=lambda item: not set(named_as(role, item)).isdisjoint(names),
    )


def _dates(document: Document) -> Sequence[str]:
    return [in_order(date) for date in decided_on(document)]


def _ordered(found: Sequence[Document], listing: Listing) -> Sequence[Document]:
    """Put documents in the order of their dates where that is asked, as many as are asked for.

    The date is that of the decision where a record tells it. Of one date none is left out: which
    of them comes first, no source says.
    """
    if listing.order is None:
        return found
    days = [(in_order(item.date), item) for item in found]
    dated = sorted(days, key=lambda each: each[0], reverse=listing.order is Order.NEWEST)
    if not 0 < listing.first < len(dated):
        return [item for _, item in dated]
    last = dated[listing.first - 1][0]
    return [item for at, (day, item) in enumerate(dated) if at < listing.first or day == last]


def _in_status(status: str, scope: Scope) -> bool:
    wanted = not scope.statuses or any(has_status(status, asked) for asked in scope.statuses)
    other = not scope.denied or bool(status)
    return wanted and other and not any(has_status(status, denied) for denied in scope.denied)


def _statuses(documents: Sequence[Document]) -> tuple[str, ...]:
    """Name the statuses that documents have, each once, whatever their case."""
    found = {document.status.casefold(): document.status for document in reversed(documents)}
    return tuple(found[name] for name in sorted(found) if name)


async def _ownership(index: PassageIndex, listing: Listing) -> Evidence:
    """Find whose documents a list asks for, and whom their records are to name."""
    owner, party = listing.filters.owner, listing.filters.party
    every = await index.documents(Filters(approval=None)) if owner or party else ()
    told = owned(every, owner, listing.kinds) if owner else Evidence()
    if party is None:
        return told
    named = [(name, item.kind) for item in every for name in named_as(party.role, item)]
    if found := named_owners(party.written, (name for name, _ in named)):
        return replace(told, parties=found)
    own = {name for name, kind in named if kind in listing.kinds and ", " not in name}
    return replace(told, parties=(party.written,), other_parties=tuple(sorted(own)))


async def _on(
    topic: str,
    index: PassageIndex,
    listing: Listing,
    question: Question,
    synonyms: Synonyms,
    *,
    of: Sequence[Document],
) -> tuple[Sequence[Document], About]:
    """Return those of some documents that are on a topic, and by what.

    A name that hardly any leaves out ('the policies of Acme') is of the house whose documents they
    all are, and restricts nothing.
    """
    finder = _Finder(
        index=index, filters=_filters(listing), documents=of, titles_alone=listing.filters.titled
    )
    found, about = await finder.about(topic, question.lang, synonyms)
    owner = listing.filters.owner  # the topic is nothing but what may be one
    of_house = owner is not None and owner.topic == "" and owner.written[:1].isupper()
    of_house = of_house and not about.titled and about.unmet is None
    if of_house and len(found) - len(about.kindred) >= HARDLY_LESS_THAN_ALL * len(of):
        return of, About(topics=Topics(names=()))
    if listing.order:
        found = [item for item in found if item.id not in about.kindred]
    return found, about


def _filters(listing: Listing) -> Filters:
    """Filter by identity alone; what documents state is checked, so as to tell who is silent."""
    return Filters(kinds=listing.kinds, approval=listing.filters.approval)


# Which of some documents are about the topics of a list, by every text there is


@dataclass(frozen=True, kw_only=True)
class _Borne:
    """Who bears one topic, and how: by ids of documents."""

    found: Mapping[str, TopicMatch]
    titled: Mapping[str, TopicMatch]
    apart: Ids

    def written(self, ids: Ids, *matches: Match) -> tuple[str, ...]:
        """How else than asked some documents write it, each way once."""
        every = [*self.found.items(), *self.titled.items()]
        found = [item for id_, item in every if id_ in ids and item.match in matches]
        ways = {item.written.casefold(): item.written for item in found}
        return tuple(ways[key] for key in sorted(ways) if key)


@dataclass(frozen=True, kw_only=True)
class _Finder:
    """Looks through all texts of ``documents``, or through their titles alone."""

    index: PassageIndex
    filters: Filters
    documents: Sequence[Document]
    titles_alone: bool

    async def about(
        self, written: str, lang: Lang, synonyms: Synonyms
    ) -> tuple[list[Document], About]:
        """Return the documents about what is written, in groups, and by what they are listed.

        Where none is, those that come nearest: by another form, by one of several topics, by its
        words apart. That is another restriction then, and the one that was asked for is unmet. Of
        several topics of which one suffices, those that none bears are.
        """
        asked = topics_of(written, lang)
        each = {name: await self._borne(Topic.of(name, lang, synonyms)) for name in asked.names}
        there = tuple(name for name in asked.names if each[name].found) if asked.any_of else ()
        sought = replace(asked, names=there) if there else asked
        borne = [each[name] for name in sought.names]
        for topics, match in _ways(sought):
            if ids := _ids(topics, match, borne):
                about = self._told(topics, match, ids, borne)
                if (topics, match) != (sought, Match.WORDS):
                    about = replace(about, unmet=sought)
                elif lacking := tuple(name for name in asked.names if name not in sought.names):
                    about = replace(about, unmet=replace(asked, names=lacking))
                among = [item for item in self.documents if item.id in ids | about.kindred]
                return [item for group in about.groups(among) for item in group], about
        return [], About(topics=asked)

    def _told(self, topics: Topics, match: Match, ids: Ids, borne: Sequence[_Borne]) -> About:
        formed = _ids(topics, Match.FORMS, borne)
        kindred = formed - ids if match is Match.WORDS else _NONE
        titled = [frozenset(each.titled) for each in borne]
        return About(
            topics=topics,
            match=match,
            titled=_joined(topics, titled),
            kindred=kindred,
            forms=tuple(each.written(ids, Match.WORDS, match) for each in borne),
            kindred_forms=tuple(
                form for each in borne for form in each.written(kindred, Match.FORMS)
            ),
            apart=0 if match is Match.APART else len(borne[0].apart - formed),
            partly=len(_NONE.union(*(each.found for each in borne)) - formed),
        )

    async def _borne(self, topic: Topic) -> _Borne:
        texts = {item.id: [item.title] for item in self.documents}
        in_titles = self._found(topic, texts)
        titled = {id_: item for id_, item in in_titles.items() if item.match is Match.WORDS}
        passages: dict[str, Passage] = {}
        for words in () if self.titles_alone else topic.sought:
            held = await self.index.holding(words, filters=self.filters)
            passages |= {item.id: item for item in held if item.document.id in texts}
        for passage in passages.values():
            texts[passage.document.id] += (passage.section, passage.text)
        found = self._found(topic, texts)
        apart = (
            each.document.id
            for each in passages.values()
            if each.document.id not in found and topic.words_in(each.in_context, each.document.lang)
        )
        return _Borne(found=found, titled=titled, apart=frozenset(apart))

    def _found(self, topic: Topic, texts: Mapping[str, Sequence[str]]) -> dict[str, TopicMatch]:
        each = ((item.id, topic.found_in(texts[item.id], item.lang)) for item in self.documents)
        return {id_: found for id_, found in each if found}


def _ways(asked: Topics) -> Iterator[tuple[Topics, Match]]:
    """What may be told of a list: what is asked for first, then what comes nearest to it."""
    either = asked if len(asked.names) == 1 else replace(asked, any_of=True)
    for match in (Match.WORDS, Match.FORMS):
        yield asked, match
        yield either, match
    if either is asked:
        yield asked, Match.APART


def _ids(topics: Topics, match: Match, borne: Sequence[_Borne]) -> Ids:
    if match is Match.APART:
        return borne[0].apart
    matches = {Match.WORDS} if match is Match.WORDS else set(Match)
    found = (each.found.items() for each in borne)
    ids = [frozenset(id_ for id_, item in of if item.match in matches) for of in found]
    return _joined(topics, ids)


def _joined(topics: Topics, ids: Sequence[Ids]) -> Ids:
    if topics.any_of:
        return _NONE.union(*ids)
    return frozenset.intersection(*ids) if ids else _NONE
