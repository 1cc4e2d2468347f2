"""The way of a question through the guard, in one place.

The direct route walks it with ``answer``; the tree route takes the same steps one by one, as
Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from elysia_guard.domain.document import DocumentKind, Filters
from elysia_guard.domain.errors import (
    PassageIndexError,
    QuestionError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import Event, RequestEnded, RequestStarted, SourceFailed, StageEnded
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.inquiry import Inquiry, Step
from elysia_guard.domain.question import Intent, IntentKind, Lang, Question, Route
from elysia_guard.domain.refusal import GateReading, Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import RAGResponse, TraceStep
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import clean, words
from elysia_guard.ports import Clock, Embedder, Observer, PassageIndex, TerminologySource
from elysia_guard.stages import (
    answering,
    gates,
    response,
    retrieval,
    router,
    suggestions,
    terminology,
    verification,
)


def _unobserved(event: Event, /) -> None:
    """Tell nobody."""


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The stages over the ports. Holds no state of any question."""

    terminology: TerminologySource
    index: PassageIndex
    embedder: Embedder
    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    vocabulary_collection: str
    default_lang: Lang = "en"
    max_question_chars: int = 2_000
    clock: Clock = time.perf_counter
    observe: Observer = _unobserved

    async def answer(self, inquiry: Inquiry) -> RAGResponse:
        """Return an answer with its sources, or say why there is none."""
        if inquiry.verdict is None:
            await self.gather(inquiry)
            self.judge(inquiry)
        return await self.conclude(inquiry)

    def begin(
        self, text: str, *, request_id: str, route: Route, kind: DocumentKind | None = None
    ) -> Inquiry:
        """Clean the question, recognise its language and decide what it asks for.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        started = self.clock()
        self.observe(RequestStarted(request_id=request_id, route=route, query=text))
        question = Question(
            text=self.check(text),
            lang=identify(text, default=self.default_lang),
            request_id=request_id,
            kind=kind,
        )
        intent = router.route(question)
        elapsed_ms = (self.clock() - started) * 1000
        inquiry = Inquiry(question=question, intent=intent, route=route, started=started)
        self._note(inquiry, "router", f"{intent.kind}: {intent.reason}", elapsed_ms)
        if intent.kind is IntentKind.CONVERSATIONAL:
            self.judge(inquiry)
        return inquiry

    def turn_away(
        self, text: str, error: QuestionError, *, request_id: str, route: Route
    ) -> Inquiry:
        """Return an inquiry that ends in a refusal, for a question that cannot be asked."""
        shown = clean(text[: self.max_question_chars])
        lang = identify(shown, default=self.default_lang)
        verdict = Verdict(
            outcome=Outcome.REFUSE,
            confidence=0.0,
            reason=RefusalReason.NO_RESULTS,
            details={"message": say(lang, f"bad.{error.code}", **error.values)},
        )
        step = TraceStep(stage="router", note=f"bad question: {error.code}", elapsed_ms=0.0)
        return Inquiry(
            question=Question(text=shown, lang=lang, request_id=request_id),
            intent=Intent(kind=IntentKind.CONVERSATIONAL, reason=str(error)),
            route=route,
            started=self.clock(),
            trace=[step],
            verdict=verdict,
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

    async def weigh(
        self, inquiry: Inquiry, texts: Sequence[tuple[str, str]], *, source: str
    ) -> None:
        """Take (title, text) pairs from elsewhere as evidence, with true distances of our own."""
        with self._stage("retrieval", inquiry) as note:
            inquiry.evidence = await retrieval.from_texts(
                self.embedder, inquiry.question, texts, source=source
            )
            note(f"{len(texts)} text(s) from {source}")

    async def gather(self, inquiry: Inquiry) -> None:
        """Ask the sources that the intent needs; one that is down lands in ``missing``."""
        question, intent = inquiry.question, inquiry.intent
        if intent.term:
            with self._stage("terminology", inquiry) as note:
                found = await terminology.look_up(self.terminology, intent.term, question.lang)
                note(f"{len(found.matches)} concept(s) for '{intent.term}'")
            inquiry.evidence = found
            self._tell(inquiry, found.missing)
            if intent.kind is IntentKind.TERMINOLOGY or found.matches:
                return
        with self._stage("retrieval", inquiry) as note:
            evidence = await self._retrieve(inquiry)
            note(f"{len(evidence.documents)} document(s), {len(evidence.hits)} passage(s)")
        self._tell(inquiry, evidence.missing)
        inquiry.evidence = replace(
            evidence,
            missing=(*inquiry.evidence.missing, *evidence.missing),
            fallbacks=tuple(dict.fromkeys((*inquiry.evidence.fallbacks, *evidence.fallbacks))),
        )

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
            self._tell(inquiry, failures)
        try:
            match intent.kind:
                case IntentKind.ENTITY:
                    return await retrieval.fetch(self.index, intent, question, synonyms)
                case IntentKind.LIST:
                    return await retrieval.list_documents(self.index, intent, question, synonyms)
                case _:
                    return await retrieval.search(
                        self.index, self.embedder, question, intent, synonyms
                    )
        except (SourceUnavailableError, PassageIndexError) as err:
            timeout = isinstance(err, SourceTimeoutError)
            return Evidence(
                looked_at=tuple(kind.value for kind in intent.kinds),
                missing=(SourceFailure(source="index", timeout=timeout),),
                fallbacks=("index_timeout" if timeout else "index_error",),
            )

    def _tell(self, inquiry: Inquiry, failures: Sequence[SourceFailure]) -> None:
        """Tell observers which sources could not be asked."""
        for failure in failures:
            self.observe(
                SourceFailed(
                    request_id=inquiry.question.request_id,
                    source=failure.source,
                    timeout=failure.timeout,
                )
            )

    def judge(self, inquiry: Inquiry) -> None:
        """Hold the evidence against the gates."""
        with self._stage("gates", inquiry) as note:
            verdict = inquiry.verdict = gates.judge(
                inquiry, thresholds=self.thresholds, collections=self.collections
            )
            reason = f" ({verdict.reason})" if verdict.reason else ""
            note(f"{verdict.outcome}{reason}", verdict.readings)

    async def conclude(self, inquiry: Inquiry) -> RAGResponse:
        """Write the answer, the question back or the refusal that the verdict calls for."""
        match inquiry.decided().outcome:
            case Outcome.ANSWER:
                reply = await self._answered(inquiry)
            case Outcome.CONVERSE:
                reply = response.conversed(inquiry, document=await self._example())
            case _:
                reply = await self._turned_back(inquiry)
        self._end(inquiry, reply)
        return reply

    async def _answered(self, inquiry: Inquiry) -> RAGResponse:
        with self._stage("answer", inquiry) as note:
            draft = answering.draft(inquiry, collection=self._collection)
            note(f"extractive, {len(draft.sources)} source(s)")
        with self._stage("verification", inquiry) as note:
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
        with self._stage("suggestions", inquiry) as note:
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

    def check(self, text: str) -> str:
        """Return a question cleaned of control characters.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        if len(text) > self.max_question_chars:
            raise QuestionError("too_long", length=len(text), limit=self.max_question_chars)
        cleaned = clean(text)
        if not cleaned:
            raise QuestionError("empty")
        if not any(char.isalnum() for char in cleaned):
            raise QuestionError("no_words")
        return cleaned

    def _end(self, inquiry: Inquiry, reply: RAGResponse) -> None:
        self.observe(
            RequestEnded(
                request_id=inquiry.question.request_id,
                route=inquiry.route,
                reason=reply.refusal_reason,
                fallback_flags=reply.retrieval_quality.fallback_reasons,
                total_ms=(self.clock() - inquiry.started) * 1000,
            )
        )

    @contextmanager
    def _stage(self, name: str, inquiry: Inquiry) -> Iterator[_Note]:
        """Time a stage and write it into the trace, with what it says of itself."""
        started = self.clock()
        note = _Note()
        yield note
        elapsed_ms = (self.clock() - started) * 1000
        self._note(inquiry, name, note.text, elapsed_ms, note.readings)

    def _note(
        self,
        inquiry: Inquiry,
        stage: str,
        text: str,
        elapsed_ms: float,
        readings: tuple[GateReading, ...] = (),
    ) -> None:
        step = TraceStep(stage=stage, note=text, elapsed_ms=round(elapsed_ms, 3), readings=readings)
        inquiry.trace.append(step)
        self.observe(
            StageEnded(
                request_id=inquiry.question.request_id,
                stage=stage,
                elapsed_ms=elapsed_ms,
                note=text,
            )
        )


def _holds(question: Question, term: str) -> bool:
    """Tell whether a question holds a term, as whole words, not all of them stop words."""
    found, wanted = words(question.text), words(term)
    spans = range(len(found) - len(wanted) + 1)
    held = any(found[i : i + len(wanted)] == wanted for i in spans)
    return held and bool(content_words(term, question.lang))


@dataclass
class _Note:
    """What a stage says of itself."""

    text: str = ""
    readings: tuple[GateReading, ...] = ()

    def __call__(self, text: str, readings: tuple[GateReading, ...] = ()) -> None:
        """Say it."""
        self.text, self.readings = text, readings
