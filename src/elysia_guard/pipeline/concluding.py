"""An answer, made from evidence that passed the gates, and held against its sources as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.manuscript import Manuscript
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.reading import Named
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.holding import Holder, Numbered, on_lines
from elysia_guard.pipeline.planning import QuestionPlanner, Search, unsearched
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import LineFinder, Origins, no_lines
from elysia_guard.stages import answering, response, writing
from elysia_guard.stages.answering.citing import CollectionOf

RAW = 0.5
"""The confidence that bare sources are held at: documents that were found, and nothing said."""

Tells = Callable[[Inquiry, Draft], bool]
"""Whether a draft tells the kind of thing that is asked for."""


def tells_anything(_inquiry: Inquiry, _draft: Draft, /) -> bool:
    """Hold nothing against a draft."""
    return True


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Makes answers: what a model chose of the sources, else what answers best, else their names.

    ``generator`` is who writes; without one nobody does. All parts of a question together have its
    time, from ``began`` on, by its clock. ``ceiling`` is the confidence, 0 to 1, that an answer is
    held below which a model does not stand by. ``search`` finds more in mode thinking.
    """

    origins: Origins
    record: Recorder
    collection: CollectionOf
    ceiling: float
    generator: writing.AnswerGenerator | None = None
    began: float = 0.0
    search: Search = unsearched
    lines: LineFinder = no_lines
    tells: Tells = tells_anything

    async def answered(self, inquiry: Inquiry) -> Numbered | None:
        """Return the answer; None, with the verdict turned, where nothing of it holds."""
        manuscript, mode = None, self._mode(inquiry)
        writes = mode is not Mode.INSTANT
        if self.generator and writes:
            manuscript, reply = await self._written(self.generator, inquiry, mode)
            if reply:
                return reply
        made = response.Provenance(mode=Mode.INSTANT, manuscript=manuscript)
        held = await self._holder.held(inquiry, self._quoted)
        if not held.holds and writes:
            made = response.Provenance(mode=Mode.RAW, manuscript=manuscript)
            self._lower(inquiry, RAW)
            held = await self._holder.held(inquiry, self._bare)
        if held.holds:
            return held.told(made)
        inquiry.verdict = inquiry.decided().unverified(stale=inquiry.staleness.found)
        return None

    @property
    def _holder(self) -> Holder:
        return Holder(origins=self.origins, record=self.record)

    def _mode(self, inquiry: Inquiry) -> Mode:
        """Say how the answer is to be made; instant where no model is to write it."""
        if self.generator is None or not writing.is_written(inquiry):
            return Mode.INSTANT
        return inquiry.mode or self.generator.mode

    async def _written(
        self, generator: writing.AnswerGenerator, inquiry: Inquiry, mode: Mode
    ) -> tuple[Manuscript | None, Numbered | None]:
        """Have an answer written, in mode thinking from more sources first.

        Returns:
            What was written last, and the reply; None where it is none.
        """
        ends = generator.ends(mode, self.began)
        if mode is Mode.THINKING:
            planner = QuestionPlanner(
                generator=generator, search=self.search, record=self.record, ends=ends
            )
            widened = await planner.widened(inquiry)
            if widened:
                manuscript, reply = await self._attempt(generator, widened, mode, ends, inquiry)
                inquiry.lacks(widened.unguided)
                inquiry.verdict = inquiry.decided().at_most(widened.decided().confidence)
                if reply or manuscript is None:
                    inquiry.cited = widened.cited
                    return manuscript, reply
        return await self._attempt(generator, inquiry, Mode.AUTO, ends, inquiry)

    async def _attempt(
        self,
        generator: writing.AnswerGenerator,
        inquiry: Inquiry,
        mode: Mode,
        ends: float,
        judged: Inquiry,
    ) -> tuple[Manuscript | None, Numbered | None]:
        """Have an answer written; ``judged`` is the inquiry as the gates judged it."""
        manuscript = await self._asked(generator, inquiry, ends)
        if manuscript is None:
            return None, None
        if not (manuscript.answers and self._is_backed(judged, manuscript)):
            self._lower(inquiry, self.ceiling)
        return manuscript, await self._told(inquiry, manuscript, mode)

    async def _told(self, inquiry: Inquiry, manuscript: Manuscript, mode: Mode) -> Numbered | None:
        """Tell what was chosen; None where that is no answer."""
        if not manuscript.chosen or self._leaves_out(inquiry, manuscript):
            return None

        def drafted(asked: Inquiry) -> Draft:
            return answering.written(asked, manuscript, collection=self.collection)

        if not self.tells(inquiry, drafted(inquiry)):
            return None
        held = await self._holder.held(inquiry, drafted)
        if not held.holds:
            return None
        made = response.Provenance(mode=mode, manuscript=manuscript)
        return replace(held, draft=await on_lines(held.draft, self.lines)).told(made)

    @staticmethod
    def _leaves_out(inquiry: Inquiry, manuscript: Manuscript) -> bool:
        """Whether several documents are named, and a found one of them says nothing."""
        if not isinstance(inquiry.asks, Named):
            return False
        found = {hit.passage.document.id for hit in inquiry.evidence.hits}
        named = {item.id for item in inquiry.evidence.documents}
        return not (found & named) <= {passage.document.id for passage, _ in manuscript.chosen}

    def _is_backed(self, inquiry: Inquiry, manuscript: Manuscript) -> bool:
        """Whether what was chosen, if anything, shares a sentence with what would be quoted."""
        if not manuscript.chosen:
            return True
        sought = [quote.sought for block in self._quoted(inquiry).blocks for quote in block.quotes]
        return any(unit in said for _, unit in manuscript.chosen for said in sought)

    def _quoted(self, inquiry: Inquiry) -> Draft:
        return answering.draft(inquiry, collection=self.collection)

    def _bare(self, inquiry: Inquiry) -> Draft:
        return answering.bare(inquiry, collection=self.collection)

    async def _asked(
        self, generator: writing.AnswerGenerator, inquiry: Inquiry, ends: float
    ) -> Manuscript | None:
        """Return what was written; None, with the flags of what failed, where nothing was."""
        with self.record.stage("writing", inquiry) as note:
            try:
                manuscript = await generator.written(inquiry, ends=ends)
            except SourceUnavailableError as err:
                failure = replace(SourceFailure.of(err), source=writing.SOURCE)
                self.record.failures(inquiry, (failure,))
                told = noting.left_to("quotes", failure.flags)
                note(f"left to the quotes: {', '.join(failure.flags)}", remarks=told)
                inquiry.lacks(failure.flags)
                return None
            note(writing.noted(manuscript), remarks=noting.written(manuscript))
        return manuscript

    @staticmethod
    def _lower(inquiry: Inquiry, ceiling: float) -> None:
        """Assert nothing that a model said no to, or chose beside what the gates looked at."""
        inquiry.verdict = inquiry.decided().at_most(min(ceiling, MOST_HEDGED))
