"""The last gate: do the sentences that would be shown tell the kind of thing asked for?

The others judge passages; this judges what would be quoted of them. It refuses only where it sees
that the answer is not there, and what would have been shown is then mentioned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED
from elysia_guard.domain.reading import Named, Search, topic_of
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.language.answer_types import AnswerType, asked_for, asks_name, holds
from elysia_guard.language.asked_things import (
    counts,
    figures,
    is_of_today,
    noun_of,
    tells_name,
    thing_asked,
)
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.language.pack import words_of
from elysia_guard.language.sentences import units
from elysia_guard.language.sides import side_asked, side_told
from elysia_guard.language.text import words
from elysia_guard.stages.gates.rows import row

SEEN = tuple(map(AnswerType, ("duration", "number", "money", "approval", "date")))
"""The kinds of things that a sentence, or the record of its document, is seen to hold, or not."""
UNSPOKEN = 0.3
"""A document of which no word is more alike does not speak of a thing. Of the tuning questions that
name such a thing, none of nine was answered by its document; up to 0.45, one of ten."""


class _Said(NamedTuple):
    text: str
    document: Document


def told(inquiry: Inquiry, verdict: Verdict, drafted: Callable[[], Draft]) -> Verdict:
    """Return the verdict; a refusal where what would be shown does not tell.

    ``drafted`` drafts that; it is called where something is asked for that can be looked for.
    """
    asked = _Asked(inquiry=inquiry, drafted=drafted)
    fault = next(asked.faults(), None) if _is_judged(inquiry, verdict) else None
    if fault is None:
        return verdict
    wanted, variant = fault
    failed = row("answer_type", "none", wanted, "the question", RefusalReason.NOT_RELEVANT)
    return replace(
        verdict,
        outcome=Outcome.REFUSE,
        readings=(*verdict.readings, failed),
        reason=failed.reason,
        details={**verdict.details, "variant": variant},
        support=(),
        mentioned=asked.shown_hits(verdict),
    )


def _is_judged(inquiry: Inquiry, verdict: Verdict) -> bool:
    """Tell whether there is anything to judge: sentences are to answer a question of their own."""
    asks, evidence = inquiry.asks, inquiry.evidence
    if verdict.outcome is not Outcome.ANSWER or evidence.matches:
        return False
    if evidence.pointed and evidence.pointed.answers:
        return False
    if not isinstance(asks, Named):
        return isinstance(asks, Search)
    one_sided = side_asked(inquiry.question.text) is not None
    return asks.aspect not in RECORDED and (bool(asks.matter) or one_sided)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A question and what would be shown for it."""

    inquiry: Inquiry
    drafted: Callable[[], Draft]

    def faults(self) -> Iterator[tuple[str, str]]:
        """Name what is asked for and not told, and the text that says so, the plainest first."""
        text, terms = self.inquiry.question.text, self._terms
        side, noun = side_asked(text), noun_of(terms, text)
        rows: list[tuple[str, str, bool, Callable[[_Said], bool]]] = [
            *((thing, thing, thing in self._things, partial(_holds, thing)) for thing in SEEN),
            ("a name", "name", asks_name(text), self._names),
            ("number", "number", noun is not None, partial(_counts, terms, noun or 0)),
            ("a count of today", "today", self._asks_today, lambda said: is_of_today(said.text)),
        ]
        if side is not None and self._said:
            rows.append((side, "side", True, lambda said: side_told(said.text) in {side, None}))
        entity = "entity_" if isinstance(self.inquiry.asks, Named) else ""
        for wanted, variant, is_asked, tells in rows:
            if is_asked and not any(map(tells, self._said)):
                yield wanted, f"{entity}{variant}"
        if entity:
            yield from self._unspoken()

    def shown_hits(self, verdict: Verdict) -> tuple[Hit, ...]:
        """A hit of each document that would be shown, the first first."""
        shown = [cited.of.id for cited in self._draft.cited if isinstance(cited.of, Document)]
        hits = verdict.support or self.inquiry.evidence.hits
        first = {hit.passage.document.id: hit for hit in reversed(hits)}
        return tuple(first[name] for name in dict.fromkeys(shown) if name in first)

    def _unspoken(self) -> Iterator[tuple[str, str]]:
        """What named documents have no word for: the thing asked for, or a figure of a why."""
        text, terms, evidence = self.inquiry.question.text, self._terms, self.inquiry.evidence
        named = {document.id for document in evidence.documents}
        own = [hit for hit in evidence.hits if hit.passage.document.id in named]
        passages = [hit.passage for hit in own or evidence.hits]
        at = thing_asked(text, topic_of(self.inquiry.asks), terms)
        if at is not None and terms.likeness:
            degrees = (terms.degrees_by(item).covered[at] for item in passages)
            if max(degrees, default=0.0) < UNSPOKEN:
                yield terms.words[at], "entity_thing"
        if AnswerType.REASON in self._things:
            stated = "\n".join(f"{item.document.stated}\n{item.in_context}" for item in passages)
            if missing := sorted(figures(text) - figures(stated)):
                yield missing[0], "entity_reason"

    def _names(self, said: _Said) -> bool:
        return tells_name(said.text, said.document.lang, self._known_names)

    @property
    def _asks_today(self) -> bool:
        """Whether a sentence of the question asks for a count, no period, as it is today."""
        question = self.inquiry.question
        asked = map(asked_for, filter(is_of_today, units(question.text, question.lang)))
        return any(AnswerType.NUMBER in item and AnswerType.DURATION not in item for item in asked)

    @cached_property
    def _draft(self) -> Draft:
        return self.drafted()

    @cached_property
    def _things(self) -> frozenset[AnswerType]:
        """The kinds of things asked for; 'when' is as often answered by a condition as by a date.

        Of a named document its record tells who approved, whatever it says.
        """
        asks, date = self.inquiry.asks, frozenset({AnswerType.DATE})
        things = asked_for(self.inquiry.question.text) - date
        if not isinstance(asks, Named):
            return things
        return things - {AnswerType.APPROVAL} | (date if asks.dated else frozenset())

    @cached_property
    def _terms(self) -> QueryTerms:
        question = self.inquiry.question
        topic = topic_of(self.inquiry.asks) or question.text
        return asked_of(self.inquiry.evidence, topic, question.lang)

    @cached_property
    def _known_names(self) -> frozenset[str]:
        """The words of the question, and months: these are no name that answers it."""
        months = words_of(lambda core: core.time.months)
        return frozenset((*words(self.inquiry.question.text), *months))

    @cached_property
    def _said(self) -> Sequence[_Said]:
        return [
            _Said(quote.sought, document)
            for block in self._draft.blocks
            for quote in block.quotes
            if isinstance(document := self._draft.cited[quote.source - 1].of, Document)
        ]


def _holds(thing: AnswerType, said: _Said) -> bool:
    if thing is AnswerType.APPROVAL:
        return said.document.approval or bool(said.document.approvals)
    period = thing is AnswerType.DATE and holds(said.text, AnswerType.DURATION)
    return period or holds(said.text, thing)


def _counts(terms: QueryTerms, noun: int, said: _Said) -> bool:
    return counts(terms, noun, said.text, said.document.lang)
