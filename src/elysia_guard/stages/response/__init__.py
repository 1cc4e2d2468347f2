"""The response stage: what was drafted or refused, as the text and the record a person gets."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.reading import Listing, SmallTalk, Unclear
from elysia_guard.domain.refusal import NOT_ASKED, Examples, Outcome, Suggestion
from elysia_guard.domain.response import RAGResponse, Validation
from elysia_guard.language.catalogue import say
from elysia_guard.language.staleness import reach_warnings, stale_warnings
from elysia_guard.stages.response import blocks, reasons, talk, warnings
from elysia_guard.stages.response.made import Provenance, vouched
from elysia_guard.stages.response.parts import joined

__all__ = [
    "Provenance",
    "answered",
    "clarified",
    "conversed",
    "joined",
    "of_followup",
    "refused",
]


def answered(
    inquiry: Inquiry,
    draft: Draft,
    validation: Validation,
    *,
    before: int = 0,
    made: Provenance | None = None,
) -> RAGResponse:
    """Render a verified draft, with the warnings a reader needs.

    ``before`` are the sources of the parts of the question that stand before: these count on.
    ``made`` is how it was made, where a model was to write it.
    """
    made = made or Provenance()
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
    is_cut = made.left_out or any(block.left for block in draft.blocks)
    parts = [
        *hedge,
        *blocks.marked(stale),
        *blocks.rendered(draft, states, before),
        *blocks.marked(others),
    ]
    reply = _reply(inquiry, "\n\n".join(parts))
    answer = replace(
        reply,
        sources=tuple(replace(item, n=item.n + before) for item in draft.sources),
        transparency=_transparency(reply.retrieval_quality, lang),
        warnings=(*stale, *states.values(), *others, *failed),
        validation=made.counted(validation),
        mode=made.mode,
        written_by=made.written_by,
        complete=not (staleness.withheld or staleness.gone or is_cut or failed),
    )
    lists = isinstance(inquiry.asks, Listing) and not inquiry.evidence.hits
    return vouched(answer, None if lists else answer.validation)


def of_followup(inquiry: Inquiry, reply: RAGResponse) -> RAGResponse:
    """Say first what a follow-up was taken to be about, where it did not say so itself."""
    if reply.intent == IntentKind.CONVERSATIONAL:
        return reply
    return replace(reply, answer="\n\n".join([*_about(inquiry), reply.answer]))


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


def with_contact(inquiry: Inquiry, reply: RAGResponse, contact: str) -> RAGResponse:
    """Say last whom to turn to, where a question or a part of it is refused.

    A text that cannot be asked at all is for whoever wrote it to change.
    """
    verdicts = [each.decided() for each in inquiry.every]
    refused_ = any(
        each.outcome is Outcome.REFUSE and not each.details.get("message") for each in verdicts
    )
    if not (contact and refused_):
        return reply
    told = say(inquiry.question.lang, "refusal.contact", contact=contact)
    return replace(reply, answer=f"{reply.answer}\n\n{told}")


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
    if asks.picks:
        return say(lang, "clarify.nothing_offered")
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


def _about(inquiry: Inquiry) -> list[str]:
    lang = inquiry.question.lang
    return [say(lang, "answer.about", about=inquiry.about)] if inquiry.about else []


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
        key = "transparency.degraded" if quality.degraded else "transparency.unguided"
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
