"""The writing stage: a model writes, and what it wrote points at sentences of the sources.

Where it stands there is looked for, and what stands there is shown: never a word of the model.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.errors import SourceTimeoutError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.manuscript import Manuscript, Pointer, Written
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import RECORDED, Aspect
from elysia_guard.domain.reading import Comparison, Named, Search, topic_of
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.language.coverage import asked_of
from elysia_guard.language.pack import SPOKEN_FIRST, langs
from elysia_guard.language.sentences import units
from elysia_guard.language.stems import content_words
from elysia_guard.language.text import clean
from elysia_guard.ports import Clock, Planner, Writer, timeout_at

SOURCE = "writer"
MOST_PASSAGES = 12
MAX_CHARS = 7_000
"""Characters of all that is told, which makes about 2,000 tokens beside the task."""
ALIKE = 0.6
"""The least that a sentence and its place have in common; see ``_likeness``."""
Place = tuple[Passage, str]
"""A sentence, an item or a row of a passage, as it stands there."""
Said = TypeVar("Said")
_MARKS = re.compile(r"\[[^\[\]]*\d[^\[\]]*\]")


@dataclass(frozen=True, kw_only=True)
class AnswerGenerator:
    """Who writes, what they are told, and how long it may take.

    In mode ``thinking`` the ``planner`` takes a question apart. ``deadline_s`` is for all calls of
    an answer together, ``thinking_s`` for those of mode ``thinking``, in seconds of ``clock``.
    ``max_chars`` bounds all sources.
    """

    writer: Writer
    planner: Planner | None = None
    mode: Mode = Mode.AUTO
    deadline_s: float = 8.0
    thinking_s: float = 25.0
    max_chars: int = MAX_CHARS
    clock: Clock = time.monotonic
    began: float = 0.0
    """When the answer was begun that is written."""

    def begun(self, waited_s: float) -> AnswerGenerator:
        """Return who writes one answer, which was waited for so many seconds: its time runs."""
        return replace(self, began=self.clock() - waited_s)

    async def planned(self, inquiry: Inquiry) -> Sequence[str]:
        """Return what else to search for, to answer a question.

        Raises:
            SourceUnavailableError: nothing of use was said in time.
        """
        planner, question = self.planner, inquiry.question
        if planner is None:
            return ()
        return await self._in_time(inquiry, lambda: planner(question.text, lang=question.lang))

    async def written(self, inquiry: Inquiry) -> Manuscript:
        """Have an answer written, and look up what it points at.

        Raises:
            SourceUnavailableError: nobody wrote anything of use in time.
        """
        question, passages = inquiry.question, told_of(inquiry, max_chars=self.max_chars)

        async def write() -> Written:
            inquiry.progress("writing")
            return await self.writer(question.text, passages, lang=question.lang)

        return self._manuscript(await self._in_time(inquiry, write), passages)

    async def _in_time(self, inquiry: Inquiry, work: Callable[[], Awaitable[Said]]) -> Said:
        """Await what a model says, until the answer to a question has to be there."""
        thinks = (inquiry.mode or self.mode) is Mode.THINKING
        ends = self.began + (self.thinking_s if thinks else self.deadline_s)
        late = SourceTimeoutError("the answer was not written in time", source=SOURCE)
        if self.clock() >= ends:
            raise late
        try:
            async with timeout_at(self.clock, ends):
                return await work()
        except TimeoutError as err:
            raise late from err

    def _manuscript(self, written: Written, passages: tuple[Passage, ...]) -> Manuscript:
        found = [place for each in written.pointers for place in located(each, passages)]
        places = [place for place in found if place]
        return Manuscript(
            answers=written.answers,
            sources=len(passages),
            chosen=tuple(dict.fromkeys(places)),
            total=len(found),
            located=len(places),
            written_by=self.writer.model_id,
        )


# What a writer is told: what passed the gates, of questions that passages answer


def is_written(inquiry: Inquiry) -> bool:
    """Tell whether an answer is for a model to write: passages answer, and no record or list."""
    evidence = inquiry.evidence
    defined = evidence.matches or evidence.explained
    return may_be_written(inquiry) and not defined and bool(evidence.hits)


def may_be_written(inquiry: Inquiry) -> bool:
    """Tell, before anything is found, whether an answer may come to be for a model to write.

    Of named documents it is what several say, why one says it, or what it says of a matter; a
    field of theirs and a whole document are quoted.
    """
    asks = inquiry.asks
    if isinstance(asks, Named):
        several = len(asks.references) > 1
        said = bool(asks.matter) or several or asks.aspect is Aspect.CONTEXT
        return said and asks.aspect not in RECORDED
    return isinstance(asks, Search | Comparison)


def told_of(inquiry: Inquiry, *, max_chars: int = MAX_CHARS) -> tuple[Passage, ...]:
    """Choose what a writer is told: what passed the gates, the likeliest of each document first.

    Then come what those documents state, and what else of them passed. The first is told however
    long it is, and what does not fit any more leaves room for what does.
    """
    first, further = _one_of_each_first(_passed(inquiry))
    named = {hit.passage.document.id for hit in first}
    stating = [
        hit
        for hit in inquiry.evidence.hits
        if hit.passage.role == SectionRole.SUBSTANCE and hit.passage.document.id in named
    ]
    return _fitting([*first, *stating, *further], max_chars)


def _fitting(hits: Sequence[Hit], max_chars: int) -> tuple[Passage, ...]:
    """Take the passages that fit, in their order."""
    chosen: list[Passage] = []
    left = max_chars
    for hit in hits:
        length = len(hit.passage.text)
        if hit.passage not in chosen and (length <= left or not chosen):
            left -= length
            chosen.append(hit.passage)
    return tuple(chosen[:MOST_PASSAGES])


def passing(verdict: Verdict) -> Sequence[Hit]:
    """Return the hits that passed every gate, where those let an answer through at all."""
    return verdict.support if verdict.outcome is Outcome.ANSWER else ()


def widened(inquiry: Inquiry, more: Sequence[Hit]) -> Inquiry:
    """Return a copy of an inquiry with further hits, which passed the gates for a part of it."""
    verdict, evidence = inquiry.decided(), inquiry.evidence
    known = {hit.passage.id for hit in evidence.hits}
    new = tuple({hit.passage.id: hit for hit in more if hit.passage.id not in known}.values())
    own = verdict.support or tuple(_passed(inquiry))
    through = {hit.passage.id for hit in own}
    found = tuple(hit for hit in more if hit.passage.id not in through)
    support = (*own, *{hit.passage.id: hit for hit in found}.values())
    ranking = (*(verdict.ranking or own), *new)
    return replace(
        inquiry,
        evidence=replace(evidence, hits=(*evidence.hits, *new)),
        verdict=replace(verdict, support=support, ranking=ranking),
    )


def _passed(inquiry: Inquiry) -> Sequence[Hit]:
    """Return the hits of the documents that passed the gates, the best first."""
    verdict, evidence = inquiry.decided(), inquiry.evidence
    if verdict.support:
        documents = {hit.passage.document.id for hit in verdict.support}
        ranking = verdict.ranking or verdict.support
        return [hit for hit in ranking if hit.passage.document.id in documents]
    terms = asked_of(evidence, topic_of(inquiry.asks), inquiry.question.lang)
    states = SectionRole.SUBSTANCE
    return sorted(
        evidence.hits,
        key=lambda hit: (-terms.coverage_by(hit.passage), hit.passage.role != states),
    )


def _one_of_each_first(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """Part the likeliest hit of each document from the others."""
    first = {hit.passage.document.id: hit for hit in reversed(hits)}
    leading = [hit for hit in hits if first[hit.passage.document.id] is hit]
    return leading, [hit for hit in hits if hit not in leading]


# Where in the sources a sentence of a model stands


def located(pointer: Pointer, told: Sequence[Passage]) -> list[Place | None]:
    """Return where each sentence stands of what was written as one; None for nowhere.

    It is looked for in the sources that are named, or else in all of those told. Whatever goes
    wrong meanwhile, it is not located then.
    """
    named = [told[n - 1] for n in pointer.sources if 1 <= n <= len(told)]
    try:
        parts = units(_MARKS.sub(" ", pointer.text)) or (pointer.text,)
        return [_nearest(part, named) or _nearest(part, told) for part in parts]
    except Exception:  # noqa: BLE001  (no word of a model may cost anybody the answer)
        return [None]


def _nearest(text: str, passages: Sequence[Passage]) -> Place | None:
    """The place that has most in common with a text; the first of those that are alike."""
    rated = [(_likeness(text, place), place) for place in _places(passages)]
    likeness, place = max(rated, key=lambda item: item[0], default=(0.0, None))
    return place if likeness >= ALIKE else None


def _places(passages: Sequence[Passage]) -> Iterator[Place]:
    for passage in passages:
        for unit in units(passage.text, passage.document.lang):
            if not unit.endswith("?"):
                yield passage, unit


def _likeness(text: str, place: Place) -> float:
    """How much of both texts is the same words, 0 to 1; the document's own name counts for none."""
    passage, unit = place
    said, there = _words(text, passage), _words(unit, passage)
    named = _words(f"{passage.document.identifier} {passage.document.title}", passage)
    said -= named - there
    return 2 * len(said & there) / (len(said) + len(there)) if said and there else 0.0


def _words(text: str, passage: Passage) -> set[str]:
    """The words of a text that carry content, whatever their case, marks and signs."""
    plain, own = unicodedata.normalize("NFKC", clean(text)), passage.document.lang
    return set(content_words(plain, own if own in langs() else SPOKEN_FIRST))
