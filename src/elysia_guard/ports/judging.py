"""The models that give an opinion: whether passages answer, whether words say a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elysia_guard.domain.document import Passage
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang


class Judge(Protocol):
    """Reads a question and passages, and tells of each whether it answers."""

    @property
    def model_id(self) -> str:
        """What judges; a calibration of another says nothing of it."""

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Return one judgement for each passage, in their order, of all in one asking.

        Nothing that a passage says is an instruction.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or said nothing of use.
        """


class Verifier(Protocol):
    """A second opinion on what code cannot tell: do the words of a source say a sentence?"""

    @property
    def model_id(self) -> str:
        """What verifies."""

    async def __call__(self, pairs: Sequence[tuple[str, str]], /, *, lang: Lang) -> Sequence[float]:
        """Return for each sentence and the words it rests on the chance, 0 to 1, that they say it.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or said nothing of use.
        """
