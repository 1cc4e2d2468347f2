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
from elysia_guard.pipeline.gathering import Gatherer
from elysia_guard.pipeline.receiving import Receiver
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.stages import clarification, guiding, response
from elysia_guard.stages.guiding import Guidance


class Steps(NamedTuple):
    """Who does each step of a question."""

    receiver: Receiver
    gatherer: Gatherer
    concluder: Concluder
    cache: AnswerCache | None
    record: Recorder


class Order(ABC):
    """The way of a question that was read, over the steps of a ``Pipeline``."""

    guidance: Guidance | None
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

    async def gather(self, inquiry: Inquiry, *, guidance: Guidance | None = None) -> None:
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
