"""How an answer is made: by quoting alone, or by a model whose sentences are proved."""

from __future__ import annotations

from enum import StrEnum

from elysia_guard.domain.errors import ConfigError


class Mode(StrEnum):
    """What may be asked to make an answer, and what an answer was made by."""

    INSTANT = "instant"
    """No model: sentences of the sources, as they stand there."""
    AUTO = "auto"
    """A model writes, in one call, what code then proves."""
    THINKING = "thinking"
    """The question is taken apart and searched for again, and what is written judged again."""
    RAW = "raw"
    """Nothing could be said: the sources alone. An answer comes out so; none is asked for so."""
    BY_DIFFICULTY = "by_difficulty"
    """The one of the first three that the question is hard enough for: asked for so, and no answer
    comes out so."""

    @classmethod
    def named(cls, name: str) -> Mode:
        """Return the mode of a name that a question may be asked in.

        Raises:
            ConfigError: there is none.
        """
        if name not in ASKABLE:
            raise ConfigError(f"there is no mode '{name}'; choose one of {', '.join(ASKABLE)}")
        return cls(name)


ASKABLE = (Mode.INSTANT, Mode.AUTO, Mode.THINKING, Mode.BY_DIFFICULTY)
"""The modes that a question may be asked in."""
