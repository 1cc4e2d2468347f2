"""How hard a question is to answer: whether quotes do, a model is to write, or also to think."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from elysia_guard.domain.draft import Draft
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.quality import HIGH_CONFIDENCE
from elysia_guard.domain.reading import Comparison, Named
from elysia_guard.stages.writing.told import is_written

SEVERAL = 2
"""Documents that the best sentences are from, and the question is one for an overview. Of the
golden set's questions of several documents (tuning half) 46 of 69 are so, of one document 43 of
396; with three it would be 14 and 9."""


class Difficulty(NamedTuple):
    """The mode that a question is hard enough for, and what shows it."""

    mode: Mode
    why: str


def difficulty(inquiry: Inquiry, quoted: Callable[[], Draft], *, parts: int) -> Difficulty:
    """Tell by its reading, and by what would be quoted, how an answer is to be made.

    ``parts`` is how many things the question asks. What is asserted and takes one sentence is
    quoted; several parts, comparisons, several documents that are named, and what several documents
    tell of are thought about; all else is written.
    """
    if not is_written(inquiry):
        return Difficulty(Mode.INSTANT, "no passages answer it")
    if parts > 1:
        return Difficulty(Mode.THINKING, f"{parts} parts")
    asks = inquiry.asks
    if isinstance(asks, Comparison) or (isinstance(asks, Named) and len(asks.references) > 1):
        return Difficulty(Mode.THINKING, "a comparison")
    draft = quoted()
    documents = len({source.doc_id for source in draft.sources})
    if documents >= SEVERAL:
        return Difficulty(Mode.THINKING, f"{documents} documents tell of it")
    quotes = sum(len(block.quotes) for block in draft.blocks)
    if quotes == 1 and inquiry.decided().confidence >= HIGH_CONFIDENCE:
        return Difficulty(Mode.INSTANT, "one sentence answers it")
    return Difficulty(Mode.AUTO, f"{quotes} sentence(s) of one document")
