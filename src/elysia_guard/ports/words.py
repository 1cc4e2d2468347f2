"""What is known of words beyond their form: which mean alike, and how likely each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class WordLikeness(Protocol):
    """Knows which words mean alike, within a language and across."""

    async def __call__(
        self, words: Sequence[str], others: Sequence[str], /
    ) -> Mapping[str, Mapping[str, float]]:
        """Return, for each word, those of the others that mean alike: above 0, to 1 (the same).

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


async def by_form_alone(
    _words: Sequence[str], _others: Sequence[str]
) -> Mapping[str, Mapping[str, float]]:
    """Know no words that mean alike: the likeness where there is no model."""
    return {}


class WordChance(NamedTuple):
    """How likely a word is in running text, of whatever language.

    ``log`` is the logarithm of its chance, below 0. ``whole`` tells that it is so common that the
    model knows it as one: a word of some language beyond doubt, and none mistyped.
    """

    log: float
    whole: bool


class WordChances(Protocol):
    """Knows how likely words are in running text."""

    async def __call__(self, words: Sequence[str], /) -> Mapping[str, WordChance]:
        """Return the chance of each word; nothing where it cannot tell.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


async def no_chances(_words: Sequence[str], /) -> Mapping[str, WordChance]:
    """Know no word: the chances where there is no model, and then no word is taken for another."""
    return {}
