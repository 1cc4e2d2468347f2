"""The way from a text to its reading, in one place.

Deterministic: the same question in the same conversation over the same vocabulary and catalogue is
read the same, on every route.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Question, Reference
from elysia_guard.domain.reading import Listing, Named, Part, ReadBy, Reading, Search, Unclear
from elysia_guard.language.preamble import without_portion
from elysia_guard.language.small_talk import small_talk
from elysia_guard.language.stems import content_words
from elysia_guard.ports import PassageIndex, TerminologySource, WordLikeness, by_form_alone
from elysia_guard.reading import choice_parsing, followups
from elysia_guard.reading.asked_beyond import meaning_alone
from elysia_guard.reading.by_mention import by_mention, reached
from elysia_guard.reading.catalogue import by_title, of_one_kind, told_apart
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.intents import Wordings
from elysia_guard.reading.links import linked
from elysia_guard.reading.of_terms import asked_of_term
from elysia_guard.reading.part_texts import split
from elysia_guard.reading.spans import Span
from elysia_guard.reading.spelling_correction import Mended, SpellingCorrector
from elysia_guard.reading.spotting import Spotting

MOST_BARE = 3
"""Words of content of what says nothing by itself: 'who signed it', 'and the other one?'."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """Reads questions; holds no state of any.

    ``spotting`` knows what vocabulary and catalogue hold, ``wordings`` what is asked where no form
    says so, ``mender`` which words are mistyped.
    """

    spotting: Spotting = field(default_factory=Spotting)
    wordings: Wordings = field(default_factory=Wordings)
    mender: SpellingCorrector = field(default_factory=SpellingCorrector)
    alike: WordLikeness = by_form_alone

    async def mended(
        self,
        question: Question,
        *,
        vocabulary: TerminologySource,
        catalogue: PassageIndex,
    ) -> Mended:
        """Return what a question says with its mistyped words replaced, as far as it may reach."""
        spotter = await self.spotting.spotter(vocabulary, catalogue, question.scope)
        return await self.mender.mended(question, known=spotter.knows, index=catalogue)

    async def read(
        self,
        question: Question,
        *,
        vocabulary: TerminologySource,
        catalogue: PassageIndex,
        conversation: Conversation,
    ) -> Reading:
        """Return what a question asks, complete: no stage parses its text again."""
        if picked := choice_parsing.resume(question.text, conversation.question_back):
            lang = conversation.question_back.lang if conversation.question_back else question.lang
            return Reading(whole=question.text, parts=(picked,), lang=lang)
        known = _Known(
            spotting=self.spotting, vocabulary=vocabulary, catalogue=catalogue, alike=self.alike
        )
        way_on = _picked_way(question, conversation)
        whole = way_on or await _understood(question, known, conversation)
        if isinstance(whole, Unclear):
            part = Part(asks=whole, text=question.text, reason="what it refers to is not known")
            return Reading(whole=question.text, parts=(part,), lang=question.lang)
        if asks := whole.asks:
            scope = question.scope
            if isinstance(asks, Listing):
                asks = reached(asks, scope)
            elif isinstance(asks, Search):
                asks = replace(asks, kinds=scope.reached(asks.kinds))
            part = Part(
                asks=asks, text=whole.text, reason=whole.reason, read_by=ReadBy.CONVERSATION
            )
            part = choice_parsing.settle(part, conversation)
            return Reading(whole=whole.text, parts=(part,), lang=whole.lang, about=whole.about)
        asked = replace(question, text=whole.text, lang=whole.lang)
        spans = await known.spans(asked)
        is_whole = asked_of_term(asked, spans) is not None
        texts = (asked.text,) if is_whole else split(asked.text, lang=asked.lang, spans=spans)
        parts = [await self._part(replace(asked, text=text), known) for text in texts]
        if whole.reason:
            parts = [replace(part, reason=f"{whole.reason}; {part.reason}") for part in parts]
        settled = tuple(choice_parsing.settle(part, conversation) for part in parts)
        return Reading(whole=asked.text, parts=settled, lang=asked.lang, about=whole.about)

    async def _part(self, question: Question, known: _Known) -> Part:
        text, portion = without_portion(question.text)
        if portion > 1:
            whole = await self._part(replace(question, text=text), known)
            if isinstance(whole.asks, Named) and not whole.asks.matter:
                return replace(whole, asks=replace(whole.asks, part=portion))
        spans = await known.spans(question)
        documents = known.documents(question)
        if listed := linked(question, spans, documents):
            reason = "it asks for documents by their link with one that is named"
            return Part(asks=reached(listed, question.scope), text=question.text, reason=reason)
        if asks := asked_of_term(question, spans):
            return Part(
                asks=asks, text=question.text, reason="it has a form of what asks of a term"
            )
        if part := by_mention(question, spans, documents):
            part = of_one_kind(question, part, spans, documents)
            return told_apart(question, part, spans, documents)
        part = read_form(question, spans)
        part = by_title(question, part, spans)
        part = await self.wordings.read(question, part, spans)
        part = told_apart(question, part, spans, documents)
        return meaning_alone(part, question.lang)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Known:
    """What is known of vocabulary and catalogue, as far as a question may reach."""

    spotting: Spotting
    vocabulary: TerminologySource
    catalogue: PassageIndex
    alike: WordLikeness

    spotted: dict[str, tuple[Span, ...]] = field(default_factory=dict)

    async def spans(self, question: Question) -> tuple[Span, ...]:
        if question.text not in self.spotted:
            self.spotted[question.text] = await self.spotting.spans(
                question, vocabulary=self.vocabulary, catalogue=self.catalogue
            )
        return self.spotted[question.text]

    def documents(self, question: Question) -> Sequence[Document]:
        return self.spotting.documents(question.scope)


def _picked_way(question: Question, conversation: Conversation) -> followups.Whole | None:
    """Return the question that a message picks from the ways on that were proposed, if any."""
    taken = choice_parsing.way_on(question.text, conversation)
    if not taken:
        return None
    lang = conversation.ways_on.lang if conversation.ways_on else question.lang
    return followups.Whole(text=taken, lang=lang, reason=f"it picks '{taken}'")


async def _understood(
    question: Question, known: _Known, conversation: Conversation
) -> followups.Whole | Unclear:
    """Make a message whole; what refers to nothing is unclear, unless it says enough by itself."""
    found = await _whole(question, known, conversation)
    is_picked = not isinstance(found, Unclear) and found.refers
    if not is_picked and choice_parsing.names_only_a_place(question.text):
        return Unclear(word=question.text, picks=True)
    if not isinstance(found, Unclear) or conversation.focus or found.candidates:
        return found
    alone = _says_something(question, await known.spans(question))
    return followups.Whole(text=question.text, lang=question.lang) if alone else found


def _says_something(question: Question, spans: Sequence[Span]) -> bool:
    """Whether a question can be understood by itself, though a word in it may refer back."""
    if by_mention(question, spans) or not isinstance(read_form(question, spans).asks, Search):
        return True
    return len(content_words(question.text, question.lang)) > MOST_BARE


async def _whole(
    question: Question, known: _Known, conversation: Conversation
) -> followups.Whole | Unclear:
    """Resolve the words of a question that refer to what was said before."""
    spans = await known.spans(question)
    said = len(content_words(question.text, question.lang))
    named = sum(isinstance(span.means, Reference) for span in spans)
    known_as = [span for span in spans if not question.text[span.start : span.end].isdecimal()]
    alone = named > 1 or (not conversation.focus and (bool(known_as) or said > MOST_BARE))
    if alone or small_talk(question.text):
        return followups.Whole(text=question.text, lang=question.lang)
    subjects = [
        followups.Subject(
            start=span.start,
            end=span.end,
            reference=span.means if isinstance(span.means, Reference) else None,
        )
        for span in spans
    ]
    documents = known.documents(question)
    found = followups.resolve(
        question.text,
        lang=question.lang,
        conversation=conversation,
        documents=documents,
        subjects=subjects,
    )
    if not isinstance(found, followups.Candidates):
        return found
    if not found.refers:
        read = by_mention(question, spans, documents) or read_form(question, spans)
        if not isinstance(read.asks, Search | Named):
            return found.alone
    return await followups.chosen(
        found, vocabulary=known.vocabulary, catalogue=known.catalogue, alike=known.alike
    )
