"""The section ``answer_cache`` of ``guard.yaml``: which answers are kept, where and how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from elysia_guard.config.base import KeyVariable, Section

Seconds = Annotated[float, Field(gt=0, le=86_400)]


class AnswerCacheSection(Section):
    """Answers that are kept, to be given again while nothing that they rest on has changed.

    ``modes`` are those in which an answer must have been made to be kept: by default those that ask
    a model. Each is kept for the seconds of its mode. ``max_size`` answers are kept in memory; with
    ``redis`` several processes share them, and that Redis says how many. ``key_env`` names the
    variable that holds the secret which entries in Redis are signed with.
    """

    enabled: bool = True
    modes: tuple[Literal["instant", "auto", "thinking"], ...] = ("auto", "thinking")
    instant_seconds: Seconds = 120.0
    auto_seconds: Seconds = 300.0
    thinking_seconds: Seconds = 900.0
    max_size: Annotated[int, Field(ge=1)] = 1_000
    redis: Annotated[str, Field(pattern=r"^rediss?://")] | None = Field(default=None, repr=False)
    key_env: KeyVariable = ""

    @property
    def lifetimes(self) -> Mapping[str, float]:
        """How long an answer is kept, in seconds, by mode; none where none is kept.

        One that is to be made by difficulty is looked for where any of the others is kept.
        """
        seconds = {
            "instant": self.instant_seconds,
            "auto": self.auto_seconds,
            "thinking": self.thinking_seconds,
        }
        kept: dict[str, float] = {}
        if self.enabled:
            kept = {mode: seconds[mode] for mode in self.modes}
        return {**kept, "by_difficulty": max(kept.values())} if kept else {}
