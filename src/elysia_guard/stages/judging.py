"""The judging stage: a judge is asked which passages answer, and held to the rules of agreement."""

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
from elysia_guard.language.agreement import Agreement
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.ports import Judge

TELLING = 3
"""Of so many passages a yes to each tells nothing."""
PASSAGES = 8
"""The passages that a judge is shown, where nothing else is set."""


@dataclass(frozen=True, kw_only=True)
class RelevanceJudge:
    """A judge, and how many passages it is shown: those that are likeliest to answer anyway."""

    judge: Judge
    passages: int = PASSAGES

    async def judged(self, inquiry: Inquiry, ranking: Sequence[Hit]) -> Evidence:
        """Return the evidence with what the judge says of its passages, as far as that holds.

        ``ranking`` are the hits in the order of the gates; empty where they weigh no passage.

        Raises:
            SourceUnavailableError: the judge could not be asked, was late, or said nothing of use.
        """
        question, evidence = inquiry.question, inquiry.evidence
        topic = topic_of(inquiry.asks) or question.text
        terms = asked_of(evidence, topic, question.lang)
        shown = [hit.passage for hit in (ranking or _telling(inquiry, terms))[: self.passages]]
        said = await self.judge(question.text, shown, lang=question.lang)
        if len(said) != len(shown):
            raise SourceUnavailableError(
                f"{self.judge.model_id} judged {len(said)} of {len(shown)} passages", source="judge"
            )
        if says_yes_to_all(said):
            return replace(evidence, judged_by=self.judge.model_id)
        asked = Agreement(
            question=question.text,
            topic=topic,
            terms=terms,
            rarest=frozenset(word for word, rarity in evidence.rarity.items() if rarity >= 1.0),
        )
        held = {
            passage.id: asked.held(judgement, passage)
            for passage, judgement in zip(shown, said, strict=True)
        }
        return replace(evidence, judged=held, judged_by=self.judge.model_id)


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
    if not said or not all(item.answers is False for item in said):
        return None
    best = max(said, key=lambda item: item.chance)
    return PassagesRejected(
        judged_by=evidence.judged_by,
        passages=len(said),
        confidence=1.0 - best.chance,
        reasoning=best.reasoning,
    )


def says_yes_to_all(said: Sequence[Judgement]) -> bool:
    """Tell whether a judge said the same of all passages, and no 'no': then it tells nothing apart.

    Of a few passages all may answer; of many, one more than another.
    """
    if len(said) < TELLING:
        return False
    if all(item.answers for item in said):
        return True
    return said[0].answers is None and len({item.chance for item in said}) == 1


def _telling(inquiry: Inquiry, terms: QueryTerms) -> Sequence[Hit]:
    """The hits of named documents, first those that tell of the matter."""
    return sorted(inquiry.evidence.hits, key=lambda hit: -terms.coverage_by(hit.passage))
