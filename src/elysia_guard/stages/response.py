"""The response stage: what was drafted or refused, as the text and the record a person gets."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.refusal import (
    MISSING_WORDS,
    Outcome,
    RefusalReason,
    Suggestion,
    Verdict,
)
from elysia_guard.domain.response import (
    RAGResponse,
    ResponseWarning,
    RetrievalQuality,
    TransparencyStatement,
    Validation,
)
from elysia_guard.language.catalogue import has, say

_OUT_OF_FORCE = frozenset({"proposed", "rejected", "deprecated", "superseded"})


def answered(inquiry: Inquiry, draft: Draft, validation: Validation) -> RAGResponse:
    """Render a verified draft, with the warnings a reader needs."""
    warnings = (
        *_warnings(inquiry.evidence, draft, inquiry.question.lang),
        *_missing_words(inquiry.decided(), inquiry.question.lang),
    )
    parts = [_render(block) for block in draft.blocks]
    parts += [f"\u26a0 {warning.message}" for warning in warnings]
    reply = _reply(inquiry, "\n\n".join(parts))
    return replace(
        reply,
        sources=draft.sources,
        transparency=_transparency(reply.retrieval_quality, inquiry.question.lang),
        warnings=warnings,
        validation=validation,
    )


def refused(inquiry: Inquiry, suggestions: tuple[Suggestion, ...]) -> RAGResponse:
    """Say why there is no answer, what was looked at and what to try."""
    lang, verdict, evidence = inquiry.question.lang, inquiry.decided(), inquiry.evidence
    if message := verdict.details.get("message"):
        return _reply(inquiry, message)
    lines = [
        say(lang, "refusal.opening"),
        say(lang, "refusal.reason", reason=_reason(verdict, evidence, lang)),
    ]
    if evidence.looked_at:
        lines.append(say(lang, "refusal.looked_at", sources=_looked_at(inquiry)))
    lines.append("\n".join([say(lang, "refusal.try"), *_ways_on(suggestions, lang)]))
    return _reply(inquiry, "\n\n".join(lines), suggestions)


def clarified(inquiry: Inquiry, suggestions: tuple[Suggestion, ...]) -> RAGResponse:
    """Ask back, listing every meaning with its vocabulary, definition and URI."""
    lang, subject, evidence = inquiry.question.lang, inquiry.decided().subject, inquiry.evidence
    if evidence.undecided:
        asked = say(lang, "clarify.number", subject=subject)
        choices = [_document_choice(item) for item in evidence.undecided]
    else:
        asked = say(lang, "clarify.term", subject=subject, source=evidence.looked_at[0])
        choices = [_concept_choice(match, lang) for match in evidence.matches]
    listed = "\n".join(f"{n}. {choice}" for n, choice in enumerate(choices, start=1))
    example = say(lang, "clarify.choose", example=suggestions[0].question)
    return _reply(inquiry, f"{asked}\n\n{listed}\n\n{example}", suggestions)


def conversed(inquiry: Inquiry, *, document: str) -> RAGResponse:
    """Answer small talk with a fixed text that claims nothing."""
    key = f"talk.{inquiry.intent.small_talk or 'help'}"
    return _reply(inquiry, say(inquiry.question.lang, key, term="CIM", name=document))


def _reply(inquiry: Inquiry, text: str, suggestions: tuple[Suggestion, ...] = ()) -> RAGResponse:
    verdict = inquiry.decided()
    return RAGResponse(
        answer=text,
        request_id=inquiry.question.request_id,
        route=inquiry.route,
        lang=inquiry.question.lang,
        intent=inquiry.intent.kind,
        refused=verdict.outcome is Outcome.REFUSE,
        refusal_reason=verdict.reason,
        retrieval_quality=RetrievalQuality.from_retrieval(verdict.confidence, inquiry.fallbacks),
        transparency=TransparencyStatement(statement=None, show_to_user=False),
        suggestions=suggestions,
        trace=tuple(inquiry.trace),
    )


def _transparency(quality: RetrievalQuality, lang: Lang) -> TransparencyStatement:
    """Say in the reader's language what IR0003 says of the quality, where it says anything."""
    plain = TransparencyStatement.from_quality(quality)
    if not plain.show_to_user:
        return plain
    key = "transparency.low"
    if quality.fallback_active:
        key = "transparency.degraded" if quality.degraded else "transparency.unguided"
    return replace(plain, statement=say(lang, key, reasons=", ".join(quality.fallback_reasons)))


