"""A text as it comes in: cleaned, its language recognised, and read once; or turned away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from elysia_guard.domain.context import RequestContext
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.events import RequestStarted
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.reading import Definition, Named, Part, SmallTalk, Unclear, concerns_one
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import TraceStep
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.language.catalogue import languages, say
from elysia_guard.language.identify import identify
from elysia_guard.language.text import clean, without_opening_marks
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Recorder
from elysia_guard.reading import Reader
from elysia_guard.scoping import ReachableSources


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
        """Return a question cleaned of control characters.

        Raises:
            QuestionError: it is empty, too long, or holds no words.
        """
        if len(text) > self.max_chars:
            raise QuestionError("too_long", length=len(text), limit=self.max_chars)
        cleaned = clean(text)
        if not cleaned:
            raise QuestionError("empty")
        if not any(char.isalnum() for char in cleaned):
            raise QuestionError("no_words")
        return cleaned

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
        question = Question(
            text=without_opening_marks(asked), lang=lang, request_id=context.request_id, scope=scope
        )
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
        trace: list[TraceStep] = []
        first, *further = (
            Inquiry(
                question=whole if len(reading.parts) == 1 else replace(whole, text=part.text),
                part=part,
                context=context,
                conversation=conversation,
                about=reading.about,
                mode=mode,
                trace=trace,
            )
            for part in reading.parts
        )
        inquiry = replace(first, further=tuple(further))
        if mended.words:
            note = noting.spelling(mended.told, mended.words)
            self.record.step("spelling", inquiry, note, started=started)
        for each in inquiry.every:
            note = noting.reading(each, question.text, parts=len(reading.parts))
            self.record.step("router", inquiry, note, started=started)
        return inquiry

    async def read_whole(self, inquiry: Inquiry, text: str) -> Inquiry | None:
        """Read a question anew that a language model made whole; None where it is no clearer.

        What it is about is told by the names that the rules find in it.
        """
        found = self.sources(inquiry.question.scope)
        question = replace(inquiry.question, text=without_opening_marks(text), rewritten=True)
        reading = await self.reader.read(
            question,
            vocabulary=found.terminology,
            catalogue=found.index,
            conversation=Conversation(settled=inquiry.conversation.settled),
        )
        asks, typed = reading.first.asks, question.asked
        if len(reading.parts) > 1 or isinstance(asks, SmallTalk | Unclear):
            return None
        named: tuple[str, ...] = ()
        if isinstance(asks, Named):
            named = tuple(each.name for each in asks.references)
        elif isinstance(asks, Definition):
            named = (asks.term,)
        about = ", ".join(each for each in named if each.casefold() not in typed.casefold())
        part = replace(reading.first, text=typed, reason=noting.MADE_WHOLE, perhaps="")
        return replace(inquiry, question=question, part=part, about=about, evidence=Evidence())

    def turned_away(self, text: str, error: QuestionError, context: RequestContext) -> Inquiry:
        """Return an inquiry that ends in a refusal, for a text that cannot be asked."""
        self.record.observe(RequestStarted(route=context.route, query=text))
        shown = clean(text[: self.max_chars])
        lang = identify(shown, default=self.default_lang)
        message = say(lang, f"bad.{error.code}", languages=languages(lang), **error.values)
        step = TraceStep(
            stage="router",
            note=f"bad question: {error.code}",
            elapsed_ms=0.0,
            remarks=("It could not be asked.",),
        )
        return Inquiry(
            question=Question(text=shown, lang=lang, request_id=context.request_id),
            part=Part(asks=Unclear(), text=shown, reason=str(error)),
            context=context,
            trace=[step],
            verdict=Verdict(
                outcome=Outcome.REFUSE,
                confidence=0.0,
                reason=RefusalReason.NO_RESULTS,
                details={"message": message},
            ),
        )
