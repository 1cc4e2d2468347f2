"""The response stage: what was drafted or refused, as the text and the record a person gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.examples import Examples
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.reading import SmallTalk, Unclear
from elysia_guard.domain.refusal import NOT_ASKED, Outcome, Suggestion
from elysia_guard.domain.response import (
    RAGResponse,
    ResponseWarning,
    RetrievalQuality,
    Source,
    TransparencyStatement,
    Validation,
)
from elysia_guard.language.catalogue import say
from elysia_guard.language.staleness import reach_warnings, stale_warnings
from elysia_guard.stages.response import blocks, reasons, talk, warnings
from elysia_guard.stages.response.made import Made

__all__ = ["Made", "answered", "clarified", "conversed", "joined", "of_followup", "refused"]


def answered(
    inquiry: Inquiry,
    draft: Draft,
    validation: Validation,
    *,
    before: int = 0,
    made: Made | None = None,
) -> RAGResponse:
    """Render a verified draft, with the warnings a reader needs.

    ``before`` are the sources of the parts of the question that stand before: these count on.
    ``made`` is how it was made, where a model was to write it.
    """
    made = made or Made()
    lang = inquiry.question.lang
    stale = stale_warnings(inquiry.staleness, lang)
    states = warnings.states(inquiry, draft)
    others = (
        *warnings.others(inquiry, draft),
        *reach_warnings(inquiry.staleness, lang),
        *made.warnings(lang),
    )
    failed = warnings.failures(inquiry)
    staleness, hedge = inquiry.staleness, _hedge(inquiry)
    parts = [
        *hedge,
        *blocks.marked(stale),
        *blocks.rendered(draft, states, before),
        *blocks.marked(others),
    ]
    reply = _reply(inquiry, "\n\n".join(parts))
    return replace(
        reply,
        sources=tuple(replace(item, n=item.n + before) for item in draft.sources),
        transparency=_transparency(reply.retrieval_quality, lang),
        warnings=(*stale, *states.values(), *others, *failed),
        validation=made.counted(validation, draft),
        mode=made.mode,
        written_by=made.written_by,
        complete=not (staleness.withheld or staleness.gone or made.is_cut or failed),
    )


def of_followup(inquiry: Inquiry, reply: RAGResponse) -> RAGResponse:
    """Say first what a follow-up was taken to be about, where it did not say so itself."""
    if not inquiry.about or reply.intent == IntentKind.CONVERSATIONAL:
        return reply
    told = say(inquiry.question.lang, "answer.about", about=inquiry.about)
    return replace(reply, answer=f"{told}\n\n{reply.answer}")


def joined(inquiry: Inquiry, asked: Sequence[str], replies: Sequence[RAGResponse]) -> RAGResponse:
    """Put the replies to the parts of a question together, each under the words that ask it.

    One that answers all of it stands under none. It is refused where every part is; a part that is
    refused says so by name beside the others. The sources are numbered through, and the confidence
    is that of the weakest part answered.
    """
    texts: list[str] = []
    sources: list[Source] = []
    warnings: list[ResponseWarning] = []
    for part, reply in zip(asked, replies, strict=True):
        texts.append(f"**{part}**\n\n{reply.answer}" if part else reply.answer)
        sources += reply.sources
        warnings += [item for item in reply.warnings if item not in warnings]
    answered_ = [reply for reply in replies if not reply.refused and reply.refusal_reason is None]
    leading = answered_ or [replies[0]]
    weakest = min(leading, key=lambda item: item.retrieval_quality.confidence_score)
    held = [item.validation for item in replies if item.validation]
    told = next((each for each in replies if each.transparency.show_to_user), weakest)
    return replace(
        weakest,
        answer="\n\n".join(texts),
        sources=tuple(sources),
        warnings=tuple(warnings),
        transparency=told.transparency,
        retrieval_quality=_lessened([reply.retrieval_quality for reply in leading], weakest),
        mentions=tuple(item for reply in replies for item in reply.mentions),
        suggestions=tuple(dict.fromkeys(item for each in replies for item in each.suggestions)),
        refused=all(reply.refused for reply in replies),
        validation=_together(held),
        mode=max((reply.mode for reply in leading), key=list(Mode).index),
        written_by=next((reply.written_by for reply in leading if reply.written_by), ""),
        complete=all(reply.complete and not reply.refused for reply in replies),
        trace=tuple(inquiry.trace),
    )


def _lessened(found: Sequence[RetrievalQuality], weakest: RAGResponse) -> RetrievalQuality:
    """Return the quality of the weakest part, with what lessened any of those answered."""
    reasons = dict.fromkeys(reason for each in found for reason in each.fallback_reasons)
    return replace(
        weakest.retrieval_quality,
        fallback_active=any(each.fallback_active for each in found),
        fallback_reasons=tuple(reasons),
        degraded=any(each.degraded for each in found),
    )


def _together(held: Sequence[Validation]) -> Validation | None:
    if not held:
        return None
    verified = sum(item.sources_verified for item in held)
    total = sum(item.sources_total for item in held)
    return Validation(
        sources_verified=verified,
        sources_total=total,
        confidence=verified / total if total else 0.0,
        against=tuple(dict.fromkeys(name for item in held for name in item.against)),
        fields_verified=sum(item.fields_verified for item in held),
        fields_total=sum(item.fields_total for item in held),
    )


def refused(
    inquiry: Inquiry, suggestions: tuple[Suggestion, ...], mentioned: Draft | None = None
) -> RAGResponse:
    """Say why there is no answer, what was looked at, where it is mentioned and what to try."""
    lang, verdict, evidence = inquiry.question.lang, inquiry.decided(), inquiry.evidence
    if message := verdict.details.get("message"):
        return _reply(inquiry, message)
    stale = stale_warnings(inquiry.staleness, lang)
    lines = [
        *blocks.marked(stale),
        say(lang, "refusal.opening"),
        say(lang, "refusal.reason", reason=reasons.why(inquiry)),
    ]
    if any(evidence.looked_at) and verdict.reason not in NOT_ASKED:
        lines.append(say(lang, "refusal.looked_at", sources=reasons.looked_at(inquiry)))
    if mentioned and mentioned.blocks:
        lines += [say(lang, "refusal.mentioned"), *blocks.bare(mentioned)]
    lines.append("\n".join([say(lang, "refusal.try"), *reasons.ways_on(inquiry, suggestions)]))
    reply = _reply(inquiry, "\n\n".join(lines), suggestions)
    return replace(reply, warnings=stale, mentions=mentioned.sources if mentioned else ())


def clarified(inquiry: Inquiry, suggestions: tuple[Suggestion, ...]) -> RAGResponse:
    """Ask back, listing every meaning with its vocabulary, definition and URI."""
    lang, subject, evidence = inquiry.question.lang, inquiry.decided().subject, inquiry.evidence
    if isinstance(inquiry.asks, Unclear):
        return _reply(inquiry, _asked_back(inquiry.asks, lang), suggestions)
    if evidence.undecided:
        asked = say(lang, "clarify.number", subject=subject)
        choices = [_document_choice(item) for item in evidence.undecided]
    else:
        asked = say(lang, "clarify.term", subject=subject, source=evidence.looked_at[0])
        choices = [_concept_choice(match, lang) for match in evidence.matches]
    listed = "\n".join(f"{n}. {choice}" for n, choice in enumerate(choices, start=1))
    example = say(lang, "clarify.choose", example=suggestions[0].question)
    return _reply(inquiry, f"{asked}\n\n{listed}\n\n{example}", suggestions)


def _asked_back(asks: Unclear, lang: Lang) -> str:
    """Say what could not be understood, and which questions may be meant."""
    if not asks.candidates:
        return say(lang, "clarify.refers" if asks.word else "clarify.too_little", word=asks.word)
    listed = "\n".join(f"{n}. {item}" for n, item in enumerate(asks.candidates, start=1))
    return f"{say(lang, 'clarify.several', word=asks.word)}\n\n{listed}"


def conversed(inquiry: Inquiry, examples: Examples) -> RAGResponse:
    """Answer small talk with a fixed text that claims nothing, and names only what there is."""
    lang, asks = inquiry.question.lang, inquiry.asks
    about = asks.about if isinstance(asks, SmallTalk) else "help"
    if about == "help":
        return _reply(inquiry, talk.help_text(examples, lang))
    if about == "identity" and not inquiry.question.scope.defines:
        about = "identity_documents"
    return _reply(inquiry, say(lang, f"talk.{about}", offer=talk.offer(examples, lang)))


def _reply(inquiry: Inquiry, text: str, suggestions: tuple[Suggestion, ...] = ()) -> RAGResponse:
    verdict, lang = inquiry.decided(), inquiry.question.lang
    quality = RetrievalQuality.from_retrieval(verdict.confidence, inquiry.fallbacks)
    return RAGResponse(
        answer=text,
        request_id=inquiry.question.request_id,
        route=inquiry.route,
        lang=lang,
        intent=inquiry.asks.kind,
        refused=verdict.outcome is Outcome.REFUSE,
        refusal_reason=verdict.reason,
        retrieval_quality=quality,
        transparency=_degradation(quality, lang),
        suggestions=suggestions,
        trace=tuple(inquiry.trace),
    )


def _hedge(inquiry: Inquiry) -> list[str]:
    """Say first that it may be no answer, where the confidence is not high."""
    quality = RetrievalQuality.from_retrieval(inquiry.decided().confidence, inquiry.fallbacks)
    if quality.confidence_level == "high":
        return []
    return [say(inquiry.question.lang, "transparency.hedged")]


def _degradation(quality: RetrievalQuality, lang: Lang) -> TransparencyStatement:
    """Tell of the fallbacks, whatever the outcome; of little confidence, answers alone tell."""
    if quality.fallback_active:
        return _transparency(quality, lang)
    return TransparencyStatement(statement=None, show_to_user=False)


def _transparency(quality: RetrievalQuality, lang: Lang) -> TransparencyStatement:
    """Say in the reader's language what IR0003 says of the quality, where it says anything."""
    plain = TransparencyStatement.from_quality(quality)
    if not plain.show_to_user:
        return plain
    key = "transparency.hedged" if quality.confidence_level == "medium" else "transparency.low"
    if quality.fallback_active:
        key = "transparency.degraded" if quality.simplified else "transparency.unguided"
    return replace(plain, statement=say(lang, key, reasons=", ".join(quality.fallback_reasons)))


def _concept_choice(match: TermMatch, lang: Lang) -> str:
    concept = match.concept
    definition = concept.definition(lang)
    text = f"**{concept.label(lang)}** ({concept.vocabulary_title or concept.vocabulary})"
    if definition:
        text += f": {' '.join(definition.value.split())}"
    return f"{text} <{concept.uri}>"


def _document_choice(document: Document) -> str:
    return f"**{document.name}**: {document.title}"
