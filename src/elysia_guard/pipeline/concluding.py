"""An answer, made from evidence that passed the gates, and held against its sources as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import HIGH_CONFIDENCE
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.holding import Drafter, Holder, Numbered
from elysia_guard.pipeline.opening import Shower, on_lines
from elysia_guard.pipeline.planning import Planner, Search, unsearched
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import (
    LineFinder,
    Origins,
    WordChances,
    WordLikeness,
    by_form_alone,
    no_chances,
    no_lines,
)
from elysia_guard.stages import answering, response, writing
from elysia_guard.stages.answering.citing import CollectionOf
from elysia_guard.stages.verification.claims import prove

MOST_HEDGED = HIGH_CONFIDENCE - 0.01
"""The most that an answer is held at which is not to be asserted, whatever the limits say."""
RAW = 0.5
"""The confidence that bare sources are held at: documents that were found, and nothing said."""


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Makes answers: what a model wrote, as far as it is proved; else quotes; else the sources.

    ``desk`` is who writes; without one nobody does. All parts of a question together have its time,
    from ``began`` on, by the clock of the desk. ``ceiling`` is the confidence, 0 to 1, that an
    answer is held below which a model does not stand by. ``search`` finds more in mode thinking.
    ``parts`` is how many things the question asks.
    """

    origins: Origins
    record: Recorder
    collection: CollectionOf
    ceiling: float
    alike: WordLikeness = by_form_alone
    chances: WordChances = no_chances
    desk: writing.Desk | None = None
    began: float = 0.0
    parts: int = 1
    search: Search = unsearched
    lines: LineFinder = no_lines

    async def answered(self, inquiry: Inquiry) -> Numbered | None:
        """Return the answer; None, with the verdict turned, where nothing of it holds."""
        manuscript, mode = None, self._mode(inquiry)
        writes = mode is not Mode.INSTANT
        if self.desk and writes:
            manuscript, reply = await self._written(self.desk, inquiry, mode)
            if reply:
                return reply
        made = response.Made(mode=Mode.INSTANT, manuscript=manuscript)
        held = await self._holder.held(inquiry, self._quoted)
        if not held.holds and writes:
            made = response.Made(mode=Mode.RAW, manuscript=manuscript)
            self._lower(inquiry, RAW)
            held = await self._holder.held(inquiry, self._bare)
        if held.holds:
            return held.told(made)
        inquiry.verdict = inquiry.decided().unverified(stale=inquiry.staleness.found)
        return None

    async def as_one(self, parts: Sequence[Inquiry]) -> Numbered | None:
        """Return one answer to parts that a model is to write; None where it is none to each."""
        if self.desk is None or len(parts) < writing.FEWEST:
            return None
        whole = writing.as_one(parts)
        manuscript, reply = await self._written(self.desk, whole, self._mode(parts[0]))
        parts[0].lacks(whole.unguided)
        if manuscript is None or reply is None:
            return None
        if not all(writing.still_answers(part, manuscript) for part in parts):
            return None
        for part in parts:
            part.cited = whole.cited
        parts[0].staleness = whole.staleness
        return reply

    async def in_part(self, inquiry: Inquiry) -> Numbered | None:
        """Return what parts of a refused question are answered with; None where none is.

        Nothing is asserted then, and the verdict is turned into that of the parts.
        """
        if self.desk is None or not self.thinks(inquiry) or not writing.may_be_in_part(inquiry):
            return None
        ends = self.desk.ends(Mode.THINKING, self.began)
        ceiling = min(self.ceiling, MOST_HEDGED)
        found = await self._planner(self.desk, ends).found(inquiry, ceiling=ceiling)
        if found is None:
            return None
        asked, untold = found
        manuscript, flags = await self._asked(self.desk, asked, Mode.THINKING, ends)
        inquiry.lacks(flags)
        asked.unguided = inquiry.unguided
        reply = manuscript and await self._told(asked, manuscript, untold)
        if not reply:
            return None
        inquiry.verdict, inquiry.evidence = asked.verdict, asked.evidence
        inquiry.cited, inquiry.staleness = asked.cited, asked.staleness
        return reply

    def thinks(self, inquiry: Inquiry) -> bool:
        """Whether a question is to be answered in mode thinking."""
        wanted = self._wanted(inquiry)
        if wanted is Mode.BY_DIFFICULTY:
            wanted = self._difficulty(inquiry).mode
        return bool(self.desk) and wanted is Mode.THINKING

    def _planner(self, desk: writing.Desk, ends: float) -> Planner:
        return Planner(desk=desk, search=self.search, record=self.record, ends=ends)

    @property
    def _holder(self) -> Holder:
        return Holder(origins=self.origins, record=self.record)

    @property
    def _prove(self) -> writing.Prover:
        return partial(prove, alike=self.alike, chances=self.chances)

    def _mode(self, inquiry: Inquiry) -> Mode:
        """Say how the answer is to be made; instant where no model is to write it."""
        if self.desk is None or not writing.is_written(inquiry):
            return Mode.INSTANT
        if self._wanted(inquiry) is not Mode.BY_DIFFICULTY:
            return self._wanted(inquiry)
        with self.record.stage("planning", inquiry) as note:
            mode, why = self._difficulty(inquiry)
            note(f"by difficulty {mode}: {why}", remarks=noting.by_difficulty(mode))
        return mode

    def _wanted(self, inquiry: Inquiry) -> Mode:
        return inquiry.mode or (self.desk.mode if self.desk else Mode.INSTANT)

    def _difficulty(self, inquiry: Inquiry) -> writing.Difficulty:
        return writing.difficulty(inquiry, lambda: self._quoted(inquiry), parts=self.parts)

    async def _written(
        self, desk: writing.Desk, inquiry: Inquiry, mode: Mode
    ) -> tuple[Manuscript | None, Numbered | None]:
        """Have an answer written, in mode thinking from more sources first.

        Returns:
            What was written last, and the reply; None where it is none.
        """
        # What it did not stand by when it thought, it is not to bring up again afterwards.
        twice, ends = mode is Mode.THINKING, desk.ends(mode, self.began)
        while True:
            asked = inquiry
            if mode is Mode.THINKING:
                widened = await self._planner(desk, ends).widened(inquiry)
                asked, mode = (widened, mode) if widened else (inquiry, Mode.AUTO)
            shower = None if twice else self._shower(asked)
            manuscript, flags = await self._asked(desk, asked, mode, ends, shower)
            inquiry.lacks(flags)
            asked.unguided = inquiry.unguided
            if manuscript is None:
                return None, None
            if not manuscript.answers or manuscript.withheld or writing.is_aside(asked, manuscript):
                self._lower(asked, self.ceiling)
            reply = await self._told(asked, manuscript)
            if reply is None and manuscript.bound:
                reply = await self._opened(asked, manuscript)
            if reply:
                inquiry.cited = asked.cited
                return manuscript, reply
            if mode is not Mode.THINKING or not manuscript.answers:
                self._lower(inquiry, self.ceiling)
                return manuscript, None
            mode = Mode.AUTO

    async def _told(
        self, inquiry: Inquiry, manuscript: Manuscript, untold: tuple[str, ...] = ()
    ) -> Numbered | None:
        """Tell what holds of what was written; None where that is no answer any more."""
        if not writing.still_answers(inquiry, manuscript):
            return None
        held = await self._holder.held(inquiry, self._from(manuscript))
        written = [block for block in held.draft.blocks if block.sentence]
        if not held.holds or 2 * len(written) < len(manuscript.shown):
            return None
        made = response.Made(mode=manuscript.mode, manuscript=manuscript, untold=untold)
        return replace(held, draft=await on_lines(held.draft, self.lines)).told(made)

    async def _opened(self, inquiry: Inquiry, manuscript: Manuscript) -> Numbered | None:
        """Tell what an answer is bound to begin with, and quotes; None where it holds no more."""
        held = await self._holder.held(inquiry, self._from(manuscript, quoting=True))
        if not held.holds:
            return None
        made = response.Made(mode=manuscript.mode, manuscript=manuscript)
        return replace(held, draft=await on_lines(held.draft, self.lines)).told(made)

    def _shower(self, inquiry: Inquiry) -> Shower:
        return Shower(
            inquiry=inquiry,
            origins=self.origins,
            collection=self.collection,
            lines=self.lines,
            shows=self.parts == 1,
        )

    def _quoted(self, inquiry: Inquiry) -> Draft:
        return answering.draft(inquiry, collection=self.collection)

    def _bare(self, inquiry: Inquiry) -> Draft:
        return answering.bare(inquiry, collection=self.collection)

    def _from(self, manuscript: Manuscript, *, quoting: bool = False) -> Drafter:
        def drafted(inquiry: Inquiry) -> Draft:
            # The documents of an inquiry that was brought up to date are as they are now.
            now = {hit.passage.id: hit.passage for hit in inquiry.evidence.hits}
            passages = tuple(now.get(item.id, item) for item in manuscript.passages)
            told = replace(manuscript, passages=passages)
            drafter = answering.opened if quoting else answering.written
            return drafter(inquiry, told, collection=self.collection)

        return drafted

    async def _asked(
        self,
        desk: writing.Desk,
        inquiry: Inquiry,
        mode: Mode,
        ends: float,
        shower: Shower | None = None,
    ) -> tuple[Manuscript | None, tuple[str, ...]]:
        """Return what was written, or None, and the flags of what failed.

        What nobody may be shown before the end, its writer looks at once more.
        """
        opening = writing.Opening(shower.stands) if shower else None
        with self.record.stage("writing", inquiry) as note:
            try:
                manuscript = await desk.written(
                    inquiry,
                    self._prove,
                    mode=mode,
                    ends=ends,
                    twice=shower is None,
                    opening=opening,
                )
                note(writing.noted(manuscript), remarks=noting.written(manuscript))
            except SourceUnavailableError as err:
                failure = replace(SourceFailure.of(err), source=writing.SOURCE)
                self.record.failures(inquiry, (failure,))
                told = noting.left_to("quotes", failure.flags)
                note(f"left to the quotes: {', '.join(failure.flags)}", remarks=told)
                return None, failure.flags
        return manuscript, manuscript.flags

    @staticmethod
    def _lower(inquiry: Inquiry, ceiling: float) -> None:
        """Assert nothing that a model said no to, or wrote more of than it could prove."""
        inquiry.verdict = inquiry.decided().at_most(min(ceiling, MOST_HEDGED))
