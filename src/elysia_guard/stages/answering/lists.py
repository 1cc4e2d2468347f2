"""A list of documents: how many there are of what, and each by its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.domain.document import Document
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.evidence import About, Evidence
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.reading import Listing
from elysia_guard.language.approvals import standing
from elysia_guard.language.catalogue import say
from elysia_guard.language.lists import listed, quoted, topics_told, unmet
from elysia_guard.stages.answering.citing import CitedSources


def list_blocks(
    listing: Listing, evidence: Evidence, question: Question, sources: CitedSources
) -> list[Block]:
    """Say what is listed and how many there are, and list them: by title, by text, by its forms."""
    about, documents = evidence.about, evidence.documents
    whole = _whole(listing, evidence, question)
    if about is None or listing.order:
        told = Block(heading=whole, quotes=_named(documents, listing, sources))
        return [told, *_otherwise(evidence, question.lang)]
    titled, texts, kindred = about.groups(documents)
    groups = {"title": titled, "text": texts} if titled and texts else {"": titled + texts}
    blocks = [Block(heading=whole)]
    for key, group in {**groups, "kindred": kindred}.items():
        if group:
            heading = _group(key, len(group), about, question.lang) if key else ""
            blocks.append(Block(heading=heading, quotes=_named(group, listing, sources)))
    notes = tuple(_unlisted(about, question.lang))
    blocks += [Block(notes=notes)] if notes else []
    return [*blocks, *_otherwise(evidence, question.lang)]


def _whole(listing: Listing, evidence: Evidence, question: Question) -> str:
    """Say how many there are of what, and first where there is none of what was asked for."""
    lang, shown = question.lang, evidence.documents
    beside = evidence.about.kindred if evidence.about else ()
    count = sum(item.id not in beside for item in shown)
    total = count + evidence.left_out
    said = listed(listing, evidence, question, count=total)
    if listing.order:
        key = f"answer.{listing.order}_of" if evidence.left_out else f"answer.{listing.order}"
    else:
        key = "answer.list_one" if count == 1 else "answer.list_many"
    heading = say(lang, key, count=count, total=total, listed=said)
    if none := unmet(listing, evidence, question):
        return f"{say(lang, 'answer.list_none', listed=none)} {heading}"
    return heading


def _group(key: str, count: int, about: About, lang: Lang) -> str:
    forms = quoted(about.kindred_forms, lang) if key == "kindred" else ""
    return say(lang, f"answer.in_{key}", count=count, forms=forms)


def _otherwise(evidence: Evidence, lang: Lang) -> list[Block]:
    """Name those that say of themselves what is asked, and whose records say otherwise."""
    if not evidence.overruled:
        return []
    names = ", ".join(document.name for document in evidence.overruled)
    return [Block(notes=(say(lang, "answer.overruled", names=names),))]


def _unlisted(about: About, lang: Lang) -> Iterator[str]:
    """Say how many come near and are not listed."""
    for key, count in (("apart", about.apart), ("partly", about.partly)):
        if count:
            yield say(lang, f"answer.more_{key}", count=count, topics=topics_told(about, lang))


def _named(
    documents: Sequence[Document], listing: Listing, sources: CitedSources
) -> tuple[Quote, ...]:
    return tuple(
        Quote(
            text=document.title,
            source=sources.cite_document(document),
            lead=f"**{lead}** " if (lead := _lead(document)) else "",
            tail=_tail(document, listing),
        )
        for document in documents
    )


def _lead(document: Document) -> str:
    """What stands before a title in a list: a reference, else what tells it from its namesakes."""
    return document.label if document.identifier else document.apart


def _tail(document: Document, listing: Listing) -> str:
    """What stands behind a title in a list: status and date, where the list itself says neither.

    The date is told where the list is in its order, or restricted by it: then every date is, for
    another body may have decided later.
    """
    scope = listing.filters
    known = scope.statuses[0] if len(scope.statuses) == 1 else ""
    within = bool(scope.since or scope.until)
    return standing(document, known=known, dated=bool(listing.order) or within, each=within)