def _render(block: Block) -> str:
    lines = [block.heading] if block.heading else []
    listed = any(quote.lead for quote in block.quotes)
    rendered = [_quote(quote, listed=listed) for quote in block.quotes]
    lines.append("\n".join(rendered) if listed else "\n>\n".join(rendered))
    lines.extend(block.notes)
    return "\n\n".join(line for line in lines if line)


def _quote(quote: Quote, *, listed: bool) -> str:
    marked = f"{quote.lead}{quote.text}{quote.tail} [source:{quote.source}]"
    if listed:
        return f"- {marked}"
    return "\n".join(f"> {line}".rstrip() for line in marked.splitlines())


def _warnings(evidence: Evidence, draft: Draft, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Warn of documents that are not in force, and of named ones that do not exist."""
    if len(draft.blocks) == 1 and any(quote.lead for quote in draft.blocks[0].quotes):
        cited: dict[str, Document] = {}
    else:
        ids = {source.doc_id for source in draft.sources}
        pool = [*evidence.documents, *(hit.passage.document for hit in evidence.hits)]
        cited = {item.id: item for item in pool if item.id in ids}
    warnings = [_state(item, lang) for item in cited.values() if item.status in _OUT_OF_FORCE]
    for reference in evidence.absent:
        subject = str(reference.identity or reference.written)
        warnings.append(
            ResponseWarning(
                type="ENTITY_NOT_FOUND", message=say(lang, "answer.absent", subject=subject)
            )
        )
    return tuple(warnings)


def _missing_words(verdict: Verdict, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Warn of words that the sources do not hold, where the profile does not refuse for them."""
    missing = verdict.details.get(MISSING_WORDS)
    if not missing:
        return ()
    message = say(lang, "answer.missing_words", words=missing)
    return (ResponseWarning(type="MISSING_WORDS", message=message),)


def _state(document: Document, lang: Lang) -> ResponseWarning:
    if document.superseded_by:
        message = say(
            lang, "answer.superseded", name=document.name, successor=document.superseded_by
        )
        return ResponseWarning(type="SUPERSEDED", message=message)
    message = say(lang, "answer.not_in_force", name=document.name, status=document.status)
    return ResponseWarning(type="NOT_IN_FORCE", message=message)


def _reason(verdict: Verdict, evidence: Evidence, lang: Lang) -> str:
    reason = verdict.reason or RefusalReason.NO_RESULTS
    variant = f"refusal.{reason}_{verdict.details.get('variant', '')}"
    failed = next((item for item in verdict.readings if not item.passed), None)
    return say(
        lang,
        variant if has(variant) else f"refusal.{reason}",
        subject=verdict.subject,
        source=evidence.looked_at[0] if evidence.looked_at else "",
        value=_number(failed.value if failed else None),
        threshold=_number(failed.threshold if failed else None),
    )


def _number(value: float | str | None) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value if value is not None else "-")


def _looked_at(inquiry: Inquiry) -> str:
    """Name the sources that were asked: kinds of documents in the reader's language, or by name."""
    lang, terms = inquiry.question.lang, inquiry.intent.kind is IntentKind.TERMINOLOGY
    named = {kind.value: say(lang, f"kind.{kind}") for kind in DocumentKind}
    return ", ".join(
        named.get(name) or (say(lang, "kind.vocabulary", name=name) if terms else name)
        for name in inquiry.evidence.looked_at
    )


def _ways_on(suggestions: tuple[Suggestion, ...], lang: Lang) -> list[str]:
    lines = []
    for item in suggestions:
        asked = say(lang, "suggest.ask", question=item.question)
        lines.append(f"- {item.label} {asked}" if item.label else f"- {asked}")
    return [*lines, f"- {say(lang, 'suggest.rephrase')}"]


def _concept_choice(match: TermMatch, lang: Lang) -> str:
    concept = match.concept
    definition = concept.definition(lang)
    text = f"**{concept.label(lang)}** ({concept.vocabulary_title or concept.vocabulary})"
    if definition:
        text += f": {' '.join(definition.value.split())}"
    return f"{text} <{concept.uri}>"


def _document_choice(document: Document) -> str:
    return f"**{document.name}**: {document.title}"
