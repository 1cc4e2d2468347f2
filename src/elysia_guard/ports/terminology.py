"""What the stages need of a governed vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elysia_guard.domain.concept import Concept, Labels, TermMatch
from elysia_guard.domain.question import Lang


class TerminologySource(Protocol):
    """A governed vocabulary."""

    @property
    def name(self) -> str:
        """How the source is called before a reader, for example 'Skosmos'."""

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        """Return every concept that the term names; empty means the term is not there.

        Preferred and alternative labels win over hidden ones, living concepts over deprecated
        ones. More than one concept means that the term is ambiguous. The order is stable.

        Raises:
            SourceTimeoutError: the vocabulary did not answer within its deadline.
            SourceUnavailableError: the vocabulary could not be asked.
        """

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        """Return the concepts with these URIs, unknown ones left out."""

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        """Return the concepts whose labels are nearest to a term that was not found."""

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        """Return, for each label that occurs in the text, all labels of its concept."""

    async def labels(self) -> Labels:
        """Return the labels that are at hand, with those of deprecated concepts; asks no server.

        A source that keeps none beside returns none. What is returned is the same object for as
        long as it is the same.
        """


class ExampleTerm(Protocol):
    """Names a term that the vocabulary defines, for help."""

    def __call__(self, lang: Lang, /) -> str:
        """Return a label in a language; empty where there is none."""


def no_term(_lang: Lang, /) -> str:
    """Name no term: the example where no labels are at hand."""
    return ""
