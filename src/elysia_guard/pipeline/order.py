"""The way of a question through the guard, in one place.

Question -> Reading -> Evidence -> Verdict -> Reply: each step returns what it found, and the
inquiry becomes that. The direct route walks it with ``answer``; the tree route takes the same steps
one by one, as Elysia tools, and ``next_step`` tells it which comes next.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.domain.context import within
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import RAGResponse
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.answer_cache import AnswerCache, told_again
from elysia_guard.pipeline.concluding import Concluder
from elysia_guard.pipeline.deciding import Decider
from elysia_guard.pipeline.gathering import Gatherer
from elysia_guard.pipeline.receiving import Receiver
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.stages import clarification, response
from elysia_guard.stages.judging import RelevanceJudge
from elysia_guard.stages.writing import AnswerGenerator


class Steps(NamedTuple):
    """Who does each step of a question."""

    receiver: Receiver
    gatherer: Gatherer
    decider: Decider
    concluder: Concluder
    cache: AnswerCache | None
    record: Recorder


class Order(ABC):
    """The way of a question that was read, over the steps of a ``Pipeline``."""

    relevance_judge: RelevanceJudge | None
    generator: AnswerGenerator | None
    contact: str

    @property
    @abstractmethod
    def steps(self) -> Steps:
        """Who does each step."""

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

    async def gather(
        self, inquiry: Inquiry, *, relevance_judge: RelevanceJudge | None = None
    ) -> None:
        """Ask the sources that each part needs; one that is down lands in ``missing``.

        ``relevance_judge`` is asked what passages answer, where this pipeline has none of its own.
        """
        judge = self.relevance_judge or relevance_judge
        with within(inquiry.context):
            for each in inquiry.every:
                each.becomes(await self.steps.gatherer.gathered(each, judge))

    def judge(self, inquiry: Inquiry) -> None:
        """Hold the evidence of each part against the gates."""
        with within(inquiry.context):
            for each in inquiry.every:
                with self.steps.record.stage("gates", each) as tell:
                    each.verdict = self.steps.decider.decided(each, among=len(inquiry.every))
                    tell(noting.decided(each.verdict))

    async def conclude(
        self, inquiry: Inquiry, *, generator: AnswerGenerator | None = None
    ) -> RAGResponse:
        """Write the answer, the question back or the refusal that the verdict calls for.

        ``generator`` is who writes an answer, where this pipeline has none of its own.
        """
        place, writer = inquiry.place, self.generator or generator
        with within(inquiry.context):
            if place and place.kept:
                reply = told_again(inquiry, place.kept)
                self.steps.record.end(inquiry, reply)
                return reply
            begun = writer.begun(place.waited_s if place else 0.0) if writer else None
            ended = await self.steps.concluder.concluded(inquiry, begun)
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
        the question nor this pipeline's generator says so. Whoever asks this says with ``leave``
        that nothing more comes of the question.
        """
        cache = self.steps.cache
        if cache is None:
            return
        mode = inquiry.mode or (self.generator.mode if self.generator else mode)
        with within(inquiry.context):
            place = await cache.recalled(inquiry, mode, models=models)
        if place:
            inquiry.place = place
        if place and place.kept:
            for part, verdict in zip(inquiry.every, place.kept.verdicts, strict=True):
                part.verdict = verdict

    def leave(self, inquiry: Inquiry) -> None:
        """Let those go who wait for the answer to a question, where none has come of it."""
        if inquiry.place:
            inquiry.place.done(None)
            inquiry.place = None
