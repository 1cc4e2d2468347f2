"""The parts of a question, concluded side by side and put together in their order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.pipeline.concluding import Answerer
from elysia_guard.pipeline.holding import Numbered
from elysia_guard.resilience.together import together
from elysia_guard.stages import response

Unanswered = Callable[[Inquiry], Awaitable[RAGResponse]]
"""Replies to a part that is not answered."""


@dataclass(frozen=True, kw_only=True)
class Joiner:
    """Concludes each part of a question, all at once: they share the time of an answer.

    How many calls of a model go at a time is bounded by whoever makes them.
    """

    answerer: Answerer
    others: Unanswered

    async def concluded(self, inquiry: Inquiry) -> RAGResponse:
        """Return the reply to a question, of one part or several, its sources numbered through."""
        if not inquiry.further:
            return (await self._one(inquiry))(0)
        replies: list[RAGResponse] = []
        for numbered in await self._side_by_side(inquiry):
            replies.append(numbered(sum(len(each.sources) for each in replies)))
        return response.joined(inquiry, [part.question.text for part in inquiry.every], replies)

    async def _side_by_side(self, inquiry: Inquiry) -> list[Numbered]:
        """Conclude the parts at once; the trace stands in their order."""
        trace, flags = inquiry.trace, inquiry.context.fallback_flags
        known = len(flags)
        for part in inquiry.every:
            part.trace = []
        try:
            replies = await together(*map(self._one, inquiry.every))
        finally:
            for part in inquiry.every:
                trace += part.trace
                part.trace = trace
        # Which part failed first is chance: the flags stand in the order of the parts.
        told = (flag for part in inquiry.every for flag in part.fallbacks if flag in flags[known:])
        flags[known:] = dict.fromkeys((*told, *flags[known:]))
        return list(replies)

    async def _one(self, inquiry: Inquiry) -> Numbered:
        if inquiry.decided().outcome is Outcome.ANSWER:
            reply = await self.answerer.answered(inquiry)
            if reply:
                return reply
        other = await self.others(inquiry)
        return lambda _before: other
