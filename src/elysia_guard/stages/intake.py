"""The intake stage: a text that can be asked becomes a question; any other is turned away."""

from __future__ import annotations

from elysia_guard.domain.context import RequestContext
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.reading import Part, Unclear
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.response import TraceStep
from elysia_guard.language.catalogue import languages, say
from elysia_guard.language.identify import identify
from elysia_guard.language.text import clean


def check(text: str, *, max_chars: int) -> str:
    """Return a question cleaned of control characters.

    Raises:
        QuestionError: it is empty, too long, or holds no words.
    """
    if len(text) > max_chars:
        raise QuestionError("too_long", length=len(text), limit=max_chars)
    cleaned = clean(text)
    if not cleaned:
        raise QuestionError("empty")
    if not any(char.isalnum() for char in cleaned):
        raise QuestionError("no_words")
    return cleaned


def turned_away(
    text: str, error: QuestionError, context: RequestContext, *, max_chars: int, default: Lang
) -> Inquiry:
    """Return an inquiry that ends in a refusal, for a text that cannot be asked."""
    shown = clean(text[:max_chars])
    lang = identify(shown, default=default)
    verdict = Verdict(
        outcome=Outcome.REFUSE,
        confidence=0.0,
        reason=RefusalReason.NO_RESULTS,
        details={"message": _told(error, lang)},
    )
    return Inquiry(
        question=Question(text=shown, lang=lang, request_id=context.request_id),
        part=Part(asks=Unclear(), text=shown, reason=str(error)),
        context=context,
        trace=[
            TraceStep(
                stage="router",
                note=f"bad question: {error.code}",
                elapsed_ms=0.0,
                remarks=("It could not be asked.",),
            )
        ],
        verdict=verdict,
    )


def _told(error: QuestionError, lang: Lang) -> str:
    return say(lang, f"bad.{error.code}", languages=languages(lang), **error.values)
