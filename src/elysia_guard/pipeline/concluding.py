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
from elysia_guard.domain.document import Document, Filters, Hit
from elysia_guard.domain.draft import Draft, HeldDraft
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.manuscript import Manuscript
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Staleness
from elysia_guard.domain.own_kinds import in_house
from elysia_guard.domain.quality import MOST_HEDGED
from elysia_guard.domain.reading import Named, Search, kinds_of
from elysia_guard.domain.refusal import Examples, Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.deciding import Decider
from elysia_guard.pipeline.gathering import INDEX_FAILS, Gatherer
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import ExampleTerm, LineFinder, Origins
from elysia_guard.resilience.together import together
from elysia_guard.scoping import ReachableSources
from elysia_guard.stages import answering, response, suggestions, verification, writing

RAW = 0.5
"""The confidence that bare sources are held at: documents that were found, and nothing said."""
MOST_SEARCHES = 4
"""Into so many a question is taken apart."""

Drafter = Callable[[Inquiry], Draft]


class Concluded(NamedTuple):
    """A part as it ends, its reply, and what that cites."""

    part: Inquiry
    reply: response.NumberedReply
    cited: tuple[Document | Concept, ...] = ()


class Attempt(NamedTuple):
    """A part after a model was asked to write, what that wrote, and the end; None where none."""

    part: Inquiry
    manuscript: Manuscript | None
    concluded: Concluded | None


