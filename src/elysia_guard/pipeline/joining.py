"""The parts of a question, concluded side by side and put together in their order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.pipeline.concluding import Answerer
from elysia_guard.pipeline.holding import Numbered
from elysia_guard.resilience.together import together
from elysia_guard.stages import response, writing

Unanswered = Callable[[Inquiry], Awaitable[RAGResponse]]
"""Replies to a part that is not answered."""


@dataclass(frozen=True, kw_only=True)
class Joiner:
    """Concludes each part of a question, all at once: they share the time of an answer.

    In mode thinking what the parts found is written as one answer. How many calls of a model go at
    a time is bounded by whoever makes them. A part is shown when it is whole, and all before it.
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
        row = _Row(inquiry, [part.question.text for part in inquiry.every])
        await self._side_by_side(inquiry, inquiry.every, row)
        return row.joined

    async def _beside(
        self, whole: Numbered, own: Sequence[Inquiry], inquiry: Inquiry
    ) -> RAGResponse:
        """Tell one answer to some parts, and beside it what comes of the others."""
        others = [part for part in inquiry.every if all(part is not each for each in own)]
        asked = " ".join(part.question.text for part in own) if others else ""
        row = _Row(inquiry, [asked, *(part.question.text for part in others)])
        row.put(0, whole)
        await self._side_by_side(inquiry, others, row, behind=1)
        return row.joined

    def _without_plans(self) -> Joiner:
        """What was thought through as one is not taken apart once more, part by part."""
        desk = self.answerer.desk
        planless = desk and replace(desk, planner=None)
        return replace(self, answerer=replace(self.answerer, desk=planless))

    async def _side_by_side(
        self, inquiry: Inquiry, parts: Sequence[Inquiry], row: _Row, *, behind: int = 0
    ) -> None:
        """Conclude parts at once; the trace stands in the order of the parts.

        ``behind`` so many others they have their place in the row.
        """
        trace, flags = inquiry.trace, inquiry.context.fallback_flags
        known = len(flags)

        async def conclude(at: int, part: Inquiry) -> None:
            row.put(at, await self._one(part))

        for part in parts:
            part.trace = []
        try:
            await together(*(conclude(at, part) for at, part in enumerate(parts, start=behind)))
        finally:
            for part in parts:
                trace += part.trace
                part.trace = trace
        # Which part failed first is chance: the flags stand in the order of the parts.
        told = (flag for part in parts for flag in part.fallbacks if flag in flags[known:])
        flags[known:] = dict.fromkeys((*told, *flags[known:]))

    async def _one(self, inquiry: Inquiry) -> Numbered:
        if inquiry.decided().outcome is Outcome.ANSWER:
            reply = await self.answerer.answered(inquiry)
        else:
            reply = await self.answerer.in_part(inquiry)
        if reply:
            return reply
        other = await self.others(inquiry)
        return lambda _before: other


@dataclass
class _Row:
    """The replies to parts in their order, each shown as soon as it and all before it are there.

    ``asked`` are the words that ask each. The sources are numbered through, and the last reply
    comes with the whole.
    """

    inquiry: Inquiry
    asked: Sequence[str]
    _whole: dict[int, Numbered] = field(default_factory=dict)
    _replies: list[RAGResponse] = field(default_factory=list)

    def put(self, at: int, numbered: Numbered) -> None:
        """Put the reply to a part at its place."""
        self._whole[at] = numbered
        while (n := len(self._replies)) in self._whole:
            reply = self._whole[n](sum(len(each.sources) for each in self._replies))
            self._replies.append(reply)
            if n + 1 < len(self.asked):
                response.reveal_part(self.inquiry, self.asked[n], reply)

    @property
    def joined(self) -> RAGResponse:
        """The reply to the whole question."""
        return response.joined(self.inquiry, self.asked, self._replies)
