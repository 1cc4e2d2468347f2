"""What a model chose of the sources, quoted as they have it, in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.language.catalogue import say
from elysia_guard.stages.answering.citing import CitedSources, heading
from elysia_guard.stages.answering.documents import left_notes
from elysia_guard.stages.answering.quoting import quotes_of


def chosen_blocks(
    chosen: Sequence[tuple[Passage, str]], hits: Mapping[str, Hit], sources: CitedSources
) -> list[Block]:
    """The sentences under the names of their documents, each once, a list with its introduction."""
    blocks = []
    for document, quoted in groupby(dict.fromkeys(chosen), key=lambda place: place[0].document):
        at_hand = (hit.passage for hit in hits.values())
        quotes, left = quotes_of(list(quoted), sources, hits, at_hand)
        notes = left_notes(document, left, sources.lang)
        blocks.append(Block(heading=heading(document), quotes=quotes, notes=notes, left=left))
    return blocks


def bare_blocks(passages: Sequence[Passage], sources: CitedSources) -> list[Block]:
    """The documents that passages are from, by name: what is left where nothing can be said."""
    documents = {item.document.id: item.document for item in passages}
    quotes = tuple(
        Quote(
            text=item.title,
            source=sources.cite_document(item),
            lead=f"**{item.identifier}** " if item.identifier else "**\u2192** ",
        )
        for item in documents.values()
    )
    return [Block(heading=say(sources.lang, "written.raw"), quotes=quotes)] if quotes else []
