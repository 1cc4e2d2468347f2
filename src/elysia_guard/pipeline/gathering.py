"""What a question needs of the sources, gathered, and what the gates say of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.errors import GuardError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.evidence import Definitions, Evidence, SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Search,
    SmallTalk,
    Unclear,
    kinds_of,
    topic_of,
)
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Recorder, Tell
from elysia_guard.ports import Clock, Embedder, WordLikeness
from elysia_guard.scoping import ReachableSources
from elysia_guard.stages import answering, gates, guiding, listing, retrieval, terminology
from elysia_guard.stages.answering.citing import CollectionOf
from elysia_guard.stages.guiding.whole import Spoken, says_more

INDEX_FAILS = (SourceUnavailableError, PassageIndexError)
"""What the index raises where it cannot be asked."""


@dataclass(frozen=True, kw_only=True)
class Decider:
    """Decides by limits, and drafts what would be shown."""

    thresholds: Thresholds
    collections: Mapping[DocumentKind, str]
    collection: CollectionOf

    def decided(self, inquiry: Inquiry) -> Verdict:
        """Hold the evidence of a part against the gates, and what would be quoted against it."""
        verdict = gates.judge(inquiry, thresholds=self.thresholds, collections=self.collections)
        if not self.thresholds.profile.answer_type:
            return verdict
        return gates.told(inquiry, verdict, lambda: self.quoted(replace(inquiry, verdict=verdict)))

    def quoted(self, inquiry: Inquiry) -> Draft:
        """Draft an answer from what the gates let through."""
        return answering.draft(inquiry, collection=self.collection)


@dataclass(frozen=True, kw_only=True)
class Gatherer:
    """Asks the sources, as far as a question may reach. Holds no state of any question.

    ``terminology_s`` bounds the terminology stage, in seconds of the ``clock``. The ``decider``
    tells what the gates would say, ``read_whole`` reads what a model made of a question.
    """

    sources: Callable[[CollectionScope], ReachableSources]
    embedder: Embedder
    alike: WordLikeness
    terminology_s: float | None
    clock: Clock
    record: Recorder
    decider: Decider
    read_whole: Callable[[Inquiry, str], Awaitable[Inquiry | None]]

    async def gathered(self, inquiry: Inquiry, guidance: guiding.Guidance | None = None) -> Inquiry:
        """Return a part with what the sources have for it; one that is down lands in ``missing``.

        Where passages are to answer, a model points at units of them. What would be asked back in
        a conversation a model may make whole: where that is answered.
        """
        found = await self._gathered(inquiry, guidance)
        if not (guidance and guidance.resolves(found)):
            return found
        if self.decider.decided(found).outcome is not Outcome.CLARIFY:
            return found
        plan = await self._planned(found, guidance)
        if isinstance(plan, Inquiry):
            return plan
        return await self._whole(found, replace(guidance, planned=plan)) or found

    async def _gathered(self, inquiry: Inquiry, guidance: guiding.Guidance | None) -> Inquiry:
        asks, known = inquiry.asks, inquiry.evidence
        if isinstance(asks, SmallTalk | Unclear):
            return inquiry
        if isinstance(asks, Definition | Comparison) or (isinstance(asks, Search) and asks.term):
            with self.record.stage("terminology", inquiry) as tell:
                known = await self._looked_up(inquiry, asks)
                terms = asks.terms if isinstance(asks, Comparison) else (asks.term,)
                tell(noting.looked_up(known, terms))
            self.record.failures(inquiry, known.missing, known.fallbacks)
        if isinstance(asks, Definition) or (
            known.matches and not _rather_told_by_documents(asks, known)
        ):
            return replace(inquiry, evidence=known)
        found = replace(inquiry, evidence=await self._retrieved(inquiry, known))
        down = any(failure.source == "index" for failure in found.evidence.missing)
        if guidance and guidance.asks(found) and not down:
            found = await self._guided(found, guidance)
        elif inquiry.tools and not inquiry.tool:
            note = noting.not_asked({each.name: noting.NotAsked.NO_PLAN for each in inquiry.tools})
            self.record.step("tools", found, note, started=self.record.clock())
        if known.matches and self.decider.decided(found).outcome is not Outcome.ANSWER:
            return replace(inquiry, evidence=known)
        return found

    async def meant(self, inquiry: Inquiry) -> Evidence:
        """Look up the term whose meaning a question may have asked for; nothing where none may."""
        term = inquiry.part.perhaps
        if not term or inquiry.evidence.missing:
            return Evidence()
        return await self._looked_up(inquiry, Definition(term=term))

    async def _looked_up(
        self, inquiry: Inquiry, asks: Definition | Comparison | Search
    ) -> Evidence:
        source, lang = self._reached(inquiry).terminology, inquiry.question.lang
        return await terminology.look_up(
            source, asks, lang, within_s=self.terminology_s, clock=self.clock
        )

    async def _retrieved(self, inquiry: Inquiry, known: Evidence) -> Evidence:
        with self.record.stage("retrieval", inquiry) as tell:
            synonyms: terminology.Synonyms = ()
            if not known.missing:
                lang, topic = inquiry.question.lang, topic_of(inquiry.asks)
                source = self._reached(inquiry).terminology
                synonyms, failures = await terminology.synonyms(source, topic, lang)
                flags = terminology.flags(failures)
                known = replace(known, missing=failures, fallbacks=flags)
                self.record.failures(inquiry, failures, flags)
            found = await self._found(inquiry, synonyms)
            tell(noting.found(inquiry.asks, found))
        fallbacks = tuple(dict.fromkeys((*known.fallbacks, *found.fallbacks)))
        self.record.failures(inquiry, found.missing, fallbacks)
        return replace(found, missing=(*known.missing, *found.missing), fallbacks=fallbacks)

    async def _found(self, inquiry: Inquiry, synonyms: terminology.Synonyms) -> Evidence:
        question, asks = inquiry.question, inquiry.asks
        index = self._reached(inquiry).index
        search = partial(
            retrieval.search, index, self.embedder, question, synonyms=synonyms, alike=self.alike
        )
        try:
            match asks:
                case Named():
                    named = await retrieval.fetch(index, asks, question, synonyms, alike=self.alike)
                    if not (inquiry.matter_is_sought and named.documents):
                        return named
                    meant = Search(topic=asks.matter, kinds=asks.kinds, aspect=asks.aspect)
                    return named.seen_by(await search(meant))
                case Listing():
                    link, target = asks.filters.link, None
                    if link:
                        linked = Named(references=(link.reference,))
                        named = await retrieval.fetch(index, linked, question, ())
                        if not named.documents:
                            return named
                        target = named.documents[0]
                    listed = await listing.list_documents(
                        index, asks, question, synonyms, target=target
                    )
                    if listed.documents or not asks.is_topic_alone:
                        return listed
                    meant = Search(topic=asks.topic, kinds=asks.kinds)
                    return await search(meant)
                case Search() | Comparison():
                    return await search(asks)
                case _:
                    return Evidence()
        except INDEX_FAILS as err:
            failure = SourceFailure.of(err, "index")
            return Evidence(
                looked_at=tuple(kind.value for kind in question.scope.reached(kinds_of(asks))),
                missing=(failure,),
                fallbacks=failure.flags,
            )

    async def _guided(self, inquiry: Inquiry, guidance: guiding.Guidance) -> Inquiry:
        """Let a model plan and point; where it fails, the rules go on, and the reply says so.

        A tool that the plan names is asked first: nothing is pointed at before it has been.
        """
        reached, plan = self._reached(inquiry), guidance.planned or guiding.Planned()
        if not (guidance.planned or guiding.is_of_named(inquiry)):
            made = await self._planned(inquiry, guidance)
            if isinstance(made, Inquiry):
                return made
            plan = made
            if plan.tools and not inquiry.tool:
                return replace(inquiry, tool=plan.tools[0])
            if whole := await self._whole(inquiry, replace(guidance, planned=plan)):
                return whole
        told = None
        for _ in range(2 if guidance.thinks(inquiry) else 1):
            with self.record.stage("pointing", inquiry) as tell:
                try:
                    seen = await guidance.point(
                        inquiry,
                        reached.index,
                        reached.terminology,
                        plan,
                        self.decider.decided(inquiry).ranking,
                        beyond=told.documents if told else (),
                    )
                except INDEX_FAILS as err:
                    inquiry = self._left(inquiry, err, tell)
                    break
                tell(noting.pointed(seen))
            told = told.beside(seen) if told else seen
            if told.is_whole or not seen.told:
                break
        return replace(inquiry, evidence=plan.beside(inquiry.evidence, told)) if told else inquiry

    async def _planned(
        self, inquiry: Inquiry, guidance: guiding.Guidance
    ) -> guiding.Planned | Inquiry:
        """Return what a model plans; where it fails, the part as it is left to the rules."""
        offered = () if inquiry.tool else [each.name for each in inquiry.tools]
        with self.record.stage("planning", inquiry) as tell:
            try:
                plan = await guidance.plan(inquiry, self._reached(inquiry).index, self.embedder)
            except INDEX_FAILS as err:
                return self._left(inquiry, err, tell, offered)
            tell(noting.planned(plan, offered))
        return plan

    async def _whole(self, inquiry: Inquiry, guidance: guiding.Guidance) -> Inquiry | None:
        """Return what answers a question as a model made it whole; None where nothing does.

        What is searched for anyway is read anew only where no model is asked about it then.
        """
        plan, sought = guidance.planned, isinstance(inquiry.asks, Search | Comparison)
        if plan is None or not inquiry.conversation.focus or not says_more(plan.question, inquiry):
            return None
        started, reached, whole = self.record.clock(), self._reached(inquiry), None
        text, lang = plan.question, inquiry.question.lang
        with suppress(*INDEX_FAILS):
            # None where it invents a name, or is no clearer.
            spoken = await Spoken.of(inquiry, reached.index, reached.terminology, text)
            if await spoken.covers(text, lang, reached.index):
                whole = await self.read_whole(inquiry, text)
                whole = whole if whole and spoken.tells(whole.asks) else None
        if sought and (whole is None or guiding.is_guided(whole)):
            return None
        self.record.step("router", inquiry, noting.made_whole(whole), started=started)
        if whole is None:
            return None
        found = await self._gathered(whole, guidance)
        return found if self.decider.decided(found).outcome is Outcome.ANSWER else None

    def _left(
        self, inquiry: Inquiry, err: GuardError, tell: Tell, offered: Sequence[str] = ()
    ) -> Inquiry:
        """Leave a part to the rules, of which a model said nothing of use."""
        failure = SourceFailure.of(err, guiding.SOURCE)
        tell(noting.left_to_rules(failure.flags, offered))
        return self.record.unguided(inquiry, failure.flags)

    def _reached(self, inquiry: Inquiry) -> ReachableSources:
        return self.sources(inquiry.question.scope)


def _rather_told_by_documents(asks: Asks, known: Evidence) -> bool:
    """Whether what the vocabulary says of terms is no comparison of them: it defines none."""
    return (
        isinstance(asks, Comparison)
        and not asks.whether
        and not any(match.concept.definitions for match in known.matches)
        and not (isinstance(known, Definitions) and known.names_one)
    )
