"""Answers given before: given again, where the same is asked and nothing they rest on has changed.

The stages of a question that is answered so are passed by: its answer was gathered, judged and
verified when it was made. What it cites is looked at again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.conversation import MOST_REMEMBERED, Conversation
from elysia_guard.domain.document import Document
from elysia_guard.domain.events import AnswerKept, RecallEnded, RecallOutcome
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.origin import OriginState
from elysia_guard.domain.reading import ReadBy
from elysia_guard.domain.refusal import Outcome
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.saved import AnswerPlace, KeptAnswer, KeptSource, may_be_kept
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.gathering import INDEX_FAILS
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.ports import AnswerStore, Clock, Origins, timeout
from elysia_guard.resilience.sharing import Turns, WorkTurn
from elysia_guard.scoping import ReachableSources
from elysia_guard.stages import clarification

STAGE = "cache"


@dataclass(frozen=True, kw_only=True)
class AnswerMemory:
    """What is remembered of answers, and for how long.

    ``lifetimes`` are seconds by mode: an answer that came out in a mode that is not among them is
    not kept, and one that is to be made in such a mode is not looked for. ``configuration`` names
    the settings and the program. ``wait_s`` is how long, by mode, a question waits for the same
    one that is under way.
    """

    store: AnswerStore
    lifetimes: Mapping[str, float]
    configuration: str
    wait_s: Mapping[str, float] = field(default_factory=dict)
    clock: Clock
    turns: Turns[str, KeptAnswer] = field(default_factory=Turns)
    scopes: dict[str, str] = field(default_factory=dict)
    """The index and the vocabulary as they were last, by what they are."""

    async def forget_others(self, scopes: Sequence[str]) -> None:
        """Forget the answers of an index and a vocabulary that were there before, and are not."""
        for scope in scopes:
            what = scope.partition(" ")[0]
            before, self.scopes[what] = self.scopes.get(what, scope), scope
            if before != scope:
                await self.store.forget(before)


@dataclass(frozen=True, kw_only=True)
class AnswerCache:
    """Looks for answers given before, and keeps new ones. Holds no state of any question.

    ``versions`` names what index and vocabulary are now, also beyond the scope of a question, where
    synonyms serve the search; it raises where the index cannot be asked. ``models`` are whoever may
    be asked on the way, each with what it is told.
    """

    memory: AnswerMemory
    sources: Callable[[CollectionScope], ReachableSources]
    versions: Callable[[], Awaitable[tuple[str, str]]]
    origins: Origins
    models: Sequence[str]
    record: Recorder

    async def recalled(
        self, inquiry: Inquiry, mode: str, *, models: Sequence[str] = (), talked: bool = False
    ) -> AnswerPlace | None:
        """Find the answer that was given to the same question, and wait for one under way.

        ``talked`` tells that a language model may be asked, which is told what was said before.

        Returns:
            Where it is kept, or may be; None where no answer to such a question is.
        """
        # Small talk asks for none.
        if mode not in self.memory.lifetimes or inquiry.verdict or inquiry.place:
            return None
        started = self.record.clock()
        try:
            index, vocabulary = await self.versions()
        except INDEX_FAILS:
            return None
        scopes = (f"index {index}", f"vocabulary {vocabulary}")
        made_of = (self.memory.configuration, *scopes, *models, *self.models)
        key = _key(inquiry, mode, made_of, talked=talked)
        await self.memory.forget_others(scopes)
        began = self.memory.clock()
        turn, kept, outcome = await self._taken(inquiry, key, mode)
        waited_s = self.memory.clock() - began
        elapsed_ms = (self.record.clock() - started) * 1000
        self.record.observe(RecallEnded(mode=mode, outcome=outcome, elapsed_ms=elapsed_ms))
        if kept:
            age = inquiry.context.start_time - kept.given_at
            note = noting.given_again(max(0, round(age.total_seconds())), len(kept.sources))
            self.record.step(STAGE, inquiry, note, started=started)
        return AnswerPlace(key=key, scopes=scopes, done=turn.done, waited_s=waited_s, kept=kept)

    async def _taken(
        self, inquiry: Inquiry, key: str, mode: str
    ) -> tuple[WorkTurn[KeptAnswer], KeptAnswer | None, RecallOutcome]:
        """Take a turn at a question: wait for whoever is at it, and where they give up, be next."""
        turns = self.memory.turns
        turn = turns.take(key)
        try:
            async with timeout(self.memory.clock, self.memory.wait_s.get(mode)):
                while turn.told:
                    if kept := await turn.told:
                        return turn, kept, "shared"
                    turn = turns.take(key)
        except TimeoutError:
            turns.give_up(key, turn)
            return turn, None, "miss"
        return turn, *await self._stored(inquiry, turn, key)

    async def _stored(
        self, inquiry: Inquiry, turn: WorkTurn[KeptAnswer], key: str
    ) -> tuple[KeptAnswer | None, RecallOutcome]:
        """Look for the answer in the store; whoever waits for this turn is not left waiting."""
        try:
            kept = await self.memory.store.get(key)
            holds = kept is not None and await self._holds(self._reached(inquiry), kept)
        except BaseException:
            turn.done(None)
            raise
        if kept is None or not holds:
            return None, "miss" if kept is None else "stale"
        turn.done(kept)
        return kept, "hit"

    async def _holds(self, reached: ReachableSources, kept: KeptAnswer) -> bool:
        """Tell whether all that an answer cites is as it was."""
        documents = [each.document for each in kept.sources if each.document]
        uris = [each.id for each in kept.sources if each.document is None]
        try:
            now = dict(await self.origins.documents(documents)) if documents else {}
            now |= await self.origins.concepts(uris) if uris else {}
            if any(each.state is not OriginState.UNCHANGED for each in now.values()):
                return False
            return await _sources(reached, documents, uris) == kept.sources
        except INDEX_FAILS:
            return False

    async def keep(
        self,
        place: AnswerPlace,
        inquiry: Inquiry,
        reply: RAGResponse,
        cited: Sequence[Sequence[Document | Concept]],
    ) -> None:
        """Keep a reply, where it is an answer that may be; give it to those who wait for it.

        ``cited`` is what each part of it cites.
        """
        aftermath = Conversation()
        clarification.remember(inquiry, aftermath, reply.suggestions)
        verdicts = (
            replace(part.decided(), support=(), ranking=(), mentioned=()) for part in inquiry.every
        )
        kept = KeptAnswer(
            response=replace(reply, trace=()),
            verdicts=tuple(verdicts),
            given_at=inquiry.context.start_time,
            aftermath=aftermath,
        )
        ttl_s = self.memory.lifetimes.get(reply.mode, 0.0)
        answered = all(part.decided().outcome is Outcome.ANSWER for part in inquiry.every)
        try:
            if not (ttl_s and answered and may_be_kept(reply) and all(cited)):
                return
            every = {_id(each): each for part in cited for each in part}.values()
            documents = [each for each in every if isinstance(each, Document)]
            uris = [each.uri for each in every if isinstance(each, Concept)]
            sources = await _sources(self._reached(inquiry), documents, uris)
            kept = replace(kept, sources=sources)
            await self.memory.store.put(place.key, kept, ttl_s=ttl_s, scopes=place.scopes)
            self.record.observe(AnswerKept(mode=reply.mode))
        except INDEX_FAILS:
            return
        finally:
            place.done(kept)

    def _reached(self, inquiry: Inquiry) -> ReachableSources:
        return self.sources(inquiry.question.scope)


async def _sources(
    reached: ReachableSources, documents: Sequence[Document], uris: Sequence[str]
) -> tuple[KeptSource, ...]:
    """Take down what index and vocabulary give for documents and concepts."""
    found = {each.uri: each for each in await reached.terminology.concepts(uris)}
    concepts = (KeptSource(id=uri, digest=_digest(repr(found.get(uri)))) for uri in uris)
    kept = list(concepts)
    for each in documents:
        passages = await reached.index.passages(each.id)
        digest = _digest(*(f"{item.altered} {item.in_context}" for item in passages))
        kept.append(KeptSource(id=each.id, digest=digest, document=each))
    return tuple(kept)


def told_again(inquiry: Inquiry, kept: KeptAnswer) -> RAGResponse:
    """Give an answer to another question than it was made for: the same, asked by another request.

    The conversation goes on as after any answer.
    """
    talk, after = inquiry.conversation, kept.aftermath
    talk.question_back, talk.ways_on = after.question_back, after.ways_on
    talk.settled.update(after.settled)
    talk.focus = (*talk.focus, *after.focus)[-MOST_REMEMBERED:]
    for flag in kept.response.retrieval_quality.fallback_reasons:
        inquiry.context.add_fallback(flag)
    return replace(
        kept.response,
        request_id=inquiry.question.request_id,
        route=inquiry.route,
        trace=tuple(inquiry.trace),
    )


def _key(inquiry: Inquiry, mode: str, made_of: Sequence[str], *, talked: bool) -> str:
    """Name all that an answer depends on."""
    question, scope = inquiry.question, inquiry.question.scope
    readings = [repr(replace(part.part, reason="")) for part in inquiry.every]
    texts = [part.question.text for part in inquiry.every]
    rests = talked or inquiry.about or texts != [question.asked]
    rests = rests or any(part.part.read_by is ReadBy.CONVERSATION for part in inquiry.every)
    focus = repr(inquiry.conversation.focus) if rests else ""
    reach = repr((scope.kinds, scope.vocabulary, scope.asked))
    return _digest(
        mode, question.lang, reach, inquiry.about, focus, *made_of, "", *texts, *readings
    )


def _digest(*parts: str) -> str:
    found = hashlib.sha256()
    for part in parts:
        said = part.encode("utf-8", "surrogatepass")
        # With its length before it, no two lists of texts are written the same.
        found.update(len(said).to_bytes(8, "big") + said)
    return found.hexdigest()


def _id(of: Document | Concept) -> str:
    return of.uri if isinstance(of, Concept) else of.id