@dataclass(frozen=True, kw_only=True)
class Concluder:
    """Ends questions. Holds no state of any.

    ``aside`` are the sources where they are asked for ways on: that is no retrieval for an answer.
    """

    decider: Decider
    gatherer: Gatherer
    aside: Callable[[CollectionScope], ReachableSources]
    origins: Origins
    lines: LineFinder
    example_term: ExampleTerm
    record: Recorder

    async def concluded(
        self, inquiry: Inquiry, writer: writing.AnswerGenerator | None
    ) -> Sequence[Concluded]:
        """Return how each part of a question ends; all at once, they share the time of an answer.

        How many calls of a model go at a time is bounded by whoever makes them.
        """
        if not inquiry.further:
            return [await self._concluded(inquiry, writer)]
        flags = inquiry.context.fallback_flags
        known = len(flags)
        # The trace stands in the order of the parts.
        parts = [replace(part, trace=[]) for part in inquiry.every]
        try:
            ended = await together(*(self._concluded(part, writer) for part in parts))
        finally:
            inquiry.trace.extend(step for part in parts for step in part.trace)
        # Which part failed first is chance: the flags stand in the order of the parts.
        told = (flag for end in ended for flag in end.part.fallbacks if flag in flags[known:])
        flags[known:] = dict.fromkeys((*told, *flags[known:]))
        return ended

    async def _concluded(self, part: Inquiry, writer: writing.AnswerGenerator | None) -> Concluded:
        if part.decided().outcome is not Outcome.ANSWER:
            return await self._declined(part)
        mode = part.mode or writer.mode if writer and writing.is_written(part) else Mode.INSTANT
        manuscript = None
        if writer and mode is not Mode.INSTANT:
            part, manuscript, concluded = await self._written(part, writer, mode)
            if concluded:
                return concluded
        now, held = await self._held(part, self.decider.quoted)
        came_out = Mode.INSTANT
        if not held.holds and mode is not Mode.INSTANT:
            part, came_out = _at_most(part, RAW), Mode.RAW
            bare = partial(answering.bare, collection=self.decider.collection)
            now, held = await self._held(part, bare)
        if held.holds:
            return _answered(part, now, held, came_out, manuscript)
        verdict = part.decided().unverified(stale=held.staleness.found)
        return await self._declined(replace(part, verdict=verdict), held.staleness)

    async def _held(self, part: Inquiry, drafted: Drafter) -> tuple[Inquiry, HeldDraft]:
        """Draft an answer, and hold it against its sources; again, where one has changed."""
        with self.record.stage("answer", part) as tell:
            draft = drafted(part)
            tell(noting.counted("answer", len(draft.sources)))
        with self.record.stage("verification", part) as tell:
            now, held = await verification.hold(part, draft, drafted, self.origins)
            tell(noting.held(held.validation))
        return now, held

    # What a model writes: it chooses, and its words are never shown.

    async def _written(self, part: Inquiry, writer: writing.AnswerGenerator, mode: Mode) -> Attempt:
        """Have an answer written, in mode thinking from more sources first."""
        if mode is Mode.THINKING:
            part, searches = await self._taken_apart(part, writer)
            if searches is not None:
                widened = writing.widened(part, await self._searched(part, searches))
                tried = await self._attempt(widened, part, writer, mode)
                surest = tried.part.decided().confidence
                part = replace(
                    part,
                    unguided=tried.part.unguided,
                    verdict=part.decided().at_most(surest),
                )
                if tried.concluded:
                    return tried._replace(concluded=tried.concluded._replace(part=part))
                if tried.manuscript is None:
                    return tried._replace(part=part)
        return await self._attempt(part, part, writer, Mode.AUTO)

    async def _taken_apart(
        self, part: Inquiry, writer: writing.AnswerGenerator
    ) -> tuple[Inquiry, Sequence[str] | None]:
        """Return what else to search for; None where nobody takes the question apart."""
        with self.record.stage("planning", part) as tell:
            try:
                searches = await writer.planned(part)
            except SourceUnavailableError as err:
                tell(noting.NOT_APART)
                flags = SourceFailure.of(err, writing.SOURCE).flags
                return self.record.unguided(part, flags), None
            searches = searches[:MOST_SEARCHES]
            tell(noting.counted("planning", len(searches)))
        return part, searches

    async def _searched(self, part: Inquiry, searches: Sequence[str]) -> list[Hit]:
        """Search for each, and return what passed the gates for it."""
        found: list[Hit] = []
        if searches:
            part.progress("searching")
        for text in searches:
            asked = replace(part.part, asks=Search(topic=text), text=text, reason="taken apart")
            question = replace(part.question, text=text)
            sub = replace(part, question=question, part=asked, evidence=Evidence(), verdict=None)
            verdict = self.decider.decided(await self.gatherer.gathered(sub))
            found += writing.passing(verdict)
        return found

    async def _attempt(
        self, part: Inquiry, judged: Inquiry, writer: writing.AnswerGenerator, mode: Mode
    ) -> Attempt:
        """Have an answer written; ``judged`` is the part as the gates judged it."""
        with self.record.stage("writing", part) as tell:
            try:
                written = await writer.written(part)
            except SourceUnavailableError as err:
                failure = SourceFailure.of(err, writing.SOURCE)
                self.record.failures(part, (failure,))
                tell(noting.left_to("quotes", failure.flags))
                return Attempt(self.record.unguided(part, failure.flags), None, None)
            tell(noting.written(written))
        if not (written.answers and self._is_backed(judged, written)):
            part = _at_most(part, self.decider.thresholds.search_ceiling)
        return Attempt(part, written, await self._chosen(part, written, mode))

    async def _chosen(self, part: Inquiry, written: Manuscript, mode: Mode) -> Concluded | None:
        """Return the end of a part by what a model chose; None where that is no answer."""
        drafted = partial(answering.written, manuscript=written, collection=self.decider.collection)
        if not written.chosen or _leaves_out(part, written):
            return None
        if not self.decider.tells(part, drafted(part)):
            return None
        now, held = await self._held(part, drafted)
        if not held.holds:
            return None
        placed = replace(held, draft=await self._on_lines(held.draft))
        return _answered(part, now, placed, mode, written)

    def _is_backed(self, judged: Inquiry, written: Manuscript) -> bool:
        """Whether what was chosen, if anything, shares a sentence with what would be quoted."""
        if not written.chosen:
            return True
        quotes = (quote for block in self.decider.quoted(judged).blocks for quote in block.quotes)
        sought = [quote.sought for quote in quotes]
        return any(unit in said for _, unit in written.chosen for said in sought)

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
            if _searched_all(part):
                kinds = (await self._examples(part)).kinds
                looked_at = tuple(map(str, kinds))
                part = replace(part, evidence=replace(part.evidence, looked_at=looked_at))
            ways_on = await suggestions.suggest(
                part, terminology=aside.terminology, index=aside.index, gone=staleness.gone
            )
            tell(noting.counted("suggestions", len(ways_on)))
        if part.decided().outcome is Outcome.CLARIFY:
            return response.clarified(part, ways_on)
        return response.refused(part, ways_on, await self._mentioned(part), staleness=staleness)

    async def _mentioned(self, part: Inquiry) -> Draft | None:
        """Quote where the matter is mentioned, as the sources say it now; None where nowhere."""
        if not (part.decided().mentioned or part.part.perhaps):
            return None
        with self.record.stage("mentions", part) as tell:
            meant = replace(part, meant=await self.gatherer.meant(part))
            draft = answering.mentions(meant, collection=self.decider.collection)
            standing = await verification.standing_now(draft, self.origins)
            tell(noting.counted("mentions", len(standing.sources)))
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


def _answered(
    part: Inquiry, now: Inquiry, held: HeldDraft, mode: Mode, written: Manuscript | None
) -> Concluded:
    """Return the end of a part whose answer holds; ``now`` has its sources as they are."""
    reply = partial(response.answered, now, held, mode=mode, manuscript=written)
    return Concluded(part, reply, tuple(each.of for each in held.draft.cited))


def _at_most(part: Inquiry, ceiling: float) -> Inquiry:
    """Assert nothing that a model said no to, or chose beside what the gates looked at."""
    return replace(part, verdict=part.decided().at_most(min(ceiling, MOST_HEDGED)))


def _leaves_out(part: Inquiry, written: Manuscript) -> bool:
    """Whether several documents are named, and a found one of them says nothing."""
    if not isinstance(part.asks, Named):
        return False
    found = {hit.passage.document.id for hit in part.evidence.hits}
    named = {item.id for item in part.evidence.documents}
    return not (found & named) <= {passage.document.id for passage, _ in written.chosen}


def _searched_all(part: Inquiry) -> bool:
    """Whether documents of whatever kind were looked at: which, depends on what there is."""
    kinds = {kind.value for kind in in_house().every}
    looked_at = set(part.evidence.looked_at)
    return bool(looked_at) and looked_at <= kinds and not kinds_of(part.asks)
