"""The models that help to read a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import ReadKind


class IntentModel(Protocol):
    """Tells from the wording of a question what kind of thing it asks."""

    async def __call__(
        self, masked: str, /, *, lang: Lang, terms: int, documents: int
    ) -> Mapping[ReadKind, float]:
        """Return the chance of each kind of reading, together 1; nothing where it cannot tell.

        ``masked`` is the question with the marks of ``reading.masks`` in the place of its spans,
        ``terms`` and ``documents`` are how many stand in it, masked or not. Where one term alone is
        masked, a definition is that of this term.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


async def no_intents(
    _masked: str,
    /,
    *,
    lang: Lang,  # noqa: ARG001
    terms: int,  # noqa: ARG001
    documents: int,  # noqa: ARG001
) -> Mapping[ReadKind, float]:
    """Tell nothing beyond what forms do: the intent model where there is none."""
    return {}


class ReadingModel(Protocol):
    """A language model that is asked, in one short call, how a question may be read."""

    async def __call__(self, prompt: str, /, *, usable: Callable[[str], bool]) -> str:
        """Return what it writes to a prompt; once it was of use, the same to the same prompt.

        ``usable`` tells whether a text is of use.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or wrote nothing of use.
        """
