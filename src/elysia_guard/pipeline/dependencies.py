"""What a pipeline works with: the ports, the limits, and who does each step over them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.own_kinds import OwnKinds
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Search
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.pipeline.answer_cache import AnswerCache, AnswerMemory
from elysia_guard.pipeline.concluding import Answerer
from elysia_guard.pipeline.deciding import Decider
from elysia_guard.pipeline.declining import Decliner
from elysia_guard.pipeline.gathering import Gatherer
from elysia_guard.pipeline.joining import Joiner
from elysia_guard.pipeline.receiving import Receiver
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import (
    Clock,
    Embedder,
    ExampleTerm,
    IntentModel,
    LineFinder,
    NoOrigins,
    Observer,
    Origins,
    PassageIndex,
    TerminologySource,
    WordChances,
    WordLikeness,
    by_form_alone,
    no_chances,
    no_intents,
    no_lines,
    no_term,
    unobserved,
)
from elysia_guard.reading import Reader
from elysia_guard.reading.intents import Wordings
from elysia_guard.reading.spelling_correction import SpellingCorrector
from elysia_guard.reading.spotting import Spotting
from elysia_guard.scoping import ReachableSources, sources_in
from elysia_guard.stages import judging, writing


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """The ports and the limits, and who works with them. Holds no state of any question.

    ``terminology_s`` bounds the whole terminology stage, in seconds of the ``deadline_clock``,
    however many look-ups it takes; None leaves that to the source. ``example_term`` is one that the
    vocabulary defines. Without ``terminology`` no vocabulary is
    configured. ``uncounted`` is the index where it is asked for ways on: that is no retrieval for
    an answer. ``relevance_judge`` is who else is asked whether passages answer, beside the gates.
    ``generator`` is who writes answers; without one they are quotes.
    ``memory`` is where answers are kept; without one each is made anew. ``kinds`` are those of
    documents of the house that is asked, by default those of the process. ``contact`` is whom a
    refusal names to turn to, in words that a reader is shown; nobody where it is empty.
    """

    terminology: TerminologySource | None
    index: PassageIndex
    embedder: Embedder
    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    vocabulary_collection: str
    uncounted: PassageIndex | None = None
    origins: Origins = field(default_factory=NoOrigins)
    example_term: ExampleTerm = no_term
    lines: LineFinder = no_lines
    alike: WordLikeness = by_form_alone
    intents: IntentModel = no_intents
    chances: WordChances = no_chances
    relevance_judge: judging.RelevanceJudge | None = None
    generator: writing.AnswerGenerator | None = None
    memory: AnswerMemory | None = None
    kinds: OwnKinds | None = None
    default_lang: Lang = "en"
    max_question_chars: int = 2_000
    contact: str = ""
    terminology_s: float | None = None
    clock: Clock = time.perf_counter
    deadline_clock: Clock = time.monotonic
    observe: Observer = unobserved

    @property
    def _named(self) -> tuple[str, ...]:
        """The models that an answer depends on, each with what it is told."""
        return (
            *(self.relevance_judge.named if self.relevance_judge else ()),
            *(self.generator.named if self.generator else ()),
        )

    @cached_property
    def _receiver(self) -> Receiver:
        reader = Reader(
            spotting=Spotting(self.deadline_clock),
            wordings=Wordings(model=self.intents, asked=self.thresholds.reading_asked),
            mender=SpellingCorrector(chances=self.chances),
        )
        return Receiver(
            reader=reader,
            sources=self._sources,
            record=self._record,
            default_lang=self.default_lang,
            max_chars=self.max_question_chars,
        )

    def _answer_cache(self, inquiry: Inquiry, memory: AnswerMemory) -> AnswerCache:
        return AnswerCache(
            memory=memory,
            found=self._aside(inquiry),
            origins=self.origins,
            record=self._record,
        )

    @cached_property
    def _gatherer(self) -> Gatherer:
        return Gatherer(
            terminology=self.terminology,
            index=self.index,
            embedder=self.embedder,
            alike=self.alike,
            terminology_s=self.terminology_s,
            clock=self.deadline_clock,
            record=self._record,
            relevance_judge=self.relevance_judge,
            rank=lambda inquiry: self._decider.decided(inquiry).ranking,
        )

    @cached_property
    def _decider(self) -> Decider:
        return Decider(
            thresholds=self.thresholds,
            collections=self.collections,
            collection=self._collection,
        )

    def _joiner(self, inquiry: Inquiry, generator: writing.AnswerGenerator | None) -> Joiner:
        """Return who concludes the parts; ``generator`` writes where there is none of its own."""
        waited_s = inquiry.place.waited_s if inquiry.place else 0.0
        answerer = self._answerer(
            self.generator or generator, self._decider.for_parts_of(inquiry), waited_s
        )

        async def declined(part: Inquiry) -> RAGResponse:
            return await self._decliner(inquiry).declined(part)

        return Joiner(answerer=answerer, others=declined)

    def _answerer(
        self, generator: writing.AnswerGenerator | None, decider: Decider, waited_s: float
    ) -> Answerer:
        return Answerer(
            origins=self.origins,
            record=self._record,
            collection=self._collection,
            ceiling=self.thresholds.search_ceiling,
            generator=generator,
            began=generator.clock() - waited_s if generator else 0.0,
            search=self._sought,
            lines=self.lines,
            tells=decider.tells,
        )

    async def _sought(self, inquiry: Inquiry, text: str) -> Verdict:
        """Search for a part of a question; return what the gates say of it."""
        part = replace(inquiry.part, asks=Search(topic=text), text=text, reason="taken apart")
        question = replace(inquiry.question, text=text)
        sub = replace(
            inquiry, question=question, part=part, evidence=Evidence(), verdict=None, further=()
        )
        await replace(self._gatherer, relevance_judge=None).gather(sub)
        return self._decider.decided(sub)

    def _decliner(self, inquiry: Inquiry) -> Decliner:
        return Decliner(
            found=self._sources(inquiry.question.scope),
            uncounted=self._aside(inquiry),
            gatherer=self._gatherer,
            origins=self.origins,
            record=self._record,
            collection=self._collection,
            example_term=self.example_term,
        )

    def _sources(self, scope: CollectionScope) -> ReachableSources:
        """The sources as far as a question may reach: the stages are given no others."""
        return sources_in(scope, self.terminology, self.index)

    def _aside(self, inquiry: Inquiry) -> ReachableSources:
        """The same, asked for no answer."""
        return sources_in(inquiry.question.scope, self.terminology, self.uncounted or self.index)

    def _collection(self, kind: DocumentKind | None) -> str:
        return self.collections.get(kind, "") if kind else self.vocabulary_collection

    @cached_property
    def _record(self) -> Recorder:
        return Recorder(observe=self.observe, clock=self.clock)
