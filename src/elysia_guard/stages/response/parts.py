"""The reply to a question of several parts, and what was verified of a reply, said to a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import RetrievalQuality
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ResponseWarning, Source, Validation
from elysia_guard.language.catalogue import say


def joined(asked: Sequence[str], replies: Sequence[RAGResponse]) -> RAGResponse:
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
    reply = replace(
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
    )
    quoted = [item.validation for item in replies if item.validation and item.verified]
    return vouched(reply, _together(quoted))


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


def vouched(reply: RAGResponse, quoted: Validation | None) -> RAGResponse:
    """Say to a person what was verified of an answer, and who chose it, where a model did.

    ``quoted`` is of what it quotes; titles that it lists are no quotes.
    """
    if quoted is None:
        return reply
    told = _quoted(reply.lang, quoted)
    if reply.written_by:
        model, _, asked = reply.written_by.partition("@point+")
        key = "verified.by_prompt" if asked else "verified.by"
        told = f"{told} {say(reply.lang, key, model=model, prompt=asked)}"
    return replace(reply, verified=told)


def _quoted(lang: Lang, held: Validation) -> str:
    """Tell how many quotes hold: of an answer that is shown all do, or it says how many."""
    verified, total = held.sources_verified, held.sources_total
    if verified < total:
        return say(lang, "verified.quoted_of", verified=verified, total=total)
    if not total:
        return ""
    return say(lang, "verified.quoted_one" if total == 1 else "verified.quoted_many", count=total)
