"""How an answer is made: by code alone, or by a model that chooses what is quoted."""

from __future__ import annotations

from enum import StrEnum

from elysia_guard.domain.errors import ConfigError


class Mode(StrEnum):
    """What may be asked to make an answer, and what an answer was made by."""

    INSTANT = "instant"
    """No model: code chooses the sentences of the sources."""
    AUTO = "auto"
    """A model writes, in one call, and the sentences that it points at are quoted."""
    THINKING = "thinking"
    """The question is taken apart and searched for again, and a model chooses of what is found."""
    RAW = "raw"
    """Nothing could be said: the sources alone. An answer comes out so; none is asked for so."""

    @classmethod
    def named(cls, name: str) -> Mode:
        """Return the mode of a name that a question may be asked in.

        Raises:
            ConfigError: there is none.
        """
        if name not in ASKABLE:
            raise ConfigError(f"there is no mode '{name}'; choose one of {', '.join(ASKABLE)}")
        return cls(name)


ASKABLE = (Mode.INSTANT, Mode.AUTO, Mode.THINKING)
"""The modes that a question may be asked in."""
