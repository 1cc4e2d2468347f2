"""What a question needs of the sources, gathered: concepts, documents, passages, failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from elysia_guard.domain.document import Hit
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Relation,
    Search,
    SmallTalk,
    Unclear,
    kinds_of,
    topic_of,
)
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import Clock, Embedder, PassageIndex, TerminologySource, WordLikeness
from elysia_guard.scoping import ReachableSources, sources_in
from elysia_guard.stages import judging, listing, retrieval, terminology

Rank = Callable[[Inquiry], Sequence[Hit]]
"""Puts the hits in order, the likeliest to answer first; none where nothing weighs them."""
INDEX_FAILS = (SourceUnavailableError, PassageIndexError)
"""What the index raises where it cannot be asked."""


def unranked(inquiry: Inquiry) -> Sequence[Hit]:
    """Leave the hits as they were found."""
    return inquiry.evidence.hits


@dataclass(frozen=True, kw_only=True)
class Gatherer:
    """Asks the sources, as far as a question may reach. Holds no state of any question.

    ``terminology_s`` bounds the terminology stage, in seconds of the ``clock``. Whether passages
    answer the ``relevance_judge`` is asked, in the order of ``rank``; without it the gates judge
    alone.
    """

    terminology: TerminologySource | None
    index: PassageIndex
    embedder: Embedder
    alike: WordLikeness
    terminology_s: float | None
    clock: Clock
    record: Recorder
    relevance_judge: judging.RelevanceJudge | None = None
    rank: Rank = unranked

    async def gather(self, inquiry: Inquiry) -> None:
        """Ask the sources that one part needs; one that is down lands in ``missing``."""
        asks = inquiry.asks
        match asks:
            case SmallTalk() | Unclear():
                return
            case Definition() | Comparison():
                await self._define(inquiry, asks)
            case Search() if asks.term:
                await self._define(inquiry, asks)
        if isinstance(asks, Definition):
            await self._explain(inquiry, asks)
        if isinstance(asks, Definition) or inquiry.evidence.matches:
            return
        with self.record.stage("retrieval", inquiry) as note:
            evidence = await self._retrieve(inquiry)
            said = f"{len(evidence.documents)} document(s), {len(evidence.hits)} passage(s)"
            note(said, remarks=noting.found(asks, evidence))
        inquiry.evidence = replace(
            evidence,
            missing=(*inquiry.evidence.missing, *evidence.missing),
            fallbacks=tuple(dict.fromkeys((*inquiry.evidence.fallbacks, *evidence.fallbacks))),
        )
        self.record.failures(inquiry, evidence.missing)
        if self.relevance_judge and judging.is_judged(inquiry):
            await self._judge(inquiry, self.relevance_judge)

    async def _judge(self, inquiry: Inquiry, relevance_judge: judging.RelevanceJudge) -> None:
        """Ask a judge; where it fails, the gates judge alone, and the reply says so."""
        with self.record.stage("judge", inquiry) as note:
            try:
                inquiry.evidence = await relevance_judge.judged(inquiry, self.rank(inquiry))
                note(judging.told(inquiry.evidence), remarks=noting.judged(inquiry.evidence))
                if no := judging.rejected(inquiry.evidence):
                    self.record.observe(no)
            except SourceUnavailableError as err:
                failure = replace(SourceFailure.of(err), source="judge")
                told = noting.left_to("gates", failure.flags)
                note(f"left to the gates: {', '.join(failure.flags)}", remarks=told)
                inquiry.lacks(failure.flags)
                self.record.failures(inquiry, (failure,))

    async def _define(self, inquiry: Inquiry, asks: Definition | Comparison | Search) -> None:
        with self.record.stage("terminology", inquiry) as note:
            source, lang = self._sources(inquiry).terminology, inquiry.question.lang
            found = inquiry.evidence = await terminology.look_up(
                source,
                asks,
                lang,
                within_s=self.terminology_s,
                clock=self.clock,
            )
            terms = asks.terms if isinstance(asks, Comparison) else (asks.term,)
            said = f"{len(found.matches)} concept(s) for '{' and '.join(terms)}'"
            note(said, remarks=noting.looked_up(found, terms))
        self.record.failures(inquiry, found.missing)

    async def meant(self, inquiry: Inquiry) -> Evidence:
        """Look up the term whose meaning a question may have asked for; nothing where none may."""
        term, lang = inquiry.part.perhaps, inquiry.question.lang
        if not term or inquiry.evidence.missing:
            return Evidence()
        return await terminology.look_up(
            self._sources(inquiry).terminology,
            Definition(term=term),
            lang,
            within_s=self.terminology_s,
            clock=self.clock,
        )

    async def _explain(self, inquiry: Inquiry, asks: Definition) -> None:
        """Look for what documents say of a term that the vocabulary does not know."""
        evidence, wants_meaning = inquiry.evidence, asks.relation is Relation.MEANING
        if evidence.matches or evidence.missing or asks.uri or not wants_meaning:
            return
        with self.record.stage("retrieval", inquiry) as note, suppress(*INDEX_FAILS):
            found = await retrieval.explanations(
                self._sources(inquiry).index, asks.term, inquiry.question.lang
            )
            inquiry.evidence = replace(evidence, explained=found)
            said = f"{len(found)} sentence(s) of documents say what '{asks.term}' is"
            note(said, remarks=noting.explained(asks.term, len(found)))

    async def _retrieve(self, inquiry: Inquiry) -> Evidence:
        question, asks = inquiry.question, inquiry.asks
        sources = self._sources(inquiry)
        vocabulary, index = sources.terminology, sources.index
        if inquiry.evidence.missing:
            synonyms: terminology.Synonyms = ()
        else:
            synonyms, failures = await terminology.synonyms(
                vocabulary, topic_of(asks), question.lang
            )
            inquiry.evidence = replace(
                inquiry.evidence, missing=failures, fallbacks=terminology.flags(failures)
            )
            self.record.failures(inquiry, failures)
        try:
            match asks:
                case Named():
                    named = await retrieval.fetch(index, asks, question, synonyms, alike=self.alike)
                    if not (inquiry.matter_is_sought and named.documents):
                        return named
                    meant = Search(topic=asks.matter, kinds=asks.kinds, aspect=asks.aspect)
                    return named.seen_by(
                        await retrieval.search(
                            index, self.embedder, question, meant, synonyms, alike=self.alike
                        )
                    )
                case Listing():
                    found = await listing.list_documents(index, asks, question, synonyms)
                    if found.documents or not asks.is_topic_alone:
                        return found
                    meant = Search(topic=asks.topic, kinds=asks.kinds)
                    return await retrieval.search(
                        index, self.embedder, question, meant, synonyms, alike=self.alike
                    )
                case Search() | Comparison():
                    return await retrieval.search(
                        index, self.embedder, question, asks, synonyms, alike=self.alike
                    )
                case _:
                    return Evidence()
        except INDEX_FAILS as err:
            failure = SourceFailure(source="index", timeout=False, cause=str(err))
            if isinstance(err, SourceUnavailableError):
                failure = replace(SourceFailure.of(err), source="index")
            return Evidence(
                looked_at=tuple(kind.value for kind in question.scope.reached(kinds_of(asks))),
                missing=(failure,),
                fallbacks=failure.flags,
            )

    def _sources(self, inquiry: Inquiry) -> ReachableSources:
        return sources_in(inquiry.question.scope, self.terminology, self.index)
