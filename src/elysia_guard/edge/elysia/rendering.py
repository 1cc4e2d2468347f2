"""A response as the payloads that Elysia's front end shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from elysia_guard.domain.document import DocumentKind, doc_type
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome, Source
from elysia_guard.edge import linking
from elysia_guard.edge.elysia.host import Response, Result, Update
from elysia_guard.edge.linking import VOCABULARY, Links, emphasised
from elysia_guard.language.catalogue import say
from elysia_guard.language.lists import way_on
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.language.states import in_force

MAX_SUGGESTIONS = 4


def render(reply: RAGResponse, links: Links | None = None) -> Iterator[Response | Result | Update]:
    """Yield the text, its sources as cards, suggestions to click, and the whole for machines.

    ``links`` are those to our own pages, where the front end is served beside them.
    """
    yield Response(_text(reply, links))
    cards = list(_cards(reply, opens=links is not None))
    if cards and reply.intent != "list":
        yield Result(objects=cards, payload_type="document", name="sources", metadata={})
    if offered := reply.suggestions[:MAX_SUGGESTIONS]:
        asked = [item.question for item in offered]
        # What is asked back has said already what each stands for.
        named = asked if reply.outcome is ReplyOutcome.CLARIFIED else [i.label for i in offered]
        told = [name or question for name, question in zip(named, asked, strict=True)]
        if reply.outcome not in {ReplyOutcome.ASSERTED, ReplyOutcome.HEDGED}:
            told = [f"{n}. {name}" for n, name in enumerate(told, start=1)]
        heading = say(reply.lang, "page.ways_on")
        shown = {"error": "", "suggestions": asked, "labels": told, "heading": heading}
        yield Update("suggestion", shown)
    yield Update("rag_response", json.loads(json.dumps(reply.to_dict())))


def _text(reply: RAGResponse, links: Links | None) -> str:
    text = emphasised(reply)
    if links:
        text = linking.linked(reply, _once(reply, text))
    if reply.unsaid:
        text = f"{text}\n\n*{reply.unsaid}*"
    if reply.verified:
        text = f"{text}\n\n*{reply.verified}*"
    if links:
        text = f"{_headline(reply, links)}\n\n{text}"
    return text


def _headline(reply: RAGResponse, links: Links) -> str:
    """How the reply is meant, by a sign and in words, which lead to why."""
    outcome, lang = reply.outcome, reply.lang
    why = say(lang, "page.why")
    told = f"{outcome.mark} {say(lang, f'page.{outcome}')}"
    return f'[{told}]({links.why(reply)} "{why}") [{why}]({links.why(reply)})'


def _once(reply: RAGResponse, text: str) -> str:
    """Leave the ways on out of the text that stand below it, by their numbers, to be clicked."""
    offered = reply.suggestions[:MAX_SUGGESTIONS]
    shown = {way_on(place, item, reply.lang) for place, item in enumerate(offered, start=1)}
    shown |= {f"{place}. {item.question}" for place, item in enumerate(offered, start=1)}
    shown |= {say(reply.lang, "clarify.choose", example=item.question) for item in offered[:1]}
    return "\n".join(line for line in text.split("\n") if line not in shown)


def _cards(reply: RAGResponse, *, opens: bool) -> Iterator[dict[str, str]]:
    """A card for each document, with the places in it that the reply quotes."""
    words = linking.quotes(reply) if opens else {}
    for sources in linking.by_document(item for item in reply.sources if item.quote):
        places = [
            _place(item, words.get(item.n), reply.lang, located=item is sources[0])
            for item in sources
        ]
        yield _card(sources, places, reply)


def _card(sources: Sequence[Source], places: Sequence[str], reply: RAGResponse) -> dict[str, str]:
    """A document card. An opened one cuts its title off, so the content names the document again.

    Where the page ends, with the text above scrolled away, what is hedged bears its sign too.
    """
    source, marks = sources[0], linking.marks(sources)
    sign = f"{reply.outcome.mark} " if reply.outcome is ReplyOutcome.HEDGED else ""
    state = f" ({source.status})" if source.status and not in_force(source.status) else ""
    return {
        "title": f"{sign}{marks} {_name(source)}{state}",
        "author": _collection(source, reply.lang),
        "date": source.date,
        "content": "\n\n".join([_heading(source), *places]),
        "category": source.doc_type,
    }


def _collection(source: Source, lang: Lang) -> str:
    """The collection of a source as a person knows it: 'Decisions', or the vocabulary's name."""
    if source.doc_type == VOCABULARY:
        return source.section
    named = {doc_type(kind, approval=False): f"list.{kind}_many" for kind in own_kinds().every}
    named[doc_type(DocumentKind.DECISION, approval=True)] = "list.record_many"
    key = named.get(source.doc_type)
    told = say(lang, key) if key else source.collection
    return told[:1].upper() + told[1:]


def _name(source: Source) -> str:
    """What the source is: a concept in its vocabulary, or a document by its identifier."""
    if source.is_elsewhere:
        return f"{source.title} ({source.section})" if source.section else source.title
    if source.title.startswith(source.doc_id):
        return source.title
    return f"{source.name}: {source.title}"


def _heading(source: Source) -> str:
    state = ", ".join(filter(None, (source.status, source.date)))
    return f"**{_name(source)}**" + (f" ({state})" if state else "")


def _place(source: Source, words: Sequence[str] | None, lang: Lang, *, located: bool) -> str:
    """Where to read on: section and path, or the URI of a concept, and a link that opens it.

    ``words`` are those to open it at; None where nothing is opened here. Unless it is ``located``
    here, its path stands above.
    """
    place = f"<{source.location}>" if "://" in source.location else ""
    if source.location and not place and (located or source.lines):
        place = f"`{source.location}{linking.placed(source.lines)}`"
    section = "" if source.doc_type == VOCABULARY else source.section
    parts = [f"[source:{source.n}]", section, place]
    if words is not None and (address := linking.address(source, words, lang=lang)):
        key = "concept" if source.doc_type == VOCABULARY else "document"
        key = "open" if linking.QUOTED in address else f"open_{key}"
        parts.append(f"[{say(lang, f'page.{key}')}]({address})")
    return " \u00b7 ".join(filter(None, parts))
