"""The response stage: what was drafted or refused, as the text and the record a person gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.draft import Draft, HeldDraft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.origin import Staleness
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.reading import Listing, SmallTalk, Unclear
from elysia_guard.domain.refusal import NOT_ASKED, Examples, Outcome, Suggestion
from elysia_guard.domain.response import RAGResponse
from elysia_guard.language.catalogue import say
from elysia_guard.stages.response import blocks, reasons, warnings
from elysia_guard.stages.response.parts import joined, vouched
from elysia_guard.stages.response.warnings import reach_warnings, stale_warnings

__all__ = ["NumberedReply", "answered", "clarified", "conversed", "refused", "whole"]

NumberedReply = Callable[[int], RAGResponse]
"""A reply whose sources count on from so many that stand before it, in other parts."""
FRESH = Staleness()
SILENT = TransparencyStatement(statement=None, show_to_user=False)


def answered(
    inquiry: Inquiry,
    held: HeldDraft,
    before: int = 0,
    *,
    mode: Mode = Mode.INSTANT,
) -> RAGResponse:
    """Render a verified draft, with the warnings a reader needs.

    ``before`` are the sources of the parts of the question that stand before: these count on.
    ``mode`` is how it came out.
    """
    lang, draft, staleness = inquiry.question.lang, held.draft, held.staleness
    chosen = None if mode in {Mode.INSTANT, Mode.RAW} else inquiry.evidence.pointed
    stale, states = stale_warnings(staleness, lang), warnings.states(inquiry, draft)
    others = (*warnings.others(inquiry, draft), *reach_warnings(staleness, lang))
    failed = warnings.failures(inquiry)
    is_cut = any(block.left for block in draft.blocks)
    validation = held.validation
    if chosen:
        kept = len(chosen.units)
        named = kept + chosen.unknown + chosen.unrelated
        validation = replace(validation, fields_verified=kept, fields_total=named)
    # What is not shown, to be asked for: 'What does ADR-0012 say, part 2? (+7)'.
    more = {block.more: f"{block.more} (+{block.left})" for block in draft.blocks if block.more}
    ways_on = tuple(Suggestion(question=ask, label=label) for ask, label in more.items())
    reply = _reply(inquiry, "", ways_on)
    # It is said first that it may be no answer.
    hedged = reply.retrieval_quality.confidence_level != "high"
    parts = [
        *([say(lang, "transparency.hedged")] if hedged else []),
        *blocks.marked(stale),
        *blocks.rendered(draft, states, before),
        *blocks.marked(others),
    ]
    answer = replace(
        reply,
        answer="\n\n".join(parts),
        sources=tuple(replace(item, n=item.n + before) for item in draft.sources),
        transparency=_transparency(reply.retrieval_quality, lang),
        warnings=(*stale, *states.values(), *others, *failed),
        validation=validation,
        mode=mode,
        written_by=chosen.by if chosen else "",
        complete=not (staleness.withheld or staleness.gone or is_cut or failed),
    )
    lists = isinstance(inquiry.asks, Listing) and not inquiry.evidence.hits
    return vouched(answer, None if lists else validation)


def whole(inquiry: Inquiry, replies: Sequence[NumberedReply], *, contact: str = "") -> RAGResponse:
    """Return the reply to a question, of one part or several, its sources numbered through.

    First it says what a follow-up was taken to be about, where that did not say so itself, and last
    whom to turn to (``contact``), where the question or a part of it is refused. A text that cannot
    be asked at all is for whoever wrote it to change.
    """
    told: list[RAGResponse] = []
    for numbered in replies:
        told.append(numbered(sum(len(each.sources) for each in told)))
    asked = [part.question.text for part in inquiry.every]
    reply = joined(asked, told) if inquiry.further else told[0]
    lang, answer = inquiry.question.lang, [reply.answer]
    if inquiry.about and reply.intent != IntentKind.CONVERSATIONAL:
        answer.insert(0, say(lang, "answer.about", about=inquiry.about))
    verdicts = [each.decided() for each in inquiry.every]
    if contact and any(
        each.outcome is Outcome.REFUSE and not each.details.get("message") for each in verdicts
    ):
        answer.append(say(lang, "refusal.contact", contact=contact))
    return replace(reply, answer="\n\n".join(answer), trace=tuple(inquiry.trace))


def refused(
    inquiry: Inquiry,
    suggestions: tuple[Suggestion, ...],
    mentioned: Draft | None = None,
    *,
    staleness: Staleness = FRESH,
) -> RAGResponse:
    """Say why there is no answer, what was looked at, where it is mentioned and what to try."""
    lang, verdict, evidence = inquiry.question.lang, inquiry.decided(), inquiry.evidence
    if message := verdict.details.get("message"):
        return _reply(inquiry, message)
    stale = stale_warnings(staleness, lang)
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
    asks = inquiry.asks
    if not isinstance(asks, Unclear):
        if evidence.undecided:
            asked = say(lang, "clarify.number", subject=subject)
            choices = [_document_choice(item) for item in evidence.undecided]
        else:
            asked = say(lang, "clarify.term", subject=subject, source=evidence.looked_at[0])
            choices = [_concept_choice(match, lang) for match in evidence.matches]
        example = say(lang, "clarify.choose", example=suggestions[0].question)
        text = f"{asked}\n\n{_numbered(choices)}\n\n{example}"
    elif asks.picks:
        text = say(lang, "clarify.nothing_offered")
    elif asks.candidates:
        asked = say(lang, "clarify.several", word=asks.word)
        text = f"{asked}\n\n{_numbered(asks.candidates)}"
    else:
        text = say(lang, "clarify.refers" if asks.word else "clarify.too_little", word=asks.word)
    return _reply(inquiry, text, suggestions)


def _document_choice(document: Document) -> str:
    told = f": {document.title}" if document.identifier else ""
    return f"**{document.label}**{told}"


def _numbered(choices: Sequence[str]) -> str:
    return "\n".join(f"{n}. {choice}" for n, choice in enumerate(choices, start=1))


def conversed(inquiry: Inquiry, examples: Examples) -> RAGResponse:
    """Answer small talk with a fixed text that claims nothing, and names only what there is."""
    lang, asks = inquiry.question.lang, inquiry.asks
    about = asks.about if isinstance(asks, SmallTalk) else "help"
    if about == "help":
        return _reply(inquiry, _help(examples, lang))
    if about == "identity" and not inquiry.question.scope.defines:
        about = "identity_documents"
    return _reply(inquiry, say(lang, f"talk.{about}", offer=_offer(examples, lang)))


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
    lines = [say(lang, "talk.help_open")] if examples.document or not examples.term else []
    if listed := [kind for kind in examples.kinds if kind.is_numbered]:
        asked = say(lang, f"suggest.list_{listed[-1].value}")
        lines.insert(0, say(lang, "talk.help_list", question=asked))
    if examples.document and examples.named:
        decides = examples.document.kind.like == DocumentKind.DECISION
        key = "suggest.decision" if decides else "suggest.document"
        asked = say(lang, key, name=examples.named)
        lines.insert(0, say(lang, "talk.help_document", question=asked))
    if examples.term:
        asked = say(lang, "suggest.define", term=examples.term)
        lines.insert(0, say(lang, "talk.help_term", question=asked))
    return "\n\n".join((say(lang, "talk.help"), "\n".join(f"- {line}" for line in lines)))


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
        # Of little confidence answers alone tell, of fallbacks every reply does.
        transparency=_transparency(quality, lang) if quality.fallback_active else SILENT,
        suggestions=suggestions,
    )


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
