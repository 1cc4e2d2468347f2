"""A question as it comes in: cleaned, its language recognised, and read once and for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from elysia_guard.domain.context import RequestContext
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.events import RequestStarted
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.reading import concerns_one
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.language.identify import identify
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Note, Recorder
from elysia_guard.ports import ReadingModel
from elysia_guard.reading import Reader, modelled
from elysia_guard.scoping import ReachableSources
from elysia_guard.stages import intake


@dataclass(frozen=True, kw_only=True)
class Receiver:
    """Makes inquiries of texts. Holds no state of any question.

    ``sources`` are those that a scope opens. A language that cannot be told is the
    ``default_lang``.
    """

    reader: Reader
    sources: Callable[[CollectionScope], ReachableSources]
    record: Recorder
    default_lang: Lang
    max_chars: int

    def check(self, text: str) -> str:
        """Return a question as it can be asked; see ``intake.check``."""
        return intake.check(text, max_chars=self.max_chars)

    async def received(
        self,
        text: str,
        context: RequestContext,
        *,
        scope: CollectionScope,
        conversation: Conversation,
        mode: Mode | None,
    ) -> Inquiry:
        """Return the inquiry that a text makes, with one more for each further part.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        started = self.record.clock()
        asked = self.check(text)
        focus = conversation.focus
        lang = identify(asked, default=focus[-1].lang if focus else self.default_lang)
        question = Question(text=asked, lang=lang, request_id=context.request_id, scope=scope)
        found = self.sources(scope)
        mended = await self.reader.mended(
            question, vocabulary=found.terminology, catalogue=found.index
        )
        if mended.words:
            question = replace(question, text=mended.text, lang=mended.lang)
        reading = await self.reader.read(
            question,
            vocabulary=found.terminology,
            catalogue=found.index,
            conversation=conversation,
        )
        context.route = "direct" if concerns_one(reading.parts, scope) else "tree"
        elapsed_ms = context.elapsed_ms
        self.record.observe(RequestStarted(route=context.route, query=text, elapsed_ms=elapsed_ms))
        whole = replace(question, text=reading.whole, lang=reading.lang, typed=asked)
        inquiry, *further = (
            Inquiry(
                question=whole if len(reading.parts) == 1 else replace(whole, text=part.text),
                part=part,
                context=context,
                conversation=conversation,
                mode=mode,
            )
            for part in reading.parts
        )
        for other in further:
            other.trace = inquiry.trace
        if mended.words:
            note = Note(mended.told, remarks=noting.spelling(mended.words))
            self.record.step("spelling", inquiry, note, started=started)
        inquiry.further, inquiry.about = tuple(further), reading.about
        for each in inquiry.every:
            told = noting.reading(each, question.text, parts=len(reading.parts))
            note = Note(f"{each.asks.kind}: {each.part.reason}", remarks=told)
            self.record.step("router", inquiry, note, started=started)
        return inquiry

    def turned_away(self, text: str, error: QuestionError, context: RequestContext) -> Inquiry:
        """Return an inquiry that ends in a refusal, for a text that cannot be asked."""
        self.record.observe(RequestStarted(route=context.route, query=text))
        return intake.turned_away(
            text, error, context, max_chars=self.max_chars, default=self.default_lang
        )

    async def consulted(self, inquiry: Inquiry, model: ReadingModel) -> None:
        """Ask a language model which meaning a question in doubt may ask for.

        Raises:
            SourceUnavailableError: it said nothing of use; the question stays as it was read.
        """
        question, part = inquiry.question, inquiry.part
        found = self.sources(question.scope)
        spans = await self.reader.spotting.spans(
            question, vocabulary=found.terminology, catalogue=found.index
        )
        terms = modelled.terms_of(part, spans)
        prompt = modelled.prompt_of(question, terms, spans, inquiry.conversation)
        if not (terms and prompt):
            return
        with self.record.stage("reading", inquiry) as note:
            inquiry.part = await modelled.proposed(model, part, terms, prompt)
            perhaps = inquiry.part.perhaps
            said = f"it may ask what '{perhaps}' means" if perhaps else "it asks for no meaning"
            note(said, remarks=noting.proposed(perhaps))
