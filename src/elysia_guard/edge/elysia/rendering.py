"""A response as the payloads that Elysia's front end shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome, Source
from elysia_guard.edge.elysia.host import Response, Result, Update
from elysia_guard.edge.hedging import emphasised, hedge, marked

MAX_SUGGESTIONS = 4
BEGUN = "begun"
"""Marks a text that stands for one that is still being made; see ``webapp.front_end``."""


def render(reply: RAGResponse) -> Iterator[Response | Result | Update]:
    """Yield the text, its sources as cards, suggestions to click, and the whole for machines."""
    text = emphasised(reply)
    if reply.unsaid:
        text = f"{text}\n\n*{reply.unsaid}*"
    if reply.verified:
        text = f"{text}\n\n*{reply.verified}*"
    yield Response(text)
    caveat = hedge(reply)
    cards = [_card(source, caveat) for source in reply.sources if source.quote]
    if cards and reply.intent != "list":
        yield Result(objects=cards, payload_type="document", name="sources", metadata={})
    if reply.suggestions:
        asked = [item.question for item in reply.suggestions][:MAX_SUGGESTIONS]
        yield Update("suggestion", {"error": "", "suggestions": asked})
    yield Update("rag_response", json.loads(json.dumps(reply.to_dict())))


def beginning(text: str, lang: Lang) -> Update:
    """What an answer begins with, while the rest is made: the next text takes its place.

    The page shows it as a text; the conversation keeps the answer alone.
    """
    objects = [{"text": marked(text, lang)}]
    return Update("text", {"type": "response", "metadata": {BEGUN: True}, "objects": objects})


def is_beginning(payload: Mapping[str, Any] | None) -> bool:
    """Tell whether a payload is what an answer begins with, and not the answer."""
    return bool(payload and (payload["payload"].get("metadata") or {}).get(BEGUN))


def _card(source: Source, caveat: str = "") -> dict[str, str]:
    """A document card. An opened one cuts its title off, so the content names the source again.

    The page ends at the cards, with the text above scrolled away: a caveat stands on them too.
    """
    title = f"[source:{source.n}] {_name(source)}"
    content = [_heading(source), _quoted(source.quote), _place(source)]
    return {
        "title": f"{ReplyOutcome.HEDGED.mark} {title}" if caveat else title,
        "author": source.collection,
        "date": "",
        "content": "\n\n".join([caveat, *content] if caveat else content),
        "category": source.doc_type,
    }


def _name(source: Source) -> str:
    """What the source is: a concept in its vocabulary, or a document by its identifier."""
    if source.doc_id == source.location:
        return f"{source.title} ({source.section})" if source.section else source.title
    if source.title.startswith(source.doc_id):
        return source.title
    return f"{source.doc_id}: {source.title}"


def _heading(source: Source) -> str:
    return f"**{_name(source)}**" + (f" ({source.status})" if source.status else "")


def _quoted(quote: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in quote.splitlines())


def _place(source: Source) -> str:
    """Where to read on: a link for a concept, section and path for a document."""
    if "://" in source.location:
        return f"<{source.location}>"
    place = source.location and f"`{source.location}{_lines(source)}`"
    return " · ".join(part for part in (source.section, place) if part)


def _lines(source: Source) -> str:
    """The lines of the quote, as editors and code hosts write them."""
    if source.lines is None:
        return ""
    first, last = source.lines
    return f":{first}" if first == last else f":{first}-{last}"
