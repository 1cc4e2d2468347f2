"""Who writes answers, and how what they write is proved."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from elysia_guard.domain.claim import (
    Claim,
    Fault,
    Finding,
    Manuscript,
    Proof,
    Proved,
    Told,
    Written,
)
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Clock, Planner, Verifier, Writer, timeout_at
from elysia_guard.stages.writing.kept import agrees, flags_of, late, rests_aside, share
from elysia_guard.stages.writing.sides import astray, sides_of
from elysia_guard.stages.writing.told import MAX_CHARS, as_told, told_of

SUPPORTED_FROM = 0.8
"""The chance from which a second opinion counts as a yes."""
DOUBTED_BELOW = 0.5
"""The chance below which the second look of a writer at its own sentence counts as a no."""
_MARKUP = re.compile(r"\w+://\S*|www\.\S+|!?\[[^\]]*\]\(|</?\w[^>]*>|<!--|&#?\w+;")
_DOUBTED = Finding(fault=Fault.UNSUPPORTED)


class Prover(Protocol):
    """Proves one sentence by code; see ``stages.verification.claims``."""

    async def __call__(
        self, claim: Claim, told: Sequence[Told], /, *, question: str, lang: Lang
    ) -> Proved:
        """Return what code finds of it.

        Raises:
            SourceUnavailableError: a model that it needs could not be asked.
        """


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
        self, inquiry: Inquiry, prove: Prover, *, mode: Mode, ends: float, twice: bool = False
    ) -> Manuscript:
        """Have an answer written and proved; once more, with what failed named, where some does.

        ``twice`` has the writer look at each sentence once more.

        Raises:
            SourceUnavailableError: nobody wrote anything of use in time.
        """
        if self.clock() >= ends:
            raise late()
        passages = told_of(inquiry, max_chars=self.max_chars)
        work = _Work(self, inquiry, prove, passages, mode, twice)
        try:
            async with timeout_at(self.clock, ends):
                written = await work.asked()
        except TimeoutError as err:
            raise late() from err
        first = await work.proofread(written, ends)
        if not (first.answers and first.withheld):
            return first
        try:
            async with timeout_at(self.clock, ends):
                again = await work.asked(failed=first.withheld)
            second = await work.proofread(again, ends)
        except (SourceUnavailableError, TimeoutError) as err:
            return replace(first, flags=(*first.flags, *flags_of(err)))
        return max(first, second, key=lambda each: (share(each), each is second))


@dataclass(frozen=True)
class _Work:
    """One answer being written."""

    desk: Desk
    inquiry: Inquiry
    prove: Prover
    passages: tuple[Passage, ...]
    mode: Mode
    twice: bool

    async def asked(self, failed: Sequence[Proved] = ()) -> Written:
        self.inquiry.progress("writing")
        question = self.inquiry.question
        return await self.desk.writer(
            question.text, self._told, lang=question.lang, failed=tuple(failed)
        )

    async def proofread(self, written: Written, ends: float) -> Manuscript:
        """Prove each sentence; what code leaves open is held to a second opinion, or not kept."""
        self.inquiry.progress("checking")
        question = self.inquiry.question
        found = [
            _marked(claim)
            or self._strayed(claim)
            or await self.prove(claim, self._told, question=question.text, lang=question.lang)
            for claim in written.claims
        ]
        found = [self._about_it(item) for item in found]
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
            shown=tuple(kept),
            withheld=tuple(_doubted(item, shown) for item in found if item not in kept),
            left_to_words=tuple(
                item
                for item in left
                if item not in shown and agrees(self.inquiry, item, self.passages)
            ),
            written_by=self.desk.writer.model_id,
            flags=(*flags, *doubts),
        )

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

    def _strayed(self, claim: Claim) -> Proved | None:
        """Fail a sentence on a side of a comparison that rests on no words of that side."""
        lang = self.inquiry.question.lang
        lacking = astray(claim, self.passages, sides_of(self.inquiry), lang)
        if not lacking:
            return None
        findings = tuple(Finding(fault=Fault.ACTORS, about=name) for name in lacking)
        return Proved(claim=claim, proof=Proof.FAILS, findings=findings)

    def _about_it(self, item: Proved) -> Proved:
        """Fail a sentence of a document that did not pass, and whose words may not answer."""
        stands = item.proof is not Proof.FAILS and rests_aside(self.inquiry, item, self.passages)
        if not stands or agrees(self.inquiry, item, self.passages):
            return item
        return replace(item, proof=Proof.FAILS, findings=(_DOUBTED,))

    @property
    def _told(self) -> tuple[Told, ...]:
        return tuple(map(as_told, self.passages))


def _marked(claim: Claim) -> Proved | None:
    """Fail a sentence that is more than text to a page: a link or markup of its own making."""
    words = " ".join(each.words for each in claim.supports)
    own = [found[0] for found in _MARKUP.finditer(claim.text) if found[0] not in words]
    if not own:
        return None
    return Proved(claim=claim, proof=Proof.FAILS, findings=(_DOUBTED,))


def _doubted(item: Proved, shown: Sequence[Proved]) -> Proved:
    """Say of a sentence that was proved, and is not kept, that its writer doubts it."""
    return replace(item, findings=(*item.findings, _DOUBTED)) if item in shown else item
