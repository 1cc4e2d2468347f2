"""What is said where there is no answer: small talk, a question back, a refusal and ways on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from elysia_guard.domain.document import Filters
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.refusal import Examples, Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.gathering import INDEX_FAILS, Gatherer
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import ExampleTerm, Origins
from elysia_guard.scoping import ReachableSources
from elysia_guard.stages import answering, response, sources, suggestions, verification
from elysia_guard.stages.answering.citing import CollectionOf


@dataclass(frozen=True, kw_only=True)
class Decliner:
    """Replies to what is not answered; over the sources of one question.

    ``uncounted`` are these sources where they are asked for ways on: that is no retrieval for an
    answer.
    """

    found: ReachableSources
    uncounted: ReachableSources
    gatherer: Gatherer
    origins: Origins
    record: Recorder
    collection: CollectionOf
    example_term: ExampleTerm

    async def declined(self, inquiry: Inquiry) -> RAGResponse:
        """Reply to a part that is not answered: small talk, a question back, a refusal."""
        if inquiry.decided().outcome is Outcome.CONVERSE:
            return response.conversed(inquiry, await self._examples(inquiry))
        return await self._turned_back(inquiry)

    async def _turned_back(self, inquiry: Inquiry) -> RAGResponse:
        with self.record.stage("suggestions", inquiry) as note:
            if inquiry.searched_all:
                kinds = (await self._examples(inquiry)).kinds
                inquiry.evidence = replace(inquiry.evidence, looked_at=tuple(map(str, kinds)))
            ways_on = await suggestions.suggest(
                inquiry, terminology=self.uncounted.terminology, index=self.uncounted.index
            )
            note(f"{len(ways_on)} way(s) on", remarks=noting.ways_on(len(ways_on)))
        if inquiry.decided().outcome is Outcome.CLARIFY:
            return response.clarified(inquiry, ways_on)
        return response.refused(inquiry, ways_on, await self._mentioned(inquiry))

    async def _mentioned(self, inquiry: Inquiry) -> Draft | None:
        """Quote where the matter is mentioned, as the sources say it now; None where nowhere."""
        if not (inquiry.decided().mentioned or inquiry.part.perhaps):
            return None
        with self.record.stage("mentions", inquiry) as note:
            inquiry.meant = await self.gatherer.meant(inquiry)
            draft = answering.mentions(inquiry, collection=self.collection)
            now = sources.of_sources(draft, await sources.look(self.origins, draft))
            standing, _ = verification.standing(draft, now)
            count = len(standing.sources)
            note(f"{count} source(s) mention it", remarks=noting.mentioning(count))
        return standing

    async def _examples(self, inquiry: Inquiry) -> Examples:
        """Name a term and a document that there are, for the reader to ask about."""
        scope, lang = inquiry.question.scope, inquiry.question.lang
        term = self.example_term(lang) if scope.defines else ""
        try:
            documents = await self.found.index.documents(Filters())
        except INDEX_FAILS:
            documents = ()
        return Examples.of(documents, term=term)
