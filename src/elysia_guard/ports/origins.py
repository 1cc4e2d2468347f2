"""What the stages need of the files and records that the index was filled from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Origin


class Origins(Protocol):
    """What the index was filled from, as it is now."""

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        """Look at what some documents were read from, within a moment; by document id.

        What has changed is read again, and so is what ``read`` names by id. What cannot be looked
        at in time is unreachable; what has changed and cannot be read again in time has no text.
        A document that is not among those returned has no source beyond the index.
        """

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        """Look at what some concepts were read from; by URI, as for documents."""


class NoOrigins:
    """Knows of no source: the origins where there are none to look at."""

    async def documents(
        self, documents: Sequence[Document], *, read: Collection[str] = ()
    ) -> Mapping[str, Origin]:
        return {}

    async def concepts(self, uris: Sequence[str]) -> Mapping[str, Origin]:
        return {}


Lines = tuple[int, int]
"""The first and the last line of a file that something stands on, from 1."""


class LineFinder(Protocol):
    """Knows on which lines of their files words of documents stand."""

    async def __call__(self, quoted: Sequence[tuple[Document, str]], /) -> Sequence[Lines | None]:
        """Return the lines of each, within a moment; None where they are not at hand."""


async def no_lines(quoted: Sequence[tuple[Document, str]], /) -> Sequence[Lines | None]:
    """Know of no line: where there are no files to look at."""
    return [None] * len(quoted)
