"""A response as the payloads that Elysia's front end shows."""

from __future__ import annotations

import json
from collections.abc import Iterator

from elysia_guard.domain.response import RAGResponse, Source
from elysia_guard.edge.elysia.host import Response, Result, Update

MAX_SUGGESTIONS = 4


def render(reply: RAGResponse) -> Iterator[Response | Result | Update]:
    """Yield the text, the sources as cards, the suggestions to click, and the whole for machines."""
    text = reply.answer
    if reply.transparency.show_to_user and reply.transparency.statement:
        text = f"{text}\n\n*{reply.transparency.statement}*"
    yield Response(text)
    cards = [_card(source) for source in reply.sources if source.quote]
    if cards and reply.intent != "list":
        yield Result(objects=cards, payload_type="document", name="sources", metadata={})
    if reply.suggestions:
        asked = [item.question for item in reply.suggestions][:MAX_SUGGESTIONS]
        yield Update("suggestion", {"error": "", "suggestions": asked})
    yield Update("rag_response", json.loads(json.dumps(reply.to_dict())))


def _card(source: Source) -> dict[str, str]:
    """A document card: its content carries place and link, since the page shows no other field."""
    place = " > ".join(part for part in (source.section, source.location) if part)
    return {
        "title": f"[source:{source.n}] {source.title}",
        "author": source.collection,
        "date": "",
        "content": f"{source.quote}\n\n*{place}*",
        "category": source.doc_type,
    }
