"""Who writes answers, and how what they write is proved."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from elysia_guard.domain.claim import Claim, Manuscript, Proof, Proved, Written
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.ports import Clock, Planner, StreamedWriter, Verifier, Writer, timeout_at
from elysia_guard.stages.writing.kept import agrees, flags_of, late, share
from elysia_guard.stages.writing.opening import Opening, bound_first, each_once, hearing
from elysia_guard.stages.writing.proofs import DOUBTED, LATE, Proofs, Prover, unproved
from elysia_guard.stages.writing.told import MAX_CHARS, told_of

SUPPORTED_FROM = 0.8
"""The chance from which a second opinion counts as a yes."""
DOUBTED_BELOW = 0.5
"""The chance below which the second look of a writer at its own sentence counts as a no."""


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Who writes, who gives a second opinion, what they are told, and how long it may take.

    ``verifier`` decides on what code leaves open. In mode ``thinking`` the ``planner`` takes a
    question apart, and ``critic`` looks at each sentence once more: a writer's own second look
    only takes away. ``deadline_s`` is for all calls of an answer together, ``thinking_s`` for those
    of mode ``thinking``, in seconds of ``clock``. ``max_chars`` bounds all sources.
    """

    writer: Writer
    verifier: Verifier | None = None
    planner: Planner | None = None
    critic: Verifier | None = None
    supported_from: float = SUPPORTED_FROM
    mode: Mode = Mode.AUTO
    deadline_s: float = 8.0
    thinking_s: float = 25.0
    max_chars: int = MAX_CHARS
    clock: Clock = time.monotonic

    @property
    def named(self) -> tuple[str, ...]:
        """Name whoever is asked, each with its prompt; a planner is the writer's own model."""
        asked = (self.writer, self.verifier, self.critic)
        return tuple(each.model_id if each else "" for each in asked)

    def seconded(self, verifier: Verifier, supported_from: float | None) -> Desk:
        """Return this desk with a second opinion that counts from some chance on; None is never."""
        if supported_from is None:
            return self
        return replace(self, verifier=verifier, supported_from=supported_from)

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
        if self.clock() >= ends:
            raise late()
        question = inquiry.question
        try:
            async with timeout_at(self.clock, ends):
                return await self.planner(question.text, lang=question.lang)
        except TimeoutError as err:
            raise late() from err

    async def written(
        self,
        inquiry: Inquiry,
        prove: Prover,
        *,
        mode: Mode,
        ends: float,
        twice: bool = False,
        opening: Opening | None = None,
    ) -> Manuscript:
        """Have an answer written and proved; once more, with what failed named, where some does.

        ``twice`` has the writer look at each sentence once more. ``opening`` is told each sentence
        as code has proved it, and all that is bound by it stands in what is returned.

        Raises:
            SourceUnavailableError: nobody wrote anything of use in time.
        """
        if self.clock() >= ends:
            raise late()
        passages = told_of(inquiry, max_chars=self.max_chars)
        proofs = Proofs(inquiry, prove, passages)
        work = _Work(self, inquiry, passages, mode, twice, opening, proofs)
        try:
            async with timeout_at(self.clock, ends):
                written = await work.asked_first()
        except (SourceUnavailableError, TimeoutError) as err:
            if work.bound:
                return work.cut_short(flags_of(err))
            raise late() if isinstance(err, TimeoutError) else err from err
        first = await work.proofread(written, ends)
        if not (first.answers and first.withheld):
            return bound_first(first, work.bound)
        try:
            async with timeout_at(self.clock, ends):
                again = await work.asked(failed=first.withheld)
            second = await work.proofread(again, ends)
        except (SourceUnavailableError, TimeoutError) as err:
            failed = replace(first, flags=(*first.flags, *flags_of(err)))
            return bound_first(failed, work.bound)
        # What is bound is of the first writing: it says nothing for the second.
        better = max(first, second, key=lambda each: (each.answers * share(each), each is second))
        return bound_first(better, work.bound)


