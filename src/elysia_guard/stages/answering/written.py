"""What a model wrote and code has proved, each sentence over the words it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from elysia_guard.domain.claim import Manuscript, Proved
from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.language.agreement import MOST_UNITS
from elysia_guard.language.catalogue import say
from elysia_guard.language.text import words_in_place
from elysia_guard.language.verbatim import as_written, found_in
from elysia_guard.stages.answering.citing import Sources, heading, quotes_of, units_of

_ENDS = re.compile(r"""[^\w\s]*[.!?\u2026][^\w\s]*(?=\s|\Z)""")
"""What ends a sentence, up to the next."""


def written_blocks(
    manuscript: Manuscript, hits: Mapping[str, Hit], sources: Sources
) -> list[Block]:
    """The sentences that hold, in their order; what one rests on is quoted as its source has it.

    Of one that begins with the one before it the rest is told, which stands behind that one.
    """
    blocks, told = list[Block](), ""
    for proved in manuscript.shown:
        rest = _rest(proved.claim.text, told)
        quoted = _quoted(proved, manuscript.passages)
        if quoted:
            quotes = tuple(
                Quote(text=text, source=sources.cite_words(passage, text, hits.get(passage.id)))
                for passage, text in quoted
            )
            sentence = rest or proved.claim.text
            blocks.append(Block(sentence=sentence, quotes=quotes, behind=told if rest else ""))
            told = proved.claim.text
    return [*blocks, *_spoken_for(manuscript, hits, sources, blocks)]


def _rest(text: str, told: str) -> str:
    """What a text says behind what is told, word for word and to the end of a sentence; else ''.

    Marks that set words in bold and line breaks count for nothing: sources have them, where
    those who copy them have not.
    """
    own, before = list(words_in_place(text)), list(words_in_place(told))
    same = zip(own, before, strict=False)
    if not before or len(own) <= len(before) or any(one[0] != two[0] for one, two in same):
        return ""
    ends = _ENDS.match(text, own[len(before) - 1].end())
    is_closed = _ENDS.fullmatch(told, before[-1].end())
    return text[ends.end() :].lstrip() if ends and is_closed else ""


def _spoken_for(
    manuscript: Manuscript, hits: Mapping[str, Hit], sources: Sources, told: Sequence[Block]
) -> list[Block]:
    """What sentences left open rest on, whole sentences of each document under its name.

    The source says itself what its writer is not known to have said rightly.
    """
    named = [each for item in manuscript.left_to_words for each in _whole(item, manuscript)]
    known = "\n".join(quote.text for block in told for quote in block.quotes)
    of: dict[str, list[tuple[Passage, str]]] = {}
    for passage, unit in dict.fromkeys(named):
        if not found_in(unit, [known]):
            of.setdefault(passage.document.id, []).append((passage, unit))
    return [
        Block(heading=heading(found[0][0].document), quotes=quotes_of(found, sources, hits))
        for found in of.values()
    ]


def _whole(proved: Proved, manuscript: Manuscript) -> Iterator[tuple[Passage, str]]:
    """The whole sentences that a sentence rests on; nothing of words that run over more."""
    for passage, text in _quoted(proved, manuscript.passages):
        units = found_in(text, units_of(passage))
        if len(units) <= MOST_UNITS:
            yield from ((passage, unit) for unit in units)


def bare_blocks(passages: Sequence[Passage], sources: Sources) -> list[Block]:
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


def _quoted(proved: Proved, passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """What a sentence rests on, in the source's own form; nothing where any of it is not there."""
    found = []
    for each in proved.claim.supports:
        passage = passages[each.source - 1] if 1 <= each.source <= len(passages) else None
        text = as_written(each.words, passage.text) if passage else ""
        if passage is None or not text:
            return []
        found.append((passage, text))
    return list(dict.fromkeys(found))
