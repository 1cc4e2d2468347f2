"""What is shown of an answer while it is being written: what it is bound to begin with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Cited, Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.origin import Origin
from elysia_guard.domain.shown import Shown
from elysia_guard.ports import LineFinder, Origins, no_lines
from elysia_guard.stages import answering, response, sources, verification, writing
from elysia_guard.stages.answering.citing import CollectionOf


@dataclass(kw_only=True)
class Shower:
    """Shows the sentences of an answer that it is bound to begin with, as they are proved.

    Only where it is hedged already: what would be asserted, a sentence that fails later would
    hedge. Only what stands in its source as that is now, while none of the sources that the
    writer was told has changed. Where it ``shows`` nothing, as of a part of a question, which is
    shown when it is whole, the answer is bound by the same rules.
    """

    inquiry: Inquiry
    origins: Origins
    collection: CollectionOf
    lines: LineFinder = no_lines
    shows: bool = True
    _known: Mapping[str, Origin] = field(default_factory=dict)
    _paragraphs: int = 0
    _sources: int = 0

    async def stands(self, manuscript: Manuscript) -> bool | None:
        """Show sentences that are an answer as they are; see ``writing.Stands``."""
        if response.asserts(self.inquiry):
            return None
        if not writing.answers_alone(self.inquiry, manuscript):
            return False
        draft = answering.written(self.inquiry, manuscript, collection=self.collection)
        if len(draft.blocks) < len(manuscript.shown) or not await self._holds(draft, manuscript):
            return None
        await self._show(draft)
        return True

    async def _holds(self, draft: Draft, manuscript: Manuscript) -> bool:
        told = tuple(Cited(of=each.document, altered=each.altered) for each in manuscript.passages)
        every = Draft(blocks=(), sources=(), origins=tuple("" for _ in told), cited=told)
        self._known = await sources.look(self.origins, every, self._known)
        if sources.is_stale(sources.of_sources(every, self._known)):
            return False
        now = sources.of_sources(draft, self._known)
        return verification.verify(draft, now).confidence >= 1.0

    async def _show(self, draft: Draft) -> None:
        """Show what has not been shown."""
        if not self.shows:
            return
        placed = await on_lines(draft, self.lines)
        paragraphs = response.opening(self.inquiry, placed)
        new, cited = paragraphs[self._paragraphs :], placed.sources[self._sources :]
        self._paragraphs, self._sources = len(paragraphs), len(placed.sources)
        for n, text in enumerate(new, start=1):
            self.inquiry.reveal(Shown(text=text, sources=cited if n == len(new) else ()))


async def on_lines(draft: Draft, lines: LineFinder) -> Draft:
    """Say of each source on which lines of its file the words stand, where that is at hand."""
    quoted = [
        (n, each.of, draft.sources[n].quote)
        for n, each in enumerate(draft.cited)
        if isinstance(each.of, Document)
    ]
    found = await lines([(document, words) for _, document, words in quoted])
    at = {n: place for (n, *_), place in zip(quoted, found, strict=True)}
    placed = (replace(item, lines=at.get(n)) for n, item in enumerate(draft.sources))
    return replace(draft, sources=tuple(placed))