@dataclass(frozen=True)
class _Work:
    """One answer being written."""

    desk: Desk
    inquiry: Inquiry
    passages: tuple[Passage, ...]
    mode: Mode
    twice: bool
    opening: Opening | None
    proofs: Proofs

    @property
    def bound(self) -> tuple[Proved, ...]:
        """What the answer begins with, come what may."""
        return self.opening.bound if self.opening else ()

    async def asked_first(self) -> Written:
        """Ask for an answer, and prove each sentence as it is written, where the writer tells it.

        What comes whole is bound by the same rules, so that nobody's answer depends on who listens.
        """
        writer, question = self.desk.writer, self.inquiry.question
        if self.opening is None:
            return await self.asked()
        heard: list[Claim] = []
        if isinstance(writer, StreamedWriter):
            self.inquiry.progress("writing")
            ask = partial(writer.streamed, question.text, self.proofs.told, lang=question.lang)
            written = await hearing(ask, self._take, heard)
        else:
            written = await self.asked()
        if written.answers and list(written.claims[: len(heard)]) == heard:
            for claim in written.claims[len(heard) :]:
                await self._take(claim)
        return written

    async def _take(self, claim: Claim) -> None:
        proved = await self.proofs.of(claim)
        if self.opening:
            await self.opening.take(proved, self._manuscript())

    def _manuscript(self) -> Manuscript:
        return Manuscript(
            passages=self.passages,
            answers=True,
            mode=self.mode,
            written_by=self.desk.writer.model_id,
        )

    def cut_short(self, flags: tuple[str, ...]) -> Manuscript:
        """Return what is bound, of an answer that was not written to the end."""
        made = replace(self._manuscript(), cut=True, flags=flags)
        return bound_first(made, self.bound)

    async def asked(self, failed: Sequence[Proved] = ()) -> Written:
        self.inquiry.progress("writing")
        question = self.inquiry.question
        return await self.desk.writer(
            question.text, self.proofs.told, lang=question.lang, failed=tuple(failed)
        )

    async def proofread(self, written: Written, ends: float) -> Manuscript:
        """Prove each sentence; what code leaves open is held to a second opinion, or not kept."""
        self.inquiry.progress("checking")
        found = [await self._proved(each, ends) for each in dict.fromkeys(written.claims)]
        delays = flags_of(late()) if any(item.findings == (LATE,) for item in found) else ()
        left = [item for item in found if item.proof is Proof.OPEN]
        sure, flags = await self._opinion(self.desk.verifier, left, ends)
        supported = [
            item
            for item, chance in zip(left, sure, strict=False)
            if chance >= self.desk.supported_from
        ]
        shown = [item for item in found if item.proof is Proof.HOLDS or item in supported]
        kept, mode, doubts = await self._looked_at(shown, ends)
        return Manuscript(
            passages=self.passages,
            answers=written.answers,
            mode=mode,
            shown=each_once(kept),
            withheld=tuple(_doubted(item, shown) for item in found if item not in kept),
            left_to_words=tuple(
                item
                for item in left
                if item not in shown and agrees(self.inquiry, item, self.passages)
            ),
            written_by=self.desk.writer.model_id,
            flags=(*delays, *flags, *doubts),
        )

    async def _proved(self, claim: Claim, ends: float) -> Proved:
        """Prove a sentence; what is not proved by the end of its time is not kept."""
        if known := self.proofs.known(claim):
            return known
        if self.desk.clock() >= ends:
            return unproved(claim)
        try:
            async with timeout_at(self.desk.clock, ends):
                return await self.proofs.of(claim)
        except TimeoutError:
            return unproved(claim)

    async def _looked_at(
        self, shown: list[Proved], ends: float
    ) -> tuple[list[Proved], Mode, tuple[str, ...]]:
        """Leave out what the writer does not stand by; without its look it is no thinking."""
        if not (self.twice and self.desk.critic and shown):
            return shown, self.mode, ()
        chances, flags = await self._opinion(self.desk.critic, shown, ends)
        if flags:
            return shown, Mode.AUTO, flags
        sure = zip(shown, chances, strict=True)
        return [item for item, chance in sure if chance >= DOUBTED_BELOW], self.mode, ()

    async def _opinion(
        self, verifier: Verifier | None, items: Sequence[Proved], ends: float
    ) -> tuple[Sequence[float], tuple[str, ...]]:
        """Ask for the chance of each sentence; of none, with the flags, where that fails."""
        if verifier is None or not items:
            return (), ()
        pairs = [
            (item.claim.text, "\n".join(each.words for each in item.claim.supports))
            for item in items
        ]
        try:
            async with timeout_at(self.desk.clock, ends):
                chances = await verifier(pairs, lang=self.inquiry.question.lang)
        except (SourceUnavailableError, TimeoutError) as err:
            return (), flags_of(err, source="verifier")
        return (chances, ()) if len(chances) == len(pairs) else ((), ("verifier_error",))


def _doubted(item: Proved, shown: Sequence[Proved]) -> Proved:
    """Say of a sentence that was proved, and is not kept, that its writer doubts it."""
    return replace(item, findings=(*item.findings, DOUBTED)) if item in shown else item
