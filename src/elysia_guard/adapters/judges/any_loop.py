"""A judge whose requests run in a loop of its own, for callers in any loop."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.domain.document import Passage
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang


class AsyncJudge(Protocol):
    """A judge that is a coroutine function."""

    @property
    def model_id(self) -> str:
        """What judges."""

    def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Coroutine[Any, Any, Sequence[Judgement]]:
        """Ask it; see ``ports.Judge``."""


class JudgeFromAnyLoop:
    """Judges over there, for whoever asks: Elysia opens a loop for a question."""

    def __init__(self, judge: AsyncJudge, loop: BackgroundLoop) -> None:
        """Wrap a judge that no other loop uses."""
        self._judge = judge
        self._loop = loop

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Ask it; see ``ports.Judge``."""
        return await self._loop.arun(self._judge(question, passages, lang=lang))
