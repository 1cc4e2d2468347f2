"""What a model writes when it is to choose: sentences that point, and what they point at."""

from __future__ import annotations

from dataclasses import dataclass

from elysia_guard.domain.document import Passage


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointer:
    """One sentence that a model wrote, and the numbers of the sources that it names, from 1."""

    text: str
    sources: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What a model wrote to a question; it ``answers`` where it says that the sources do."""

    answers: bool
    pointers: tuple[Pointer, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Manuscript:
    """What a model chose: sentences of passages, in its order, each once. None is its own.

    Of ``total`` sentences that it wrote, ``located`` were found in the sources.
    """

    answers: bool
    sources: int
    chosen: tuple[tuple[Passage, str], ...] = ()
    total: int = 0
    located: int = 0
    written_by: str = ""

    @property
    def left_out(self) -> int:
        """How many sentences stand in no source that it was told."""
        return self.total - self.located
