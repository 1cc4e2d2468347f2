"""A tree's own language model as a judge, where the settings name no other server for it."""

from __future__ import annotations

from collections.abc import Sequence

import dspy

from elysia_guard.adapters.judges.language_model import LanguageModelJudge
from elysia_guard.adapters.models import ModelCaller
from elysia_guard.config import JudgeSection
from elysia_guard.domain.document import Passage
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.chat import TreesChat
from elysia_guard.stages.judging import Bench


class _TreesJudge:
    """Asks it within one deadline, however often it has to, behind the breaker of the model."""

    def __init__(self, model: dspy.BaseLM, caller: ModelCaller, *, max_chars: int) -> None:
        self._judge = LanguageModelJudge(TreesChat(model), max_chars=max_chars)
        self._caller = caller

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        return await self._caller.call(
            lambda: self._judge(question, passages, lang=lang), purpose="judge"
        )


def bench_of(section: JudgeSection, model: dspy.BaseLM, caller: ModelCaller) -> Bench:
    """Seat a tree's model as the judge of a run."""
    judge = _TreesJudge(model, caller, max_chars=section.max_chars)
    return Bench(judge=judge, passages=section.passages)
