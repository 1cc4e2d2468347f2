"""Why an answer is given, as a page: how sure it is, what it rests on, and how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.response import RAGResponse, Source, Sources, TraceStep
from elysia_guard.edge import linking, steps
from elysia_guard.edge.linking import emphasised
from elysia_guard.edge.views.marking import Marked, outside
from elysia_guard.edge.views.page import rendered
from elysia_guard.language.catalogue import say

_REPLIES = TypeAdapter(RAGResponse)


@dataclass(frozen=True, kw_only=True)
class AnswerShown:
    """A question as it was asked, and its reply."""

    question: str
    reply: RAGResponse


def recorded(payloads: Sequence[Mapping[str, Any]], query_id: str) -> AnswerShown | None:
    """Find a question with its reply in what a conversation has shown; None if it is not there.

    A reply that another version has kept in another form is not there either.
    """
    said = {item["type"]: item for item in payloads if item.get("query_id") == query_id}
    if not {"user_prompt", "rag_response"} <= set(said):
        return None
    try:
        reply = _REPLIES.validate_python(said["rag_response"]["payload"])
    except ValidationError:
        return None
    return AnswerShown(question=str(said["user_prompt"]["payload"].get("prompt", "")), reply=reply)


def page(asked: AnswerShown, *, lang: Lang) -> str:
    """Return why an answer was given as HTML."""
    reply = asked.reply
    text = linking.linked(reply, emphasised(reply))
    return rendered(
        "answer.html",
        lang=lang,
        title=say(lang, "page.why"),
        question=asked.question,
        reply=reply,
        answer=Marked(resolve=_resolve).markdown(text)(),
        outcome=f"{reply.outcome.mark} {say(lang, f'page.{reply.outcome}')}",
        grounds=list(_grounds(reply, lang)),
        sources=list(_opened(reply.sources, linking.quotes(reply), lang)),
        mentions=list(_opened(reply.mentions, {}, lang)),
        steps=[_step(step) for step in reply.trace],
    )


def _grounds(reply: RAGResponse, lang: Lang) -> Iterator[str]:
    """Yield, a sentence each, how sure the reply is and what was checked of it."""
    if not reply.sources:
        return
    quality = reply.retrieval_quality
    level = say(lang, f"page.{quality.confidence_level}")
    yield say(lang, "page.sure", percent=round(quality.confidence_score * 100), level=level)
    lists = reply.intent == IntentKind.LIST and not reply.verified
    if not lists and (held := reply.validation):
        said = {"verified": held.sources_verified, "total": held.sources_total}
        yield say(lang, "page.checked", **said)
        if held.fields_total:
            said = {"verified": held.fields_verified, "total": held.fields_total}
            yield say(lang, "page.sentences", **said)
    if reply.written_by:
        yield say(lang, "verified.by", model=reply.written_by)
    else:
        yield say(lang, "page.quotes_only")


def _opened(
    sources: Sources | Sequence[Source], words: Mapping[int, Sequence[str]], lang: Lang
) -> Iterator[tuple[Source, str]]:
    for source in sources:
        said = words.get(source.n) or [source.quote]
        yield source, linking.address(source, said, lang=lang)


def _step(step: TraceStep) -> Mapping[str, Any]:
    """A step as the page tells it."""
    return {
        "name": steps.stage(step),
        "took": steps.took(step),
        "told": steps.told(step),
        "readings": [(steps.measured(item), item) for item in step.readings],
    }


def _resolve(href: str) -> str:
    """Keep links to our own pages and to the outside."""
    return href if href.startswith("/guard/") else outside(href)
