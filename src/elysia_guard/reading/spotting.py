"""A spotter for what vocabulary and index hold now, made when they change and kept meanwhile."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from elysia_guard.domain.concept import Labels
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.ports import PassageIndex, TerminologySource
from elysia_guard.reading.spans import Spotter

MOST_KEPT: Final = 8
"""Scopes whose spotter is kept; a vocabulary of 20,000 labels takes 35 MB in each."""

_Key = tuple[str, str, tuple[str, ...] | None]


class Spotting:
    """Makes spotters of two sources, and survives an outage of either.

    A source that cannot be asked is taken to hold what it held when it last could; one that never
    could be asked holds nothing, so that the other is still spotted. May be called from any event
    loop.
    """

    def __init__(self, terminology: TerminologySource | None, index: PassageIndex) -> None:
        """Take the sources; nothing is asked yet."""
        self._terminology = terminology
        self._index = index
        self._labels = Labels()
        self._version = ""
        self._documents: tuple[Document, ...] = ()
        self._kept: OrderedDict[_Key, Spotter] = OrderedDict()

    async def spotter(self, scope: CollectionScope = EVERYTHING) -> Spotter:
        """Return the spotter for what a question may reach; made anew only if that has changed."""
        labels = await self._labels_now() if scope.defines else Labels()
        version, documents = await self._documents_now()
        key = labels.version, version, scope.kinds
        if key not in self._kept:
            admitted = (item for item in documents if scope.admits(item))
            self._kept[key] = Spotter.of(labels.all, admitted)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    async def documents(self, scope: CollectionScope = EVERYTHING) -> tuple[Document, ...]:
        """Return the documents that a question may reach, approval records with them."""
        _, documents = await self._documents_now()
        if scope.kinds is None:
            return documents
        return tuple(item for item in documents if scope.admits(item))

    async def _labels_now(self) -> Labels:
        try:
            if self._terminology:
                self._labels = await self._terminology.labels()
        except SourceUnavailableError:
            pass
        return self._labels

    async def _documents_now(self) -> tuple[str, tuple[Document, ...]]:
        try:
            version = await self._index.version()
            if version != self._version or not self._documents:
                found = await self._index.documents(Filters(approval=None))
                self._version, self._documents = version, tuple(found)
        except (SourceUnavailableError, PassageIndexError):
            pass
        return self._version, self._documents
