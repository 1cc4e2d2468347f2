"""The telling stage: do the sentences that would be shown tell the kind of thing asked for?

The gates judge passages; this judges what would be quoted of them. It refuses only where it sees
that the answer is not there, and what would have been shown is then mentioned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED
from elysia_guard.domain.reading import Named, Search, topic_of
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.asked_things import is_of_today, thing_asked
from elysia_guard.language.counting import counts, noun_of
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.language.figures import figures
from elysia_guard.language.names_told import asks_name, names, tells_name
from elysia_guard.language.pack import words_of
from elysia_guard.language.sentences import units
from elysia_guard.language.sides import Side, side_asked, side_told
from elysia_guard.language.text import words

GATE = "telling"
SEEN = (AnswerType.DURATION, AnswerType.NUMBER, AnswerType.MONEY)
"""The kinds of things that a sentence is seen to hold, or not; a date is as often a condition."""
UNSPOKEN = 0.3
"""A document of which no word is more alike does not speak of a thing. Of the tuning questions that
name such a thing, none of nine was answered by its document; up to 0.45, one of ten."""


COMMON = 3
"""Passages found; a name that stands in so many is that of the house, and no answer."""


class _Said(NamedTuple):
    text: str
    lang: str


class _Fault(NamedTuple):
    """What is not told, and the text of the refusal that says so."""

    wanted: str
    variant: str


def judged(inquiry: Inquiry, verdict: Verdict) -> bool:
    """Tell whether there is anything to judge: sentences are to answer a question of their own."""
    asks, evidence = inquiry.asks, inquiry.evidence
    if verdict.outcome is not Outcome.ANSWER or evidence.matches or evidence.explained:
        return False
    if evidence.pointed and evidence.pointed.answers:
        return False
    if not isinstance(asks, Named):
        return isinstance(asks, Search)
    one_sided = side_asked(inquiry.question.text) is not None
    return asks.aspect not in RECORDED and (bool(asks.matter) or one_sided)


def held(inquiry: Inquiry, verdict: Verdict, drafted: Callable[[], Draft]) -> Verdict:
    """Return the verdict; a refusal where what would be shown does not tell.

    ``drafted`` drafts that; it is called where something is asked for that can be looked for.
    """
    asked = _Asked(inquiry=inquiry, drafted=drafted)
    fault = next(asked.faults(), None)
    if fault is None:
        return verdict
    failed = GateReading(
        gate=GATE,
        passed=False,
        value="none",
        threshold=fault.wanted,
        source="the question",
        reason=RefusalReason.NOT_RELEVANT,
    )
    return replace(
        verdict,
        outcome=Outcome.REFUSE,
        readings=(*verdict.readings, failed),
        reason=RefusalReason.NOT_RELEVANT,
        details={**verdict.details, "variant": fault.variant},
        support=(),
        mentioned=asked.shown_hits(verdict),
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A question and what would be shown for it."""

    inquiry: Inquiry
    drafted: Callable[[], Draft]

    def faults(self) -> Iterator[_Fault]:
        """Name what is asked for and not told, the plainest first."""
        entity = "entity_" if self._named else ""
        for thing in SEEN:
            if thing in self._things and not self._tells(thing):
                yield _Fault(thing, f"{entity}{thing}")
        if asks_name(self._text) and not any(self._names(said) for said in self._said):
            yield _Fault("a name", f"{entity}name")
        if self._counts and not any(self._counted(said) for said in self._said):
            yield _Fault(AnswerType.NUMBER, f"{entity}number")
        if self._asks_today and not any(is_of_today(said.text) for said in self._said):
            yield _Fault("a count of today", f"{entity}today")
        side = side_asked(self._text)
        if side and self._said and all(self._is_against(side, said) for said in self._said):
            yield _Fault(side, f"{entity}side")
        if self._named:
            yield from self._unspoken()

    def shown_hits(self, verdict: Verdict) -> tuple[Hit, ...]:
        """A hit of each document that would be shown, the first first."""
        shown = [cited.of.id for cited in self._draft.cited if isinstance(cited.of, Document)]
        hits = verdict.support or self.inquiry.evidence.hits
        first = {hit.passage.document.id: hit for hit in reversed(hits)}
        return tuple(first[name] for name in dict.fromkeys(shown) if name in first)

    def _unspoken(self) -> Iterator[_Fault]:
        """What named documents have no word for: the thing asked for, or a figure of a why."""
        at = thing_asked(self._text, topic_of(self.inquiry.asks), self._terms)
        if at is not None and self._terms.likeness and self._spoken(at) < UNSPOKEN:
            yield _Fault(self._terms.words[at], "entity_thing")
        if AnswerType.REASON in self._things:
            told = figures(
                "\n".join(
                    f"{hit.passage.document.stated}\n{hit.passage.in_context}" for hit in self._hits
                )
            )
            if missing := sorted(figures(self._text) - told):
                yield _Fault(missing[0], "entity_reason")

    def _is_against(self, side: Side, said: _Said) -> bool:
        return side_told(said.text) not in {side, None}

    def _tells(self, thing: AnswerType) -> bool:
        return any(holds(said.text, thing) for said in self._said)

    def _names(self, said: _Said) -> bool:
        return tells_name(said.text, said.lang, self._known_names)

    def _counted(self, said: _Said) -> bool:
        noun = noun_of(self._terms, self._text)
        return noun is not None and counts(self._terms, noun, said.text, said.lang)

    def _spoken(self, at: int) -> float:
        """How much of a content word the documents hold, 0 to 1, or a word of like meaning."""
        degrees = (each[at] for hit in self._hits for each in self._terms.degrees(hit.passage))
        return max(degrees, default=0.0)

    @property
    def _named(self) -> bool:
        return isinstance(self.inquiry.asks, Named)

    @property
    def _text(self) -> str:
        return self.inquiry.question.text

    @property
    def _counts(self) -> bool:
        return noun_of(self._terms, self._text) is not None

    @property
    def _asks_today(self) -> bool:
        """Whether a sentence of the question asks for a count, no period, as it is today."""
        lang = self.inquiry.question.lang
        asked = (asked_for(unit) for unit in units(self._text, lang) if is_of_today(unit))
        return any(AnswerType.NUMBER in item and AnswerType.DURATION not in item for item in asked)

    @cached_property
    def _draft(self) -> Draft:
        return self.drafted()

    @cached_property
    def _things(self) -> frozenset[AnswerType]:
        return asked_for(self._text)

    @cached_property
    def _terms(self) -> QueryTerms:
        topic = topic_of(self.inquiry.asks) or self._text
        return asked_of(self.inquiry.evidence, topic, self.inquiry.question.lang)

    @cached_property
    def _known_names(self) -> frozenset[str]:
        """The words of the question, months, and names that so many passages bear."""
        found = Counter(
            name
            for hit in self.inquiry.evidence.hits
            for name in names(hit.passage.text, hit.passage.document.lang)
        )
        common = (name for name, count in found.items() if count >= COMMON)
        months = words_of(lambda core: core.time.months)
        return frozenset((*words(self._text), *months, *common))

    @cached_property
    def _said(self) -> Sequence[_Said]:
        of = {
            source.n: cited.of
            for source, cited in zip(self._draft.sources, self._draft.cited, strict=True)
        }
        return [
            _Said(quote.sought, document.lang)
            for block in self._draft.blocks
            for quote in block.quotes
            if isinstance(document := of[quote.source], Document)
        ]

    @cached_property
    def _hits(self) -> Sequence[Hit]:
        """The passages of the named documents."""
        named = {document.id for document in self.inquiry.evidence.documents}
        hits = self.inquiry.evidence.hits
        return [hit for hit in hits if hit.passage.document.id in named] or hits
