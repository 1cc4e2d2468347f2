"""Mode thinking: a question is taken apart by a model, and each part searched for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.stages import writing

Search = Callable[[Inquiry, str], Awaitable[Verdict]]
"""Searches for a part of a question, and returns what the gates say of it."""
MOST_PARTS = 4


async def unsearched(_inquiry: Inquiry, _part: str, /) -> Verdict:
    """Find nothing: the search where there is none."""
    return Verdict(outcome=Outcome.REFUSE, confidence=0.0, reason=RefusalReason.NO_RESULTS)


@dataclass(frozen=True, kw_only=True)
class QuestionPlanner:
    """Takes questions apart, by ``ends``, and holds each part against the gates."""

    generator: writing.AnswerGenerator
    search: Search
    record: Recorder
    ends: float

    async def widened(self, inquiry: Inquiry) -> Inquiry | None:
        """Return the inquiry with what its parts found beside; None where nobody takes it apart."""
        parts = await self._parts(inquiry)
        if parts is None:
            return None
        verdicts = await self._searched(inquiry, parts)
        return writing.widened(
            inquiry, [hit for verdict in verdicts for hit in writing.passing(verdict)]
        )

    async def _parts(self, inquiry: Inquiry) -> Sequence[str] | None:
        with self.record.stage("planning", inquiry) as note:
            try:
                parts = (await self.generator.planned(inquiry, self.ends))[:MOST_PARTS]
            except SourceUnavailableError as err:
                inquiry.lacks(writing.flags_of(err))
                note("not taken apart", remarks=noting.taken_apart(0))
                return None
            told = noting.taken_apart(len(parts))
            note(f"taken apart into {len(parts)} search(es)", remarks=told)
        return parts

    async def _searched(self, inquiry: Inquiry, parts: Sequence[str]) -> list[Verdict]:
        if parts:
            inquiry.progress("searching")
        return [await self.search(inquiry, part) for part in parts]
