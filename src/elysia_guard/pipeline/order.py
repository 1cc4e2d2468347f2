"""The way of a question through the guard, in one place.

Question -> Reading -> Evidence -> Verdict -> Reply: each step returns what it found, and the
inquiry becomes that. The direct route walks it with ``answer``; the tree route takes the same steps
one by one, as Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from elysia_guard.domain.concept import Labels
from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind, Passage
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.own_kinds import OwnKinds
from elysia_guard.domain.question import Lang, Route
from elysia_guard.domain.reading import SmallTalk, Unclear
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.answer_cache import AnswerCache, AnswerMemory, told_again
from elysia_guard.pipeline.concluding import Concluder
from elysia_guard.pipeline.gathering import Decider, Gatherer
from elysia_guard.pipeline.receiving import Receiver
from elysia_guard.pipeline.recording import Note, Recorder
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
from elysia_guard.stages import clarification, guiding, response, retrieval


class Steps(NamedTuple):
    """Who does each step of a question."""

    receiver: Receiver
    gatherer: Gatherer
    concluder: Concluder
    cache: AnswerCache | None
    record: Recorder


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The stages over the ports, in their order. Holds no state of any question.

    ``terminology_s`` bounds the whole terminology stage, in seconds of the ``deadline_clock``,
    however many look-ups it takes; None leaves that to the source. Without ``terminology`` no
    vocabulary is configured. ``uncounted`` is the index where it is asked for ways on: that is no
    retrieval for an answer. ``guidance`` is the language model that plans and points; without one
    the rules do. ``memory`` is where answers are kept; without one each is made anew. ``kinds`` are
    those of documents of the house that is asked, by default those of the process. ``contact`` is
    whom a refusal names to turn to, in words that a reader is shown; nobody where it is empty.
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
    guidance: guiding.Guidance | None = None
    memory: AnswerMemory | None = None
    kinds: OwnKinds | None = None
    default_lang: Lang = "en"
    max_question_chars: int = 2_000
    contact: str = ""
    terminology_s: float | None = None
    clock: Clock = time.perf_counter
    deadline_clock: Clock = time.monotonic
    observe: Observer = unobserved

    async def begin(
        self,
        text: str,
        *,
        request_id: str,
        route: Route,
        scope: CollectionScope = EVERYTHING,
        conversation: Conversation | None = None,
        mode: Mode | None = None,
    ) -> Inquiry:
        """Clean the question, recognise its language and read what it asks, once and for all.

        In a conversation it may refer to what was said, or pick what was offered. Beyond the
        ``scope`` it is shown nothing, whatever it asks for. ``route`` is the way it comes in, and
        what a text that cannot be asked is told of: once it is read, what concerns one collection
        alone is ``direct``, and what concerns several ``tree``. ``mode`` is how the answer is to be
        made, where that is not as the settings say. What a model may make whole is not judged yet.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        context = RequestContext(request_id, route, clock=self.clock, kinds=self.kinds)
        if self.terminology is None:
            scope = scope.without_vocabulary()
        talk = Conversation() if conversation is None else conversation
        with within(context):
            inquiry = await self.steps.receiver.received(
                text, context, scope=scope, conversation=talk, mode=mode
            )
            talks = all(isinstance(each.asks, SmallTalk | Unclear) for each in inquiry.every)
            if talks and not guiding.may_be_whole(inquiry):
                self.judge(inquiry)
        return inquiry

    async def answer(self, inquiry: Inquiry) -> RAGResponse:
        """Return an answer with its sources, or say why there is none."""
        await self.recall(inquiry)
        try:
            if inquiry.verdict is None:
                await self.gather(inquiry)
                self.judge(inquiry)
            return await self.conclude(inquiry)
        finally:
            self.leave(inquiry)

    async def gather(self, inquiry: Inquiry, *, guidance: guiding.Guidance | None = None) -> None:
        """Ask the sources that each part needs; one that is down lands in ``missing``.

        ``guidance`` is the model that points, where this pipeline has none of its own.
        """
        guide = self.guidance or guidance
        with within(inquiry.context):
            if guide and (whole := guide.as_one(inquiry)):
                found = await self.steps.gatherer.gathered(whole, guide.begun(whole))
                if found.evidence.pointed:
                    inquiry.question, inquiry.part, inquiry.further = whole.question, whole.part, ()
                    inquiry.becomes(found)
                    return
                inquiry.unguided, guide = found.unguided, None
            guide = guide.begun(inquiry) if guide else None
            for each in inquiry.every:
                each.becomes(await self.steps.gatherer.gathered(each, guide))
            if inquiry.question.rewritten:
                self.leave(inquiry)  # in another conversation the same words mean something else

    def judge(self, inquiry: Inquiry) -> None:
        """Hold the evidence of each part against the gates."""
        with within(inquiry.context):
            for each in inquiry.every:
                with self.steps.record.stage("gates", each) as tell:
                    each.verdict = self.steps.gatherer.decider.decided(each)
                    tell(noting.decided(each.verdict))

    async def conclude(self, inquiry: Inquiry) -> RAGResponse:
        """Give the answer, the question back or the refusal that the verdict calls for."""
        place = inquiry.place
        with within(inquiry.context):
            if place and place.kept:
                reply = told_again(inquiry, place.kept)
                self.steps.record.end(inquiry, reply)
                return reply
            ended = await self.steps.concluder.concluded(inquiry)
            for part, end in zip(inquiry.every, ended, strict=True):
                part.becomes(end.part)
            replies = [end.reply for end in ended]
            reply = response.whole(inquiry, replies, contact=self.contact)
            clarification.remember(inquiry, inquiry.conversation, reply.suggestions)
            self.steps.record.end(inquiry, reply)
            if place and self.steps.cache:
                inquiry.place = None
                await self.steps.cache.keep(place, inquiry, reply, [end.cited for end in ended])
        return reply

    async def recall(
        self, inquiry: Inquiry, *, models: Sequence[str] = (), mode: Mode = Mode.INSTANT
    ) -> None:
        """Look whether the same was answered before, and wait for it if it is being answered.

        The verdict is then that of then, and ``conclude`` gives the answer again. ``models`` names
        those that are asked beside this pipeline's own, ``mode`` how answers are made where neither
        the question nor this pipeline's guidance says so. Whoever asks this says with ``leave``
        that nothing more comes of the question.
        """
        cache = self.steps.cache
        if cache is None:
            return
        mode = inquiry.mode or (self.guidance.mode if self.guidance else mode)
        with within(inquiry.context):
            asks = bool(models or self.guidance)
            talked = asks and any(map(guiding.is_planned, inquiry.every))
            place = await cache.recalled(inquiry, mode, models=models, talked=talked)
        if place:
            inquiry.place = place
        if place and place.kept:
            if len(place.kept.verdicts) < len(inquiry.every):
                inquiry.further = ()  # a model had read its parts as one
            for part, verdict in zip(inquiry.every, place.kept.verdicts, strict=True):
                part.verdict = verdict

    def leave(self, inquiry: Inquiry) -> None:
        """Let those go who wait for the answer to a question, where none has come of it."""
        if inquiry.place:
            inquiry.place.done(None)
            inquiry.place = None

    def scope(self, names: Sequence[str]) -> CollectionScope:
        """Return the scope of a question to the collections of these names; of none, everything."""
        return CollectionScope.of_names(names, self.collections, self.vocabulary_collection)

    def check(self, text: str) -> str:
        """Return a question as it can be asked; see ``Receiver.check``."""
        return self.steps.receiver.check(text)

    def turn_away(
        self, text: str, error: QuestionError, *, request_id: str, route: Route
    ) -> Inquiry:
        """Return an inquiry that ends in a refusal, for a text that cannot be asked."""
        context = RequestContext(request_id, route, clock=self.clock, kinds=self.kinds)
        with within(context):
            return self.steps.receiver.turned_away(text, error, context)

    async def weigh(
        self,
        inquiry: Inquiry,
        passages: Sequence[Passage],
        *,
        source: str,
        note: Note | None = None,
    ) -> None:
        """Take passages from elsewhere as evidence, with true distances of our own.

        Those of documents that the question may not reach are left out. ``note`` is what the trace
        says of where they come from.
        """
        scope = inquiry.question.scope
        reached = [each for each in passages if scope.admits(each.document)]
        # What a tool was chosen for is not what the same question finds the next time.
        self.leave(inquiry)
        with within(inquiry.context), self.steps.record.stage("retrieval", inquiry) as tell:
            inquiry.evidence = await retrieval.from_elsewhere(
                self.embedder, inquiry.question, reached, source=source
            )
            tell(note or Note())

    @cached_property
    def steps(self) -> Steps:
        """Who does each step, made once."""
        record = Recorder(observe=self.observe, clock=self.clock)
        decider = Decider(
            thresholds=self.thresholds,
            collections=self.collections,
            collection=self._collection,
        )
        reader = Reader(
            spotting=Spotting(self.deadline_clock),
            wordings=Wordings(model=self.intents, asked=self.thresholds.reading_asked),
            mender=SpellingCorrector(chances=self.chances),
            alike=self.alike,
        )
        receiver = Receiver(
            reader=reader,
            sources=self._sources,
            record=record,
            default_lang=self.default_lang,
            max_chars=self.max_question_chars,
        )
        gatherer = Gatherer(
            sources=self._sources,
            embedder=self.embedder,
            alike=self.alike,
            terminology_s=self.terminology_s,
            clock=self.deadline_clock,
            record=record,
            decider=decider,
            read_whole=receiver.read_whole,
        )
        return Steps(
            receiver=receiver,
            gatherer=gatherer,
            concluder=Concluder(
                gatherer=gatherer,
                aside=self._aside,
                origins=self.origins,
                lines=self.lines,
                example_term=self.example_term,
                record=record,
            ),
            cache=AnswerCache(
                memory=self.memory,
                sources=self._aside,
                versions=self._versions,
                origins=self.origins,
                models=[self.guidance.guide.model_id] if self.guidance else [],
                record=record,
            )
            if self.memory
            else None,
            record=record,
        )

    async def _versions(self) -> tuple[str, str]:
        labels = await self.terminology.labels() if self.terminology else Labels()
        return await (self.uncounted or self.index).version(), labels.version

    def _collection(self, kind: DocumentKind | None) -> str:
        return self.collections.get(kind, "") if kind else self.vocabulary_collection

    def _sources(self, scope: CollectionScope) -> ReachableSources:
        """The sources as far as a question may reach: the stages are given no others."""
        return sources_in(scope, self.terminology, self.index)

    def _aside(self, scope: CollectionScope) -> ReachableSources:
        """The same, asked for no answer."""
        return sources_in(scope, self.terminology, self.uncounted or self.index)
