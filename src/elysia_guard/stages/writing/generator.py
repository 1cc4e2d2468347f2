"""Who writes, and what of the sources that points at."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.manuscript import Manuscript, Written
from elysia_guard.domain.mode import Mode
from elysia_guard.ports import Clock, Planner, Writer, timeout_at
from elysia_guard.stages.writing.finding import located
from elysia_guard.stages.writing.told import MAX_CHARS, told_of

SOURCE = "writer"
Said = TypeVar("Said")


@dataclass(frozen=True, kw_only=True)
class AnswerGenerator:
    """Who writes, what they are told, and how long it may take.

    In mode ``thinking`` the ``planner`` takes a question apart. ``deadline_s`` is for all calls of
    an answer together, ``thinking_s`` for those of mode ``thinking``, in seconds of ``clock``.
    ``max_chars`` bounds all sources.
    """

    writer: Writer
    planner: Planner | None = None
    mode: Mode = Mode.AUTO
    deadline_s: float = 8.0
    thinking_s: float = 25.0
    max_chars: int = MAX_CHARS
    clock: Clock = time.monotonic
    began: float = 0.0
    """When the answer was begun that is written."""

    def begun(self, waited_s: float) -> AnswerGenerator:
        """Return who writes one answer, which was waited for so many seconds: its time runs."""
        return replace(self, began=self.clock() - waited_s)

    async def planned(self, inquiry: Inquiry) -> Sequence[str]:
        """Return what else to search for, to answer a question.

        Raises:
            SourceUnavailableError: nothing of use was said in time.
        """
        planner, question = self.planner, inquiry.question
        if planner is None:
            return ()
        return await self._in_time(inquiry, lambda: planner(question.text, lang=question.lang))

    async def written(self, inquiry: Inquiry) -> Manuscript:
        """Have an answer written, and look up what it points at.

        Raises:
            SourceUnavailableError: nobody wrote anything of use in time.
        """
        question, passages = inquiry.question, told_of(inquiry, max_chars=self.max_chars)

        async def write() -> Written:
            inquiry.progress("writing")
            return await self.writer(question.text, passages, lang=question.lang)

        return self._manuscript(await self._in_time(inquiry, write), passages)

    async def _in_time(self, inquiry: Inquiry, work: Callable[[], Awaitable[Said]]) -> Said:
        """Await what a model says, until the answer to a question has to be there."""
        thinks = (inquiry.mode or self.mode) is Mode.THINKING
        ends = self.began + (self.thinking_s if thinks else self.deadline_s)
        late = SourceTimeoutError("the answer was not written in time", source=SOURCE)
        if self.clock() >= ends:
            raise late
        try:
            async with timeout_at(self.clock, ends):
                return await work()
        except TimeoutError as err:
            raise late from err

    def _manuscript(self, written: Written, passages: tuple[Passage, ...]) -> Manuscript:
        found = [place for each in written.pointers for place in located(each, passages)]
        places = [place for place in found if place]
        return Manuscript(
            answers=written.answers,
            sources=len(passages),
            chosen=tuple(dict.fromkeys(places)),
            total=len(found),
            located=len(places),
            written_by=self.writer.model_id,
        )
