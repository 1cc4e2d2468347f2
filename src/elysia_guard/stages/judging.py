"""The judging stage: a judge is asked which passages answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import Hit
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.events import PassagesRejected
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import RECORDED
from elysia_guard.domain.reading import Comparison, Listing, Named, Search, topic_of
from elysia_guard.language.coverage import asked_of
from elysia_guard.ports import Judge

TELLING = 3
"""Of so many passages the same score of each tells nothing."""
PASSAGES = 8
"""The passages that a judge is shown, where nothing else is set."""


@dataclass(frozen=True, kw_only=True)
class RelevanceJudge:
    """A judge, and how many passages it is shown: those that are likeliest to answer anyway."""

    judge: Judge
    passages: int = PASSAGES

    async def judged(self, inquiry: Inquiry, ranking: Sequence[Hit]) -> Evidence:
        """Return the evidence with what the judge says of its passages, if that tells any apart.

        ``ranking`` are the hits in the order of the gates; empty where they weigh no passage.

        Raises:
            SourceUnavailableError: the judge could not be asked, was late, or said nothing of use.
        """
        question, evidence = inquiry.question, inquiry.evidence
        shown = [hit.passage for hit in (ranking or _telling(inquiry))[: self.passages]]
        said = await self.judge(question.text, shown, lang=question.lang)
        if len(said) != len(shown):
            raise SourceUnavailableError(
                f"{self.judge.model_id} judged {len(said)} of {len(shown)} passages", source="judge"
            )
        told = {item.id: judgement for item, judgement in zip(shown, said, strict=True)}
        return replace(
            evidence,
            judged={} if tells_nothing(said) else told,
            judged_by=self.judge.model_id,
        )


def is_judged(inquiry: Inquiry) -> bool:
    """Tell whether passages are to answer a question, and not an identity, a field or a list.

    For a list passages are found only where no document is on its topic.
    """
    asks = inquiry.asks
    passages_answer = isinstance(asks, Search | Comparison | Listing)
    if isinstance(asks, Named):
        passages_answer = bool(asks.matter) and asks.aspect not in RECORDED
    return passages_answer and bool(inquiry.evidence.hits)


def rejected(evidence: Evidence) -> PassagesRejected | None:
    """Return what a judge says that says no to every passage; None where it does not."""
    said = list(evidence.judged.values())
    if not said or not all(item.denies for item in said):
        return None
    return PassagesRejected(
        judged_by=evidence.judged_by,
        passages=len(said),
        confidence=1.0 - max(item.chance for item in said),
    )


def tells_nothing(said: Sequence[Judgement]) -> bool:
    """Tell whether a judge says the same of all passages, and denies none.

    Of a few passages all may answer alike; of many, one more than another.
    """
    alike = len({item.chance for item in said}) == 1
    return len(said) >= TELLING and alike and not any(item.denies for item in said)


def _telling(inquiry: Inquiry) -> Sequence[Hit]:
    """The hits of named documents, first those that tell of the matter."""
    topic = topic_of(inquiry.asks) or inquiry.question.text
    terms = asked_of(inquiry.evidence, topic, inquiry.question.lang)
    return sorted(inquiry.evidence.hits, key=lambda hit: -terms.coverage_by(hit.passage))
