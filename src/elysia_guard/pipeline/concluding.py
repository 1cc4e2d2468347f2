"""How a question ends: each part answered from what passed the gates, or not, and why.

An answer is what a model chose of the sources, where one is to choose; else what answers best, else
the names of the documents. All of it is held against the sources as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.draft import Draft, HeldDraft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Staleness
from elysia_guard.domain.own_kinds import in_house
from elysia_guard.domain.reading import kinds_of
from elysia_guard.domain.refusal import Examples, Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.gathering import INDEX_FAILS, Gatherer
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import ExampleTerm, LineFinder, Origins
from elysia_guard.resilience.together import together
from elysia_guard.scoping import ReachableSources
from elysia_guard.stages import answering, response, suggestions, verification

RAW = 0.5
"""The confidence that bare sources are held at: documents that were found, and nothing said."""

Drafter = Callable[[Inquiry], Draft]


class Concluded(NamedTuple):
    """A part as it ends, its reply, and what that cites."""

    part: Inquiry
    reply: response.NumberedReply
    cited: tuple[Document | Concept, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Concluder:
    """Ends questions. Holds no state of any.

    ``aside`` are the sources where they are asked for ways on: that is no retrieval for an answer.
    """

    gatherer: Gatherer
    aside: Callable[[CollectionScope], ReachableSources]
    origins: Origins
    lines: LineFinder
    example_term: ExampleTerm
    record: Recorder

    async def concluded(self, inquiry: Inquiry) -> Sequence[Concluded]:
        """Return how each part of a question ends; all at once, they share what they wait for."""
        if not inquiry.further:
            return [await self._concluded(inquiry)]
        flags = inquiry.context.fallback_flags
        known = len(flags)
        # The trace stands in the order of the parts.
        parts = [replace(part, trace=[]) for part in inquiry.every]
        try:
            ended = await together(*(self._concluded(part) for part in parts))
        finally:
            inquiry.trace.extend(step for part in parts for step in part.trace)
        # Which part failed first is chance: the flags stand in the order of the parts.
        told = (flag for end in ended for flag in end.part.fallbacks if flag in flags[known:])
        flags[known:] = dict.fromkeys((*told, *flags[known:]))
        return ended

    async def _concluded(self, part: Inquiry) -> Concluded:
        if part.decided().outcome is not Outcome.ANSWER:
            return await self._declined(part)
        pointed = part.evidence.pointed
        mode = Mode.INSTANT
        if pointed and pointed.answers:
            mode = Mode.THINKING if part.mode is Mode.THINKING else Mode.AUTO
        now, held = await self._held(part, self.gatherer.decider.quoted)
        if not held.holds and pointed and pointed.answers:
            # What a model chose has changed meanwhile: what holds are the names of the documents.
            part, mode = replace(part, verdict=part.decided().at_most(RAW)), Mode.RAW
            bare = partial(answering.bare, collection=self.gatherer.decider.collection)
            now, held = await self._held(part, bare)
        if held.holds:
            if pointed and pointed.answers:
                held = replace(held, draft=await self._on_lines(held.draft))
            reply = partial(response.answered, now, held, mode=mode)
            return Concluded(part, reply, tuple(each.of for each in held.draft.cited))
        verdict = part.decided().unverified(stale=held.staleness.found)
        return await self._declined(replace(part, verdict=verdict), held.staleness)

    async def _held(self, part: Inquiry, drafted: Drafter) -> tuple[Inquiry, HeldDraft]:
        """Draft an answer, and hold it against its sources; again, where one has changed."""
        with self.record.stage("answer", part) as tell:
            draft = drafted(part)
            tell(noting.counted(len(draft.sources), "source(s)"))
        with self.record.stage("verification", part) as tell:
            now, held = await verification.hold(part, draft, drafted, self.origins)
            tell(noting.held(held.validation))
        return now, held

    async def _on_lines(self, draft: Draft) -> Draft:
        """Say of each source on which lines of its file its words stand, where that is at hand."""
        quoted = {
            n: (each.of, draft.sources[n].quote)
            for n, each in enumerate(draft.cited)
            if isinstance(each.of, Document)
        }
        at = dict(zip(quoted, await self.lines(list(quoted.values())), strict=True))
        placed = (replace(item, lines=at.get(n)) for n, item in enumerate(draft.sources))
        return replace(draft, sources=tuple(placed))

    # What is said where there is no answer

    async def _declined(self, part: Inquiry, staleness: Staleness = response.FRESH) -> Concluded:
        """Reply to a part that is not answered: small talk, a question back, a refusal."""
        if part.decided().outcome is Outcome.CONVERSE:
            reply = response.conversed(part, await self._examples(part))
        else:
            reply = await self._turned_back(part, staleness)
        return Concluded(part, lambda _before: reply)

    async def _turned_back(self, part: Inquiry, staleness: Staleness) -> RAGResponse:
        aside = self.aside(part.question.scope)
        with self.record.stage("suggestions", part) as tell:
            part = await self._naming_what_is_there(part)
            ways_on = await suggestions.suggest(
                part, terminology=aside.terminology, index=aside.index, gone=staleness.gone
            )
            tell(noting.counted(len(ways_on), "way(s) on"))
        if part.decided().outcome is Outcome.CLARIFY:
            return response.clarified(part, ways_on)
        return response.refused(part, ways_on, await self._mentioned(part), staleness=staleness)

    async def _naming_what_is_there(self, part: Inquiry) -> Inquiry:
        """Name no kind of documents as looked at of which there is none, where none was asked for.

        Where there are no documents at all, none was looked at.
        """
        looked_at, every = part.evidence.looked_at, {kind.value for kind in in_house().every}
        if not looked_at or not every.issuperset(looked_at) or part.evidence.missing:
            return part
        kinds = tuple(map(str, (await self._examples(part)).kinds))
        if kinds and kinds_of(part.asks):
            return part
        return replace(part, evidence=replace(part.evidence, looked_at=kinds))

    async def _mentioned(self, part: Inquiry) -> Draft | None:
        """Quote where the matter is mentioned, as the sources say it now; None where nowhere."""
        if not (part.decided().mentioned or part.part.perhaps):
            return None
        with self.record.stage("mentions", part) as tell:
            meant = replace(part, meant=await self.gatherer.meant(part))
            draft = answering.mentions(meant, collection=self.gatherer.decider.collection)
            standing = await verification.standing_now(draft, self.origins)
            tell(noting.counted(len(standing.sources), "source(s) in which it is mentioned"))
        return standing

    async def _examples(self, part: Inquiry) -> Examples:
        """Name a term and a document that there are, for the reader to ask about."""
        scope, lang = part.question.scope, part.question.lang
        term = self.example_term(lang) if scope.defines else ""
        try:
            documents = await self.gatherer.sources(scope).index.documents(Filters())
        except INDEX_FAILS:
            documents = ()
        return Examples.of(documents, term=term)
