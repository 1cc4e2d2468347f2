"""Who writes, and what of the sources that points at."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.manuscript import Manuscript, Written
from elysia_guard.domain.mode import Mode
from elysia_guard.ports import Clock, Planner, Writer, timeout_at
from elysia_guard.stages.writing.finding import located
from elysia_guard.stages.writing.told import MAX_CHARS, as_told, told_of

SOURCE = "writer"


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

    @property
    def named(self) -> tuple[str, ...]:
        """Name whoever is asked, with its prompt; a planner is the writer's own model."""
        return (self.writer.model_id,)

    def ends(self, mode: Mode, began: float) -> float:
        """Return the moment by which an answer that was begun at another has to be there."""
        return began + (self.thinking_s if mode is Mode.THINKING else self.deadline_s)

    async def planned(self, inquiry: Inquiry, ends: float) -> Sequence[str]:
        """Return what else to search for, to answer a question.

        Raises:
            SourceUnavailableError: nothing of use was said in time.
        """
        if self.planner is None:
            return ()
        question = inquiry.question
        if self.clock() >= ends:
            raise _late()
        try:
            async with timeout_at(self.clock, ends):
                return await self.planner(question.text, lang=question.lang)
        except TimeoutError as err:
            raise _late() from err

    async def written(self, inquiry: Inquiry, *, ends: float) -> Manuscript:
        """Have an answer written, and look up what it points at.

        Raises:
            SourceUnavailableError: nobody wrote anything of use in time.
        """
        if self.clock() >= ends:
            raise _late()
        question, passages = inquiry.question, told_of(inquiry, max_chars=self.max_chars)
        inquiry.progress("writing")
        try:
            async with timeout_at(self.clock, ends):
                told = tuple(map(as_told, passages))
                written = await self.writer(question.text, told, lang=question.lang)
        except TimeoutError as err:
            raise _late() from err
        return self._manuscript(written, passages)

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


def noted(manuscript: Manuscript) -> str:
    """Say for the trace what became of what was written; no word of it."""
    if not manuscript.answers:
        return f"{manuscript.written_by} says that {manuscript.sources} source(s) answer not"
    return (
        f"{manuscript.written_by} wrote {manuscript.total} sentence(s) from {manuscript.sources} "
        f"source(s); {manuscript.left_out} not found there"
    )


def flags_of(err: SourceUnavailableError) -> tuple[str, ...]:
    """Return the fallback flags of a failure: ``writer_timeout``, ``writer_error``."""
    return replace(SourceFailure.of(err), source=SOURCE).flags


def _late() -> SourceTimeoutError:
    return SourceTimeoutError("the answer was not written in time", source=SOURCE)
