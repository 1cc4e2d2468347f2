"""The response stage: what was drafted or refused, as the text and the record a person gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED, Aspect, IntentKind, Lang
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
from elysia_guard.language.approvals import Difference, differences
from elysia_guard.language.catalogue import has, say
from elysia_guard.language.staleness import reach_warnings, stale_warnings
from elysia_guard.language.states import in_force, known_state


def answered(inquiry: Inquiry, draft: Draft, validation: Validation) -> RAGResponse:
    """Render a verified draft, with the warnings a reader needs."""
    lang = inquiry.question.lang
    stale = stale_warnings(inquiry.staleness, lang)
    states = _states(inquiry, draft)
    others = (
        *_differences(inquiry, draft),
        *_absent(inquiry.evidence, lang),
        *_missing_words(inquiry.decided(), lang),
        *reach_warnings(inquiry.staleness, lang),
    )
    parts = [*_marked(stale), *_warned(draft, states), *_marked(others)]
    reply = _reply(inquiry, "\n\n".join(parts))
    return replace(
        reply,
        sources=draft.sources,
        transparency=_transparency(reply.retrieval_quality, lang),
        warnings=(*stale, *states.values(), *others),
        validation=validation,
    )


def refused(inquiry: Inquiry, suggestions: tuple[Suggestion, ...]) -> RAGResponse:
    """Say why there is no answer, what was looked at and what to try."""
    lang, verdict, evidence = inquiry.question.lang, inquiry.decided(), inquiry.evidence
    if message := verdict.details.get("message"):
        return _reply(inquiry, message)
    stale = stale_warnings(inquiry.staleness, lang)
    lines = [
        *_marked(stale),
        say(lang, "refusal.opening"),
        say(lang, "refusal.reason", reason=_reason(verdict, evidence, lang)),
    ]
    if evidence.looked_at:
        lines.append(say(lang, "refusal.looked_at", sources=_looked_at(inquiry)))
    lines.append("\n".join([say(lang, "refusal.try"), *_ways_on(suggestions, lang)]))
    return replace(_reply(inquiry, "\n\n".join(lines), suggestions), warnings=stale)


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
    verdict, lang = inquiry.decided(), inquiry.question.lang
    quality = RetrievalQuality.from_retrieval(verdict.confidence, inquiry.fallbacks)
    return RAGResponse(
        answer=text,
        request_id=inquiry.question.request_id,
        route=inquiry.route,
        lang=lang,
        intent=inquiry.intent.kind,
        refused=verdict.outcome is Outcome.REFUSE,
        refusal_reason=verdict.reason,
        retrieval_quality=quality,
        transparency=_degradation(quality, lang),
        suggestions=suggestions,
        trace=tuple(inquiry.trace),
    )


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


def _marked(warnings: tuple[ResponseWarning, ...]) -> list[str]:
    return [f"\u26a0 {warning.message}" for warning in warnings]


def _quote(quote: Quote, *, listed: bool) -> str:
    marked = f"{quote.lead}{quote.text}{quote.tail} [source:{quote.source}]"
    if listed:
        return f"- {marked}"
    return "\n".join(f"> {line}".rstrip() for line in marked.splitlines())


def _warned(draft: Draft, states: dict[str, ResponseWarning]) -> list[str]:
    """Render the blocks; before the text of a document that is not in force stands that it is."""
    parts: list[str] = []
    told: set[str] = set()
    names = {source.n: source.doc_id for source in draft.sources}
    for block in draft.blocks:
        cited = (names.get(quote.source, "") for quote in block.quotes)
        new = [id_ for id_ in dict.fromkeys(cited) if id_ in states and id_ not in told]
        told.update(new)
        parts += [_warning(states[id_]) for id_ in new]
        parts.append(_render(block))
    return parts


def _warning(warning: ResponseWarning) -> str:
    return f"\u26a0 {warning.message}"


def _states(inquiry: Inquiry, draft: Draft) -> dict[str, ResponseWarning]:
    """Warn of each cited document that is not in force, by its id, where no status is told."""
    intent, lang = inquiry.intent, inquiry.question.lang
    if intent.kind is IntentKind.LIST or intent.aspect is Aspect.STATUS:
        return {}
    cited = _cited(inquiry.evidence, draft)
    return {item.id: _state(item, lang) for item in cited if not in_force(item.status)}


def _cited(evidence: Evidence, draft: Draft) -> list[Document]:
    ids = {source.doc_id for source in draft.sources}
    pool = [*evidence.documents, *(hit.passage.document for hit in evidence.hits)]
    return list({item.id: item for item in pool if item.id in ids}.values())


def _absent(evidence: Evidence, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Warn of named documents that do not exist."""
    subjects = [str(reference.identity or reference.written) for reference in evidence.absent]
    return tuple(
        ResponseWarning(type="ENTITY_NOT_FOUND", message=say(lang, "answer.absent", subject=name))
        for name in subjects
    )


def _differences(inquiry: Inquiry, draft: Draft) -> tuple[ResponseWarning, ...]:
    """Tell where a document and its approval record disagree on what is asked, or on the status."""
    lang, evidence, intent = inquiry.question.lang, inquiry.evidence, inquiry.intent
    if intent.kind is IntentKind.LIST:
        return ()
    asked = (
        ("status", "date", "version") if intent.aspect in RECORDED - {Aspect.OWNER} else ("status",)
    )
    named = {item.document.id: item.document.name for item in evidence.records}
    documents = {
        item.id: item
        for item in (*evidence.documents, *evidence.approved, *_cited(evidence, draft))
    }
    named |= {item.id: item.name for item in documents.values()}
    found = []
    for document in documents.values():
        told = [item for item in differences(document) if item.what in asked]
        if told:
            record = named.get(document.record, document.record)
            found.append(_difference(document, record, told, lang))
    return tuple(found)


def _difference(
    document: Document, record: str, told: Sequence[Difference], lang: Lang
) -> ResponseWarning:
    own = ", ".join(say(lang, f"differs.{item.what}", value=item.own) for item in told)
    recorded = ", ".join(say(lang, f"differs.{item.what}", value=item.recorded) for item in told)
    message = say(
        lang, "answer.differs", name=document.name, own=own, record=record, recorded=recorded
    )
    return ResponseWarning(type="SOURCES_DISAGREE", message=message)


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
    key = "answer.not_in_force" if known_state(document.status) else "answer.status_unclear"
    message = say(lang, key, name=document.name, status=document.status)
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
