"""The response stage: what was drafted or refused, as the text and the record a person gets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.examples import Examples
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED, Aspect, IntentKind, Lang
from elysia_guard.domain.reading import (
    Definition,
    Listing,
    Search,
    SmallTalk,
    Unclear,
    aspect_of,
)
from elysia_guard.domain.refusal import (
    MISSING_WORDS,
    NOT_ASKED,
    Outcome,
    RefusalReason,
    Suggestion,
    Verdict,
)
from elysia_guard.domain.response import (
    RAGResponse,
    ResponseWarning,
    RetrievalQuality,
    Source,
    TransparencyStatement,
    Validation,
)
from elysia_guard.domain.scope import VocabularyUse
from elysia_guard.language.approvals import Difference, differences
from elysia_guard.language.catalogue import has, say
from elysia_guard.language.lists import noun
from elysia_guard.language.staleness import reach_warnings, stale_warnings
from elysia_guard.language.states import in_force, known_state
from elysia_guard.language.text import clean

MOST_NAMED, LONGEST_NAME = 12, 60
"""Of collections that are none of ours, as the caller wrote them."""


def answered(
    inquiry: Inquiry, draft: Draft, validation: Validation, *, before: int = 0
) -> RAGResponse:
    """Render a verified draft, with the warnings a reader needs.

    ``before`` are the sources of the parts of the question that stand before: these count on.
    """
    lang = inquiry.question.lang
    stale = stale_warnings(inquiry.staleness, lang)
    states = _states(inquiry, draft)
    others = (
        *_differences(inquiry, draft),
        *_absent(inquiry),
        *_left_out(inquiry),
        *_undefined(inquiry),
        *_missing_words(inquiry.decided(), lang),
        *reach_warnings(inquiry.staleness, lang),
    )
    parts = [*_marked(stale), *_warned(draft, states, before), *_marked(others)]
    reply = _reply(inquiry, "\n\n".join(parts))
    return replace(
        reply,
        sources=tuple(replace(item, n=item.n + before) for item in draft.sources),
        transparency=_transparency(reply.retrieval_quality, lang),
        warnings=(*stale, *states.values(), *others),
        validation=validation,
    )


def of_followup(inquiry: Inquiry, reply: RAGResponse) -> RAGResponse:
    """Say first what a follow-up was taken to be about, where it did not say so itself."""
    if not inquiry.about or reply.intent == IntentKind.CONVERSATIONAL:
        return reply
    told = say(inquiry.question.lang, "answer.about", about=inquiry.about)
    return replace(reply, answer=f"{told}\n\n{reply.answer}")


def joined(inquiry: Inquiry, replies: Sequence[RAGResponse]) -> RAGResponse:
    """Put the replies to the parts of a question together, each under the words that ask it.

    It is refused where every part is; a part that is refused says so by name beside the others.
    The sources are numbered through, and the confidence is that of the weakest part answered.
    """
    texts: list[str] = []
    sources: list[Source] = []
    warnings: list[ResponseWarning] = []
    for part, reply in zip(inquiry.every, replies, strict=True):
        texts.append(f"**{part.question.text}**\n\n{reply.answer}")
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
        suggestions=tuple(dict.fromkeys(item for each in replies for item in each.suggestions)),
        refused=all(reply.refused for reply in replies),
        validation=_together(held),
        trace=tuple(inquiry.trace),
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
        say(lang, "refusal.reason", reason=_reason(inquiry)),
    ]
    if any(evidence.looked_at) and verdict.reason not in NOT_ASKED:
        lines.append(say(lang, "refusal.looked_at", sources=_looked_at(inquiry)))
    lines.append("\n".join([say(lang, "refusal.try"), *_ways_on(verdict, suggestions, lang)]))
    return replace(_reply(inquiry, "\n\n".join(lines), suggestions), warnings=stale)


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
    talk = asks.about if isinstance(asks, SmallTalk) else "help"
    if talk == "help":
        return _reply(inquiry, _help(examples, lang))
    if talk == "identity" and not inquiry.question.scope.defines:
        talk = "identity_documents"
    return _reply(inquiry, say(lang, f"talk.{talk}", offer=_offer(examples, lang)))


def _offer(examples: Examples, lang: Lang) -> str:
    """Say what can be asked about."""
    kinds = [say(lang, f"talk.a_{kind.value}") for kind in examples.kinds]
    *others, last = ([say(lang, "talk.a_term")] if examples.term else []) + kinds or [""]
    if not last:
        return say(lang, "talk.offer_any")
    things = say(lang, "list.or", first=", ".join(others), last=last) if others else last
    return say(lang, "talk.offer", things=things)


def _help(examples: Examples, lang: Lang) -> str:
    """List what can be asked, each with an example that would be answered."""
    lines = [say(lang, "talk.help_open")]
    if listed := [kind for kind in examples.kinds if kind is not DocumentKind.DOCUMENT]:
        asked = say(lang, f"suggest.list_{listed[-1].value}")
        lines.insert(0, say(lang, "talk.help_list", question=asked))
    if examples.document and examples.named:
        lines.insert(0, say(lang, "talk.help_document", question=_about(examples.document, lang)))
    if examples.term:
        asked = say(lang, "suggest.define", term=examples.term)
        lines.insert(0, say(lang, "talk.help_term", question=asked))
    return "\n\n".join((say(lang, "talk.help"), "\n".join(f"- {line}" for line in lines)))


def _about(document: Document, lang: Lang) -> str:
    verb = "decision" if document.kind is DocumentKind.DECISION else "document"
    return say(lang, f"suggest.{verb}", name=document.name)


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


def _render(block: Block, before: int) -> str:
    lines = [block.heading] if block.heading else []
    listed = any(quote.lead for quote in block.quotes)
    rendered = [_quote(quote, before, listed=listed) for quote in block.quotes]
    lines.append("\n".join(rendered) if listed else "\n>\n".join(rendered))
    lines.extend(block.notes)
    return "\n\n".join(line for line in lines if line)


def _marked(warnings: tuple[ResponseWarning, ...]) -> list[str]:
    return [f"\u26a0 {warning.message}" for warning in warnings]


def _quote(quote: Quote, before: int, *, listed: bool) -> str:
    marked = f"{quote.lead}{quote.text}{quote.tail} [source:{quote.source + before}]"
    if listed:
        return f"- {marked}"
    return "\n".join(f"> {line}".rstrip() for line in marked.splitlines())


def _warned(draft: Draft, states: dict[str, ResponseWarning], before: int) -> list[str]:
    """Render the blocks; before the text of a document that is not in force stands that it is."""
    parts: list[str] = []
    told: set[str] = set()
    names = {source.n: source.doc_id for source in draft.sources}
    for block in draft.blocks:
        cited = (names.get(quote.source, "") for quote in block.quotes)
        new = [id_ for id_ in dict.fromkeys(cited) if id_ in states and id_ not in told]
        told.update(new)
        parts += [_warning(states[id_]) for id_ in new]
        parts.append(_render(block, before))
    return parts


def _warning(warning: ResponseWarning) -> str:
    return f"\u26a0 {warning.message}"


def _states(inquiry: Inquiry, draft: Draft) -> dict[str, ResponseWarning]:
    """Warn of each cited document that is not in force, by its id, where no status is told."""
    asks, lang = inquiry.asks, inquiry.question.lang
    listed = isinstance(asks, Listing) and not inquiry.evidence.hits
    if listed or aspect_of(asks) is Aspect.STATUS:
        return {}
    cited = _cited(inquiry.evidence, draft)
    return {item.id: _state(item, lang) for item in cited if not in_force(item.status)}


def _cited(evidence: Evidence, draft: Draft) -> list[Document]:
    ids = {source.doc_id for source in draft.sources}
    pool = [*evidence.documents, *(hit.passage.document for hit in evidence.hits)]
    return list({item.id: item for item in pool if item.id in ids}.values())


def _absent(inquiry: Inquiry) -> Iterator[ResponseWarning]:
    """Warn of named documents that do not exist."""
    for reference in inquiry.evidence.absent:
        subject = str(reference.identity or reference.written)
        message = _told("answer.absent", inquiry, subject=subject)
        yield ResponseWarning(type="ENTITY_NOT_FOUND", message=message)


def _differences(inquiry: Inquiry, draft: Draft) -> tuple[ResponseWarning, ...]:
    """Tell where a document and its approval record disagree on what is asked, or on the status."""
    lang, evidence, asks = inquiry.question.lang, inquiry.evidence, inquiry.asks
    if isinstance(asks, Listing):
        return ()
    recorded = aspect_of(asks) in RECORDED - {Aspect.OWNER, Aspect.DRIVER}
    asked = ("status", "date", "version") if recorded else ("status",)
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


def _left_out(inquiry: Inquiry) -> Iterator[ResponseWarning]:
    """Warn of what a list leaves out: kinds that were not asked, and documents that are silent."""
    lang, asks = inquiry.question.lang, inquiry.asks
    if not isinstance(asks, Listing):
        return
    if asks.outside:
        named = ", ".join(say(lang, f"kind.{kind}") for kind in asks.outside)
        asked = _collections(inquiry)
        message = say(lang, "answer.outside", collections=asked, subject=named)
        yield ResponseWarning(type="OUTSIDE", message=message)
    for each in inquiry.evidence.restrictions:
        if each.silent:
            message = say(
                lang,
                "answer.silent",
                property=say(lang, f"property.{each.by}"),
                count=each.silent,
                among=f"{each.among} {noun(asks, lang, count=each.among)}",
            )
            yield ResponseWarning(type="NOT_STATED", message=message)


def _undefined(inquiry: Inquiry) -> Iterator[ResponseWarning]:
    """Warn that what the documents say of a term is no definition of it."""
    question, term = inquiry.question, _unexplained(inquiry)
    if term:
        key = f"answer.undefined_{question.scope.vocabulary}"
        if inquiry.evidence.explained:
            key = "answer.undefined_unknown"
        yield ResponseWarning(type="NO_DEFINITION", message=say(question.lang, key, term=term))


def _unexplained(inquiry: Inquiry) -> str:
    """The term whose meaning is asked where no vocabulary tells it."""
    if isinstance(inquiry.asks, Search):
        return inquiry.asks.meaning_of
    return inquiry.decided().subject if inquiry.evidence.explained else ""


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


def _reason(inquiry: Inquiry) -> str:
    """Say why not, and where a term was asked for in vain, that nothing could define it."""
    verdict, evidence, question = inquiry.decided(), inquiry.evidence, inquiry.question
    reason = verdict.reason or RefusalReason.NO_RESULTS
    variant = f"refusal.{reason}_{verdict.details.get('variant', '')}"
    failed = next((item for item in verdict.readings if not item.passed), None)
    told = _told(
        variant if has(variant) else f"refusal.{reason}",
        inquiry,
        subject=verdict.subject,
        source=evidence.looked_at[0] if evidence.looked_at else "",
        value=_number(failed.value if failed else None),
        threshold=_number(failed.threshold if failed else None),
    )
    if term := _unexplained(inquiry):
        key = f"refusal.undefined_{question.scope.vocabulary}"
        return f"{say(question.lang, key, term=term)} {told}"
    return told


def _told(key: str, inquiry: Inquiry, **values: object) -> str:
    """Say something of what there is; to a question that may not reach all, only of what it may.

    'It does not exist' would be false of what lies outside, 'it lies outside' would reveal it.
    """
    lang, scope = inquiry.question.lang, inquiry.question.scope
    if has(f"{key}_none") and scope.vocabulary is VocabularyUse.NONE:
        return say(lang, f"{key}_none", **values)
    if has(f"{key}_scoped") and scope.is_restricted:
        return say(lang, f"{key}_scoped", collections=_collections(inquiry), **values)
    return say(lang, key, **values)


def _collections(inquiry: Inquiry) -> str:
    """Name what a restricted question may reach; where that is nothing, what was asked for."""
    lang, scope = inquiry.question.lang, inquiry.question.scope
    named = [say(lang, f"kind.{kind}") for kind in scope.kinds or ()]
    if scope.defines:
        named.append(say(lang, "kind.terms"))
    told = named or [clean(name)[:LONGEST_NAME] for name in scope.asked[:MOST_NAMED]]
    return ", ".join(told) or say(lang, "kind.nothing")


def _number(value: float | str | None) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value if value is not None else "-")


def _looked_at(inquiry: Inquiry) -> str:
    """Name the sources that were asked: kinds of documents in the reader's language, or by name."""
    lang, terms = inquiry.question.lang, isinstance(inquiry.asks, Definition)
    named = {kind.value: say(lang, f"kind.{kind}") for kind in DocumentKind}
    return ", ".join(
        named.get(name) or (say(lang, "kind.vocabulary", name=name) if terms else name)
        for name in inquiry.evidence.looked_at
        if name
    )


def _ways_on(verdict: Verdict, suggestions: tuple[Suggestion, ...], lang: Lang) -> list[str]:
    lines = []
    # Numbered, so that the next message may pick one by its place.
    for place, item in enumerate(suggestions, start=1):
        asked = say(lang, "suggest.ask", question=item.question)
        lines.append(f"{place}. {item.label} {asked}" if item.label else f"{place}. {asked}")
    last = "later" if verdict.reason in NOT_ASKED else "rephrase"
    return [*lines, f"- {say(lang, f'suggest.{last}')}"]


def _concept_choice(match: TermMatch, lang: Lang) -> str:
    concept = match.concept
    definition = concept.definition(lang)
    text = f"**{concept.label(lang)}** ({concept.vocabulary_title or concept.vocabulary})"
    if definition:
        text += f": {' '.join(definition.value.split())}"
    return f"{text} <{concept.uri}>"


def _document_choice(document: Document) -> str:
    return f"**{document.name}**: {document.title}"
