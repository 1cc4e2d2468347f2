"""An answer, made from evidence that passed the gates, and held against its sources as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Origin
from elysia_guard.domain.refusal import Outcome, RefusalReason
from elysia_guard.domain.response import HIGH_CONFIDENCE, RAGResponse, Validation
from elysia_guard.planning import Planner, Search, unsearched
from elysia_guard.ports import (
    LineFinder,
    Origins,
    WordChances,
    WordLikeness,
    by_form_alone,
    no_chances,
    no_lines,
)
from elysia_guard.recording import Recorder
from elysia_guard.stages import answering, response, sources, verification, writing
from elysia_guard.stages.answering.citing import CollectionOf
from elysia_guard.stages.verification.claims import prove

Drafter = Callable[[Inquiry], Draft]
Numbered = Callable[[int], RAGResponse]
"""A reply whose sources count on from so many that stand before it, in other parts."""
MOST_HEDGED = HIGH_CONFIDENCE - 0.01
"""The most that an answer is held at which is not to be asserted, whatever the limits say."""
RAW = 0.5
"""The confidence that bare sources are held at: documents that were found, and nothing said."""


@dataclass(frozen=True, kw_only=True)
class _Held:
    """A draft that was held against its sources, and the inquiry with these as they are now."""

    inquiry: Inquiry
    draft: Draft
    validation: Validation

    @property
    def holds(self) -> bool:
        return self.validation.confidence >= 1.0

    def told(self, made: response.Made) -> Numbered:
        """Return the reply that tells it."""
        inquiry, draft, validation = self.inquiry, self.draft, self.validation
        return lambda before: response.answered(
            inquiry, draft, validation, before=before, made=made
        )


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Makes answers: what a model wrote, as far as it is proved; else quotes; else the sources.

    ``desk`` is who writes; without one nobody does. All parts of a question together have its time,
    from ``began`` on, by the clock of the desk. ``ceiling`` is the confidence, 0 to 1, that an
    answer is held below which a model does not stand by. ``search`` finds more in mode thinking.
    """

    origins: Origins
    record: Recorder
    collection: CollectionOf
    ceiling: float
    alike: WordLikeness = by_form_alone
    chances: WordChances = no_chances
    desk: writing.Desk | None = None
    began: float = 0.0
    search: Search = unsearched
    lines: LineFinder = no_lines

    async def answered(self, inquiry: Inquiry) -> Numbered | None:
        """Return the answer; None, with the verdict turned, where nothing of it holds."""
        manuscript, writes = None, self._writes(inquiry)
        if self.desk and writes:
            manuscript, reply = await self._written(self.desk, inquiry)
            if reply:
                return reply
        made = response.Made(mode=Mode.INSTANT, manuscript=manuscript)
        held = await self._held(inquiry, self._quoted)
        if not held.holds and writes:
            made = response.Made(mode=Mode.RAW, manuscript=manuscript)
            self._lower(inquiry, RAW)
            held = await self._held(inquiry, self._bare)
        if held.holds:
            return held.told(made)
        self._turn(inquiry)
        return None

    async def as_one(self, parts: Sequence[Inquiry]) -> Numbered | None:
        """Return one answer to parts that a model is to write; None where it is none to each."""
        if self.desk is None or len(parts) < writing.FEWEST:
            return None
        whole = writing.as_one(parts)
        manuscript, reply = await self._written(self.desk, whole)
        parts[0].lacks(whole.unguided)
        if manuscript is None or reply is None:
            return None
        if not all(writing.still_answers(part, manuscript) for part in parts):
            return None
        parts[0].cited, parts[0].staleness = whole.cited, whole.staleness
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
        manuscript, flags = await self._asked(self.desk, asked, Mode.THINKING, ends, twice=True)
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
        return bool(self.desk) and self._mode(inquiry) is Mode.THINKING

    def _mode(self, inquiry: Inquiry) -> Mode:
        return inquiry.mode or (self.desk.mode if self.desk else Mode.INSTANT)

    def _planner(self, desk: writing.Desk, ends: float) -> Planner:
        return Planner(desk=desk, search=self.search, record=self.record, ends=ends)

    @property
    def _prove(self) -> writing.Prover:
        return partial(prove, alike=self.alike, chances=self.chances)

    def _writes(self, inquiry: Inquiry) -> bool:
        """Whether a model is to write the answer."""
        wanted = self._mode(inquiry) is not Mode.INSTANT
        return bool(self.desk) and wanted and writing.is_written(inquiry)

    async def _written(
        self, desk: writing.Desk, inquiry: Inquiry
    ) -> tuple[Manuscript | None, Numbered | None]:
        """Have an answer written, in mode thinking from more sources first.

        Returns:
            What was written last, and the reply; None where it is none.
        """
        mode = inquiry.mode or desk.mode
        # What it did not stand by when it thought, it is not to bring up again afterwards.
        twice, ends = mode is Mode.THINKING, desk.ends(mode, self.began)
        while True:
            asked = inquiry
            if mode is Mode.THINKING:
                widened = await self._planner(desk, ends).widened(inquiry)
                asked, mode = (widened, mode) if widened else (inquiry, Mode.AUTO)
            manuscript, flags = await self._asked(desk, asked, mode, ends, twice=twice)
            inquiry.lacks(flags)
            asked.unguided = inquiry.unguided
            if manuscript is None:
                return None, None
            if not manuscript.answers or manuscript.withheld or writing.is_aside(asked, manuscript):
                self._lower(asked, self.ceiling)
            if reply := await self._told(asked, manuscript):
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
        held = await self._held(inquiry, self._from(manuscript))
        written = [block for block in held.draft.blocks if block.sentence]
        if not held.holds or 2 * len(written) < len(manuscript.shown):
            return None
        made = response.Made(mode=manuscript.mode, manuscript=manuscript, untold=untold)
        return replace(held, draft=await self._on_lines(held.draft)).told(made)

    async def _on_lines(self, draft: Draft) -> Draft:
        """Say of each source on which lines of its file the words stand, where that is at hand."""
        quoted = [
            (n, each.of, draft.sources[n].quote)
            for n, each in enumerate(draft.cited)
            if isinstance(each.of, Document)
        ]
        found = await self.lines([(document, words) for _, document, words in quoted])
        lines = {n: at for (n, *_), at in zip(quoted, found, strict=True)}
        placed = (replace(item, lines=lines.get(n)) for n, item in enumerate(draft.sources))
        return replace(draft, sources=tuple(placed))

    def _quoted(self, inquiry: Inquiry) -> Draft:
        return answering.draft(inquiry, collection=self.collection)

    def _bare(self, inquiry: Inquiry) -> Draft:
        return answering.bare(inquiry, collection=self.collection)

    def _from(self, manuscript: Manuscript) -> Drafter:
        def drafted(inquiry: Inquiry) -> Draft:
            # The documents of an inquiry that was brought up to date are as they are now.
            now = {hit.passage.id: hit.passage for hit in inquiry.evidence.hits}
            passages = tuple(now.get(item.id, item) for item in manuscript.passages)
            told = replace(manuscript, passages=passages)
            return answering.written(inquiry, told, collection=self.collection)

        return drafted

    async def _asked(
        self, desk: writing.Desk, inquiry: Inquiry, mode: Mode, ends: float, *, twice: bool
    ) -> tuple[Manuscript | None, tuple[str, ...]]:
        """Return what was written, or None, and the flags of what failed."""
        with self.record.stage("writing", inquiry) as note:
            try:
                manuscript = await desk.written(
                    inquiry, self._prove, mode=mode, ends=ends, twice=twice
                )
                note(writing.noted(manuscript))
            except SourceUnavailableError as err:
                failure = replace(SourceFailure.of(err), source=writing.SOURCE)
                self.record.failures(inquiry, (failure,))
                note(f"left to the quotes: {', '.join(failure.flags)}")
                return None, failure.flags
        return manuscript, manuscript.flags

    @staticmethod
    def _lower(inquiry: Inquiry, ceiling: float) -> None:
        """Assert nothing that a model said no to, or wrote more of than it could prove."""
        verdict = inquiry.decided()
        least = min(verdict.confidence, ceiling, MOST_HEDGED)
        inquiry.verdict = replace(verdict, confidence=least)

    async def _held(self, inquiry: Inquiry, drafted: Drafter) -> _Held:
        with self.record.stage("answer", inquiry) as note:
            draft = drafted(inquiry)
            written = any(block.sentence for block in draft.blocks)
            note(f"{'written' if written else 'extractive'}, {len(draft.sources)} source(s)")
        with self.record.stage("verification", inquiry) as note:
            found = await sources.look(self.origins, draft)
            now = sources.of_sources(draft, found)
            inquiry.staleness, answered = sources.staleness(draft.cited, now), inquiry
            if sources.is_stale(now):
                answered, draft, now = await self._redrafted(inquiry, draft, found, drafted)
            inquiry.cited = tuple(each.of for each in draft.cited)
            validation = verification.verify(draft, now)
            note(
                f"{validation.sources_verified} of {validation.sources_total} quotes hold, "
                f"against: {', '.join(validation.against) or 'nothing'}"
            )
        return _Held(inquiry=answered, draft=draft, validation=validation)

    async def _redrafted(
        self, inquiry: Inquiry, draft: Draft, known: Mapping[str, Origin], drafted: Drafter
    ) -> tuple[Inquiry, Draft, tuple[Origin, ...]]:
        """Draft again from the sources as they are now, and keep of it what stands in them."""
        before = sources.of_sources(draft, known)
        fresh = sources.as_now(inquiry, known)
        again = drafted(fresh)
        now = sources.of_sources(again, await sources.look(self.origins, again, known))
        kept, standing = verification.standing(again, now)
        inquiry.staleness = fresh.staleness = sources.staleness(
            (*draft.cited, *again.cited), (*before, *now), sources.withheld(draft, kept)
        )
        return fresh, kept, standing

    def _turn(self, inquiry: Inquiry) -> None:
        inquiry.verdict = replace(
            inquiry.decided(),
            outcome=Outcome.REFUSE,
            confidence=0.0,
            reason=RefusalReason.UNVERIFIED_ANSWER,
            details={"variant": "stale"} if inquiry.staleness.found else {},
        )
