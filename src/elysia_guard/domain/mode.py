"""How an answer is made: by rules alone, or by a model that chooses what is quoted."""

from __future__ import annotations

from enum import StrEnum

from elysia_guard.domain.errors import ConfigError


class Mode(StrEnum):
    """What may be asked to make an answer, and what an answer was made by."""

    INSTANT = "instant"
    """No model: rules choose the sentences of the sources."""
    AUTO = "auto"
    """A model plans and points once, and the units that it points at are quoted."""
    THINKING = "thinking"
    """It looks a second time, at further documents, where the first do not answer."""
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
