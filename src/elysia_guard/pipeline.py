"""The way of a question through the guard, in one place.

The direct route walks it with ``answer``; the tree route takes the same steps one by one, as
Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind, Filters
from elysia_guard.domain.errors import (
    PassageIndexError,
    QuestionError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import RequestStarted
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.inquiry import Inquiry, Step
from elysia_guard.domain.question import Intent, IntentKind, Lang, Question, Route
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.identify import identify
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import clean, words
from elysia_guard.ports import (
    Clock,
    Embedder,
    MeaningCue,
    Observer,
    PassageIndex,
    TerminologySource,
    WordLikeness,
    by_form_alone,
    unheard,
    unobserved,
)
from elysia_guard.recording import Note, Recorder
from elysia_guard.stages import (
    answering,
    clarification,
    gates,
    intake,
    response,
    retrieval,
    router,
    suggestions,
    terminology,
    verification,
)

HARDLY = 0.1
"""The chance from which a refusal proposes to ask what the term means."""


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The stages over the ports. Holds no state of any question.

    ``terminology_s`` bounds the whole terminology stage, in seconds, however many look-ups it
    takes; None leaves that to the source. ``shadow`` are candidate limits, which judge beside the
    live ones for the record alone.
    """

    terminology: TerminologySource
    index: PassageIndex
    embedder: Embedder
    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    vocabulary_collection: str
    alike: WordLikeness = by_form_alone
    meaning_cue: MeaningCue = unheard
    default_lang: Lang = "en"
    max_question_chars: int = 2_000
    terminology_s: float | None = None
    shadow: Thresholds | None = None
    clock: Clock = time.perf_counter
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
        kind: DocumentKind | None = None,
        conversation: Conversation | None = None,
    ) -> Inquiry:
        """Clean the question, recognise its language and decide what it asks for.

        In a conversation it may also pick one of the choices that were asked back.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        context = RequestContext(request_id=request_id, route=route, clock=self.clock)
        talk = Conversation() if conversation is None else conversation
        with within(context):
            started = self.clock()
            asked = self.check(text)
            self.observe(RequestStarted(route=route, query=text))
            picked = clarification.resume(asked, talk.question_back)
            lang = (
                talk.question_back.lang
                if picked and talk.question_back
                else identify(asked, default=self.default_lang)
            )
            question = Question(text=asked, lang=lang, request_id=request_id, kind=kind)
            intent = picked or clarification.settle(router.route(question), talk)
            inquiry = Inquiry(question=question, intent=intent, context=context, conversation=talk)
            note = Note(f"{intent.kind}: {intent.reason}")
            self._record.step("router", inquiry, note, started=started)
            if intent.kind is IntentKind.CONVERSATIONAL:
                self.judge(inquiry)
        return inquiry

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
        term = clean(str(inputs.get("term") or ""))
        named = set(words(str(inputs.get("kinds") or "")))
        kinds = tuple(kind for kind in self.collections if kind in named)
        intent = replace(inquiry.intent, reason="the language model chose among the guarded tools")
        if step is Step.SKOSMOS_LOOKUP and _holds(inquiry.question, term):
            intent = replace(intent, kind=IntentKind.TERMINOLOGY, term=term)
        elif step is Step.LIST_DOCUMENTS and kinds:
            intent = replace(intent, kind=IntentKind.LIST, kinds=kinds, topic="")
        elif kinds:
            intent = replace(intent, kinds=kinds)
        inquiry.intent = intent

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
        self, inquiry: Inquiry, texts: Sequence[tuple[str, str]], *, source: str
    ) -> None:
        """Take (title, text) pairs from elsewhere as evidence, with true distances of our own."""
        with within(inquiry.context), self._record.stage("retrieval", inquiry) as note:
            inquiry.evidence = await retrieval.from_texts(
                self.embedder, inquiry.question, texts, source=source
            )
            note(f"{len(texts)} text(s) from {source}")

    async def gather(self, inquiry: Inquiry) -> None:
        """Ask the sources that the intent needs; one that is down lands in ``missing``."""
        with within(inquiry.context):
            if inquiry.undecided:
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

    async def _hear(self, inquiry: Inquiry) -> None:
        """Take a question that no form decides for one of meaning, where it sounds like one."""
        question, started = inquiry.question, self.clock()
        found = await terminology.heard(
            self.terminology, self.meaning_cue, question.text, question.lang
        )
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
            found = inquiry.evidence = await terminology.look_up(
                self.terminology, inquiry.intent, inquiry.question.lang, within_s=self.terminology_s
            )
            note(f"{len(found.matches)} concept(s) for '{inquiry.intent.term}'")
        self._record.failures(inquiry, found.missing)

    async def _retrieve(self, inquiry: Inquiry) -> Evidence:
        question, intent = inquiry.question, inquiry.intent
        if inquiry.evidence.missing:
            synonyms: terminology.Synonyms = ()
        else:
            synonyms, failures = await terminology.synonyms(
                self.terminology, intent.topic, question.lang
            )
            inquiry.evidence = replace(
                inquiry.evidence, missing=failures, fallbacks=terminology.flags(failures)
            )
            self._record.failures(inquiry, failures)
        try:
            match intent.kind:
                case IntentKind.ENTITY:
                    return await retrieval.fetch(
                        self.index, intent, question, synonyms, alike=self.alike
                    )
                case IntentKind.LIST:
                    return await retrieval.list_documents(self.index, intent, question, synonyms)
                case _:
                    return await retrieval.search(
                        self.index, self.embedder, question, intent, synonyms, alike=self.alike
                    )
        except (SourceUnavailableError, PassageIndexError) as err:
            failure = SourceFailure(source="index", timeout=False)
            if isinstance(err, SourceUnavailableError):
                failure = replace(SourceFailure.of(err), source="index")
            return Evidence(
                looked_at=tuple(kind.value for kind in intent.kinds),
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
                    reply = response.conversed(inquiry, document=await self._example())
                case _:
                    reply = await self._turned_back(inquiry)
            clarification.remember(inquiry, inquiry.conversation)
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
            validation = verification.verify(draft)
            note(f"{validation.sources_verified} of {validation.sources_total} quotes hold")
        if validation.confidence < 1.0:
            inquiry.verdict = replace(
                inquiry.decided(),
                outcome=Outcome.REFUSE,
                confidence=0.0,
                reason=RefusalReason.UNVERIFIED_ANSWER,
            )
            return await self._turned_back(inquiry)
        return response.answered(inquiry, draft, validation)

    async def _turned_back(self, inquiry: Inquiry) -> RAGResponse:
        with self._record.stage("suggestions", inquiry) as note:
            ways_on = await suggestions.suggest(
                inquiry, terminology=self.terminology, index=self.index
            )
            note(f"{len(ways_on)} way(s) on")
        clarify = inquiry.decided().outcome is Outcome.CLARIFY
        return (response.clarified if clarify else response.refused)(inquiry, ways_on)

    async def _example(self) -> str:
        """Name a document that exists, for the reader to ask about."""
        try:
            documents = await self.index.documents(Filters(kinds=(DocumentKind.DECISION,)))
        except (SourceUnavailableError, PassageIndexError):
            return "ADR-0001"
        return documents[0].name if documents else "ADR-0001"

    def _collection(self, kind: DocumentKind | None) -> str:
        return self.collections.get(kind, "") if kind else self.vocabulary_collection

    @property
    def _record(self) -> Recorder:
        return Recorder(observe=self.observe, clock=self.clock)


def _holds(question: Question, term: str) -> bool:
    """Tell whether a question holds a term, as whole words, not all of them stop words."""
    found, wanted = words(question.text), words(term)
    spans = range(len(found) - len(wanted) + 1)
    held = any(found[i : i + len(wanted)] == wanted for i in spans)
    return held and bool(content_words(term, question.lang))
