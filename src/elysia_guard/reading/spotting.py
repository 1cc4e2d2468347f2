"""A spotter for what vocabulary and index hold now, made when they change and kept meanwhile."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from elysia_guard.domain.concept import Labels
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Question
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.ports import Clock, PassageIndex, TerminologySource
from elysia_guard.reading.spans import Span, Spotter

MOST_KEPT: Final = 8
"""Scopes whose spotter is kept; one of 20,000 labels takes 35 MB."""


CHECKED_S: Final = 5.0
"""Seconds for which an index is taken to be as it was: to ask one over a network takes its time."""


@dataclass(slots=True)
class _Held:
    """What a scope held when it could last be asked, and the spotter of it."""

    labels: Labels = field(default_factory=Labels)
    version: str | None = None
    checked_s: float = -math.inf
    documents: tuple[Document, ...] = ()
    spotter: Spotter | None = None
    made_of: tuple[str, str | None] = ("", None)


class Spotting:
    """Makes spotters of one vocabulary and one index, and survives an outage of either.

    A source that cannot be asked is taken to hold what it held when it last could; one that never
    could holds nothing, and the other is spotted all the same. For any event loop.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        """Keep nothing yet; the clock tells when an index is to be asked again for its version."""
        self._clock = clock
        self._kept: OrderedDict[tuple[tuple[DocumentKind, ...] | None, bool], _Held] = OrderedDict()

    async def spans(
        self,
        question: Question,
        *,
        vocabulary: TerminologySource,
        catalogue: PassageIndex,
    ) -> tuple[Span, ...]:
        """Return what a question mentions, as far as it may reach; see ``Spotter.spot``.

        A word that the documents use is not taken for another that looks like it.
        """
        text, lang = question.text, question.lang
        spotter = await self.spotter(vocabulary, catalogue, question.scope)
        spans = spotter.spot(text, lang)
        mistyped = [word for span in spans for word in span.mistyped]
        if not mistyped:
            return spans
        with suppress(SourceUnavailableError, PassageIndexError):
            rarity = await catalogue.rarity(mistyped, lang=lang)
            known = {word for word in mistyped if rarity[word] < 1}
            return spotter.spot(text, lang, known=known) if known else spans
        return spans

    async def spotter(
        self,
        vocabulary: TerminologySource,
        catalogue: PassageIndex,
        scope: CollectionScope = EVERYTHING,
    ) -> Spotter:
        """Return the spotter for what a scope shows; made anew only where that has changed.

        A change of the index shows within ``CHECKED_S``.

        Args:
            vocabulary: as the scope shows it; always the same one, beside its scope.
            catalogue: the same of the index.
            scope: what the question may reach: nothing that is beyond it is kept for it.
        """
        held = self._of(scope)
        with suppress(SourceUnavailableError):
            held.labels = await vocabulary.labels()
        if self._clock() - held.checked_s >= CHECKED_S:
            with suppress(SourceUnavailableError, PassageIndexError):
                version = await catalogue.version()
                if version != held.version:
                    held.documents = tuple(await catalogue.documents(Filters(approval=None)))
                    held.version = version
                held.checked_s = self._clock()
        made_of = held.labels.version, held.version
        if held.spotter is None or held.made_of != made_of:
            held.spotter = Spotter.of(held.labels.all, held.documents)
            held.made_of = made_of
        return held.spotter

    def documents(self, scope: CollectionScope = EVERYTHING) -> tuple[Document, ...]:
        """Return the catalogue that the last spotter for a scope was made of, records with it."""
        return self._of(scope).documents

    def _of(self, scope: CollectionScope) -> _Held:
        key = scope.kinds, scope.defines
        held = self._kept.setdefault(key, _Held())
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return held
