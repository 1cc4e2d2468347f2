"""Questions for a list of documents, or for how many there are: what is listed, in what order.

A question is read word by word: kinds, filters, order and topic take their words, and where words
are left that nothing explains, it is no list that could be given in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Lang, Owner, Scope
from elysia_guard.domain.reading import Listing, Order
from elysia_guard.reading.clauses import Clause, Joint, clauses
from elysia_guard.reading.listing_asides import (
    SAYING_NOTHING,
    asks_more,
    begin_of,
    counts_others,
    is_aside,
)
from elysia_guard.reading.listing_filters import (
    KINDS,
    Listed,
    named_owner,
    take_language,
    take_owner,
    take_period,
    take_titled,
)
from elysia_guard.reading.listing_statuses import registered, take_statuses
from elysia_guard.reading.tagged import Mention, Spotted, wording

_EVERY = tuple(DocumentKind)
_NAMED = {"decision": _EVERY[0], "principle": _EVERY[1], "policy": _EVERY[2]}
_NEAR = 4
"""Words within which 'newest' stands beside what it is said of."""
_FRAMES = ("listing", "showing", "existing", "quantifiers")


def listing(
    text: str,
    *,
    lang: Lang,
    spans: Sequence[Spotted] = (),
    given: DocumentKind | None = None,
    documents: Sequence[Document] = (),
) -> Listing | None:
    """Return which documents a question asks a list or the number of; None where it asks none.

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
    if any(Mention.of(span).is_document for span in spans):
        return None
    said = wording(text, lang, (), "listings", quotes=False)
    found = clauses(said)
    main = next((c for c in found if c.has(*KINDS)), None)
    others = ("everything", "anything")
    main = main or next((c for c in found if c.has(*others) or (given and c.asks)), None)
    if main is None:
        return None
    return _Reading(found, main, given, registered(documents)).read()


