"""The way of a question through the guard, in one place.

The direct route walks it with ``answer``; the tree route takes the same steps one by one, as
Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Route
from elysia_guard.domain.reading import SmallTalk, Unclear
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.answer_cache import told_again
from elysia_guard.pipeline.dependencies import Dependencies
from elysia_guard.pipeline.recording import Note
from elysia_guard.ports import ReadingModel
from elysia_guard.stages import clarification, judging, response, retrieval, writing

NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Pipeline(Dependencies):
    """The stages over the ports, in their order. Holds no state of any question."""

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
        the question nor this pipeline's generator says so. Whoever asks this says with ``leave``
        that nothing more comes of the question.
        """
        mode = inquiry.mode or (self.generator.mode if self.generator else mode)
        if self.memory is None or not self.memory.concerns(inquiry, mode):
            return
        with within(inquiry.context):
            await self._answer_cache(inquiry, self.memory).recall(
                inquiry, mode=mode, models=(*models, *self._named)
            )

    def leave(self, inquiry: Inquiry) -> None:
        """Let those go who wait for the answer to a question, where none has come of it."""
        if inquiry.place:
            inquiry.place.done(None)
            inquiry.place = None

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
        made, where that is not as the settings say.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        context = RequestContext(request_id, route, clock=self.clock, kinds=self.kinds)
        if self.terminology is None:
            scope = scope.without_vocabulary()
        talk = Conversation() if conversation is None else conversation
        with within(context):
            inquiry = await self._receiver.received(
                text, context, scope=scope, conversation=talk, mode=mode
            )
            if all(isinstance(each.asks, SmallTalk | Unclear) for each in inquiry.every):
                self.judge(inquiry)
        return inquiry

    def scope(self, names: Sequence[str]) -> CollectionScope:
        """Return the scope of a question to the collections of these names; of none, everything."""
        return CollectionScope.of_names(names, self.collections, self.vocabulary_collection)

    def check(self, text: str) -> str:
        """Return a question as it can be asked; see ``intake.check``."""
        return self._receiver.check(text)

    def turn_away(
        self, text: str, error: QuestionError, *, request_id: str, route: Route
    ) -> Inquiry:
        """Return an inquiry that ends in a refusal, for a text that cannot be asked."""
        context = RequestContext(request_id, route, clock=self.clock, kinds=self.kinds)
        with within(context):
            return self._receiver.turned_away(text, error, context)

    async def consult(self, inquiry: Inquiry, model: ReadingModel) -> None:
        """Ask a language model which meaning a question in doubt may ask for.

        What a refusal proposes is all that depends on it.

        Raises:
            SourceUnavailableError: it said nothing of use; the question stays as it was read.
        """
        with within(inquiry.context):
            await self._receiver.consulted(inquiry, model)

    def unguided(
        self, inquiry: Inquiry, flags: Sequence[str], *, stage: str, started: float
    ) -> None:
        """Leave a question to the rules: a language model was asked about it, and failed.

        ``flags`` say how, ``stage`` what it was asked in, ``started`` when, by this pipeline's
        clock.
        """
        with within(inquiry.context):
            inquiry.lacks(flags)
            told = noting.left_to("rules", flags)
            note = Note(f"left to the rules: {', '.join(flags)}", remarks=told)
            self._record.step(stage, inquiry, note, started=started)

    async def weigh(
        self,
        inquiry: Inquiry,
        texts: Sequence[retrieval.Found],
        *,
        source: str,
        told: str = "",
        rejected: Mapping[str, int] = NOTHING,
    ) -> None:
        """Take passages from elsewhere as evidence, with true distances of our own.

        Those of documents that the question may not reach are left out. ``told`` is what the trace
        says of where they come from, ``rejected`` how many results were none, by the reason.
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
            remarks = noting.of_tool(source, len(texts), rejected)
            note(told or f"{len(texts)} text(s) from {source}", remarks=remarks)

    async def gather(
        self, inquiry: Inquiry, *, relevance_judge: judging.RelevanceJudge | None = None
    ) -> None:
        """Ask the sources that each part needs; one that is down lands in ``missing``.

        ``relevance_judge`` is asked what passages answer, where this pipeline has none of its own.
        """
        gatherer = (
            self._gatherer
            if self.relevance_judge
            else replace(self._gatherer, relevance_judge=relevance_judge)
        )
        with within(inquiry.context):
            for each in inquiry.every:
                await gatherer.gather(each)

    def judge(self, inquiry: Inquiry) -> None:
        """Hold the evidence of each part against the gates."""
        decider = self._decider.for_parts_of(inquiry)
        for each in inquiry.every:
            with within(inquiry.context), self._record.stage("gates", each) as note:
                verdict = each.verdict = decider.decided(each)
                reason = f" ({verdict.reason})" if verdict.reason else ""
                told = noting.decided(verdict)
                note(f"{verdict.outcome}{reason}", verdict.readings, remarks=told)

    def judged_by(self, thresholds: Thresholds, inquiry: Inquiry) -> Verdict:
        """Hold the evidence of a part against the gates by some limits; nothing is recorded."""
        return replace(self._decider, thresholds=thresholds).decided(inquiry)

    async def conclude(
        self, inquiry: Inquiry, *, generator: writing.AnswerGenerator | None = None
    ) -> RAGResponse:
        """Write the answer, the question back or the refusal that the verdict calls for.

        ``generator`` is who writes an answer, where this pipeline has none of its own.
        """
        with within(inquiry.context):
            if inquiry.recalled:
                reply = told_again(inquiry, inquiry.recalled)
            else:
                reply = await self._made(inquiry, generator)
                clarification.remember(inquiry, inquiry.conversation, reply.suggestions)
            self._record.end(inquiry, reply)
            if self.memory:
                await self._answer_cache(inquiry, self.memory).keep(inquiry, reply)
        return reply

    async def _made(
        self, inquiry: Inquiry, generator: writing.AnswerGenerator | None
    ) -> RAGResponse:
        joiner = self._joiner(inquiry, generator)
        reply = response.of_followup(inquiry, await joiner.concluded(inquiry))
        return response.with_contact(inquiry, reply, self.contact)
