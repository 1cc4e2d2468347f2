"""The guiding stage: a model plans what else is searched, and points at the units that answer.

What it says is held against what there is: documents by their place in the catalogue, units by
their number. It adds to what the rules found, and no word of it is shown.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from elysia_guard.domain.document import Document, Filters, Hit
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.pointing import MAX_UNIT_CHARS, Plan, Pointed, PointedVerdict
from elysia_guard.domain.question import RECORDED, Lang
from elysia_guard.domain.reading import Comparison, Definition, Named, Search, Unclear
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.identify import identify
from elysia_guard.ports import Clock, Embedder, Guide, PassageIndex, TerminologySource, timeout_at
from elysia_guard.stages.guiding.told import is_related, texts_of, told_documents, told_units
from elysia_guard.stages.guiding.whole import talk

SOURCE = "llm"
ONE_CALL = 0.95
"""The share of the time that is left for an answer which a call for it may take."""
MOST_TITLES = 300
"""Documents whose titles are told; of more, the ``LIKELIEST`` by the index."""
LIKELIEST = 150
MOST_SEARCHES, MOST_PLANNED = 3, 4
MAX_CHARS = 12_000
"""Characters of all units that are told, some 3,000 tokens."""
NEAREST = 40
"""Passages that are found for each wording."""
MOST_DEFINED = 4
SPOKEN = 0.1
"""The share of the documents whose language is one of the main ones."""
MAIN_LANGS = 3
Said = TypeVar("Said")


class Planned(NamedTuple):
    """What a plan comes to: documents that may tell, and what else was found."""

    question: str = ""
    """The question as a model makes it whole."""
    documents: tuple[Document, ...] = ()
    searches: tuple[str, ...] = ()
    hits: tuple[tuple[Hit, ...], ...] = ()
    """Of each search the hits, the nearest first."""
    terms: tuple[str, ...] = ()
    """What a vocabulary may define."""
    tools: tuple[str, ...] = ()
    """Of the tools that were offered those that may tell, the likeliest first."""
    unknown_tools: int = 0
    """How many others were named."""

    def beside(self, evidence: Evidence, pointed: Pointed) -> Evidence:
        """Return the evidence with what a model points at, and what its plan found besides.

        Where it points at nothing, the evidence of the rules stays theirs.
        """
        if not pointed.answers:
            return replace(evidence, pointed=pointed)
        known = {hit.passage.id for hit in evidence.hits}
        found = {hit.passage.id: hit for hits in self.hits for hit in hits}
        found |= {
            each.id: found.get(each.id, Hit(passage=each, score=0.0)) for each in pointed.passages
        }
        more = (hit for name, hit in found.items() if name not in known)
        return replace(evidence, hits=(*evidence.hits, *more), pointed=pointed)


def is_guided(inquiry: Inquiry) -> bool:
    """Tell whether a model may be asked: passages answer, and no term, identity, field or list."""
    asks = inquiry.asks
    if isinstance(asks, Named):
        return bool(asks.matter) and asks.aspect not in RECORDED
    return isinstance(asks, Search | Comparison)


def may_be_whole(inquiry: Inquiry) -> bool:
    """Tell whether a model may make a question whole that rules ask back: in a conversation."""
    spoken = bool(inquiry.conversation.focus) and not inquiry.further
    return spoken and isinstance(inquiry.asks, Unclear | Named | Definition | Search)


def is_of_named(inquiry: Inquiry) -> bool:
    """Tell whether documents are named by their numbers: then a model is told of no others."""
    return isinstance(inquiry.asks, Named) and not inquiry.matter_is_sought


def is_planned(inquiry: Inquiry) -> bool:
    """Tell whether a model that is asked plans first: it is told what was said before."""
    return is_guided(inquiry) and not is_of_named(inquiry)


@dataclass(frozen=True, kw_only=True)
class Guidance:
    """A model that is asked, how, and how long it may take.

    ``deadline_s`` is for both calls of an answer together, ``thinking_s`` in mode ``thinking``, in
    seconds of ``clock``. ``max_chars`` bounds the units that are told.
    """

    guide: Guide
    mode: Mode = Mode.AUTO
    deadline_s: float = 10.0
    thinking_s: float = 25.0
    max_chars: int = MAX_CHARS
    clock: Clock = time.monotonic
    ends: float = math.inf
    """When all has to be said of the question that is asked."""
    typed: str = ""
    """That question as it was typed, where it can be understood alone and asks one thing."""
    several: bool = False
    """Whether it asks several things: each is planned for in its own words."""
    planned: Planned | None = None
    """What was planned for it already, while it was made whole."""

    def resolves(self, inquiry: Inquiry) -> bool:
        """Tell whether the model is asked what a part means that rules would ask back."""
        asked = self.planned or inquiry.unguided or inquiry.evidence.pointed
        if asked or self.several or (inquiry.mode or self.mode) is Mode.INSTANT:
            return False
        return may_be_whole(inquiry)

    def asks(self, inquiry: Inquiry) -> bool:
        """Tell whether the model is asked about a part."""
        return (inquiry.mode or self.mode) is not Mode.INSTANT and is_guided(inquiry)

    def as_one(self, inquiry: Inquiry) -> Inquiry | None:
        """Return a question of several searches as one: a model reads it whole; None for others."""
        parts = inquiry.every
        if len(parts) == 1 or not all(isinstance(each.asks, Search) for each in parts):
            return None
        if not all(self.asks(each) for each in parts):
            return None
        question = replace(inquiry.question, text=inquiry.question.asked)
        part = replace(inquiry.part, asks=Search(topic=question.text), text=question.text)
        return replace(inquiry, question=question, part=part, further=())

    def begun(self, inquiry: Inquiry) -> Guidance:
        """Return who is asked about one question: its time runs, since it was waited for."""
        waited_s = inquiry.place.waited_s if inquiry.place else 0.0
        within_s = self.thinking_s if self.thinks(inquiry) else self.deadline_s
        ends, several = self.clock() - waited_s + within_s, bool(inquiry.further)
        alone = not (several or inquiry.conversation.focus)
        typed = inquiry.question.asked if alone else ""
        return replace(self, ends=ends, typed=typed, several=several)

    def thinks(self, inquiry: Inquiry) -> bool:
        """Tell whether an answer may take longer, and a second look."""
        return (inquiry.mode or self.mode) is Mode.THINKING

    async def plan(self, inquiry: Inquiry, index: PassageIndex, embedder: Embedder) -> Planned:
        """Ask what to search for, and search for it.

        Raises:
            SourceUnavailableError: the model said nothing of use in time, or the index is down.
        """
        question = inquiry.question
        known = await index.documents(Filters())
        told = list(known)
        if len(told) > MOST_TITLES:
            hits = await _found(index, embedder, question.text, question.lang, limit=4 * LIKELIEST)
            near = {hit.passage.document.id: hit.passage.document for hit in hits}
            told = list(near.values())[:LIKELIEST]
        inquiry.progress("planning")
        plan = await self._in_time(
            lambda within_s: self.guide.plan(
                question.text if self.several else question.asked,
                told,
                talk=talk(inquiry),
                langs=_main_langs(known),
                tools=inquiry.tools,
                within_s=within_s,
            ),
        )
        documents = dict.fromkeys(told[at] for at in plan.documents if 0 <= at < len(told))
        searches = _worth_asking(plan, question.text)
        inquiry.progress("searching")
        found = [await _found(index, embedder, each, question.lang) for each in searches]
        offered = {each.name for each in inquiry.tools}
        tools = tuple(each for each in dict.fromkeys(plan.tools) if each in offered)
        return Planned(
            question=plan.question,
            documents=tuple(documents)[:MOST_PLANNED],
            searches=searches,
            hits=tuple(found),
            terms=plan.terms,
            tools=tools,
            unknown_tools=len(set(plan.tools) - offered),
        )

    async def point(
        self,
        inquiry: Inquiry,
        index: PassageIndex,
        vocabulary: TerminologySource,
        planned: Planned,
        ranking: Sequence[Hit],
        *,
        beyond: Collection[Document] = (),
    ) -> Pointed:
        """Ask which units of the planned and of the nearest documents answer.

        ``ranking`` are the hits of the rules, the likeliest to answer first; of the documents
        ``beyond`` which it looks, nothing is told.

        Raises:
            SourceUnavailableError: the model said nothing of use in time, or the index is down.
        """
        question, evidence = inquiry.question, inquiry.evidence
        lists = [ranking or evidence.hits, *planned.hits]
        of_them = evidence.documents if is_of_named(inquiry) else ()
        documents = of_them or told_documents(planned.documents, lists, beyond)
        first = {item.id for item in of_them or planned.documents}
        passages = await texts_of(index, documents, first)
        words = " ".join((question.text, *planned.searches))
        asked = self.typed or planned.question or question.text
        units = told_units(passages, lists, words, question.lang, self.max_chars)
        if not units:
            return Pointed(verdict=PointedVerdict.NO, by=self.guide.model_id)
        inquiry.progress("pointing")
        told = ". ".join((words, *planned.terms))
        defined = await _definitions(vocabulary, told, question.lang)
        said = await self._in_time(
            lambda within_s: self.guide.point(asked, units, defined=defined, within_s=within_s)
        )
        named = dict.fromkeys(said.units)
        known = [units[n - 1] for n in named if 1 <= n <= len(units)]
        related = [unit for unit in known if is_related(unit, words, evidence, question.lang)]
        silent = {item.id for item in of_them} - {unit.passage.document.id for unit in related}
        return Pointed(
            verdict=said.verdict,
            # Where several documents are named, rules tell what each says.
            units=() if silent and len(of_them) > 1 else tuple(related),
            told=len(units),
            unknown=len(named) - len(known),
            unrelated=len(known) - len(related),
            documents=tuple(documents),
            by=self.guide.model_id,
        )

    async def _in_time(self, ask: Callable[[float], Awaitable[Said]]) -> Said:
        """Ask within the time that is left; a little less, so that its breaker hears of it."""
        late = SourceTimeoutError("the language model did not answer in time", source=SOURCE)
        left = self.ends - self.clock()
        if left <= 0:
            raise late
        try:
            async with timeout_at(self.clock, self.ends):
                return await ask(ONE_CALL * left)
        except TimeoutError as err:
            raise late from err


async def _definitions(source: TerminologySource, text: str, lang: Lang) -> Mapping[str, str]:
    """Return the definitions of terms that stand in a text, by their labels; a few at most.

    Where the vocabulary cannot be asked, none: they only help to read.
    """
    found: dict[str, str] = {}
    with suppress(SourceUnavailableError):
        labels = [group[0] for group in await source.synonyms(text, lang=lang)]
        for label in labels[:MOST_DEFINED]:
            for match in await source.lookup(label, lang=lang):
                if texts := match.concept.definitions:
                    told = next((each for each in texts if each.lang == lang), texts[0])
                    found.setdefault(match.label.value, told.value[:MAX_UNIT_CHARS])
    return found


def _main_langs(documents: Sequence[Document]) -> tuple[Lang, ...]:
    """The languages that a good share of the documents is in, the commonest first."""
    counted = Counter(item.lang for item in documents if item.lang)
    main = [lang for lang, n in counted.most_common(MAIN_LANGS) if n >= SPOKEN * len(documents)]
    return tuple(main)


def _worth_asking(plan: Plan, asked: str) -> tuple[str, ...]:
    """The wordings of a plan that say something else than the question, each once."""
    texts = dict.fromkeys(" ".join(each.split()) for each in (plan.question, *plan.searches))
    return tuple(each for each in texts if each and each != asked)[:MOST_SEARCHES]


async def _found(
    index: PassageIndex, embedder: Embedder, text: str, lang: Lang, *, limit: int = NEAREST
) -> tuple[Hit, ...]:
    """Search for a wording; by words alone where there is no model of vectors."""
    spoken = identify(text, default=lang)
    try:
        vector = await embedder.embed_question(text, kinds=())
    except SourceUnavailableError:
        vector = None
    words = query_terms(text, spoken).expansion or text
    return tuple(await index.search(words, vector, filters=Filters(), limit=limit))
