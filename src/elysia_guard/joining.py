"""The parts of a question, concluded side by side and put together in their order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from elysia_guard.concluding import Answerer, Numbered
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.resilience.together import together
from elysia_guard.stages import response, writing

Unanswered = Callable[[Inquiry], Awaitable[RAGResponse]]
"""Replies to a part that is not answered."""


@dataclass(frozen=True, kw_only=True)
class Joiner:
    """Concludes each part of a question, all at once: they share the time of an answer.

    In mode thinking what the parts found is written as one answer. How many calls of a model go at
    a time is bounded by whoever makes them.
    """

    answerer: Answerer
    others: Unanswered

    async def concluded(self, inquiry: Inquiry) -> RAGResponse:
        """Return the reply to a question, of one part or several."""
        if not inquiry.further:
            return (await self._one(inquiry))(0)
        own = [part for part in inquiry.every if self._may_be_joined(part)]
        if len(own) < writing.FEWEST:
            return await self.each_by_itself(inquiry)
        if whole := await self.answerer.as_one(own):
            return await self._beside(whole, own, inquiry)
        joiner = self._without_plans()
        return await joiner.each_by_itself(inquiry)

    def _may_be_joined(self, part: Inquiry) -> bool:
        """Whether what a part found may be written as one answer with what others did."""
        answered = part.decided().outcome is Outcome.ANSWER
        return (
            answered
            and self.answerer.thinks(part)
            and writing.is_written(part)
            and not writing.sides_of(part)
        )

    async def each_by_itself(self, inquiry: Inquiry) -> RAGResponse:
        """Return the replies to the parts, each under its words."""
        numbered = await self._side_by_side(inquiry, inquiry.every)
        asked = [part.question.text for part in inquiry.every]
        return response.joined(inquiry, asked, _in_order(numbered))

    async def _beside(
        self, whole: Numbered, own: Sequence[Inquiry], inquiry: Inquiry
    ) -> RAGResponse:
        """Tell one answer to some parts, and beside it what comes of the others."""
        others = [part for part in inquiry.every if all(part is not each for each in own)]
        numbered = [whole, *await self._side_by_side(inquiry, others)]
        asked = " ".join(part.question.text for part in own) if others else ""
        named = [asked, *(part.question.text for part in others)]
        return response.joined(inquiry, named, _in_order(numbered))

    def _without_plans(self) -> Joiner:
        """What was thought through as one is not taken apart once more, part by part."""
        desk = self.answerer.desk
        planless = desk and replace(desk, planner=None)
        return replace(self, answerer=replace(self.answerer, desk=planless))

    async def _side_by_side(self, inquiry: Inquiry, parts: Sequence[Inquiry]) -> list[Numbered]:
        """Conclude parts at once; the trace stands in the order of the parts."""
        trace, flags = inquiry.trace, inquiry.context.fallback_flags
        known = len(flags)
        for part in parts:
            part.trace = []
        try:
            numbered = await together(*map(self._one, parts))
        finally:
            for part in parts:
                trace += part.trace
                part.trace = trace
        # Which part failed first is chance: the flags stand in the order of the parts.
        told = (flag for part in parts for flag in part.fallbacks if flag in flags[known:])
        flags[known:] = dict.fromkeys((*told, *flags[known:]))
        return numbered

    async def _one(self, inquiry: Inquiry) -> Numbered:
        if inquiry.decided().outcome is Outcome.ANSWER:
            reply = await self.answerer.answered(inquiry)
        else:
            reply = await self.answerer.in_part(inquiry)
        if reply:
            return reply
        other = await self.others(inquiry)
        return lambda _before: other


def _in_order(numbered: Sequence[Numbered]) -> list[RAGResponse]:
    """Number the sources of replies through."""
    replies: list[RAGResponse] = []
    for each in numbered:
        replies.append(each(sum(len(reply.sources) for reply in replies)))
    return replies
