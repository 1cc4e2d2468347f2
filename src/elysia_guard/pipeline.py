"""The way of a question through the guard, in one place.

The direct route walks it with ``answer``; the tree route takes the same steps one by one, as
Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from elysia_guard.concluding import Answerer
from elysia_guard.domain.concerned import concerns_one
from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind, Filters, Passage
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.events import RequestStarted
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.examples import Examples
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang, Question, Route
from elysia_guard.domain.reading import (
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.gathering import INDEX_FAILS, Gatherer
from elysia_guard.joining import Joiner
from elysia_guard.language.identify import identify
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
    ReadingModel,
    TerminologySource,
    Verifier,
    WordChances,
    WordLikeness,
    by_form_alone,
    no_chances,
    no_intents,
    no_lines,
    no_term,
    unobserved,
)
from elysia_guard.reading import Reader, modelled
from elysia_guard.reading.intents import Wordings
from elysia_guard.reading.mending import Mender
from elysia_guard.reading.spotting import Spotting
from elysia_guard.recalling import Memory, Recaller, told_again
from elysia_guard.recording import Note, Recorder
from elysia_guard.scoping import Sources, sources_in
from elysia_guard.stages import (
    answering,
    clarification,
    gates,
    intake,
    judging,
    response,
    retrieval,
    sources,
    suggestions,
    telling,
    verification,
    writing,
)


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The stages over the ports. Holds no state of any question.

    ``terminology_s`` bounds the whole terminology stage, in seconds of the ``deadline_clock``,
    however many look-ups it takes; None leaves that to the source. ``shadow`` are candidate limits,
    which judge beside the live ones for the record alone. ``example_term`` is one that the
    vocabulary defines. ``second_embedder`` is another model whose ranking is fused with that of
    the first, over an index that was filled with both. Without ``terminology`` no vocabulary is
    configured. ``uncounted`` is the index where it is asked for ways on: that is no retrieval for
    an answer. ``bench`` is who else is asked whether passages answer, beside the gates. ``desk`` is
    who writes answers; without one they are quotes. ``verifier`` decides on what code leaves open.
    ``memory`` is where answers are kept; without one each is made anew. ``contact`` is whom a
    refusal names to turn to, in words that a reader is shown; nobody where it is empty.
    """

    terminology: TerminologySource | None
    index: PassageIndex
    embedder: Embedder
    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    vocabulary_collection: str
    second_embedder: Embedder | None = None
    uncounted: PassageIndex | None = None
    origins: Origins = field(default_factory=NoOrigins)
    example_term: ExampleTerm = no_term
    lines: LineFinder = no_lines
    alike: WordLikeness = by_form_alone
    intents: IntentModel = no_intents
    chances: WordChances = no_chances
    bench: judging.Bench | None = None
    desk: writing.Desk | None = None
    verifier: Verifier | None = None
    memory: Memory | None = None
    default_lang: Lang = "en"
    max_question_chars: int = 2_000
    contact: str = ""
    terminology_s: float | None = None
    shadow: Thresholds | None = None
    clock: Clock = time.perf_counter
    deadline_clock: Clock = time.monotonic
    observe: Observer = unobserved

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

    async def recall(
        self, inquiry: Inquiry, *, models: Sequence[str] = (), mode: Mode = Mode.INSTANT
    ) -> None:
        """Look whether the same was answered before, and wait for it if it is being answered.

        The verdict is then that of then, and ``conclude`` gives the answer again. ``models`` names
        those that are asked beside this pipeline's own, ``mode`` how answers are made where neither
        the question nor this pipeline's desk says so. Whoever asks this says with ``leave`` that
        nothing more comes of the question.
        """
        mode = inquiry.mode or (self.desk.mode if self.desk else mode)
        if self.memory is None or not self.memory.concerns(inquiry, mode):
            return
        named = (*models, *(self.bench.named if self.bench else ()))
        named = (*named, *(self.desk.named if self.desk else ()))
        named = (*named, self.verifier.model_id if self.verifier else "")
        with within(inquiry.context):
            await self._recaller(inquiry, self.memory).recall(inquiry, mode=mode, models=named)

    def leave(self, inquiry: Inquiry) -> None:
        """Let those go who wait for the answer to a question, where none has come of it."""
        if inquiry.place:
            inquiry.place.done(None)
            inquiry.place = None

    def _recaller(self, inquiry: Inquiry, memory: Memory) -> Recaller:
        return Recaller(
            memory=memory,
            found=self._within(inquiry, counted=False),
            origins=self.origins,
            record=self._record,
        )

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
        ``scope`` it is shown nothing, whatever it asks for. ``route`` is the way it comes in: on
        the tree, what concerns one collection alone goes direct. ``mode`` is how the answer is to
        be made, where that is not as the settings say.

        Raises:
            QuestionError: it is empty, too long, holds no words, or picks where nothing is offered.
        """
        context = RequestContext(request_id=request_id, route=route, clock=self.clock)
        talk = Conversation() if conversation is None else conversation
        with within(context):
            started = self.clock()
            asked = self.check(text)
            if self.terminology is None:
                scope = scope.without_vocabulary()
            lang = identify(asked, default=talk.focus[-1].lang if talk.focus else self.default_lang)
            question = Question(text=asked, lang=lang, request_id=request_id, scope=scope)
            found = sources_in(scope, self.terminology, self.index)
            mended = await self._reader.mended(
                question, vocabulary=found.terminology, catalogue=found.index
            )
            question = replace(question, text=mended.text, lang=mended.lang)
            reading = await self._reader.read(
                question,
                vocabulary=found.terminology,
                catalogue=found.index,
                conversation=talk,
            )
            if concerns_one(reading.parts, scope):
                context.route = "direct"
            elapsed_ms = context.elapsed_ms
            self.observe(RequestStarted(route=context.route, query=text, elapsed_ms=elapsed_ms))
            whole = replace(question, text=reading.whole, lang=reading.lang, typed=asked)
            inquiry, *further = (
                Inquiry(
                    question=whole if len(reading.parts) == 1 else replace(whole, text=part.text),
                    part=part,
                    context=context,
                    conversation=talk,
                    mode=mode,
                )
                for part in reading.parts
            )
            for other in further:
                other.trace = inquiry.trace
            if mended.words:
                self._record.step("spelling", inquiry, Note(mended.told), started=started)
            inquiry.further, inquiry.about = tuple(further), reading.about
            for each in inquiry.every:
                note = Note(f"{each.asks.kind}: {each.part.reason}")
                self._record.step("router", inquiry, note, started=started)
            if all(isinstance(each.asks, SmallTalk | Unclear) for each in inquiry.every):
                self.judge(inquiry)
        return inquiry

    def scope(self, names: Sequence[str]) -> CollectionScope:
        """Return the scope of a question to the collections of these names; of none, everything."""
        return CollectionScope.of_names(names, self.collections, self.vocabulary_collection)

    def check(self, text: str) -> str:
        """Return a question as it can be asked; see ``intake.check``."""
        return intake.check(text, max_chars=self.max_question_chars)

    def turn_away(
        self, text: str, error: QuestionError, *, request_id: str, route: Route
    ) -> Inquiry:
        """Return an inquiry that ends in a refusal, for a text that cannot be asked."""
        context = RequestContext(request_id=request_id, route=route, clock=self.clock)
        with within(context):
            self.observe(RequestStarted(route=route, query=text))
        return intake.turned_away(
            text, error, context, max_chars=self.max_question_chars, default=self.default_lang
        )

    async def consult(self, inquiry: Inquiry, model: ReadingModel) -> None:
        """Ask a language model which meaning a question in doubt may ask for.

        What a refusal proposes is all that depends on it.

        Raises:
            SourceUnavailableError: it said nothing of use; the question stays as it was read.
        """
        question, part = inquiry.question, inquiry.part
        with within(inquiry.context):
            found = self._within(inquiry)
            spans = await self._reader.spotting.spans(
                question, vocabulary=found.terminology, catalogue=found.index
            )
            terms = modelled.terms_of(part, spans)
            prompt = modelled.prompt_of(question, terms, spans, inquiry.conversation)
            if not (terms and prompt):
                return
            with self._record.stage("reading", inquiry) as note:
                inquiry.part = await modelled.proposed(model, part, terms, prompt)
                perhaps = inquiry.part.perhaps
                note(f"it may ask what '{perhaps}' means" if perhaps else "it asks for no meaning")

    def unguided(
        self, inquiry: Inquiry, flags: Sequence[str], *, stage: str, started: float
    ) -> None:
        """Leave a question to the rules: a language model was asked about it, and failed.

        ``flags`` say how, ``stage`` what it was asked in, ``started`` when, by this pipeline's
        clock.
        """
        with within(inquiry.context):
            inquiry.lacks(flags)
            note = Note(f"left to the rules: {', '.join(flags)}")
            self._record.step(stage, inquiry, note, started=started)

    async def weigh(
        self, inquiry: Inquiry, texts: Sequence[retrieval.Found], *, source: str, told: str = ""
    ) -> None:
        """Take passages from elsewhere as evidence, with true distances of our own.

        Those of documents that the question may not reach are left out. ``told`` is what the trace
        says of where they come from.
        """
        scope = inquiry.question.scope
        reached = [
            each for each in texts if not isinstance(each, Passage) or scope.admits(each.document)
        ]
        # What a tool was chosen for is not what the same question finds the next time.
        self.leave(inquiry)
        with within(inquiry.context), self._record.stage("retrieval", inquiry) as note:
            inquiry.evidence = await retrieval.from_texts(
                self.embedder, inquiry.question, reached, source=source
            )
            note(told or f"{len(texts)} text(s) from {source}")

    async def gather(self, inquiry: Inquiry, *, bench: judging.Bench | None = None) -> None:
        """Ask the sources that each part needs; one that is down lands in ``missing``.

        ``bench`` is asked what passages answer, where this pipeline has none of its own.
        """
        gatherer = self._gatherer if self.bench else replace(self._gatherer, bench=bench)
        with within(inquiry.context):
            for each in inquiry.every:
                await gatherer.gather(each)

    def judge(self, inquiry: Inquiry) -> None:
        """Hold the evidence of each part against the gates."""
        limits = self.thresholds.in_parts if inquiry.further else self.thresholds
        for each in inquiry.every:
            with within(inquiry.context), self._record.stage("gates", each) as note:
                verdict = each.verdict = self.judged_by(limits, each)
                reason = f" ({verdict.reason})" if verdict.reason else ""
                note(f"{verdict.outcome}{reason}", verdict.readings)

    def _judged(self, inquiry: Inquiry) -> Verdict:
        return self.judged_by(self.thresholds, inquiry)

    def judged_by(self, thresholds: Thresholds, inquiry: Inquiry) -> Verdict:
        """Hold the evidence of a part against the gates, and what would be quoted against it."""
        verdict = gates.judge(inquiry, thresholds=thresholds, collections=self.collections)
        if not thresholds.profile.answer_type or not telling.judged(inquiry, verdict):
            return verdict

        def drafted() -> Draft:
            judged = replace(inquiry, verdict=verdict)
            return answering.draft(judged, collection=self._collection)

        return telling.held(inquiry, verdict, drafted)

    async def conclude(self, inquiry: Inquiry, *, desk: writing.Desk | None = None) -> RAGResponse:
        """Write the answer, the question back or the refusal that the verdict calls for.

        ``desk`` is who writes an answer, where this pipeline has none of its own.
        """
        with within(inquiry.context):
            if inquiry.recalled:
                reply = told_again(inquiry, inquiry.recalled)
            else:
                reply = await self._made(inquiry, desk)
                clarification.remember(inquiry, inquiry.conversation, reply.suggestions)
            self._record.end(inquiry, reply, shadow=self._shadowed(inquiry))
            if self.memory:
                await self._recaller(inquiry, self.memory).keep(inquiry, reply)
        return reply

    async def _made(self, inquiry: Inquiry, desk: writing.Desk | None) -> RAGResponse:
        waited_s = inquiry.place.waited_s if inquiry.place else 0.0
        answerer = self._answerer(self.desk or desk, waited_s=waited_s)
        answerer = replace(answerer, parts=len(inquiry.every))
        joiner = Joiner(answerer=answerer, others=self._unanswered)
        reply = response.of_followup(inquiry, await joiner.concluded(inquiry))
        whole = response.with_contact(inquiry, reply, self.contact)
        return response.renewed(inquiry, whole)

    async def _unanswered(self, inquiry: Inquiry) -> RAGResponse:
        """Reply to a part that is not answered: small talk, a question back, a refusal."""
        if inquiry.decided().outcome is Outcome.CONVERSE:
            return response.conversed(inquiry, await self._examples(inquiry))
        return await self._turned_back(inquiry)

    def _shadowed(self, inquiry: Inquiry) -> Verdict | None:
        """Judge the same evidence by the candidate limits, where the gates judged it at all."""
        if self.shadow is None or not any(step.stage == "gates" for step in inquiry.trace):
            return None
        return self.judged_by(self.shadow.in_parts if inquiry.further else self.shadow, inquiry)

    def _answerer(self, desk: writing.Desk | None, *, waited_s: float) -> Answerer:
        if desk and desk.verifier is None and self.verifier:
            limit = self.thresholds.supported_from(self.verifier.model_id, desk.supported_from)
            desk = desk.seconded(self.verifier, limit)
        return Answerer(
            origins=self.origins,
            record=self._record,
            collection=self._collection,
            ceiling=self.thresholds.search_ceiling,
            alike=self.alike,
            chances=self.chances,
            desk=desk,
            began=desk.clock() - waited_s if desk else 0.0,
            search=self._sought,
            lines=self.lines,
        )

    async def _sought(self, inquiry: Inquiry, text: str) -> Verdict:
        """Search for a part of a question; return what the gates say of it."""
        part = replace(inquiry.part, asks=Search(topic=text), text=text, reason="taken apart")
        question = replace(inquiry.question, text=text)
        sub = replace(
            inquiry, question=question, part=part, evidence=Evidence(), verdict=None, further=()
        )
        await replace(self._gatherer, bench=None).gather(sub)
        return self._judged(sub)

    async def _turned_back(self, inquiry: Inquiry) -> RAGResponse:
        with self._record.stage("suggestions", inquiry) as note:
            sources = self._within(inquiry, counted=False)
            if inquiry.searched_all:
                kinds = (await self._examples(inquiry)).kinds
                inquiry.evidence = replace(inquiry.evidence, looked_at=tuple(map(str, kinds)))
            ways_on = await suggestions.suggest(
                inquiry, terminology=sources.terminology, index=sources.index
            )
            note(f"{len(ways_on)} way(s) on")
        if inquiry.decided().outcome is Outcome.CLARIFY:
            return response.clarified(inquiry, ways_on)
        return response.refused(inquiry, ways_on, await self._mentioned(inquiry))

    async def _mentioned(self, inquiry: Inquiry) -> Draft | None:
        """Quote where the matter is mentioned, as the sources say it now; None where nowhere."""
        if not (inquiry.decided().mentioned or inquiry.part.perhaps):
            return None
        with self._record.stage("mentions", inquiry) as note:
            inquiry.meant = await self._gatherer.meant(inquiry)
            draft = answering.mentions(inquiry, collection=self._collection)
            now = sources.of_sources(draft, await sources.look(self.origins, draft))
            standing, _ = verification.standing(draft, now)
            note(f"{len(standing.sources)} source(s) mention it")
        return standing

    async def _examples(self, inquiry: Inquiry) -> Examples:
        """Name a term and a document that there are, for the reader to ask about."""
        scope, lang = inquiry.question.scope, inquiry.question.lang
        term = self.example_term(lang) if scope.defines else ""
        try:
            documents = await self._within(inquiry).index.documents(Filters())
        except INDEX_FAILS:
            documents = ()
        return Examples.of(documents, term=term)

    def _within(self, inquiry: Inquiry, *, counted: bool = True) -> Sources:
        """The sources as far as the question may reach: the stages are given no others."""
        index = self.index if counted else self.uncounted or self.index
        return sources_in(inquiry.question.scope, self.terminology, index)

    def _collection(self, kind: DocumentKind | None) -> str:
        return self.collections.get(kind, "") if kind else self.vocabulary_collection

    @cached_property
    def _reader(self) -> Reader:
        return Reader(
            spotting=Spotting(self.deadline_clock),
            wordings=Wordings(model=self.intents, asked=self.thresholds.reading_asked),
            mender=Mender(chances=self.chances),
        )

    @cached_property
    def _gatherer(self) -> Gatherer:
        return Gatherer(
            terminology=self.terminology,
            index=self.index,
            models=retrieval.Models(first=self.embedder, second=self.second_embedder),
            alike=self.alike,
            terminology_s=self.terminology_s,
            clock=self.deadline_clock,
            record=self._record,
            bench=self.bench,
            rank=lambda inquiry: self._judged(inquiry).ranking,
        )

    @property
    def _record(self) -> Recorder:
        return Recorder(observe=self.observe, clock=self.clock)
