"""A draft, held against its sources as they are at that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.origin import Origin
from elysia_guard.domain.response import RAGResponse, Validation
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import LineFinder, Origins
from elysia_guard.stages import response, sources, verification

Drafter = Callable[[Inquiry], Draft]
Numbered = Callable[[int], RAGResponse]
"""A reply whose sources count on from so many that stand before it, in other parts."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """A draft that was held against its sources, and the inquiry with these as they are now."""

    inquiry: Inquiry
    draft: Draft
    validation: Validation

    @property
    def holds(self) -> bool:
        """Whether all of it stands in its sources."""
        return self.validation.confidence >= 1.0

    def told(self, made: response.Provenance) -> Numbered:
        """Return the reply that tells it."""
        inquiry, draft, validation = self.inquiry, self.draft, self.validation
        return lambda before: response.answered(
            inquiry, draft, validation, before=before, made=made
        )


@dataclass(frozen=True, kw_only=True)
class Holder:
    """Holds drafts against their sources."""

    origins: Origins
    record: Recorder

    async def held(self, inquiry: Inquiry, drafted: Drafter) -> Held:
        """Draft an answer, and hold it against its sources; again, where one has changed."""
        with self.record.stage("answer", inquiry) as note:
            draft = drafted(inquiry)
            note(f"{len(draft.sources)} source(s)", remarks=noting.drafted(draft))
        with self.record.stage("verification", inquiry) as note:
            found = await sources.look(self.origins, draft)
            now = sources.of_sources(draft, found)
            inquiry.staleness, answered = sources.staleness(draft.cited, now), inquiry
            if sources.is_stale(now):
                answered, draft, now = await self._redrafted(inquiry, draft, found, drafted)
            inquiry.cited = tuple(each.of for each in draft.cited)
            validation = verification.verify(draft, now)
            note(
                f"{validation.sources_verified} of {validation.sources_total} quotes hold, "
                f"against: {', '.join(validation.against) or 'nothing'}",
                remarks=noting.held(validation),
            )
        return Held(inquiry=answered, draft=draft, validation=validation)

    async def _redrafted(
        self, inquiry: Inquiry, draft: Draft, known: Mapping[str, Origin], drafted: Drafter
    ) -> tuple[Inquiry, Draft, tuple[Origin, ...]]:
        """Draft again from the sources as they are now, and keep of it what stands in them."""
        before = sources.of_sources(draft, known)
        fresh = sources.as_now(inquiry, known)
        again = drafted(fresh)
        now = sources.of_sources(again, await sources.look(self.origins, again, known))
        kept, standing = verification.standing(again, now)
        inquiry.staleness = fresh.staleness = sources.staleness(
            (*draft.cited, *again.cited), (*before, *now), sources.withheld(draft, kept)
        )
        return fresh, kept, standing


async def on_lines(draft: Draft, lines: LineFinder) -> Draft:
    """Say of each source on which lines of its file its words stand, where that is at hand."""
    quoted = [
        (n, each.of, draft.sources[n].quote)
        for n, each in enumerate(draft.cited)
        if isinstance(each.of, Document)
    ]
    found = await lines([(document, words) for _, document, words in quoted])
    at = {n: place for (n, *_), place in zip(quoted, found, strict=True)}
    placed = (replace(item, lines=at.get(n)) for n, item in enumerate(draft.sources))
    return replace(draft, sources=tuple(placed))
