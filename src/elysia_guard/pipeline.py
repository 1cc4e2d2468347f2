"""The way of a question through the guard, in one place.

The direct route walks it with ``answer``; the tree route takes the same steps one by one, as
Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind, Filters, Passage
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import (
    PassageIndexError,
    QuestionError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import RequestStarted
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.examples import Examples
from elysia_guard.domain.inquiry import Inquiry, Step
from elysia_guard.domain.origin import Origin
from elysia_guard.domain.question import Intent, IntentKind, Lang, Question, Route
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.identify import identify
from elysia_guard.ports import (
    Clock,
    Embedder,
    ExampleTerm,
    MeaningCue,
    NoOrigins,
    Observer,
    Origins,
    PassageIndex,
    TerminologySource,
    WordLikeness,
    by_form_alone,
    no_term,
    unheard,
    unobserved,
)
from elysia_guard.recording import Note, Recorder
from elysia_guard.scoping import Sources, sources_in
from elysia_guard.stages import (
    answering,
    catalogue,
    choice,
    clarification,
    gates,
    intake,
    listing,
    response,
    retrieval,
    router,
    sources,
    suggestions,
    terminology,
    verification,
)

HARDLY = 0.1
"""The chance from which a refusal proposes to ask what the term means."""


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The stages over the ports. Holds no state of any question.

    ``terminology_s`` bounds the whole terminology stage, in seconds of the ``deadline_clock``,
    however many look-ups it takes; None leaves that to the source. ``shadow`` are candidate limits,
    which judge beside the live ones for the record alone. ``example_term`` is one that the
    vocabulary defines. Without ``terminology`` no vocabulary is configured. ``uncounted`` is the
    index where it is asked for ways on: that is no retrieval for an answer.
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
    alike: WordLikeness = by_form_alone
    meaning_cue: MeaningCue = unheard
    default_lang: Lang = "en"
    max_question_chars: int = 2_000
    terminology_s: float | None = None
    shadow: Thresholds | None = None
    clock: Clock = time.perf_counter
    deadline_clock: Clock = time.monotonic
    observe: Observer = unobserved

    async def answer(self, inquiry: Inquiry) -> RAGResponse:
        """Return an answer with its sources, or say why there is none."""
        if inquiry.verdict is None:
            await self.gather(inquiry)
            self.judge(inquiry)
        return await self.conclude(inquiry)

    def begin(
        self,
        text: str,
        *,
        request_id: str,
        route: Route,
        scope: CollectionScope = EVERYTHING,
        conversation: Conversation | None = None,
    ) -> Inquiry:
        """Clean the question, recognise its language and decide what it asks for.

        In a conversation it may also pick one of the choices that were asked back, or one of the
        ways on that were proposed. Beyond the ``scope`` it is shown nothing, whatever it asks for.

        Raises:
            QuestionError: it is empty, too long, holds no words, or picks where nothing is offered.
        """
        context = RequestContext(request_id=request_id, route=route, clock=self.clock)
        talk = Conversation() if conversation is None else conversation
        with within(context):
            started = self.clock()
            asked = self.check(text)
            self.observe(RequestStarted(route=route, query=text))
            picked = clarification.resume(asked, talk.question_back)
            way_on = None if picked else clarification.way_on(asked, talk)
            back = (talk.question_back if picked else None) or (talk.ways_on if way_on else None)
            asked = way_on or asked
            lang = back.lang if back else identify(asked, default=self.default_lang)
            if self.terminology is None:
                scope = scope.without_vocabulary()
            question = Question(text=asked, lang=lang, request_id=request_id, scope=scope)
            intent = picked or clarification.settle(router.route(question), talk)
            inquiry = Inquiry(question=question, intent=intent, context=context, conversation=talk)
            taken = f"it picks '{way_on}'; " if way_on else ""
            note = Note(f"{intent.kind}: {taken}{intent.reason}")
            self._record.step("router", inquiry, note, started=started)
            if intent.kind is IntentKind.CONVERSATIONAL:
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

    def redirect(self, inquiry: Inquiry, step: Step, inputs: Mapping[str, object]) -> None:
        """Follow an LLM's choice of step; of its inputs only what the question says counts."""
        inquiry.intent = choice.followed(inquiry, step, inputs, kinds=tuple(self.collections))

    def unguided(self, inquiry: Inquiry, flags: Sequence[str], *, started: float) -> None:
        """Leave the choice of step to the rules: a language model was to choose, and failed.

        ``flags`` say how, ``started`` is when it was asked, by this pipeline's clock.
        """
        with within(inquiry.context):
            inquiry.unguided = tuple(flags)
            for flag in flags:
                inquiry.context.add_fallback(flag)
            note = Note(f"left to the rules: {', '.join(flags)}")
            self._record.step("choice", inquiry, note, started=started)

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
        with within(inquiry.context), self._record.stage("retrieval", inquiry) as note:
            inquiry.evidence = await retrieval.from_texts(
                self.embedder, inquiry.question, reached, source=source
            )
            note(told or f"{len(texts)} text(s) from {source}")

    async def gather(self, inquiry: Inquiry) -> None:
        """Ask the sources that the intent needs; one that is down lands in ``missing``."""
        with within(inquiry.context):
            await self._reread(inquiry)
            if inquiry.undecided and inquiry.question.scope.defines:
                await self._hear(inquiry)
            if inquiry.intent.term:
                await self._define(inquiry)
            if inquiry.intent.kind is IntentKind.TERMINOLOGY or inquiry.evidence.matches:
                return
            with self._record.stage("retrieval", inquiry) as note:
                evidence = await self._retrieve(inquiry)
                note(f"{len(evidence.documents)} document(s), {len(evidence.hits)} passage(s)")
            inquiry.evidence = replace(
                evidence,
                missing=(*inquiry.evidence.missing, *evidence.missing),
                fallbacks=tuple(dict.fromkeys((*inquiry.evidence.fallbacks, *evidence.fallbacks))),
            )
            self._record.failures(inquiry, evidence.missing)

    async def _reread(self, inquiry: Inquiry) -> None:
        """Read the question again by what the documents are called and what status they have."""
        started = self.clock()
        intent = await catalogue.reread(
            self._within(inquiry).index, inquiry.question, inquiry.intent
        )
        if intent is not inquiry.intent:
            inquiry.intent = intent
            self._record.step(
                "router", inquiry, Note(f"{intent.kind}: {intent.reason}"), started=started
            )

    async def _hear(self, inquiry: Inquiry) -> None:
        """Take a question that no form decides for one of meaning, where it sounds like one."""
        question, started = inquiry.question, self.clock()
        source = self._within(inquiry).terminology
        found = await terminology.heard(source, self.meaning_cue, question.text, question.lang)
        if found and found.chance >= self.thresholds.meaning_asked:
            heard = Intent(
                kind=IntentKind.TERMINOLOGY,
                reason=f"it sounds like asking what '{found.term}' means ({found.chance:.2f})",
                term=found.term,
                topic=found.term,
            )
            intent = inquiry.intent = clarification.settle(heard, inquiry.conversation)
            note = Note(f"{intent.kind}: {intent.reason}")
            self._record.step("router", inquiry, note, started=started)
        elif found and found.chance >= HARDLY:
            inquiry.perhaps_asked = found.term

    async def _define(self, inquiry: Inquiry) -> None:
        with self._record.stage("terminology", inquiry) as note:
            source, lang = self._within(inquiry).terminology, inquiry.question.lang
            found = inquiry.evidence = await terminology.look_up(
                source,
                inquiry.intent,
                lang,
                within_s=self.terminology_s,
                clock=self.deadline_clock,
            )
            note(f"{len(found.matches)} concept(s) for '{inquiry.intent.term}'")
        self._record.failures(inquiry, found.missing)

    async def _retrieve(self, inquiry: Inquiry) -> Evidence:
        question, intent = inquiry.question, inquiry.intent
        sources = self._within(inquiry)
        vocabulary, index = sources.terminology, sources.index
        if inquiry.evidence.missing:
            synonyms: terminology.Synonyms = ()
        else:
            synonyms, failures = await terminology.synonyms(vocabulary, intent.topic, question.lang)
            inquiry.evidence = replace(
                inquiry.evidence, missing=failures, fallbacks=terminology.flags(failures)
            )
            self._record.failures(inquiry, failures)
        try:
            match intent.kind:
                case IntentKind.ENTITY:
                    return await retrieval.fetch(
                        index, intent, question, synonyms, alike=self.alike
                    )
                case IntentKind.LIST:
                    return await listing.list_documents(index, intent, question, synonyms)
                case _:
                    return await retrieval.search(
                        index, self.embedder, question, intent, synonyms, alike=self.alike
                    )
        except (SourceUnavailableError, PassageIndexError) as err:
            failure = SourceFailure(source="index", timeout=False, cause=str(err))
            if isinstance(err, SourceUnavailableError):
                failure = replace(SourceFailure.of(err), source="index")
            return Evidence(
                looked_at=tuple(kind.value for kind in question.scope.reached(intent.kinds)),
                missing=(failure,),
                fallbacks=failure.flags,
            )

    def judge(self, inquiry: Inquiry) -> None:
        """Hold the evidence against the gates."""
        with within(inquiry.context), self._record.stage("gates", inquiry) as note:
            verdict = inquiry.verdict = gates.judge(
                inquiry, thresholds=self.thresholds, collections=self.collections
            )
            reason = f" ({verdict.reason})" if verdict.reason else ""
            note(f"{verdict.outcome}{reason}", verdict.readings)

    async def conclude(self, inquiry: Inquiry) -> RAGResponse:
        """Write the answer, the question back or the refusal that the verdict calls for."""
        with within(inquiry.context):
            match inquiry.decided().outcome:
                case Outcome.ANSWER:
                    reply = await self._answered(inquiry)
                case Outcome.CONVERSE:
                    reply = response.conversed(inquiry, await self._examples(inquiry))
                case _:
                    reply = await self._turned_back(inquiry)
            clarification.remember(inquiry, inquiry.conversation, reply.suggestions)
            self._record.end(inquiry, reply, shadow=self._shadowed(inquiry))
        return reply

    def _shadowed(self, inquiry: Inquiry) -> Verdict | None:
        """Judge the same evidence by the candidate limits, where the gates judged it at all."""
        if self.shadow is None or not any(step.stage == "gates" for step in inquiry.trace):
            return None
        return gates.judge(inquiry, thresholds=self.shadow, collections=self.collections)

    async def _answered(self, inquiry: Inquiry) -> RAGResponse:
        with self._record.stage("answer", inquiry) as note:
            draft = answering.draft(inquiry, collection=self._collection)
            note(f"extractive, {len(draft.sources)} source(s)")
        with self._record.stage("verification", inquiry) as note:
            found = await sources.look(self.origins, draft)
            now = sources.of_sources(draft, found)
            inquiry.staleness, answered = sources.staleness(draft.cited, now), inquiry
            if sources.is_stale(now):
                answered, draft, now = await self._redrafted(inquiry, draft, found)
            validation = verification.verify(draft, now)
            note(
                f"{validation.sources_verified} of {validation.sources_total} quotes hold, "
                f"against: {', '.join(validation.against) or 'nothing'}"
            )
        if validation.confidence < 1.0:
            inquiry.verdict = replace(
                inquiry.decided(),
                outcome=Outcome.REFUSE,
                confidence=0.0,
                reason=RefusalReason.UNVERIFIED_ANSWER,
                details={"variant": "stale"} if inquiry.staleness.found else {},
            )
            return await self._turned_back(inquiry)
        return response.answered(answered, draft, validation)

    async def _redrafted(
        self, inquiry: Inquiry, draft: Draft, known: Mapping[str, Origin]
    ) -> tuple[Inquiry, Draft, tuple[Origin, ...]]:
        """Draft again from the sources as they are now, and keep of it what stands in them."""
        before = sources.of_sources(draft, known)
        fresh = sources.as_now(inquiry, known)
        again = answering.draft(fresh, collection=self._collection)
        now = sources.of_sources(again, await sources.look(self.origins, again, known))
        kept, standing = verification.standing(again, now)
        inquiry.staleness = fresh.staleness = sources.staleness(
            (*draft.cited, *again.cited), (*before, *now), sources.withheld(draft, kept)
        )
        return fresh, kept, standing

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
        clarify = inquiry.decided().outcome is Outcome.CLARIFY
        return (response.clarified if clarify else response.refused)(inquiry, ways_on)

    async def _examples(self, inquiry: Inquiry) -> Examples:
        """Name a term and a document that there are, for the reader to ask about."""
        scope, lang = inquiry.question.scope, inquiry.question.lang
        term = self.example_term(lang) if scope.defines else ""
        try:
            documents = await self._within(inquiry).index.documents(Filters())
        except (SourceUnavailableError, PassageIndexError):
            documents = ()
        return Examples.of(documents, term=term)

    def _within(self, inquiry: Inquiry, *, counted: bool = True) -> Sources:
        """The sources as far as the question may reach: the stages are given no others."""
        index = self.index if counted else self.uncounted or self.index
        return sources_in(inquiry.question.scope, self.terminology, index)

    def _collection(self, kind: DocumentKind | None) -> str:
        return self.collections.get(kind, "") if kind else self.vocabulary_collection

    @property
    def _record(self) -> Recorder:
        return Recorder(observe=self.observe, clock=self.clock)