class _Reading:
    """One question for a list, as it is read."""

    def __init__(
        self,
        found: Sequence[Clause],
        main: Clause,
        given: DocumentKind | None,
        statuses: Sequence[str],
    ) -> None:
        self._main, self._given, self._said = main, given, main.wording
        self._kept: list[Clause] = []
        dropped = False
        for each in found:
            goes_on = dropped and each.joint is Joint.AND and not each.has(*KINDS)
            dropped = each is not main and (goes_on or is_aside(each, main))
            self._kept += [] if dropped else [each]
        start, end = begin_of(self._kept[0]), self._kept[-1].end
        self._words = Listed(self._said, start, end, registered=statuses)
        for each in found:
            if each not in self._kept:
                self._words.used.update(each.places)

    def read(self) -> Listing | None:
        words, said = self._words, self._said
        told = any(said.plays(at, "telling", "restricting") for at in words.places)
        if told or asks_more(self._kept, self._main) or counts_others(words):
            return None
        counted = self._take("counting")
        order, first = self._order()
        kinds, approval = self._kinds()
        titled = take_titled(words)
        lang = take_language(words)
        owner = take_owner(words)
        statuses, denied = take_statuses(words)
        since, until = take_period(words)
        scope = Scope(
            statuses=statuses,
            denied=denied,
            lang=lang,
            since=since,
            until=until,
            owner=owner,
            approval=approval,
            titled=bool(titled),
        )
        filtered = scope != Scope(approval=approval)
        topic = titled or self._topic()
        if topic is None and owner is None and (name := named_owner(words)):
            owner = Owner(written=name, said=False, topic="")
            scope, topic = replace(scope, owner=owner), name if self._topic() == "" else None
        if topic is None or not kinds:
            return None
        asked = counted or order is not None or self._is_asked(filtered=filtered, topic=topic)
        if not asked:
            return None
        return Listing(
            kinds=kinds, topic=topic, filters=scope, order=order, first=first, counted=counted
        )

    def _take(self, role: str) -> bool:
        found = self._words.find(role)
        for place in found:
            self._words.take(place, role)
        return bool(found)

    def _kinds(self) -> tuple[tuple[DocumentKind, ...], bool | None]:
        """The kinds that are named, and whether their approval records are meant."""
        words, said = self._words, self._said
        self._places = words.find(*KINDS)
        self._many = any(said.plays(place, "many") for place in self._places)
        named: list[DocumentKind] = []
        records = False
        for place in self._places:
            if place in words.used:
                continue
            if said.plays(place, "record") and self._is_left_out(place):
                words.take(place, "record")
                continue
            role = max(KINDS, key=lambda kind: said.roles[place].get(kind, 0))
            words.take(place, role)
            records = records or role == "record"
            named += [_NAMED[role]] if role in _NAMED else []
        if named:
            return tuple(dict.fromkeys(named)), records
        if records:
            return (DocumentKind.DECISION,), True
        if self._given:
            return (self._given,), False
        anything = words.find("everything", "anything")
        for place in anything:
            words.take(place, "everything", "anything")
        self._places = self._places or anything
        return (_EVERY if self._places else ()), False

    def _is_left_out(self, place: int) -> bool:
        """'Not the approvals', 'approval records left out'."""
        words, said = self._words, self._said
        others = any(said.plays(at, *_NAMED) for at in self._places)
        within = range(max(words.start, place - _NEAR), min(place + _NEAR + 2, words.end))
        denied = [at for at in within if said.plays(at, "denying")]
        if not (others and denied):
            return False
        for at in denied:
            words.take(at, "denying")
        return True

    def _order(self) -> tuple[Order | None, int]:
        words, said = self._words, self._said
        kinds = words.find(*KINDS, "everything", "anything")
        dated = bool(words.find("date_words"))
        best: tuple[Order | None, int] = (None, 0)
        for order in Order:
            for place in words.find(order.value):
                end = place + said.roles[place][order.value]
                near = dated or any(abs(place - kind) <= _NEAR for kind in kinds) or best[0]
                timed = any(said.plays(at, "times") for at in range(end, min(end + 2, words.end)))
                number = self._number(place, end)
                if timed or not (near or number):
                    continue
                words.take(place, order.value)
                if best[0] is None or number:
                    best = order, number
        if best[0] is None:
            return best
        self._take("date_words")
        many = any(said.plays(at, "many") for at in kinds)
        return best[0], best[1] or (0 if many else 1)

    def _number(self, place: int, end: int) -> int:
        """The number beside 'newest', 0 where there is none."""
        words, said = self._words, self._said
        numbers = list(said.pack["numbers"])
        for at in (place - 1, end):
            if words.start <= at < words.end:
                token = said.tokens[at]
                spelt = numbers.index(token.word) + 1 if token.word in numbers else 0
                if number := token.number or (spelt if spelt > 1 else 0):
                    words.used.add(at)
                    return number
        return 0

    def _topic(self) -> str | None:
        """What they are about; '' where nothing is left, None where something is, unexplained."""
        words, said = self._words, self._said
        if self._main.has("adverbial"):
            return self._named_before()
        for place in words.find(*SAYING_NOTHING):
            if not self._is_after_about(place):
                words.take(place, *SAYING_NOTHING)
        fronts = {
            at + step for at in words.find("about") for step in range(said.roles[at]["about"])
        }
        ends = [at for at in words.find("about_end") if at not in fronts]
        for place in ends:
            words.take(place, "about_end")
        left = [at for at in words.places if words.left(at)]
        if not left:
            return ""
        named = self._places[0] if self._places and self._said.plays(self._places[0], *KINDS) else 0
        about = [at for at in words.find("about") if named <= at <= left[0]]
        for place in reversed(about):
            begin = place + said.roles[place]["about"]
            if not any(words.left(at) for at in range(words.start, place)):
                end = min((at for at in ends if at > begin), default=left[-1] + 1)
                return self._from(begin, end, left)
        first = self._places[0] if self._places else words.start
        modifiers = range(left[0], left[-1] + 1)
        if left[-1] == first - 1 and len(modifiers) == len(left) and self._frames():
            return words.text(left[0], first)
        return None

    def _named_before(self) -> str | None:
        """'Fallbacks: which principles are about that?'."""
        lead = [each for each in self._kept if each.start < self._main.start]
        rest = [at for at in self._main.places if self._words.left(at)]
        known = (*SAYING_NOTHING, "about")
        if not lead or not all(self._said.plays(at, *known) for at in rest):
            return None
        return self._words.text(lead[0].start, lead[-1].end)

    def _is_after_about(self, place: int) -> bool:
        before = place - 1
        while before >= self._words.start and self._said.plays(before, "definite", "indefinite"):
            before -= 1
        return before >= self._words.start and any(
            at in self._words.places and at + self._said.roles[at].get("about", 0) == before + 1
            for at in range(max(before - 3, 0), before + 1)
            if self._said.plays(at, "about")
        )

    def _from(self, begin: int, end: int, left: Sequence[int]) -> str | None:
        """The topic from a place on, if it holds all words that are left."""
        begin = self._said.after(begin, end, "definite")
        if begin >= end or left[-1] >= end:
            return None
        return self._words.text(begin, end)

    def _frames(self) -> bool:
        return any(self._said.plays(at, *_FRAMES) for at in self._words.places) or self._many

    def _is_asked(self, *, filtered: bool, topic: str) -> bool:
        """Tell whether all that fit are asked for, and not something that one of them says."""
        words, said = self._words, self._said
        if self._many:
            return self._frames() or filtered or bool(topic)
        if not self._places or not (filtered or topic):
            return self._is_every()
        if said.plays(self._places[0], "everything"):
            return True
        if said.plays(self._places[0], "anything"):
            return any(said.plays(at, "existing") for at in words.places)
        return self._is_every()

    def _is_every(self) -> bool:
        """'Every policy', 'any decision': of a kind named in the singular all are meant."""
        said = self._said
        return any(said.plays(at, "listing") for at in self._words.places) or any(
            said.plays(at, "universal")
            for place in self._places
            for at in range(max(place - _NEAR, self._words.start), place)
        )
