"""What code finds of each sentence that a model wrote, by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from elysia_guard.domain.claim import Claim, Fault, Finding, Proof, Proved, Told
from elysia_guard.domain.document import Passage
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang
from elysia_guard.stages.writing.kept import agrees, rests_aside
from elysia_guard.stages.writing.sides import astray, sides_of, under_its_side
from elysia_guard.stages.writing.told import as_told

DOUBTED = Finding(fault=Fault.UNSUPPORTED)
LATE = Finding(fault=Fault.UNSUPPORTED, about="late")
_MARKUP = re.compile(r"\w+://\S*|www\.\S+|!?\[[^\]]*\]\(|</?\w[^>]*>|<!--|&#?\w+;")


class Prover(Protocol):
    """Proves one sentence by code; see ``stages.verification.claims``."""

    async def __call__(
        self, claim: Claim, told: Sequence[Told], /, *, question: str, lang: Lang
    ) -> Proved:
        """Return what code finds of it.

        Raises:
            SourceUnavailableError: a model that it needs could not be asked.
        """


@dataclass(frozen=True)
class Proofs:
    """The proof of each sentence, made once; none depends on the sentences beside it."""

    inquiry: Inquiry
    prove: Prover
    passages: tuple[Passage, ...]
    _known: dict[Claim, Proved] = field(default_factory=dict)

    async def of(self, claim: Claim) -> Proved:
        """Return what code finds of a sentence.

        Raises:
            SourceUnavailableError: a model that it needs could not be asked.
        """
        if claim not in self._known:
            found = _marked(claim) or self._strayed(claim) or await self._found(claim)
            self._known[claim] = self._under_its_side(self._about_it(found))
        return self._known[claim]

    def known(self, claim: Claim) -> Proved | None:
        """Return what was found of a sentence before, if it was looked at."""
        return self._known.get(claim)

    async def _found(self, claim: Claim) -> Proved:
        question = self.inquiry.question
        return await self.prove(claim, self.told, question=question.text, lang=question.lang)

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
        return replace(item, proof=Proof.FAILS, findings=(DOUBTED,))

    def _under_its_side(self, item: Proved) -> Proved:
        """Put the name of one compared document in front of a sentence on it that names none."""
        if item.proof is Proof.FAILS:
            return item
        sides, lang = sides_of(self.inquiry), self.inquiry.question.lang
        return replace(item, claim=under_its_side(item.claim, self.passages, sides, lang))

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """What the writer is told of the sources, and its sentences are held against."""
        return tuple(map(as_told, self.passages))


def _marked(claim: Claim) -> Proved | None:
    """Fail a sentence that is more than text to a page: a link or markup of its own making."""
    words = " ".join(each.words for each in claim.supports)
    own = [found[0] for found in _MARKUP.finditer(claim.text) if found[0] not in words]
    if not own:
        return None
    return Proved(claim=claim, proof=Proof.FAILS, findings=(DOUBTED,))


def unproved(claim: Claim) -> Proved:
    """Fail a sentence for which there was no time."""
    return Proved(claim=claim, proof=Proof.FAILS, findings=(LATE,))
